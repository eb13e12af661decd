"""A game in the readings that its examples are about, with its invariants as compiled code.

Reads:  a core game.   Writes: readings of it: the rules read again under other options, and the evaluator of each.
After:  the answers are those of the evaluator of the reading. Compiled code of the game given answers, and makes moves, for
        whatever looks at nothing in which the reading differs; the evaluator, hundreds of times slower, for the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from pilgrim_rules.core.footprint import Footprints
from pilgrim_rules.core.ir import Action, Claim, Constant, Def, Expr, Game, Network, Options
from pilgrim_rules.core.rule_walk import action_expressions
from pilgrim_rules.engine.python.compile import Compiled, compiled
from pilgrim_rules.language import instances
from pilgrim_rules.semantics.effects import Cells
from pilgrim_rules.semantics.errors import Contradiction
from pilgrim_rules.semantics.reference import Args, Reference


@dataclass(frozen=True)
class CompiledReadings:
    """A game, compiled with its ghosts; its other readings are made when they are asked for."""

    code: Compiled

    @classmethod
    def from_game(cls, game: Game) -> CompiledReadings:
        """Compile a game."""
        return cls(compiled(game, ghosts=True))

    @property
    def game(self) -> Game:
        """The game that is compiled."""
        return self.code.game

    @cached_property
    def footprints(self) -> Footprints:
        """What its expressions look at."""
        return Footprints.from_game(self.game)

    def with_options(self, options: Options = ()) -> CompiledReading:
        """Return the default reading with some other options; `RulesError` if there are mistakes in it."""
        if options not in self._made:
            self._made[options] = self.reading(instances.with_default_rulings(self.game, options))
        return self._made[options]

    @cached_property
    def _made(self) -> dict[Options, CompiledReading]:
        return {}

    def reading(self, game: Game) -> CompiledReading:
        """Return the reading of a core that was made from this game: read again, or with a mistake in it."""
        return CompiledReading(self, Reference.from_game(game))


@dataclass(frozen=True)
class CompiledReading:
    """A game as an example reads it."""

    readings: CompiledReadings
    reference: Reference

    @property
    def game(self) -> Game:
        """The core of the reading."""
        return self.reference.game

    def start(self) -> Cells:
        """Return the position at the start; chance and autos are still to come."""
        code, variables = self.readings.code, self.readings.game.variables
        if self._same_state and all(self._is_shared(variable.initial) for variable in variables):
            return code.layout.decode(code.start)
        return self.reference.start()

    def apply(self, position: Cells, action: Action, args: Args) -> Cells:
        """Return the position after a legal action; `Contradiction` if it contradicts the rules."""
        if action.name not in self._shared_actions:
            return self.reference.apply(position, action, args)
        code = self.readings.code
        try:
            after = code.layout.decode(code.apply(code.encoded(position), action.name, args))
        except Contradiction:
            return self.reference.apply(position, action, args)  # tells it with its values
        return {name: after[name] for name in position}

    def broken(self, position: Cells, changed: frozenset[str] | None = None) -> str | None:
        """Return an invariant that is false; if only some variables have changed, of those that look at one of them."""
        footprints, code = self.readings.footprints, self.readings.code
        state = code.encoded(position) if self._same_state else b""
        for claim, shared in self._invariants:
            looked_at = footprints.footprint(claim.formula) if shared else self._footprints.footprint(claim.formula)
            if changed is not None and changed.isdisjoint(looked_at.variables):
                continue
            if not (code.holds(claim.name, state) if shared else self.reference.holds(claim, position)):
                return claim.name
        return None

    def is_broken(self, name: str, position: Cells) -> bool:
        """Return whether an invariant is false in a position."""
        return any(not self.reference.holds(claim, position) for claim, _ in self._invariants if claim.name == name)

    @cached_property
    def _invariants(self) -> list[tuple[Claim, bool]]:
        """What holds in every position, each with whether compiled code answers for it."""
        usual = self.readings.footprints.declared.claims
        return [
            (claim, self._same_state and claim == usual.get(claim.name) and self._is_shared(usual[claim.name].formula))
            for claim in self.game.claims
            if claim.kind in ("invariant", "conserved")
        ]

    @cached_property
    def _shared_actions(self) -> frozenset[str]:
        """The actions that compiled code performs: they are written alike, and look at nothing in which the readings differ."""
        usual = self.readings.footprints.declared.actions
        return frozenset(
            action.name
            for action in self.game.actions
            if self._same_state
            and action == usual.get(action.name)
            and all(self._is_shared(each) for each in action_expressions(usual[action.name]))
        )

    @cached_property
    def _same_state(self) -> bool:
        """Whether a state has the same cells as in the game that is compiled."""
        here, usual = self.game.variables, self.readings.game.variables
        return here is usual or [(v.name, v.index, v.type) for v in here] == [(v.name, v.index, v.type) for v in usual]

    @cached_property
    def _footprints(self) -> Footprints:
        return Footprints.from_game(self.game)

    @cached_property
    def _other(self) -> frozenset[str]:
        """The constants, definitions and networks that are not those of the game that is compiled."""
        return frozenset(_differences(self.readings.game, self.game))

    def _is_shared(self, expr: Expr) -> bool:
        """Return whether an expression of the game that is compiled looks at nothing in which this one differs."""
        looks_at = self.readings.footprints.footprint(expr)
        return self._other.isdisjoint(looks_at.constants | looks_at.definitions | looks_at.networks)


def _differences(mine: Game, other: Game) -> Iterator[str]:
    before, after = _named(mine), _named(other)
    for name in before.keys() | after.keys():
        old, new = before.get(name), after.get(name)
        if old is not new and old != new:
            yield name


def _named(game: Game) -> dict[str, Constant | Def | Network]:
    parts: tuple[Constant | Def | Network, ...] = (*game.constants, *game.defs, *game.networks)
    return {each.name: each for each in parts}
