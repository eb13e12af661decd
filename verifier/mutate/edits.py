"""Edits: a game with something replaced at every place where a line of its text was expanded.

Reads:  a core game and the key of a line.   Writes: a core game.
After:  everything else is the same object as before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import assert_never

from pilgrim_rules.core.ir import Action, Assign, Branch, Define, Game, Given, GuardLine, Loop, Require, Stmt


def edit_actions(game: Game, change: Callable[[Action], Action]) -> Game:
    """Return the game with its actions changed."""
    return replace(game, actions=tuple(map(change, game.actions)))


def edit_action(game: Game, name: str, change: Callable[[Action], Action]) -> Game:
    """Return the game with one action changed."""
    return edit_actions(game, lambda action: change(action) if action.name == name else action)


def edit_requirements(game: Game, key: str, change: Callable[[Require], Require | None]) -> Game:
    """Return the game with a requirement changed, or left out, wherever it is asked."""

    def guard(lines: tuple[GuardLine, ...]) -> Iterator[GuardLine]:
        for line in lines:
            match line:
                case Require() if line.key == key:
                    changed = change(line)
                    if changed is not None:
                        yield changed
                case Require() | Given():
                    yield line

    return edit_actions(game, lambda action: replace(action, guard=tuple(guard(action.guard))))


def edit_assignments(game: Game, key: str, change: Callable[[Assign], tuple[Stmt, ...]]) -> Game:
    """Return the game with a line of effects replaced wherever it happens."""

    def edited(stmt: Stmt) -> tuple[Stmt, ...]:
        return change(stmt) if isinstance(stmt, Assign) and stmt.key == key else (stmt,)

    return edit_actions(game, lambda action: replace(action, body=edit_block(action.body, edited)))


def edit_block(block: tuple[Stmt, ...], change: Callable[[Stmt], tuple[Stmt, ...]]) -> tuple[Stmt, ...]:
    """Return the block with each statement replaced, inner ones first."""
    found: list[Stmt] = []
    for stmt in block:
        match stmt:
            case Assign() | Define():
                found += change(stmt)
            case Branch(then=then, other=other):
                inner = replace(stmt, then=edit_block(then, change), other=edit_block(other, change))
                found += change(stmt if inner == stmt else inner)
            case Loop(body=body):
                within = replace(stmt, body=edit_block(body, change))
                found += change(stmt if within == stmt else within)
            case _:
                assert_never(stmt)
    return tuple(found)


def branches(block: tuple[Stmt, ...]) -> Iterator[Branch]:
    """Yield every branch of a block, nested ones included."""
    for stmt in block:
        match stmt:
            case Branch(then=then, other=other):
                yield stmt
                yield from branches(then)
                yield from branches(other)
            case Loop(body=body):
                yield from branches(body)
            case Assign() | Define():
                pass
            case _:
                assert_never(stmt)
