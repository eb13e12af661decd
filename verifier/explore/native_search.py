"""Native search: all reachable states of a core game, breadth first, on a machine (WebAssembly, where it is installed).

Reads:  a core game.   Writes: an `Exploration`; None if something is wrong with the game, or if it cannot be searched here.
After:  a result has no findings: every state and step that it counts has been checked. What is wrong, and how often, is told by the
        vectorised search (`search.py`), which is the other account of the same game.

The states are shared out among several machines, each in a thread of its own (`native_part.py`). All wait for each other after every turn, so the same game
and number of parts give the same result however quick each of them is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from pilgrim_rules.core.ir import BOOL, Apply, Claim, Game
from pilgrim_rules.engine.affected_claims import affected_claims
from pilgrim_rules.engine.machines.choose import machines, wasm_is_installed
from pilgrim_rules.engine.machines.machine import Stopped
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.engine.wasm.state_words import state_words
from pilgrim_rules.engine.wasm.types import Unprintable
from pilgrim_rules.semantics.errors import Contradiction, EngineLimit
from pilgrim_rules.semantics.moves import Coded, MoveBook
from pilgrim_rules.semantics.state_layout import Position
from verifier.explore.images import Images
from verifier.explore.native_part import PartLimits, SearchPart
from verifier.explore.search_result import Exploration, PlayStep, Progress, Witness

PARTS = 2  #: machines that share the states, unless somebody says how many
#: States that one turn expands, so that Python can be interrupted and progress is told; fewer than the second number are no work for two threads.
_AT_ONCE, _FEW = 1 << 18, 1 << 10


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """How many states, and how many bytes for them."""

    states: int
    bytes: int


def native_search(
    game: Game,
    limits: SearchLimits,
    *,
    check: bool = True,
    start: Position | None = None,
    progress: Callable[[Progress], None] | None = None,
    wasm: bool | None = None,
    parts: int = PARTS,
    symmetries: Collection[str] = (),
) -> Exploration | None:
    """Visit every state; None if something is wrong, or if this is no game for a machine. `wasm` as in `machines`.

    parts       how many machines share the states, each in a thread of its own.
    symmetries  by name: of the states that are the same up to these, one is kept. Whoever names them has proved them.
    """
    begun = perf_counter()
    if any(variable.type.is_open for variable in game.variables) or not (wasm is False or wasm_is_installed()):
        return None
    goals = [claim for claim in game.claims if claim.kind == "reachable"] if check else []
    code = compiled(_with_goals(game, goals), ghosts=True)
    words = state_words(code.game, code.layout)
    if not words.is_small:
        return None
    try:
        first = code.start if start is None else code.layout.encode(start)
        if not words.keeps(first):
            return None
        make = machines(code, _checks(code.game, len(goals)) if check else None, wasm=wasm is not False)
        images = Images.of(code, symmetries)
    except (Unprintable, EngineLimit, ValueError):
        return None
    if check and not all(
        code.holds(each.name, first) for each in game.claims if each.kind in ("invariant", "conserved")
    ):
        return None
    each = PartLimits(limits.states, limits.bytes // parts)
    made = [SearchPart(code, make(), first, each, (part, parts), check=check, images=images) for part in range(parts)]
    search = _NativeSearch(made, limits, progress=progress, begun=begun, images=images)
    try:
        reason = search.run()
    except (Stopped, Contradiction, EngineLimit):  # the other search says what is wrong
        return None
    return search.result(game, goals, reason)


def _with_goals(game: Game, goals: Sequence[Claim]) -> Game:
    """Return the game with a claim more for each goal: that it is never reached."""
    never = tuple(Claim(f"never {goal.name}", "invariant", Apply("not", (goal.formula,), BOOL)) for goal in goals)
    return replace(game, claims=(*game.claims, *never))


def _checks(game: Game, goals: int) -> dict[int, tuple[int, ...]]:
    """Return the claims to ask, as `kernels/reach.py` wants them: about steps, about new states, goals."""
    actions, last = len(game.actions), len(game.claims)
    found: dict[int, tuple[int, ...]] = {}
    for action, numbers in affected_claims(game).items():
        steps = tuple(number for number in numbers if number >= last or game.claims[number].kind == "step")
        states = [number for number in numbers if number not in steps]
        found[action] = steps
        found[action + actions] = tuple(number for number in states if number < last - goals)
        found[action + 2 * actions] = tuple(number for number in states if number >= last - goals)
    return found


class _NativeSearch:
    def __init__(
        self,
        parts: Sequence[SearchPart],
        limits: SearchLimits,
        *,
        progress: Callable[[Progress], None] | None,
        begun: float,
        images: Images | None,
    ) -> None:
        self.images = images
        self.parts, self.limits = parts, limits
        self.code, self.first = parts[0].code, parts[0].first
        self.progress, self.begun = progress, begun
        self.levels: list[int] = []

    def run(self) -> str | None:
        """Search level by level; return why the search ended early, or None."""
        for part in self.parts:
            part.begin()
        with ThreadPoolExecutor(len(self.parts)) as threads:
            while True:
                self._each(SearchPart.open_level, threads)
                left = self._left()
                if not left:
                    return None if all(part.take_in() for part in self.parts) else self._no_room()
                self.levels.append(left)
                while left:
                    if not self._turn(threads):
                        return self._no_room()
                    left = self._left()
                    self._tell(left)

    def _left(self) -> int:
        """Return how many states of this level are not expanded."""
        return sum(part.end - part.next for part in self.parts)

    def _each(self, do: Callable[[SearchPart], Any], threads: ThreadPoolExecutor) -> list[Any]:
        """Let every part do something, side by side if it is worth while."""
        small = not self.levels or self.levels[-1] < _FEW
        return [*(map if small else threads.map)(do, self.parts)]

    def _turn(self, threads: ThreadPoolExecutor) -> bool:
        """Let every part expand some states, and carry the letters between them; return whether there is room."""
        most = max(1, min(_AT_ONCE, (self.limits.states - self.count) // len(self.parts)))
        room = all(self._each(lambda part: part.go_on(most), threads))
        for sender in self.parts:
            for part in self.parts:
                if part is not sender:
                    sender.send(part)
        return room and self.count <= self.limits.states

    @property
    def count(self) -> int:
        return sum(part.count for part in self.parts)

    def _no_room(self) -> str:
        if self.count > self.limits.states or any(part.capacity >= self.limits.states for part in self.parts):
            return f"the budget of {self.limits.states:,} states is used up"
        return f"the budget of {self.limits.bytes / 2**20:,.0f} MiB is used up by {self.count:,} states"

    def _tell(self, left: int) -> None:
        if self.progress is not None:
            frontier = self.count - sum(self.levels) + left
            steps = sum(self._steps())
            self.progress(Progress(len(self.levels), self.count, steps, frontier, perf_counter() - self.begun))

    def _steps(self) -> list[int]:
        return [sum(times) for times in zip(*(part.steps() for part in self.parts), strict=True)]

    def result(self, game: Game, goals: Sequence[Claim], reason: str | None) -> Exploration:
        """Return what the search has counted."""
        steps = self._steps()
        met = {goal.name: found for at, goal in enumerate(goals) if (found := self._met(at, len(goals))) is not None}
        return Exploration(
            game=game.name,
            states=self.count,
            transitions=sum(steps),
            depth=len(self.levels),
            finished=sum(part.finished for part in self.parts),
            closed=reason is None,
            reason=reason,
            findings=(),
            witnesses=tuple(self._witness(name, *found) for name, found in met.items()),
            unreached=tuple(goal.name for goal in goals if goal.name not in met),
            actions={action.name: times for action, times in zip(game.actions, steps, strict=True)},
            levels=tuple(self.levels),
            evaluated=(),
            bytes=sum(part.size for part in self.parts),
            seconds=perf_counter() - self.begun,
            stand_for=None if self.images is None else sum(part.stand_for for part in self.parts),
        )

    def _met(self, goal: int, goals: int) -> tuple[SearchPart, int] | None:
        """Return the first state that shows a goal: its part, and its number there; None of the start."""
        claim = len(self.code.game.claims) - goals + goal
        if not self.code.holds(self.code.game.claims[claim].name, self.first):
            return next((part, 0) for part in self.parts if part.count and part.state(0) == self.first)
        found = [(part, number) for part in self.parts if (number := part.noted(claim)) is not None]
        return min(found, key=lambda each: (each[0].level(each[1]), each[0].part), default=None)

    # --------------------------------------------------------------------------------------------------------- plays

    def _witness(self, name: str, part: SearchPart, number: int) -> Witness:
        states = [part.state(number)]
        while states[-1] != self.first:
            at, number = part.parent(number)
            part = self.parts[at]
            states.append(part.state(number))
        moves: list[Coded] = []
        state = states.pop()
        while states:
            coded, state = self._step_to(state, states.pop())
            moves.append(coded)
        book, actions = MoveBook(self.code.game), self.code.game.actions
        play = tuple(PlayStep(str(book.move(coded)), actions[coded[0]].kind) for coded in moves)
        return Witness(name, play, self.code.layout.decode(state))

    def _step_to(self, before: bytes, kept: bytes) -> tuple[Coded, bytes]:
        """Return the first move that leads from a state to one that is kept, or to an image of it, and where it leads."""
        code, stage = self.code, self.code.stage_code(before)
        for number, action in enumerate(code.game.actions):
            if stage in action.stages:
                for args in code.candidates(before, number):
                    if not code.weight(before, number, args):
                        continue
                    after = code.apply_of[number](before, *args)
                    if after == kept or (self.images is not None and self.images.least(after) == kept):
                        return (number, args), after
        raise AssertionError("one of the moves leads there")
