"""Coverage: what a campaign has tried so far, by action, argument, requirement and line.

Reads:  moves made, moves refused; a core game with a counter beside every line of its effects.   Writes: counts; JSON and
        back; the sum of two.
After:  merging is addition, so that the work of several processes adds up in any order. Which lines run is decided by the
        evaluator alone: the counters are written by effects like any other.

A requirement is covered when it has been met (`allowed`) and when it has been the reason for a refusal (`refused`; `alone`
if it was the only one, which shows that it matters by itself).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, assert_never

from pilgrim_rules.core.automata import is_seat_line
from pilgrim_rules.core.ir import Action, Assign, Branch, Define, Game, Lit, Loop, Require, Stmt, Type, Variable
from pilgrim_rules.core.rule_walk import assignments
from pilgrim_rules.core.values import show
from pilgrim_rules.core.zones import is_draw
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.semantics.errors import Contradiction, Refusal
from pilgrim_rules.semantics.moves import Coded
from pilgrim_rules.semantics.reference import Args, Reference
from pilgrim_rules.semantics.state_layout import Field, Position

#: Steps after which an implication applies that are counted; more are not looked for.
ENOUGH = 1000


@dataclass(slots=True)
class PlayCoverage:
    """Counts of what has been tried.

    actions  by name.                      values   by `action.parameter=code`.
    allowed, refused, alone                by key of the requirement.
    lines    by key of the effect's line, as far as it was looked at (a sample of the steps).
    stages   by name.
    premises by `claim/number` of an implication: steps that touched what it presupposes and after which that held, up to ENOUGH.
    """

    actions: Counter[str] = field(default_factory=Counter)
    values: Counter[str] = field(default_factory=Counter)
    allowed: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    alone: Counter[str] = field(default_factory=Counter)
    lines: Counter[str] = field(default_factory=Counter)
    stages: Counter[str] = field(default_factory=Counter)
    premises: Counter[str] = field(default_factory=Counter)

    def made(self, action: Action, args: tuple[int, ...]) -> None:
        """Count a move that was made."""
        self.actions[action.name] += 1
        for param, arg in zip(action.params, args, strict=True):
            self.values[value_key(action, param.name, arg)] += 1

    def asked(self, action: Action, reasons: list[Refusal]) -> None:
        """Count a move that was asked about."""
        if not reasons:
            self.allowed.update(requirements(action))
            return
        failed = {reason.key for reason in reasons if reason.kind == "requirement"}
        self.refused.update(failed)
        if len(failed) == 1 and len(reasons) == 1:
            self.alone.update(failed)

    def merge(self, other: PlayCoverage) -> None:
        """Add the counts of another coverage."""
        for each in fields(self):
            getattr(self, each.name).update(getattr(other, each.name))

    def copy(self) -> PlayCoverage:
        """Return the same counts, to be counted on."""
        same = PlayCoverage()
        same.merge(self)
        return same

    def less(self, other: PlayCoverage) -> PlayCoverage:
        """Return what has been counted since the other coverage was copied."""
        return PlayCoverage(
            **{each.name: getattr(self, each.name) - getattr(other, each.name) for each in fields(self)}
        )

    def to_json(self) -> dict[str, dict[str, int]]:
        """Return the counts as plain data."""
        return {each.name: dict(sorted(getattr(self, each.name).items())) for each in fields(self)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> PlayCoverage:
        """Return the counts that plain data describe."""
        return cls(**{each.name: Counter(data.get(each.name, {})) for each in fields(cls)})

    # ------------------------------------------------------------------------------------------------- what is missing

    def never_made(self, game: Game) -> tuple[str, ...]:
        """Return the actions that were never made."""
        return tuple(action.name for action in game.actions if not self.actions[action.name])

    def never_refused(self, game: Game) -> tuple[str, ...]:
        """Return the requirements that were never the reason for a refusal, those left out that no author wrote as one."""
        keys = dict.fromkeys(
            line.key
            for action in game.actions
            if not is_draw(action)
            for line in action.guard
            if isinstance(line, Require) and line.defines is None and not is_seat_line(action, line)
        )
        return tuple(key for key in keys if not self.refused[key])

    def never_chosen(self, game: Game) -> tuple[str, ...]:
        """Return the values by name, such as cards, that no move had as an argument; those of unused actions are left out."""
        return tuple(
            key
            for action in game.actions
            if self.actions[action.name]
            for param in action.params
            if param.type.kind == "enum"
            for code in range(param.type.lo, param.type.hi + 1)
            if not self.values[key := value_key(action, param.name, code)]
        )

    def never_run(self, game: Game) -> tuple[str, ...]:
        """Return the lines of effects that were never seen to run; a line that stands for several ran if one of them did."""
        written: dict[Span, list[str]] = {}
        for action in game.actions:
            for stmt in assignments(action.body):
                written.setdefault(stmt.span, []).append(stmt.key)
        never = (keys for keys in written.values() if not any(self.lines[key] for key in keys))
        return tuple(dict.fromkeys(key for keys in never for key in keys))


def requirements(action: Action) -> tuple[str, ...]:
    """Return the keys of an action's requirements."""
    return tuple(line.key for line in action.guard if isinstance(line, Require) and not is_seat_line(action, line))


def value_key(action: Action, param: str, code: int) -> str:
    """Return the name under which an argument is counted."""
    return f"{action.name}.{param}={code}"


def said_value(game: Game, key: str) -> str:
    """Return an argument that is counted as people write it: `draw_event(e = nun)`."""
    place, _, code = key.rpartition("=")
    name, _, param = place.partition(".")
    action = next(each for each in game.actions if each.name == name)
    type_ = next(each.type for each in action.params if each.name == param)
    return f"{name}({param} = {show(type_, int(code))})"


def rarity(coverage: PlayCoverage, game: Game, coded: Coded) -> tuple[int, int]:
    """Return how often the action, and its rarest argument, have been made: what is small is worth trying."""
    number, args = coded
    action = game.actions[number]
    values = [
        coverage.values[value_key(action, param.name, arg)] for param, arg in zip(action.params, args, strict=True)
    ]
    return coverage.actions[action.name], min(values, default=0)


COUNTER = "lines run"  #: not a name that rules can spell
MANY = Type("many", "int", 0, 2**31)


@dataclass(frozen=True)
class LineCoverage:
    """The lines of a game's effects."""

    game: Game

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The keys of all lines; those of a shared effect occur once."""
        return tuple(dict.fromkeys(stmt.key for action in self.game.actions for stmt in assignments(action.body)))

    @cached_property
    def _counted(self) -> Reference:
        return Reference.from_game(self.counted)

    @cached_property
    def counted(self) -> Game:
        """The game with a counter beside every line."""
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
        return replace(self.game, actions=actions, variables=(*self.game.variables, counter))

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
