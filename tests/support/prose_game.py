"""A small pilgrim game, built by hand: two players, three resources, a ring of places, one of everything."""

from __future__ import annotations

from dataclasses import replace

from pilgrim_rules.core.ir import (
    BOOL,
    Action,
    Apply,
    Assign,
    Binder,
    Bound,
    Branch,
    Call,
    Claim,
    Constant,
    Cost,
    Def,
    Define,
    Expr,
    Fold,
    Game,
    Given,
    IfLine,
    Key,
    Lit,
    Lookup,
    Loop,
    Note,
    Operator,
    Parameter,
    Payment,
    Pick,
    Purse,
    PursePlace,
    Ranking,
    Read,
    Require,
    Ruling,
    Stage,
    Transfer,
    Type,
    Variable,
    Written,
)
from pilgrim_rules.diagnostics.source import Span

SPAN = Span("small.rules", 0, 0)
PLAYER = Type("Player", "enum", 0, 1, ("red", "blue"))
RESOURCE = Type("Resource", "enum", 0, 2, ("stone", "grain", "coin"))
PLACE = Type("Place", "enum", 0, 3, ("north", "east", "south", "old_city"))
STAGE = Type("Stage", "enum", 0, 4, ("sowing", "choosing", "working(build_roads)", "sailing", "over"))
NUMBER = Type("0..16", "int", 0, 16)
SMALL = Type("1..3", "int", 1, 3)
MAYBE_PLAYER = Type("Player?", "optional", 0, 2, (), (PLAYER,))
MAYBE_PLACE = Type("Place?", "optional", 0, 4, (), (PLACE,))
ROUTE = Type("Route", "pair", 0, 5, (), (PLAYER, SMALL))

ACTIVE = Read("active", (), PLAYER)
HAND = Read("hand", (), NUMBER)


def num(value: int) -> Lit:
    return Lit(value, NUMBER)


def op(name: Operator, *args: Expr) -> Apply:
    number = name in ("+", "-", "*", "div", "mod", "min", "max")
    return Apply(name, args, NUMBER if number else BOOL)


def piety(who: Expr) -> Read:
    return Read("piety", (who,), NUMBER)


def store(who: Expr, what: int) -> Read:
    return Read("store", (who, Lit(what, RESOURCE)), NUMBER)


def put(cell: Read, value: Expr, key: str, *clauses: str) -> Assign:
    return Assign(cell.variable, cell.index, "set", value, key, clauses, span=SPAN)


def add(cell: Read, value: Expr, key: str, *clauses: str) -> Assign:
    return Assign(cell.variable, cell.index, "add", value, key, clauses, span=SPAN)


def need(test: Expr, key: str, *clauses: str, says: str | None = None) -> Require:
    return Require(test, key, says, clauses, span=SPAN)


def lost(value: int) -> Lit:
    return Lit(-value, Type("-16..0", "int", -16, 0))


TO = Bound("to", PLACE)
P = Bound("p", PLAYER)
EACH_PLAYER = (Binder("p", PLAYER),)
STAGE_NOW = Read("stage", (), STAGE)

DROP = Action(
    "drop",
    "action",
    (Parameter("to", PLACE),),
    (0,),
    (
        need(
            Lookup("Rondel.leads", (Read("last", (), PLACE), TO), BOOL),
            "drop/1",
            "TRN-4",
            says="acolytes move clockwise",
        ),
    ),
    (
        add(HAND, lost(1), "drop.do.2.from", "TRN-5"),
        add(Read("acolytes", (ACTIVE, TO), NUMBER), num(1), "drop.do.2.to", "TRN-5"),
        put(Read("last", (), PLACE), TO, "drop/3"),
        Branch(op("==", HAND, num(0)), (put(STAGE_NOW, Lit(1, STAGE), "drop/4"),), ()),
    ),
    note=Note("The player sows one acolyte on the next place.", ("TRN-1",)),
)
DROP = replace(
    DROP,
    written=Written(
        DROP.guard,
        (),
        (
            Transfer(num(1), HAND, Read("acolytes", (ACTIVE, TO), NUMBER), False, "drop.do.2", ("TRN-5",), span=SPAN),
            put(Read("last", (), PLACE), TO, "drop/3"),
            IfLine(op("==", HAND, num(0)), (put(STAGE_NOW, Lit(1, STAGE), "drop/4"),), (), "drop.if.1", span=SPAN),
        ),
    ),
)

BUILD = Action(
    "build_shrine",
    "action",
    (Parameter("at", PLACE), Parameter("from", PLACE)),
    (1, 2),
    (
        Given("me", ACTIVE),
        need(
            op(">=", piety(Bound("me", PLAYER)), op("+", Read("shrines", (ACTIVE,), NUMBER), num(1))),
            "build/1",
            "SHR-6",
        ),
        need(op("==", Read("owner", (Bound("at", PLACE),), MAYBE_PLAYER), Lit(2, MAYBE_PLAYER)), "build/2", "SHR-1"),
        need(op("not", Read("closed", (Bound("at", PLACE),), BOOL)), "build/3"),
        need(op(">=", store(ACTIVE, 0), num(1)), "build_shrine.cost.stone", "SHR-5"),
    ),
    (
        add(store(ACTIVE, 0), lost(1), "build_shrine.pay.1.from.1", "SHR-5"),
        put(Read("owner", (Bound("at", PLACE),), MAYBE_PLAYER), ACTIVE, "build/5"),
        put(Read("closed", (Bound("at", PLACE),), BOOL), Lit(1, BOOL), "build/6"),
        put(ACTIVE, Call("next_owed", (), PLAYER), "build/7"),
        add(piety(ACTIVE), num(1), "build/8"),
        add(piety(Read("active", (), PLAYER, "old")), num(2), "build/9"),
    ),
)

