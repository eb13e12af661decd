"""Forms: what the conveniences of the language stand for, and the node that remembers which of them was written.

Reads:  the name of a form, its parts, its type.   Writes: a core expression that carries the form.
After:  the expression means what the form says, spelled with plain operators; there is no other account of it.

Semantic back ends never look at a form. Whoever shows an expression, or changes it as an author would, asks `form_of`
first, and makes another with `respell`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

from pilgrim_rules.core import values
from pilgrim_rules.core.ir import (
    BOOL,
    FORMS,
    Apply,
    Bound,
    Call,
    Cond,
    Expr,
    Form,
    FormName,
    Let,
    Lit,
    Lookup,
    Operator,
    Read,
    Type,
    Unique,
)
from pilgrim_rules.core.operators import OPERATIONS
from pilgrim_rules.core.smart_constructors import arithmetic, lit, number

Formed: TypeAlias = Lit | Apply | Cond | Let  #: what can carry a form
#: Makes the meaning of a form, as a value of the type.
Meaning: TypeAlias = Callable[[Form, Type], Expr]

#: Conversions: nobody writes them, and their only part is what is shown.
SILENT: Final[frozenset[FormName]] = frozenset({"shifted", "known", "optional", "within", "folded"})
#: Forms whose meaning takes the definitions of a game to make (`core/at_time.py`): they are made where these are known.
AT_A_TIME: Final[frozenset[FormName]] = frozenset({"old", "primed", "unchanged"})
#: Forms whose meaning reads what is no part of them: the table of places. At another time they are not what the form says.
MADE_OF_MORE: Final[frozenset[FormName]] = AT_A_TIME | {"in_zone"}


def form_of(expr: Expr) -> Form | None:
    """Return what the author wrote, if the expression spells out something else."""
    return expr.form if isinstance(expr, Lit | Apply | Cond | Let) else None


def expand_form(name: FormName, args: tuple[Expr, ...], of: Type, type_: Type, label: str = "") -> Expr:
    """Return the expression that a form stands for; it carries the form.

    of     the type that the form is about.
    type_  the type of the value.
    label  the name that the form uses.
    """
    form = Form(name, args, of, label)
    return with_form(_MEANINGS[name](form, type_), form)


def expand_form_again(expr: Expr, args: tuple[Expr, ...], name: FormName | None = None) -> Expr:
    """Return what the form of an expression stands for with other parts, or under another name."""
    form = form_of(expr)
    assert form is not None, "only what has a form is spelled again"
    return expand_form(form.name if name is None else name, args, form.of, expr.type, form.label)


def with_form(expr: Expr, form: Form) -> Expr:
    """Return the expression with the form it was written in, if it is of a kind that spells out anything."""
    return replace(expr, form=form) if isinstance(expr, Lit | Apply | Cond | Let) else expr


# ------------------------------------------------------------------------------------------------------ labels and seats


def _neighbour(form: Form, type_: Type, *, step: int) -> Expr:
    """Return the label after or before, going round."""
    size = form.of.size
    by = step if step > 0 else size + step
    return Apply("mod", (Apply("+", (form.args[0], lit(by)), number(by, size - 1 + by)), lit(size)), type_)


def _position(form: Form, type_: Type) -> Expr:
    """Return the place of a label in its enum, from 0: its code."""
    return Apply("+", (form.args[0], lit(0)), type_)


def _seats(form: Form, type_: Type, *, first: int) -> Expr:
    """Return how many seats lead from one player to another: from `first` to `first` + n - 1."""
    start, end = form.args
    size = form.of.size
    distance = Apply("-", (Apply("+", (end, lit(size - first)), number(0, 2 * size)), start), number(-size, 2 * size))
    gone = Apply("mod", (distance, lit(size)), number(0, size - 1) if first else type_)
    return Apply("+", (gone, lit(first)), type_) if first else gone


def _players(form: Form, type_: Type) -> Expr:
    return Lit(form.of.size, type_)


# --------------------------------------------------------------------------------------------------------------- numbers


def negative(value: Expr) -> Expr:
    """Return the number with the other sign."""
    return expand_form("negative", (value,), value.type, number(-value.type.hi, -value.type.lo))


def _negative(form: Form, type_: Type) -> Expr:
    value = form.args[0]
    return Lit(-value.value, type_) if isinstance(value, Lit) else Apply("-", (lit(0), value), type_)


def folded(expr: Apply) -> Expr:
    """Return the value of an operation on constants, worked out."""
    type_ = lit(_value(expr)).type
    return expand_form("folded", (expr,), type_, type_)


def _folded(form: Form, type_: Type) -> Expr:
    """Return the value of constants that are worked out at once."""
    return Lit(_value(form.args[0]), type_)


def _value(expr: Expr) -> int:
    match expr:
        case Lit(value=value):
            return value
        case Apply(op=op, args=args):
            return OPERATIONS[op].meaning(*map(_value, args))
        case _:
            raise AssertionError("only numbers are worked out at once")


def _clamped(form: Form, type_: Type, *, up: bool) -> Expr:
    """Return the value moved by an amount, not beyond the limit, and never the other way."""
    now, amount, limit = form.args
    moved = arithmetic("+" if up else "-", now, amount)
    return replace(
        arithmetic("max" if up else "min", now, arithmetic("min" if up else "max", moved, limit)), type=type_
    )


# ----------------------------------------------------------------------------------------------------------------- tests


def _presence(form: Form, type_: Type, *, op: Operator) -> Expr:
    """Return whether an optional value is there."""
    return Apply(op, (form.args[0], Lit(form.of.hi, form.of)), type_)


def _member(form: Form, type_: Type) -> Expr:
    """Return whether a value lies in a narrower type: a range of numbers, a part of a union, what may be missing."""
    value = form.args[0]
    have, of = value.type, form.of
    if have.kind == "optional":
        return Apply("!=", (value, Lit(have.hi, have)), type_)
    low = of.lo if of.kind == "int" else have.labels.index(of.labels[0])
    high = low + of.size - 1
    ends = ((">=", low, low > have.lo), ("<=", high, high < have.hi))
    tests = tuple(Apply(op, (value, _code(end, have)), BOOL) for op, end, asked in ends if asked)  # type: ignore[arg-type]  # two operators
    return _one("and", tests, type_)


def _code(code: int, type_: Type) -> Lit:
    """Return a code to compare with: a number is one of its own, a label one of the type."""
    return lit(code) if type_.kind == "int" else Lit(code, type_)


def _among(form: Form, type_: Type) -> Expr:
    """Return whether a value is one of those listed."""
    value, *items = form.args
    return _one("or", tuple(Apply("==", (value, item), BOOL) for item in items), type_)


def _one(op: Operator, tests: tuple[Expr, ...], type_: Type) -> Expr:
    if not tests:
        return Lit(int(op == "and"), type_)
    return tests[0] if len(tests) == 1 else Apply(op, tests, type_)


def _none_of(form: Form, type_: Type) -> Expr:
    return Apply("not", form.args, type_)


# -------------------------------------------------------------------------------------------------------- pairs and stages


def _pair(form: Form, type_: Type) -> Expr:
    """Return the code of a pair: the first part, from 0, times the size of the second, plus the second, from 0."""
    left, right = form.args
    first, second = form.of.parts
    if isinstance(left, Lit) and isinstance(right, Lit):
        return Lit(values.pair(form.of, left.value, right.value), type_)
    high = _moved(left, -first.lo)
    return Apply(
        "+", (high if second.size == 1 else arithmetic("*", high, lit(second.size)), _moved(right, -second.lo)), type_
    )


def _part(form: Form, type_: Type, *, at: int) -> Expr:
    """Return a part of a pair, whose code is taken apart by division."""
    op: Operator = "div" if at == 0 else "mod"
    part, size = form.of.parts[at], lit(form.of.parts[1].size)
    if part.lo == 0:
        return Apply(op, (form.args[0], size), type_)
    return Apply("+", (Apply(op, (form.args[0], size), number(0, part.size - 1)), lit(part.lo)), type_)


def _moved(expr: Expr, by: int) -> Expr:
    return expr if by == 0 else arithmetic("+" if by > 0 else "-", expr, lit(abs(by)))


def _stage(form: Form, type_: Type) -> Expr:
    """Return the stage that carries a value."""
    shift = _first_stage(form, type_) - form.of.lo
    value = form.args[0]
    return Lit(value.value + shift, type_) if isinstance(value, Lit) else Apply("+", (value, lit(shift)), type_)


def _stage_value(form: Form, type_: Type) -> Expr:
    """Return the value a stage carries; the bounds say of any other stage what is never asked of it."""
    stage = form.args[0]
    shift = lit(_first_stage(form, stage.type) - form.of.lo)
    return replace(
        arithmetic("min", arithmetic("max", arithmetic("-", stage, shift), lit(form.of.lo)), lit(form.of.hi)),
        type=type_,
    )


def _zone(form: Form, type_: Type) -> Expr:
    """Return the place of a zone that there is one of for each value of its index."""
    shift = type_.labels.index(zone_label(form.label, values.show(form.of, form.of.lo))) - form.of.lo
    index = form.args[0]
    return Lit(index.value + shift, type_) if isinstance(index, Lit) else Apply("+", (index, lit(shift)), type_)


def zone_label(name: str, index: str) -> str:
    """Return what one zone of several is called."""
    return f"{name}[{index}]"


def _in_zone(form: Form, type_: Type) -> Expr:
    """Return whether a piece lies in a zone; the form's name is that of the table of places."""
    piece, zone = form.args
    return Apply("==", (Read(form.label, (piece,), form.of), zone), type_)


