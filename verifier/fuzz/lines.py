"""Lines: which lines of an action's effects run when a move is made.

Reads:  a core game.   Writes: the same game with a counter beside every line; asked of single moves, by the evaluator.
After:  what runs is decided by the evaluator alone: the counters are written by effects like any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import assert_never

from pilgrim_rules.core.ir import Assign, Branch, Define, Game, Lit, Loop, Stmt, Type, Variable
from pilgrim_rules.core.walk import assignments
from pilgrim_rules.engine.errors import Contradiction
from pilgrim_rules.engine.layout import Field, Position
from pilgrim_rules.engine.reference import Args, Reference

COUNTER = "lines run"  #: not a name that rules can spell
MANY = Type("many", "int", 0, 2**31)


@dataclass(frozen=True)
class Lines:
    """The lines of a game's effects."""

    game: Game

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The keys of all lines; those of a shared effect occur once."""
        return tuple(dict.fromkeys(stmt.key for action in self.game.actions for stmt in assignments(action.body)))

    @cached_property
    def _counted(self) -> Reference:
        index = Type("line", "int", 0, max(len(self.keys) - 1, 0))
        numbers = {key: at for at, key in enumerate(self.keys)}
        counter = Variable(COUNTER, (index,), MANY, ("line",), Lit(0, MANY))

        def counted(block: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
            found: list[Stmt] = []
            for stmt in block:
                match stmt:
                    case Assign(key=key, span=span):
                        place = (Lit(numbers[key], index),)
                        found.append(Assign(COUNTER, place, "add", Lit(1, MANY), key, span=span))
                        found.append(stmt)
                    case Define():
                        found.append(stmt)
                    case Branch(then=then, other=other):
                        found.append(replace(stmt, then=counted(then), other=counted(other)))
                    case Loop(body=body):
                        found.append(replace(stmt, body=counted(body)))
                    case _:
                        assert_never(stmt)
            return tuple(found)

        actions = tuple(replace(action, body=counted(action.body)) for action in self.game.actions)
        return Reference.of(replace(self.game, actions=actions, variables=(*self.game.variables, counter)))

    @cached_property
    def _shapes(self) -> set[tuple[int, tuple[int, ...]]]:
        return set()

    def new_shape(self, fields: Sequence[Field], number: int, before: bytes, after: bytes) -> bool:
        """Return whether the action has never been seen to change just these variables: a hint that other lines run."""
        changed = [
            at for at, each in enumerate(fields) if before[each.offset : each.end] != after[each.offset : each.end]
        ]
        shape = (number, tuple(changed))
        if shape in self._shapes:
            return False
        self._shapes.add(shape)
        return True

    def run(self, position: Position, number: int, args: Args) -> tuple[str, ...]:
        """Return the keys of the lines that run when a legal move is made; none if it contradicts the rules."""
        before = {**position, COUNTER: [0] * max(len(self.keys), 1)}
        try:
            after = self._counted.apply(before, self._counted.game.actions[number], args)
        except Contradiction:
            return ()
        return tuple(key for key, count in zip(self.keys, after[COUNTER], strict=False) if count)
