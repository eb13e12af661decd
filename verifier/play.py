"""Play: what a little random play and a bounded search show, before any solver is asked.

Reads:  a compiled game.   Writes: visited states with the plays that lead to them; what they break and what they reach.
After:  every finding is a play from the start. The same seed gives the same findings on every machine.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from pilgrim_rules.core.ir import Action, Game
from pilgrim_rules.core.values import show
from pilgrim_rules.engine.chance import below, choose, seeded
from pilgrim_rules.engine.compile import Compiled
from pilgrim_rules.engine.errors import Contradiction, RulesGameError
from pilgrim_rules.engine.moves import MoveBook
from pilgrim_rules.engine.reference import Args
from verifier.obligations import FOLLOWS, INITIALLY, OTHERWISE, Obligation, changes
from verifier.survey import Survey

Move: TypeAlias = tuple[str, Args]

#: Steps of random play, in games of at most so many steps; claims are asked of so many states.
STEPS, LONGEST, ASKED = 1200, 400, 400
#: Whence a play is: a little random play or search, longer play, or somebody has recorded it.
PLAY, LONGER, RECORDED = "play", "longer play", "recorded play"
#: States of the breadth-first search that looks for a short play.
SEARCHED = 3000
#: Steps of longer play that looks for what has not happened yet, and how much an action may be preferred in a game.
MORE_STEPS, WEIGHTS = 300_000, (1, 6, 36)


@dataclass(slots=True)
class Visits:
    """Visited states, each with the step that first led to it."""

    compiled: Compiled
    survey: Survey
    came: dict[bytes, tuple[bytes, Move] | None] = field(default_factory=dict)
    used: dict[str, tuple[bytes, Move]] = field(default_factory=dict)  #: the first use of each action
    broken: dict[str, tuple[bytes, Move | None, str]] = field(default_factory=dict)  #: obligation -> where and what
    reached: dict[str, bytes] = field(default_factory=dict)  #: claims of reachability
    shown: dict[str, tuple[list[Move], str]] = field(
        default_factory=dict
    )  #: other plays to actions and claims, and whence
    stopped: list[str] = field(default_factory=list)  #: recorded plays that these rules do not allow, and where

    def play_to(self, state: bytes) -> list[Move]:
        """Return the moves from the start to a visited state."""
        moves: list[Move] = []
        while (step := self.came[state]) is not None:
            state, move = step
            moves.append(move)
        return moves[::-1]

    def witness(self, obligation: Obligation) -> tuple[list[Move], str] | None:
        """Return a play that shows that something can happen or can be reached, and whence; None if none was seen."""
        if obligation.kind == "reachable":
            wanted = str(obligation.subject)
            if wanted in self.reached:
                return self.play_to(self.reached[wanted]), PLAY
        else:
            wanted = str(obligation.action)
            if wanted in self.used:
                state, move = self.used[wanted]
                return [*self.play_to(state), move], PLAY
        return self.shown.get(wanted)

    # ------------------------------------------------------------------------------------------------------- looking

    def visit(self, state: bytes, step: tuple[bytes, Move] | None) -> bool:
        """Note a state and ask the claims about it; False if it breaks one of them."""
        self.came.setdefault(state, step)
        game = self.compiled.game
        good = True
        for claim in game.claims:
            match claim.kind:
                case "invariant" | "conserved":
                    if not self.compiled.holds(claim.name, state):
                        good = False
                        before, move = (state, None) if step is None or claim.follows else step
                        part = FOLLOWS if claim.follows else INITIALLY if move is None else move[0]
                        name = f"{game.name}.{claim.kind}.{claim.name}/{part}"
                        self._note(name, before, move, f"`{claim.name}` is false afterwards")
                case "reachable":
                    if claim.name not in self.reached and self.compiled.holds(claim.name, state):
                        self.reached[claim.name] = state
                case "law" | "step" | "audit":
                    pass
        return good

    def options(self, state: bytes) -> list[Move]:
        """Return everything that can happen now; a dead end and two autos are noted."""
        game, stage = self.compiled.game, self.compiled.stage(state)
        found = [
            (action.name, args)
            for action in game.actions
            if stage.code in action.stages
            for args in self.compiled.legal(state, action.name)
        ]
        if stage.kind == "chance":
            found = [move for move in found if self._weight(state, move) > 0]
        if stage.kind != "nobody" and not found:
            self._note(f"{game.name}.no_dead_end/{stage.name}", state, None, "nothing can happen here")
        if stage.kind == "auto" and len(found) > 1:
            both = " and ".join(f"`{spell(game, move)}`" for move in found[:2])
            self._note(f"{game.name}.one_auto/{stage.name}", state, None, f"{both} can both happen")
        if stage.kind == "player" and self.compiled.by(state) is None:
            self._note(f"{game.name}.one_side/{stage.name}", state, None, "nobody is to decide")
        return found if stage.kind != "nobody" else []

    def step(self, state: bytes, move: Move) -> bytes | None:
        """Return the state after a move; None if the rules contradict themselves, which is noted."""
        name, args = move
        self.used.setdefault(name, (state, move))
        try:
            after = self.compiled.apply(state, name, args)
        except Contradiction as found:
            self._note(f"{self.compiled.game.name}.range/{name}", state, move, found.breach.says)
            return None
        return after

    def check_step(self, state: bytes, move: Move, after: bytes) -> None:
        """Ask the claims about steps."""
        game = self.compiled.game
        for claim in game.claims:
            if claim.kind == "step" and not self.compiled.holds(claim.name, state, after):
                part = move[0] if changes(self.survey.world.actions[move[0]], claim, self.survey) else OTHERWISE
                self._note(
                    f"{game.name}.step.{claim.name}/{part}", state, move, f"`{claim.name}` is false of this step"
                )
        for ranking in game.rankings:
            old, new = self.compiled.ranking(ranking.name, state), self.compiled.ranking(ranking.name, after)
            if not new < old:
                says = f"the ranking goes from {old} to {new}"
                self._note(f"{game.name}.terminates.{ranking.name}/{move[0]}", state, move, says)

    def _weight(self, state: bytes, move: Move) -> int:
        weight = self.compiled.weight(state, *move)
        if weight < 0:
            name = f"{self.compiled.game.name}.weights/{move[0]}"
            self._note(name, state, None, f"`{spell(self.compiled.game, move)}` has the weight {weight}")
        return weight

    def _note(self, name: str, state: bytes, move: Move | None, says: str) -> None:
        self.broken.setdefault(name, (state, move, says))


def random_play(compiled: Compiled, *, seed: int = 7, steps: int = STEPS) -> Visits:
    """Return what some random games visit. An action that was not seen yet is preferred, so that all are tried soon."""
    visits = Visits(compiled, Survey.of(compiled.game))
    generator = seeded(seed)
    sound = visits.visit(compiled.start, None)
    state, length = compiled.start, 0
    for _ in range(steps if sound else 0):
        moves = visits.options(state) if length < LONGEST else []
        after: bytes | None = None
        if moves:
            names = list(dict.fromkeys(name for name, _ in moves))
            names = [name for name in names if name not in visits.used] or names
            chosen, generator = below(generator, len(names))
            moves = [move for move in moves if move[0] == names[chosen]]
            chosen, generator = below(generator, len(moves))
            after = visits.step(state, moves[chosen])
        elif length == 0:
            break
        if after is not None and len(visits.came) < ASKED:
            visits.check_step(state, moves[chosen], after)
            after = after if visits.visit(after, (state, moves[chosen])) else None  # go on from good states only
        elif after is not None:
            visits.came.setdefault(after, (state, moves[chosen]))
        state, length = (compiled.start, 0) if after is None else (after, length + 1)
    return visits


def search(visits: Visits, limit: int = SEARCHED) -> None:
    """Visit states breadth first, from the start, up to a number of them."""
    start = visits.compiled.start
    seen = {start}
    queue = deque([start])
    while queue and len(seen) < limit:
        state = queue.popleft()
        for move in visits.options(state):
            after = visits.step(state, move)
            if after is not None and after not in seen:
                seen.add(after)
                visits.check_step(state, move, after)
                if visits.visit(after, (state, move)):
                    queue.append(after)


def first_steps(compiled: Compiled, steps: int, limit: int = SEARCHED) -> Visits | None:
    """Return every state that so many steps can lead to; None if there are too many."""
    visits = Visits(compiled, Survey.of(compiled.game))
    visits.visit(compiled.start, None)
    frontier = [compiled.start]
    for _ in range(steps):
        found: dict[bytes, None] = {}
        for state in frontier:
            for move in visits.options(state):
                after = visits.step(state, move)
                if after is not None:
                    visits.check_step(state, move, after)
                    if after not in visits.came:
                        visits.visit(after, (state, move))
                        found[after] = None
            if len(visits.came) > limit:
                return None
        frontier = list(found)
    return visits


def play_on(visits: Visits, *, seed: int = 11, steps: int = MORE_STEPS) -> None:
    """Play whole games until every action and every claim of reachability has been seen, or for a number of steps.

    In each game every action has a weight of its own, drawn anew: so some games are all about roads and others about
    trade, and what needs much of one thing comes about. Only plays that show something new are kept; states are not.
    """
    compiled = visits.compiled
    goals = [claim.name for claim in compiled.game.claims if claim.kind == "reachable"]
    waiting = {each.name for each in compiled.game.actions} | set(goals)
    waiting -= {*visits.used, *visits.reached, *visits.shown}
    generator = seeded(seed)
    state = compiled.start
    play: list[Move] = []
    weights: dict[str, int] = {}
    for _ in range(steps):
        moves = visits.options(state) if waiting else []
        if not moves:
            if not play:
                return
            state, play, weights = compiled.start, [], {}
            continue
        names = list(dict.fromkeys(name for name, _ in moves))
        for name in names:
            if name not in weights:
                chosen, generator = below(generator, len(WEIGHTS))
                weights[name] = WEIGHTS[chosen]
        names = [name for name in names if name in waiting] or names
        chosen, generator = choose(generator, [weights[name] for name in names])
        moves = [move for move in moves if move[0] == names[chosen]]
        chosen, generator = below(generator, len(moves))
        move = moves[chosen]
        try:
            state = compiled.apply(state, *move)
        except Contradiction:
            state, play, weights = compiled.start, [], {}  # other obligations tell that the rules contradict themselves
            continue
        play.append(move)
        found = waiting & {move[0]} | {name for name in waiting.intersection(goals) if compiled.holds(name, state)}
        for name in found:
            visits.shown[name] = list(play), LONGER
        waiting -= found


def play_again(visits: Visits, name: str, moves: Sequence[str]) -> list[Move]:
    """Make the moves of a recorded play again, as far as they are legal, and return them; note what had not been seen."""
    compiled, book = visits.compiled, MoveBook(visits.compiled.game)
    goals = [claim.name for claim in compiled.game.claims if claim.kind == "reachable"]
    state, play = compiled.start, list[Move]()
    for number, text in enumerate(moves, 1):
        try:
            action, args = book.codes(text)
            move = compiled.game.actions[action].name, args
            after = compiled.apply(state, *move) if move in visits.options(state) else None
        except (RulesGameError, Contradiction):
            after = None
        if after is None:
            visits.stopped.append(f"the recorded play `{name}` stops at move {number}: `{text}` is not legal there")
            break
        state = after
        play.append(move)
        fresh = [goal for goal in goals if goal not in visits.reached and compiled.holds(goal, state)]
        for each in (move[0], *fresh):
            if each not in visits.used and each not in visits.shown:
                visits.shown[each] = list(play), RECORDED
    return play


def good_states(visits: Visits, count: int = 12) -> list[dict[str, list[int]]]:
    """Return some visited states, one for each stage first: candidates are completed from them."""
    compiled = visits.compiled
    chosen: dict[bytes, None] = {}
    stages: set[int] = set()
    for state in visits.came:
        code = compiled.stage(state).code
        if code not in stages:
            stages.add(code)
            chosen[state] = None
    every = list(visits.came)
    for at in range(0, len(every), max(1, len(every) // count)):
        chosen[every[at]] = None
    return [compiled.layout.decode(state) for state in chosen]


def random_states(compiled: Compiled, count: int, seed: int = 7) -> Iterator[bytes]:
    """Yield well-typed states, reachable or not."""
    generator = seeded(seed)
    for _ in range(count):
        codes: list[int] = []
        for each in compiled.layout.fields:
            type_ = each.variable.type
            for _ in range(each.count):
                chosen, generator = below(generator, type_.size)
                codes.append(type_.lo + chosen)
        yield compiled.layout.encode_flat(codes)


def spell(game: Game, move: Move) -> str:
    """Return a move as people write it."""
    name, args = move
    action = next(each for each in game.actions if each.name == name)
    return spell_action(action, args)


def spell_action(action: Action, args: Args) -> str:
    """Return an action with its arguments as people write them."""
    shown = ", ".join(show(param.type, code) for param, code in zip(action.params, args, strict=True))
    return f"{action.name}({shown})" if shown else action.name


def shows(visits: Visits, obligation: Obligation) -> tuple[list[Move], str] | None:
    """Return the play that breaks an obligation, and what is wrong after it; None if none was seen."""
    found = visits.broken.get(obligation.name)
    if found is None:
        return None
    state, move, says = found
    moves = visits.play_to(state)
    return (moves if move is None else [*moves, move]), says
