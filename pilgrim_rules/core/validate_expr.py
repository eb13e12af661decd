"""The type rules of core expressions.

Reads:  expressions, the names in scope, and what the place allows.   Writes: whether a ghost is read.
After:  `InternalError` has been raised, or the expression is closed in its scope, well typed, and every index lies
        inside its table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NoReturn, TypeAlias, assert_never

from pilgrim_rules.core.at_time import expand_forms_again
from pilgrim_rules.core.bounds import folded, range_of, rounds
from pilgrim_rules.core.forms import AT_A_TIME, expand_form_again, form_of, retyped
from pilgrim_rules.core.ir import (
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
    Form,
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
from pilgrim_rules.core.operators import FOLDS, OPERATIONS, QUESTIONS, result_range
from pilgrim_rules.core.show_expr import show
from pilgrim_rules.core.type_order import comparable, fits

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
    networks: bool = False


#: The names in scope: their types, and whether their values come from ghosts.
Scope: TypeAlias = Mapping[str, tuple[Type, bool]]


class Expressions:
    """Checks expressions against the tables of a game; definitions become known one after the other."""

    def __init__(
        self, variables: Iterable[Variable], constants: Iterable[Constant], networks: Iterable[Network]
    ) -> None:
        self.variables = {variable.name: variable for variable in variables}
        self.constants = {constant.name: constant for constant in constants}
        self.networks = {network.name: network for network in networks}
        self.defs: dict[str, tuple[Def, bool, bool, bool]] = {}  # and whether it reads state, ghosts, networks
        self.allowed = Allowed()
        self.path = ""
        self.saw_state = False
        self.saw_ghost = False
        self.saw_network = False

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
        form = form_of(expr)
        if form is not None and self._spelled(expr, form) != expr:
            self.fail(f"`{form.name}` stands for something else", expr)
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

    def _spelled(self, expr: Expr, form: Form) -> Expr:
        """Return what the form of an expression stands for."""
        if form.name not in AT_A_TIME:
            return expand_form_again(expr, form.args)
        defs = {name: definition for name, (definition, *_) in self.defs.items()}
        return retyped(expand_forms_again(form, defs), expr.type)

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
        if binder.type.is_open:
            self.fail(f"`{binder.name}` goes through numbers without end")
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
        operation = OPERATIONS[expr.op]
        least, most = operation.arity
        if not least <= len(args) <= most:
            self.fail(f"`{expr.op}` with {len(args)} arguments", expr)
        match operation.group:
            case "connective":
                if type_.kind != "bool" or any(arg.type.kind != "bool" for arg in args):
                    self.fail(f"`{expr.op}` takes and gives Booleans", expr)
            case "order" | "equality":
                if type_.kind != "bool" or not comparable(args[0].type, args[1].type):
                    self.fail("values that cannot be compared", expr)
            case "arithmetic":
                if operation.divides and args[1].type.lo < 1:
                    self.fail("the divisor may be zero or negative", expr)
                lo, hi = result_range(expr.op, args)
                if type_.kind == "bool" or lo < type_.lo or hi > type_.hi:
                    self.fail(f"a result in {lo}..{hi} is called `{type_.name}`", expr)
            case _:
                assert_never(operation.group)
        for arg in args:
            self.expr(arg, scope)

    def _fold(self, expr: Fold, scope: Scope) -> None:
        inner = self.binders(expr.binders, scope)
        self.condition(expr.where, inner)
        kind = FOLDS[expr.op].kind
        if expr.type.kind != kind or expr.body.type.kind != kind:
            self.fail(f"`{expr.op}` is about {'Booleans' if kind == 'bool' else 'numbers'}", expr)
        self.expr(expr.body, inner)
        if expr.op == "count" and not (isinstance(expr.body, Lit) and expr.body.value == 1):
            self.fail("`count` counts ones", expr)
        if expr.default is not None:
            self.fitting(expr.default, expr.type, scope)
        elif FOLDS[expr.op].empty is None and rounds(expr.binders, expr.where)[0] == 0:
            self.fail(f"`{expr.op}` of what may be nothing", expr)
        default = None if expr.default is None else range_of(expr.default.type)
        lo, hi = folded(expr.op, range_of(expr.body.type), rounds(expr.binders, expr.where), default)
        if lo < expr.type.lo or hi > expr.type.hi:
            self.fail(f"a result in {lo}..{hi} is called `{expr.type.name}`", expr)

    def _pick(self, expr: Pick, scope: Scope) -> None:
        inner = self.binder(expr.binder, scope)
        self.condition(expr.where, inner)
        empty = rounds((expr.binder,), expr.where)[0] == 0
        if not fits(expr.binder.type, expr.type) or (empty and expr.type.kind != "optional"):
            self.fail(f"`{expr.type.name}` cannot hold what is picked", expr)
        self.keys(expr.keys, inner)

    def _call(self, expr: Call, scope: Scope) -> None:
        if expr.definition not in self.defs:
            self.fail(f"there is no definition `{expr.definition}`, or only later")
        definition, state, ghost, network = self.defs[expr.definition]
        if state and not self.allowed.state:
            self.fail(f"`{definition.name}` reads the state, where only constants are allowed")
        if ghost and not self.allowed.ghosts:
            self.fail(f"`{definition.name}` reads a ghost in play")
        if not fits(expr.type, definition.body.type):
            self.fail(f"`{definition.name}` gives `{definition.body.type.name}`, not `{expr.type.name}`")
        if network and not self.allowed.networks:
            self.fail(f"`{definition.name}` asks a network in play or in a proof")
        self.saw_state |= state
        self.saw_ghost |= ghost
        self.saw_network |= network
        self.cell(definition.name, tuple(param.type for param in definition.params), expr.args, scope)

    def _ask(self, expr: AskNetwork, scope: Scope) -> None:
        if not self.allowed.networks:
            self.fail("a network is asked in play or in a proof", expr)
        self.saw_network = True
        if expr.network not in self.networks:
            self.fail(f"there is no network `{expr.network}`")
        network = self.networks[expr.network]
        count, kind = QUESTIONS[expr.question]
        if len(expr.nodes) != count:
            self.fail(f"`{expr.question}` is about {count} nodes", expr)
        if expr.type.kind != kind:
            self.fail(f"the answer to `{expr.question}` is called `{expr.type.name}`", expr)
        forms = {len(node.node) for node in network.nodes} | {len(link.left) for link in network.links}
        if any(len(node) not in forms for node in expr.nodes):
            self.fail("a node of another form than the network's", expr)
        self.cell(network.name, tuple(binder.type for binder in network.binders), expr.index, scope)
        for node in expr.nodes:
            for part in node:
                self.expr(part, scope)
