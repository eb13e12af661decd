"""Log: what a search notices on its way, and the shortest plays that show it.

Reads:  numbers of states and moves.   Writes: counts; `Finding`s and `Witness`es at the end.
After:  each thing that is wrong is told once, at the first place where it was seen, with how often it was seen.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from pilgrim_rules.engine.errors import Contradiction
from verifier.explore.findings import Finding, FindingKind, PlayStep, Witness
from verifier.explore.module import WEIGHT
from verifier.explore.program import Program
from verifier.explore.states import States


@dataclass(slots=True)
class _Entry:
    """Where something was seen first: in a state, or in the step that a move makes from it."""

    state: int
    move: int | None
    times: int


class Log:
    """Collects what a search notices."""

    def __init__(self, program: Program, states: States) -> None:
        self.program = program
        self.states = states
        self.actions: Counter[str] = Counter({action.name: 0 for action in program.game.actions})
        self.finished = 0
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
        self.step("contradiction", f"{place.action}: {place.key or place.what}", state, move, times)

    def reached(self, name: str) -> bool:
        """Return whether a witness has been found already."""
        return name in self._met

    def witness(self, name: str, state: int) -> None:
        """Note the first state that shows what somebody claims to be reachable."""
        self._met.setdefault(name, state)

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


def play_to(program: Program, states: States, state: int) -> tuple[PlayStep, ...]:
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
    "two autos": "two things happen by themselves at once",
    "contradiction": f"an outcome has a {WEIGHT}",
    "terminates": "the step makes nothing smaller that must become smaller",
}
