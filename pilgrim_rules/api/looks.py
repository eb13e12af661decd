"""Looks: what a position, a move and a whole play look like to one player, fast enough to compare many.

Reads:  states as bytes, through the compiled rules.   Writes: keys that are equal exactly if the player cannot tell them apart,
        and texts such as `discard(?)`.
After:  the same answers as `semantics.observation` gives by the evaluator.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from pilgrim_rules.core.derived import SEEN
from pilgrim_rules.core.ir import Def
from pilgrim_rules.engine.rules import Rules
from pilgrim_rules.semantics import python_values
from pilgrim_rules.semantics.cells import HIDDEN
from pilgrim_rules.semantics.moves import Coded
from pilgrim_rules.semantics.observation import Moved, arguments_seen, told
from pilgrim_rules.semantics.python_values import Value
from pilgrim_rules.semantics.state_layout import Field

Args: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeenStep:
    """A step as somebody sees it.

    move  its text, with `?` for an argument that is not seen.      by  who decided.
    told  what it revealed, in the order of the rules; `?` for what the player did not hear.
    """

    move: str
    by: str
    told: tuple[Value, ...] = ()

    def __str__(self) -> str:
        said = f" tells {', '.join(map(python_values.text, self.told))}" if self.told else ""
        return f"{self.by}: {self.move}{said}"


class Looks:
    """How the states and moves of a game look to its players."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._veiled: tuple[Field, ...] = tuple(
            field for field in rules.layout.fields if field.variable.seen is not None and not field.variable.ghost
        )
        self._public: tuple[Def, ...] = tuple(each for each in rules.core.defs if each.public)
        self._secret_moves = frozenset(
            number
            for number, action in enumerate(rules.core.actions)
            if action.reveals or any(param.seen is not None for param in action.params)
        )

    def mask(self, data: bytes, field: Field, player: int) -> bytes:
        """Return a byte for each cell of a variable that not everybody sees: 1 if the player does."""
        value, name = self._rules.code.value, f"{SEEN}{field.variable.name}"
        return bytes(value(name, data, player, *index) for index in field.indices())

    def key(self, data: bytes, player: int) -> Hashable:
        """Return what a player sees of a state."""
        shown = bytearray(data[: self._rules.layout.plain])
        masks: list[bytes] = []
        for field in self._veiled:
            mask = self.mask(data, field, player)
            masks.append(mask)
            for at, seen in enumerate(mask):
                if not seen:
                    start = field.offset + at * field.width
                    shown[start : start + field.width] = bytes(field.width)
        return bytes(shown), *masks, *self.public(data), self._rules.runner.decider(data)

    def public(self, data: bytes) -> Iterator[int]:
        """Yield every value of every public definition."""
        for definition in self._public:
            for args in product(*(range(param.type.lo, param.type.hi + 1) for param in definition.params)):
                yield self._rules.code.value(definition.name, data, *args)

    def move(self, data: bytes, coded: Coded, player: int | None) -> tuple[Args | None, ...]:
        """Return a move as a player sees it made in a state: its arguments, and what it reveals; None for what is unseen."""
        number, args = coded
        if number not in self._secret_moves:
            return tuple((arg,) for arg in args)
        players = range(self._rules.core.players) if player is None else (player,)
        moved = Moved(self._rules.layout.decode(data), self._rules.core.actions[number], args)
        declared = self._rules.declared
        seen = [(*arguments_seen(declared, moved, each), *told(declared, moved, each)) for each in players]
        return tuple(None if None in column else (column[0],) for column in map(list, zip(*seen, strict=True)))

    def step(self, data: bytes, coded: Coded, player: int | None) -> SeenStep:
        """Return a step from a state as a player sees it; None for a spectator, who sees what all see."""
        number, args = coded
        action = self._rules.core.actions[number]
        by = self._rules.runner.decider(data) or ""
        if number not in self._secret_moves:
            return SeenStep(str(self._rules.runner.book.move(coded)), by)
        seen = self.move(data, coded, player)
        types = [*(param.type for param in action.params), *(reveal.value.type for reveal in action.reveals)]
        values = [
            HIDDEN if each is None else python_values.value(type_, each[0])
            for each, type_ in zip(seen, types, strict=True)
        ]
        shown = ", ".join(each if isinstance(each, str) else python_values.text(each) for each in values[: len(args)])
        return SeenStep(f"{action.name}({shown})" if args else action.name, by, tuple(values[len(args) :]))
