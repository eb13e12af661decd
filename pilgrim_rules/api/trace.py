"""Record and Trace: a play as data, and a play to step through; each can be made from the other.

Reads:  a game and moves, or JSON.   Writes: every step with the state after it; JSON; the ITF form of other trace viewers.
After:  the steps of a trace lead from each state to the next. Decisions, outcomes of chance and what happened by itself are
        all in it. A record that replays without an exception is a play of the rules loaded, and every state in it has the
        fingerprint that was recorded. `BadTrace` says at which step it is not, `StaleTrace` that the rules are others.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pilgrim_rules.api import itf, state_json
from pilgrim_rules.api.beliefs import Belief, Played
from pilgrim_rules.api.game import Game, State, load_instance
from pilgrim_rules.api.looks import Looks, SeenStep
from pilgrim_rules.engine.autoplay import Log
from pilgrim_rules.language.load_arguments import LoadArguments, parse_instance
from pilgrim_rules.semantics import chance
from pilgrim_rules.semantics.errors import BadMove, BadState, BadTrace, Contradiction, StaleTrace
from pilgrim_rules.semantics.step import AUTO, CHANCE, Step
from pilgrim_rules.util import atomic_write

FORMAT = "pilgrim-rules/trace/1"


@dataclass(frozen=True, slots=True)
class Record:
    """A play as data.

    instance  which game, for how many players, under which rulings
    rules     the fingerprint of the rules it was played by
    seed      of the generator that resolved chance; None if chance was decided outside
    start     the state it begins in, as JSON; None: the start of the game
    steps     what happened
    """

    instance: LoadArguments
    rules: str
    seed: int | None
    start: dict[str, Any] | None
    steps: tuple[Step, ...]

    def to_json(self, *, indent: int | None = 1) -> str:
        """Return the record as JSON."""
        steps = [{"move": str(step.move), "by": step.by, "state": step.fingerprint} for step in self.steps]
        form = {"format": FORMAT, "game": self.instance, "rules": self.rules, "seed": self.seed, "start": self.start}
        return state_json.dumps({**form, "steps": steps}, indent)

    @classmethod
    def load(cls, path: str | Path) -> Record:
        """Read a record from a file."""
        try:
            text = Path(path).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as problem:
            raise BadTrace(f"cannot read `{path}`: {problem}") from None
        return cls.from_json(text)

    @classmethod
    def from_json(cls, text: str) -> Record:
        """Read a record from JSON; `BadTrace` if it is none."""
        try:
            data = json.loads(text)
        except (ValueError, TypeError, RecursionError) as problem:
            raise BadTrace(f"this is not JSON: {problem}") from None
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise BadTrace(f"a trace is a JSON object whose `format` is `{FORMAT}`")
        instance = parse_instance(data.get("game"))
        rules, seed, start, steps = (data.get(key) for key in ("rules", "seed", "start", "steps"))
        if instance is None:
            raise BadTrace("`game` does not say which game was played")
        if not isinstance(rules, str):
            raise BadTrace("`rules` is the fingerprint of the rules")
        if not (seed is None or (isinstance(seed, int) and not isinstance(seed, bool))):
            raise BadTrace("`seed` is a whole number or null")
        if not (start is None or isinstance(start, dict)):
            raise BadTrace("`start` is a state or null")
        if not isinstance(steps, list):
            raise BadTrace("`steps` is a list")
        return cls(instance, rules, seed, start, tuple(_step(number, step) for number, step in enumerate(steps, 1)))

    def is_stale(self, game: Game) -> bool:
        """Return whether the record was made with other rules than those of the game."""
        return self.rules != game.fingerprint

    def replay(self, game: Game | None = None, *, stale_ok: bool = False) -> Trace:
        """Replay every step and return the trace; the game is loaded unless it is given.

        `StaleTrace` if the rules have changed, unless `stale_ok`; then the record is replayed as far as possible.
        """
        game = load_instance(self.instance) if game is None else game
        if self.instance["name"] != game.instance["name"]:
            raise BadTrace(f"the trace is of `{self.instance['name']}`, not of `{game.instance['name']}`")
        if self.is_stale(game) and not stale_ok:
            raise StaleTrace("the trace was recorded with other rules than those loaded")
        trace = Trace(self._first(game, stale_ok=stale_ok), seed=self.seed)
        for number, step in enumerate(self.steps, 1):
            made, state = _replay_step(trace.state, step, f"step {number}, `{step.move}`")
            trace.steps.append(made)
            trace.states.append(state)
            trace.at += 1
        return trace

    def _first(self, game: Game, *, stale_ok: bool) -> State:
        if self.start is None:
            return State(game, game.code.start, None if self.seed is None else chance.seeded(self.seed))
        try:
            return game.state_from_json(self.start, stale_ok=stale_ok)
        except BadState as problem:
            raise BadTrace(f"`start`: {problem}") from None


class Trace:
    """A play, and a current position in it.

    `state` is the current state. `back` and `forward` move by one step, `undo` moves to the last decision. Playing a move
    removes the steps after the current position.

    steps    what happened, from the beginning
    states   the state before the first step, and the state after each
    at       the number of steps before the current position
    """

    def __init__(self, first: State, *, seed: int | None = None) -> None:
        """Start a play at any state. The seed is only recorded; use `Trace.start` for a seeded game."""
        self.seed = seed
        self.steps: list[Step] = []
        self.states: list[State] = [first]
        self.at = 0

    @classmethod
    def start(cls, game: Game, seed: int | None = None) -> Trace:
        """Start a play at the start of a game, as `Game.start` does."""
        trace = cls(State(game, game.code.start, None if seed is None else chance.seeded(seed)), seed=seed)
        trace._run(lambda state, log: game.runner.settle(state.data, state.rng, log))
        return trace

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.states[0].game

    # ------------------------------------------------------------------------------------------------- going through it

    @property
    def state(self) -> State:
        """The current state."""
        return self.states[self.at]

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[tuple[State, Step, State]]:
        """Yield each step with the states before and after it."""
        return iter(list(zip(self.states, self.steps, self.states[1:], strict=False)))

    def back(self) -> State:
        """Move one step back and return the state; at the beginning, do nothing."""
        self.at = max(self.at - 1, 0)
        return self.state

    def forward(self) -> State:
        """Move one step forward and return the state; at the end, do nothing."""
        self.at = min(self.at + 1, len(self.steps))
        return self.state

    def undo(self) -> State:
        """Move back to the last decision and return the state; without one, do nothing."""
        automatic = {AUTO} if self.state.rng is None else {AUTO, CHANCE}
        decisions = [at for at in range(self.at) if self.steps[at].by not in automatic]
        self.at = decisions[-1] if decisions else self.at
        return self.state

    # ------------------------------------------------------------------------------------------------------- playing on

    def play(self, *moves: str) -> State:
        """Play moves from the current position, as `State.play` does; the steps after it are removed."""
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

    # ------------------------------------------------------------------------------------------------- as a player sees it

    def seen_by(self, player: str | None) -> list[SeenStep]:
        """Return the steps before the current position as a player sees them; None for somebody who only watches."""
        observer, looks = self.states[0].view(player).observer, Looks(self.game)
        return [
            looks.step(data, coded, observer.player)
            for data, (coded, _) in zip(self._data(), self._played(), strict=False)
        ]

    def belief(self, player: str) -> Belief:
        """Return which states the player must reckon with now, after everything that was seen since the beginning."""
        seat = self.game.players.index(player)
        return Belief(self.game, self.states[0].data, seat).see(self._played())

    def resample(self, player: str, seed: int) -> Trace:
        """Return a play that looks to the player like this one up to the current position, drawn at random."""
        path = self.belief(player).sample(seed)
        made = Trace(State(self.game, self.states[0].data))
        made.steps = list(self.game.runner.steps(self.states[0].data, [(coded, data, None) for coded, data in path]))
        made.states += [State(self.game, data) for _, data in path]
        made.at = len(path)
        return made

    def _data(self) -> list[bytes]:
        return [state.data for state in self.states]

    def _played(self) -> list[Played]:
        book = self.game.runner.book
        return [
            (book.codes(step.move), state.data)
            for step, state in zip(self.steps[: self.at], self.states[1:], strict=False)
        ]

    # ------------------------------------------------------------------------------------------------------- keeping it

    def record(self) -> Record:
        """Return the whole play as data."""
        first, game = self.states[0], self.game
        from_start = first.data == game.code.start and first.rng == (
            None if self.seed is None else chance.seeded(self.seed)
        )
        start = None if from_start else state_json.form(game, first.data, rng=first.rng)
        return Record(game.instance, game.fingerprint, self.seed, start, tuple(self.steps))

    def to_json(self, *, indent: int | None = 1) -> str:
        """Return the whole play as JSON; `schemas/trace.schema.json` describes it."""
        return self.record().to_json(indent=indent)

    def to_itf(self, *, indent: int | None = 1) -> str:
        """Return the whole play in the Informal Trace Format, for the viewers of other model checkers."""
        return state_json.dumps(itf.form(self.states, self.steps), indent)

    def save(self, path: str | Path) -> None:
        """Write the whole play to a file."""
        atomic_write.write(path, self.to_json() + "\n")

    @staticmethod
    def load(path: str | Path) -> Record:
        """Read a play from a file without checking it: `Trace.load("x.json").replay()` checks it and returns the trace."""
        return Record.load(path)

    @staticmethod
    def from_json(text: str) -> Record:
        """Read a play from JSON without checking it: `replay()` checks it and returns the trace."""
        return Record.from_json(text)


def _replay_step(state: State, step: Step, place: str) -> tuple[Step, State]:
    """Make a recorded step again."""
    runner, rng = state.game.runner, state.rng
    if step.by != state.to_move:
        raise BadTrace(f"{place}: {state.to_move or 'nobody'} is to move, not {step.by}")
    try:
        coded = runner.book.codes(step.move)
        if not runner.allows(state.data, coded):
            raise BadTrace(f"{place}: {state.illegal(step.move)}")
        if step.by == CHANCE and rng is not None:
            lottery = runner.chance_outcomes(state.data)
            at, rng = chance.choose(rng, [weight for _, weight in lottery])
            if lottery[at][0] != coded:
                raise BadTrace(f"{place}: the seed gives `{runner.book.move(lottery[at][0])}` here")
        after = State(state.game, runner.code.apply_of[coded[0]](state.data, *coded[1]), rng)
    except (BadMove, Contradiction) as problem:
        raise BadTrace(f"{place}: {problem}") from None
    if after.fingerprint != step.fingerprint:
        raise BadTrace(f"{place}: it leads to {after.fingerprint}, not to {step.fingerprint}")
    return Step(runner.book.move(coded), step.by, after.fingerprint), after


def _step(number: int, given: object) -> Step:
    fields = [given.get(key) for key in ("move", "by", "state")] if isinstance(given, dict) else []
    match fields:
        case [str(move), str(by), str(state)]:
            return Step(move, by, state)
        case _:
            raise BadTrace(f"step {number}: a step has the texts `move`, `by` and `state`")
