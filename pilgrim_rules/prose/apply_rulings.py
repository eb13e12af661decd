"""Rules as they are read: named guards and effects opened, rulings put in as constants, what follows carried out.

Reads:  the written lines of a game and the options chosen.   Writes: lines to be read, not to be played.
After:  no choice between readings is left that the options decide; names that nothing uses any more are gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from types import MappingProxyType
from typing import TypeAlias, assert_never

from pilgrim_rules.core import walk
from pilgrim_rules.core.automata import is_seat_line
from pilgrim_rules.core.ir import (
    BOOL,
    Action,
    AnswerPoll,
    Apply,
    AskPoll,
    Assign,
    Branch,
    Call,
    CallStage,
    CheckGuard,
    Cost,
    Define,
    Effect,
    Expr,
    ForLine,
    Game,
    Given,
    Guard,
    IfLine,
    Lit,
    Lookup,
    Loop,
    Parameter,
    Payment,
    Purse,
    Read,
    Require,
    ResetBlock,
    ReturnStage,
    RunEffect,
    Shorthand,
    Stmt,
    Transfer,
    Written,
    WrittenGuardLine,
    WrittenStmt,
)
from pilgrim_rules.core.rulings import choices_of
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.prose.fold_constants import FALSE, TRUE, folded
from pilgrim_rules.util.identity_cache import cache_by_identity

_NOWHERE = Span("", 0, 0)
Change: TypeAlias = Callable[[Expr], Expr]


@dataclass(frozen=True, slots=True)
class ReadRules:
    """The rules of a game as somebody reads them: `change` decides what the options decide."""

    effects: Mapping[str, Effect]
    guards: Mapping[str, Guard]
    purses: Mapping[str, Purse]
    change: Change

    @classmethod
    def from_game(cls, game: Game, choices: Mapping[str, int] | None = None) -> ReadRules:
        """Return the rules of a game; with choices, the rulings they name are decided."""
        effects = {effect.name: effect for effect in game.effects}
        guards = {guard.name: guard for guard in game.guards}
        purses = {purse.name: purse for purse in game.purses}
        return cls(effects, guards, purses, _as_it_is if choices is None else settling(game, choices))

    def action(self, written: Written) -> Written:
        """Return the lines of an action; requirements that ask for nothing, and names that nothing uses, are left out."""
        body = self.block(written.body)
        costs = tuple(_cost(cost, self.change) for cost in written.costs)
        used = _names((*_expressions(body), *(expr for cost in costs for expr in _cost_expressions(cost))))
        return Written(self.guard(written.guard, used), costs, body)

    def guard(
        self, lines: tuple[WrittenGuardLine, ...], used: frozenset[str] = frozenset()
    ) -> tuple[WrittenGuardLine, ...]:
        """Return requirements, and the names that they or the lines after them use."""
        kept: list[WrittenGuardLine] = []
        for line in reversed(lines):
            match line:
                case Require(test=test):
                    asked = self.change(test)
                    if asked != TRUE:
                        kept.insert(0, replace(line, test=asked))
                        used |= walk.free_names(asked)
                case Given(name=name, value=value):
                    if name in used:
                        kept.insert(0, Given(name, meant := self.change(value)))
                        used |= walk.free_names(meant)
                case CheckGuard(args=args):
                    kept.insert(0, replace(line, args=tuple(map(self.change, args))))
                    used |= _names(args)
                case _:
                    assert_never(line)
        return tuple(kept)

    def opened_guard(self, line: CheckGuard) -> tuple[WrittenGuardLine, ...]:
        """Return the lines of a guard that is checked, with its literal arguments put in."""
        guard = self.guards[line.guard]
        change = _substitution(guard.params, line.args)
        return self.guard(tuple(_guard_line(each, change) for each in guard.lines))

    def opened_effect(self, line: RunEffect) -> tuple[WrittenStmt, ...]:
        """Return the lines of an effect that is run, with its literal arguments put in."""
        effect = self.effects[line.effect]
        change = _substitution(effect.params, line.args)
        return self.block(tuple(_with(each, change) for each in effect.lines))

    def block(self, lines: tuple[WrittenStmt, ...]) -> tuple[WrittenStmt, ...]:
        """Return lines with the choices made; a value that is not used after them is not named."""
        made: list[WrittenStmt] = []
        values: dict[str, Expr] = {}  # names of literals, which are put in for them
        for line in lines:
            for each in self._line(_with(line, partial(walk.substitute, values=values)) if values else line):
                if isinstance(each, Define):
                    values.pop(each.name, None)
                    if isinstance(each.value, Lit):
                        values[each.name] = each.value
                made.append(each)
        kept: list[WrittenStmt] = []
        used: frozenset[str] = frozenset()
        for line in reversed(made):
            if isinstance(line, Define) and line.name not in used:
                continue
            kept.insert(0, line)
            used |= _names(_expressions((line,)))
        return tuple(kept)

    def _line(self, line: WrittenStmt) -> tuple[WrittenStmt, ...]:
        match line:
            case IfLine(test=test, then=then, other=other):
                return _branch(replace(line, test=self.change(test), then=self.block(then), other=self.block(other)))
            case ForLine(where=where, body=body):
                inside = self.block(body)
                condition = None if where is None else self.change(where)
                return (replace(line, where=condition, body=inside),) if inside else ()
            case _:  # a line without others in it
                return (_with(line, self.change),)


def written_lines(action: Action) -> Written:
    """Return the lines of an action; of one that was made without lines, what it does."""
    if action.written != Written():
        return action.written
    return Written(action.guard, (), _as_lines(action.body))


def _as_lines(block: tuple[Stmt, ...]) -> tuple[WrittenStmt, ...]:
    made: list[WrittenStmt] = []
    for stmt in block:
        match stmt:
            case Assign() | Define():
                made.append(stmt)
            case Branch(test=test, then=then, other=other):
                made.append(IfLine(test, _as_lines(then), _as_lines(other), "", span=_NOWHERE))
            case Loop(binder=binder, where=where, body=body, simultaneous=simultaneous):
                made.append(ForLine(binder, where, _as_lines(body), simultaneous, span=stmt.span))
            case _:
                assert_never(stmt)
    return tuple(made)


def requirements_left(game: Game, action: Action) -> frozenset[str]:
    """Return the keys of the requirements that still ask for something as the game is played."""
    change = settling(game, choices_of(game))
    lines = (line for line in action.guard if isinstance(line, Require) and not is_seat_line(action, line))
    return frozenset(line.key for line in lines if change(line.test) != TRUE)


def assignments_left(game: Game, action: Action) -> Iterator[Assign]:
    """Yield what an action can write as the game is played: not what stands behind an answer that was not chosen."""
    yield from _left(action.body, settling(game, choices_of(game)))


def settling(game: Game, choices: Mapping[str, int]) -> Change:
    """Return the function that puts the choices into an expression, and the yes-or-no definitions that they settle."""
    return partial(_decide, choices=choices, answers=settled(game, choices))


def settled(game: Game, choices: Mapping[str, int]) -> Mapping[str, Lit]:
    """Return the yes-or-no definitions that have one answer under the choices, whatever the state; a definition may be settled by another."""
    return _known_answers(game)(frozenset(choices.items()))


@cache_by_identity(16)
def _known_answers(game: Game) -> Callable[[frozenset[tuple[str, int]]], Mapping[str, Lit]]:
    asked = [each for each in game.defs if each.body.type.kind == "bool"]

    @lru_cache(64)
    def answers(chosen: frozenset[tuple[str, int]]) -> Mapping[str, Lit]:
        found: dict[str, Lit] = {}
        decide: Change = partial(_decide, choices=dict(chosen), answers=found)
        before, left = -1, {each.name: each.body for each in asked}
        while len(found) > before:
            before = len(found)
            left = {name: decide(body) for name, body in left.items()}
            found.update((name, body) for name, body in left.items() if isinstance(body, Lit))
            left = {name: body for name, body in left.items() if name not in found}
        return found

    return answers


def _left(block: tuple[Stmt, ...], change: Change) -> Iterator[Assign]:
    for stmt in block:
        match stmt:
            case Assign():
                yield stmt
            case Define():
                pass
            case Branch(test=test, then=then, other=other):
                test = change(test)
                yield from () if test == FALSE else _left(then, change)
                yield from () if test == TRUE else _left(other, change)
            case Loop(body=body):
                yield from _left(body, change)
            case _:
                assert_never(stmt)


def deciding(choices: Mapping[str, int]) -> Change:
    """Return the function that puts the choices into an expression."""
    return partial(_decide, choices=choices)


def _as_it_is(expr: Expr) -> Expr:
    return expr


def _substitution(params: tuple[Parameter, ...], args: tuple[Expr, ...]) -> Change:
    """Return the function that puts literal arguments in for parameters; the others keep their names."""
    values: dict[str, Expr] = {param.name: arg for param, arg in zip(params, args, strict=True) if isinstance(arg, Lit)}
    return partial(walk.substitute, values=values)


def _names(exprs: Iterable[Expr]) -> frozenset[str]:
    return frozenset(name for expr in exprs for name in walk.free_names(expr))


def _guard_line(line: WrittenGuardLine, change: Change) -> WrittenGuardLine:
    match line:
        case Require(test=test):
            return replace(line, test=change(test))
        case Given(name=name, value=value):
            return Given(name, change(value))
        case CheckGuard(args=args):
            return replace(line, args=tuple(map(change, args)))
        case _:
            assert_never(line)


def _with(line: WrittenStmt, change: Change) -> WrittenStmt:
    """Return a line with its expressions changed, those of lines inside it too."""
    match line:
        case Assign(index=index, value=value):
            return replace(line, index=tuple(map(change, index)), value=change(value))
        case Define(name=name, value=value):
            return Define(name, change(value))
        case RunEffect(args=args):
            return replace(line, args=tuple(map(change, args)))
        case Transfer(amount=amount, source=source, target=target):
            return replace(line, amount=change(amount), source=_cell(source, change), target=_cell(target, change))
        case Payment():
            return _payment(line, change)
        case ResetBlock():
            return line
        case CallStage(stage=stage, then=after):
            return replace(line, stage=change(stage), then=None if after is None else change(after))
        case ReturnStage(to=to):
            return replace(line, to=None if to is None else change(to))
        case AskPoll(stage=stage, next_asked=asked, then=after):
            goes_on = None if after is None else change(after)
            return replace(line, stage=change(stage), next_asked=change(asked), then=goes_on)
        case AnswerPoll(asked=asked, next_asked=following):
            return replace(line, asked=change(asked), next_asked=change(following))
        case Shorthand(parts=parts, lines=lines):
            inside = tuple(_with(each, change) for each in lines)
            return replace(line, parts=tuple(map(change, parts)), lines=inside)
        case IfLine(test=test, then=then, other=other):
            inside, otherwise = (tuple(_with(each, change) for each in part) for part in (then, other))
            return replace(line, test=change(test), then=inside, other=otherwise)
        case ForLine(binder=binder, where=where, body=body):
            return replace(
                line,
                binder=walk.rebuild_binder(binder, change),
                where=None if where is None else change(where),
                body=tuple(_with(each, change) for each in body),
            )
        case _:
            assert_never(line)


def _cell(cell: Read, change: Change) -> Read:
    return replace(cell, index=tuple(map(change, cell.index)))


def _payment(payment: Payment, change: Change) -> Payment:
    which = None if payment.which is None else change(payment.which)
    to = None if payment.to is None else change(payment.to)
    return replace(payment, amount=change(payment.amount), which=which, to=to)


def _cost(cost: Cost, change: Change) -> Cost:
    options = tuple(_payment(option, change) for option in cost.options)
    return replace(cost, options=options, when=None if cost.when is None else change(cost.when))


def _cost_expressions(cost: Cost) -> Iterator[Expr]:
    yield from (cost.when,) if cost.when is not None else ()
    yield from _expressions(cost.options)


def _expressions(lines: Iterable[WrittenStmt]) -> Iterator[Expr]:
    """Yield the expressions of lines: what is seen when each of them is looked at."""
    seen: list[Expr] = []

    def look(expr: Expr) -> Expr:
        seen.append(expr)
        return expr

    for line in lines:
        _with(line, look)
    return iter(seen)


def _branch(line: IfLine) -> tuple[WrittenStmt, ...]:
    """Return a branch, decided if its test is, and one condition instead of one inside another."""
    if isinstance(line.test, Lit):
        return line.then if line.test.value else line.other
    match line.then, line.other:
        case (), ():
            return ()
        case (IfLine(test=inner, then=only, other=()),), ():
            return (replace(line, test=Apply("and", (line.test, inner), BOOL), then=only),)
        case _:  # both stay
            return (line,)


def _decide(expr: Expr, *, choices: Mapping[str, int], answers: Mapping[str, Lit] = MappingProxyType({})) -> Expr:
    """Return an expression in which the rulings are decided, and what follows from that as well."""
    if isinstance(expr, Lookup) and expr.table in choices:
        return Lit(expr.type.lo + choices[expr.table], expr.type)
    if isinstance(expr, Call) and expr.definition in answers:
        return answers[expr.definition]
    return folded(walk.rebuild_written(expr, partial(_decide, choices=choices, answers=answers)))
