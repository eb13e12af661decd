"""A game under every single other option of its rulings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pilgrim_rules.evidence.options import other_options, print_of, read_options, result_of, write_options
from pilgrim_rules.language.load import read_game
from pilgrim_rules.sphinx_ext.lists.option_proofs import summary
from tests.support.walk_texts import walk
from verifier.prove.run import verify
from verifier.rulings.each_option import prove_each_option

ROOT = Path(__file__).parents[2]
#: True with strides of two, and false with strides of three: a leap from the sixth place goes one too far.
CLAIMS = "invariant in_reach: place <= 7\n"


def prove(game, kinds):
    return verify(game, kinds=kinds, jobs=1, confirm=False, cache=False)


@pytest.fixture
def game(tmp_path):
    return walk(tmp_path, claims=CLAIMS, limit=7)


def test_every_option_that_is_not_chosen_is_proved(game):
    (found,) = prove_each_option(game, other_options(game), prove)

    assert ("stride", "three") == (found.ruling, found.option)
    assert found.asked == found.proved + len(found.open) + found.resting


def test_a_claim_that_is_false_under_an_option_is_named(game):
    (found,) = prove_each_option(game, other_options(game), prove)
    failed = {each.name: each for each in found.open}

    assert not found.complete
    assert "refuted" == failed["walk.invariant.in_reach/leap"].verdict
    assert failed["walk.invariant.in_reach/leap"].moves > 0


def test_what_was_found_is_kept_with_what_was_not_run(game, tmp_path):
    path = tmp_path / "walk.options.json"
    found = list(prove_each_option(game, other_options(game), prove))
    write_options(path, game, [])

    assert ["stride = three"] == read_options(path)["not_run"]

    write_options(path, game, found)
    write_options(path, game, [])  # what an earlier run has found stays
    data = read_options(path)

    assert [] == data["not_run"]
    assert [("stride", "three", found[0].proved)] == [
        (each["ruling"], each["option"], each["proved"]) for each in data["options"]
    ]


def test_an_option_that_was_not_run_to_its_end_is_not_spoken_of(game):
    """Half of the obligations, all of them proved, would look like all of them."""

    def interrupted(read_again, kinds):
        report = prove(read_again, kinds)
        return replace(report, records=report.records[:2], interrupted=True)

    assert [] == list(prove_each_option(game, other_options(game), interrupted))


def test_a_result_is_read_as_it_was_written_and_knows_its_rules(game, tmp_path):
    (found,) = prove_each_option(game, other_options(game), prove)
    write_options(tmp_path / "walk.json", game, [found])
    (kept,) = read_options(tmp_path / "walk.json")["options"]

    assert found == result_of(kept)
    assert print_of(game) == found.usual != found.rules


def test_a_page_counts_what_is_open_what_is_older_and_what_was_not_asked(game):
    (found,) = prove_each_option(game, other_options(game), prove)

    assert ("None of the 1 other answers was asked about yet.",) == summary(game, [])
    (said,) = summary(game, [found])
    assert "1 of 1 other answers, for 2 players" in said
    assert "under 0 of them everything is proved" in said
    assert "The rules have changed since 1 of them" in summary(game, [replace(found, usual="")])[1]
    assert "another version of the prover" in summary(game, [replace(found, code="")])[1]


@pytest.mark.parametrize("path", sorted((ROOT / "docs/evidence/options").glob("*.json")), ids=lambda path: path.stem)
def test_what_is_shipped_names_every_other_option_of_the_game_once(path):
    data = read_options(path)
    game = read_game(path.stem, players=data["players"])
    run = [f"{each['ruling']} = {each['option']}" for each in data["options"]]

    assert sorted(f"{ruling} = {option}" for ruling, option in other_options(game)) == sorted((*run, *data["not_run"]))
    assert all(each["asked"] == each["proved"] + len(each["open"]) + each["resting"] for each in data["options"])


def test_verdicts_of_the_default_reading_are_used_where_they_rest_on_nothing_that_differs(tmp_path, monkeypatch):
    monkeypatch.setenv("PILGRIM_CACHE", str(tmp_path))
    game = read_game("kalah")
    verify(game, jobs=1, confirm=False)
    words = {"jobs": 1, "confirm": False}
    (found,) = prove_each_option(game, other_options(game), lambda read, kinds: verify(read, kinds=kinds, **words))
    (alone,) = prove_each_option(game, other_options(game), prove)

    assert 0 < found.again < found.asked
    assert (alone.asked, alone.proved) == (found.asked, found.proved)