STONE = Purse("stone", "p", (PursePlace(store(P, 0), "stone", once=False),), None)
BUILD = replace(
    BUILD,
    written=Written(
        BUILD.guard[:-1],
        (
            Cost(
                (Payment(num(1), "stone", None, None, ACTIVE, "build_shrine.pay.1", ("SHR-5",), span=SPAN),),
                None,
                None,
                ("SHR-5",),
                span=SPAN,
            ),
        ),
        BUILD.body[1:],
    ),
)

SAIL = Action(
    "ship_moves",
    "auto",
    (),
    (3,),
    (need(op(">", Fold("count", EACH_PLAYER, op(">", piety(P), num(2)), num(1), None, NUMBER), num(0)), "sail/1"),),
    (
        Define("best", Fold("max", EACH_PLAYER, op("!=", P, ACTIVE), piety(P), num(0), NUMBER)),
        Loop(
            Binder("p", PLAYER),
            op("<", piety(P), Bound("best", NUMBER)),
            (add(piety(P), num(1), "sail/2", "RND-3"), put(store(P, 1), num(0), "sail/3")),
            simultaneous=True,
            span=SPAN,
        ),
        Branch(
            op(
                "==",
                Lookup("last_leg", (), Type("last_leg", "enum", 0, 1, ("site_counts", "shrines_only"))),
                Lit(0, Type("last_leg", "enum", 0, 1, ("site_counts", "shrines_only"))),
            ),
            (put(STAGE_NOW, Lit(0, STAGE), "sail/4"),),
            (put(STAGE_NOW, Lit(4, STAGE), "sail/5"), add(HAND, num(1), "sail/6")),
        ),
    ),
)

GAME = Game(
    name="small",
    title="Small Pilgrim",
    player=PLAYER,
    stage=STAGE,
    types=(PLAYER, RESOURCE, PLACE, STAGE, ROUTE),
    stages=(
        Stage(0, "sowing", "player", ACTIVE),
        Stage(1, "choosing", "player", ACTIVE),
        Stage(2, "working(build_roads)", "player", ACTIVE),
        Stage(3, "sailing", "auto", None),
        Stage(4, "over", "nobody", None),
    ),
    variables=(
        Variable("stage", (), STAGE, (), Lit(0, STAGE)),
        Variable("active", (), PLAYER, (), Lit(0, PLAYER)),
        Variable("last", (), PLACE, (), Lit(0, PLACE)),
        Variable("hand", (), NUMBER, (), num(4)),
        Variable("piety", (PLAYER,), NUMBER, ("p",), num(0)),
        Variable("shrines", (PLAYER,), NUMBER, ("p",), num(0)),
        Variable("store", (PLAYER, RESOURCE), NUMBER, ("p", "r"), num(1)),
        Variable("acolytes", (PLAYER, PLACE), NUMBER, ("p", "t"), num(0)),
        Variable("owner", (PLACE,), MAYBE_PLAYER, ("t",), Lit(2, MAYBE_PLAYER)),
        Variable("closed", (PLACE,), BOOL, ("t",), Lit(0, BOOL)),
    ),
    constants=(
        Constant("Rondel.leads", (PLACE, PLACE), BOOL, (0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0), "graph"),
        Constant("last_leg", (), Type("last_leg", "enum", 0, 1, ("site_counts", "shrines_only")), (0,), "ruling"),
    ),
    defs=(
        Def("rich", (Parameter("p", PLAYER),), op(">=", store(P, 0), num(3))),
        Def(
            "next_owed",
            (),
            Pick(Binder("p", PLAYER, start=ACTIVE), op(">", piety(P), num(0)), (), MAYBE_PLAYER),
        ),
        Def(
            "namer",
            (),
            Pick(Binder("p", PLAYER), None, (Key(piety(P), True), Key(Read("shrines", (P,), NUMBER), False)), PLAYER),
        ),
    ),
    effects=(),
    purses=(STONE,),
    actions=(DROP, BUILD, SAIL),
    claims=(
        Claim(
            "cap",
            "invariant",
            op(
                "implies",
                op("==", STAGE_NOW, Lit(0, STAGE)),
                Fold(
                    "all",
                    EACH_PLAYER,
                    None,
                    op("and", op("<=", store(P, 0), num(6)), op("<=", store(P, 1), num(6))),
                    None,
                    BOOL,
                ),
            ),
        ),
        Claim(
            "rises",
            "step",
            Fold("all", EACH_PLAYER, None, op(">=", Read("piety", (P,), NUMBER, "next"), piety(P)), None, BOOL),
        ),
        Claim("someone", "reachable", Fold("some", EACH_PLAYER, None, op(">", piety(P), num(5)), None, BOOL)),
    ),
    rankings=(Ranking("ends", (Read("hand", (), NUMBER), piety(Lit(0, PLAYER)))),),
    rulings=(Ruling("last_leg", (("site_counts", ""), ("shrines_only", "")), "site_counts"),),
    networks=(),
    examples=(),
    score=None,
    glossary=(("acolytes", "{1}'s acolytes on {2}"), ("acolyte", "A worker.")),
)
