"""Recorded plays show what random play does not, and a line that is idle at one table may matter at another."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

import pilgrim_rules as pr
from pilgrim_rules.evidence.record import Verdict
from pilgrim_rules.language.load import read_game
from pilgrim_rules.semantics.errors import BadTrace
from verifier.prove.companions import companions_of
from verifier.prove.run import Report, verify

#: The lock opens only for one long combination, which random play does not guess.
RULES = """
    game lock
        players 2..4 named red, blue, green, white

    stages
        dialling by turn
        over nobody

    state
        turn   : Player
        opened : 0..14
        tries  : 0..90
        last   : 0..999

    action dial(n: 1..9)
        during dialling
        require tries < 90
        do
            tries = tries + 1
            last = last mod 100 * 10 + n
            if n == 1 + opened * 5 mod 9: opened = opened + 1
            else: opened = 0
            if opened == 14: stage = over

    action give_up
        during dialling
        require tries > 0 and players > 2
            else "two never give up"
        do
            stage = over

    action lose
        during dialling
        require tries == 90
        do
            stage = over

    reachable an_open_lock: opened == 14
"""


def combination(length: int = 14) -> list[str]:
    return [f"dial({1 + at * 5 % 9})" for at in range(length)]


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    folder = tmp_path / "lock"
    folder.mkdir()
    (folder / "lock.rules").write_text(dedent(RULES), "utf-8")
    return folder


def record(folder: Path, moves: list[str], players: int = 3) -> None:
    trace = pr.Trace.start(pr.load(folder, players=players))
    for move in moves:
        trace.play(move)
    (folder / "plays").mkdir(exist_ok=True)
    (folder / "plays" / f"open-{players}.json").write_text(trace.to_json(), "utf-8")


def proved(folder: Path, name: str = "reachable.*", players: int = 3) -> Report:
    game = read_game(folder, players=players)
    beside = companions_of(folder, game)
    return verify(game, jobs=1, cache=False, confirm=False, longer_play=20_000, beside=beside, names=(name,))


def of(report: Report, name: str):
    return next(each for each in report.records if each.name == f"lock.{name}")


def test_without_a_recorded_play_nobody_opens_the_lock(lock):
    assert Verdict.NOT_SETTLED is of(proved(lock), "reachable.an_open_lock").verdict


def test_a_recorded_play_is_made_again_and_shows_it(lock):
    record(lock, combination())

    found = of(proved(lock), "reachable.an_open_lock")

    assert (Verdict.PROVED, "recorded play") == (found.verdict, found.method)
    assert tuple(combination()) == found.play


def test_a_play_for_another_number_of_players_shows_nothing(lock):
    record(lock, combination(), players=4)

    assert Verdict.NOT_SETTLED is of(proved(lock), "reachable.an_open_lock").verdict


def test_a_play_that_the_rules_no_longer_allow_is_told_of(lock):
    record(lock, combination())
    (lock / "lock.rules").write_text(dedent(RULES).replace("tries < 90", "tries < 90 and n != 8"), "utf-8")

    found = of(proved(lock), "reachable.an_open_lock")

    assert Verdict.NOT_SETTLED is found.verdict
    assert "the recorded play `open-3.json` stops at move 6: `dial(8)` is not legal there" in found.reason


def test_a_file_that_is_no_play_is_refused(lock):
    record(lock, combination())
    (lock / "plays" / "other.json").write_text("{", "utf-8")

    with pytest.raises(BadTrace, match="not JSON"):
        proved(lock)


def test_an_action_that_happens_at_other_tables_only_is_proved_within_that_limit(lock):
    report = proved(lock, "can_happen/give_up", players=2)
    found = of(report, "can_happen/give_up")

    assert Verdict.LIMITED is found.verdict
    assert "3 players" == found.bounds[0]
    assert found.bounds[1].startswith("never with 2 players: ")


def test_an_action_that_happens_at_no_table_is_vacuous(lock):
    (lock / "lock.rules").write_text(dedent(RULES).replace("players > 2", "players > 4"), "utf-8")

    assert Verdict.VACUOUS is of(proved(lock, "can_happen/give_up", players=2), "can_happen/give_up").verdict
