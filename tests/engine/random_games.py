"""Random core games: hypothesis draws expressions, statements and whole actions over a fixed set of declarations.

Every draw is well typed and total, as the checker guarantees for games that come from text: an index is always of the
type of its table, a divisor is always positive. What may go wrong is what may go wrong in a game: a value leaves its
range, a cell is written twice at once.
"""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from pilgrim_rules.core.ir import (
    BOOL,
    Action,
    Apply,
    Assign,
    Binder,
    Bound,
    Branch,
    Call,
    Checked,
    Claim,
    Cond,
    Def,
    Define,
    Expr,
    Fold,
    Game,
    Given,
    Key,
    Let,
    Lit,
    Lookup,
    Loop,
    Parameter,
    Pick,
    Ranking,
    Read,
    Require,
    ScoreLine,
    ScoreSheet,
    Stage,
    Stmt,
    Type,
    Unique,
)
from tests.engine.build import HERE, both, enum, game, maybe, none, number, table, var

PLAYER = enum("Player", "red", "blue", "green")
STAGE = enum("Stage", "acting", "rolling", "over")
PLACE = enum("Place", "n", "e", "s", "w")
SMALL = number(-2, 3)
WIDE = number(-5, 400)
HUGE = number(0, 70_000)
ROUTE = both(PLAYER, number(1, 2))
MAYBE = maybe(PLACE)
MANY = number(0, 299)  #: a domain too large to be written out
INT = number(-(10**6), 10**6)
INDEXABLE = (BOOL, PLAYER, PLACE, SMALL, ROUTE, MAYBE)
VALUES = (*INDEXABLE, STAGE, WIDE, HUGE)

VARIABLES = (
    var("stage", STAGE, Lit(0, STAGE)),
    var("flag", BOOL, Lit(0, BOOL)),
    var("active", PLAYER, Lit(0, PLAYER)),
    var("at", PLACE, Lit(1, PLACE), PLAYER),
    var("last", MAYBE, none(MAYBE)),
    var("small", SMALL, Lit(0, SMALL), PLACE, SMALL),
    var("wide", WIDE, Lit(7, WIDE), ROUTE),
    var("huge", HUGE, Bound("i0", HUGE), BOOL),
    var("route", ROUTE, Lit(0, ROUTE), MAYBE),
    var("many", number(0, 255), Lit(0, number(0, 255)), MANY),
)
CONSTANTS = (
    table("leads", BOOL, (PLACE, PLACE), lambda a, b: b == (a + 1) % 4),
    table("near", BOOL, (MANY,), lambda a: a % 7 == 3),
    table("beside", MAYBE, (PLACE, PLAYER), lambda a, p: (a * 3 + p) % 5),
    table("price", SMALL, (SMALL,), lambda a: 1 - a),
    table("whose", PLAYER, (PLACE,), lambda a: a % 3),
    table("home", PLACE, (PLAYER,), lambda p: 3 - p),
    table("rule", BOOL, (), lambda: True),
)


