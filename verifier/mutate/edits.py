"""Edits: a game with a line of its text replaced.

Reads:  a core game and the key of a line.   Writes: a core game.
After:  every rule that has the line, or uses what has it, does what it says now; everything else is the same object as
        before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias, assert_never

from pilgrim_rules.core.derived import derive_again
from pilgrim_rules.core.expand_game import expand_again
from pilgrim_rules.core.ir import (
    Action,
    AnswerPoll,
    AskPoll,
    Assign,
    CallStage,
    Cost,
    Define,
    ForLine,
    Game,
    Given,
    IfLine,
    Payment,
    Require,
    ResetBlock,
    ReturnStage,
    RunEffect,
    Shorthand,
    Transfer,
    Written,
    WrittenGuardLine,
    WrittenStmt,
)

Edit: TypeAlias = Callable[[WrittenStmt], tuple[WrittenStmt, ...]]


def edit_actions(game: Game, change: Callable[[Action], Action]) -> Game:
    """Return the game with its actions changed, and with them what `possible` asks of them."""
    return derive_again(replace(game, actions=tuple(map(change, game.actions))))


def edit_action(game: Game, name: str, change: Callable[[Action], Action]) -> Game:
    """Return the game with one action changed."""
    return edit_actions(game, lambda action: change(action) if action.name == name else action)


def edit_requirements(game: Game, key: str, change: Callable[[Require], Require | None]) -> Game:
    """Return the game with a requirement changed, or left out, wherever it is asked."""

    def edited(lines: tuple[WrittenGuardLine, ...]) -> Iterator[WrittenGuardLine]:
        for line in lines:
            if isinstance(line, Require) and line.key == key:
                changed = change(line)
                if changed is not None:
                    yield changed
            else:
                yield line

    guards = [replace(each, lines=tuple(edited(each.lines))) for each in game.guards]
    written = [replace(each.written, guard=tuple(edited(each.written.guard))) for each in game.actions]
    return _with_lines(game, replace(game, guards=tuple(guards)), written)


def edit_lines(game: Game, key: str, change: Edit) -> Game:
    """Return the game with a line of effects replaced wherever it happens."""
    effects = [replace(each, lines=_edited(each.lines, key, change)) for each in game.effects]
    written = [replace(each.written, body=_edited(each.written.body, key, change)) for each in game.actions]
    return _with_lines(game, replace(game, effects=tuple(effects)), written)


def edit_cost(game: Game, action: str, at: int, change: Callable[[Cost], tuple[Cost, ...]]) -> Game:
    """Return the game with one of the costs of an action replaced."""

    def edited(costs: tuple[Cost, ...]) -> tuple[Cost, ...]:
        return (*costs[:at], *change(costs[at]), *costs[at + 1 :])

    written = [
        replace(each.written, costs=edited(each.written.costs)) if each.name == action else each.written
        for each in game.actions
    ]
    return _with_lines(game, game, written)


def key_of(line: WrittenStmt) -> str | None:
    """Return the key of a line; None if it has none."""
    match line:
        case Assign(key=key) | RunEffect(key=key) | Transfer(key=key) | Payment(key=key) | IfLine(key=key):
            return key
        case CallStage(key=key) | ReturnStage(key=key) | AskPoll(key=key) | AnswerPoll(key=key) | Shorthand(key=key):
            return key
        case ResetBlock(keys=keys):
            return keys[0] if keys else None
        case Define() | ForLine():
            return None
        case _:
            assert_never(line)


def _with_lines(before: Game, after: Game, written: Iterable[Written]) -> Game:
    """Return a game with other lines, and what they stand for; what has the same lines is the same as before."""
    actions = [
        action if action.written == lines else replace(action, written=lines)
        for action, lines in zip(before.actions, written, strict=True)
    ]
    guards = tuple(old if old == new else new for old, new in zip(before.guards, after.guards, strict=True))
    effects = tuple(
        old if old.lines == new.lines else new for old, new in zip(before.effects, after.effects, strict=True)
    )
    changed = {new.name for old, new in zip(before.guards, guards, strict=True) if new is not old}
    changed |= {new.name for old, new in zip(before.effects, effects, strict=True) if new is not old}
    changed |= {new.name for old, new in zip(before.actions, actions, strict=True) if new is not old}
    made = replace(after, actions=tuple(actions), guards=guards, effects=effects)
    return derive_again(expand_again(made, frozenset(changed))) if changed else before


def _edited(lines: tuple[WrittenStmt, ...], key: str, change: Edit) -> tuple[WrittenStmt, ...]:
    """Return lines with the one of the key replaced, also inside conditions and loops."""
    found: list[WrittenStmt] = []
    for line in lines:
        match line:
            case IfLine(then=then, other=other):
                inner = replace(line, then=_edited(then, key, change), other=_edited(other, key, change))
                found += change(inner) if line.key == key else (inner,)
            case ForLine(body=body):
                found.append(replace(line, body=_edited(body, key, change)))
            case _:  # a line without others in it
                found += change(line) if key_of(line) == key else (line,)
    return tuple(found)


def drop_requirement(game: Game, action: str, key: str) -> Game:
    """Return the game in which an action is not asked for what its costs require; its lines cannot say so."""

    def without(each: Action) -> Action:
        guard = tuple(line for line in each.guard if isinstance(line, Given) or line.key != key)
        return replace(each, guard=guard, written=Written())

    return edit_action(game, action, without)
