"""Findings: what was measured is about the rules of today, and every finding can be seen."""

import json
from pathlib import Path

import pytest

import pilgrim_rules as pr
from pilgrim_rules.language.load import load_rules
from pilgrim_rules.sphinx_ext.lists.swings import largest
from tests.games.pilgrim.conftest import load
from verifier.rulings import measured_store
from verifier.rulings.outcomes import OUTCOMES

FOLDER = Path(__file__).parents[3] / "docs" / "games" / "pilgrim" / "findings"
PAGE = FOLDER.parent / "findings.rst"


@pytest.fixture(scope="module")
def measured():
    return measured_store.read(FOLDER)


@pytest.fixture(scope="module")
def game(measured):
    return load(measured["game"]["players"])


def test_what_was_measured_says_with_which_rules(measured, game):
    """The page compares this with the rules of today; `pilgrim readings` says how to measure again."""
    assert len(measured_store.play_fingerprint_of(game.core)) == len(measured["rules"])
    assert (3, 0) == (measured["game"]["players"], measured["seed"])
    assert measured["games"] >= 100


def test_every_record_replays_to_where_the_readings_part(measured, game):
    for each in measured["rulings"]:
        if each["record"]:
            trace = pr.Trace.load(FOLDER / each["record"]).replay(game, stale_ok=True)
            decided = [step for step in trace.steps if step.by != "auto"]

            assert each["first"]["moves"] == len(decided), each["name"]
            assert set(each["first"]["here"]) <= set(map(str, trace.state.moves())), each["name"]
            assert set(map(str, trace.state.moves())).isdisjoint(each["first"]["there"]), each["name"]


def test_no_record_is_left_over(measured):
    assert {each["record"] for each in measured["rulings"] if each["record"]} | {measured_store.MEASURED, OUTCOMES} == {
        path.name for path in FOLDER.iterdir()
    }


def test_rulings_are_announced_whose_effect_is_no_chance():
    data = json.loads((FOLDER / OUTCOMES).read_text("utf-8"))
    shown = largest(data, 5)

    assert data["games"] >= 1000
    assert "alms_zero" in {each["ruling"] for each in shown}
    assert all(abs(each["swing"][0]) > each["swing"][1] for each in shown)


def test_every_other_answer_about_the_game_alone_is_measured_but_those_on_campaigns():
    data = json.loads((FOLDER.parent / "findings_alone" / OUTCOMES).read_text("utf-8"))
    found = {(each["ruling"], each["option"]) for each in data["options"]}
    alone = load_rules("pilgrim", players=1).game.rulings
    others = {
        (ruling.name, option)
        for ruling in alone
        if all(clause.startswith(("SOL-", "DE-SOLO-")) for clause in ruling.note.clauses)
        for option, _ in ruling.options
        if option != ruling.default
    }

    assert (1, 300) == (data["game"]["players"], data["games"])
    assert {("campaign_loss", "ends_it"), ("campaign_tie", "one_point")} == others - found
    assert 5 == len(largest(data, 5))


def test_every_other_answer_that_a_rule_reads_is_measured(measured):
    found = {(each["ruling"], each["option"]) for each in json.loads((FOLDER / OUTCOMES).read_text("utf-8"))["options"]}
    alone = {
        each["ruling"]
        for each in json.loads((FOLDER.parent / "findings_alone" / OUTCOMES).read_text("utf-8"))["options"]
    }

    assert [] == [
        (each["name"], option)
        for each in measured["rulings"]
        if each["read"] and each["name"] not in alone
        for option in each["options"]
        if (each["name"], option) not in found
    ]


def test_what_bites_has_a_record_and_what_does_not_has_none(measured):
    assert [] == [each["name"] for each in measured["rulings"] if bool(each["bites"]) != bool(each["record"])]
    assert all(0 < each["bites"] <= measured["games"] for each in measured["rulings"] if each["record"])


def test_every_ruling_that_a_rule_reads_has_a_record_or_an_example(measured):
    shown = {
        clause
        for players in (2, 3, 4)
        for each in load_rules("pilgrim", players=players).game.examples
        for clause in each.note.clauses
    }
    rulings = {each.name: set(each.note.clauses) for each in load_rules("pilgrim", players=4).game.rulings}

    assert [] == [
        each["name"]
        for each in measured["rulings"]
        if each["read"] and not each["record"] and not shown & rulings[each["name"]]
    ]


@pytest.mark.covers("EX-SCORE-1")
def test_the_page_has_both_computations_of_the_contradicting_example():
    text = PAGE.read_text("utf-8")

    assert "trail_of_red" in text
    assert {"23", "24"} <= set(text.split())
