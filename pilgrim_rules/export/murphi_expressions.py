"""Murphi: core expressions as expressions and functions of Murphi, in the dialect of Rumur and CMurphi.

Reads:  core expressions in a scope.   Writes: text, and the functions that it calls, each after those that it calls itself.
After:  a value is its code, also a Boolean one; what Murphi has no expression for (a sum, a choice, a name for a value) has become a
        function of the names around it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias, assert_never

from pilgrim_rules.core.declarations import Declarations
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
)
from pilgrim_rules.core.operators import operator_table
from pilgrim_rules.core.walk import free_names
from pilgrim_rules.export.names import CannotExport, Names
from pilgrim_rules.export.rewrite import without_unique

NUMBER: Final = "number"  #: a type that holds every value

_OPERATORS: Mapping[Operator, str] = operator_table(
    "Murphi",
    {
        "+": "+", "-": "-", "*": "*", "div": "quotient", "mod": "remainder", "min": "least", "max": "greatest",
        "==": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
        "and": "&", "or": "|", "not": "!", "implies": "->",
    },
)  # fmt: skip
_CONNECTIVES: Final = ("and", "or", "not", "implies")
_FUNCTIONS: Final = ("div", "mod", "min", "max")

#: Functions of ours; `/` and `%` of Murphi round towards zero.
HELPERS: Final = """\
function remainder(a: number; b: number): number;
begin return ((a % b) + b) % b; end;

function quotient(a: number; b: number): number;
begin return (a - remainder(a, b)) / b; end;

function least(a: number; b: number): number;
begin return a <= b ? a : b; end;

