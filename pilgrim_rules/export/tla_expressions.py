"""TLA+: core expressions as expressions of TLA+.

Reads:  core expressions in a scope.   Writes: text.
After:  every name that is bound is bound once in the whole module, which TLA+ asks for.

A value is its code, also a Boolean one; a formula is turned into a code, and a code into a formula, where the other is wanted. Reads name
the state that they look at, so a definition is an operator with the state as its first argument.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, assert_never

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
)
from pilgrim_rules.core.operators import operator_table
from pilgrim_rules.export.names import CannotExport, Names

#: Operators of ours, each with what it means.
HELPERS: Final = """\
Code(b) == IF b THEN 1 ELSE 0
Min(a, b) == IF a <= b THEN a ELSE b
Max(a, b) == IF a <= b THEN b ELSE a
LeastOf(S, otherwise) == IF S = {} THEN otherwise ELSE CHOOSE m \\in S : \\A o \\in S : m <= o
GreatestOf(S, otherwise) == IF S = {} THEN otherwise ELSE CHOOSE m \\in S : \\A o \\in S : o <= m
RECURSIVE SumOver(_, _)
SumOver(f, S) == IF S = {} THEN 0 ELSE LET x == CHOOSE x \\in S : TRUE IN f[x] + SumOver(f, S \\ {x})
SumOf(f) == SumOver(f, DOMAIN f)
RECURSIVE NotAfter(_, _, _)
NotAfter(a, b, i) == IF i > Len(a) THEN TRUE ELSE IF a[i] = b[i] THEN NotAfter(a, b, i + 1) ELSE a[i] < b[i]
FirstBy(f) == CHOOSE v \\in DOMAIN f : \\A w \\in DOMAIN f : NotAfter(f[v], f[w], 1)
"""

_OPERATORS: Mapping[Operator, str] = operator_table(
    "TLA+",
    {
        "+": "+", "-": "-", "*": "*", "div": "\\div", "mod": "%", "min": "Min", "max": "Max",
        "==": "=", "!=": "#", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
        "and": "/\\", "or": "\\/", "not": "~", "implies": "=>",
    },
)  # fmt: skip
AND: Final = " /\\ "
_CONNECTIVES: Final = ("and", "or", "not", "implies")


@dataclass(frozen=True, slots=True)
class Scope:
    """Where an expression stands: the state that it reads, those before and after the step, and the names around it."""

    now: str
    old: str = ""
    next: str = ""
    names: Mapping[str, str] = field(default_factory=dict)

    def bind(self, name: str, text: str) -> Scope:
        """Return the scope in which a name of the rules has an identifier."""
        return replace(self, names={**self.names, name: text})


@dataclass(frozen=True, slots=True)
class Chosen:
    """What binders range over, as one set, and how a member of it is taken apart.

    member  its identifier.    parts  definitions of the binders' names, empty if the member is the value itself.
    """

    set: str
    member: str
    parts: str
    scope: Scope

    def of(self, text: str) -> str:
        """Return a text about the names, as one about the member."""
        return f"(LET {self.parts} IN {text})" if self.parts else text


class Expressions:
    """Prints expressions of one game."""

    def __init__(self, declared: Declarations, names: Names) -> None:
        self.declared = declared
        self.names = names
        taken = Names(())
        self.fields = {name: taken.fresh(name) for name in declared.variables}
        self.operators = {f"def {name}": names.fresh(name) for name in declared.defs}
        self.operators |= {f"table {name}": names.fresh(name) for name in declared.constants}

    def looks_back(self, definition: str) -> bool:
        """Tell whether a definition reads the state before the action."""
        found = footprint((self.declared.defs[definition].body,), self.declared.defs).reads
        return any(when == "old" for _, when in found)

    def truth(self, expr: Expr, scope: Scope) -> str:
        """Return a Boolean expression as a formula."""
        text, formula = self._native(expr, scope)
        return text if formula else f"({text} = 1)"

    def code(self, expr: Expr, scope: Scope) -> str:
        """Return an expression as the number that its value is coded by."""
        text, formula = self._native(expr, scope)
        return f"Code({text})" if formula else text

    def relation(self, table: str, index: Sequence[str]) -> str:
        """Return that a constant relation holds."""
        return f"({self.operators[f'table {table}']}({', '.join(index)}) = 1)"

    def conditions(self, binder: Binder, value: str, scope: Scope) -> list[str]:
        """Return what else a value of a binder's type must satisfy to be one of the binder's."""
        if binder.among is None:
            return []
        table, index = binder.among
        return [self.relation(table, [*(self.code(each, scope) for each in index), value])]

    def order(self, binder: Binder, value: str, scope: Scope) -> str:
        """Return a number that grows in the binder's order."""
        if binder.start is not None:
            return f"(({value} - {self.code(binder.start, scope)}) % {binder.type.size})"
        return f"(-{value})" if binder.descending else value

    # ------------------------------------------------------------------------------------------------------- by node

    def _native(self, expr: Expr, scope: Scope) -> tuple[str, bool]:
        """Return the text, and whether it is a formula."""
        match expr:
            case Lit(value=value, type=type_):
                return (("FALSE", "TRUE")[value], True) if type_.kind == "bool" else (number(value), False)
            case Bound(name=name):
                return scope.names[name], False
            case Read(variable=variable, index=index, when=when):
                state = {"now": scope.now, "old": scope.old, "next": scope.next}[when]
                return f"{state}.{self.fields[variable]}{self._at(index, scope)}", False
            case Lookup(table=table, index=index):
                args = ", ".join(self.code(each, scope) for each in index)
                name = self.operators[f"table {table}"]
                return f"{name}({args})" if index else name, False
            case Apply():
                return self._apply(expr, scope)
            case Cond(test=test, then=then, other=other, type=type_):
                say = self.truth if type_.kind == "bool" else self.code
                text = f"(IF {self.truth(test, scope)} THEN {say(then, scope)} ELSE {say(other, scope)})"
                return text, type_.kind == "bool"
            case Let(name=name, value=value_, body=body, type=type_):
                own = self.names.fresh(name)
                say = self.truth if type_.kind == "bool" else self.code
                inner = say(body, scope.bind(name, own))
                return f"(LET {own} == {self.code(value_, scope)} IN {inner})", type_.kind == "bool"
            case Checked(value=value_):
                return self._native(value_, scope)
            case Fold():
                return self._fold(expr, scope)
            case Unique(binders=binders, where=where, keys=keys):
                chosen, all_ = self._chosen(binders, where, scope), self.names.fresh("all")
                rows = chosen.of(f"<<{', '.join(self.code(key, chosen.scope) for key in keys)}>>")
                values = f"{{{rows} : {chosen.member} \\in {all_}}}"
                return f"(LET {all_} == {chosen.set} IN Cardinality({values}) = Cardinality({all_}))", True
            case Pick(binder=binder, where=where, keys=keys_, type=type_):
                chosen, all_ = self._chosen((binder,), where, scope), self.names.fresh("all")
                signs = ("-" if key.descending else "" for key in keys_)
                row = [f"({sign}{self.code(key.value, chosen.scope)})" for sign, key in zip(signs, keys_, strict=True)]
                row.append(self.order(binder, chosen.member, scope))
                first = f"FirstBy([{chosen.member} \\in {all_} |-> <<{', '.join(row)}>>])"
                return f"(LET {all_} == {chosen.set} IN IF {all_} = {{}} THEN {number(type_.hi)} ELSE {first})", False
            case Call(definition=name, args=args):
                states = [scope.now, *([scope.old] if self.looks_back(name) else [])]
                given = ", ".join([*states, *(self.code(arg, scope) for arg in args)])
                boolean = self.declared.defs[name].body.type.kind == "bool"
                return f"{self.operators[f'def {name}']}({given})", boolean
            case AskNetwork(network=network):
                raise CannotExport(f"TLA+ has no networks, and `{network}` is asked")
            case _:
                assert_never(expr)

    def _at(self, index: Sequence[Expr], scope: Scope) -> str:
        return "".join(f"[{self.code(each, scope)}]" for each in index)

    def _apply(self, expr: Apply, scope: Scope) -> tuple[str, bool]:
        word = _OPERATORS[expr.op]
        if expr.op in _CONNECTIVES:
            parts = [self.truth(arg, scope) for arg in expr.args]
            return (f"~({parts[0]})" if expr.op == "not" else f"({f' {word} '.join(parts)})"), True
        values = [self.code(arg, scope) for arg in expr.args]
        if expr.op in ("min", "max"):
            text = values[-1]
            for value in reversed(values[:-1]):
                text = f"{word}({value}, {text})"
            return text, False
        return f"({f' {word} '.join(values)})", expr.type.kind == "bool"

    def _fold(self, expr: Fold, scope: Scope) -> tuple[str, bool]:
        if expr.op in ("all", "some"):
            return self._quantified(expr, scope), True
        chosen = self._chosen(expr.binders, expr.where, scope)
        if expr.op == "count":
            return f"Cardinality({chosen.set})", False
        body = chosen.of(self.code(expr.body, chosen.scope))
        if expr.op == "sum":
            return f"SumOf([{chosen.member} \\in {chosen.set} |-> {body}])", False
        otherwise = "0" if expr.default is None else self.code(expr.default, scope)
        extreme = "GreatestOf" if expr.op == "max" else "LeastOf"
        return f"{extreme}({{{body} : {chosen.member} \\in {chosen.set}}}, {otherwise})", False

    def _quantified(self, expr: Fold, scope: Scope) -> str:
        sign, joins = ("\\A", "=>") if expr.op == "all" else ("\\E", "/\\")
        inner, tests, ranges = self._bound(expr.binders, expr.where, scope)
        body = self.truth(expr.body, inner)
        condition = f"({AND.join(tests)}) {joins} " if tests else ""
        return f"({sign} {', '.join(ranges)} : {condition}{body})"

    def _bound(self, binders: Sequence[Binder], where: Expr | None, scope: Scope) -> tuple[Scope, list[str], list[str]]:
        """Return the scope inside binders, what their values must satisfy, and where each comes from."""
        tests: list[str] = []
        ranges: list[str] = []
        for binder in binders:
            own = self.names.fresh(binder.name)
            tests += self.conditions(binder, own, scope)
            ranges.append(f"{own} \\in {domain(binder.type)}")
            scope = scope.bind(binder.name, own)
        return scope, tests if where is None else [*tests, self.truth(where, scope)], ranges

    def _chosen(self, binders: Sequence[Binder], where: Expr | None, scope: Scope) -> Chosen:
        inner, tests, _ = self._bound(binders, where, scope)
        own = [inner.names[binder.name] for binder in binders]
        sets = " \\X ".join(f"({domain(binder.type)})" for binder in binders)
        if len(own) == 1:
            member, parts = own[0], ""
        else:
            member = self.names.fresh("row")
            parts = " ".join(f"{name} == {member}[{at}]" for at, name in enumerate(own, 1))
        condition = AND.join(tests)
        condition = f"LET {parts} IN {condition}" if parts else condition
        return Chosen(f"{{{member} \\in {sets} : {condition}}}" if tests else f"({sets})", member, parts, inner)


def domain(type_: Type) -> str:
    """Return the set of the codes of a type."""
    if type_.is_open:
        raise CannotExport(f"`{type_.name}` has no upper end, and something ranges over it")
    return f"{number(type_.lo)}..{number(type_.hi)}"


def number(value: int) -> str:
    """Return a number; TLA+ has no literals below zero."""
    return str(value) if value >= 0 else f"(-{-value})"
