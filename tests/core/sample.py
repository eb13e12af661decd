"""A small core game with at least one of every class of the core, built by hand."""

from __future__ import annotations

from pilgrim_rules.core.ir import (
    BOOL,
    Action,
    Apply,
    Arrange,
    AskNetwork,
    Assign,
    Binder,
    Bound,
    Branch,
    Call,
    Canvas,
    Checked,
    Claim,
    Cond,
    Constant,
    Def,
    Define,
    Effect,
    Example,
    Expect,
    Figure,
    Fold,
    Game,
    Given,
    Key,
    Layer,
    Let,
    Lit,
    Lookup,
    Loop,
    Make,
    Naming,
    Network,
    NetworkLink,
    NetworkNode,
    Note,
    Parameter,
    Pick,
    Preset,
    Ranking,
    Read,
    Refuse,
    Require,
    Ruling,
    ScoreLine,
    ScoreSheet,
    Stage,
    Type,
    Unique,
    Variable,
)
from pilgrim_rules.source import Span


def number(lo, hi):
    return Type(f"{lo}..{hi}", "int", lo, hi)


def maybe(type_):
    return Type(f"{type_.name}?", "optional", type_.lo, type_.hi + 1, parts=(type_,))


PLAYER = Type("Player", "enum", 0, 1, ("red", "blue"))
COLOUR = Type("Colour", "enum", 0, 2, ("red", "blue", "dummy"))
PLACE = Type("Place", "enum", 0, 2, ("gate", "mill", "port"))
STAGE = Type("Stage", "enum", 0, 3, ("rolling", "moving", "closing", "over"))
ROUTE = Type("Route", "pair", 0, 5, parts=(PLAYER, PLACE))
LEG = Type("last_leg", "enum", 0, 1, ("counts", "ignored"))
SMALL = number(0, 9)
ONE = Lit(1, number(1, 1))
ZERO = Lit(0, number(0, 0))

P = Bound("p", PLAYER)
ACTIVE = Read("active", (), PLAYER)


def at(line, length=4):
    return Span("sample.rules", 10 * line, 10 * line + length)


def op(name, *args, type_=BOOL):
    return Apply(name, args, type_)


def plus(left, right):
    return op("+", left, right, type_=number(left.type.lo + right.type.lo, left.type.hi + right.type.hi))


def eq(left, right):
    return op("==", left, right)


def coins(who=ACTIVE, when="now"):
    return Read("coins", (who,), SMALL, when)


def each(op_, name, type_, body, where=None):
    return Fold(op_, (Binder(name, type_),), where, body, None, body.type if op_ in ("all", "some") else number(0, 99))


def put(variable, index, value, key, *clauses, mode="set"):
    return Assign(variable, index, mode, value, key, clauses, span=at(40))


def stage_is(name):
    return eq(Read("stage", (), STAGE), Lit(STAGE.labels.index(name), STAGE))


def to_stage(name, key):
    return put("stage", (), Lit(STAGE.labels.index(name), STAGE), key)


CONSTANTS = (
    Constant("Map.leads", (PLACE, PLACE), BOOL, (0, 1, 0, 1, 0, 1, 0, 1, 0), "graph", note=Note(clauses=("MAP-1",))),
    Constant(
        "toll", (PLACE,), number(0, 3), (0, 2, 1), "param", assumed=True, note=Note("Printed.", ("MAP-2",), at(1))
    ),
    Constant("last_leg", (), LEG, (0,), "ruling"),
    Constant("players", (), number(2, 2), (2,), "instance"),
)

RICH = Def(
    "rich",
    (Parameter("who", PLAYER),),
    Let("c", coins(Bound("who", PLAYER)), op(">=", Bound("c", SMALL), Lit(5, SMALL)), BOOL),
    note=Note("Five coins.", ("CON-1",), at(2)),
)
LEADER = Def(
    "leader",
    (),
    Pick(Binder("p", PLAYER, start=ACTIVE), Call("rich", (P,), BOOL), (Key(coins(P), True),), maybe(PLAYER)),
    public=True,
)
DEFS = (RICH, LEADER)

