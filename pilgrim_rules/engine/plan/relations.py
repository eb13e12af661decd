"""Relations: which values of a parameter pass a requirement, known before play.

Reads:  requirements of one parameter, the others bound.   Writes: lists of values, by what the state says.
After:  a value is on a list exactly if the requirements hold there, wherever they have a value; where they have none, an
        earlier requirement fails.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod

from pilgrim_rules.core.bounds import bounds, total
from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.footprint import reads
from pilgrim_rules.core.intervals import Interval
from pilgrim_rules.core.ir import Bound, Call, Expr, Let, Lit, Parameter, Read
from pilgrim_rules.core.simplify import Simplifier
from pilgrim_rules.core.walk import binders_of, free_names, rebuild
from pilgrim_rules.language.check.staged import Stager
from pilgrim_rules.semantics.errors import Contradiction

_LARGEST_WRITTEN_OUT = 120  #: nodes of a definition looked into for a relation
_MOST_TRIALS = 4096  #: evaluations spent on one relation


@dataclass(frozen=True, slots=True)
class RequireTest:
    """Go on only if the test holds.

    line   the number of the conjunct in the guard;  key  the requirement's identity.
    needs  the lines that must hold for the test to have a value.
    """

    line: int
    key: str
    test: Expr
    needs: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Members:
    """Bind a parameter to each value of a list: row number `keys` (row-major in their ranges) of `rows`."""

    param: Parameter
    keys: tuple[tuple[Expr, Interval], ...]
    rows: tuple[tuple[int, ...], ...]
    by: tuple[RequireTest, ...]

    @property
    def average(self) -> float:
        """How many values a list has."""
        return sum(map(len, self.rows)) / max(len(self.rows), 1)


class Relations:
    """The relations found so far, for one action."""

    def __init__(self, declared: Declarations) -> None:
        self._declared = declared
        self._written_out = Simplifier(declared, inline=_LARGEST_WRITTEN_OUT)
        self._staged = Stager(declared.constants, declared.defs)
        self._found: dict[tuple[str, tuple[int, ...]], Members | None] = {}

    def find(self, param: Parameter, lines: tuple[RequireTest, ...], ranges: Mapping[str, Interval]) -> Members | None:
        """Return which values of the parameter pass the lines, if play decides nothing but the keys."""
        which = (param.name, tuple(line.line for line in lines))
        if which not in self._found:
            self._found[which] = self._relation(param, lines, ranges)
        return self._found[which]

    def _relation(
        self, param: Parameter, lines: tuple[RequireTest, ...], ranges: Mapping[str, Interval]
    ) -> Members | None:
        written_out = [self._written_out(line.test) for line in lines]
        views = [_View.of_tests(written_out, param.name, deep=deep) for deep in (True, False)]
        usable = [view for view in views if self._is_usable(view, param, ranges)]
        if not usable:
            return None
        view = min(usable, key=lambda each: len(each.keys))
        spans = [bounds(key, ranges, self._declared) for key in view.keys]
        domain = range(param.type.lo, param.type.hi + 1)
        tests = [self._staged.function((*view.keys.values(), param.name), test) for test in view.tests]
        rows = tuple(
            tuple(value for value in domain if all(_holds(test, (*codes, value)) for test in tests))
            for codes in product(*(range(lo, hi + 1) for lo, hi in spans))
        )
        return Members(param, tuple(zip(view.keys, spans, strict=True)), rows, lines)

    def _is_usable(self, view: _View, param: Parameter, ranges: Mapping[str, Interval]) -> bool:
        sizes = (hi - lo + 1 for lo, hi in (bounds(key, ranges, self._declared) for key in view.keys))
        return (
            not any(reads((test,), self._declared.defs) for test in view.tests)
            and param.type.size * prod(sizes) <= _MOST_TRIALS
            and all(total(key, ranges, self._declared) for key in view.keys)  # it may stand behind a test that fails
        )


def _holds(test: Callable[[tuple[int, ...]], int], codes: tuple[int, ...]) -> bool:
    try:
        return bool(test(codes))
    except Contradiction:
        return False  # an earlier requirement fails here


@dataclass(frozen=True, slots=True)
class _View:
    """Tests of a parameter, in which parts that do not depend on it are names; `keys` says what the names stand for."""

    tests: tuple[Expr, ...]
    keys: dict[Expr, str]

    @classmethod
    def of_tests(cls, tests: list[Expr], param: str, *, deep: bool) -> _View:
        """Replace the largest parts that depend neither on the parameter nor on inner names; if deep, the smallest."""
        keys: dict[Expr, str] = {}

        def change(expr: Expr, local: frozenset[str]) -> Expr:
            free = free_names(expr)
            if not isinstance(expr, Lit) and free.isdisjoint(local | {param}) and (not deep or _is_leaf(expr)):
                return Bound(keys.setdefault(expr, f"key#{len(keys)}"), expr.type)
            inner = local | {binder.name for binder in binders_of(expr)}
            if isinstance(expr, Let):
                inner |= {expr.name}
            return rebuild(expr, lambda part: change(part, inner))

        return cls(tuple(change(test, frozenset()) for test in tests), keys)


def _is_leaf(expr: Expr) -> bool:
    return isinstance(expr, Bound | Read | Call)
