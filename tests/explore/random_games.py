"""Random core games that use every construct of the core, for comparing back ends state by state.

Every index is inside its table wherever it is evaluated, as the checker guarantees; optional values are used only
after a test, and there the index may be outside where nobody asks.
"""

from __future__ import annotations

from random import Random

from pilgrim_rules.core.ir import (
    BOOL,
    Action,
    Apply,
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
    Stage,
    Stmt,
    Type,
    Unique,
)  # fmt: skip
from pilgrim_rules.core.walk import rebuild
from tests.engine.build import HERE, enum, game, lit, maybe, number, op, put, table, var

PLAYER = enum("Player", "red", "blue")
STAGE = enum("Stage", "playing", "waiting", "over")
CELL = number(1, 3)
SMALL = number(-1, 4)
WIDE = number(0, 20)
ANY = number(-(10**9), 10**9)
MAYBE = maybe(CELL)

SHAPES = {  # variable: index types and type
    "a": ((), SMALL),
    "row": ((CELL,), SMALL),
    "grid": ((CELL, PLAYER), number(0, 5)),
    "long": ((WIDE,), number(0, 9)),
    "mark": ((), MAYBE),
    "flag": ((PLAYER,), BOOL),
    "one": ((), number(7, 7)),
    "still": ((CELL,), SMALL),
}