ROLL = Action(
    "roll", "chance", (Parameter("d", number(1, 6)),), (0,), (),
    (put("steps", (), Bound("d", number(1, 6)), "roll.1"), to_stage("moving", "roll.2")),
    weight=Cond(eq(Bound("d", number(1, 6)), Lit(3, number(1, 6))), Lit(2, number(1, 2)), Lit(1, number(1, 2)), number(1, 2)),
)  # fmt: skip

TO = Bound("to", PLACE)
HERE = Bound("here", PLACE)
MOVE = Action(
    "move",
    "action",
    (Parameter("to", PLACE), Parameter("pay", BOOL, 1)),
    (1,),
    (
        Require(
            op("!=", Read("where", (ACTIVE,), maybe(PLACE)), Lit(3, maybe(PLACE))),
            "move.here", "the pawn is off the board", ("MOV-1",), "here", span=at(10),
        ),
        Given("here", Read("where", (ACTIVE,), PLACE)),
        Require(Lookup("Map.leads", (HERE, TO), BOOL), "move.leads", None, ("MOV-2", "MAP-1"), span=at(11)),
        Require(op("implies", Bound("pay", BOOL), op(">=", coins(), Lookup("toll", (TO,), number(0, 3)))), "move.toll", span=at(12)),
    ),
    (
        Define("fee", Lookup("toll", (TO,), number(0, 3))),
        put("where", (ACTIVE,), TO, "move.1", "MOV-3"),
        put("coins", (ACTIVE,), op("-", ZERO, Bound("fee", number(0, 3)), type_=number(-3, 0)), "move.2", mode="add"),
        put("seen", (TO,), plus(Read("seen", (TO,), SMALL, "old"), ONE), "move.3"),
        Branch(
            op("==", Read("steps", (), number(0, 6)), ONE),
            (to_stage("closing", "move.4"),),
            (put("steps", (), Checked(op("-", Read("steps", (), number(0, 6)), ONE, type_=number(-1, 5)), number(0, 6), span=at(13)), "move.5"),),
        ),
    ),
    note=Note("A pawn goes on.", ("MOV-1",), at(9)),
)  # fmt: skip

CLOSE = Action(
    "close", "auto", (), (2,), (),
    (
        Loop(
            Binder("p", PLAYER), Call("rich", (P,), BOOL), (put("coins", (P,), Lit(-1, number(-1, -1)), "close.1", "END-1", mode="add"),),
            simultaneous=True, span=at(20),
        ),
        Loop(
            Binder("q", PLACE, among=("Map.leads", (Lit(1, PLACE),))), None,
            (put("seen", (Bound("q", PLACE),), ONE, "close.2", mode="add"),), simultaneous=False, span=at(21),
        ),
        to_stage("over", "close.3"),
    ),
)  # fmt: skip

ROADS = Network(
    "roads",
    (Binder("p", PLAYER),),
    (NetworkNode((Binder("a", PLACE),), (Bound("a", PLACE),), eq(Read("where", (P,), maybe(PLACE)), Bound("a", PLACE))),),
    (
        NetworkLink(
            (Binder("a", PLACE), Binder("b", PLACE, among=("Map.leads", (Bound("a", PLACE),)))),
            (Bound("a", PLACE),), (Bound("b", PLACE),), op(">", Read("seen", (Bound("a", PLACE),), SMALL), ZERO), nodes_only=True,
        ),
    ),
    Note(clauses=("MAP-1",)),
)  # fmt: skip

TOTAL = each("sum", "p", PLAYER, coins(P))
CLAIMS = (
    Claim("tolls_small", "law", each("all", "a", PLACE, op("<=", Lookup("toll", (Bound("a", PLACE),), number(0, 3)), Lit(3, SMALL)))),
    Claim("capped", "invariant", each("all", "p", PLAYER, op("<=", coins(P), Lit(9, SMALL))), ("apart",), Note(clauses=("CON-1",))),
    Claim("apart", "invariant", Unique((Binder("p", PLAYER),), op("not", Call("rich", (P,), BOOL)), (Read("where", (P,), maybe(PLACE)),))),
    Claim("seen_rises", "step", each("all", "a", PLACE, op(">=", Read("seen", (Bound("a", PLACE),), SMALL, "next"), Read("seen", (Bound("a", PLACE),), SMALL)))),
    Claim("coins_stay", "conserved", eq(TOTAL, Lit(6, number(6, 6)))),
    Claim("ends", "reachable", stage_is("over")),
    Claim("one_road", "audit", each("all", "p", PLAYER, eq(AskNetwork("distance", "roads", (P,), ((Lit(0, PLACE),), (Lit(1, PLACE),)), maybe(SMALL)), Lit(10, maybe(SMALL))))),
)  # fmt: skip