function greatest(a: number; b: number): number;
begin return a <= b ? b : a; end;"""


@dataclass(frozen=True, slots=True)
class Scope:
    """Where an expression stands: the names around it, and whether it reads what was there when a loop began."""

    names: Mapping[str, str] = field(default_factory=dict)
    before_loop: bool = False

    def bind(self, name: str, text: str) -> Scope:
        """Return the scope in which a name of the rules has an identifier."""
        return replace(self, names={**self.names, name: text})


class Expressions:
    """Prints expressions of one game, and collects the functions that they need.

    copied  the variables of which loops that write all at once keep a copy.
    body    the variables and lines of the function that an expression becomes.
    """

    def __init__(self, declared: Declarations, names: Names, copied: frozenset[str], body: Body) -> None:
        self.declared, self.names, self.copied, self._body = declared, names, copied, body
        self.variables = {name: names.fresh(name) for name in declared.variables}
        self.old = {name: names.fresh(f"old_{name}") for name in declared.variables}
        self.was = {name: names.fresh(f"was_{name}") for name in copied}
        self.functions: list[str] = []
        self._made: dict[tuple[str, bool], str] = {}

    def truth(self, expr: Expr, scope: Scope) -> str:
        """Return a Boolean expression as a formula."""
        text, formula = self._native(expr, scope)
        return text if formula else f"({text} = 1)"

    def code(self, expr: Expr, scope: Scope) -> str:
        """Return an expression as the number that its value is coded by."""
        text, formula = self._native(expr, scope)
        return f"({text} ? 1 : 0)" if formula else text

    def conditions(self, binder: Binder, value: str, index: Sequence[str]) -> list[str]:
        """Return what else a value must satisfy to be one of a binder's; `index` says which row of its relation."""
        return [] if binder.among is None else [f"({self._table(binder.among[0])}({', '.join([*index, value])}) = 1)"]

    def rows(self, binder: Binder, scope: Scope) -> list[str]:
        """Return which row of its relation a binder ranges over."""
        return [] if binder.among is None else [self.code(each, scope) for each in binder.among[1]]

    # ------------------------------------------------------------------------------------------------------- by node

    def _native(self, expr: Expr, scope: Scope) -> tuple[str, bool]:
        """Return the text, and whether it is a formula."""
        match expr:
            case Lit(value=value, type=type_):
                return (("false", "true")[value], True) if type_.kind == "bool" else (number(value), False)
            case Bound(name=name):
                return scope.names[name], False
            case Read(variable=variable, index=index, when=when):
                if when == "next":
                    raise CannotExport("Murphi has no claims about steps")
                frozen = when == "now" and scope.before_loop and variable in self.copied
                name = (self.old if when == "old" else self.was if frozen else self.variables)[variable]
                return name + "".join(f"[{self.code(each, scope)}]" for each in index), False
            case Lookup(table=table, index=index):
                if not index:
                    return number(self.declared.constants[table].values[0]), False
                return f"{self._table(table)}({', '.join(self.code(each, scope) for each in index)})", False
            case Apply():
                return self._apply(expr, scope)
            case Cond(test=test, then=then, other=other, type=type_):
                say = self.truth if type_.kind == "bool" else self.code
                text = f"({self.truth(test, scope)} ? {say(then, scope)} : {say(other, scope)})"
                return text, type_.kind == "bool"
            case Checked(value=value_):
                return self._native(value_, scope)
            case Fold(op=("all" | "some") as op, binders=binders, where=where, body=body):
                return self._quantified(op, binders, where, body, scope), True
            case Unique():
                return self._native(without_unique(expr), scope)
            case Let(type=type_) | Fold(type=type_) | Pick(type=type_):
                return self._lifted(expr, scope), type_.kind == "bool"
            case Call(definition=name, args=args):
                boolean = self.declared.defs[name].body.type.kind == "bool"
                given = ", ".join(self.code(arg, scope) for arg in args)
                return f"{self._definition(name, scope)}({given})", boolean
            case AskNetwork(network=network):
                raise CannotExport(f"Murphi has no networks, and `{network}` is asked")
            case _:
                assert_never(expr)

    def _apply(self, expr: Apply, scope: Scope) -> tuple[str, bool]:
        word = _OPERATORS[expr.op]
        if expr.op in _CONNECTIVES:
            parts = [self.truth(arg, scope) for arg in expr.args]
            return (f"!({parts[0]})" if expr.op == "not" else f"({f' {word} '.join(parts)})"), True
        values = [self.code(arg, scope) for arg in expr.args]
        if expr.op not in _FUNCTIONS:
            return f"({f' {word} '.join(values)})", expr.type.kind == "bool"
        text = values[-1]
        for value in reversed(values[:-1]):
            text = f"{word}({value}, {text})"
        return text, False

    def _quantified(self, op: str, binders: Sequence[Binder], where: Expr | None, body: Expr, scope: Scope) -> str:
        word, joins = ("forall", "->") if op == "all" else ("exists", "&")
        opened, tests = [], []
        for binder in binders:
            own, rows = self.names.fresh(binder.name), self.rows(binder, scope)
            tests += self.conditions(binder, own, rows)
            opened.append(f"{word} {own}: {values(binder.type)} do ")
            scope = scope.bind(binder.name, own)
        tests += [] if where is None else [self.truth(where, scope)]
        condition = f"({' & '.join(tests)}) {joins} " if tests else ""
        return f"({''.join(opened)}({condition}{self.truth(body, scope)}){f' end{word}' * len(opened)})"

    # ------------------------------------------------------------------------------------------------------ functions

    def _definition(self, name: str, scope: Scope) -> str:
        key = (f"def {name}", scope.before_loop)
        if key not in self._made:
            definition = self.declared.defs[name]
            own = {param.name: self.names.fresh(param.name) for param in definition.params}
            inner = Scope(own, scope.before_loop)
            boolean = definition.body.type.kind == "bool"
            body = (self.truth if boolean else self.code)(definition.body, inner)
            self._made[key] = self._function(name, list(own.values()), [f"return {body};"], boolean=boolean)
        return self._made[key]

    def _table(self, name: str) -> str:
        key = (f"table {name}", False)
        if key not in self._made:
            constant = self.declared.constants[name]
            own = [self.names.fresh("at") for _ in constant.index]
            self._made[key] = self._function(name, own, _switch(constant, own), boolean=False)
        return self._made[key]

    def _lifted(self, expr: Let | Fold | Pick, scope: Scope) -> str:
        """Return a call of a function whose arguments are the names that an expression takes from outside."""
        free = sorted(free_names(expr))
        own = {name: self.names.fresh(name) for name in free}
        kind = type(expr).__name__.lower() if not isinstance(expr, Fold) else expr.op
        local, lines = self._body(self, expr, Scope(own, scope.before_loop))
        boolean = expr.type.kind == "bool"
        made = self._function(f"{kind}_of", list(own.values()), lines, boolean=boolean, local=local)
        return f"{made}({', '.join(scope.names[name] for name in free)})"

    def _function(
        self, wish: str, params: Sequence[str], lines: Sequence[str], *, boolean: bool, local: Sequence[str] = ()
    ) -> str:
        name = self.names.fresh(wish)
        head = "; ".join(f"{param}: {NUMBER}" for param in params)
        kept = "".join(f"var {each};\n" for each in local)
        body = "\n".join(f"  {line}" for line in lines)
        result = "boolean" if boolean else NUMBER
        self.functions.append(f"function {name}({head}): {result};\n{kept}begin\n{body}\nend;")
        return name


#: The local variables and the lines of the function that an expression becomes.
Body: TypeAlias = Callable[[Expressions, Let | Fold | Pick, Scope], tuple[list[str], list[str]]]


def _switch(constant: Constant, own: Sequence[str]) -> list[str]:
    """Return the lines that look up a cell of a constant table."""
    place = "0"
    for type_, name in zip(constant.index, own, strict=True):
        place = f"(({place}) * {type_.size} + {name} - {number(type_.lo)})"
    cells: dict[int, list[str]] = {}
    for at, value in enumerate(constant.values):
        cells.setdefault(value, []).append(str(at))
    common = max(cells, key=lambda value: len(cells[value]))
    cases = [f"  case {', '.join(ats)}: return {number(value)};" for value, ats in cells.items() if value != common]
    if not cases:
        return [f"return {number(common)};"]
    return [f"switch {place}", *cases, "endswitch;", f"return {number(common)};"]


def values(type_: Type) -> str:
    """Return the range of the codes of a type."""
    if type_.is_open:
        raise CannotExport(f"`{type_.name}` has no upper end, and Murphi wants one")
    return f"{number(type_.lo)}..{number(type_.hi)}"


def number(value: int) -> str:
    """Return a number."""
    return str(value) if value >= 0 else f"(-{-value})"
