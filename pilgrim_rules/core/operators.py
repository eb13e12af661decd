"""Operators: the one table of the operators, folds and network questions of the core.

Reads:  the closed unions `Operator`, `FoldOp` and `GraphQuestion` of `ir`.
Writes: for each operator its arity, kinds, meaning, interval rule and algebraic laws; for each fold the same.
After:  no table of any back end has a hole or an entry too many, or importing it fails with the back end's name.

A back end declares its own table with `operator_table`, `fold_table` or `question_table`. To add an operator: add it to
`ir.Operator`, then here, and follow the messages.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Literal, TypeAlias, TypeVar, get_args

from pilgrim_rules.core import intervals
from pilgrim_rules.core.intervals import Interval
from pilgrim_rules.core.ir import FOLD_OPS, GRAPH_QUESTIONS, OPERATORS, Expr, FoldOp, GraphQuestion, Operator
from pilgrim_rules.util.fast_dataclass import dataclass

Group: TypeAlias = Literal["arithmetic", "order", "equality", "connective"]
GROUPS: tuple[Group, ...] = get_args(Group)
ANY_NUMBER = 1_000_000  #: of arguments


class NotPositive(Exception):
    """A divisor that is not positive."""


class IncompleteTable(AssertionError):
    """A back end lacks an operator, or knows one that does not exist. A mistake of ours."""


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator of the core.

    group          what it takes and gives: `arithmetic` numbers to a number, `order` numbers to a Boolean, `equality` two
                   values of one type to a Boolean, `connective` Booleans to a Boolean.
    arity          the least and the greatest number of arguments.
    meaning        the value, from the codes of the arguments.
    interval       where the value lies, from where the arguments lie. Divisors are taken to be positive.
    short_circuit  from the position and value of one argument to the result, if that argument decides it and those
                   after it are not evaluated; otherwise None.
    associative    it may be nested or flat.      commutative  the order of two arguments does not matter.
    neutral        the right argument that changes nothing.
    divides        its right argument must be positive.
    opposite       of a comparison: the one that holds exactly where this one does not.
    mirror         of a comparison: the one that holds with the sides exchanged.
    restrict       of a comparison: where the left side lies if it holds, from where both sides lie; perhaps nowhere.
    """

    group: Group
    meaning: Callable[..., int]
    interval: Callable[..., Interval]
    arity: tuple[int, int] = (2, 2)
    short_circuit: Callable[[int, int], int | None] | None = None
    associative: bool = False
    commutative: bool = False
    neutral: int | None = None
    divides: bool = False
    opposite: Operator | None = None
    mirror: Operator | None = None
    restrict: Callable[[Interval, Interval], Interval] | None = None


@dataclass(frozen=True, slots=True)
class FoldOperation:
    """A fold of the core.

    kind      of the body and of the result.
    meaning   the value, from the values of the body; never asked of nothing where `empty` is None.
    combines  the operator that two values of the body are combined with.
    empty     the value of nothing; None if the fold needs a default.
    decides   the value of the body after which no other matters.
    interval  where the value lies, from where the body lies and the least and greatest number of values it is asked of.
    """

    kind: Literal["bool", "int"]
    meaning: Callable[[Iterable[int]], int]
    combines: Operator
    empty: int | None
    decides: int | None
    interval: Callable[[Interval, int, int], Interval]


# -------------------------------------------------------------------------------------------------------------- meanings


def _divide(divide: Callable[[int, int], int], left: int, right: int) -> int:
    if right <= 0:
        raise NotPositive
    return divide(left, right)


def _truth(holds: Callable[..., object], *args: int) -> int:
    return int(bool(holds(*args)))


def _decided_by(value: int, _at: int, found: int) -> int | None:
    return value if found == value else None


def _implied(at: int, found: int) -> int | None:
    return 1 if at == 0 and not found else None


_Rule: TypeAlias = Callable[[Interval, Interval], Interval]


def _comparison(
    group: Group, holds: Callable[..., object], interval: _Rule, opposite: Operator, mirror: Operator, restrict: _Rule
) -> Operation:
    return Operation(
        group,
        partial(_truth, holds),
        interval,
        commutative=group == "equality",
        opposite=opposite,
        mirror=mirror,
        restrict=restrict,
    )


def _connective(holds: Callable[[Iterable[int]], object], decides: int) -> Operation:
    return Operation(
        "connective",
        lambda *args: int(bool(holds(args))),
        partial(intervals.extreme, max if decides else min),
        (2, ANY_NUMBER),
        partial(_decided_by, decides),
        associative=True,
        commutative=True,
        neutral=1 - decides,
    )


def _extreme(choose: Callable[..., int]) -> Operation:
    interval = partial(intervals.extreme, choose)
    return Operation("arithmetic", choose, interval, (2, ANY_NUMBER), associative=True, commutative=True)


# ---------------------------------------------------------------------------------------------------------------- tables

_Key = TypeVar("_Key", bound=str)
_Entry = TypeVar("_Entry")

#: Every table that has been declared: the back end's name, and what was missing or too much, asked again.
DECLARED: dict[str, Callable[[], list[str]]] = {}


