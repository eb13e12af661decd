"""World Without End: what the rulebook says, its worked examples, its rulings, and play to the end."""

import pytest

from pilgrim_rules import load
from pilgrim_rules.api.trace import Record
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.examples import CompiledReadings, run_example
from pilgrim_rules.inputs.clauses.citations import check_waivers
from pilgrim_rules.inputs.clauses.clause_coverage import coverage
from pilgrim_rules.language import find_game
from pilgrim_rules.language.load import load_rules
from pilgrim_rules.semantics.chance import below, seeded
from tests.support.proved_instances import other_players

PLAYS = find_game.shipped() / "world_without_end" / find_game.PLAYS
SILENT = "Changes nothing"  #: what a ruling says that no rule reads


@pytest.fixture(scope="module")
def loaded():
    return load_rules("world_without_end", players=4)


def options():
    """Return every option of every ruling that a rule reads, but for our own answers."""
    for ruling in load_rules("world_without_end", players=4).game.rulings:
        if SILENT not in ruling.note.doc:
            yield from ((ruling.name, option) for option, _ in ruling.options if option != ruling.default)


def played(game, seed):
    """Return the end of a random game."""
    final, generator = game.start(seed=seed), seeded(seed)
    while not final.over:
        at, generator = below(generator, len(final.moves()))
        final = final.play(final.moves()[at])
    return final


def test_every_clause_is_traced_or_waived(loaded):
    found = coverage(loaded.game, loaded.inventory)

    assert (352, ()) == (found.whole.total, found.whole.open)


def test_no_waiver_is_needless(loaded):
    bag = Bag()
    check_waivers(loaded.game, loaded.inventory, bag)

    assert [] == list(bag)


def test_every_gap_is_one_ruling_or_option_with_as_many_choices(loaded):
    by_gap = {}
    for ruling in loaded.game.decisions:
        for clause in ruling.note.clauses:
            if clause.startswith("GAP-"):
                assert clause not in by_gap
                by_gap[clause] = ruling

    assert {gap.id for gap in loaded.inventory.gaps} == set(by_gap)
    assert 119 == len(by_gap)
    assert [] == [
        gap.id
        for gap in loaded.inventory.gaps
        if len(by_gap[gap.id].options) + len(by_gap[gap.id].refused) < len(gap.options)
    ]


def test_answers_that_other_rules_exclude_are_refused_with_the_reason(loaded):
    refused = {each.name: why for each in loaded.game.rulings for _, _, why in each.refused}

    assert {"cards_a_round", "deck_size", "mixed_piles", "choice_short"} == refused.keys()
    assert all(refused.values())


def test_every_ruling_says_what_is_at_stake(loaded):
    assert [] == [each.name for each in loaded.game.decisions if not each.note.doc]


def test_every_invariant_is_cited(loaded):
    found = coverage(loaded.game, loaded.inventory)

    assert [] == [each for part in found.lists for each in part.open if each.startswith("INV-")]


def test_one_gap_is_an_option_of_the_set_up_and_two_share_a_ruling(loaded):
    asked = {each.name: [gap for gap in each.note.clauses if gap.startswith("GAP-")] for each in loaded.game.decisions}

    assert 117 == len(loaded.game.rulings)
    assert ["GAP-CH1-CARDS"] == asked.pop("first_game")
    assert {"random_when": ["GAP-COURT-CHAOS", "GAP-WAR-CHAOS"]} == {
        name: gaps for name, gaps in asked.items() if len(gaps) != 1
    }


@pytest.mark.parametrize("players", other_players("world_without_end", [2, 3, 4]))
def test_the_worked_examples_come_out_as_written(players):
    readings = CompiledReadings.from_game(load_rules("world_without_end", players=players).game)
    worked = [each for each in readings.game.examples if any(clause.startswith("EX-") for clause in each.note.clauses)]

    assert worked
    assert {} == {each.name: told.wrong for each in worked if (told := run_example(readings, each)).wrong}


@pytest.mark.slow
def test_every_reading_comes_out_as_written():
    readings = CompiledReadings.from_game(load_rules("world_without_end", players=2).game)

    assert {} == {
        each.name: told.wrong for each in readings.game.examples if (told := run_example(readings, each)).wrong
    }


@pytest.mark.slow
@pytest.mark.parametrize(("ruling", "option"), list(options()))
def test_every_option_is_played_to_the_end(ruling, option):
    first_game = {"first_game": "introduction"} if ruling.startswith("intro_") else {}
    for players in (2, 4):
        game = load("world_without_end", players=players, rulings={ruling: option}, options=first_game)

        assert played(game, seed=players).over


@pytest.mark.covers("GAM-1", "GAM-2", "EOR-10", "END-1", "ACT-28", "ACT-31")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_play_ends_after_four_chapters_of_six_rounds(players):
    final = played(load("world_without_end", players=players), seed=players)

    assert (4, 6) == (final["chapter"], final["round"])
    assert 24 == sum(final["used"].values())
    assert {6} == set(final["ups"].values()) == set(final["downs"].values())


@pytest.mark.parametrize("play", sorted(PLAYS.glob("*.json")), ids=lambda path: path.stem)
def test_recorded_plays_come_out_as_recorded(play):
    record = Record.load(play)

    assert record.replay(load("world_without_end", players=record.instance["players"]), stale_ok=True).state.over
