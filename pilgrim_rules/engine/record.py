"""Record: a play as data, read from a file and checked against the rules.

Reads:  JSON.   Writes: JSON, and a `Trace` in which every step has been made again.
After:  a record that replays without an exception is a play of the rules loaded, and every state in it has the
        fingerprint that was recorded. `BadTrace` says at which step it is not, `StaleTrace` that the rules are others.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pilgrim_rules.engine import chance, stateform
from pilgrim_rules.engine.errors import BadMove, BadState, BadTrace, Contradiction, StaleTrace
from pilgrim_rules.engine.game import Game, load_instance
from pilgrim_rules.engine.state import State
from pilgrim_rules.engine.stateform import Instance
from pilgrim_rules.engine.step import CHANCE, Step

if TYPE_CHECKING:
    from pilgrim_rules.engine.trace import Trace

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

    instance: Instance
    rules: str
    seed: int | None
    start: dict[str, Any] | None
    steps: tuple[Step, ...]

    def to_json(self, *, indent: int | None = 1) -> str:
        """Return the record as JSON."""
        steps = [{"move": str(step.move), "by": step.by, "state": step.fingerprint} for step in self.steps]
        form = {"format": FORMAT, "game": self.instance, "rules": self.rules, "seed": self.seed, "start": self.start}
        return stateform.dumps({**form, "steps": steps}, indent)

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
        instance = stateform.instance_of(data.get("game"))
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
        """Return whether the record was played by other rules than the game's."""
        return self.rules != game.fingerprint

    def replay(self, game: Game | None = None, *, stale_ok: bool = False) -> Trace:
        """Make every step again and return the trace; the game is loaded unless it is given.

        `StaleTrace` if the rules have changed, unless `stale_ok`; then the record is replayed as far as it can be.
        """
        from pilgrim_rules.engine.trace import Trace  # noqa: PLC0415  (a trace is recorded as a record)

        game = load_instance(self.instance) if game is None else game
        if self.instance["name"] != game.instance["name"]:
            raise BadTrace(f"the trace is of `{self.instance['name']}`, not of `{game.instance['name']}`")
        if self.is_stale(game) and not stale_ok:
            raise StaleTrace("the trace was recorded with other rules than those loaded")
        trace = Trace(self._first(game, stale_ok=stale_ok), seed=self.seed)
        for number, step in enumerate(self.steps, 1):
            made, state = _again(trace.state, step, f"step {number}, `{step.move}`")
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


def _again(state: State, step: Step, place: str) -> tuple[Step, State]:
    """Make a recorded step again."""
    runner, rng = state.game.runner, state.rng
    if step.by != state.to_move:
        raise BadTrace(f"{place}: {state.to_move or 'nobody'} is to move, not {step.by}")
    try:
        coded = runner.book.codes(step.move)
        if not runner.allows(state.data, coded):
            raise BadTrace(f"{place}: {state.illegal(step.move)}")
        if step.by == CHANCE and rng is not None:
            lottery = runner.lottery(state.data)
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
