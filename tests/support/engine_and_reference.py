"""Run a piece of core language in both back ends, the evaluator and compiled code, and see that they agree."""

from __future__ import annotations

from pilgrim_rules.core.ir import Action, Def, Expr, Parameter, Stage, Stmt
from pilgrim_rules.engine.python.compile import Compiled, source
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.errors import Breach, Contradiction
from pilgrim_rules.semantics.evaluate import evaluate
from tests.support.core_builder import enum, game, lit, number, var

PLAYER = enum("Player", "red", "blue", "green", "white")
STAGE = enum("Stage", "on")
DIGIT = number(0, 9)
INT = number(-1000, 1000)


def small_game(variables=(), constants=(), defs=(), body=(), guard=(), claims=(), params=()):
    return game(
        "small",
        PLAYER,
        STAGE,
        stages=(Stage(0, "on", "player", lit(PLAYER, "red")),),
        variables=(var("stage", STAGE, lit(STAGE, "on")), *variables),
        constants=constants,
        defs=defs,
        actions=(Action("act", "action", params, (0,), guard, body),),
        claims=claims,
    )


def value(expr: Expr, variables=(), constants=(), defs=(), **names: int) -> int:
    """Return the value of an expression at the start of a game with these declarations."""
    params = tuple(Parameter(name, INT) for name in names)
    core = small_game(variables, constants, (*defs, Def("it", params, expr)))
    code = Compiled(core, source(core))
    reference = code.reference
    expected = evaluate(expr, Environment(reference.declared, reference.start(), names))
    assert expected == code.value("it", code.start, *names.values())
    return expected


def run(body: tuple[Stmt, ...], variables, constants=(), guard=()) -> dict[str, list[int]] | Breach:
    """Return the position after statements, or what is wrong with them."""
    core = small_game(variables, constants, body=body, guard=guard)
    code = Compiled(core, source(core))
    try:
        expected: dict[str, list[int]] | Breach = code.reference.apply(code.reference.start(), core.actions[0], ())
    except Contradiction as problem:
        expected = problem.breach
    try:
        found: dict[str, list[int]] | Breach = code.layout.decode(code.apply(code.start, "act", ()))
    except Contradiction as problem:
        found = problem.breach
    assert expected == found
    return found
