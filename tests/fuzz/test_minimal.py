"""Minimal plays: found natively, made small by hypothesis, kept in its database, confirmed by the evaluator."""

from __future__ import annotations

import itertools

import pytest
from hypothesis.database import InMemoryExampleDatabase

from pilgrim_rules.engine.machines import choose
from pilgrim_rules.language.load import read_game
from tests.support.walk_texts import walk
from verifier.fuzz import bulk, campaign, checks
from verifier.fuzz.bulk import is_looked_at
from verifier.fuzz.campaign import run
from verifier.fuzz.game_under_test import GameUnderTest, Problem, ProblemFound
from verifier.fuzz.minimal import Numbering, kept, minimal, replayed
from verifier.play.hunt import Hunter

FRESH = "invariant fresh\n    tired < 2\n"


def play(subject, *names):
    """Return the moves with these names; none of them has arguments."""
    numbers = {action.name: at for at, action in enumerate(subject.core.actions)}
    return tuple((numbers[name], ()) for name in names)


def names(subject, moves):
    return [subject.move(coded) for coded in moves]


def test_moves_have_numbers():
    numbering = Numbering(read_game("kalah"))

    for number in range(numbering.count):
        assert number == numbering.number(numbering.coded(number))


def test_native_play_replaces_moves_that_leaving_out_cannot(tmp_path):
    """Five steps, none of which can be left out; two leaps and a step are fewer decisions."""
    subject = GameUnderTest(walk(tmp_path, claims="invariant near\n    place < 5\n"))
    long = play(subject, *["step"] * 5)
    wanted = Problem("walk.invariant.near/step", "")

    alone = minimal(subject, wanted, long)[1]
    hunted = minimal(subject, wanted, long, hunter=Hunter(subject.code))[1]

    assert 5 == len(alone)
    assert 3 == sum(name != "rest" for name in names(subject, hunted))


def test_a_failing_play_is_kept_and_comes_back_until_it_shows_nothing(tmp_path):
    subject, database = GameUnderTest(walk(tmp_path, claims=FRESH)), InMemoryExampleDatabase()
    wanted = Problem("walk.invariant.fresh/leap", "")
    minimal(subject, wanted, play(subject, "step", "leap", "rest", "leap"), database=database)

    ((problem, again),) = kept(subject, database)
    fixed = kept(GameUnderTest(walk(tmp_path)), database)

    assert (wanted.name, ["leap", "rest", "leap"]) == (problem.name, names(subject, again))
    assert [] == fixed
    assert [] == kept(subject, database), "it was forgotten when it showed nothing"


def test_the_evaluator_confirms_a_play_or_says_that_it_disagrees(tmp_path):
    subject = GameUnderTest(walk(tmp_path, claims=FRESH))
    problem, found = replayed(subject, play(subject, "leap", "leap"), None)

    checks.confirm(subject, problem, found, "fresh")
    with pytest.raises(ProblemFound, match="holds by the evaluator"):
        checks.confirm(subject, problem, found[:1], "fresh")
    with pytest.raises(ProblemFound, match="not legal by the evaluator"):
        checks.confirm(subject, problem, play(subject, "stop"), "fresh")


@pytest.mark.parametrize("wasm", [True, False])
def test_bulk_play_finds_what_no_game_that_is_looked_at_meets(tmp_path, monkeypatch, wasm):
    monkeypatch.setattr(choose, "wasm_is_installed", lambda: wasm)
    for module in (bulk, campaign):
        monkeypatch.setattr(module, "is_looked_at", lambda _: False)
    game = walk(tmp_path, claims="invariant far\n    place < 9\nstep slow: place' <= place + 1\n")

    report = run(game, games=200)

    assert 200 == report.tally.games == report.tally.over
    assert {"walk.invariant.far/step", "walk.step.slow/leap"} == {each.name for each in report.failures}
    assert {"walk.step.slow/leap": 1, "walk.invariant.far/step": 9} == {
        each.name: len(each.moves) for each in report.failures
    }


def test_contradictions_of_bulk_play_are_found_and_the_other_games_are_played(tmp_path, monkeypatch):
    monkeypatch.setattr(campaign, "is_looked_at", lambda _: False)

    report = run(walk(tmp_path, limit=10, stop=9), games=100)

    assert ["walk.range/step"] == [each.name for each in report.failures]
    assert 100 == report.tally.games
    assert 100 > report.tally.over
    assert report.tally.times["walk.range/step"] > 1


def test_an_action_that_only_bulk_play_meets_is_looked_at(tmp_path, monkeypatch):
    monkeypatch.setattr(campaign, "is_looked_at", lambda _: False)

    report = run(walk(tmp_path), games=300)

    assert () == report.never_made
    assert () == report.failures
    assert {"step.do.1", "leap.do.1", "stop.do.1"} <= set(report.tally.coverage.lines)


def test_fewer_and_fewer_games_are_looked_at_but_never_none():
    looked = [number for number in range(20_000) if is_looked_at(number)]

    assert [0, 1, 2, 3, 4, 6, 8, 12, 16, 24] == looked[:10]
    assert all(later - earlier <= 2000 for earlier, later in itertools.pairwise(looked))
    assert len(looked) < 45


def test_games_with_automata_are_counted(monkeypatch):
    monkeypatch.setattr(campaign, "is_looked_at", lambda _: False)
    game = read_game("gleaners", players=1)

    report = run(game, games=50)

    assert game.player.size > game.players
    assert () == report.failures
    assert 50 == report.tally.games == report.tally.over
