"""Rehearsal: the worked examples of a game, made ready to be told again by rules with a mistake in them.

Reads:  a core game, then mutants of it.   Writes: what an example says that is no longer so.
After:  only examples are told in which the mistake can make a difference. What an example arranges is arranged once, by
        the rules without the mistake: it is the position that the author means.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pilgrim_rules.core.ir import Example, ExampleStep, Expect, Game, Make, Refuse
from pilgrim_rules.engine.effects import Cells
from verifier.examples import Telling, Told, Under, arranged, ruled
from verifier.ground import Ground
from verifier.mutate.mutants import Mutant, called


@dataclass(frozen=True, slots=True)
class Scene:
    """An example under one reading, after everything that it arranges first.

    actions  that it makes, that happen by themselves, or that it shows to be refused.
    defs     that its expectations ask.
    moves    that are made in it, those included that happen by themselves.
    decided  whether it says of some move who decides.
    """

    name: str
    under: Under
    position: Cells
    steps: tuple[ExampleStep, ...]
    actions: frozenset[str]
    defs: frozenset[str]
    moves: int
    decided: bool

    def notices(self, mutant: Mutant) -> bool:
        """Return whether the mistake can make a difference here."""
        if mutant.mistake.kind == "decider":
            return self.decided
        return not self.actions.isdisjoint(mutant.actions) or not self.defs.isdisjoint(mutant.defs)


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """All examples of a game that are right: those of the usual reading first, and those with the fewest moves.

    So what goes wrong is told shortly.
    """

    ground: Ground
    scenes: tuple[Scene, ...]

    @classmethod
    def of(cls, game: Game) -> Rehearsal:
        """Prepare the examples."""
        ground = Ground.of(game)
        scenes = [scene for example in game.examples for scene in _scenes(ground, example)]
        return cls(ground, tuple(sorted(scenes, key=lambda scene: (bool(scene.under), scene.moves))))

    def notices(self, mutant: Mutant) -> bool:
        """Return whether the mistake can make a difference in any of them."""
        return any(scene.notices(mutant) for scene in self.scenes)

    def wrong(self, mutant: Mutant) -> tuple[Scene, Told] | None:
        """Return the first example that does not come out as written any more, and how it comes out."""
        concerned = [scene for scene in self.scenes if scene.notices(mutant)]
        for claims in (False, True):  # the claims take longer
            for scene in concerned:
                telling = Telling(self.ground.under(ruled(mutant.game, scene.under)), scene.under, claims=claims)
                told = telling.tell(scene.steps, scene.position)
                if told.wrong:
                    return scene, told
        return None


def _scenes(ground: Ground, example: Example) -> Iterator[Scene]:
    readings = dict.fromkeys(step.under for step in example.steps if isinstance(step, Expect)) or {(): None}
    for under in readings:
        position, steps = arranged(ground, example, under)
        refused = [step.action for step in steps if isinstance(step, Refuse)]
        defs = called((step.formula for step in steps if isinstance(step, Expect)), ground.game)
        telling = Telling(ground.under(ruled(ground.game, under)), under, claims=False)
        if not telling.tell(steps, position).wrong:
            made = [step.action for step in steps if isinstance(step, Make)] + [
                move.partition("(")[0] for move in telling.moves
            ]
            actions = frozenset([*refused, *made])
            decided = any(isinstance(step, Make) and step.by is not None for step in steps)
            yield Scene(example.name, under, position, steps, actions, frozenset(defs), len(telling.moves), decided)
