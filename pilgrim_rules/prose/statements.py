"""Effects as English: each line of a rule's effect is one step, nested under its condition or loop.

Reads:  core statements and the voice they are told in.   Writes: `Step`s in text order, and the voice after them.
After:  every statement of the core has its words; each written line keeps its key, clauses and place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from pilgrim_rules.core import walk
from pilgrim_rules.core.ir import Apply, Assign, Branch, Define, Expr, Lit, Loop, Read, Stmt
from pilgrim_rules.prose import words
from pilgrim_rules.prose.expressions import deny, domain, say_expr
from pilgrim_rules.prose.voice import Voice
from pilgrim_rules.source import Span


@dataclass(frozen=True, slots=True)
class Step:
    """One line of English.

    number   the same for all lines that come from one line of the text (`key`); None for headings such as "If …:".
    says     what a player is told who does not meet this requirement.
    depth    how deep it stands under a condition or a loop.
    """

    text: str
    clauses: tuple[str, ...] = ()
    key: str | None = None
    span: Span | None = None
    depth: int = 0
    says: str | None = None
    number: int | None = None


def say_block(block: tuple[Stmt, ...], voice: Voice, depth: int = 0) -> tuple[list[Step], Voice]:
    """Return the steps of a block, and the voice that holds after it."""
    steps: list[Step] = []
    at = 0
    while at < len(block):
        pair = block[at : at + 2]
        if (moved := _move(pair, voice)) is not None:
            steps.append(replace(moved, depth=depth))
            at += 2
        else:
            steps += _statement(block[at], voice, depth)
            at += 1
        for stmt in pair[: 2 if moved else 1]:
            voice = _after(stmt, voice)
    return steps, voice


def _is_move(first: Stmt, second: Stmt) -> bool:
    """Tell whether two statements are the two halves of one `move`: what one place loses, the other gets."""
    match first, second:
        case (Assign(mode="add", key=key), Assign(mode="add", key=other)) if key == other:
            lost = _lost(first.value)
            if isinstance(lost, Lit) and isinstance(second.value, Lit):
                return lost.value == second.value.value
            return lost == second.value
        case _:
            return False


def _move(pair: tuple[Stmt, ...], voice: Voice) -> Step | None:
    match pair:
        case (Assign() as first, Assign() as second) if _is_move(first, second):
            amount = say_expr(second.value, voice)
            text = f"{amount} moves from {_cell(first, voice)} to {_cell(second, voice)}"
            return _step(text, first)
        case _:
            return None


def _statement(stmt: Stmt, voice: Voice, depth: int) -> list[Step]:
    match stmt:
        case Assign():
            return [replace(_step(_assignment(stmt, voice), stmt), depth=depth)]
        case Define(name=name, value=value):
            if value in voice.you:
                return []
            return [Step(words.sentence(f"let {words.words(name)} be {say_expr(value, voice)}"), depth=depth)]
        case Branch():
            return _branch(stmt, voice, depth)
        case Loop(binder=binder, where=where, body=body, simultaneous=simultaneous):
            together = ", all at the same moment" if simultaneous else ", one after the other"
            head = f"for every {domain((binder,), where, voice)}{together}:"
            inner, _ = say_block(body, voice.binding(binder), depth + 1)
            return [Step(words.sentence(head), depth=depth), *inner]
        case _:
            assert_never(stmt)


def _branch(stmt: Branch, voice: Voice, depth: int) -> list[Step]:
    then, _ = say_block(stmt.then, voice, depth + 1)
    other, _ = say_block(stmt.other, voice, depth + 1)
    if not then:
        return [*_under(f"if {deny(stmt.test, voice)}", other, depth)] if other else []
    said = _under(f"if {say_expr(stmt.test, voice)}", then, depth)
    return [*said, *_under("otherwise", other, depth)] if other else said


def _under(head: str, steps: list[Step], depth: int) -> list[Step]:
    """Put steps under a heading; a single plain step joins it in one sentence."""
    if len(steps) == 1 and steps[0].key is not None:
        only = steps[0]
        return [replace(only, text=words.sentence(f"{head}, {words.inner(only.text)}"), depth=depth)]
    return [Step(words.sentence(f"{head}:"), depth=depth), *steps]


def _assignment(stmt: Assign, voice: Voice) -> str:
    value = stmt.value
    cell = _cell(stmt, voice)
    if stmt.mode == "add":
        return _change(cell, value, voice)
    if value.type.kind == "bool":
        return _truth(stmt, voice)
    if isinstance(value, Lit) and value.type.kind == "optional" and value.value == value.type.hi:
        return f"{cell} is cleared"
    return f"{cell} becomes {say_expr(value, voice)}"


def _change(cell: str, value: Expr, voice: Voice) -> str:
    lost = _lost(value)
    if lost is not None and not (isinstance(value, Lit) and value.value > 0):
        return f"{cell} falls by {say_expr(lost, voice)}"
    if value.type.lo < 0:
        return f"{cell} changes by {say_expr(value, voice)}"
    return f"{cell} rises by {say_expr(value, voice)}"


def _truth(stmt: Assign, voice: Voice) -> str:
    cell = Read(stmt.variable, stmt.index, stmt.value.type)
    match stmt.value:
        case Lit(value=1):
            return f"from now on, {say_expr(cell, voice)}"
        case Lit():
            return f"from now on, {deny(cell, voice)}"
        case _:
            return f"from now on, {say_expr(cell, voice, 'and')} exactly if {say_expr(stmt.value, voice)} now"


def _cell(stmt: Assign, voice: Voice) -> str:
    return say_expr(Read(stmt.variable, stmt.index, stmt.value.type), voice.after(frozenset({stmt.variable})))


def _step(text: str, stmt: Assign) -> Step:
    return Step(words.sentence(text), stmt.clauses, stmt.key, stmt.span)


def _lost(value: Expr) -> Expr | None:
    """Return the amount that a negative change takes away, if it can be seen to be one."""
    match value:
        case Lit(value=number, type=type_):
            return Lit(-number, replace(type_, lo=-type_.hi, hi=-type_.lo))
        case Apply(op="-", args=(Lit(value=0), amount)):
            return amount
        case _:
            return None


def _after(stmt: Stmt, voice: Voice) -> Voice:
    if isinstance(stmt, Define):
        return voice.letting(stmt.name, stmt.value)
    return voice.after(walk.writes((stmt,)))
