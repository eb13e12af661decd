"""`summary` lines: what an author says of an action for people."""

from __future__ import annotations

from pathlib import Path

import pytest

import pilgrim_rules
from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.language.syntax.format import format_source

GAME = """\
game walk
    players 2..2 named ann, ben

stages
    walking by turn

state
    turn : Player = ann
    at   : 0..9 = 0

action step
{summary}    require at < 9 else "the way ends"
    do at += 1
"""
SUMMARY = """\
    summary "Go on by one,"
    summary "as long as there is a way."
"""


def load(folder: Path, summary: str = SUMMARY) -> pilgrim_rules.Game:
    path = folder / "walk.rules"
    path.write_text(GAME.format(summary=summary), "utf-8")
    return pilgrim_rules.load(path)


def test_a_summary_is_kept_line_by_line(tmp_path: Path) -> None:
    assert ["Go on by one,", "as long as there is a way."] == [
        line.text for line in load(tmp_path).core.actions[0].summary
    ]


def test_a_summary_changes_nothing_that_evidence_rests_on(tmp_path: Path) -> None:
    told, silent = (Fingerprints(load(tmp_path, text).core).named() for text in (SUMMARY, ""))

    assert told == silent


def test_a_summary_stays_where_it_is_formatted() -> None:
    text = GAME.format(summary=SUMMARY)

    assert text == format_source(text, "walk.rules")


def test_a_clause_that_does_not_exist_cannot_be_summed_up(tmp_path: Path) -> None:
    (tmp_path / "clauses.toml").write_text(
        '[[clause]]\nid = "WLK-1"\nsection = "Way"\nkind = "guard"\ntext = "The way ends."\npage = "1"\n', "utf-8"
    )
    path = tmp_path / "walk.rules"
    text = GAME.format(summary='    summary "Go on."  cites WLK-9\n').replace(
        "named ann, ben\n", 'named ann, ben\n    clauses "clauses.toml"\n'
    )
    path.write_text(text, "utf-8")

    with pytest.raises(pilgrim_rules.RulesError, match="WLK-9"):
        pilgrim_rules.load(path)


SHARED = """\
game walk
    players 2..2 named ann, ben

stages
    walking by turn

state
    turn : Player = ann
    at   : 0..9 = 0

effect go(n: 1..3)
    summary "Time goes by."
    at = min(9, at + n)

effect run()
    go(3)

action step
    summary "Go on by one."
    do go(1)

action jump
    summary "Go on by three."
    summary "Time goes by."
    do run()

action stand
    do go(1)
"""


def test_what_an_effect_says_is_said_once_of_every_action_that_runs_it_and_has_a_summary(tmp_path: Path) -> None:
    path = tmp_path / "walk.rules"
    path.write_text(SHARED, "utf-8")

    told = {action.name: [line.text for line in action.summary] for action in pilgrim_rules.load(path).core.actions}

    assert told == {
        "step": ["Go on by one.", "Time goes by."],
        "jump": ["Go on by three.", "Time goes by."],
        "stand": [],
    }


def test_a_summary_of_an_effect_stays_where_it_is_formatted() -> None:
    assert format_source(SHARED, "walk.rules") == SHARED
