"""Effects as English: each line of a rule's effect is one step, nested under its condition or loop.

Reads:  core statements and the voice they are told in.   Writes: `Step`s in text order, and the voice after them.
After:  every statement of the core has its words; each written line keeps its key, clauses and place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from pilgrim_rules.core import walk
from pilgrim_rules.core.ir import Apply, Assign, Bound, Branch, Cond, Define, Expr, Lit, Loop, Read, Stmt
from pilgrim_rules.prose import lines, words
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
    for group in _groups(block):
        steps += [replace(step, depth=step.depth + depth) for step in _said(group, voice)]
        for stmt in group:
            voice = _after(stmt, voice)
    return steps, voice


def _groups(block: tuple[Stmt, ...]) -> Iterator[tuple[Stmt, ...]]:
    """Cut a block into what is said together: payments of one line, the two halves of a move, single statements."""
    waiting: Stmt | None = None
    for group in lines.payment_groups(block):
        if waiting is not None:
            if len(group) == 1 and _is_move(waiting, group[0]):
                yield (waiting, group[0])
                waiting = None
                continue
            yield (waiting,)
            waiting = None
        if len(group) == 1 and isinstance(group[0], Assign) and not lines.is_payment(group[0]):
            waiting = group[0]
        else:
            yield group
    if waiting is not None:
        yield (waiting,)


def _said(group: tuple[Stmt, ...], voice: Voice) -> list[Step]:
    if any(isinstance(stmt, Assign) and lines.is_payment(stmt) for stmt in group):
        return [_payment(group, voice)]
    match group:
        case (Assign() as first, Assign() as second) if _is_move(first, second):
            amount, source, target = say_expr(second.value, voice), _cell(first, voice), _cell(second, voice)
            whole = amount == source
            source, target = (cell.removeprefix("the number of ") for cell in (source, target))
            moved = f"all of {source} moves" if whole else f"{amount} moves from {source}"
            return [_step(f"{moved} to {target}", first)]
        case _:
            return [step for stmt in group for step in _statement(stmt, voice)]


def _is_move(first: Stmt, second: Stmt) -> bool:
    """Tell whether two statements are the two halves of one `move`: what one place loses, the other gets."""
    match first, second:
        case (Assign(mode="add"), Assign(mode="add")) if lines.line_of(first.key) == lines.line_of(second.key):
            lost = _lost(first.value)
            if isinstance(lost, Lit) and isinstance(second.value, Lit):
                return lost.value == second.value.value
            return lost == second.value
        case _:
            return False


def _payment(group: tuple[Stmt, ...], voice: Voice) -> Step:
    """Say a payment in one line: how much, from where, in which order, and to whom."""
    paid = [stmt for stmt in group if isinstance(stmt, Assign)]
    taken = [stmt for stmt in paid if ".from" in stmt.key]
    given = [stmt for stmt in paid if ".to" in stmt.key]
    match group[0]:
        case Define(value=Apply(op="min", args=(whole, _))):
            amount: Expr = whole
        case _:
            amount = _lost(taken[0].value) or taken[0].value
    cells = ", then ".join(_cell(stmt, voice).removeprefix("the number of ") for stmt in taken)
    goals = list(dict.fromkeys(_cell(stmt, voice).removeprefix("the number of ") for stmt in given))
    goal = f", to {words.join(goals)}" if goals else ""
    return _step(f"{say_expr(amount, voice)} from {cells}{goal}", taken[0])


def _statement(stmt: Stmt, voice: Voice) -> list[Step]:
    match stmt:
        case Assign(variable=variable) if variable in voice.ghosts:
            return []  # ghosts cannot change play; the formal text shows them
        case Assign():
            return [_step(_assignment(stmt, voice), stmt)]
        case Define(name=name, value=value):
            return say_name(name, value, voice)
        case Branch():
            return _branch(stmt, voice)
        case Loop(binder=binder, where=where, body=body, simultaneous=simultaneous):
            together = ", all at the same moment" if simultaneous else ", one after the other"
            head = f"for every {domain((binder,), where, voice)}{together}:"
            inner, _ = say_block(body, voice.binding(binder), 1)
            return [Step(words.sentence(head)), *inner] if inner else []
        case _:
            assert_never(stmt)


def say_name(name: str, value: Expr, voice: Voice) -> list[Step]:
    """Return "Let x be …", or nothing where the value is short enough to be said at each use."""
    if voice.speaks_for(name, value):
        return []
    if value.type.kind == "bool":
        return [Step(words.sentence(f"let “{words.words(name)}” mean that {say_expr(value, voice)}"))]
    return [Step(words.sentence(f"let {words.words(name)} be {say_expr(value, voice)}"))]


def name_value(name: str, value: Expr, voice: Voice) -> Voice:
    """Return the voice after a value was named: short values are called what they are."""
    if value in voice.you or not voice.speaks_for(name, value):
        return voice.letting(name, value)
    if value in voice.values:
        return voice.calling(**{name: voice.values[value]})
    if isinstance(value, Bound):
        return voice.calling(**{name: voice.names.get(value.name, words.words(value.name))})
    if isinstance(value, Cond):  # a cost that is asked only sometimes; it is used only where it is asked
        value = value.then
    return voice.calling(**{name: say_expr(value, voice, "product")})


def _branch(stmt: Branch, voice: Voice) -> list[Step]:
    then, _ = say_block(stmt.then, voice, 1)
    other, _ = say_block(stmt.other, voice, 1)
    if not then:
        return _under(f"if {deny(stmt.test, voice)}", other) if other else []
    said = _under(f"if {say_expr(stmt.test, voice)}", then)
    return [*said, *_under("otherwise", other)] if other else said


def _under(head: str, steps: list[Step]) -> list[Step]:
    """Put steps under a heading; a single plain step joins it in one sentence."""
    if len(steps) == 1 and steps[0].key is not None:
        only = steps[0]
        return [replace(only, text=words.sentence(f"{head}, {words.inner(only.text)}"), depth=0)]
    return [Step(words.sentence(f"{head}:")), *steps]


def _assignment(stmt: Assign, voice: Voice) -> str:
    value = stmt.value
    cell = _cell(stmt, voice)
    if stmt.mode == "add":
        return _change(cell, value, voice)
    if value.type.kind == "bool":
        return _truth(stmt, voice)
    if isinstance(value, Lit) and value.type.kind == "optional" and value.value == value.type.hi:
        return f"{cell} is cleared"
    if (clamped := _clamped(stmt, voice)) is not None:
        return f"{cell} {clamped}"
    return f"{cell} becomes {say_expr(value, voice)}"


def _change(cell: str, value: Expr, voice: Voice) -> str:
    lost = _lost(value)
    if lost is not None and not (isinstance(value, Lit) and value.value > 0):
        return f"{cell} falls by {say_expr(lost, voice)}"
    if value.type.lo < 0:
        return f"{cell} changes by {say_expr(value, voice)}"
    return f"{cell} rises by {say_expr(value, voice)}"


def _clamped(stmt: Assign, voice: Voice) -> str | None:
    """Say `raise … at most` and `lower … at least`, which lowering spells with the larger and the smaller."""
    now = Read(stmt.variable, stmt.index, stmt.value.type)
    match stmt.value:
        case Apply(op="max", args=(Read() as first, Apply(op="min", args=(Apply(op="+", args=(_, amount)), limit)))):
            verb, bound = "rises", "to at most"
        case Apply(op="min", args=(Read() as first, Apply(op="max", args=(Apply(op="-", args=(_, amount)), limit)))):
            verb, bound = "falls", "to at least"
        case _:
            return None
    if (first.variable, first.index) != (now.variable, now.index):
        return None
    return f"{verb} by {say_expr(amount, voice)}, {bound} {say_expr(limit, voice)}"


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
    return Step(words.sentence(text), stmt.clauses, lines.line_of(stmt.key), stmt.span)


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
        return name_value(stmt.name, stmt.value, voice)
    return voice.after(walk.writes((stmt,)))
