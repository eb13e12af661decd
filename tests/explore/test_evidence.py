"""What a search says about obligations."""

from __future__ import annotations

import json

from pilgrim_rules.loading import read_game
from tests.fuzz.texts import walk
from verifier.explore.evidence import entries
from verifier.explore.search import explore
from verifier.obligations import obligations
from verifier.report.evidence import record_of

PLAYERS = {"players": 2}


def verdicts(game, **options):
    return {each["name"]: each["verdict"] for each in entries(game, explore(game, **options), PLAYERS)}


def test_a_search_that_closes_proves_everything_it_asked():
    game = read_game("nim")
    found = verdicts(game)
    assert {"proved"} == set(found.values())
    asked = {
        each.name
        for each in obligations(game)
        if each.kind not in ("law", "falsifiable", "example", "no_ties", "sight")
    }
    assert asked == set(found)


def test_a_search_that_does_not_close_proves_nothing_but_what_it_met():
    found = verdicts(read_game("pig"), max_states=50)
    assert "not settled" == found["pig.invariant.within_reach/hold"]
    assert "proved" == found["pig.can_happen/roll"]


def test_a_refutation_names_the_action_and_carries_its_play(tmp_path):
    game = walk(tmp_path, claims="invariant fresh\n    tired < 2\n")
    found = {each["name"]: each for each in entries(game, explore(game), PLAYERS)}
    assert "refuted" == found["walk.invariant.fresh/leap"]["verdict"]
    assert ["leap", "rest", "leap"] == found["walk.invariant.fresh/leap"]["play"]
    assert "not settled" == found["walk.invariant.fresh/rest"]["verdict"]
    assert "proved" == found["walk.range/leap"]["verdict"]


def test_entries_are_evidence(tmp_path):
    game = walk(tmp_path)
    for each in entries(game, explore(game), PLAYERS):
        assert json.loads(json.dumps(each)) == each
        assert record_of(each) is not None


def test_what_was_not_asked_is_not_said(tmp_path):
    game = walk(tmp_path, claims="invariant fresh\n    tired < 2\n")
    told = entries(game, explore(game, check=False), PLAYERS, claims=False)
    assert not [each for each in told if "fresh" in each["name"]]
