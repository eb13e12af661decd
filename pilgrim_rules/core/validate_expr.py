"""The type rules of core expressions.

Reads:  expressions, the names in scope, and what the place allows.   Writes: whether a ghost is read.
After:  `InternalError` has been raised, or the expression is closed in its scope, well typed, and every index lies
        inside its table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NoReturn, TypeAlias, assert_never

from pilgrim_rules.core.fits import comparable, fits, interval
from pilgrim_rules.core.ir import (
    OPERATORS,
    Apply,
    AskNetwork,
    Binder,
    Bound,
    Call,
    Checked,
    Cond,
    Constant,
    Def,
    Expr,
    Fold,
    GraphQuestion,
    Key,
    Let,
    Lit,
    Lookup,
    Network,
    Pick,
    Read,
    Type,
    Unique,
    Variable,
)
from pilgrim_rules.core.show_expr import show

_MOST_SHOWN = 160


class InternalError(AssertionError):
    """A transformation of ours made a core game that is not one. Never the author's fault."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """What an expression may do where it stands."""

    state: bool = True
    ghosts: bool = False
    old: bool = False
    next: bool = False
    checked: bool = False
    networks: bool = False


#: The names in scope: their types, and whether their values come from ghosts.
Scope: TypeAlias = Mapping[str, tuple[Type, bool]]

_ARITY: dict[str, tuple[int, int]] = {
    **dict.fromkeys(OPERATORS, (2, 2)),
    "not": (1, 1),
    **dict.fromkeys(("and", "or", "min", "max"), (2, 1_000_000)),
}
#: How many nodes each question to a network is about.
_NODES: dict[GraphQuestion, int] = {
    "nodes": 0, "links": 0, "components": 0, "is_forest": 0,
    "has": 1, "degree": 1, "reach": 1, "is_path": 1,
    "linked": 2, "connected": 2, "distance": 2,
}  # fmt: skip


