"""Campaigns of random play: what they find, what they count, how they go on."""

from __future__ import annotations

import json
from itertools import count

import pytest

from pilgrim_rules.api.trace import Record
from pilgrim_rules.examples import CompiledReadings, run_example
from pilgrim_rules.language.load import read_game
from tests.support.walk_texts import walk, with_example
from verifier.fuzz import campaign
from verifier.fuzz.campaign import run
from verifier.fuzz.game_under_test import GameUnderTest
from verifier.fuzz.report import Tally, load_campaign


@pytest.mark.parametrize("name", ["noughts_and_crosses", "nim", "kuhn_poker", "pig"])
def test_nothing_is_wrong_with_a_shipped_game(name):
    report = run(read_game(name), games=40, longest=60)
    assert () == report.failures
    assert 40 == report.tally.games
    assert () == report.never_made
    assert () == report.never_refused
    assert () == report.never_run


def test_a_broken_invariant_is_found_and_shown_by_a_short_play(tmp_path):
    game = walk(tmp_path, claims="invariant fresh\n    tired < 2\n")
    report = run(game, games=10)
    (found,) = report.failures
    assert "walk.invariant.fresh/leap" == found.name
    assert ("leap", "rest", "leap") == found.moves
    assert report.tally.times[found.name] > 1


def test_a_failure_is_an_example_that_fails_when_it_is_pasted(tmp_path):
    game = walk(tmp_path, claims="invariant fresh\n    tired < 2\n")
    (found,) = run(game, games=10).failures
    pasted = with_example(tmp_path, found.example)
    told = run_example(CompiledReadings.from_game(pasted), pasted.examples[-1])
    assert "`leap` breaks `fresh`" == told.wrong
    assert found.moves == told.moves[:-1], "in an example, what happens by itself after the last move happens too"


def test_a_value_that_leaves_its_range_is_found(tmp_path):
    game = walk(tmp_path, limit=10, stop=9)
    (found,) = run(game, games=30).failures
    assert "walk.range/step" == found.name
    assert "`place` would be 10, but goes from 0 to 9" == found.says
    assert found.moves[-1] == "step"
    pasted = with_example(tmp_path, found.example)
    assert "`place` would be 10" in run_example(CompiledReadings.from_game(pasted), pasted.examples[-1]).wrong


def test_a_dead_end_is_found(tmp_path):
    game = walk(tmp_path, limit=7, stop=9)
    (found,) = run(game, games=20).failures
    assert "walk.no_dead_end/walking" == found.name
    assert with_example(tmp_path, found.example).examples


def test_a_saved_failure_can_be_replayed(tmp_path):
    game = walk(tmp_path, claims="invariant fresh\n    tired < 2\n")
    (found,) = run(game, games=10).failures
    path = found.save(tmp_path / "traces")
    trace = Record.load(path).replay(GameUnderTest(game).game)
    assert 2 == trace.state["tired"]


def test_a_step_claim_and_a_ranking_are_asked(tmp_path):
    report = run(walk(tmp_path, claims="step slow: place' <= place + 1\n"), games=10)
    assert ["walk.step.slow/leap"] == [each.name for each in report.failures]
    report = run(walk(tmp_path, claims="terminates by (9 - place)\n"), games=60)
    assert {"rest", "stop"} == {each.name.rpartition("/")[2] for each in report.failures}
    assert [2, 6] == sorted(len(each.moves) for each in report.failures)


def test_the_same_seed_gives_the_same_campaign():
    game = read_game("nim")
    first, again, other = (run(game, games=15, seed=seed).tally for seed in (3, 3, 4))
    assert first.to_json() == again.to_json()
    assert first.to_json() != other.to_json()


def test_a_campaign_can_be_gone_on_with(tmp_path):
    file = tmp_path / "campaign.json"
    game = read_game("nim")
    run(game, games=7, file=file, guided=False)
    both = run(game, games=20, file=file, guided=False)
    at_once = run(game, games=20, guided=False)
    assert at_once.tally.coverage.values == both.tally.coverage.values
    assert both.tally.to_json() == load_campaign(file, both.fingerprint, 0).to_json()


