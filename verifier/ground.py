"""Ground: what the examples of a game share, made once: the start of the game and its invariants as compiled code.

Reads:  a core game, then readings of it: the same game with other constants or definitions.   Writes: positions; the name
        of an invariant that is broken.
After:  the answers are those of the evaluator of the reading. Compiled code of the game answers for whatever looks at
        nothing in which the reading differs; the evaluator, hundreds of times slower, for the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from pilgrim_rules.core.ir import Claim, Constant, Def, Expr, Game
from pilgrim_rules.engine.compile import Compiled, compiled
from pilgrim_rules.engine.effects import Cells
from pilgrim_rules.engine.reference import Reference
from verifier.survey import Survey


@dataclass(frozen=True)
class Ground:
    """A game, compiled with its ghosts."""

    code: Compiled

    @classmethod
    def of(cls, game: Game) -> Ground:
        """Compile a game."""
        return cls(compiled(game, ghosts=True))

    @property
    def game(self) -> Game:
        """The game as it is read by default."""
        return self.code.game

    @cached_property
    def survey(self) -> Survey:
        """What its expressions look at."""
        return Survey.of(self.game)

    @cached_property
    def invariants(self) -> tuple[Claim, ...]:
        """What holds in every position."""
        return tuple(claim for claim in self.game.claims if claim.kind in ("invariant", "conserved"))

    def under(self, game: Game) -> Reading:
        """Return a reading of the game: it, or one made from it that differs in constants, definitions or actions."""
        return Reading(self, Reference.of(game), frozenset(_differences(self.game, game)))


@dataclass(frozen=True)
class Reading:
    """A game as an example reads it; `other` are the constants and definitions that differ from the ground."""

    ground: Ground
    reference: Reference
    other: frozenset[str]

    def start(self) -> Cells:
        """Return the position at the start; chance and autos are still to come."""
        code = self.ground.code
        if all(self._is_shared(variable.initial) for variable in self.ground.game.variables):
            return code.layout.decode(code.start)
        return self.reference.start()

    def broken(self, position: Cells, changed: frozenset[str] | None = None) -> str | None:
        """Return an invariant that is false; if only some variables have changed, of those that look at one of them."""
        state = self.ground.code.layout.encode(position)
        for claim in self.ground.invariants:
            if changed is not None and changed.isdisjoint(self.ground.survey.footprint(claim.formula).variables):
                continue
            shared = self._is_shared(claim.formula)
            if not (self.ground.code.holds(claim.name, state) if shared else self.reference.holds(claim, position)):
                return claim.name
        return None

    def _is_shared(self, expr: Expr) -> bool:
        looks_at = self.ground.survey.footprint(expr)
        return self.other.isdisjoint(looks_at.constants) and self.other.isdisjoint(looks_at.definitions)


def _differences(mine: Game, other: Game) -> Iterator[str]:
    before: tuple[Constant | Def, ...] = (*mine.constants, *mine.defs)
    for old, new in zip(before, (*other.constants, *other.defs), strict=True):
        if old is not new and old != new:
            yield old.name
