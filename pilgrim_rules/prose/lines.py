"""Lines of the text behind core statements: which belong together, and what kind of line they come from.

Reads:  keys of requirements and assignments, as lowering makes them.   Writes: line identities and groups.
After:  no other module of this package looks inside a key.

A key is `<rule>.<kind>.<number>`, with kind `require`, `cost`, `do` or `pay`; what one line expands to has endings such as
`.from`, `.to.1`. Values that lowering names itself are called `amount`, `cost`, `paid`, `rest`, `unused`, with `~2` if
there are several.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pilgrim_rules.core import walk
from pilgrim_rules.core.ir import Assign, Branch, Define, Stmt

__all__ = ["is_cost", "is_made", "is_payment", "line_of", "owner_of", "payment_groups"]

_LINE = re.compile(r"(.+?\.(?:require|do|pay|cost)\.\w+)(?:\..*)?")
_PAYMENT = re.compile(r".+\.pay\.\d+(?:\..*)?")
_COST = re.compile(r".+\.cost\.\w+")
_MADE = re.compile(r"(?:amount|cost|paid|rest|unused)(?:~\d+)?")


def line_of(key: str) -> str:
    """Return the identity of the line that a key belongs to: `drop.do.1.from` belongs to `drop.do.1`."""
    found = _LINE.fullmatch(key)
    return key if found is None else found.group(1)


def owner_of(key: str) -> str:
    """Return the rule, shared guard or shared effect that a line stands in."""
    return key.partition(".")[0]


def is_cost(key: str) -> bool:
    """Tell whether a requirement asks for the sum of costs."""
    return _COST.fullmatch(key) is not None


def is_made(name: str) -> bool:
    """Tell whether a name was made by lowering, so that the reader never wrote it."""
    return _MADE.fullmatch(name) is not None


def is_payment(stmt: Stmt) -> bool:
    """Tell whether a statement does nothing but pay."""
    match stmt:
        case Define(name=name):
            return is_made(name)
        case Branch():
            found = list(walk.assignments((stmt,)))
            return bool(found) and all(_PAYMENT.fullmatch(inner.key) for inner in found)
        case Assign(key=key):
            return _PAYMENT.fullmatch(key) is not None
        case _:
            return False


def payment_groups(block: tuple[Stmt, ...]) -> Iterator[tuple[Stmt, ...]]:
    """Cut a block into single statements and the groups that pay one line, its made-up names included."""
    group: list[Stmt] = []
    names: list[Stmt] = []  # made-up names that belong to whatever pays next
    line = ""
    for stmt in block:
        if isinstance(stmt, Define) and is_made(stmt.name):
            names.append(stmt)
            continue
        mine = _line_paid(stmt)
        if group and mine != line:
            yield tuple(group)
            group = []
        if mine is None:
            yield from ((name,) for name in names)
            yield (stmt,)
        else:
            group += [*names, stmt]
            line = mine
        names = []
    if group:
        yield tuple(group)
    yield from ((name,) for name in names)


def _line_paid(stmt: Stmt) -> str | None:
    """Return the line a statement pays for, None if it does not pay."""
    match stmt:
        case Assign(key=key) if _PAYMENT.fullmatch(key):
            return line_of(key)
        case Branch() if is_payment(stmt) and all(".back." in inner.key for inner in walk.assignments((stmt,))):
            return line_of(next(walk.assignments((stmt,))).key)
        case _:
            return None