def test_a_campaign_of_other_rules_or_another_seed_is_not_gone_on_with(tmp_path):
    file = tmp_path / "campaign.json"
    game = read_game("nim")
    report = run(game, games=3, file=file)
    assert 0 == load_campaign(file, "other rules", 0).games
    assert 0 == load_campaign(file, report.fingerprint, 1).games


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"format": 1}', '{"format": "pilgrim-rules/campaign/1", "rules": "x"}']
)
def test_a_file_that_is_no_campaign_is_begun_anew(tmp_path, text):
    file = tmp_path / "campaign.json"
    file.write_text(text)
    assert Tally() == load_campaign(file, "x", 0)
    run(read_game("nim"), games=2, file=file)
    assert 2 == json.loads(file.read_text())["tally"]["games"]
    assert [file] == list(tmp_path.iterdir())


def test_an_interrupt_loses_only_the_games_in_progress(tmp_path):
    file = tmp_path / "campaign.json"

    def stop(tally):
        if tally.games >= 3:
            raise KeyboardInterrupt

    report = run(read_game("nim"), games=500, file=file, progress=stop)
    assert report.interrupted
    assert 3 <= report.tally.games < 500
    assert report.tally.games == load_campaign(file, report.fingerprint, 0).games


def test_several_processes_add_up(tmp_path):
    game = walk(tmp_path, claims="invariant fresh\n    tired < 2\n")
    report = run(game, games=12, jobs=2, guided=False)
    assert 12 == report.tally.games
    assert ["walk.invariant.fresh/leap"] == [each.name for each in report.failures]
    alone = run(game, games=12, guided=False)
    assert alone.tally.coverage.actions == report.tally.coverage.actions


def test_time_can_be_the_limit(monkeypatch):
    """By a clock of our own, which goes on by a second whenever somebody looks at it."""
    clock = count()
    monkeypatch.setattr(campaign, "monotonic", lambda: next(clock))
    report = run(read_game("bank"), minutes=1, longest=50)
    assert 1 <= report.tally.games <= 60


def test_somebody_must_say_when_to_stop():
    with pytest.raises(ValueError, match="games"):
        run(read_game("nim"))


def test_rulings_can_be_drawn(tmp_path):
    game = walk(tmp_path, claims="invariant even\n    stride == two or place < 8\n")
    assert () == run(game, games=10).failures
    report = run(game, games=40, rulings=True)
    assert {"stride = two", "stride = three"} == report.tally.rulings.keys()
    found = report.failures[0]
    assert " under stride = three" in found.example.splitlines()[0]
    pasted = with_example(tmp_path, found.example)
    wrong = run_example(CompiledReadings.from_game(pasted), pasted.examples[-1]).wrong
    assert "`step` breaks `even` under stride = three" == wrong


def test_data_are_drawn_within_the_laws():
    game = read_game("nim")
    report = run(game, games=30, data=True)
    assert () == report.failures


def test_requirements_are_counted_when_met_and_when_they_refuse(tmp_path):
    game = walk(tmp_path)
    report = run(game, games=30)
    met, refused, alone = report.by_requirement(game)["stop.require.1"]
    assert met >= report.tally.over
    assert refused >= alone > 0


def test_a_requirement_that_never_refuses_is_named(tmp_path):
    game = walk(tmp_path, limit=9, stop=0)
    assert "stop.require.1" in run(game, games=20).never_refused


def test_players_think_on_request():
    game = read_game("nim")
    report = run(game, games=6, thought=60)
    assert () == report.failures
    assert 6 == report.tally.games == report.tally.over
    assert report.tally.steps == run(game, games=6, thought=60).tally.steps


def test_a_claim_that_thinking_players_break_is_found(tmp_path):
    game = walk(tmp_path, claims="invariant near\n    place < 4\n")
    report = run(game, games=3, thought=20)
    assert {"walk.invariant.near"} == {failure.name.partition("/")[0] for failure in report.failures}