@st.composite
def expressions(draw, type_: Type, names: dict[str, Type], depth: int, mode: str = "guard", defs: tuple[Def, ...] = ()):
    """Draw an expression of a type. `mode`: guard, effect (old values, checked values) or step (next values)."""

    def sub(kind: Type, **more: Type) -> Expr:
        return draw(expressions(kind, {**names, **more}, depth - 1, mode, defs))

    leaves = ["lit"]
    leaves += ["bound"] * 3 * any(kind == type_ for kind in names.values())
    if depth <= 0:
        return _leaf(draw, draw(st.sampled_from(leaves)), type_, names)
    nodes = [*leaves, "cond", "let", "pick"]
    nodes += ["read"] * 4 * any(each.type == type_ for each in VARIABLES)
    nodes += ["lookup"] * 2 * any(each.type == type_ for each in CONSTANTS)
    nodes += ["call"] * 2 * any(each.body.type == type_ for each in defs)
    nodes += ["arithmetic"] * 6 + ["aggregate"] * 3 if type_ == INT else []
    nodes += ["compare"] * 4 + ["connect"] * 4 + ["quantify"] * 3 + ["unique"] if type_ == BOOL else []
    nodes += ["checked"] if mode == "effect" and type_.kind == "int" and type_ != INT else []
    nodes = [node for node in nodes if node != "pick"] if type_ not in INDEXABLE else nodes
    match draw(st.sampled_from(nodes)):
        case "cond":
            return Cond(sub(BOOL), sub(type_), sub(type_), type_)
        case "let":
            name, kind = draw(_names), draw(st.sampled_from((*INDEXABLE, INT)))
            return Let(name, sub(kind), sub(type_, **{name: kind}), type_)
        case "pick":
            return _pick(draw, type_, names, sub)
        case "read":
            variable = draw(st.sampled_from([each for each in VARIABLES if each.type == type_]))
            when = draw(
                st.sampled_from({"guard": ["now"], "effect": ["now", "now", "old"], "step": ["now", "next"]}[mode])
            )
            return Read(variable.name, tuple(sub(each) for each in variable.index), type_, when)
        case "lookup":
            constant = draw(st.sampled_from([each for each in CONSTANTS if each.type == type_]))
            return Lookup(constant.name, tuple(sub(each) for each in constant.index), type_)
        case "call":
            called = draw(st.sampled_from([each for each in defs if each.body.type == type_]))
            return Call(called.name, tuple(sub(param.type) for param in called.params), type_)
        case "checked":
            return Checked(sub(INT), type_, span=replace(HERE, end=draw(st.integers(1, 10**6))))
        case "arithmetic":
            return _arithmetic(draw, sub)
        case "aggregate":
            op = draw(st.sampled_from(["count", "sum", "max", "min"]))
            binders, inner = _binders(draw, names, sub)
            where = (
                draw(expressions(BOOL, inner, depth - 1, mode, defs)) if op == "count" or draw(st.booleans()) else None
            )
            body = Lit(1, INT) if op == "count" else draw(expressions(INT, inner, depth - 1, mode, defs))
            default = sub(INT) if op in ("max", "min") else None
            return Fold(op, binders, where, body, default, INT)
        case "compare":
            if draw(st.booleans()):
                return Apply(draw(st.sampled_from(["==", "!=", "<", "<=", ">", ">="])), (sub(INT), sub(INT)), BOOL)
            kind = draw(st.sampled_from(VALUES))
            return Apply(draw(st.sampled_from(["==", "!="])), (sub(kind), sub(kind)), BOOL)
        case "connect":
            op, count = draw(
                st.sampled_from([("and", 2), ("or", 2), ("and", 3), ("or", 3), ("not", 1), ("implies", 2)])
            )
            return Apply(op, tuple(sub(BOOL) for _ in range(count)), BOOL)
        case "quantify":
            binders, inner = _binders(draw, names, sub)
            where = draw(expressions(BOOL, inner, depth - 1, mode, defs)) if draw(st.booleans()) else None
            body = draw(expressions(BOOL, inner, depth - 1, mode, defs))
            return Fold(draw(st.sampled_from(["all", "some"])), binders, where, body, None, BOOL)
        case "unique":
            binders, inner = _binders(draw, names, sub)
            where = draw(expressions(BOOL, inner, depth - 1, mode, defs)) if draw(st.booleans()) else None
            keys = tuple(draw(expressions(INT, inner, depth - 1, mode, defs)) for _ in range(draw(st.integers(1, 2))))
            return Unique(binders, where, keys)
        case leaf:
            return _leaf(draw, leaf, type_, names)


_names = st.sampled_from(["x", "y", "z", "p"])


def _leaf(draw, leaf: str, type_: Type, names: dict[str, Type]) -> Expr:
    if leaf == "bound":
        return Bound(draw(st.sampled_from([name for name, kind in names.items() if kind == type_])), type_)
    lo, hi = (-9, 9) if type_ == INT else (type_.lo, type_.hi)
    return Lit(draw(st.integers(lo, hi)), type_)


def _arithmetic(draw, sub) -> Expr:
    op = draw(st.sampled_from(["+", "-", "*", "div", "mod", "min", "max", "widen"]))
    if op == "widen":  # a number of a narrower type stands for itself
        return sub(draw(st.sampled_from([SMALL, WIDE, HUGE])))
    if op in ("div", "mod"):
        positive = Apply("max", (sub(INT), Lit(draw(st.integers(1, 5)), INT)), INT)
        return Apply(op, (sub(INT), positive), INT)
    if op == "*":  # products stay small
        return Apply(op, (sub(SMALL), sub(SMALL)), INT)
    count = draw(st.integers(2, 3)) if op in ("min", "max") else 2
    return Apply(op, tuple(sub(INT) for _ in range(count)), INT)