class Drawer:
    """Draws expressions of each type; `names` are the bound names by type."""

    def __init__(self, random: Random, *, effects: bool = False, steps: bool = False) -> None:
        self.random = random
        self.effects = effects
        self.steps = steps
        self.fresh = 0

    def pick(self, *options):
        return self.random.choice(options)

    def coin(self) -> bool:
        return self.random.random() < 0.5

    def name(self) -> str:
        self.fresh += 1
        return f"x{self.fresh}"

    def when(self):
        return self.pick("now", "now", "old") if self.effects else self.pick("now", "next") if self.steps else "now"

    def read(self, variable: str, depth: int, names) -> Read:
        index, type_ = SHAPES[variable]
        return Read(variable, tuple(self.of(each, depth - 1, names) for each in index), type_, self.when())

    def of(self, type_: Type, depth: int, names) -> Expr:
        if type_ == CELL:
            return self.cell(depth, names)
        if type_ == BOOL:
            return self.truth(depth, names)
        return self.inside(type_, depth, names)

    def inside(self, type_: Type, depth: int, names) -> Expr:
        """An expression that always lies inside the type."""
        bound = [Bound(name, each) for name, each in names if each == type_]
        if bound and self.coin():
            return self.pick(*bound)
        if depth <= 0 or self.coin():
            return lit(type_, self.random.randint(type_.lo, type_.hi))
        rest = Apply("mod", (self.number(depth - 1, names), Lit(type_.size, ANY)), ANY)
        return Apply("+", (rest, Lit(type_.lo, ANY)), type_)

    def cell(self, depth: int, names) -> Expr:
        match self.pick("inside", "maybe", "pick", "among") if depth > 0 else "inside":
            case "maybe":
                mark = Read("mark", (), MAYBE, self.when())
                return Cond(op("!=", mark, lit(MAYBE, MAYBE.hi)), mark, lit(CELL, 2), CELL)
            case "pick":
                binder = self.binder(CELL, depth, names, among=False)
                inside = [*names, (binder.name, CELL)]
                return Pick(binder, None, self.keys(depth, inside), CELL)
            case "among":
                table_index = (self.cell(depth - 1, names),)
                binder = Binder(self.name(), CELL, among=("near", table_index), descending=self.coin())
                found = Pick(binder, None, self.keys(depth, [*names, (binder.name, CELL)]), MAYBE)
                name = self.name()
                chosen = Cond(
                    op("==", Bound(name, MAYBE), lit(MAYBE, MAYBE.hi)), lit(CELL, 1), Bound(name, MAYBE), CELL
                )
                return Let(name, found, chosen, CELL)
            case _:
                return self.inside(CELL, depth, names)

    def keys(self, depth: int, names) -> tuple[Key, ...]:
        count = self.random.randint(0, 2)
        return tuple(Key(self.number(depth - 1, names), self.coin()) for _ in range(count))

    def binder(self, type_: Type, depth: int, names, *, among: bool = True) -> Binder:
        match self.pick("plain", "start", "down", "among", "turn among"):
            case "start":
                return Binder(self.name(), type_, start=self.of(type_, depth - 1, names))
            case "down":
                return Binder(self.name(), type_, descending=True)
            case "among" if among and type_ == CELL:
                return Binder(self.name(), type_, among=("near", (self.cell(depth - 1, names),)))
            case "turn among" if among and type_ == CELL:
                relation = ("near", (self.cell(depth - 1, names),))
                return Binder(self.name(), type_, start=self.cell(depth - 1, names), among=relation)
            case _:
                return Binder(self.name(), type_)

    def binders(self, depth: int, names):
        found, inside = [], list(names)
        for _ in range(self.random.randint(1, 2)):
            binder = self.binder(self.pick(CELL, PLAYER, BOOL), depth, inside)
            found.append(binder)
            inside.append((binder.name, binder.type))
        where = self.truth(depth - 1, inside) if self.coin() else None
        return tuple(found), where, inside

    def number(self, depth: int, names) -> Expr:
        if depth <= 0:
            return self.pick(Lit(self.random.randint(-2, 5), ANY), self.read("a", 0, names), self.read("row", 0, names))
        kind = self.pick(
            "read", "lookup", "+", "-", "*", "min", "max", "div", "mod", "if", "let", "fold", "call", "check"
        )
        match kind:
            case "read":
                return self.read(self.pick("row", "grid", "long", "one", "still"), depth, names)
            case "lookup":
                return Lookup("price", (self.cell(depth - 1, names), self.of(PLAYER, depth - 1, names)), ANY)
            case "if":
                test = self.truth(depth - 1, names)
                return Cond(test, self.number(depth - 1, names), self.number(depth - 1, names), ANY)
            case "let":
                name = self.name()
                inside = [*names, (name, CELL)]
                return Let(name, self.cell(depth - 1, names), self.number(depth - 1, inside), ANY)
            case "fold":
                binders, where, inside = self.binders(depth, names)
                kind = self.pick("count", "sum", "max", "min")
                body = Lit(1, ANY) if kind == "count" else self.number(depth - 1, inside)
                default = self.number(depth - 1, names) if kind in ("max", "min") else None
                return Fold(kind, binders, where, body, default, ANY)
            case "call":
                return Call("worth", (self.cell(depth - 1, names), self.truth(depth - 1, names)), ANY)
            case "check" if self.effects:
                return Checked(self.number(depth - 1, names), SMALL, span=HERE)
            case "div" | "mod":
                divisor = Apply("max", (self.number(depth - 1, names), Lit(1, ANY)), ANY)
                return Apply(kind, (self.number(depth - 1, names), self.pick(divisor, Lit(3, ANY))), ANY)
            case "check":
                return self.number(depth - 1, names)
            case _:
                return Apply(kind, (self.number(depth - 1, names), self.number(depth - 1, names)), ANY)

    def truth(self, depth: int, names) -> Expr:
        kinds = ("compare", "and", "or", "implies", "not", "fold", "unique", "near", "flag", "maybe", "call", "if")
        match self.pick(*kinds) if depth > 0 else self.pick("flat", "flag", "bound"):
            case "compare":
                sign = self.pick("==", "!=", "<", "<=", ">", ">=")
                return op(sign, self.number(depth - 1, names), self.number(depth - 1, names))
            case "and" | "or" as sign:
                return op(sign, *(self.truth(depth - 1, names) for _ in range(self.random.randint(2, 3))))
            case "implies":
                return op("implies", self.truth(depth - 1, names), self.truth(depth - 1, names))
            case "not":
                return op("not", self.truth(depth - 1, names))
            case "fold":
                binders, where, inside = self.binders(depth, names)
                return Fold(self.pick("all", "some"), binders, where, self.truth(depth - 1, inside), None, BOOL)
            case "unique":
                binders, where, inside = self.binders(depth, names)
                return Unique(binders, where, (self.number(depth - 1, inside), self.cell(depth - 1, inside)))
            case "near":
                return Lookup("near", (self.cell(depth - 1, names), self.cell(depth - 1, names)), BOOL)
            case "maybe":
                mark = Read("mark", (), MAYBE)
                asked = op(">", Read("row", (mark,), SMALL), self.number(depth - 1, names))
                there = op("!=", mark, lit(MAYBE, MAYBE.hi))
                return op(self.pick("and", "implies"), there, asked)
            case "call":
                return Call("fine", (), BOOL)
            case "if":
                return Cond(*(self.truth(depth - 1, names) for _ in range(3)), BOOL)
            case "bound" if any(each == BOOL for _, each in names):
                return self.pick(*(Bound(name, each) for name, each in names if each == BOOL))
            case "flat":
                return op("<", self.read("a", 0, names), Lit(2, ANY))
            case _:
                return self.read("flag", depth, names)

    def block(self, depth: int, names) -> tuple[Stmt, ...]:
        found: list[Stmt] = []
        names = list(names)
        for _ in range(self.random.randint(1, 3)):
            found.append(self.statement(depth, names))
            if isinstance(found[-1], Define):
                names.append((found[-1].name, CELL))
        return tuple(found)

    def statement(self, depth: int, names) -> Stmt:
        match self.pick("put", "put", "define", "branch", "loop", "together") if depth > 0 else "put":
            case "define":
                return Define(self.name(), self.cell(2, names))
            case "branch":
                other = self.block(depth - 1, names) if self.coin() else ()
                return Branch(self.truth(2, names), self.block(depth - 1, names), other)
            case "loop" | "together" as kind:
                binder = self.binder(self.pick(CELL, PLAYER), 2, names)
                inside = [*names, (binder.name, binder.type)]
                where = self.truth(2, inside) if self.coin() else None
                return Loop(binder, where, self.block(depth - 1, inside), kind == "together", span=HERE)
            case _:
                return self.assignment(names)

    def assignment(self, names) -> Stmt:
        variable = self.pick("a", "row", "grid", "long", "mark", "flag", "one", "stage")
        index, type_ = SHAPES.get(variable, ((), STAGE))
        at = tuple(self.of(each, 1, names) for each in index)
        adding = variable in ("a", "row", "grid", "long") and self.coin()
        mostly_inside = self.random.randint(0, 3) > 0
        value = self.number(2, names) if adding or not mostly_inside else self.of(type_, 2, names)
        if variable == "flag":
            value = self.truth(2, names)
        return put(variable, at, value, "add" if adding else "set", f"line {self.fresh}")


