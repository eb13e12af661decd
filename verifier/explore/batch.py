"""Batches: one step of a search for many states at once, and the log of what is noticed on the way.

Reads:  states by number.   Writes: their successors into the store of states; counts, `Finding`s and `Witness`es.
After:  every successor is in the store, with the state and the move it came from. Each thing that is wrong is told once, at
        the first place where it was seen, with how often it was seen and a shortest play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pilgrim_rules.semantics.errors import Contradiction
from verifier.explore.generated_module import WEIGHT
from verifier.explore.runtime import Numbers, Words, columns, only
from verifier.explore.search_program import SearchProgram, StateCheck
from verifier.explore.search_result import Finding, FindingKind, PlayStep, Witness
from verifier.explore.state_set import States


@dataclass(slots=True)
class _Entry:
    """Where something was seen first: in a state, or in the step that a move makes from it."""

    state: int
    move: int | None
    times: int


@dataclass(frozen=True, slots=True)
class Notes:
    """What was noticed while some states were stepped, as it is sent between machines; states are numbered from 0.

    seen   what is wrong: kind, name, first state, the move there if it is about a step, how often.
    met    what is claimed to be reachable, with the first state that shows it.
    """

    actions: Counter[str]
    finished: int
    beyond: Counter[str]
    seen: tuple[tuple[FindingKind, str, int, int | None, int], ...]
    met: tuple[tuple[str, int], ...]


class Log:
    """Collects what a search notices."""

    def __init__(self, program: SearchProgram, states: States) -> None:
        self.program = program
        self.states = states
        self.actions: Counter[str] = Counter({action.name: 0 for action in program.game.actions})
        self.finished = 0
        self.beyond: Counter[str] = Counter()  # steps that are not followed, by the counter that goes too far
        self._seen: dict[tuple[FindingKind, str], _Entry] = {}
        self._met: dict[str, int] = {}

    @property
    def found_something(self) -> bool:
        """Whether anything is wrong."""
        return bool(self._seen)

    def state(self, kind: FindingKind, name: str, state: int, times: int) -> None:
        """Note that something is wrong with states, `state` being the first of them."""
        self._seen.setdefault((kind, name), _Entry(state, None, 0)).times += times

    def step(self, kind: FindingKind, name: str, state: int, move: int, times: int) -> None:
        """Note that something is wrong with steps; the first is made by `move` in `state`."""
        self._seen.setdefault((kind, name), _Entry(state, move, 0)).times += times

    def contradiction(self, site: int, state: int, move: int, times: int) -> None:
        """Note that the rules contradict themselves at a place."""
        place = self.program.sites[site - 1]
        if place.beyond:
            self.beyond[place.what] += times
            return
        self.step("contradiction", f"{place.action}: {place.key or place.what}", state, move, times)

    def reached(self, name: str) -> bool:
        """Return whether a witness has been found already."""
        return name in self._met

    def witness(self, name: str, state: int) -> None:
        """Note the first state that shows what somebody claims to be reachable."""
        self._met.setdefault(name, state)

    def notes(self, places: Numbers) -> Notes:
        """Return everything noticed, for somebody else's log; `places` are the numbers that the states have there."""
        seen = tuple((*key, int(places[entry.state]), entry.move, entry.times) for key, entry in self._seen.items())
        met = tuple((name, int(places[state])) for name, state in self._met.items())
        return Notes(self.actions, self.finished, self.beyond, seen, met)

    def take_in(self, notes: Notes, first: int) -> None:
        """Add what somebody else has noticed about states that are numbered from `first` on here."""
        self.actions.update(notes.actions)
        self.finished += notes.finished
        self.beyond.update(notes.beyond)
        for kind, name, state, move, times in notes.seen:
            self._seen.setdefault((kind, name), _Entry(first + state, move, 0)).times += times
        for name, state in notes.met:
            self.witness(name, first + state)

    def witnesses(self) -> tuple[Witness, ...]:
        """Return the witnesses found."""
        return tuple(Witness(name, self._play(state), self._position(state)) for name, state in self._met.items())

    def findings(self) -> tuple[Finding, ...]:
        """Return everything that is wrong, in the order in which it was seen."""
        return tuple(self._finding(kind, name, entry) for (kind, name), entry in self._seen.items())

    def _finding(self, kind: FindingKind, name: str, entry: _Entry) -> Finding:
        play, last = self._play(entry.state), int(self.states.moves[entry.state]) if entry.state else None
        position = self._position(entry.state)
        says = _SAYS.get(kind, f"`{name}` does not hold")
        if entry.move is not None:
            last = entry.move
            action, args = self.program.move(last)
            play = (*play, PlayStep(self.program.move_text(last), action.kind))
            try:
                position = self.program.reference.apply(position, action, args)
            except Contradiction as found:
                says = found.breach.says
        by = None if last is None else self.program.move(last)[0].name
        return Finding(kind, name, says, entry.times, play, position, by, self.program.reference.stage(position).name)

    def _position(self, state: int) -> dict[str, list[int]]:
        return self.program.packing.unpack(self.states.words[:, state].tolist())

    def _play(self, state: int) -> tuple[PlayStep, ...]:
        return play_to(self.program, self.states, state)


def play_to(program: SearchProgram, states: States, state: int) -> tuple[PlayStep, ...]:
    """Return a shortest play to a state, given by its number."""
    steps: list[PlayStep] = []
    while state:
        move = int(states.moves[state])
        steps.append(PlayStep(program.move_text(move), program.move(move)[0].kind))
        state = int(states.parents[state])
    return tuple(reversed(steps))


