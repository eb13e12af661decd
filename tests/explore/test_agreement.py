"""Generated code does what the evaluator does, on random states of random games."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pilgrim_rules.core import ir
from pilgrim_rules.core.ir import BOOL, Action, Binder, Bound, Checked, Cond, Fold, Read
from pilgrim_rules.semantics.errors import Contradiction
from tests.support.core_builder import HERE, lit, number, op, put
from tests.support.random_games import INT as ANY
from tests.support.random_games import random_game
from verifier.explore import reference_kernels
from verifier.explore.operators import OPERATORS
from verifier.explore.search_program import generate

CELL, SMALL = number(1, 3), number(-1, 4)


def random_positions(program, seed, count):
    """Well-typed positions, reachable or not; variables that never change keep their value."""
    random = np.random.default_rng(seed)
    start = program.reference.start()
    found = []
    for _ in range(count):
        position = dict(start)
        for name, cells in program.packing.cells.items():
            type_ = cells.variable.type
            position[name] = [int(code) for code in random.integers(type_.lo, type_.hi + 1, len(cells.words))]
        found.append(position)
    return found


def packed(program, positions):
    return np.array([program.packing.pack(each) for each in positions], dtype=np.int64).T.copy()


def made_by_kernel(program, kernel, states):
    """What a kernel does: the position after each move in each row, or None for a contradiction."""
    found = {}

    def out(move, rows, after, wrong):
        for at, row in enumerate(rows.tolist()):
            assert (row, move) not in found, "a move is made once"
            right = wrong is None or wrong[at] == 0
            found[row, move] = program.packing.unpack(after[:, at].tolist()) if right else None

    before = states.copy()
    kernel(states, np.arange(states.shape[1]), out)
    assert (before == states).all(), "a kernel leaves the states it is given alone"
    return found


def made_by_reference(program, moves, positions):
    found = {}
    reference, action = program.reference, moves.action
    for row, position in enumerate(positions):
        for args in reference.legal({**position, "stage": [action.stages[0]]}, action):
            weight = reference.weight(position, action, args)
            if weight == 0:
                continue
            try:
                after = reference.apply(position, action, args)
            except Contradiction:
                after = None
            found[row, moves.number(args)] = None if weight < 0 else after
    return found


@pytest.mark.parametrize("seed", range(20))
def test_kernels_and_checks_agree_with_the_evaluator(seed):
    game = random_game(seed)
    program = generate(game)
    positions = random_positions(program, seed, 24)
    states = packed(program, positions)
    for stage in (0, 1):
        for moves, kernel in program.by_stage[stage]:
            expected = made_by_reference(program, moves, positions)
            assert expected == made_by_kernel(program, kernel, states)
            by_evaluator = reference_kernels.kernel(program.module, program.reference, moves)
            # The evaluator asks for the stage itself.
            here = [row for row, each in enumerate(positions) if each["stage"][0] in moves.action.stages]
            known = {key: value for key, value in expected.items() if key[0] in here}
            assert known == made_by_kernel(program, by_evaluator, states)


@pytest.mark.parametrize("seed", range(20))
def test_claims_agree_with_the_evaluator(seed):
    game = random_game(seed)
    program = generate(game)
    before, after = (random_positions(program, seed + at, 24) for at in (0, 10**6))
    first, second = packed(program, before), packed(program, after)
    claims = {claim.name: claim for claim in game.claims}
    for check in (*program.of_states, *program.of_steps):
        found = np.broadcast_to(check.holds(first, second), 24).tolist()
        if check.kind == "terminates":
            again = reference_kernels.descent(program.module, program.reference, game.rankings[0].parts)
            assert again(first, second).tolist() == found
        else:
            claim = claims[check.name]
            expected = [program.reference.holds(claim, *pair) for pair in zip(before, after, strict=True)]
            assert expected == found


@pytest.mark.parametrize("seed", range(20))
def test_packing_and_unpacking_give_the_position_back(seed):
    game = random_game(seed)
    program = generate(game, check=False)
    for position in random_positions(program, seed, 5):
        assert position == program.packing.unpack(program.packing.pack(position))


def crafted(*values):
    """Games whose first action sets a variable to the value; a second one only makes `row` part of what changes."""
    for value in values:
        first = Action("first", "action", (), (0,), (), (put("a", (), value),))
        second = Action("second", "action", (), (0,), (), (put("row", (lit(CELL, 1),), lit(SMALL, 0)),))
        yield replace(random_game(0), actions=(first, second), claims=(), rankings=(), defs=())


def test_what_the_evaluator_does_not_ask_contradicts_nothing():
    """Quantifiers stop at the first answer, a default is asked only if there is nothing else, and so on."""
    cell, small = Bound("c", CELL), Read("a", (), SMALL)
    too_much = Checked(op("+", Read("row", (cell,), SMALL), lit(ANY, 3), type_=ANY), SMALL, span=HERE)
    some_cell = Checked(op("*", small, lit(ANY, 2), type_=ANY), SMALL, span=HERE)
    low = op("<", Read("row", (cell,), SMALL), lit(SMALL, 2))
    asks = op(">", too_much, lit(SMALL, 3))

    def quantified(kind, body, where=None, **binder):
        test = Fold(kind, (Binder("c", CELL, **binder),), where, body, None, BOOL)
        return Cond(test, lit(SMALL, 1), lit(SMALL, 0), SMALL)

    games = crafted(
        quantified("all", asks),
        quantified("some", asks),
        quantified("all", asks, descending=True),
        quantified("some", asks, start=lit(CELL, 2)),
        quantified("all", asks, op(">", Read("row", (cell,), SMALL), lit(SMALL, 0))),
        quantified("some", low, asks),
        Fold("max", (Binder("c", CELL),), low, Read("row", (cell,), SMALL), some_cell, SMALL),
        Fold("min", (Binder("c", CELL),), op("!=", cell, cell), lit(SMALL, 2), some_cell, SMALL),
        Cond(op("<", small, lit(SMALL, 2)), some_cell, small, SMALL),
        Cond(op("or", op("<", small, lit(SMALL, 3)), op("<", some_cell, small)), small, lit(SMALL, 0), SMALL),
        Cond(op("implies", op("<", small, lit(SMALL, 3)), op("<", some_cell, small)), small, lit(SMALL, 0), SMALL),
    )
    for number_, game in enumerate(games):
        program = generate(game)
        positions = random_positions(program, number_, 120)
        moves, kernel = program.by_stage[0][0]
        expected = made_by_reference(program, moves, positions)
        assert {None} < {None if each is None else 1 for each in expected.values()}, (
            f"{number_}: some contradict, some do not"
        )
        assert expected == made_by_kernel(program, kernel, packed(program, positions)), number_


def test_every_operator_of_the_core_has_code():
    assert ir.OPERATORS == OPERATORS.keys()


def test_generated_text_has_no_name_of_the_game():
    for seed in range(10):
        text = generate(random_game(seed)).module.text.replace("rows", "")
        for name in ("row", "grid", "mark", "def 0", "first", "playing", "near"):
            assert name not in text


@pytest.mark.slow
def test_kernels_agree_with_the_evaluator_at_length():
    for seed in range(1000, 2000):
        program = generate(random_game(seed))
        positions = random_positions(program, seed, 24)
        states = packed(program, positions)
        for moves, kernel in (*program.by_stage[0], *program.by_stage[1]):
            assert made_by_reference(program, moves, positions) == made_by_kernel(program, kernel, states), seed
