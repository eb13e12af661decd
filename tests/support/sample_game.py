"""A small core game with at least one of every class of the core, built by hand."""

from __future__ import annotations

from pilgrim_rules.core.at_time import old, primed, unchanged
from pilgrim_rules.core.expand_game import expand_again
from pilgrim_rules.core.forms import expand_form
from pilgrim_rules.core.ir import (
    BOOL,
    Action,
    AnswerPoll,
    Apply,
    Arrange,
    AskNetwork,
    AskPoll,
    Assign,
    Audience,
    Binder,
    Bound,
    Branch,
    Call,
    CallStage,
    Campaign,
    CampaignRank,
    Canvas,
    Checked,
    CheckGuard,
    Claim,
    Cond,
    Constant,
    Cost,
    Def,
    Define,
    Effect,
    Example,
    Expect,
    Figure,
    Fold,
    ForLine,
    Game,
    Given,
    Guard,
    IfLine,
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
    Payment,
    Pick,
    Pin,
    Preset,
    Purse,
    PursePlace,
    Ranking,
    Read,
    Refuse,
    Require,
    ResetBlock,
    ReturnStage,
    Reveal,
    RowText,
    Ruling,
    RunEffect,
    ScoreLine,
    ScoreSheet,
    Shorthand,
    Stage,
    SummaryLine,
    Symmetry,
    TextChange,
    Transfer,
    Type,
    Unique,
    Variable,
    Written,
)
from pilgrim_rules.diagnostics.source import Span


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
    Constant("toll", (PLACE,), number(0, 3), (0, 2, 1), "param", True, Note("Printed.", ("MAP-2",), at(1))),
    Constant("last_leg", (), LEG, (0,), "ruling"),
    Constant("players", (), number(2, 2), (2,), "instance"),
    Constant("back", (PLACE,), PLACE, (2, 1, 0), "param"),
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
    "roll", "chance", (Parameter("d", number(1, 6), seen=Audience("v", Lit(0, BOOL), "secret")),), (0,), (),
    (put("steps", (), Bound("d", number(1, 6)), "roll.1"), to_stage("moving", "roll.2")),
    summary=(SummaryLine("Roll the die.", ("ROL-1",)),), weight=Cond(eq(Bound("d", number(1, 6)), Lit(3, number(1, 6))), Lit(2, number(1, 2)), Lit(1, number(1, 2)), number(1, 2)),
    reveals=(Reveal(Bound("d", number(1, 6)), Audience("v", eq(Bound("v", PLAYER), ACTIVE), "seen"), "roll.reveal.1", ("ROL-1",), span=at(9)),),
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
            expand_form("is_some", (Read("where", (ACTIVE,), maybe(PLACE)),), maybe(PLACE), BOOL),
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

GIVE = Effect(
    "give", (Parameter("who", PLAYER),), (), Note(clauses=("CON-2",)),
    lines=(put("coins", (Bound("who", PLAYER),), ONE, "give.1", "CON-2", mode="add"),),
)  # fmt: skip
NEAR = Guard(
    "near", (Parameter("to", PLACE),), (Require(Lookup("Map.leads", (Lit(0, PLACE), TO), BOOL), "near.require.1", span=at(30)),),
    Note(clauses=("MAP-1",)),
)  # fmt: skip
STEPS = Read("steps", (), number(0, 6))
COIN = Purse("coin", "p", (PursePlace(STEPS, "coin", once=True), PursePlace(coins(P), "coin", once=False)), None)


def paid(key):
    return Payment(ONE, "coin", None, None, ACTIVE, key, ("PAY-1",), span=at(31))


