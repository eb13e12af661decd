"""The games that every model checker is measured with, as core games built by hand."""

from __future__ import annotations

from pilgrim_rules.core.ir import Action, Claim, Fold, Game, Parameter, Stage
from tests.support.core_builder import Binder, Bound, Read, enum, eq, game, lit, num, number, op, put, require, var

ONE_STAGE = enum("Stage", "playing")
ALONE = enum("Player", "solo")
THREE = enum("Player", "red", "blue", "green")
WHICH = number(0, 4)


def counters(top: int = 15) -> Game:
    """Five counters from 0 to `top`; each step moves one of them by one."""
    value = number(0, top)
    at = (Bound("i", WHICH),)

    def move(name, sign, limit):
        here = Read("value", at, value)
        inside = require(op("!=", here, lit(value, limit)), f"{name}.1")
        param = (Parameter("i", WHICH),)
        return Action(name, "action", param, (0,), (inside,), (put("value", at, lit(value, sign), "add", f"{name}.2"),))

    return game(
        "counters", ALONE, ONE_STAGE,
        stages=(Stage(0, "playing", "player", lit(ALONE, 0)),),
        variables=(
            var("stage", ONE_STAGE, lit(ONE_STAGE, 0)),
            var("value", value, lit(value, 0), WHICH),
        ),
        actions=(move("up", 1, top), move("down", -1, 0)),
    )  # fmt: skip


def bank(tokens: int = 120) -> Game:
    """Three players take from a bank, pay back, give to each other or pass, in turn."""
    heap = number(0, tokens)
    turn = Read("turn", (), THREE)
    held = Read("hand", (turn,), heap)
    rest = Read("bank", (), heap)
    following = put("turn", (), op("mod", num("+", turn, lit(THREE, 1)), lit(number(3, 3), 3), type_=THREE))

    def action(name, params, guard, *effects):
        lines = tuple(require(test, f"{name}.{at}") for at, test in enumerate(guard))
        return Action(name, "action", params, (0,), lines, (*effects, following))

    count, to = Bound("n", number(1, 2)), Bound("to", THREE)
    minus = num("-", lit(heap, 0), count)
    total = num(
        "+", rest, Fold("sum", (Binder("p", THREE),), None, Read("hand", (Bound("p", THREE),), heap), None, heap)
    )
    return game(
        "bank", THREE, ONE_STAGE,
        stages=(Stage(0, "playing", "player", turn),),
        variables=(
            var("stage", ONE_STAGE, lit(ONE_STAGE, 0)),
            var("bank", heap, lit(heap, tokens)),
            var("hand", heap, lit(heap, 0), THREE),
            var("turn", THREE, lit(THREE, 0)),
        ),
        actions=(
            action("take", (Parameter("n", number(1, 2)),), [op(">=", rest, count)],
                   put("bank", (), minus, "add"), put("hand", (turn,), count, "add")),
            action("pay", (), [op(">=", held, lit(heap, 1))],
                   put("hand", (turn,), lit(number(-1, 0), -1), "add"), put("bank", (), lit(heap, 1), "add")),
            action("give", (Parameter("to", THREE),), [op("!=", to, turn), op(">=", held, lit(heap, 1))],
                   put("hand", (turn,), lit(number(-1, 0), -1), "add"), put("hand", (to,), lit(heap, 1), "add")),
            action("pass", (), []),
        ),
        claims=(Claim("all_tokens", "conserved", eq(total, lit(heap, tokens))),),
    )  # fmt: skip
