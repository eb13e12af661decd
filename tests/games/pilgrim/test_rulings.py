"""Rulings: every option of every ruling can be loaded and played, or is refused; those that no rule reads say why."""

import json
from pathlib import Path

import pytest

import pilgrim_rules as pr
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.language.load import load_rules
from tests.games.pilgrim.directed import directed, play
from tests.games.pilgrim.test_play import ends_well

ALL = load_rules("pilgrim", players=3).game.rulings
#: Those that a game of several players can ask; the others are about one player alone.
RULINGS = [each for each in ALL if not all(clause.startswith(("SOL-", "DE-SOLO-")) for clause in each.note.clauses)]
ALONE = [each for each in ALL if each not in RULINGS]
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


@pytest.mark.parametrize(
    ("ruling", "name"),
    [
        option(each.name, name)
        if each.name != "open_trail"
        else pytest.param(each.name, name, id=f"{each.name} = {name}")
        for each in ALONE
        for name, _ in each.options
        if name != each.default
    ],
)
def test_every_option_of_the_solo_game_is_played_to_the_end(ruling, name):
    game = pr.load("pilgrim", players=1, rulings={ruling: name})

    assert all(ends_well(play(game, seed)[-1]) for seed in range(2))


@pytest.fixture(scope="module")
def measured():
    found, alone = json.loads((FINDINGS / "measured.json").read_text("utf-8"))["rulings"], {each.name for each in ALONE}
    return {each["name"]: each for each in found if each["name"] not in alone}


def test_every_ruling_was_measured(measured):
    assert {each.name for each in RULINGS if len(each.options) > 1} == set(measured)
    assert OTHERS == [(name, option) for name, each in measured.items() for option in each["options"]]


def test_a_ruling_says_that_it_changes_nothing_exactly_if_no_rule_reads_it(measured):
    silent = {each.name for each in RULINGS if "Changes nothing" in each.note.doc}

    assert {name for name, each in measured.items() if not each["read"]} == silent


def test_an_answer_that_contradicts_other_rules_is_refused_with_the_reason():
    refused = {each.name: name for each in ALL for name, _, _ in each.refused}

    assert {"road_kinds", "shared_tile", "own_merge", "city_edges", "upgrade_need", "upgrade_whose", "upgrade_less"} | {
        "fee_order",
        "bank_rate",
        "sites_for_few",
        "sowing_way",
        "return_counts",
    } == refused.keys()
    with pytest.raises(RulesError, match="branches are forbidden"):
        load_rules("pilgrim", players=2, rulings={"own_merge": "joined_paths"})