#: An action with every kind of line.
TRADE = Action(
    "trade", "action", (Parameter("to", PLACE),), (1,), (), (),
    written=Written(
        (Given("held", coins()), CheckGuard("near", (TO,), "trade.check.1", ("TRD-1",), span=at(32))),
        (Cost((paid("trade.pay.1"),), None, None, ("PAY-1",), span=at(33)),),
        (
            RunEffect("give", (ACTIVE,), "trade.run.1", ("TRD-2",), span=at(34)),
            Transfer(ONE, coins(), STEPS, True, "trade.do.1", span=at(35)),
            ResetBlock("steps", ("steps",), ("trade.do.2",), span=at(36)),
            IfLine(op(">", Bound("held", SMALL), ONE), (paid("trade.pay.2"),), (), "trade.if.1", span=at(37)),
            IfLine(
                op(">", Bound("held", SMALL), ZERO),
                (CallStage(Lit(1, STAGE), None, "trade.do.4", span=at(39)),),
                (ReturnStage(None, "trade.do.5", span=at(40)),), "trade.if.2", span=at(39),
            ),
            IfLine(
                op(">", Bound("held", SMALL), ZERO),
                (AskPoll("moving", Lit(1, STAGE), Read("due", (), maybe(PLAYER)), None, "trade.do.6", span=at(41)),),
                (AnswerPoll("moving", ACTIVE, Read("due", (), maybe(PLAYER)), "trade.do.7", span=at(42)),),
                "trade.if.3", span=at(41),
            ),
            ForLine(
                Binder("q", PLAYER), None, (put("coins", (Bound("q", PLAYER),), ONE, "trade.do.3", mode="add"),),
                simultaneous=True, span=at(38),
            ),
            Shorthand("move", (ACTIVE, Lit(0, PLACE), TO), (put("where", (ACTIVE,), TO, "trade.do.8.a"),), "trade.do.8", span=at(43)),
        ),
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
        Variable("coins", (PLAYER,), SMALL, ("p",), Lit(3, SMALL), seen=Audience("v", Apply("or", (Apply("==", (Bound("v", PLAYER), Bound("p", PLAYER)), BOOL), stage_is("over")), BOOL), "private"), note=Note(clauses=("SET-1",))),
        Variable("where", (PLAYER,), maybe(PLACE), ("p",), Lit(3, maybe(PLACE))),
        Variable("seen", (PLACE,), SMALL, ("a",), ZERO, ghost=True),
        Variable("owner", (ROUTE,), COLOUR, ("r",), Lit(2, COLOUR)),
        Variable("return.1", (), maybe(STAGE), (), Lit(STAGE.size, maybe(STAGE))),
        Variable("answered.moving", (PLAYER,), BOOL, ("p",), Lit(0, BOOL)),
        Variable("due", (), maybe(PLAYER), (), Lit(PLAYER.size, maybe(PLAYER))),
    ),
    constants=CONSTANTS,
    defs=DEFS,
    effects=(GIVE,),
    actions=(ROLL, MOVE, CLOSE, TRADE),
    claims=CLAIMS,
    rankings=(Ranking("fewer", (Read("steps", (), number(0, 6)),), Note(clauses=("END-2",))),),
    symmetries=(Symmetry("there_and_back", ("back",), Note(clauses=("MAP-1",))),),
    rulings=(Ruling("last_leg", (("counts", "it counts"), ("ignored", "it does not")), "counts", Note(clauses=("GAP-LEG",))),),
    campaigns=(Campaign("journey", "A journey", 2, ((("last_leg", "counts"),),), "sum", Read("steps", (), number(0, 6)), (CampaignRank("Far", 0, None),)),),
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
            witness=False, note=Note(clauses=("EX-1",)),
        ),
    ),
    score=ScoreSheet("p", (ScoreLine("Coins", coins(P), ("SCO-1",)),), 1, (Key(coins(P), descending=True),), total=False),
    glossary=(("pawn", "the piece"),),
    note=Note("A sample.", ("OVR-1",)),
    presets=(Preset("strict", "As printed", (("last_leg", "ignored"),), Note(clauses=("DE-LEG",))),),
    namings=(Naming("Colour", "enum", Note("Whose a pawn is.", ("CMP-1",))),),
    figures=(MAP,), pinned=(Pin("nothing", ("*",)),), guards=(NEAR,), purses=(COIN,),
    texts=(RowText("Place", "gate", "give", (TextChange("rich", stage_is("over"), (P,), Lit(1, BOOL), ("MOV-1",)),)),),
)  # fmt: skip
SAMPLE = expand_again(SAMPLE)

