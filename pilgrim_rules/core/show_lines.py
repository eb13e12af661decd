"""Lines of rules as their authors wrote them.

Reads:  the written lines of actions, effects, guards and examples.   Writes: text in the rules language.
After:  nothing is spelled out: costs, payments, effects and guards stand there by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias, assert_never

from pilgrim_rules.core.forms import form_of
from pilgrim_rules.core.ir import (
    AnswerPoll,
    AskPoll,
    Assign,
    CallStage,
    CheckGuard,
    Cost,
    Define,
    ForLine,
    Given,
    IfLine,
    Payment,
    Purse,
    Require,
    ResetBlock,
    ReturnStage,
    RunEffect,
    Shorthand,
    ShortName,
    Transfer,
    WrittenGuardLine,
    WrittenStmt,
)
from pilgrim_rules.core.show_expr import show, show_binder

Lines: TypeAlias = Iterator[str]
#: How a line that stands for others is written.
SHORTHAND: Final[Mapping[ShortName, str]] = {
    "move": "move {0} from {1} to {2}",
    "move_at": "move {0} from {1} to {2} at {3}",
    "move_all": "move all from {0} to {1}",
    "draw": "draw {0} from {1} to {2}",
    "roll": "roll {0} into {1}",
    "text": "text of {0}",
}


def show_guard(lines: tuple[WrittenGuardLine, ...]) -> Lines:
    """Yield requirements, names and checks; a value that the stage carries is named with the stage."""
    for at, line in enumerate(lines):
        match line:
            case Require(defines=defines) if defines is not None:
                pass  # it stands with the name that it defines
            case Require(test=test, says=says, clauses=clauses):
                yield f"require {show(test)}{_else_text(says)}{cites(clauses)}"
            case Given(value=value) if (form := form_of(value)) is not None and form.name == "carried":
                pass
            case Given(name=name, value=value):
                yield f"let {name} = {show(value)}{_defining(lines[at + 1 : at + 2], name)}"
            case CheckGuard(guard=name, args=args, clauses=clauses):
                yield f"check {name}({', '.join(map(show, args))}){cites(clauses)}"
            case _:
                assert_never(line)


def show_cost(cost: Cost) -> str:
    """Return a line of costs."""
    when = "" if cost.when is None else f" when {show(cost.when)}"
    return f"cost {' or '.join(map(_payment, cost.options))}{when}{cites(cost.clauses)}"


def show_statements(lines: tuple[WrittenStmt, ...], ghosts: frozenset[str] = frozenset()) -> Lines:
    """Yield the lines of a block; those that write one of the ghosts say so."""
    for line in lines:
        match line:
            case Assign():
                yield f"{'ghost ' if line.variable in ghosts else ''}{_assignment(line)}{cites(line.clauses)}"
            case Define(name=name, value=value):
                yield f"let {name} = {show(value)}"
            case RunEffect(effect=name, args=args, clauses=clauses):
                yield f"{name}({', '.join(map(show, args))}){cites(clauses)}"
            case Transfer(amount=amount, source=source, target=target, up_to=up_to, clauses=clauses):
                verb = "take up to" if up_to else "move"
                yield f"{verb} {show(amount)} from {show(source)} to {show(target)}{cites(clauses)}"
            case Payment(clauses=clauses):
                yield f"pay {_payment(line)}{cites(clauses)}"
            case ResetBlock(name=name, clauses=clauses):
                yield f"reset {name}{cites(clauses)}"
            case CallStage(stage=stage, then=then, clauses=clauses):
                yield f"call {show(stage)}{'' if then is None else f' then {show(then)}'}{cites(clauses)}"
            case AskPoll(poll=poll, then=then, clauses=clauses):
                yield f"ask {poll}{'' if then is None else f' then {show(then)}'}{cites(clauses)}"
            case AnswerPoll(poll=poll, clauses=clauses):
                yield f"answer {poll}{cites(clauses)}"
            case ReturnStage(to=to, clauses=clauses):
                yield f"return{'' if to is None else f' to {show(to)}'}{cites(clauses)}"
            case Shorthand(name=name, parts=parts, clauses=clauses):
                yield f"{SHORTHAND[name].format(*map(show, parts))}{cites(clauses)}"
            case IfLine(test=test, then=then, other=other):
                yield f"if {show(test)}:"
                yield from indented(show_statements(then, ghosts))
                if other:
                    yield "else:"
                    yield from indented(show_statements(other, ghosts))
            case ForLine():
                yield from _loop(line, ghosts)
            case _:
                assert_never(line)


def show_purse(purse: Purse) -> str:
    """Return the declaration of a purse."""
    places = [
        show(place.cell)
        + ("" if place.arrives == purse.name else f" as {place.arrives}")
        + (" once" if place.once else "")
        for place in purse.places
    ]
    supply = "" if purse.supply is None else f" supply {show(purse.supply)}"
    return f"purse {purse.name} of {purse.player} = {', '.join(places)}{supply}{cites(purse.note.clauses)}"


def cites(clauses: tuple[str, ...]) -> str:
    """Return the citation at the end of a line."""
    return f"  cites {', '.join(clauses)}" if clauses else ""


def indented(lines: Iterable[str]) -> Lines:
    """Yield lines one step further in."""
    return (f"    {line}" for line in lines)


def _loop(line: ForLine, ghosts: frozenset[str]) -> Lines:
    """Yield a loop; loops in each other that were one line are one again."""
    binders, where = [show_binder(line.binder)], [line.where]
    while len(line.body) == 1 and isinstance(line.body[0], ForLine) and line.body[0].span == line.span:
        line = line.body[0]
        binders.append(show_binder(line.binder))
        where.append(line.where)
    tests = [show(test) for test in where if test is not None]
    yield f"for {', '.join(binders)}{' where ' + ' and '.join(tests) if tests else ''}:"
    yield from indented(show_statements(line.body, ghosts))


def _assignment(line: Assign) -> str:
    cell = line.variable + (f"[{', '.join(map(show, line.index))}]" if line.index else "")
    form = form_of(line.value)
    if line.mode == "add":
        if form is not None and form.name == "negative":
            return f"{cell} -= {show(form.args[0])}"
        return f"{cell} += {show(line.value)}"
    if form is not None and form.name in ("raised", "lowered"):
        _, amount, limit = map(show, form.args)
        verb, end = ("raise", "most") if form.name == "raised" else ("lower", "least")
        return f"{verb} {cell} by {amount}, at {end} {limit}"
    return f"{cell} = {show(line.value)}"


def _payment(payment: Payment) -> str:
    purse = payment.purse if payment.which is None else f"of {show(payment.which)}"
    return f"{show(payment.amount)} {purse}{'' if payment.to is None else f' to {show(payment.to)}'}"


def _defining(after: tuple[WrittenGuardLine, ...], name: str) -> str:
    """Return the end of a `let` that must have a value: the requirement behind it says so."""
    match after:
        case (Require(defines=defined, says=says, clauses=clauses),) if defined == name:
            return f"{_else_text(says)}{cites(clauses)}"
        case _:  # any other line is one of its own
            return ""


def _else_text(says: str | None) -> str:
    return "" if says is None else f' else "{says}"'
