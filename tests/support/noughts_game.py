"""Noughts and crosses as a core game, built by hand."""

from __future__ import annotations

from pilgrim_rules.core.ir import Action, Call, Claim, Def, Game, Key, Parameter, ScoreLine, ScoreSheet, Stage
from tests.support.core_builder import (
    BOOL,
    Binder,
    Bound,
    Cond,
    Lookup,
    Pick,
    Read,
    enum,
    eq,
    every,
    game,
    lit,
    maybe,
    none,
    num,
    number,
    op,
    put,
    require,
    some,
    table,
    var,
)

PLAYER = enum("Player", "cross", "nought")
MARK = maybe(PLAYER)
STAGE = enum("Stage", "placing", "over")
CELL = enum("Cell", "a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
LINE = number(1, 8)
SPOT = number(1, 3)
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def noughts_and_crosses() -> Game:
    """Return the game with a score line and a claim."""
    active = Read("active", (), PLAYER)

    def mark(cell):
        return Read("mark", (cell,), MARK)

    on_line = Lookup("on_line", (Bound("l", LINE), Bound("k", SPOT)), CELL)
    has_line = Def(
        "has_line",
        (Parameter("p", PLAYER),),
        some("l", LINE, every("k", SPOT, eq(mark(on_line), Bound("p", PLAYER)))),
    )
    full = Def("full", (), every("c", CELL, op("!=", mark(Bound("c", CELL)), none(MARK))))
    place = Action(
        "place",
        "action",
        (Parameter("at", CELL),),
        (0,),
        (require(eq(mark(Bound("at", CELL)), none(MARK)), "place.free", "the cell is taken", ("NC-2",)),),
        (
            put("mark", (Bound("at", CELL),), active),
            put(
                "stage",
                (),
                Cond(
                    op("or", Call("has_line", (active,), BOOL), Call("full", (), BOOL)),
                    lit(STAGE, "over"),
                    lit(STAGE, "placing"),
                    STAGE,
                ),
            ),
            put("active", (), num("-", lit(number(0, 1), 1), active)),
        ),
    )
    won = Cond(Call("has_line", (Bound("p", PLAYER),), BOOL), lit(number(0, 1), 1), lit(number(0, 1), 0), number(0, 1))
    return game(
        "noughts_and_crosses",
        PLAYER,
        STAGE,
        types=(PLAYER, CELL, STAGE),
        stages=(Stage(0, "placing", "player", active), Stage(1, "over", "nobody", None)),
        variables=(
            var("stage", STAGE, lit(STAGE, "placing")),
            var("active", PLAYER, lit(PLAYER, "cross")),
            var("mark", MARK, none(MARK), CELL),
        ),
        constants=(table("on_line", CELL, (LINE, SPOT), lambda line, spot: LINES[line - 1][spot - 1]),),
        defs=(has_line, full),
        actions=(place,),
        claims=(
            Claim(
                "not_both",
                "invariant",
                op("not", every("p", PLAYER, Call("has_line", (Bound("p", PLAYER),), BOOL))),
            ),
        ),
        score=ScoreSheet("p", (ScoreLine("Line", won),), 1, (Key(won, True),), False),
    )


__all__ = ["CELL", "LINES", "Binder", "Pick", "noughts_and_crosses"]
