"""Worked examples, run while the pages are built, with the position at each step as the engine has it.

Reads:  a playable game and one of its examples.   Writes: `ShownExampleStep`s.
After:  an example that the current rules do not confirm says where it stops; nothing of it is made up. What is said
        of another reading of the rulebook is not run here: the rules would have to be read again for each of them.
        Evidence says what came of it, and of examples for other numbers of players.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby

from pilgrim_rules.api.game import Game, State
from pilgrim_rules.core import ir
from pilgrim_rules.core.move_text import action_name
from pilgrim_rules.engine.python.compile import Compiled
from pilgrim_rules.examples import CompiledReadings, StepResult, readings_of
from pilgrim_rules.examples.run import Stuck, run_reading, settled
from pilgrim_rules.examples.run import arranged as arranged_by
from pilgrim_rules.semantics.errors import Contradiction
from pilgrim_rules.semantics.moves import Move

__all__ = ["SIGNS", "RunExamples", "ShownExampleStep", "arranged", "reading", "replayed", "run"]

SIGNS = {True: "✓", False: "✗", None: "·"}  #: whether a step came out as written; None if nobody has tried


@dataclass(frozen=True, slots=True)
class ShownExampleStep:
    """One step of an example: the position before it and after it, and whether it came out as written.

    Of lines that arrange something, one after the other, each has the position before and after all of them.

    move   the move that is made or refused.
    holds  whether the move was legal, the refusal happened, the expectation held; None if it was not run here.
    """

    step: ir.ExampleStep
    before: State | None
    after: State | None
    move: Move | None
    holds: bool | None


def reading(game: ir.Game, example: ir.Example) -> ir.Options:
    """Return the reading that an example is shown in: the default, unless it speaks of others only."""
    return readings_of(game, example)[0]


def run(game: Game | None, example: ir.Example) -> tuple[ShownExampleStep, ...]:
    """Run what an example says of the rules as they are; its lines about other readings stand in their places.

    game  in which it is run; without one all its lines stand there as written.
    """
    shown = [*_shown_steps(game, example)] if game is not None and not reading(game.core, example) else []
    seen = {moment.step.span.start for moment in shown}
    others = [line for line in example.steps if line.span.start not in seen]
    shown += [ShownExampleStep(line, None, None, None, None) for line in others]
    return tuple(sorted(shown, key=lambda moment: moment.step.span.start))


class RunExamples(Mapping[str, tuple[ShownExampleStep, ...]]):
    """The examples of a game by name, each run when it is first asked for: a page shows a few of many."""

    def __init__(self, game_of: Callable[[str], Game | None], examples: Iterable[ir.Example]) -> None:
        self._game_of = game_of
        self._examples = {example.name: example for example in examples}
        self._run: dict[str, tuple[ShownExampleStep, ...]] = {}

    def __getitem__(self, name: str) -> tuple[ShownExampleStep, ...]:
        """Return the steps of an example."""
        if name not in self._run:
            self._run[name] = run(self._game_of(name), self._examples[name])
        return self._run[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._examples)

    def __len__(self) -> int:
        return len(self._examples)


def arranged(game: Game, example: ir.Example) -> State:
    """Return the position that an example begins with, after what it arranges and what happens by itself."""
    played = _readings(game.code).with_options(reading(game.core, example))
    position = arranged_by(played, example)
    with suppress(Contradiction, Stuck):  # then it is shown as it is given
        position = settled(played, position)
    return State(game, game.layout.encode(position))


def replayed(game: Game, name: str, steps: Sequence[str]) -> State:
    """Return the position after some steps, of which those that happen by themselves are not played.

    They begin at the start, or in the position that the example of that name arranges.
    """
    by_themselves = {action.name for action in game.core.actions if action.kind == "auto"}
    example = next((each for each in game.core.examples if each.name == name), None)
    begin = game.start() if example is None else arranged(game, example)
    return begin.play(*(step for step in steps if action_name(step) not in by_themselves))


@lru_cache(maxsize=4)
def _readings(code: Compiled) -> CompiledReadings:
    """Return the readings of a game: all examples share what is found out about each."""
    return CompiledReadings(code)


def _shown_steps(game: Game, example: ir.Example) -> Iterator[ShownExampleStep]:
    result = run_reading(_readings(game.code).with_options(), example)
    states: dict[int, State] = {}  # by the identity of what the results keep: one step begins where another ended
    for arranging, steps in groupby(result.steps, lambda step: isinstance(step.line, ir.Arrange)):
        group = [_shown_step(game, step, states) for step in steps]
        ends = (group[0].before, group[-1].after)
        yield from (replace(each, before=ends[0], after=ends[1]) if arranging else each for each in group)


def _shown_step(game: Game, step: StepResult, states: dict[int, State]) -> ShownExampleStep:
    for cells in (step.before, step.after):
        if id(cells) not in states:
            states[id(cells)] = State(game, game.layout.encode(cells))
    before, after = states[id(step.before)], states[id(step.after)]
    return ShownExampleStep(step.line, before, after, step.move, not step.wrong)