def _first_stage(form: Form, stage: Type) -> int:
    return stage.labels.index(f"{form.label}({values.show(form.of, form.of.lo)})")


# ----------------------------------------------------------------------------------------------------------- conversions


def retyped(expr: Expr, type_: Type) -> Expr:
    """Return the same code under a type that has the same codes with the same meaning, or fewer or more of them."""
    return expr if expr.type == type_ or isinstance(expr, Unique) else replace(expr, type=type_)


def narrowed(expr: Expr, type_: Type) -> Expr:
    """Return the same code under a type that has fewer codes, because a test around the place says that these are all."""
    if expr.type == type_ or isinstance(expr, Bound | Read | Lookup | Call):
        return retyped(expr, type_)
    # An operation has the type of its arguments; only what is read or bound can be known better.
    return expand_form("known", (expr,), type_, type_)


def shifted(expr: Expr, offset: int, type_: Type) -> Expr:
    """Return the value under a type in which its code is larger by an offset."""
    if offset == 0:
        return expr if isinstance(expr, Bound | Read | Lookup | Call) else retyped(expr, type_)
    return Lit(expr.value + offset, type_) if isinstance(expr, Lit) else expand_form("shifted", (expr,), type_, type_)


def _shifted(form: Form, type_: Type) -> Expr:
    """Return the value under a wider or narrower type, in which the code may be another."""
    value, of = form.args[0], form.of
    common = next((label for label in value.type.labels if label in of.labels), None)
    offset = 0 if common is None else of.labels.index(common) - value.type.labels.index(common)
    if isinstance(value, Lit):
        return Lit(value.value + offset, type_)
    return Apply("+" if offset >= 0 else "-", (value, lit(abs(offset))), type_)


