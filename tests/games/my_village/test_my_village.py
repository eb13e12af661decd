"""My Village: what the rulebook says, its worked examples, and play to the end."""

import random
from pathlib import Path

import pytest

from pilgrim_rules import load
from pilgrim_rules.api.trace import Record, Trace
from pilgrim_rules.core.ir import Require
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.examples import CompiledReadings, run_example
from pilgrim_rules.inputs.clauses.citations import check_waivers
from pilgrim_rules.inputs.clauses.clause_coverage import coverage
from pilgrim_rules.language.load import load_rules
from pilgrim_rules.semantics.chance import below, seeded
from pilgrim_rules.sphinx_ext.model.samples import requirements
from tests.support.proved_instances import other_players
from verifier.play.boundaries import read_boundaries

SPEC = Path(__file__).parents[3] / "spec/my_village"


@pytest.fixture(scope="module")
def loaded():
    return load_rules("my_village", players=4)


def test_every_clause_is_traced_or_waived(loaded):
    found = coverage(loaded.game, loaded.inventory)

    assert (454, ()) == (found.whole.total, found.whole.open)


def test_no_waiver_is_needless(loaded):
    bag = Bag()
    check_waivers(loaded.game, loaded.inventory, bag)

    assert [] == list(bag)


@pytest.mark.parametrize("players", other_players("my_village", [2, 3, 4]))
def test_the_worked_examples_come_out_as_written(players):
    readings = CompiledReadings.from_game(load_rules("my_village", players=players).game)
    worked = [each for each in readings.game.examples if any(clause.startswith("EX-") for clause in each.note.clauses)]

    assert len(worked) > 20
    assert {} == {each.name: told.wrong for each in worked if (told := run_example(readings, each)).wrong}


@pytest.mark.slow
def test_every_reading_comes_out_as_written():
    readings = CompiledReadings.from_game(load_rules("my_village", players=2).game)

    assert {} == {
        each.name: told.wrong for each in readings.game.examples if (told := run_example(readings, each)).wrong
    }


def test_every_gap_is_a_ruling_of_its_own(loaded):
    asked = {clause: each.name for each in loaded.game.rulings for clause in each.note.clauses}

    assert {gap.id for gap in loaded.inventory.gaps} == set(asked)
    assert len(asked) == len(set(asked.values()))


@pytest.mark.slow
def test_every_option_can_be_played_to_the_end(loaded):
    """A game is played under every option of every ruling, one option at a time."""
    stuck = []
    for ruling in loaded.game.rulings:
        for option, _words in ruling.options[1:]:
            final, generator = load("my_village", players=3, rulings={ruling.name: option}).start(seed=7), seeded(7)
            while not final.over and final.moves():
                at, generator = below(generator, len(final.moves()))
                final = final.play(final.moves()[at])
            if not final.over:
                stuck.append((ruling.name, option))

    assert [] == stuck


def test_every_worked_example_of_the_rulebook_is_there(loaded):
    cited = {
        clause
        for players in (2, 3, 4)
        for each in load_rules("my_village", players=players).game.examples
        for clause in each.note.clauses
    }

    assert [] == [each.id for each in loaded.inventory.examples if each.id not in cited]


@pytest.mark.covers("END-3", "END-4", "END-5", "ACT-3", "ACT-4", "SCO-11")
@pytest.mark.parametrize(("players", "limit", "turns"), [(2, 9, 4), (3, 14, 3), (4, 18, 4)])
def test_random_play_ends_with_the_round_in_which_enough_have_died(players, limit, turns):
    final, generator = load("my_village", players=players).start(seed=players), seeded(players)
    while not final.over:
        at, generator = below(generator, len(final.moves()))
        final = final.play(final.moves()[at])

    assert limit <= final["dead"] < limit + turns
    assert turns - 1 == final["turns_done"]
    assert 1 == sum(score.parts["Hand"] for score in final.scores().values())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_play_uses_every_action(players):
    used = load("my_village", players=players).playouts(4000, seed=18).used

    assert [] == [name for name, times in used.items() if not times]


#: Lines of actions that no position refuses with by our readings, and why.
NEVER = {
    "travel.require.3": "proved: whoever goes on finds a card, three of E are enough (a_card_for_whoever_goes_on)",
}


def test_every_line_that_can_refuse_is_kept_with_a_position_in_which_it_does():
    """What a value defines, what a cost asks for and what chance draws are no lines of their own here."""
    game = load_rules("my_village", players=2).game
    kept = {each.line for each in read_boundaries(SPEC, 2)}
    lines = {
        line.key
        for action in game.actions
        if action.kind == "action"
        for line in action.guard
        if isinstance(line, Require) and line.defines is None and line.key in requirements(game, action)
    }

    assert set(NEVER) == {key for key in lines - kept if ".cost." not in key}


def test_every_choice_that_has_a_name_is_made_in_a_recorded_play():
    """Every card, good, villager, field and place that an action can be made with; the plays are plays of the rules as they are now."""
    core, rules = load_rules("my_village", players=2).game, load("my_village", players=2)
    named = {
        each.name: [(at, param.type) for at, param in enumerate(each.params) if param.type.kind == "enum"]
        for each in core.actions
    }
    left = {
        (name, at, label)
        for name, params in named.items()
        for at, type_ in params
        for label in type_.labels[type_.lo : type_.hi + 1]
    }
    for path in sorted((SPEC / "plays").glob("*-2.json")):
        trace = Trace.start(rules)
        trace.play(*(str(step.move) for step in Record.load(path).steps if step.by != "auto"))
        for step in trace.steps:
            name, _, rest = str(step.move).rstrip(")").partition("(")
            given = rest.split(", ")
            left -= {(name, at, given[at]) for at, _ in named[name]}

    assert set() == left


#: What two kinds of players do more often than others: one wants to use cards, the other to travel far.
OFTEN = dict.fromkeys(("build", "produce", "found_church", "call_monk", "found_council", "found_meeting", "reap"), 8)
OFTEN |= {"serve": 60, "travel": 60, "hold_meeting": 20, "graduate": 20, "open_office": 4, "invite": 4, "enrol": 4}
OFTEN |= dict.fromkeys(("stand_still", "skip_school", "forgo", "finish", "nudge"), 0.1)
KINDS = (OFTEN, OFTEN | {"serve": 1, "travel": 500, "invite": 1, "add_field": 8, "hold_council": 8})


@pytest.mark.slow
def test_play_uses_every_card(loaded):
    """Every card of each kind comes into a village, and every customer is served: play goes on until it has happened."""
    rules, cards = load("my_village", players=4), {"build": "Craft.good", "serve": "Customer.any"}
    cards |= {"found_church": "Church.time", "found_council": "Council.time", "call_monk": "Monk.gift"}
    rows = {each.name: each.index[0].labels for each in loaded.game.constants if each.name.count(".") == 1}
    left = {f"{action}({card})" for action, column in cards.items() for card in rows[column]} | set(rows["Trip.letter"])
    for seed in range(3000):
        state, choice = rules.start(seed=seed), random.Random(seed)
        while not state.over:
            by_action = {}
            for move in state.moves():
                by_action.setdefault(str(move).partition("(")[0], []).append(str(move))
            weights = [KINDS[seed % 2].get(name, 1) for name in by_action]
            move = choice.choice(by_action[choice.choices(list(by_action), weights)[0]])
            left.discard(move)
            state = state.play(move)
            left -= set(state["last_trip"].values())
        if not left:
            break

    assert set() == left