def _binder(draw, names: dict[str, Type], sub, type_: Type | None = None) -> Binder:
    name = draw(_names)
    if type_ is None and draw(st.integers(0, 3)) == 0:
        return Binder(name, PLACE, None, draw(st.booleans()), ("leads", (sub(PLACE),)))
    if type_ is None and draw(st.integers(0, 9)) == 0:
        return Binder(name, MANY, among=("near", ()))
    kind = type_ or draw(st.sampled_from([BOOL, PLAYER, PLACE, SMALL, ROUTE]))
    order = draw(st.sampled_from(["up", "down", "turn"]))
    among = ("leads", (sub(PLACE),)) if kind == PLACE and draw(st.booleans()) else None
    return Binder(name, kind, sub(kind) if order == "turn" else None, order == "down", among)


def _binders(draw, names: dict[str, Type], sub) -> tuple[tuple[Binder, ...], dict[str, Type]]:
    first = _binder(draw, names, sub)
    inner = {**names, first.name: first.type}
    if draw(st.integers(0, 2)):
        return (first,), inner
    second = replace(_binder(draw, inner, lambda kind: sub(kind, **{first.name: first.type})), name="q")
    if first.type == PLACE and draw(st.booleans()):  # a later binder may look at an earlier one
        second = Binder("q", PLACE, among=("leads", (Bound(first.name, PLACE),)))
    return (first, second), {**inner, "q": second.type}


def _pick(draw, type_: Type, names: dict[str, Type], sub) -> Expr:
    domain = type_.parts[0] if type_.kind == "optional" else type_
    binder = _binder(draw, names, sub, domain)
    if type_.kind != "optional":
        binder = replace(binder, among=None)
    inner = {binder.name: domain}
    where = sub(BOOL, **inner) if type_.kind == "optional" else None
    keys = tuple(Key(sub(INT, **inner), draw(st.booleans())) for _ in range(draw(st.integers(0, 2))))
    return Pick(binder, where, keys, type_)


@st.composite
def blocks(draw, names: dict[str, Type], depth: int, defs: tuple[Def, ...]) -> tuple[Stmt, ...]:
    """Draw statements."""
    found: list[Stmt] = []
    names = dict(names)
    for _ in range(draw(st.integers(1, 3))):
        kinds = ["assign"] * 4 + ["define"] + (["branch", "loop", "loop", "loop"] if depth else [])
        match draw(st.sampled_from(kinds)):
            case "assign":
                found.append(_assign(draw, names, defs))
            case "define":
                name, kind = draw(_names), draw(st.sampled_from((*INDEXABLE, INT)))
                found.append(Define(name, draw(expressions(kind, names, 2, "effect", defs))))
                names[name] = kind
            case "branch":
                test = draw(expressions(BOOL, names, 2, "effect", defs))
                other = draw(blocks(names, depth - 1, defs)) if draw(st.booleans()) else ()
                found.append(Branch(test, draw(blocks(names, depth - 1, defs)), other))
            case _:
                binder = _binder(draw, names, lambda kind: draw(expressions(kind, names, 1, "effect", defs)))
                binder = replace(binder, name=f"loop{depth}")  # lowering gives every loop of an action its own name
                inner = {**names, binder.name: binder.type}
                where = draw(expressions(BOOL, inner, 2, "effect", defs)) if draw(st.booleans()) else None
                found.append(Loop(binder, where, draw(blocks(inner, depth - 1, defs)), draw(st.booleans()), span=HERE))
    return tuple(found)


def _assign(draw, names: dict[str, Type], defs: tuple[Def, ...]) -> Stmt:
    variable = draw(st.sampled_from(VARIABLES[1:]))
    index = tuple(draw(expressions(kind, names, 1, "effect", defs)) for kind in variable.index)
    integral = variable.type.kind == "int"
    mode = draw(st.sampled_from(["set", "add"])) if integral else "set"
    kind = draw(st.sampled_from([INT, variable.type])) if integral else variable.type
    value = draw(expressions(kind, names, 3, "effect", defs))
    key = f"line.{draw(st.integers(0, 10**9))}"
    return Assign(variable.name, index, mode, value, key, span=HERE)


