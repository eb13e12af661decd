"""What lowering spelled out with arithmetic on codes, said again as the author wrote it.

Reads:  an application of `+ - * div mod min max`.   Writes: its phrase, or None if it is ordinary arithmetic.
After:  readers never see codes: pairs, parts of pairs, neighbours, seats, stages and positions have their own words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from pilgrim_rules.core import values
from pilgrim_rules.core.ir import Apply, Expr, Lit, Read, Type
from pilgrim_rules.prose import words
from pilgrim_rules.prose.voice import Voice, noun

Say: TypeAlias = Callable[[Expr], str]


def recognise(expr: Apply, voice: Voice, say: Say) -> str | None:
    """Return the phrase for what the expression stands for; `say` says its parts."""
    if expr.type.kind == "pair" and expr.op == "+":
        return _pair(expr, say)
    if _is_carried(expr):
        return "what the stage carries"
    return _part(expr, say) or _round_the_table(expr, voice, say) or _shifted(expr, voice, say)


def _pair(expr: Apply, say: Say) -> str:
    """Say a pair as it is written; its code is the first part times the size of the second, plus the second."""
    scaled, second = expr.args
    first, last = expr.type.parts
    match scaled:
        case Apply(op="*", args=(left, Lit())):
            said = _from_zero(left, first, say)
        case Lit(value=value):
            said = words.label(values.show(first, value // last.size + first.lo))
        case _:
            said = say(scaled)
    return f"({said}, {_from_zero(second, last, say)})"


def _from_zero(expr: Expr, part: Type, say: Say) -> str:
    """Say a part of a pair, whose code counts from 0."""
    match expr:
        case Apply(op="-", args=(value, Lit(value=low))) if low == part.lo:
            return say(value)
        case Lit(value=value):
            return words.label(values.show(part, value + part.lo))
        case _:
            return say(expr)


def _part(expr: Apply, say: Say) -> str | None:
    """Say a part of a pair: its code is taken apart by division, and shifted by the lowest value of the part."""
    match expr:
        case Apply(op="+", args=(Apply(op="div" | "mod") as inner, Lit())) if inner.args[0].type.kind == "pair":
            return _part(inner, say)
        case Apply(op="div" | "mod" as op, args=(whole, _)) if whole.type.kind == "pair":
            return f"the {'first' if op == 'div' else 'second'} part of {say(whole)}"
        case _:
            return None


def _round_the_table(expr: Apply, voice: Voice, say: Say) -> str | None:
    """Say `next`, `previous` and seats, which are remainders."""
    match expr:
        case Apply(op="mod", args=(Apply(op="+", args=(value, Lit(value=step))), _), type=type_) if (
            type_.kind == "enum"
        ):
            return words.RELATIVES["next" if step == 1 else "previous"].format(say(value), noun=noun(type_))
        case Apply(op="mod", args=(Apply(op="-", args=(Apply(op="+", args=(end, Lit())), start)), _)):
            return f"the number of seats from {say(start)} to {say(end)}" if voice.owns(start.type) else None
        case Apply(op="+", args=(Apply(op="mod") as gone, Lit(value=1))) if gone.type.kind == "int":
            seats = _round_the_table(gone, voice, say)
            return None if seats is None else f"{seats} (a full round if they are the same)"
        case _:
            return None


def _shifted(expr: Apply, voice: Voice, say: Say) -> str | None:
    """Say a stage with the value it carries, a value of a wider type, or the position of a label."""
    match expr:
        case Apply(op="+", args=(value, Lit(value=shift)), type=type_) if type_ == voice.stage:
            family = type_.labels[shift + value.type.lo].partition("(")[0]
            return f"{words.label(family)} ({say(value)})"
        case Apply(op="+" | "-", args=(value, Lit()), type=type_) if type_.kind == value.type.kind == "enum":
            return say(value)
        case Apply(op="+", args=(value, Lit()), type=type_) if (value.type.kind, type_.kind) == ("enum", "int"):
            return f"the position of {say(value)}"
        case _:
            return None


def _is_carried(expr: Expr) -> bool:
    """Tell whether this is the value that the stage carries: the stage, shifted and kept in its range."""
    match expr:
        case Apply(op="-", args=(Read(variable="stage"), Lit())):
            return True
        case Apply(op="min" | "max", args=(inner, Lit())):
            return _is_carried(inner)
        case _:
            return False
