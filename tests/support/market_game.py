"""A small game by hand with everything the library has to show: chance, autos, defaults, private cells, ghosts, clauses.

Players take turns to buy one of three goods, at a price rolled with a die that favours the 2. After the last purchase
the stalls close by themselves, in two steps, and the game is over.
"""

from __future__ import annotations

from pilgrim_rules.core.ir import (
    BOOL,
    Action,
    AskNetwork,
    Audience,
    Call,
    Claim,
    Def,
    Expr,
    Fold,
    Game,
    Given,
    Key,
    Loop,
    Network,
    NetworkLink,
    NetworkNode,
    Parameter,
    Ranking,
    Require,
    ScoreLine,
    ScoreSheet,
    Stage,
)
from tests.support.core_builder import (
    HERE,
    Binder,
    Bound,
    Cond,
    Lookup,
    Read,
    enum,
    eq,
    game,
    lit,
    maybe,
    none,
    num,
    number,
    op,
    put,
    require,
    table,
    var,
)

PLAYER = enum("Player", "red", "blue")
GOOD = enum("Good", "bread", "cloth", "salt")
STAGE = enum("Stage", "rolling", "buying", "closing", "sweeping", "over")
FACE = number(1, 3)
COINS = number(0, 300)
HAND = number(0, 9)
BID = maybe(number(1, 3))
TURNS = number(0, 4)


def read(name: str, *index: Expr, type_=COINS, when="now") -> Read:
    return Read(name, index, type_, when)