def _declare(
    back_end: str, table: Mapping[_Key, _Entry], wanted: Callable[[], frozenset[_Key]]
) -> Mapping[_Key, _Entry]:
    def wrong() -> list[str]:
        lacks = [f"lacks `{name}`" for name in sorted(wanted() - table.keys())]
        return lacks + [f"has `{name}`, which does not exist" for name in sorted(table.keys() - wanted())]

    assert DECLARED.get(back_end) is None, f"two tables are called {back_end}"
    DECLARED[back_end] = wrong
    if found := wrong():
        raise IncompleteTable(f"the table of {back_end} {', '.join(found)}")
    return table


def operator_table(
    back_end: str, table: Mapping[Operator, _Entry], groups: tuple[Group, ...] = GROUPS
) -> Mapping[Operator, _Entry]:
    """Return the table of a back end, which has one entry for each operator of the groups and no other."""
    return _declare(back_end, table, lambda: frozenset(op for op, each in OPERATIONS.items() if each.group in groups))


def fold_table(back_end: str, table: Mapping[FoldOp, _Entry]) -> Mapping[FoldOp, _Entry]:
    """Return the table of a back end, which has one entry for each fold and no other."""
    return _declare(back_end, table, lambda: frozenset(FOLDS))


def question_table(back_end: str, table: Mapping[GraphQuestion, _Entry]) -> Mapping[GraphQuestion, _Entry]:
    """Return the table of a back end, which has one entry for each question to a network and no other."""
    return _declare(back_end, table, lambda: frozenset(QUESTIONS))


OPERATIONS: Mapping[Operator, Operation] = _declare(
    "core operators",
    {
        "+": Operation("arithmetic", operator.add, intervals.add, associative=True, commutative=True, neutral=0),
        "-": Operation("arithmetic", operator.sub, intervals.subtract, neutral=0),
        "*": Operation(
            "arithmetic",
            operator.mul,
            partial(intervals.from_corners, operator.mul),
            associative=True,
            commutative=True,
            neutral=1,
        ),
        "div": Operation(
            "arithmetic", partial(_divide, operator.floordiv), intervals.floor_divide, neutral=1, divides=True
        ),
        "mod": Operation("arithmetic", partial(_divide, operator.mod), intervals.remainder, divides=True),
        "min": _extreme(min),
        "max": _extreme(max),
        "==": _comparison("equality", operator.eq, intervals.equal, "!=", "==", intervals.meet),
        "!=": _comparison("equality", operator.ne, intervals.unequal, "==", "!=", intervals.without),
        "<": _comparison("order", operator.lt, intervals.less, ">=", ">", partial(intervals.below, 1)),
        "<=": _comparison("order", operator.le, intervals.at_most, ">", ">=", partial(intervals.below, 0)),
        ">": _comparison("order", operator.gt, intervals.more, "<=", "<", partial(intervals.above, 1)),
        ">=": _comparison("order", operator.ge, intervals.at_least, "<", "<=", partial(intervals.above, 0)),
        "and": _connective(all, 0),
        "or": _connective(any, 1),
        "not": Operation("connective", partial(_truth, operator.not_), intervals.negation, (1, 1)),
        "implies": Operation(
            "connective",
            lambda given, then: int(not given or bool(then)),
            lambda given, then: intervals.extreme(max, intervals.negation(given), then),
            short_circuit=_implied,
        ),
    },
    lambda: OPERATORS,
)

FOLDS: Mapping[FoldOp, FoldOperation] = _declare(
    "core folds",
    {
        "all": FoldOperation("bool", partial(_truth, all), "and", 1, 0, partial(intervals.one_of, 1)),
        "some": FoldOperation("bool", partial(_truth, any), "or", 0, 1, partial(intervals.one_of, 0)),
        "count": FoldOperation("int", sum, "+", 0, None, intervals.repeated),
        "sum": FoldOperation("int", sum, "+", 0, None, intervals.repeated),
        "max": FoldOperation("int", max, "max", None, None, partial(intervals.one_of, None)),
        "min": FoldOperation("int", min, "min", None, None, partial(intervals.one_of, None)),
    },
    lambda: FOLD_OPS,
)

#: How many nodes each question to a network is about, and the kind of its answer.
QUESTIONS: Mapping[GraphQuestion, tuple[int, Literal["bool", "int", "optional"]]] = _declare(
    "core questions",
    {
        "nodes": (0, "int"),
        "links": (0, "int"),
        "components": (0, "int"),
        "is_forest": (0, "bool"),
        "longest": (0, "int"),
        "has": (1, "bool"),
        "degree": (1, "int"),
        "reach": (1, "int"),
        "is_path": (1, "bool"),
        "linked": (2, "bool"),
        "connected": (2, "bool"),
        "distance": (2, "optional"),
    },
    lambda: GRAPH_QUESTIONS,
)


def result_range(op: Operator, args: Sequence[Expr]) -> Interval:
    """Return where the value of an operator lies, by the types of its arguments."""
    return OPERATIONS[op].interval(*((arg.type.lo, arg.type.hi) for arg in args))
