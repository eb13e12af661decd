"""Prepared examples: the worked examples of a game, made ready to be run again by rules with a mistake in them.

Reads:  a core game, then mutants of it.   Writes: what an example says that is no longer so.
After:  only examples are run in which the mistake can make a difference. What an example arranges is arranged once, by
        the rules without the mistake: it is the position that the author means.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pilgrim_rules.core.ir import Example, Expect, Game, Make, Options, Refuse
from pilgrim_rules.core.move_text import action_name
from pilgrim_rules.examples import CompiledReading, CompiledReadings, ReadingResult, readings_of, run_reading
from pilgrim_rules.examples.run import arranged
from pilgrim_rules.semantics.effects import Cells
from verifier.mutate.mutants import Mutant, called, in_reading


@dataclass(frozen=True, slots=True)
class PreparedExample:
    """An example in one reading, after everything that it arranges first.

    actions  that it makes, that happen by themselves, or that it shows to be refused.
    defs     that its expectations ask.
    moves    that are made in it, those included that happen by themselves.
    decided  whether it says of some move who decides.
    """

    example: Example
    under: Options
    position: Cells
    actions: frozenset[str]
    defs: frozenset[str]
    moves: int
    decided: bool

    def is_affected(self, mutant: Mutant) -> bool:
        """Return whether the mistake can make a difference here."""
        if mutant.mistake.kind == "decider":
            return self.decided
        if mutant.mistake.kind == "table":  # what is arranged may look at it as well
            return True
        return not self.actions.isdisjoint(mutant.actions) or not self.defs.isdisjoint(mutant.defs)


@dataclass(frozen=True, slots=True)
class PreparedExamples:
    """All examples of a game that are right: those of the default reading first, and those with the fewest moves.

    So what goes wrong is shown by a short play.
    """

    readings: CompiledReadings
    prepared: tuple[PreparedExample, ...]

    @classmethod
    def from_game(cls, game: Game) -> PreparedExamples:
        """Prepare the examples."""
        readings = CompiledReadings.from_game(game)
        prepared = [each for example in game.examples for each in _prepared(readings, example)]
        return cls(readings, tuple(sorted(prepared, key=lambda each: (bool(each.under), each.moves))))

    def is_affected(self, mutant: Mutant) -> bool:
        """Return whether the mistake can make a difference in any of them."""
        return any(each.is_affected(mutant) for each in self.prepared)

    def wrong(self, mutant: Mutant) -> ReadingResult | None:
        """Return the first example that does not come out as written any more."""
        concerned = [each for each in self.prepared if each.is_affected(mutant)]
        made: dict[Options, CompiledReading] = {}
        for claims in (False, True):  # the claims take longer
            for each in concerned:
                if each.under not in made:
                    game = in_reading(mutant, self.readings.game, self.readings.with_options(each.under).game)
                    made[each.under] = self.readings.reading(game)
                run = run_reading(made[each.under], each.example, each.under, arranged=each.position, claims=claims)
                if run.says:
                    return run
        return None


def _prepared(readings: CompiledReadings, example: Example) -> Iterator[PreparedExample]:
    for under in readings_of(readings.game, example):
        reading = readings.with_options(under)
        there = next(each for each in reading.game.examples if each.name == example.name)
        position = arranged(reading, there)
        run = run_reading(reading, there, under, arranged=position, claims=False)
        if not run.says:
            lines = [step.line for step in run.steps]
            named = [line.action for line in lines if isinstance(line, Make | Refuse)]
            actions = frozenset([*named, *(action_name(move) for move in run.moves)])
            defs = called((line.formula for line in lines if isinstance(line, Expect)), reading.game)
            decided = any(isinstance(line, Make) and line.by is not None for line in lines)
            yield PreparedExample(there, under, position, actions, frozenset(defs), len(run.moves), decided)
