"""Random core games: one generator, for many vocabularies, drawn by hypothesis (which shrinks) or from a seed.

A `Vocabulary` says which variables and tables there are. Every expression is well typed and total, as the checker
guarantees for games that come from text: an index is always of the type of its table, a divisor is always positive, and what
may be none is used only behind a test. What may go wrong is what may go wrong in a game: a value leaves its range, a cell is
written twice at once.

`games` draws games of many types, too large to be searched; `random_game` gives small ones that can be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from random import Random
from typing import Protocol, TypeVar

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
from pilgrim_rules.core.walk import free_names
from tests.support.core_builder import HERE, eq, game, none, number, op
from tests.support.vocabularies import LARGE, SMALL, Vocabulary

T = TypeVar("T")
INT = number(-(10**6), 10**6)
Names = dict[str, Type]


class Choices(Protocol):
    """Where decisions come from."""

    def pick(self, options: Sequence[T]) -> T: ...

    def whole(self, lo: int, hi: int) -> int: ...


@dataclass(frozen=True, slots=True)
class Drawn:
    """Decisions of hypothesis."""

    draw: Callable

    def pick(self, options: Sequence[T]) -> T:
        return self.draw(st.sampled_from(options))

    def whole(self, lo: int, hi: int) -> int:
        return self.draw(st.integers(lo, hi))


@dataclass(frozen=True, slots=True)
class Seeded:
    """Decisions of a seed."""

    random: Random

    def pick(self, options: Sequence[T]) -> T:
        return self.random.choice(options)

    def whole(self, lo: int, hi: int) -> int:
        return self.random.randint(lo, hi)


@st.composite
def games(draw, words: Vocabulary = LARGE) -> Game:
    """Draw a whole game."""
    return Writer(Drawn(draw), words).game()


def random_game(seed: int, words: Vocabulary = SMALL) -> Game:
    """Return the game of a seed."""
    return Writer(Seeded(Random(seed)), words).game()


@st.composite
def positions(draw, words: Vocabulary = LARGE) -> dict[str, list[int]]:
    """Draw a well-typed position, reachable or not."""
    found = {}
    for variable in words.variables:
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


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes expressions, statements and actions. `mode`: guard, effect (old values, checks) or step (next values)."""

    choices: Choices
    words: Vocabulary
    mode: str = "guard"
    defs: tuple[Def, ...] = ()
    numbers: count[int] = field(default_factory=lambda: count(1))

    def coin(self) -> bool:
        return self.choices.pick((False, True))

    def name(self) -> str:
        """Return a name: one of a few, so that names hide each other, or a new one."""
        return self.choices.pick(("x", "y", "z", "p")) if self.words.hides else f"x{next(self.numbers)}"

    # expressions ---------------------------------------------------------------------------------------------------

    def expr(self, type_: Type, names: Names, depth: int) -> Expr:
        """Return an expression of a type."""
        kinds = ["lit"] + ["bound"] * 3 * any(kind == type_ for kind in names.values())
        if depth <= 0:
            return self._leaf(self.choices.pick(kinds), type_, names)
        kinds += ["cond", "let"]
        kinds += ["pick"] if type_ in self.words.indexable else []
        kinds += ["read"] * 4 * any(each.type == type_ for each in self.words.variables)
        kinds += ["lookup"] * 2 * any(each.type == type_ for each in self.words.constants)
        kinds += ["call"] * 2 * any(each.body.type == type_ for each in self.defs)
        kinds += ["some"] * any(each.parts[:1] == (type_,) for each in self.words.indexable if each.kind == "optional")
        kinds += ["within"] if type_.kind == "int" and type_ != INT else []
        kinds += ["checked"] if self.mode == "effect" and type_.kind == "int" and type_ != INT else []
        kinds += ["arithmetic"] * 6 + ["aggregate"] * 3 if type_ == INT else []
        if type_ == BOOL:
            kinds += ["compare"] * 4 + ["connect"] * 4 + ["quantify"] * 3 + ["unique", "guarded", "relation"]
        return self._node(self.choices.pick(kinds), type_, names, depth - 1)

    def _node(self, kind: str, type_: Type, names: Names, depth: int) -> Expr:
        pick = self.choices.pick
        match kind:
            case "cond":
                return Cond(self.expr(BOOL, names, depth), *(self.expr(type_, names, depth) for _ in range(2)), type_)
            case "let":
                name, kind_ = self.name(), pick((*self.words.indexable, INT))
                return Let(name, self.expr(kind_, names, depth), self.expr(type_, {**names, name: kind_}, depth), type_)
            case "pick":
                return self._pick(type_, names, depth)
            case "read":
                variable = pick([each for each in self.words.variables if each.type == type_])
                when = pick({"guard": ("now",), "effect": ("now", "now", "old"), "step": ("now", "next")}[self.mode])
                return Read(variable.name, tuple(self.expr(each, names, depth) for each in variable.index), type_, when)
            case "lookup":
                constant = pick([each for each in self.words.constants if each.type == type_])
                return Lookup(constant.name, tuple(self.expr(each, names, depth) for each in constant.index), type_)
            case "call":
                called = pick([each for each in self.defs if each.body.type == type_])
                return Call(called.name, tuple(self.expr(param.type, names, depth) for param in called.params), type_)
            case "some":  # a value that may be none, where it is none another
                optional = next(each for each in self.words.indexable if each.parts[:1] == (type_,))
                name = self.name()
                there = op("!=", Bound(name, optional), none(optional))
                inner = {**names, name: optional}  # which may hide a name of another type
                chosen = Cond(there, Bound(name, optional), self.expr(type_, inner, depth), type_)
                return Let(name, self.expr(optional, names, depth), chosen, type_)
            case "within":  # a number that always lies inside the type
                rest = Apply("mod", (self.expr(INT, names, depth), Lit(type_.size, INT)), INT)
                return Apply("+", (rest, Lit(type_.lo, INT)), type_)
            case "checked":
                return Checked(
                    self.expr(INT, names, depth), type_, span=replace(HERE, end=self.choices.whole(1, 10**6))
                )
            case "arithmetic":
                return self._arithmetic(names, depth)
            case "aggregate":
                return self._aggregate(names, depth)
            case "compare" | "connect" | "quantify" | "unique" | "guarded" | "relation":
                return self._truth(kind, names, depth)
            case _:
                return self._leaf(kind, type_, names)

    def _leaf(self, kind: str, type_: Type, names: Names) -> Expr:
        if kind == "bound":
            return Bound(self.choices.pick([name for name, each in names.items() if each == type_]), type_)
        lo, hi = (-9, 9) if type_ == INT else (type_.lo, type_.hi)
        return Lit(self.choices.whole(lo, hi), type_)

    def _arithmetic(self, names: Names, depth: int) -> Expr:
        sign = self.choices.pick(("+", "-", "*", "div", "mod", "min", "max", "widen"))
        if sign == "widen":  # a number of a narrower type stands for itself
            return self.expr(self.choices.pick(self.words.numbers), names, depth)
        if sign in ("div", "mod"):
            least = Apply("max", (self.expr(INT, names, depth), Lit(self.choices.whole(1, 5), INT)), INT)
            divisor = self.choices.pick((least, Lit(self.choices.whole(1, 5), INT)))
            return Apply(sign, (self.expr(INT, names, depth), divisor), INT)
        if sign == "*":  # products stay small
            return Apply(sign, tuple(self.expr(self.words.numbers[0], names, depth) for _ in range(2)), INT)
        parts = self.choices.whole(2, 3) if sign in ("min", "max") else 2
        return Apply(sign, tuple(self.expr(INT, names, depth) for _ in range(parts)), INT)

    def _aggregate(self, names: Names, depth: int) -> Expr:
        kind = self.choices.pick(("count", "sum", "max", "min"))
        binders, inner = self.binders(names, depth)
        where = self.expr(BOOL, inner, depth) if kind == "count" or self.coin() else None
        body = Lit(1, INT) if kind == "count" else self.expr(INT, inner, depth)
        default = self.expr(INT, names, depth) if kind in ("max", "min") else None
        return Fold(kind, binders, where, body, default, INT)

    def _truth(self, kind: str, names: Names, depth: int) -> Expr:
        pick = self.choices.pick
        match kind:
            case "compare" if self.coin():
                sign = pick(("==", "!=", "<", "<=", ">", ">="))
                return Apply(sign, (self.expr(INT, names, depth), self.expr(INT, names, depth)), BOOL)
            case "compare":
                type_ = pick(self.words.values)
                return Apply(pick(("==", "!=")), (self.expr(type_, names, depth), self.expr(type_, names, depth)), BOOL)
            case "connect":
                sign, parts = pick((("and", 2), ("or", 2), ("and", 3), ("or", 3), ("not", 1), ("implies", 2)))
                return Apply(sign, tuple(self.expr(BOOL, names, depth) for _ in range(parts)), BOOL)
            case "relation":
                relation, *index = pick(self.words.relations)
                return Lookup(relation, tuple(self.expr(each, names, depth) for each in index), BOOL)
            case "guarded":  # what may be none is an index behind a test that it is some
                variable, optional = self.words.guarded
                index = Read(optional.name, (), optional.type)
                asked = op(">", Read(variable.name, (index,), variable.type), self.expr(INT, names, depth))
                return op(pick(("and", "implies")), op("!=", index, none(optional.type)), asked)
        binders, inner = self.binders(names, depth)
        where = self.expr(BOOL, inner, depth) if self.coin() else None
        if kind == "unique":
            return Unique(binders, where, tuple(self.expr(INT, inner, depth) for _ in range(self.choices.whole(1, 2))))
        return Fold(pick(("all", "some")), binders, where, self.expr(BOOL, inner, depth), None, BOOL)

    # binders -------------------------------------------------------------------------------------------------------

    def binder(self, names: Names, depth: int, type_: Type | None = None) -> Binder:
        """Return a binder over a type, in one of the orders, over all values or those of a relation."""
        relations = [each for each in self.words.relations if each[-1] == type_ or type_ is None]
        if relations and self.choices.whole(0, 3) == 0:
            relation, *index, target = self.choices.pick(relations)
            among = (relation, tuple(self.expr(each, names, depth) for each in index))
            start = self.expr(target, names, depth) if self.choices.whole(0, 2) == 0 else None
            return Binder(self.name(), target, start, start is None and self.coin(), among)
        kind = type_ or self.choices.pick(self.words.ranged)
        order = self.choices.pick(("up", "down", "turn"))
        return Binder(self.name(), kind, self.expr(kind, names, depth) if order == "turn" else None, order == "down")

    def binders(self, names: Names, depth: int) -> tuple[tuple[Binder, ...], Names]:
        """Return one or two binders, and the names behind them; the second may look at the first."""
        first = self.binder(names, depth)
        inner = {**names, first.name: first.type}
        if self.choices.whole(0, 2):
            return (first,), inner
        second = replace(self.binder(inner, depth), name="q" if self.words.hides else self.name())
        return (first, second), {**inner, second.name: second.type}

    def _pick(self, type_: Type, names: Names, depth: int) -> Expr:
        optional = type_.kind == "optional"
        domain = type_.parts[0] if optional else type_
        binder = self.binder(names, depth, domain)
        binder = binder if optional else replace(binder, among=None)  # there is always one
        inner = {**names, binder.name: domain}
        where = self.expr(BOOL, inner, depth) if optional else None
        keys = (Key(self.expr(INT, inner, depth), self.coin()) for _ in range(self.choices.whole(0, 2)))
        return Pick(binder, where, tuple(keys), type_)

    # statements and actions ----------------------------------------------------------------------------------------

    def block(self, names: Names, depth: int) -> tuple[Stmt, ...]:
        """Return statements."""
        found: list[Stmt] = []
        names = dict(names)
        for _ in range(self.choices.whole(1, 3)):
            match self.choices.pick(["assign"] * 4 + ["define"] + ["branch", "loop", "loop", "loop"] * (depth > 0)):
                case "assign":
                    found.append(self._assign(names))
                case "define":
                    name, kind = self.name(), self.choices.pick((*self.words.indexable, INT))
                    found.append(Define(name, self.expr(kind, names, 2)))
                    names[name] = kind
                case "branch":
                    other = self.block(names, depth - 1) if self.coin() else ()
                    found.append(Branch(self.expr(BOOL, names, 2), self.block(names, depth - 1), other))
                case _:
                    binder = replace(self.binder(names, 1), name=f"loop{depth}")  # loops never hide each other
                    inner = {**names, binder.name: binder.type}
                    where = self.expr(BOOL, inner, 2) if self.coin() else None
                    found.append(Loop(binder, where, self.block(inner, depth - 1), self.coin(), span=HERE))
        return tuple(found)

    def _assign(self, names: Names) -> Stmt:
        variable = self.choices.pick([each for each in self.words.variables if each.name in self.words.written])
        index = tuple(self.expr(kind, names, 1) for kind in variable.index)
        integral = variable.type.kind == "int"
        mode = self.choices.pick(("set", "set", "add")) if integral else "set"
        inside = (variable.type,) * 3  # mostly, so that play goes on
        kind = self.choices.pick((INT, *inside)) if integral else variable.type
        key = f"line.{self.choices.whole(0, 10**9)}"
        return Assign(variable.name, index, mode, self.expr(kind, names, 3), key, span=HERE)  # type: ignore[arg-type]

    def action(self, name: str, kind: str, stages: tuple[int, ...]) -> Action:
        """Return an action whose guard mixes tests, names, equalities and relations."""
        types = [self.choices.pick(self.words.indexable) for _ in range(self.choices.whole(0, self.words.most_params))]
        params = tuple(Parameter(f"{name}{at}", type_) for at, type_ in enumerate(types))
        names = {param.name: param.type for param in params}
        guard: list[Require | Given] = []
        for at in range(self.choices.whole(0, 4)):
            line = self._guard_line(f"{name}.{at}", params, names)
            if isinstance(line, Given):
                names[line.name] = line.value.type if line.value.type in (*self.words.indexable, INT) else INT
            guard.append(line)
        weight = self.expr(self.words.numbers[0], names, 2) if kind == "chance" else None
        body = replace(self, mode="effect").block(names, 2)
        return Action(name, kind, params, stages, tuple(guard), body, weight)  # type: ignore[arg-type]

    def _guard_line(self, key: str, params: Sequence[Parameter], names: Names) -> Require | Given:
        match self.choices.pick(("test", "given", "equal", "relation")):
            case "given":
                return Given(f"given {key}", self.expr(self.choices.pick((*self.words.indexable, INT)), names, 2))
            case "equal" if params:
                param = self.choices.pick(params)
                sides = (Bound(param.name, param.type), self.expr(param.type, names, 2))
                return Require(eq(*(sides if self.coin() else sides[::-1])), key, span=HERE)
            case "relation":
                return Require(self._truth("relation", names, 1), key, span=HERE)
            case _:
                return Require(self.expr(BOOL, names, 3), key, span=HERE)

    def game(self) -> Game:
        """Return a whole game."""
        writer = self
        for at in range(self.choices.whole(0, 3)):
            writer = replace(writer, defs=(*writer.defs, writer._definition(f"def {at}")))
        return writer._whole()

    def _definition(self, name: str) -> Def:
        types = [self.choices.pick(self.words.indexable) for _ in range(self.choices.whole(0, 2))]
        params = tuple(Parameter(name, type_) for name, type_ in zip(("a", "b"), types, strict=False))
        result = self.choices.pick((BOOL, INT, *self.words.indexable))
        body = self.expr(result, {param.name: param.type for param in params}, 3)
        body = body if body.type == result else Cond(Lit(1, BOOL), body, body, result)  # a wider name for the type
        return Def(name, params, body)

    def _whole(self) -> Game:
        words = self.words
        line = self.expr(INT, {"who": words.player}, 3)
        down = tuple(self.expr(INT, {}, 2) for _ in range(self.choices.whole(1, 2)))
        kinds = (("first", "action", ((0,),)), ("second", "action", ((0,), (0, 1))), ("third", "chance", ((1,),)))
        return game(
            "random", words.player, words.stage,
            stages=(
                Stage(0, words.stage.labels[0], "player", self.expr(words.player, {}, 2)),
                Stage(1, words.stage.labels[1], "chance", None),
                Stage(2, words.stage.labels[2], "nobody", None),
            ),
            variables=words.variables,
            constants=words.constants,
            defs=self.defs,
            actions=tuple(self.action(name, kind, self.choices.pick(stages)) for name, kind, stages in kinds),
            claims=(
                Claim("sure", "invariant", self.expr(BOOL, {}, 4)),
                Claim("smooth", "step", replace(self, mode="step").expr(BOOL, {}, 3)),
            ),
            rankings=(Ranking("down", down if not any(map(free_names, down)) else (Lit(0, INT),)),),
            score=ScoreSheet("who", (ScoreLine("Line", line),), 1, (Key(line, True), Key(line, False)), False),
        )  # fmt: skip