MAP = Figure(
    "map", "The map", Canvas(PLACE, "point", ((0, 0), (1000, 0), (1000, 1000)), ((0, 1), (1, 2)), number(0, 3)),
    (
        Layer("area", (Binder("a", PLACE),), None, (Bound("a", PLACE),)),
        Layer("path", (), None, (Lit(0, PLACE), Lit(1, number(0, 3)), Lit(2, number(0, 3))), by=ACTIVE),
        Layer(
            "mark", (Binder("p", PLAYER),), op("!=", Read("where", (P,), maybe(PLACE)), Lit(3, maybe(PLACE))),
            (Read("where", (P,), PLACE),), shape="disc", by=P, says="a pawn",
        ),
        Layer("label", (), None, (Lit(2, PLACE),), text="port"),
        Layer("pieces", (), None, (Lit(1, PLACE),), value=Read("steps", (), number(0, 6))),
    ),
    (("dummy", "grey"),),
)  # fmt: skip

SAMPLE = Game(
    name="sample",
    title="Sample",
    player=PLAYER,
    stage=STAGE,
    types=(PLAYER, COLOUR, PLACE, ROUTE, STAGE, LEG),
    stages=(
        Stage(0, "rolling", "chance", None),
        Stage(1, "moving", "player", ACTIVE, Note(clauses=("TRN-1",))),
        Stage(2, "closing", "auto", None),
        Stage(3, "over", "nobody", None),
    ),
    variables=(
        Variable("stage", (), STAGE, (), Lit(0, STAGE)),
        Variable("active", (), PLAYER, (), Lit(0, PLAYER)),
        Variable("steps", (), number(0, 6), (), Lit(0, number(0, 6))),
        Variable("coins", (PLAYER,), SMALL, ("p",), Lit(3, SMALL), sight="private", until=stage_is("over"), note=Note(clauses=("SET-1",))),
        Variable("where", (PLAYER,), maybe(PLACE), ("p",), Lit(3, maybe(PLACE))),
        Variable("seen", (PLACE,), SMALL, ("a",), ZERO, ghost=True),
        Variable("owner", (ROUTE,), COLOUR, ("r",), Lit(2, COLOUR)),
    ),
    constants=CONSTANTS,
    defs=DEFS,
    effects=(Effect("give", (Parameter("who", PLAYER),), (put("coins", (Bound("who", PLAYER),), ONE, "give.1", "CON-2", mode="add"),), Note(clauses=("CON-2",))),),
    actions=(ROLL, MOVE, CLOSE),
    claims=CLAIMS,
    rankings=(Ranking("fewer", (Read("steps", (), number(0, 6)),), Note(clauses=("END-2",))),),
    rulings=(Ruling("last_leg", (("counts", "it counts"), ("ignored", "it does not")), "counts", Note(clauses=("GAP-LEG",))),),
    networks=(ROADS,),
    examples=(
        Example(
            "first",
            (
                Arrange((put("active", (), Lit(1, PLAYER), "given.1"),), span=at(50)),
                Make("roll", (4,), span=at(51)),
                Refuse("move", (2, 1), ("MOV-1",), span=at(52)),
                Expect(eq(coins(), Lit(3, SMALL)), (("last_leg", "counts"),), span=at(53)),
            ),
            witness=False,
            note=Note(clauses=("EX-1",)),
        ),
    ),
    score=ScoreSheet("p", (ScoreLine("Coins", coins(P), ("SCO-1",)),), 1, (Key(coins(P), descending=True),), total=False),
    glossary=(("pawn", "the piece"),),
    note=Note("A sample.", ("OVR-1",)),
    presets=(Preset("strict", "As printed", (("last_leg", "ignored"),), Note(clauses=("DE-LEG",))),),
    namings=(Naming("Colour", "enum", Note("Whose a pawn is.", ("CMP-1",))),),
    figures=(MAP,),
)  # fmt: skip