def random_game(seed: int) -> Game:
    """A game of three actions, with definitions, claims, a ranking and constant tables."""
    random = Random(seed)
    plain, doing, stepping = Drawer(random), Drawer(random, effects=True), Drawer(random, steps=True)
    fine = Def("fine", (), _without_calls(plain.truth(2, []), ("worth", "fine")))
    body = _without_calls(plain.number(2, [("c", CELL), ("b", BOOL)]), ("worth",))
    worth = Def("worth", (Parameter("c", CELL), Parameter("b", BOOL)), body)
    actions = []
    for name, kind in (("first", "action"), ("second", "action"), ("third", "chance")):
        types = random.choices([CELL, PLAYER, BOOL], k=random.randint(0, 2))
        params = tuple(Parameter(f"{name}{at}", each) for at, each in enumerate(types))
        names = [(param.name, param.type) for param in params]
        given = Given(f"{name}given", plain.cell(2, names))
        guard = (Require(plain.truth(2, names), f"{name}.1", span=HERE), given)
        inside = [*names, (given.name, CELL)]
        guard = (*guard, Require(plain.truth(2, inside), f"{name}.2", span=HERE))
        weight = plain.number(1, inside) if kind == "chance" else None
        stages = (1,) if kind == "chance" else random.choice([(0,), (0, 1)])
        actions.append(Action(name, kind, params, stages, guard, doing.block(2, inside), weight))
    near = random.choices([False, True], k=9)
    prices = random.choices(range(-3, 4), k=6)
    return game(
        "random", PLAYER, STAGE,
        stages=(Stage(0, "playing", "player", lit(PLAYER, 0)), Stage(1, "waiting", "chance", None), Stage(2, "over", "nobody", None)),
        variables=(
            var("stage", STAGE, lit(STAGE, 0)),
            *(var(name, type_, lit(type_, type_.lo), *index) for name, (index, type_) in SHAPES.items()),
        ),
        constants=(
            table("near", BOOL, (CELL, CELL), lambda a, b: near[(a - 1) * 3 + b - 1]),
            table("price", number(-3, 3), (CELL, PLAYER), lambda a, b: prices[(a - 1) * 2 + b]),
        ),
        defs=(fine, worth),
        actions=tuple(actions),
        claims=(Claim("sure", "invariant", plain.truth(3, [])), Claim("smooth", "step", stepping.truth(3, []))),
        rankings=(Ranking("shrinking", (plain.number(2, []), plain.number(2, []))),),
    )  # fmt: skip


def _without_calls(expr: Expr, names: tuple[str, ...]) -> Expr:
    """Replace calls of definitions that do not exist yet at this place."""
    if isinstance(expr, Call) and expr.definition in names:
        return lit(BOOL, 1) if expr.type == BOOL else Lit(1, ANY)
    return rebuild(expr, lambda part: _without_calls(part, names))