TURNS = Type("Stage", "enum", 0, 2, ("over", "turn(red)", "turn(blue)"))
MANY = Bound("n", number(0, 9))
HERS = Read("where", (P,), maybe(PLACE))
#: Each form once, of `p: Player`, `q: Player`, `n: 0..9`, `r: Route`; `here` and the stages are those of the sample.
ZONES = Type("Player.place", "enum", 0, 2, ("deck", "hand[red]", "hand[blue]"))
EVERY_FORM = {
    "next": expand_form("next", (P,), PLAYER, PLAYER),
    "previous": expand_form("previous", (P,), PLAYER, PLAYER),
    "ord": expand_form("ord", (P,), PLAYER, number(0, 1)),
    "seats_after": expand_form("seats_after", (P, Bound("q", PLAYER)), PLAYER, number(1, 2)),
    "seats_after_or_at": expand_form("seats_after_or_at", (P, Bound("q", PLAYER)), PLAYER, number(0, 1)),
    "players": expand_form("players", (), PLAYER, number(2, 2)),
    "negative": expand_form("negative", (MANY,), MANY.type, number(-9, 0)),
    "folded": expand_form("folded", (plus(ONE, ONE),), number(2, 2), number(2, 2)),
    "raised": expand_form("raised", (coins(P), ONE, MANY), SMALL, number(0, 10)),
    "lowered": expand_form("lowered", (coins(P), ONE, MANY), SMALL, number(-1, 9)),
    "is_some": expand_form("is_some", (HERS,), maybe(PLACE), BOOL),
    "is_none": expand_form("is_none", (HERS,), maybe(PLACE), BOOL),
    "is": expand_form("is", (MANY,), number(2, 4), BOOL),
    "in_type": expand_form("in_type", (MANY,), number(2, 9), BOOL),
    "in": expand_form("in", (MANY, ONE, Lit(4, number(4, 4))), MANY.type, BOOL),
    "in_stages": expand_form("in_stages", (Read("stage", (), STAGE), Lit(1, STAGE), Lit(2, STAGE)), STAGE, BOOL, "busy"),
    "none_of": expand_form("none_of", (each("some", "p", PLAYER, Call("rich", (P,), BOOL)),), BOOL, BOOL),
    "pair": expand_form("pair", (P, Lit(1, PLACE)), ROUTE, ROUTE),
    "first": expand_form("first", (Bound("r", ROUTE),), ROUTE, PLAYER),
    "second": expand_form("second", (Bound("r", ROUTE),), ROUTE, PLACE),
    "stage": expand_form("stage", (P,), PLAYER, TURNS, "turn"),
    "carried": expand_form("carried", (Bound("s", TURNS),), PLAYER, PLAYER, "turn"),
    "shifted": expand_form("shifted", (P,), COLOUR, COLOUR),
    "known": expand_form("known", (plus(MANY, ONE),), number(1, 5), number(1, 5)),
    "optional": expand_form("optional", (Bound("m", maybe(PLAYER)),), maybe(COLOUR), maybe(COLOUR)),
    "within": expand_form("within", (MANY,), number(2, 4), number(2, 4)),
    "old": old(op(">", coins(P), ONE), {}),
    "primed": primed(Call("rich", (P,), BOOL), {"rich": RICH}),
    "unchanged": unchanged(TOTAL, {}),
    "zone": expand_form("zone", (P,), PLAYER, ZONES, "hand"),
    "in_zone": expand_form("in_zone", (P, Lit(0, ZONES)), ZONES, BOOL, "where"),
}  # fmt: skip