@st.composite
def actions(draw, name: str, kind: str, stage: int, defs: tuple[Def, ...]) -> Action:
    """Draw an action whose guard mixes tests, names, equalities and relations."""
    types = [draw(st.sampled_from([BOOL, PLAYER, PLACE, SMALL, ROUTE, MAYBE])) for _ in range(draw(st.integers(0, 3)))]
    params = tuple(Parameter(f"a{at}", type_) for at, type_ in enumerate(types))
    names = {param.name: param.type for param in params}
    guard: list[Require | Given] = []
    for at in range(draw(st.integers(0, 4))):
        key = f"{name}.{at}"
        match draw(st.sampled_from(["test", "given", "equal", "relation"])):
            case "given":
                type_ = draw(st.sampled_from((*INDEXABLE, INT)))
                guard.append(Given(f"g{at}", draw(expressions(type_, names, 2, "guard", defs))))
                names[f"g{at}"] = type_
            case "equal" if params:
                param = draw(st.sampled_from(params))
                value = draw(expressions(param.type, names, 2, "guard", defs))
                sides = (Bound(param.name, param.type), value)
                guard.append(Require(Apply("==", sides if draw(st.booleans()) else sides[::-1], BOOL), key, span=HERE))
            case "relation":
                index = tuple(draw(expressions(PLACE, names, 1, "guard", defs)) for _ in range(2))
                guard.append(Require(Lookup("leads", index, BOOL), key, span=HERE))
            case _:
                guard.append(Require(draw(expressions(BOOL, names, 3, "guard", defs)), key, span=HERE))
    weight = draw(expressions(SMALL, names, 2, "guard", defs)) if kind == "chance" else None
    return Action(name, kind, params, (stage,), tuple(guard), draw(blocks(names, 2, defs)), weight)


@st.composite
def games(draw) -> Game:
    """Draw a whole game."""
    defs: tuple[Def, ...] = ()
    for at in range(draw(st.integers(0, 3))):
        params = tuple(
            Parameter(name, draw(st.sampled_from(INDEXABLE))) for name in ("x", "p")[: draw(st.integers(0, 2))]
        )
        result = draw(st.sampled_from((BOOL, PLACE, MAYBE, SMALL, INT)))
        body = draw(expressions(result, {param.name: param.type for param in params}, 3, "guard", defs))
        body = body if body.type == result else Cond(Lit(1, BOOL), body, body, result)  # a wider name for the type
        defs = (*defs, Def(f"def {at}", params, body))
    claims = (
        Claim("now", "invariant", draw(expressions(BOOL, {}, 4, "guard", defs))),
        Claim("then", "step", draw(expressions(BOOL, {}, 3, "step", defs))),
    )
    line = draw(expressions(INT, {"who": PLAYER}, 3, "guard", defs))
    return game(
        "random",
        PLAYER,
        STAGE,
        stages=(
            Stage(0, "acting", "player", draw(expressions(PLAYER, {}, 2, "guard", defs))),
            Stage(1, "rolling", "chance", None),
            Stage(2, "over", "nobody", None),
        ),
        variables=VARIABLES,
        constants=CONSTANTS,
        defs=defs,
        actions=(draw(actions("act", "action", 0, defs)), draw(actions("roll", "chance", 1, defs))),
        claims=claims,
        rankings=(Ranking("down", (line if not _mentions(line) else Lit(0, INT),)),),
        score=ScoreSheet("who", (ScoreLine("Line", line),), 1, (Key(line, True), Key(line, False)), False),
    )


def _mentions(expr: Expr) -> bool:
    from pilgrim_rules.core.walk import free_names  # noqa: PLC0415

    return bool(free_names(expr))


@st.composite
def positions(draw) -> dict[str, list[int]]:
    """Draw a well-typed position, reachable or not."""
    found = {}
    for variable in VARIABLES:
        size = 1
        for type_ in variable.index:
            size *= type_.size
        code = st.integers(variable.type.lo, variable.type.hi)
        if size > 50:
            first = draw(code)
            found[variable.name] = [(first + 17 * at) % 256 for at in range(size)]
        else:
            found[variable.name] = [draw(code) for _ in range(size)]
    return found