_SAYS: dict[FindingKind, str] = {
    "dead end": "nothing can happen, but the game is not over",
    "to move": "it is nobody's turn",
    "no policy": "an automaton is to decide, and its policy says nothing",
    "two autos": "two things happen by themselves at once",
    "contradiction": f"an outcome has a {WEIGHT}",
    "terminates": "the step makes nothing smaller that must become smaller",
}


#: States stepped at once: few enough to stay in the cache, enough to make NumPy's overhead small.
MOST, FEWEST, CACHED = 1 << 13, 1 << 9, 1 << 16
#: Words of following states that are collected before they are looked up.
PENDING = 1 << 17


def batch_size(words: int) -> int:
    """Return how many states of this many words are stepped at once."""
    return max(FEWEST, min(MOST, CACHED // words))


class Batch:
    """The states numbered from `first` to before `end`."""

    def __init__(self, program: SearchProgram, states: States, log: Log, first: int, end: int) -> None:
        self.program = program
        self.states = states
        self.log = log
        self.first = first
        self.now: Words = states.words[:, first:end]
        self.ways = np.zeros(end - first, dtype=np.int32)  # legal moves of each state
        self.pending: list[tuple[int, Numbers, Words]] = []
        self.waiting = 0
        self.made = 0

    def step(self) -> None:
        """Make every legal move in every state."""
        for stage, rows in self._by_stage():
            numbers = columns(self.now.shape[1]) if rows is None else rows
            for moves, kernel in self.program.by_stage[stage]:
                before = self.made
                kernel(only(self.now, rows), numbers, self._take)
                self.log.actions[moves.action.name] += self.made - before
            self._count_ways(stage, numbers)
        self._flush()

    def _by_stage(self) -> Iterator[tuple[int, Numbers | None]]:
        """Yield each stage that occurs, with the rows that are in it; None stands for all rows."""
        stages = self.program.stage_of(self.now)
        if np.ndim(stages) == 0:
            yield int(stages), None
            return
        counts = np.bincount(stages)
        for stage in np.flatnonzero(counts):
            yield int(stage), None if counts[stage] == len(stages) else np.flatnonzero(stages == stage)

    def _take(self, move: int, rows: Numbers, after: Words, wrong: NDArray[np.int32] | None) -> None:
        """Take in the states after a move. Called by kernels."""
        self.ways[rows] += 1
        if wrong is not None:
            for site in np.unique(wrong[wrong > 0]):
                at = rows[wrong == site]
                self.log.contradiction(int(site), self.first + int(at[0]), move, len(at))
            right = np.flatnonzero(wrong == 0)
            rows, after = rows[right], after[:, right]
        self.made += len(rows)
        self.waiting += len(rows)
        self.pending.append((move, rows, after))
        if self.waiting * len(self.now) >= PENDING:
            self._flush()

    def _flush(self) -> None:
        """Look up the states taken in, and remember how the new ones were found."""
        if not self.waiting:
            return
        after = np.concatenate([each for _, _, each in self.pending], axis=1)
        rows = np.concatenate([each for _, each, _ in self.pending])
        ends = np.cumsum([len(each) for _, each, _ in self.pending])
        moves = np.array([move for move, _, _ in self.pending])
        self.pending, self.waiting = [], 0
        if self.program.of_steps:
            self._check_steps(rows, after, moves, ends)
        count = self.states.count
        new = self.states.add(after)
        self.states.came_from(count, self.first + rows[new], moves[np.searchsorted(ends, new, side="right")])

    def _check_steps(self, rows: Numbers, after: Words, moves: Numbers, ends: Numbers) -> None:
        size = batch_size(len(self.now))
        for at in range(0, len(rows), size):
            part = slice(at, at + size)
            before = self.now[:, rows[part]]
            for check in self.program.of_steps:
                wrong = failing(check, before, after[:, part])
                if len(wrong):
                    first = at + int(wrong[0])
                    move = int(moves[np.searchsorted(ends, first, side="right")])
                    self.log.step(check.kind, check.name, self.first + int(rows[first]), move, len(wrong))

    def _count_ways(self, stage: int, rows: Numbers) -> None:
        """Look for states of a stage in which nothing can happen, or too much."""
        kind, name = self.program.stage_kind(stage), self.program.game.stages[stage].name
        if kind == "nobody":
            self.log.finished += len(rows)
            return
        test = self.program.automatic.get(stage)
        if test is None:
            self._stuck("dead end", name, rows)
            self._torn(name, rows if kind == "auto" else rows[:0])
            return
        automatic = np.broadcast_to(test(self.now[:, rows], None), rows.shape).astype(bool)
        self._stuck("dead end", name, rows[~automatic])
        self._stuck("no policy", name, rows[automatic])
        self._torn(name, rows[automatic])

    def _stuck(self, kind: FindingKind, name: str, rows: Numbers) -> None:
        stuck = rows[self.ways[rows] == 0]
        if len(stuck):
            self.log.state(kind, f"{kind} in {name}", self.first + int(stuck[0]), len(stuck))

    def _torn(self, name: str, rows: Numbers) -> None:
        torn = rows[self.ways[rows] > 1]
        if len(torn):
            self.log.state("two autos", f"two autos in {name}", self.first + int(torn[0]), len(torn))


def failing(check: StateCheck, now: Words, after: Words | None = None) -> Numbers:
    """Return the columns in which the check does not hold."""
    holds = check.holds(now, after)
    return np.flatnonzero(np.logical_not(np.broadcast_to(holds, now.shape[1:])))
