"""Rulings: every option of every ruling can be loaded and played; those that no rule reads say why."""

import json
from pathlib import Path

import pytest

import pilgrim_rules as pr
from pilgrim_rules.loading import load_rules
from tests.games.pilgrim.directed import directed, play
from tests.games.pilgrim.test_play import ends_well

RULINGS = load_rules("pilgrim", players=3).game.rulings
OTHERS = [(ruling.name, option) for ruling in RULINGS for option, _ in ruling.options if option != ruling.default]
#: Options that are tried in every run; the others in long ones.
QUICK = {("customs_reach", "one_tile"), ("alms_bonus_order", "all_at_once"), ("site_unpaid", "paid_later")}
FINDINGS = Path(__file__).parents[3] / "docs" / "games" / "pilgrim" / "findings"


def option(ruling, name):
    """Return an option as a parameter."""
    marks = () if (ruling, name) in QUICK else pytest.mark.slow
    return pytest.param(ruling, name, id=f"{ruling} = {name}", marks=marks)


@pytest.mark.parametrize(("ruling", "name"), [option(*each) for each in OTHERS])
def test_every_option_is_played_to_the_end(ruling, name):
    game = pr.load("pilgrim", players=3, rulings={ruling: name})

    assert name == dict(game.instance["rulings"])[ruling]
    for seed in range(2):
        assert ends_well(play(game, seed)[-1])
        assert ends_well([after for _, after, _ in directed(game, seed)][-1])


@pytest.fixture(scope="module")
def measured():
    found = json.loads((FINDINGS / "measured.json").read_text("utf-8"))["rulings"]
    return {each["name"]: each for each in found}


def test_every_ruling_was_measured(measured):
    assert {each.name for each in RULINGS} == set(measured)
    assert OTHERS == [(name, option) for name, each in measured.items() for option in each["options"]]


def test_a_ruling_says_that_it_changes_nothing_exactly_if_no_rule_reads_it(measured):
    silent = {
        each.name
        for each in RULINGS
        if any(words in each.note.doc for words in ("Changes nothing", "Not played otherwise"))
    }

    assert {name for name, each in measured.items() if not each["read"]} == silent
