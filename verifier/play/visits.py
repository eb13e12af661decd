"""Visits: what a little random play and a bounded search show, before any solver is asked.

Reads:  a compiled game.   Writes: visited states with the plays that lead to them; what they break and what they reach.
After:  every finding is a play from the start. The same seed gives the same findings on every machine.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from pilgrim_rules.core.contracts import contradicted
from pilgrim_rules.core.footprint import Footprints
from pilgrim_rules.core.ir import Action, Expr
from pilgrim_rules.core.move_text import move_text_in
from pilgrim_rules.engine.python.compile import Compiled
from pilgrim_rules.evidence.dependencies import OTHERWISE
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.errors import STOPS, Contradiction, EngineLimit, RulesGameError
from pilgrim_rules.semantics.evaluate import evaluate
from pilgrim_rules.semantics.moves import MoveBook
from pilgrim_rules.semantics.reference import Args
from pilgrim_rules.walk.policies import ByAction, Option, Weighted
from pilgrim_rules.walk.random_source import RandomSource
from pilgrim_rules.walk.random_walk import random_state, walk
from verifier.claims.obligations import FOLLOWS, INITIALLY, Obligation, changes

Move: TypeAlias = tuple[str, Args]

#: Steps of random play, most steps of one game, and states of which the claims are asked.
STEPS, LONGEST, ASKED = 1200, 400, 400
#: Where a play comes from: a little random play or search, longer play, or somebody has recorded it.
PLAY, LONGER, RECORDED = "play", "longer play", "recorded play"
#: States of the breadth-first search that looks for a short play.
SEARCHED = 3000
#: Steps of longer play that looks for what has not happened yet, and how much an action may be preferred in a game.
MORE_STEPS, WEIGHTS = 300_000, (1, 6, 36)


@dataclass(slots=True)
class Visits:
    """Visited states, each with the step that first led to it."""

    compiled: Compiled
    footprints: Footprints
    came: dict[bytes, tuple[bytes, Move] | None] = field(default_factory=dict)
    used: dict[str, tuple[bytes, Move]] = field(default_factory=dict)  #: the first use of each action
    broken: dict[str, tuple[bytes, Move | None, str]] = field(default_factory=dict)  #: obligation -> where and what
    plays: dict[str, tuple[list[Move], str]] = field(default_factory=dict)  #: obligation -> a play and what, by a hunt
    reached: dict[str, bytes] = field(default_factory=dict)  #: claims of reachability
    shown: dict[str, tuple[list[Move], str]] = field(
        default_factory=dict
    )  #: other plays to actions and claims, and where they come from
    stopped: list[str] = field(default_factory=list)  #: recorded plays that these rules do not allow, and where
    #: Some step was not made to its end: the rules contradict themselves there, or the engine has a limit.
    cut: bool = False

    def play_to(self, state: bytes) -> list[Move]:
        """Return the moves from the start to a visited state."""
        moves: list[Move] = []
        while (step := self.came[state]) is not None:
            state, move = step
            moves.append(move)
        return moves[::-1]

    def witness(self, obligation: Obligation) -> tuple[list[Move], str] | None:
        """Return a play that shows that something can happen or can be reached, and where it comes from; None if none was seen."""
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
                case "law" | "step" | "audit" | "contract":
                    pass
        return good

    def options(self, state: bytes) -> list[Move]:
        """Return everything that can happen now; a dead end and two autos are noted."""
        game, stage = self.compiled.game, self.compiled.stage(state)
        found = [move for action in game.actions if stage.code in action.stages for move in self._legal(state, action)]
        automatic = stage.by is not None and self.compiled.by(state) in game.automata
        if stage.kind != "nobody" and not found:
            kind = "policy_covers" if automatic else "no_dead_end"
            self._note(f"{game.name}.{kind}/{stage.name}", state, None, "nothing can happen here")
        elif stage.always and not automatic and not any(self._holds(test, state) for test in stage.always):
            says = "what is said to be always possible is not"
            self._note(f"{game.name}.no_dead_end/{stage.name}", state, None, says)
        if (automatic or stage.kind == "auto") and len(found) > 1:
            both = " and ".join(f"`{move_text_in(game, move)}`" for move in found[:2])
            self._note(f"{game.name}.one_auto/{stage.name}", state, None, f"{both} can both happen")
        if stage.kind == "player" and self.compiled.by(state) is None:
            self._note(f"{game.name}.one_side/{stage.name}", state, None, "nobody is to decide")
        return found if stage.kind != "nobody" else []

    def _legal(self, state: bytes, action: Action) -> list[Move]:
        """Return the moves of an action, those that chance never makes left out; a value that is missing is noted."""
        try:
            found = [(action.name, args) for args in self.compiled.legal(state, action.name)]
            return [move for move in found if action.kind != "chance" or self._weight(state, move) > 0]
        except Contradiction as problem:
            self._note(f"{self.compiled.game.name}.defined/{action.name}", state, None, problem.breach.says)
            return []

    def _holds(self, test: Expr, state: bytes) -> bool:
        reference = self.compiled.reference
        return bool(evaluate(test, Environment(reference.declared, self.compiled.layout.decode(state), {})))

    def equally_weighted(self, state: bytes) -> list[Option[str]]:
        """Return the same for a random walk, in which outcomes of chance are alike: what is rare is to be seen, too."""
        return [(move, 1) for move in self.options(state)]

    def step(self, state: bytes, move: Move) -> bytes | None:
        """Return the state after a move; None if the rules contradict themselves, which is noted."""
        name, args = move
        self.used.setdefault(name, (state, move))
        try:
            return self.compiled.apply(state, name, args)
        except Contradiction as found:
            broken = contradicted(found.breach.key, name)
            self._note(f"{self.compiled.game.name}.{broken}", state, move, found.breach.says)
        except EngineLimit:
            pass
        self.cut = True
        return None

    def check_step(self, state: bytes, move: Move, after: bytes) -> None:
        """Ask the claims about steps."""
        game = self.compiled.game
        for claim in game.claims:
            if claim.kind == "step" and not self.compiled.holds(claim.name, state, after):
                part = (
                    move[0] if changes(self.footprints.declared.actions[move[0]], claim, self.footprints) else OTHERWISE
                )
                self._note(
                    f"{game.name}.step.{claim.name}/{part}", state, move, f"`{claim.name}` is false of this step"
                )
        for ranking in game.rankings:
            try:
                old, new = self.compiled.ranking(ranking.name, state), self.compiled.ranking(ranking.name, after)
            except Contradiction as problem:
                self._note(f"{game.name}.defined/terminates.{ranking.name}", state, None, problem.breach.says)
                continue
            if not new < old:
                says = f"the ranking goes from {old} to {new}"
                self._note(f"{game.name}.terminates.{ranking.name}/{move[0]}", state, move, says)

    def _weight(self, state: bytes, move: Move) -> int:
        weight = self.compiled.weight(state, *move)
        if weight < 0:
            name = f"{self.compiled.game.name}.weights/{move[0]}"
            self._note(name, state, None, f"`{move_text_in(self.compiled.game, move)}` has the weight {weight}")
        return weight

    def _note(self, name: str, state: bytes, move: Move | None, says: str) -> None:
        self.broken.setdefault(name, (state, move, says))

    def keep_way(self, play: list[Move]) -> None:
        """Keep the play to what was just noted of a state that is not among the visited ones."""
        for name, (state, move, says) in list(self.broken.items()):
            if state not in self.came:
                del self.broken[name]
                self.plays.setdefault(name, (play + ([] if move is None else [move]), says))


def random_play(compiled: Compiled, *, seed: int = 7, steps: int = STEPS) -> Visits:
    """Return what some random games visit. An action that was not seen yet is preferred, so that all are tried soon."""
    visits = Visits(compiled, Footprints.from_game(compiled.game))
    generator = RandomSource(seed)
    policy = ByAction[str](lambda names: [name for name in names if name not in visits.used] or names)

    def step(state: bytes, move: Move) -> bytes | None:
        after = visits.step(state, move)
        if after is None or len(visits.came) >= ASKED:
            return after
        visits.check_step(state, move, after)
        return after if visits.visit(after, (state, move)) else None  # go on from good states only

    left = steps if visits.visit(compiled.start, None) else 0
    while left > 0:
        length = 0
        for length, each in enumerate(
            walk(compiled.start, visits.equally_weighted, step, policy, generator, LONGEST), 1
        ):
            visits.came.setdefault(each.after, (each.before, each.move))
            if length >= left:
                break
        if length == 0 and not visits.options(compiled.start):
            break
        left -= length + 1
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


def visit_all(visits: Visits, limit: int = SEARCHED) -> bool:
    """Visit every state and make every step there is, from bad states on as well; False if there are more than some states.

    After True no play shows anything that has not been noted.
    """
    start = visits.compiled.start
    visits.visit(start, None)
    seen = {start}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        for move in visits.options(state):
            after = visits.step(state, move)
            if after is None:
                continue
            visits.check_step(state, move, after)
            if after not in seen:
                seen.add(after)
                visits.visit(after, (state, move))
                queue.append(after)
        if len(seen) > limit:
            return False
    return True


def first_steps(compiled: Compiled, steps: int, limit: int = SEARCHED) -> Visits | None:
    """Return every state that this many steps can lead to; None if there are too many, or some are beyond a step that is cut."""
    visits = Visits(compiled, Footprints.from_game(compiled.game))
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
    return None if visits.cut else visits


def play_until_seen(visits: Visits, *, seed: int = 11, steps: int = MORE_STEPS) -> None:
    """Play whole games until every action and every claim of reachability has been seen, or for a number of steps.

    In each game every action has a weight of its own, drawn again: so some games are all about roads and others about
    trade, and what needs much of one thing comes about. Only plays that show something new are kept; states are not.
    """
    compiled = visits.compiled
    goals = [claim.name for claim in compiled.game.claims if claim.kind == "reachable"]
    actions = [each.name for each in compiled.game.actions]
    waiting = {*actions, *goals} - {*visits.used, *visits.reached, *visits.shown}
    generator = RandomSource(seed)

    def prefer(names: list[str]) -> list[str]:
        return [name for name in names if name in waiting] or names

    def step(state: bytes, move: Move) -> bytes | None:
        try:
            return compiled.apply(state, *move)
        except STOPS:  # other obligations tell that the rules contradict themselves
            return None

    def options(state: bytes) -> list[Option[str]]:
        found = visits.equally_weighted(state)
        visits.keep_way(play)
        return found

    left = steps
    play: list[Move] = []
    while waiting and left > 0:
        policy = Weighted({name: generator.pick(WEIGHTS) for name in actions}, prefer)
        play.clear()
        for each in walk(compiled.start, options, step, policy, generator, left):
            play.append(each.move)
            reached = {name for name in waiting.intersection(goals) if compiled.holds(name, each.after)}
            found = (waiting & {each.move[0]}) | reached
            for name in found:
                visits.shown[name] = list(play), LONGER
            waiting -= found
            if not waiting:
                break
        if not play:
            return
        left -= len(play) + 1


def replay_recorded(visits: Visits, name: str, moves: Sequence[str]) -> list[Move]:
    """Make the moves of a recorded play again, as far as they are legal, and return them; note what had not been seen."""
    compiled, book = visits.compiled, MoveBook(visits.compiled.game)
    goals = [claim.name for claim in compiled.game.claims if claim.kind == "reachable"]
    state, play = compiled.start, list[Move]()
    for number, text in enumerate(moves, 1):
        try:
            action, args = book.codes(text)
            move = compiled.game.actions[action].name, args
            legal = move in visits.options(state)
            visits.keep_way(play)
            after = compiled.apply(state, *move) if legal else None
        except Contradiction as found:
            broken = f"{compiled.game.name}.{contradicted(found.breach.key, move[0])}"
            visits.plays.setdefault(broken, ([*play, move], found.breach.says))
            break
        except RulesGameError:
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
    generator = RandomSource(seed)
    return (random_state(compiled.layout, generator) for _ in range(count))


def counterexample_for(visits: Visits, obligation: Obligation) -> tuple[list[Move], str] | None:
    """Return the play that breaks an obligation, and what is wrong after it; None if none was seen."""
    if obligation.name in visits.plays:
        return visits.plays[obligation.name]
    found = visits.broken.get(obligation.name)
    if found is None:
        return None
    state, move, says = found
    moves = visits.play_to(state)
    return (moves if move is None else [*moves, move]), says