class Expressions:
    """Checks expressions against the tables of a game; definitions become known one after the other."""

    def __init__(
        self, variables: Iterable[Variable], constants: Iterable[Constant], networks: Iterable[Network]
    ) -> None:
        self.variables = {variable.name: variable for variable in variables}
        self.constants = {constant.name: constant for constant in constants}
        self.networks = {network.name: network for network in networks}
        self.defs: dict[str, tuple[Def, bool, bool]] = {}  # definition, whether it reads state, whether ghosts
        self.allowed = Allowed()
        self.path = ""
        self.saw_state = False
        self.saw_ghost = False

    def fail(self, message: str, expr: Expr | None = None) -> NoReturn:
        """Raise the error with its path."""
        said = "" if expr is None else f" in `{show(expr)[:_MOST_SHOWN]}`"
        raise InternalError(f"{self.path}: {message}{said}")

    def boolean(self, expr: Expr, scope: Scope) -> None:
        """Check an expression that must be Boolean."""
        if expr.type.kind != "bool":
            self.fail("a Boolean is wanted", expr)
        self.expr(expr, scope)

    def fitting(self, expr: Expr, type_: Type, scope: Scope) -> None:
        """Check an expression whose value must lie in the type."""
        if not fits(expr.type, type_):
            self.fail(f"`{expr.type.name}` does not fit `{type_.name}`", expr)
        self.expr(expr, scope)

    def expr(self, expr: Expr, scope: Scope) -> None:
        """Check an expression; `saw_state` and `saw_ghost` say afterwards whether it reads any."""
        match expr:
            case Lit(value=value, type=type_):
                if not type_.lo <= value <= type_.hi:
                    self.fail(f"{value} is no code of `{type_.name}`")
            case Bound(name=name, type=type_):
                if name not in scope:
                    self.fail(f"`{name}` is not in scope")
                bound, ghostly = scope[name]
                self.saw_ghost |= ghostly
                # Narrower after a test, wider where a shared rule takes more than it is given.
                if not fits(type_, bound) and not fits(bound, type_):
                    self.fail(f"`{name}` is a `{bound.name}`, not a `{type_.name}`")
            case Read():
                self._read(expr, scope)
            case Lookup(table=table, index=index, type=type_):
                constant = self._constant(table)
                if not fits(type_, constant.type):
                    self.fail(f"`{table}` holds `{constant.type.name}`, not `{type_.name}`")
                self.cell(table, constant.index, index, scope)
            case Apply():
                self._apply(expr, scope)
            case Cond(test=test, then=then, other=other, type=type_):
                self.boolean(test, scope)
                self.fitting(then, type_, scope)
                self.fitting(other, type_, scope)
            case Let(name=name, value=value, body=body, type=type_):
                self.expr(value, scope)
                self.fitting(body, type_, {**scope, name: (value.type, False)})
            case Checked(value=value):
                if not self.allowed.checked:
                    self.fail("`the` stands outside an effect", expr)
                self.expr(value, scope)
            case Fold():
                self._fold(expr, scope)
            case Unique(binders=binders, where=where, keys=keys):
                inner = self.binders(binders, scope)
                self.condition(where, inner)
                for key in keys:
                    self.expr(key, inner)
            case Pick():
                self._pick(expr, scope)
            case Call():
                self._call(expr, scope)
            case AskNetwork():
                self._ask(expr, scope)
            case _:
                assert_never(expr)

    def condition(self, where: Expr | None, scope: Scope) -> None:
        """Check the condition of a fold or loop, if it has one."""
        if where is not None:
            self.boolean(where, scope)

    def cell(self, name: str, wanted: tuple[Type, ...], index: tuple[Expr, ...], scope: Scope) -> None:
        """Check the index of a table: as many expressions as the table has dimensions, each inside its own."""
        if len(index) != len(wanted):
            self.fail(f"`{name}` has {len(wanted)} indices, not {len(index)}")
        for part, type_ in zip(index, wanted, strict=True):
            self.fitting(part, type_, scope)

    def binder(self, binder: Binder, scope: Scope) -> Scope:
        """Check a binder; return the scope inside it."""
        if binder.start is not None:
            if binder.descending:
                self.fail(f"`{binder.name}` both starts somewhere and descends")
            self.fitting(binder.start, binder.type, scope)
        if binder.among is not None:
            table, index = binder.among
            constant = self._constant(table)
            if constant.type.kind != "bool" or not constant.index or constant.index[-1] != binder.type:
                self.fail(f"`{binder.name}` cannot be taken from `{table}`")
            self.cell(table, constant.index[:-1], index, scope)
        return {**scope, binder.name: (binder.type, False)}

    def bound(self, scope: Scope, name: str, type_: Type, *, ghostly: bool = False) -> Scope:
        """Return the scope after a line that binds a name. Lines hide no name: what they bind lives on in other lines."""
        if name in scope:
            self.fail(f"`{name}` hides the `{name}` around it")
        return {**scope, name: (type_, ghostly)}

    def binders(self, binders: tuple[Binder, ...], scope: Scope) -> Scope:
        """Check binders one after the other; return the scope inside all of them."""
        for binder in binders:
            scope = self.binder(binder, scope)
        return scope

    def keys(self, keys: tuple[Key, ...], scope: Scope) -> None:
        """Check the keys of a ranking."""
        for key in keys:
            self.expr(key.value, scope)

    def _constant(self, name: str) -> Constant:
        if name not in self.constants:
            self.fail(f"there is no constant `{name}`")
        return self.constants[name]

    def _read(self, expr: Read, scope: Scope) -> None:
        variable = self.variables.get(expr.variable)
        if variable is None:
            self.fail(f"there is no variable `{expr.variable}`")
        if not self.allowed.state:
            self.fail(f"`{variable.name}` is state, where only constants are allowed")
        if variable.ghost and not self.allowed.ghosts:
            self.fail(f"ghost `{variable.name}` is read in play")
        if (expr.when == "old" and not self.allowed.old) or (expr.when == "next" and not self.allowed.next):
            self.fail(f"`{expr.when}` has no meaning here", expr)
        if not fits(expr.type, variable.type):
            self.fail(f"`{variable.name}` holds `{variable.type.name}`, not `{expr.type.name}`")
        self.saw_state = True
        self.saw_ghost |= variable.ghost
        self.cell(variable.name, variable.index, expr.index, scope)

    def _apply(self, expr: Apply, scope: Scope) -> None:
        args, type_ = expr.args, expr.type
        least, most = _ARITY[expr.op]
        if not least <= len(args) <= most:
            self.fail(f"`{expr.op}` with {len(args)} arguments", expr)
        match expr.op:
            case "and" | "or" | "implies" | "not":
                if type_.kind != "bool" or any(arg.type.kind != "bool" for arg in args):
                    self.fail(f"`{expr.op}` takes and gives Booleans", expr)
            case "==" | "!=" | "<" | "<=" | ">" | ">=":
                if type_.kind != "bool" or not comparable(args[0].type, args[1].type):
                    self.fail("values that cannot be compared", expr)
            case "+" | "-" | "*" | "div" | "mod" | "min" | "max":
                if expr.op in ("div", "mod") and args[1].type.lo < 1:
                    self.fail("the divisor may be zero or negative", expr)
                lo, hi = interval(expr.op, [arg.type for arg in args])
                if type_.kind == "bool" or lo < type_.lo or hi > type_.hi:
                    self.fail(f"a result in {lo}..{hi} is called `{type_.name}`", expr)
            case _:
                assert_never(expr.op)
        for arg in args:
            self.expr(arg, scope)

    def _fold(self, expr: Fold, scope: Scope) -> None:
        inner = self.binders(expr.binders, scope)
        self.condition(expr.where, inner)
        kind = "bool" if expr.op in ("all", "some") else "int"
        if expr.type.kind != kind or expr.body.type.kind != kind:
            self.fail(f"`{expr.op}` is about {'Booleans' if kind == 'bool' else 'numbers'}", expr)
        self.expr(expr.body, inner)
        if expr.op == "count" and not (isinstance(expr.body, Lit) and expr.body.value == 1):
            self.fail("`count` counts ones", expr)
        if expr.default is not None:
            self.fitting(expr.default, expr.type, scope)
        elif expr.op in ("max", "min") and _may_be_empty(expr.binders, expr.where):
            self.fail(f"`{expr.op}` of what may be nothing", expr)
        if expr.op in ("max", "min") and not fits(expr.body.type, expr.type):
            self.fail(f"`{expr.body.type.name}` does not fit `{expr.type.name}`", expr)

    def _pick(self, expr: Pick, scope: Scope) -> None:
        inner = self.binder(expr.binder, scope)
        self.condition(expr.where, inner)
        empty = _may_be_empty((expr.binder,), expr.where)
        if not fits(expr.binder.type, expr.type) or (empty and expr.type.kind != "optional"):
            self.fail(f"`{expr.type.name}` cannot hold what is picked", expr)
        self.keys(expr.keys, inner)

    def _call(self, expr: Call, scope: Scope) -> None:
        if expr.definition not in self.defs:
            self.fail(f"there is no definition `{expr.definition}`, or only later")
        definition, state, ghost = self.defs[expr.definition]
        if state and not self.allowed.state:
            self.fail(f"`{definition.name}` reads the state, where only constants are allowed")
        if ghost and not self.allowed.ghosts:
            self.fail(f"`{definition.name}` reads a ghost in play")
        if not fits(expr.type, definition.body.type):
            self.fail(f"`{definition.name}` gives `{definition.body.type.name}`, not `{expr.type.name}`")
        self.saw_state |= state
        self.saw_ghost |= ghost
        self.cell(definition.name, tuple(param.type for param in definition.params), expr.args, scope)

    def _ask(self, expr: AskNetwork, scope: Scope) -> None:
        if not self.allowed.networks:
            self.fail("a network is asked outside an audit", expr)
        if expr.network not in self.networks:
            self.fail(f"there is no network `{expr.network}`")
        network = self.networks[expr.network]
        if len(expr.nodes) != _NODES[expr.question]:
            self.fail(f"`{expr.question}` is about {_NODES[expr.question]} nodes", expr)
        forms = {len(node.node) for node in network.nodes} | {len(link.left) for link in network.links}
        if any(len(node) not in forms for node in expr.nodes):
            self.fail("a node of another form than the network's", expr)
        self.cell(network.name, tuple(binder.type for binder in network.binders), expr.index, scope)
        for node in expr.nodes:
            for part in node:
                self.expr(part, scope)


def _may_be_empty(binders: tuple[Binder, ...], where: Expr | None) -> bool:
    return where is not None or any(binder.among is not None for binder in binders)
