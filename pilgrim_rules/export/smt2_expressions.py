"""SMT-LIB: core expressions as terms over a record `State`.

Reads:  core expressions in a scope.   Writes: terms, and the functions that they call, each after those that it calls itself.
After:  a value is its code, also a Boolean one. No quantifier is left: a fold is written out over the values of its binders, each value
        one call of a function, so that the text grows with the sum of the ranges and not with their product.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias, assert_never

from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.footprint import footprint
from pilgrim_rules.core.ir import (
    Apply,
    AskNetwork,
    Binder,
    Bound,
    Call,
    Checked,
    Cond,
    Constant,
    Expr,
    Fold,
    Let,
    Lit,
    Lookup,
    Operator,
    Pick,
    Read,
    Type,
    Unique,
    When,
)
from pilgrim_rules.core.operators import operator_table
from pilgrim_rules.core.walk import binder_parts, free_names
from pilgrim_rules.export.names import CannotExport, Names
from pilgrim_rules.export.rewrite import without_unique

HELPERS: Final = """\
(define-fun least ((a Int) (b Int)) Int (ite (<= a b) a b))
(define-fun greatest ((a Int) (b Int)) Int (ite (<= a b) b a))"""

_OPERATORS: Mapping[Operator, str] = operator_table(
    "SMT-LIB",
    {
        "+": "+", "-": "-", "*": "*", "div": "div", "mod": "mod", "min": "least", "max": "greatest",
        "==": "=", "!=": "distinct", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
        "and": "and", "or": "or", "not": "not", "implies": "=>",
    },
)  # fmt: skip
_CONNECTIVES: Final = ("and", "or", "not", "implies")
_WHEN: Final[tuple[When, ...]] = ("now", "old", "next")
Say: TypeAlias = Callable[["Scope"], str]


@dataclass(frozen=True, slots=True)
class Scope:
    """Where an expression stands: the states that it reads, and the names around it."""

    states: Mapping[When, str]
    names: Mapping[str, str] = field(default_factory=dict)

    def bind(self, name: str, text: str) -> Scope:
        """Return the scope in which a name of the rules stands for a term."""
        return replace(self, names={**self.names, name: text})


class Expressions:
    """Prints expressions of one game, and collects the functions that they need."""

    def __init__(self, declared: Declarations, names: Names) -> None:
        self.declared, self.names = declared, names
        self.fields = {name: names.fresh(name) for name in declared.variables}
        self.functions: list[str] = []
        self._made: dict[str, str] = {}

    def truth(self, expr: Expr, scope: Scope) -> str:
        """Return a Boolean expression as a formula."""
        text, formula = self._native(expr, scope)
        return text if formula else f"(= {text} 1)"

    def code(self, expr: Expr, scope: Scope) -> str:
        """Return an expression as the number that its value is coded by."""
        text, formula = self._native(expr, scope)
        return f"(ite {text} 1 0)" if formula else text

    def own(self, expr: Expr, scope: Scope) -> str:
        """Return an expression as what it is."""
        return (self.truth if expr.type.kind == "bool" else self.code)(expr, scope)

    def place(self, index: Sequence[Type], codes: Sequence[str]) -> str:
        """Return the number of a cell of a table."""
        found = ""
        for type_, code in zip(index, codes, strict=True):
            here = code if type_.lo == 0 else f"(- {code} {number(type_.lo)})"
            found = f"(+ (* {found} {type_.size}) {here})" if found else here
        return found

    def times(self, exprs: Sequence[Expr]) -> list[When]:
        """Return which states expressions read, through definitions too."""
        found = {when for _, when in footprint(exprs, self.declared.defs).reads}
        return [when for when in _WHEN if when in found]

    def lift(
        self, wish: str, sort: str, exprs: Sequence[Expr], scope: Scope, own: Mapping[str, str], body: Say
    ) -> Callable[..., str]:
        """Make a function of what expressions take from outside, and of names of its own; return how to call it.

        own   sorts of its own names, which the caller gives when calling.
        """
        times = self.times(exprs)
        free = sorted(set().union(*map(free_names, exprs)) - own.keys() & scope.names.keys() - own.keys())
        states = {when: self.names.fresh(when) for when in times}
        names = {name: self.names.fresh(name) for name in (*free, *own)}
        text = body(Scope(states, names))
        heads = [f"({states[when]} State)" for when in times]
        heads += [f"({names[name]} Int)" for name in free]
        heads += [f"({names[name]} {sort_})" for name, sort_ in own.items()]
        made = self.names.fresh(wish)
        self.functions.append(f"(define-fun {made} ({' '.join(heads)}) {sort} {text})")
        given = [*(scope.states[when] for when in times), *(scope.names[name] for name in free)]
        return lambda *args: call(made, *given, *args)

    def order(self, binder: Binder, scope: Scope) -> list[str]:
        """Return the values of a binder's type in its order."""
        type_ = binder.type
        values = range(type_.lo, bounded(type_).hi + 1)
        if binder.start is None:
            return [number(value) for value in (reversed(values) if binder.descending else values)]
        start = self.code(binder.start, scope)
        lo = number(type_.lo)
        return [f"(+ {lo} (mod (+ (- {start} {lo}) {at}) {type_.size}))" for at in range(type_.size)]

    def among(self, binder: Binder, value: str, scope: Scope) -> list[str]:
        """Return what else a value must satisfy to be one of a binder's."""
        if binder.among is None:
            return []
        table, index = binder.among
        return [f"(= {self._table(table)([*(self.code(each, scope) for each in index), value])} 1)"]

    # ------------------------------------------------------------------------------------------------------- by node

    def _native(self, expr: Expr, scope: Scope) -> tuple[str, bool]:
        """Return the text, and whether it is a formula."""
        match expr:
            case Lit(value=value, type=type_):
                return (("false", "true")[value], True) if type_.kind == "bool" else (number(value), False)
            case Bound(name=name):
                return scope.names[name], False
            case Read(variable=variable, index=index, when=when):
                whole = f"({self.fields[variable]} {scope.states[when]})"
                types = self.declared.variables[variable].index
                at = self.place(types, [self.code(each, scope) for each in index])
                return (f"(select {whole} {at})" if index else whole), False
            case Lookup(table=table, index=index):
                return self._table(table)([self.code(each, scope) for each in index]), False
            case Apply(op=op, args=args, type=type_):
                say = self.truth if op in _CONNECTIVES else self.code
                parts = [say(arg, scope) for arg in args]
                if op in ("min", "max"):
                    text = parts[-1]
                    for part in reversed(parts[:-1]):
                        text = f"({_OPERATORS[op]} {part} {text})"
                    return text, False
                return f"({_OPERATORS[op]} {' '.join(parts)})", type_.kind == "bool"
            case Cond(test=test, then=then, other=other, type=type_):
                say = self.truth if type_.kind == "bool" else self.code
                text = f"(ite {self.truth(test, scope)} {say(then, scope)} {say(other, scope)})"
                return text, type_.kind == "bool"
            case Let(name=name, value=value_, body=body, type=type_):
                own = self.names.fresh(name)
                say = self.truth if type_.kind == "bool" else self.code
                return (
                    f"(let (({own} {self.code(value_, scope)})) {say(body, scope.bind(name, own))})",
                    type_.kind == "bool",
                )
            case Checked(value=value_):
                return self._native(value_, scope)
            case Unique():
                return self._native(without_unique(expr), scope)
            case Fold():
                return self._fold(expr, scope), expr.op in ("all", "some")
            case Pick():
                return self._pick(expr, scope), False
            case Call(definition=name, args=args):
                return self._call(name, [self.code(arg, scope) for arg in args], scope)
            case AskNetwork(network=network):
                raise CannotExport(f"SMT-LIB has no networks, and `{network}` is asked")
            case _:
                assert_never(expr)

    def _call(self, name: str, args: Sequence[str], scope: Scope) -> tuple[str, bool]:
        definition = self.declared.defs[name]
        times = self.times((definition.body,))
        boolean = definition.body.type.kind == "bool"
        if name not in self._made:
            states = {when: self.names.fresh(when) for when in times}
            own = {param.name: self.names.fresh(param.name) for param in definition.params}
            body = self.own(definition.body, Scope(states, own))
            heads = [*(f"({each} State)" for each in states.values()), *(f"({each} Int)" for each in own.values())]
            self._made[name] = self.names.fresh(name)
            sort = "Bool" if boolean else "Int"
            self.functions.append(f"(define-fun {self._made[name]} ({' '.join(heads)}) {sort} {body})")
        return call(self._made[name], *(scope.states[when] for when in times), *args), boolean

    def _table(self, name: str) -> Callable[[Sequence[str]], str]:
        constant = self.declared.constants[name]
        if not constant.index:
            return lambda _args: number(constant.values[0])
        key = f"table {name}"
        if key not in self._made:
            self._made[key] = self.names.fresh(name)
            self.functions.append(f"(define-fun {self._made[key]} ((at Int)) Int {_cases(constant)})")
        return lambda args: f"({self._made[key]} {self.place(constant.index, args)})"

    # ---------------------------------------------------------------------------------------------------------- folds

    def _fold(self, expr: Fold, scope: Scope) -> str:
        """Return a fold over its first binder; what is inside is a fold over the others."""
        if expr.op in ("max", "min"):
            return self._extreme(expr, scope)
        first, rest = expr.binders[0], expr.binders[1:]
        boolean = expr.op in ("all", "some")
        inside: Expr = replace(expr, binders=rest, default=None) if rest else expr.body
        parts = [*binder_parts(first), inside, *([] if rest or expr.where is None else [expr.where])]
        nothing = {"all": "true", "some": "false"}.get(expr.op, "0")

        def one(inner: Scope) -> str:
            value = inner.names[first.name]
            tests = self.among(first, value, inner)
            tests += [] if rest or expr.where is None else [self.truth(expr.where, inner)]
            body = (self.truth if boolean else self.code)(inside, inner)
            return f"(ite {both(tests)} {body} {nothing})" if tests else body

        make = self.lift(f"{expr.op}_of", "Bool" if boolean else "Int", parts, scope, {first.name: "Int"}, one)
        items = [make(value) for value in self.order(replace(first, start=None), scope)]
        word = {"all": "and", "some": "or"}.get(expr.op, "+")
        return items[0] if len(items) == 1 else f"({word} {' '.join(items)})"

    def _extreme(self, expr: Fold, scope: Scope) -> str:
        """Return the greatest or least: a chain of choices, from a number that no value has."""
        none = number(expr.body.type.lo - 1)
        sign = ">" if expr.op == "max" else "<"

        def chain(at: int, inner: Scope, known: str) -> str:
            if at == len(expr.binders):
                better = self.names.fresh("item")
                body = self.code(expr.body, inner)
                text = f"(let (({better} {body})) (ite (or (= {known} {none}) ({sign} {better} {known})) {better} {known}))"
                return text if expr.where is None else f"(ite {self.truth(expr.where, inner)} {text} {known})"
            binder = expr.binders[at]
            left = replace(expr, binders=expr.binders[at + 1 :], default=None) if expr.binders[at + 1 :] else None
            parts = [*binder_parts(binder), expr.body, *([] if expr.where is None else [expr.where])]
            parts += [] if left is None else [left]

            def one(own: Scope) -> str:
                text = chain(at + 1, own, own.names["known so far"])
                tests = self.among(binder, own.names[binder.name], own)
                return f"(ite {both(tests)} {text} {own.names['known so far']})" if tests else text

            make = self.lift("best_of", "Int", parts, inner, {"known so far": "Int", binder.name: "Int"}, one)
            for value in self.order(replace(binder, start=None), inner):
                known = make(known, value)
            return known

        best = self.names.fresh("best")
        otherwise = none if expr.default is None else self.code(expr.default, scope)
        return f"(let (({best} {chain(0, scope, none)})) (ite (= {best} {none}) {otherwise} {best}))"

    def _pick(self, expr: Pick, scope: Scope) -> str:
        binder, none = expr.binder, number(expr.binder.type.lo - 1)
        parts = [
            *binder_parts(binder),
            *(key.value for key in expr.keys),
            *([] if expr.where is None else [expr.where]),
        ]

        def one(own: Scope) -> str:
            value, known = own.names[binder.name], own.names["known so far"]
            better = "false"
            for key in reversed(expr.keys):
                mine, theirs = (self.code(key.value, own.bind(binder.name, each)) for each in (value, known))
                sign = ">" if key.descending else "<"
                better = f"(or ({sign} {mine} {theirs}) (and (= {mine} {theirs}) {better}))"
            tests = self.among(binder, value, own)
            tests += [] if expr.where is None else [self.truth(expr.where, own)]
            return f"(ite {both([*tests, f'(or (= {known} {none}) {better})'])} {value} {known})"

        make = self.lift("first_of", "Int", parts, scope, {"known so far": "Int", binder.name: "Int"}, one)
        found = none
        for value in self.order(binder, scope):
            found = make(found, value)
        chosen = self.names.fresh("chosen")
        return f"(let (({chosen} {found})) (ite (= {chosen} {none}) {number(expr.type.hi)} {chosen}))"


def _cases(constant: Constant) -> str:
    cells: dict[int, list[str]] = {}
    for at, value in enumerate(constant.values):
        cells.setdefault(value, []).append(f"(= at {at})")
    common = max(cells, key=lambda value: len(cells[value]))
    text = number(common)
    for value, tests in cells.items():
        if value != common:
            text = f"(ite {tests[0] if len(tests) == 1 else '(or ' + ' '.join(tests) + ')'} {number(value)} {text})"
    return text


def both(tests: Sequence[str]) -> str:
    """Return a conjunction."""
    return "true" if not tests else tests[0] if len(tests) == 1 else f"(and {' '.join(tests)})"


def call(name: str, *args: str) -> str:
    """Return a call of a function."""
    return f"({name} {' '.join(args)})" if args else name


def bounded(type_: Type) -> Type:
    """Return a type that has an upper end."""
    if type_.is_open:
        raise CannotExport(f"`{type_.name}` has no upper end, and something ranges over it")
    return type_


def number(value: int) -> str:
    """Return a number; SMT-LIB has no literals below zero."""
    return str(value) if value >= 0 else f"(- {-value})"
