"""What is left of an expression with unknown cells keeps its value inside its bounds, and does not look at them."""

from random import Random

import pytest

import pilgrim_rules as pr
from pilgrim_rules.language import find_game
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.errors import Contradiction
from pilgrim_rules.semantics.evaluate import evaluate
from pilgrim_rules.semantics.partial import Known, Residual, conjuncts, partial

SHARES = (0.02, 0.2, 1.0)  #: of the cells that are unknown


@pytest.mark.parametrize("name", find_game.names())
def test_what_is_left_holds_the_value(name):
    """Of claims and score lines, in positions of a random game, whatever cells are unknown."""
    game, random = pr.load(name), Random(name)
    asked = [claim.formula for claim in game.core.claims if claim.kind in ("invariant", "conserved")]
    state = game.start(1)
    for step in range(40):
        position = game.layout.decode(state.data)
        cells = [(each, at) for each, codes in position.items() for at in range(len(codes))]
        unknown = [cell for cell in cells if random.random() < SHARES[step % len(SHARES)]]
        numbers = {cell: number for number, cell in enumerate(unknown)}
        types = game.declared.variables
        exact = [(position[each][at],) * 2 for each, at in unknown]
        wide = [
            (
                random.randint(types[each].type.lo, code),
                random.randint(code, max(code, min(types[each].type.hi, code + 9))),
            )
            for (each, at), (code, _) in zip(unknown, exact, strict=True)
        ]
        hidden = {each: list(codes) for each, codes in position.items()}
        for each, at in unknown:
            hidden[each][at] = types[each].type.lo
        known = Known(game.declared, hidden, numbers, {})
        for expr in random.sample(asked, min(6, len(asked))):
            value = evaluate(expr, Environment(game.declared, position, {}))
            left = partial(expr, known)
            for bounds in (exact, wide):
                low, high = left.within(bounds) if isinstance(left, Residual) else (left, left)
                assert low <= value <= high
                for part in conjuncts(expr, known):  # all claims hold here, so each part does
                    assert (part.within(bounds)[1] if isinstance(part, Residual) else part) == 1
        if state.to_move is None:
            break
        state = state.play(str(random.choice(state.moves())))


DICE = """\
game dice
    players 2..2 named ann, ben
stages
    playing by turn
    over nobody
state
    turn      : Player = ann
    a, b, c   : 0..5 = 2
    pips[1..3] : 0..5 = 1
def total() -> 0..10 = a + b
def at(n: 1..3) -> 0..5 = pips[n]
invariant sums: total() == 4
invariant all_pips: (sum of pips[n] for n in 1..3) <= 15
invariant largest: (max of pips[n] for n in 1..3) <= 5
invariant apart: c > 0 implies 10 div c >= 2
action stop
    do stage = over
"""


@pytest.fixture(scope="module")
def dice(tmp_path_factory):
    path = tmp_path_factory.mktemp("dice") / "dice.rules"
    path.write_text(DICE)
    return pr.load(path)


def left_of(dice, name, *unknown):
    (claim,) = [each for each in dice.core.claims if each.name == name]
    position = dice.layout.decode(dice.start().data)
    return partial(claim.formula, Known(dice.declared, position, {cell: at for at, cell in enumerate(unknown)}, {}))


def test_what_is_known_is_worked_out(dice):
    assert 1 == left_of(dice, "sums")
    assert 1 == left_of(dice, "all_pips", ("a", 0))


def test_what_is_left_tells_what_is_possible(dice):
    left = left_of(dice, "sums", ("a", 0))

    assert frozenset({0}) == left.cells
    assert [(0, 0), (0, 0), (1, 1), (0, 0)] == [left.within([(code, code)]) for code in range(4)]
    assert (0, 1) == left.within([(0, 5)])
    assert (0, 0) == left.within([(3, 5)])


def test_a_part_that_has_no_value_may_never_be_reached(dice):
    left = left_of(dice, "apart", ("c", 0))

    assert (1, 1) == left.within([(0, 0)])


def test_a_contradiction_is_not_hidden_from_who_evaluates(dice):
    """Only `partial` widens: the reference evaluator still refuses."""
    (claim,) = [each for each in dice.core.claims if each.name == "apart"]
    position = {**dice.layout.decode(dice.start().data), "c": [0]}

    assert 1 == evaluate(claim.formula, Environment(dice.declared, position, {}))
    with pytest.raises((Contradiction, ZeroDivisionError)):
        evaluate(claim.formula.args[1], Environment(dice.declared, position, {}))
