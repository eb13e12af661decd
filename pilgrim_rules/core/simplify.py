"""Simplify: the same expression, with everything that is known before play worked out.

Reads:  a core expression and what is known of the names in it.   Writes: a core expression.
After:  it has the same value wherever the first one has a value. Constants are folded, small definitions written out
        where they are called, small folds written out value by value, and every name bound inside is new.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from itertools import count, product
from typing import assert_never

from pilgrim_rules.core.cost import CostModel, node_count
from pilgrim_rules.core.declarations import Declarations, definition_table
from pilgrim_rules.core.ir import (
    BOOL,
    Apply,
    AskNetwork,
    Binder,
    Bound,
    Call,
    Checked,
    Cond,
    Expr,
    Fold,
    Key,
    Let,
    Lit,
    Lookup,
    Pick,
    Read,
    Unique,
)
from pilgrim_rules.core.loops import values_in_order
from pilgrim_rules.core.smart_constructors import applied, connected
from pilgrim_rules.core.table_cells import OutsideTable, cell
from pilgrim_rules.core.walk import rebuild, rebuild_binder, subexpressions
from pilgrim_rules.util.fast_dataclass import replace

Known = Mapping[str, Expr]  #: what stands for a name: a constant, or a new name

_LARGEST_TRIED = 2000  #: nodes of a fold that is written out on trial
_LARGEST_UNROLLED = 250  #: nodes it may have afterwards; beyond this a loop is quicker to compile and as quick to run
_LARGEST_INLINED = 16  #: nodes of a definition written out at each call


class Simplifier:
    """Simplifies expressions of one game; the new names of different expressions differ as well.

    Definitions of up to `inline` nodes are written out where they are called.
    """

    def __init__(self, declared: Declarations, inline: int = _LARGEST_INLINED) -> None:
        self._declared = declared
        self._numbers = count(1)
        self.costs = CostModel(declared, inline)

    def __call__(self, expr: Expr, known: Known | None = None) -> Expr:
        """Return the simplified expression."""
        known = known or {}
        match expr:
            case Bound(name=name):
                return known.get(name, expr)
            case Lookup():
                return self._lookup(expr, known)
            case Apply(op=op, args=args):
                return applied(op, [self(each, known) for each in args], expr.type)
            case Cond(test=test, then=then, other=other):
                return self._cond(Cond(self(test, known), then, other, expr.type), known)
            case Let(name=name, value=value, body=body):
                return self._let(name, self(value, known), body, known)
            case Call():
                return self._call(expr, known)
            case Fold():
                return self._unrolled(expr, known) or self._fold(expr, known)
            case Pick():
                return self._chain(expr, known) or self._pick(expr, known)
            case Checked(value=value, type=type_):
                checked = self(value, known)
                evident = isinstance(checked, Lit) and type_.lo <= checked.value <= type_.hi
                return checked if evident else replace(expr, value=checked)
            case Unique(binders=binders, where=where, keys=keys):
                new, inner = self._rename(binders, known)
                return Unique(new, self._maybe(where, inner), tuple(self(key, inner) for key in keys), expr.type)
            case Lit() | Read() | AskNetwork():
                return rebuild(expr, lambda part: self(part, known))
            case _:
                assert_never(expr)

    def binder(self, binder: Binder) -> Binder:
        """Return a binder with its own expressions simplified."""
        return rebuild_binder(binder, self)

    def domain(self, binder: Binder, known: Known) -> tuple[int, ...] | None:
        """Return the values of a binder in its order, if they are known before play."""
        start = None if binder.start is None else self(binder.start, known)
        if not isinstance(start, Lit | None):
            return None
        values = values_in_order(binder, None if start is None else start.value)
        if binder.among is not None:
            index = [self(each, known) for each in binder.among[1]]
            codes = [each.value for each in index if isinstance(each, Lit)]
            if len(codes) < len(index):
                return None
            constant = self._declared.constants[binder.among[0]]
            try:
                values = tuple(each for each in values if constant.values[cell(constant.index, [*codes, each])])
            except OutsideTable:  # an expression without a value: leave it to whoever asks for one
                return None
        return values

    # ------------------------------------------------------------------------------------------------------ one node

    def _new(self, name: str) -> str:
        return f"{name.partition('#')[0]}#{next(self._numbers)}"  # `#` is in no name of the language

    def _maybe(self, expr: Expr | None, known: Known) -> Expr | None:
        return None if expr is None else self(expr, known)

    def _rename(self, binders: tuple[Binder, ...], known: Known) -> tuple[tuple[Binder, ...], Known]:
        """Return the binders under new names, and what is known inside them."""
        renamed: list[Binder] = []
        for binder in binders:
            name = self._new(binder.name)
            among = binder.among and (binder.among[0], tuple(self(each, known) for each in binder.among[1]))
            start = self._maybe(binder.start, known)
            renamed.append(Binder(name, binder.type, start, binder.descending, among))
            known = {**known, binder.name: Bound(name, binder.type)}
        return tuple(renamed), known

    def _lookup(self, expr: Lookup, known: Known) -> Expr:
        index = tuple(self(each, known) for each in expr.index)
        codes = [each.value for each in index if isinstance(each, Lit)]
        if len(codes) == len(index):
            constant = self._declared.constants[expr.table]
            try:
                return Lit(constant.values[cell(constant.index, codes)], expr.type)
            except OutsideTable:  # it stands behind a test that fails
                pass
        return Lookup(expr.table, index, expr.type)

    def _cond(self, expr: Cond, known: Known) -> Expr:
        if isinstance(expr.test, Lit):
            return self(expr.then if expr.test.value else expr.other, known)
        then, other = self(expr.then, known), self(expr.other, known)
        if isinstance(then, Lit) and isinstance(other, Lit) and (then.value, other.value) == (1, 0):
            return expr.test
        return Cond(expr.test, then, other, expr.type)

    def _let(self, name: str, value: Expr, body: Expr, known: Known) -> Expr:
        if isinstance(value, Lit | Bound):
            return self(body, {**known, name: value})
        new = self._new(name)
        inner = self(body, {**known, name: Bound(new, value.type)})
        return Let(new, value, inner, inner.type)

    def _call(self, expr: Call, known: Known) -> Expr:
        args = tuple(self(each, known) for each in expr.args)
        if definition_table(expr.definition) in self._declared.constants:
            return self._lookup(Lookup(definition_table(expr.definition), args, expr.type), {})
        called = self._declared.defs[expr.definition]
        if not self.costs.is_small(expr.definition):
            return Call(expr.definition, args, expr.type)
        inner: dict[str, Expr] = {}
        named: list[tuple[str, Expr]] = []
        for param, arg in zip(called.params, args, strict=True):
            if isinstance(arg, Lit | Bound):
                inner[param.name] = arg
            else:
                new = self._new(param.name)
                named.append((new, arg))
                inner[param.name] = Bound(new, arg.type)
        body = self(called.body, inner)
        return reduce(lambda inside, each: Let(each[0], each[1], inside, inside.type), reversed(named), body)

    def _fold(self, expr: Fold, known: Known) -> Expr:
        binders, inner = self._rename(expr.binders, known)
        where, body = self._maybe(expr.where, inner), self(expr.body, inner)
        default = self._maybe(expr.default, known)
        match where:
            case Lit(value=0):
                return default or Lit(int(expr.op == "all"), expr.type)
            case Lit():
                where = None
            case _:  # play decides it
                pass
        return Fold(expr.op, binders, where, body, default, expr.type)

    def _unrolled(self, expr: Fold, known: Known) -> Expr | None:
        """Return a small fold written out value by value."""
        if self.costs.cost(expr) > _LARGEST_TRIED or (expr.op in ("max", "min") and expr.where is not None):
            return None
        domains = [self.domain(binder, known) for binder in expr.binders]
        if None in domains or _linked(expr.binders):
            return None
        parts: list[Expr] = []
        for values in product(*(domain for domain in domains if domain is not None)):
            here = {**known, **{b.name: Lit(v, b.type) for b, v in zip(expr.binders, values, strict=True)}}
            parts.append(self(_instance(expr), here))
        if len(parts) > 1 and any(_needs_lines(part) for part in parts):
            return None  # each would have its own
        written = self._written(expr, parts, known)
        return written if written is None or node_count(written) <= _LARGEST_UNROLLED else None

    def _written(self, expr: Fold, parts: list[Expr], known: Known) -> Expr | None:
        match expr.op:
            case "all":
                return connected("and", parts)
            case "some":
                return connected("or", parts)
            case "count" | "sum":
                nothing: Expr = Lit(0, expr.type)
                return reduce(lambda left, right: applied("+", [left, right], expr.type), parts, nothing)
            case "max" | "min":
                if not parts:
                    return self._maybe(expr.default, known)
                return parts[0] if len(parts) == 1 else Apply(expr.op, tuple(parts), expr.type)
            case _:
                assert_never(expr.op)

    def _pick(self, expr: Pick, known: Known) -> Expr:
        (binder,), inner = self._rename((expr.binder,), known)
        keys = tuple(Key(self(key.value, inner), key.descending) for key in expr.keys)
        return Pick(binder, self._maybe(expr.where, inner), keys, expr.type)

    def _chain(self, expr: Pick, known: Known) -> Expr | None:
        """Return a small choice without keys as a chain of questions."""
        if expr.keys or expr.where is None or self.costs.cost(expr) > _LARGEST_UNROLLED:
            return None
        values = self.domain(expr.binder, known)
        if values is None:
            return None
        chain: Expr = Lit(expr.type.hi, expr.type)
        for value in reversed(values):
            here = Lit(value, expr.binder.type)
            test = self(expr.where, {**known, expr.binder.name: here})
            match test:
                case Lit(value=0):
                    pass
                case Lit():
                    chain = here
                case _:  # play decides it
                    chain = Cond(test, here, chain, expr.type)
        return chain


def _needs_lines(expr: Expr) -> bool:
    """Return whether the expression cannot be one line of Python."""
    return any(isinstance(node, Fold | Pick | Unique | Let) for node in subexpressions(expr))


def _linked(binders: tuple[Binder, ...]) -> bool:
    """Return whether a binder's values may depend on an earlier binder."""
    return len(binders) > 1 and any(binder.start is not None or binder.among is not None for binder in binders[1:])


def _instance(expr: Fold) -> Expr:
    """Return what one value contributes to the fold."""
    where, body = expr.where, expr.body
    if where is None:
        return body
    match expr.op:
        case "all":
            return Apply("implies", (where, body), BOOL)
        case "some":
            return Apply("and", (where, body), BOOL)
        case "count" | "sum" | "max" | "min":
            return Cond(where, body, Lit(0, body.type), body.type)
        case _:
            assert_never(expr.op)