def market(*, generous: bool = False) -> Game:
    """Return the game. A generous one pays out of a till that can run empty: its rules contradict themselves."""
    active = read("active", type_=PLAYER)
    good, extra = Bound("good", GOOD), Bound("extra", BID)
    cost = Call("cost", (good,), COINS)
    buy = Action(
        "buy",
        "action",
        (Parameter("good", GOOD), Parameter("extra", BID, default=BID.hi)),
        (1,),
        (
            require(
                op(">=", read("stock", good, type_=HAND), lit(HAND, 1)), "buy.stock", "the stall is empty", ("MK-1",)
            ),
            Require(
                op("!=", Lookup("stall", (good,), BID), none(BID)),
                "buy.stall",
                "it has no stall",
                ("MK-2",),
                "at",
                span=HERE,
            ),
            Given("at", Lookup("stall", (good,), BID)),
            require(op("<=", Bound("at", FACE), lit(FACE, 2)), "buy.near", None, ("MK-3",)),
            require(op("<=", cost, read("coins", active)), "buy.coins", "too few coins", ("MK-4", "MK-5")),
            require(op("or", eq(extra, none(BID)), op("<=", extra, Bound("at", FACE))), "buy.extra", "no such extra"),
        ),
        (
            put("coins", (active,), num("-", lit(COINS, 0), cost), "add"),
            put("stock", (good,), lit(HAND, -1), "add"),
            put("hand", (active, good), lit(HAND, 1), "add"),
            put("seen", (good,), lit(BOOL, 1)),
            put("bought", (), lit(HAND, 1), "add"),
            put("turns", (), lit(TURNS, -1), "add"),
            put("active", (), num("-", lit(PLAYER, 1), active)),
            put(
                "stage",
                (),
                Cond(
                    eq(read("turns", type_=TURNS), lit(TURNS, 0)), lit(STAGE, "closing"), lit(STAGE, "rolling"), STAGE
                ),
            ),
        ),
    )
    roll = Action(
        "roll",
        "chance",
        (Parameter("face", FACE),),
        (0,),
        (),
        (put("price", (), Bound("face", FACE)), put("stage", (), lit(STAGE, "buying"))),
        weight=Cond(eq(Bound("face", FACE), lit(FACE, 2)), lit(HAND, 2), lit(HAND, 1), HAND),
    )
    tip = lit(COINS, 500 if generous else 1)
    close = Action(
        "close",
        "auto",
        (),
        (2,),
        (),
        (
            Loop(Binder("p", PLAYER), None, (put("coins", (Bound("p", PLAYER),), tip, "add", "tip"),), True, span=HERE),
            put("stage", (), lit(STAGE, "sweeping")),
        ),
    )
    sweep = Action("sweep", "auto", (), (3,), (), (put("stage", (), lit(STAGE, "over")),))
    wealth = read("coins", Bound("p", PLAYER))
    held = Fold(
        "sum", (Binder("g", GOOD),), None, read("hand", Bound("p", PLAYER), Bound("g", GOOD), type_=HAND), None, COINS
    )
    return game(
        "market",
        PLAYER,
        STAGE,
        types=(PLAYER, GOOD, STAGE),
        stages=(
            Stage(0, "rolling", "chance", None),
            Stage(1, "buying", "player", active),
            Stage(2, "closing", "auto", None),
            Stage(3, "sweeping", "auto", None),
            Stage(4, "over", "nobody", None),
        ),
        variables=(
            var("bought", HAND, lit(HAND, 0), ghost=True),
            var("stage", STAGE, lit(STAGE, "rolling")),
            var("active", PLAYER, lit(PLAYER, "red")),
            var("coins", COINS, lit(COINS, 10), PLAYER),
            var("stock", HAND, Cond(eq(Bound("i0", GOOD), lit(GOOD, "salt")), lit(HAND, 0), lit(HAND, 2), HAND), GOOD),
            var(
                "hand",
                HAND,
                lit(HAND, 0),
                PLAYER,
                GOOD,
                seen=Audience(
                    "v",
                    op(
                        "or",
                        eq(Bound("v", PLAYER), Bound("i0", PLAYER)),
                        eq(read("stage", type_=STAGE), lit(STAGE, "over")),
                    ),
                    "private",
                ),
            ),
            var("price", FACE, lit(FACE, 1), seen=Audience("v", lit(BOOL, 0), "hidden")),
            var("seen", BOOL, lit(BOOL, 0), GOOD),
            var("turns", TURNS, lit(TURNS, 4)),
        ),
        constants=(table("stall", BID, (GOOD,), lambda good: (1, 2, 4)[good]),),
        defs=(
            Def(
                "cost",
                (Parameter("g", GOOD),),
                num("*", read("price", type_=FACE), num("+", Bound("g", GOOD), lit(FACE, 1))),
            ),
            GROUPS,
        ),
        actions=(buy, roll, close, sweep),
        claims=(
            Claim(
                "counted",
                "invariant",
                eq(num("+", read("bought", type_=HAND), read("turns", type_=TURNS)), lit(HAND, 4)),
            ),
            Claim("fewer", "step", op("<=", read("turns", type_=TURNS, when="next"), read("turns", type_=TURNS))),
            Claim("shown", "audit", _linked_goods()),
        ),
        rankings=(Ranking("down", (read("turns", type_=TURNS), num("-", lit(HAND, 4), read("stage", type_=STAGE)))),),
        networks=(
            Network(
                "shelf",
                (),
                (NetworkNode((Binder("g", GOOD),), (Bound("g", GOOD),), read("seen", Bound("g", GOOD), type_=BOOL)),),
                (
                    NetworkLink(
                        (Binder("a", GOOD), Binder("b", GOOD)),
                        (Bound("a", GOOD),),
                        (Bound("b", GOOD),),
                        op("<", Bound("a", GOOD), Bound("b", GOOD)),
                        True,
                    ),
                ),
            ),
        ),
        score=ScoreSheet(
            "p",
            (ScoreLine("Coins", wealth, ("MK-9",)), ScoreLine("Goods", held)),
            2,
            (Key(num("+", wealth, held), True), Key(held, False)),
            False,
        ),
    )


GROUPS = Def("groups", (), AskNetwork("components", "shelf", (), (), HAND))


def _linked_goods() -> Expr:
    return op("<=", Call("groups", (), HAND), lit(HAND, 1))
