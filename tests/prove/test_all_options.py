"""Proofs for every choice of the set-up."""

import json

import pytest
from click.testing import CliRunner

from pilgrim_rules.cli.main import cli

RULES = """\
game small
    players 1..1 named ann

option level
    choice low "a low wall" default
    choice high "a high wall"

option colour
    choice red "a red wall" default
    choice blue "a blue wall"

param top : 2..3 = 3 if level == high else 2

stages
    climbing by ann
    over nobody

state
    height : 0..3 = 0

action climb
    during climbing
    do
        height = the (height + 1)
        if height == top: stage = over

invariant low_enough: height <= 2
"""


@pytest.fixture
def prove(tmp_path, monkeypatch):
    """Return a function that proves the small game, and gives the verdict of its invariant for each choice."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.rules").write_text(RULES)

    def run(*words):
        told = CliRunner().invoke(cli, ["prove", "small.rules", "--no-confirm", "--format", "json", "-j", "1", *words])
        found = {}
        for report in json.loads(told.stdout)["reports"]:
            verdicts = {each["verdict"] for each in report["records"] if "low_enough" in each["name"]}
            found[tuple(report["options"].values())] = verdicts
        return found

    return run


def test_every_combination_of_choices_is_proved_by_itself(prove):
    found = prove("--all-options")

    assert {("low", "red"), ("low", "blue"), ("high", "red"), ("high", "blue")} == found.keys()
    assert {"proved"} == found["low", "red"] == found["low", "blue"]
    assert "refuted" in found["high", "red"] & found["high", "blue"]


def test_what_is_chosen_stays_chosen(prove):
    assert {("high", "red"), ("high", "blue")} == prove("--all-options", "--option", "level=high").keys()


def test_without_being_asked_only_the_chosen_ones_are_proved(prove):
    assert {("low", "red")} == prove().keys()
