"""Trace: a play that is recorded while it is played, and can be gone through.

Reads:  a game and moves.   Writes: every step with the state after it; JSON; the ITF form of other trace viewers.
After:  the steps lead from each state to the next. Decisions, outcomes of chance and what happened by itself are all
        in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from pilgrim_rules import files
from pilgrim_rules.engine import itf, stateform
from pilgrim_rules.engine.chance import seeded
from pilgrim_rules.engine.errors import Contradiction
from pilgrim_rules.engine.game import Game
from pilgrim_rules.engine.record import Record
from pilgrim_rules.engine.run import Log
from pilgrim_rules.engine.state import State
from pilgrim_rules.engine.step import AUTO, CHANCE, Step


class Trace:
    """A play, and a place in it.

    `state` is where one stands; `back` and `forward` go a step, `undo` goes to the decision before. A move that is played
    forgets what came after this place.

    steps    what happened, from the beginning
    states   the state before the first step, and the state after each
    at       how many steps one has gone
    """

    def __init__(self, first: State, *, seed: int | None = None) -> None:
        """Begin a play at any state. The seed is only noted; `Trace.start` begins a seeded game."""
        self.seed = seed
        self.steps: list[Step] = []
        self.states: list[State] = [first]
        self.at = 0

    @classmethod
    def start(cls, game: Game, seed: int | None = None) -> Trace:
        """Begin a play at the start of a game, as `Game.start` does."""
        trace = cls(State(game, game.code.start, None if seed is None else seeded(seed)), seed=seed)
        trace._run(lambda state, log: game.runner.settle(state.data, state.rng, log))
        return trace

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.states[0].game

    # ------------------------------------------------------------------------------------------------- going through it

    @property
    def state(self) -> State:
        """The state where one stands."""
        return self.states[self.at]

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[tuple[State, Step, State]]:
        """Yield each step with the states before and after it."""
        return iter(list(zip(self.states, self.steps, self.states[1:], strict=False)))

    def back(self) -> State:
        """Go one step back; at the beginning, stay there."""
        self.at = max(self.at - 1, 0)
        return self.state

    def forward(self) -> State:
        """Go one step forward; at the end, stay there."""
        self.at = min(self.at + 1, len(self.steps))
        return self.state

    def undo(self) -> State:
        """Go back to where the last decision was made; without one, stay."""
        automatic = {AUTO} if self.state.rng is None else {AUTO, CHANCE}
        decisions = [at for at in range(self.at) if self.steps[at].by not in automatic]
        self.at = decisions[-1] if decisions else self.at
        return self.state

    # ------------------------------------------------------------------------------------------------------- playing on

    def play(self, *moves: str) -> State:
        """Play moves here, as `State.play` does; steps that came after this place are forgotten."""
        for move in moves:
            self._play(move)
        return self.state

    def _play(self, move: str) -> None:
        runner = self.game.runner
        coded = runner.book.codes(move)
        if not runner.allows(self.state.data, coded):
            raise self.state.illegal(move)
        self._run(lambda state, log: runner.make(state.data, coded, state.rng, log))

    def _run(self, run: Callable[[State, Log], object]) -> None:
        log: Log = []
        kept = self.steps[: self.at]
        try:
            run(self.state, log)
        except Contradiction as problem:
            raise Contradiction(problem.breach, (*kept, *problem.steps)) from None
        self.steps = [*kept, *self.game.runner.steps(self.state.data, log)]
        self.states = [*self.states[: self.at + 1], *(State(self.game, data, rng) for _, data, rng in log)]
        self.at = len(self.steps)

    # ------------------------------------------------------------------------------------------------------- keeping it

    def record(self) -> Record:
        """Return the whole play as data."""
        first, game = self.states[0], self.game
        from_start = first.data == game.code.start and first.rng == (None if self.seed is None else seeded(self.seed))
        start = None if from_start else stateform.form(first)
        return Record(game.instance, game.fingerprint, self.seed, start, tuple(self.steps))

    def to_json(self, *, indent: int | None = 1) -> str:
        """Return the whole play as JSON; `schemas/trace.schema.json` describes it."""
        return self.record().to_json(indent=indent)

    def to_itf(self, *, indent: int | None = 1) -> str:
        """Return the whole play in the Informal Trace Format, for the viewers of other model checkers."""
        return stateform.dumps(itf.form(self.states, self.steps), indent)

    def save(self, path: str | Path) -> None:
        """Write the whole play to a file."""
        files.write(path, self.to_json() + "\n")

    @staticmethod
    def load(path: str | Path) -> Record:
        """Read a play from a file, unchecked: `Trace.load("x.json").replay()` checks it and gives the trace."""
        return Record.load(path)

    @staticmethod
    def from_json(text: str) -> Record:
        """Read a play from JSON, unchecked: its `replay()` checks it and gives the trace."""
        return Record.from_json(text)