def _known(form: Form, type_: Type) -> Expr:
    return Let("its value", form.args[0], Bound("its value", form.of), type_)


def _optional(form: Form, type_: Type) -> Expr:
    """Return an optional value under a wider optional type, whose code for `none` is another."""
    value, of = form.args[0], form.of
    have, want = value.type.parts[0], of.parts[0]
    there = narrowed(value, have)
    if want.kind == "enum":
        there = shifted(there, want.labels.index(have.labels[0]), want)
    none = Apply("==", (value, Lit(value.type.hi, value.type)), BOOL)
    return Cond(none, Lit(of.hi, of), there, type_)


def _within(form: Form, _type: Type) -> Expr:
    """Return a number kept inside a range."""
    expr, of = form.args[0], form.of
    low, high = max(expr.type.lo, of.lo), min(expr.type.hi, of.hi)
    if expr.type.lo < low:
        expr = Apply("max", (expr, lit(low)), number(low, max(low, expr.type.hi)))
    return expr if expr.type.hi <= high else Apply("min", (expr, lit(high)), number(min(low, high), high))


def _needs_definitions(form: Form, _type: Type) -> Expr:
    raise AssertionError(f"`{form.name}` is made where the definitions are known")


_MEANINGS: Final[Mapping[FormName, Meaning]] = {
    "next": partial(_neighbour, step=1),
    "previous": partial(_neighbour, step=-1),
    "ord": _position,
    "seats_after": partial(_seats, first=1),
    "seats_after_or_at": partial(_seats, first=0),
    "players": _players,
    "negative": _negative,
    "folded": _folded,
    "raised": partial(_clamped, up=True),
    "lowered": partial(_clamped, up=False),
    "is_some": partial(_presence, op="!="),
    "is_none": partial(_presence, op="=="),
    "is": _member,
    "in_type": _member,
    "in": _among,
    "in_stages": _among,
    "none_of": _none_of,
    "pair": _pair,
    "first": partial(_part, at=0),
    "second": partial(_part, at=1),
    "stage": _stage,
    "carried": _stage_value,
    "shifted": _shifted,
    "known": _known,
    "optional": _optional,
    "within": _within,
    "zone": _zone,
    "in_zone": _in_zone,
    **dict.fromkeys(AT_A_TIME, _needs_definitions),
}
assert _MEANINGS.keys() == FORMS, "every form has a meaning"
