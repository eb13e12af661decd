"""The values of constants: the staged function and the reference evaluator agree, on the expressions of random games."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice, product, takewhile
from random import Random

import pytest

from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.ir import BOOL, Binder, Bound, Constant, Expr, Fold, Lit, Lookup, Read, Require
from pilgrim_rules.core.walk import rebuild
from pilgrim_rules.language.check.staged import Stager
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.errors import Contradiction
from pilgrim_rules.semantics.evaluate import evaluate
from tests.support.core_builder import eq, number
from tests.support.random_games import random_game
from tests.support.vocabularies import LARGE

ASKED = 60  #: combinations of arguments of one expression


@pytest.mark.parametrize("seed", range(40))
def test_a_staged_expression_has_the_value_that_the_evaluator_gives(seed):
    game = random_game(seed, LARGE)
    random = Random(seed)
    tables = {each.name: _frozen(each, random) for each in game.variables}
    defs = tuple(replace(each, body=_constant(each.body)) for each in game.defs)
    fixed = replace(game, constants=(*game.constants, *tables.values()), defs=defs)
    declared = Declarations(fixed)
    stager = Stager(declared.constants, declared.defs)
    asked = [((), claim.formula) for claim in game.claims]
    asked += [(action.params, line.test) for action in game.actions for line in _first_requirements(action)]
    asked += [(each.params, each.body) for each in game.defs]
    assert asked
    for params, expr in asked:
        body = _constant(expr)
        names = tuple(param.name for param in params)
        run = stager.function(names, body)
        every = product(*(range(param.type.lo, param.type.hi + 1) for param in params))
        for codes in islice(every, ASKED):
            env = Environment(declared, {}, dict(zip(names, codes, strict=True)))
            assert _outcome(evaluate, body, env) == _outcome(run, codes)


@pytest.mark.parametrize(("wanted", "outcome"), [(1, 1), (5, Contradiction)])
def test_a_filter_that_has_no_value_everywhere_is_asked_as_far_as_the_evaluator_asks(wanted, outcome):
    """`some` ends at the first value that holds, though a later one could not be asked for."""
    three, four = number(0, 2), number(0, 3)
    table = Constant("tried", (three,), number(0, 9), (0, 1, 2), "param")
    x = Bound("x", four)
    where = eq(Lookup("tried", (x,), number(0, 9)), Lit(wanted, number(0, 9)))
    expr = Fold("some", (Binder("x", four),), where, Lit(1, BOOL), None, BOOL)
    run = Stager({"tried": table}, {}).function(("unused",), expr)
    for _ in range(2):  # the second time from memory
        if outcome is Contradiction:
            with pytest.raises(Contradiction, match="does not exist"):
                run((0,))
        else:
            assert outcome == run((0,))


def test_a_fold_over_nothing_has_one_row():
    """A law that does not hold is asked again with values in place of its names."""
    run = Stager({}, {}).function((), Fold("all", (), None, Lit(0, BOOL), None, BOOL))
    assert run(()) == 0


def test_a_binder_may_hide_a_name_that_says_where_it_goes():
    """`some h in after(h) where h == 2`: the first `h` of the relation is the one outside."""
    three = number(0, 2)
    after = Constant("after", (three, three), BOOL, (0, 1, 0, 0, 0, 1, 0, 0, 0), "graph")
    h, other = Bound("h", three), Binder("h", three, among=("after", (Bound("h", three),)))
    expr = Fold("some", (other,), eq(h, Lit(2, three)), Lit(1, BOOL), None, BOOL)
    run = Stager({"after": after}, {}).function(("h", "unused"), expr)
    assert [run((at, 0)) for at in range(3)] == [0, 1, 0]


def _first_requirements(action) -> list[Require]:
    """Return the requirements of an action that see no name but its parameters."""
    return list(takewhile(lambda line: isinstance(line, Require), action.guard))


def _outcome(ask, *args):
    try:
        return ask(*args)
    except Contradiction as problem:
        return problem.breach


def _frozen(variable, random) -> Constant:
    """Return a table that holds what a state might hold."""
    size = 1
    for each in variable.index:
        size *= each.size
    values = tuple(random.randint(variable.type.lo, min(variable.type.hi, variable.type.lo + 99)) for _ in range(size))
    return Constant(f"state {variable.name}", variable.index, variable.type, values, "param")


def _constant(expr: Expr) -> Expr:
    """Return the expression with a table in place of each variable of the state."""
    if isinstance(expr, Read):
        return Lookup(f"state {expr.variable}", tuple(map(_constant, expr.index)), expr.type)
    return rebuild(expr, _constant)
