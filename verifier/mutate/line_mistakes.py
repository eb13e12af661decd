"""Mistakes in lines: what can be written wrong in a requirement, a cost or a line of the effects.

Reads:  the written lines of a core game.   Writes: `Mistake`s.
After:  each line is looked at once, however many rules use it, and only what its author wrote is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias, TypeVar, assert_never

from pilgrim_rules.core.expand_game import effects_run
from pilgrim_rules.core.ir import (
    BOOL,
    Action,
    AnswerPoll,
    Apply,
    AskPoll,
    Assign,
    CallStage,
    CheckGuard,
    Cost,
    Define,
    Effect,
    Expr,
    ForLine,
    Game,
    Given,
    IfLine,
    Payment,
    Read,
    Require,
    ResetBlock,
    ReturnStage,
    RunEffect,
    Shorthand,
    Transfer,
    WrittenGuardLine,
    WrittenStmt,
)
from verifier.mutate.changes import numbered
from verifier.mutate.edits import Edit, drop_requirement, edit_cost, edit_lines, edit_requirements, key_of
from verifier.mutate.mistake import Mistake

Part: TypeAlias = tuple[str, Expr, Callable[[Expr], WrittenStmt]]  #: what it is, itself, and the line with another
_Line = TypeVar("_Line", Transfer, Payment, RunEffect, CallStage, ReturnStage, AskPoll, AnswerPoll, Shorthand)
_T = TypeVar("_T")


@dataclass(slots=True)
class LineMistakes:
    """The mistakes of the lines of one game; a line that several rules use gives its own once."""

    game: Game
    done: set[str] = field(default_factory=set)

    def mistakes_in(self, action: Action) -> Iterator[Mistake]:
        """Yield the mistakes in the lines of an action, and in those of the guards and effects it uses."""
        yield from self._guard(action.written.guard)
        for line in action.guard:
            if isinstance(line, Require) and line.key.startswith(f"{action.name}.cost."):
                dropped = partial(drop_requirement, self.game, action.name, line.key)
                yield Mistake("drop", line.key, "the requirement is missing", line.clauses, dropped, line.span)
        for at, cost in enumerate(action.written.costs):
            yield from self._cost(action, at, cost)
        yield from self._block(action.written.body)

    # requirements --------------------------------------------------------------------------------------------------

    def _guard(self, lines: tuple[WrittenGuardLine, ...]) -> Iterator[Mistake]:
        guards = {guard.name: guard for guard in self.game.guards}
        for line in lines:
            match line:
                case Require(key=key):
                    if key not in self.done:
                        self.done.add(key)
                        yield from self._requirement(line)
                case CheckGuard(guard=name):
                    yield from self._guard(guards[name].lines)
                case Given():
                    pass
                case _:
                    assert_never(line)

    def _requirement(self, line: Require) -> Iterator[Mistake]:
        edit, mistake = partial(edit_requirements, self.game, line.key), partial(Mistake, span=line.span)
        if line.defines is None:  # otherwise what it defines would have no value
            yield mistake("drop", line.key, "the requirement is missing", line.clauses, partial(edit, _is(None)))
            if not _is_equation(line.test):
                opposite = replace(line, test=Apply("not", (line.test,), BOOL))
                made = partial(edit, _is(opposite))
                yield mistake("negate", line.key, "the requirement is negated", line.clauses, made)
        for words, test in numbered(line.test, self.game):
            changed = replace(line, test=test)
            yield mistake("change", line.key, words, line.clauses, partial(edit, _is(changed)))

    # costs ---------------------------------------------------------------------------------------------------------

    def _cost(self, action: Action, at: int, cost: Cost) -> Iterator[Mistake]:
        edit, mistake = partial(edit_cost, self.game, action.name, at), partial(Mistake, span=cost.span)
        key = cost.options[0].key
        if cost.choice is None:  # else an argument would choose among nothing
            yield mistake("drop", key, "the cost is missing", cost.clauses, partial(edit, _replaced_by()))
        for number, option in enumerate(cost.options):
            for words, changed in self._payments(option):
                options = (*cost.options[:number], changed, *cost.options[number + 1 :])
                made = partial(edit, _replaced_by(replace(cost, options=options)))
                yield mistake("change", option.key, words, cost.clauses, made)
        if cost.when is not None and cost.choice is None:
            always = replace(cost, when=None)
            yield mistake("drop", key, "the condition is missing", cost.clauses, partial(edit, _replaced_by(always)))
            for words, when in numbered(cost.when, self.game):
                made = partial(edit, _replaced_by(replace(cost, when=when)))
                yield mistake("change", key, f"when {words}", cost.clauses, made)

    def _payments(self, payment: Payment) -> Iterator[tuple[str, Payment]]:
        for words, amount in numbered(payment.amount, self.game):
            yield words, replace(payment, amount=amount)
        if payment.which is None:
            for purse in self.game.purses:
                if purse.name != payment.purse:
                    yield f"{payment.purse} → {purse.name}", replace(payment, purse=purse.name)
        if payment.to is not None:
            for words, to in numbered(payment.to, self.game):
                yield f"to {words}", replace(payment, to=to)

    # effects -------------------------------------------------------------------------------------------------------

    def _block(self, lines: tuple[WrittenStmt, ...]) -> Iterator[Mistake]:
        effects = {effect.name: effect for effect in self.game.effects}
        for line in lines:
            key = key_of(line)
            if key is not None and key not in self.done:
                self.done.add(key)
                yield from self._line(line, key)
            match line:
                case IfLine(then=then, other=other):
                    yield from self._block((*then, *other))
                case ForLine(body=body):
                    yield from self._block(body)
                case RunEffect(effect=name):
                    yield from self._block(effects[name].lines)
                case Assign() | Define() | Transfer() | Payment() | ResetBlock():
                    pass
                case Shorthand(lines=inner):
                    for name in effects_run(inner):
                        yield from self._block(effects[name].lines)
                case CallStage() | ReturnStage() | AskPoll() | AnswerPoll():
                    pass
                case _:
                    assert_never(line)

    def _line(self, line: WrittenStmt, key: str) -> Iterator[Mistake]:
        match line:
            case Assign():
                yield from self._assignment(line)
            case Transfer():
                yield from self._whole_line(line, twice=True)
                back = replace(line, source=line.target, target=line.source)
                yield self._other(line, "the other way round", back)
                yield from self._parts(line, (("", line.amount, lambda to: replace(line, amount=to)),))
                yield from self._cells(line)
            case Payment():
                yield from self._whole_line(line, twice=True)
                yield from (self._other(line, words, changed) for words, changed in self._payments(line))
            case RunEffect():
                yield from self._run(line)
            case ResetBlock(clauses=clauses):
                edit = partial(edit_lines, self.game, key, _replaced_by())
                yield Mistake("drop", key, "the effect is missing", clauses, edit, line.span)
            case CallStage():
                yield from self._whole_line(line, twice=False)
                for words, stage in numbered(line.stage, self.game):
                    yield self._other(line, words, replace(line, stage=stage))
                for words, then in () if line.then is None else numbered(line.then, self.game):
                    yield self._other(line, f"then {words}", replace(line, then=then))
            case ReturnStage():
                yield from self._whole_line(line, twice=False)
                for words, to in () if line.to is None else numbered(line.to, self.game):
                    yield self._other(line, f"to {words}", replace(line, to=to))
            case AskPoll():
                yield from self._whole_line(line, twice=False)
                for words, then in () if line.then is None else numbered(line.then, self.game):
                    yield self._other(line, f"then {words}", replace(line, then=then))
            case AnswerPoll():
                yield from self._whole_line(line, twice=False)
            case Shorthand():
                yield from self._whole_line(line, twice=False)
            case IfLine():
                yield from self._branch(line)
            case Define() | ForLine():
                pass
            case _:
                assert_never(line)

    def _assignment(self, line: Assign) -> Iterator[Mistake]:
        if any(variable.ghost for variable in self.game.variables if variable.name == line.variable):
            return  # ghosts cannot change play; a mistake in one is a mistake in a claim
        edit, mistake = partial(edit_lines, self.game, line.key), partial(Mistake, span=line.span)
        yield mistake("drop", line.key, "the effect is missing", line.clauses, partial(edit, _replaced_by()))
        if line.mode == "add":
            twice = partial(edit, _replaced_by(line, line))
            yield mistake("double", line.key, "the effect happens twice", line.clauses, twice)
        for words, value in numbered(line.value, self.game):
            made = partial(edit, _replaced_by(replace(line, value=value)))
            yield mistake("change", line.key, words, line.clauses, made)
        for at, index in enumerate(line.index):
            for words, other in numbered(index, self.game):
                moved = replace(line, index=(*line.index[:at], other, *line.index[at + 1 :]))
                made = partial(edit, _replaced_by(moved))
                yield mistake("change", line.key, f"index {words}", line.clauses, made)

    def _run(self, line: RunEffect) -> Iterator[Mistake]:
        yield from self._whole_line(line, twice=False)
        effects = {effect.name: effect for effect in self.game.effects}
        for other in self.game.effects:
            if other.name != line.effect and _alike(other, effects[line.effect]):
                yield self._other(line, f"{line.effect} → {other.name}", replace(line, effect=other.name))
        for at, arg in enumerate(line.args):
            for words, changed in numbered(arg, self.game):
                args = (*line.args[:at], changed, *line.args[at + 1 :])
                yield self._other(line, f"argument {words}", replace(line, args=args))

    def _branch(self, line: IfLine) -> Iterator[Mistake]:
        clauses = tuple(dict.fromkeys(_cited((*line.then, *line.other))))

        def tested(test: Expr) -> Edit:
            return lambda each: (replace(each, test=test),) if isinstance(each, IfLine) else (each,)

        edit = partial(edit_lines, self.game, line.key)
        if not _is_equation(line.test):
            opposite = partial(edit, tested(Apply("not", (line.test,), BOOL)))
            yield Mistake("negate", line.key, "the condition is negated", clauses, opposite, line.span)
        for words, test in numbered(line.test, self.game):
            yield Mistake("change", line.key, words, clauses, partial(edit, tested(test)), line.span)

    def _whole_line(self, line: _Line, *, twice: bool) -> Iterator[Mistake]:
        edit, mistake = partial(edit_lines, self.game, line.key), partial(Mistake, span=line.span)
        yield mistake("drop", line.key, "the effect is missing", line.clauses, partial(edit, _replaced_by()))
        if twice:
            doubled = partial(edit, _replaced_by(line, line))
            yield mistake("double", line.key, "the effect happens twice", line.clauses, doubled)

    def _parts(self, line: Transfer, parts: tuple[Part, ...]) -> Iterator[Mistake]:
        for what, expr, with_part in parts:
            for words, changed in numbered(expr, self.game):
                yield self._other(line, f"{what}{words}", with_part(changed))

    def _cells(self, line: Transfer) -> Iterator[Mistake]:
        """Yield the mistakes in the places that something is moved between."""
        for end, cell in (("source", line.source), ("target", line.target)):
            for words, changed in numbered(cell, self.game):
                if isinstance(changed, Read):
                    new = replace(line, source=changed) if end == "source" else replace(line, target=changed)
                    yield self._other(line, f"{'from' if end == 'source' else 'to'} {words}", new)

    def _other(self, line: _Line, words: str, new: WrittenStmt) -> Mistake:
        edit = partial(edit_lines, self.game, line.key, _replaced_by(new))
        return Mistake("change", line.key, words, line.clauses, edit, line.span)


def _is(line: Require | None) -> Callable[[Require], Require | None]:
    return lambda _: line


def _replaced_by(*lines: _T) -> Callable[[_T], tuple[_T, ...]]:
    return lambda _: lines


def _alike(one: Effect, other: Effect) -> bool:
    """Return whether two effects take the same arguments."""
    return bool(one.params) and [each.type for each in one.params] == [each.type for each in other.params]


def _cited(lines: tuple[WrittenStmt, ...]) -> Iterator[str]:
    for line in lines:
        match line:
            case IfLine(then=then, other=other):
                yield from _cited((*then, *other))
            case ForLine(body=body):
                yield from _cited(body)
            case Define():
                pass
            case Assign() | RunEffect() | Transfer() | Payment() | ResetBlock():
                yield from line.clauses
            case CallStage() | ReturnStage() | AskPoll() | AnswerPoll() | Shorthand():
                yield from line.clauses
            case _:
                assert_never(line)


def _is_equation(test: Expr) -> bool:
    """Return whether negating the test is the same as changing its sign, which is tried anyway."""
    return isinstance(test, Apply) and test.op in ("==", "!=")
