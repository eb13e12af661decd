"""Folds: quantifiers, aggregates and choices as Python loops.

Reads:  simplified folds and the scope they stand in.   Writes: loops, and the name that holds their result.
After:  a loop ends as soon as its result is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, assert_never

from pilgrim_rules.core.ir import Binder, Bound, Expr, Fold, Key, Pick, Unique
from pilgrim_rules.engine.codegen.ranges import bind, bounds, range_of
from pilgrim_rules.engine.codegen.snippets import ADD, ATOM, COMPARE, NOT, Code, Scope

if TYPE_CHECKING:
    from pilgrim_rules.engine.codegen.expressions import Coder


@contextmanager
def loop(coder: Coder, binder: Binder, scope: Scope) -> Iterator[Scope]:
    """Write the head of a loop over a binder's values; what is written inside is its body."""
    domain = tuple(range(binder.type.lo, binder.type.hi + 1))
    inner, local = enter(coder, binder, scope)
    if binder.among is None:
        if binder.start is None:
            values = coder.tables.numbers(domain[::-1] if binder.descending else domain)
        else:
            start = coder.place((binder.type,), (binder.start,), 0, 1, scope)
            values = f"{coder.tables.turns(binder)}[{start.text}]"
        with coder.writer.block(f"for {local} in {values}:"):
            yield inner
        return
    table, index = binder.among
    types = coder.world.constants[table].index
    if binder.start is None:
        row = coder.place(types[:-1], index, 0, 1, scope)
        with coder.writer.block(f"for {local} in {coder.tables.members(binder, table)}[{row.text}]:"):
            yield inner
        return
    # Round the table from `start`, leaving out what does not stand in the relation.
    start = coder.place((binder.type,), (binder.start,), 0, 1, scope)
    with coder.writer.block(f"for {local} in {coder.tables.turns(binder)}[{start.text}]:"):
        own = coder.place(types, (*index, Bound(binder.name, binder.type)), 0, 1, inner)
        with coder.writer.block(f"if {coder.tables.constant(table)}[{own.text}]:"):
            yield inner


def enter(coder: Coder, binder: Binder, scope: Scope) -> tuple[Scope, str]:
    """Return the scope inside a binder and the Python name of its variable."""
    local = coder.writer.name(binder.name)
    return scope.bind(binder.name, local, range_of(binder.type)), local


def fold(coder: Coder, expr: Fold, scope: Scope) -> Code:
    """Write a quantifier or aggregate."""
    writer = coder.writer
    found = writer.name()
    match expr.op:
        case "all" | "some":
            writer.line(f"{found} = {expr.op == 'all'}")
            _quantifier(coder, expr, expr.binders, found, scope)
            return Code(found)
        case "count" | "sum":
            writer.line(f"{found} = 0")
            with _rounds(coder, expr.binders, expr.where, scope) as inner:
                writer.line(f"{found} += {coder.code(expr.body, inner).text}")
            return Code(found)
        case "max" | "min":
            return _extreme(coder, expr, found, scope)
        case _:
            assert_never(expr.op)


def unique(coder: Coder, expr: Unique, scope: Scope) -> Code:
    """Write the question whether no two values agree on all keys."""
    writer = coder.writer
    rows, number = writer.name("rows"), writer.name("count")
    writer.line(f"{rows} = set()")
    writer.line(f"{number} = 0")
    with _rounds(coder, expr.binders, expr.where, scope) as inner:
        keys = [coder.code(key, inner).text for key in expr.keys]
        writer.line(f"{rows}.add(({', '.join(keys)},))")
        writer.line(f"{number} += 1")
    return Code(f"len({rows}) == {number}", COMPARE)


def pick(coder: Coder, expr: Pick, scope: Scope) -> Code:
    """Write a choice: the first value, or the best by its keys."""
    writer = coder.writer
    found = writer.name()
    writer.line(f"{found} = {expr.type.hi}")  # none, if the choice is optional; otherwise replaced in the loop
    best = writer.name("best") if expr.keys else ""
    if expr.keys:
        writer.line(f"{best} = None")
    with loop(coder, expr.binder, scope) as inner, _tested(coder, expr.where, inner):
        local = inner.names[expr.binder.name]
        if not expr.keys:
            writer.line(f"{found} = {local}")
            writer.line("break")
        else:
            key = coder.named(_key(coder, expr.keys, inner))
            with writer.block(f"if {best} is None or {key} < {best}:"):
                writer.line(f"{best} = {key}")
                writer.line(f"{found} = {local}")
    return Code(found)


def _key(coder: Coder, keys: tuple[Key, ...], scope: Scope) -> Code:
    parts = [coder.code(key.value, scope) for key in keys]
    texts = [f"-{part.within(ATOM)}" if key.descending else part.text for part, key in zip(parts, keys, strict=True)]
    return Code(texts[0], ADD) if len(texts) == 1 else Code(f"({', '.join(texts)})")


def _quantifier(coder: Coder, expr: Fold, binders: tuple[Binder, ...], found: str, scope: Scope) -> None:
    """Write the loops of `all` or `some`; every loop ends when the result is decided."""
    writer = coder.writer
    decided = f"if not {found}:" if expr.op == "all" else f"if {found}:"
    first, *rest = binders
    with loop(coder, first, scope) as inner:
        if rest:
            _quantifier(coder, expr, tuple(rest), found, inner)
            with writer.block(decided):
                writer.line("break")
            return
        with _tested(coder, expr.where, inner):
            body = coder.code(expr.body, inner)
            with writer.block(f"if not {body.within(NOT)}:" if expr.op == "all" else f"if {body.text}:"):
                writer.line(f"{found} = {expr.op != 'all'}")
                writer.line("break")


def _extreme(coder: Coder, expr: Fold, found: str, scope: Scope) -> Code:
    """Write `max` or `min`, beginning with a number that no value reaches."""
    writer = coder.writer
    lo, hi = bounds(expr.body, bind(expr.binders, scope.ranges), coder.world)
    beyond, sign = (lo - 1, ">") if expr.op == "max" else (hi + 1, "<")
    writer.line(f"{found} = {beyond}")
    with _rounds(coder, expr.binders, expr.where, scope) as inner:
        value = coder.named(coder.code(expr.body, inner))
        with writer.block(f"if {value} {sign} {found}:"):
            writer.line(f"{found} = {value}")
    if expr.default is not None:
        with writer.block(f"if {found} == {beyond}:"):
            writer.line(f"{found} = {coder.code(expr.default, scope).text}")
    return Code(found)


@contextmanager
def _rounds(coder: Coder, binders: tuple[Binder, ...], where: Expr | None, scope: Scope) -> Iterator[Scope]:
    """Write loops over all values that satisfy `where`."""
    first, *rest = binders
    with loop(coder, first, scope) as inner:
        if rest:
            with _rounds(coder, tuple(rest), where, inner) as innermost:
                yield innermost
        else:
            with _tested(coder, where, inner):
                yield inner


@contextmanager
def _tested(coder: Coder, where: Expr | None, scope: Scope) -> Iterator[None]:
    if where is None:
        yield
    else:
        with coder.writer.block(f"if {coder.code(where, scope).text}:"):
            yield
