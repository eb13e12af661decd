"""Every check has a negative control: an account that is wrong is noticed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pilgrim_rules.language.load import read_game
from pilgrim_rules.walk.random_source import RandomSource
from tests.support.walk_texts import walk
from verifier.fuzz import checks
from verifier.fuzz.game_under_test import GameUnderTest, Problem, ProblemFound
from verifier.fuzz.minimal import minimal, replayed
from verifier.fuzz.play_coverage import LineCoverage


@pytest.fixture
def nim():
    return GameUnderTest(read_game("nim"))


@pytest.fixture
def first(nim):
    """The first move that is legal at the start."""
    return nim.options(nim.code.start)[0][0]


def offered(subject, state):
    return frozenset(coded for coded, _ in subject.options(state))


def test_sound_accounts_pass(nim, first):
    start = nim.code.start
    checks.start(nim)
    checks.form(nim, start)
    checks.evaluator(nim, start, first, RandomSource(1))
    assert [] == checks.refusal(nim, start, first, offered(nim, start))
    greedy = (first[0], tuple(param.type.hi for param in nim.core.actions[first[0]].params))
    assert checks.refusal(nim, start, greedy, offered(nim, start))
    checks.replay(nim, (first,))


def test_a_compiled_move_that_leads_elsewhere_is_noticed(nim, first):
    wrong = list(nim.code.apply_of)
    wrong[first[0]] = lambda state, *_: state
    nim.code.apply_of = tuple(wrong)
    with pytest.raises(ProblemFound, match="leads elsewhere by the evaluator"):
        checks.evaluator(nim, nim.code.start, first, RandomSource(1))


def test_a_compiled_list_of_moves_that_misses_one_is_noticed(nim, first):
    shorter = [lambda state, find=find: find(state)[1:] for find in nim.code.legal_of]
    nim.code.legal_of = tuple(shorter)
    with pytest.raises(ProblemFound, match="legal by one of the accounts only"):
        checks.evaluator(nim, nim.code.start, first, RandomSource(1))


def test_a_move_that_is_listed_but_refused_is_noticed(nim, first):
    refusing = [lambda *_: False for _ in nim.code.allowed_of]
    nim.code.allowed_of = tuple(refusing)
    with pytest.raises(ProblemFound, match="unlike the list of moves"):
        checks.refusal(nim, nim.code.start, first, frozenset([first]))


def test_a_refusal_without_a_reason_is_noticed(nim, first):
    refusing = [lambda *_: False for _ in nim.code.allowed_of]
    nim.code.allowed_of = tuple(refusing)
    with pytest.raises(ProblemFound, match="the reasons are"):
        checks.refusal(nim, nim.code.start, first, frozenset())


def test_json_that_gives_another_state_is_noticed(nim, first, monkeypatch):
    other = nim.state(nim.make(nim.code.start, first))
    monkeypatch.setattr(nim.game, "state_from_json", lambda _: other)
    with pytest.raises(ProblemFound, match="json"):
        checks.form(nim, nim.code.start)


def test_a_play_that_cannot_be_replayed_is_noticed(nim, first, monkeypatch):
    trace = checks.record(nim, (first,))
    trace.steps[0] = replace(trace.steps[0], fingerprint="0" * 16)
    monkeypatch.setattr(checks, "record", lambda *_: trace)
    with pytest.raises(ProblemFound, match="replay"):
        checks.replay(nim, (first,))


def test_shrinking_finds_the_shortest_play_here(tmp_path):
    subject = GameUnderTest(walk(tmp_path, claims="invariant fresh\n    tired < 2\n"))
    step, leap, rest = (
        next(at for at, a in enumerate(subject.core.actions) if a.name == name) for name in ("step", "leap", "rest")
    )
    long = ((step, ()), (step, ()), (leap, ()), (rest, ()), (step, ()), (leap, ()))
    wanted = Problem("walk.invariant.fresh/leap", "")
    problem, play = minimal(subject, wanted, long)
    assert "`fresh` is false" == problem.says
    assert ["leap", "rest", "leap"] == [subject.move(coded) for coded in play]


def test_a_problem_that_does_not_show_again_keeps_its_play(tmp_path):
    subject = GameUnderTest(walk(tmp_path))
    play = ((0, ()), (0, ()))
    wanted = Problem("walk.invariant.other/step", "as it was")
    assert replayed(subject, play, wanted) is None
    assert (wanted, play) == minimal(subject, wanted, play)


def test_the_lines_that_run_are_known(tmp_path):
    game = walk(tmp_path)
    subject, lines = GameUnderTest(game), LineCoverage(game)
    rest = next(at for at, action in enumerate(game.actions) if action.name == "rest")
    position = subject.code.layout.decode(subject.code.start)
    awake, tired = ({**position, "tired": [count], "stage": [1]} for count in (0, 3))
    assert len(lines.run(tired, rest, ())) == len(lines.run(awake, rest, ())) + 1
    assert set(lines.run(awake, rest, ())) < set(lines.keys)
