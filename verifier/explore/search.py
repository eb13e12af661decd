"""Search: all reachable states of a core game, breadth first.

Reads:  a core game.   Writes: an `Exploration`.
After:  if it is `closed`, its counts are exact and every state and step has been checked; plays shown are shortest.

Actions, chance and autos are steps like any other. What is checked besides the claims: no value leaves its range, no
state is a dead end before the game is over, somebody decides in every player's stage, no two autos are enabled at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Executor
from dataclasses import replace
from time import perf_counter

import numpy as np

from pilgrim_rules.core.contracts import with_promises
from pilgrim_rules.core.ghosts import without_ghosts
from pilgrim_rules.core.ir import Game
from pilgrim_rules.semantics.observation import has_secrets
from pilgrim_rules.semantics.state_layout import Position
from verifier.explore import level
from verifier.explore.alike import told_apart
from verifier.explore.batch import Log
from verifier.explore.level import FEW, Helpers, SharedSearch
from verifier.explore.native_search import PARTS, SearchLimits, native_search
from verifier.explore.search_program import SearchProgram, generate
from verifier.explore.search_result import Exploration, Progress
from verifier.explore.state_set import Budget, OutOfBudget, States


def explore(
    game: Game,
    *,
    max_states: int = 50_000_000,
    max_bytes: int = 2 << 30,
    check: bool = True,
    audits: bool = False,
    ghosts: bool = True,
    stop_at_finding: bool = False,
    start: Position | None = None,
    caps: Mapping[str, int] | None = None,
    native: bool = True,
    parts: int = PARTS,
    executor: Executor | None = None,
    secrecy: int = 0,
    symmetries: Collection[str] = (),
    progress: Callable[[Progress], None] | None = None,
) -> Exploration:
    """Visit every reachable state of the game, as far as the budget goes.

    check             ask the claims of every state and step; contradictions and dead ends are always found.
    audits            ask the audits too, once for each combination of what they look at.
    ghosts            with ghosts as part of the state; without them, claims that read one are not asked.
    stop_at_finding   stop after the first level in which something is wrong.
    start             from this position instead of the start: what is found holds for what can follow it.
    caps              how far counters without upper end are followed, by name; `NeedsCap` if one is missing.
    native            on a machine, if it can be done there and nothing is wrong; otherwise vectorised.
    parts             how many threads share the states of a native search; the plays shown may depend on it, not their length.
    secrecy           compare all states that look alike to a player, if the search closes with at most this many.
    symmetries        by name, proved by whoever names them: of states that are the same up to these, a native search keeps one.
    executor          somebody else's processes, such as a cluster's, `parts` of them: they step the states, vectorised, which are kept here.
    """
    started = perf_counter()
    played = with_promises(game) if ghosts else without_ghosts(game)
    asks_audits = check and audits and any(claim.kind == "audit" for claim in game.claims)
    if any(claim.kind == "contract" for claim in game.claims):
        symmetries = ()  # a contract names the arguments of moves, which no proof of a symmetry looks at
    if native and executor is None and not asks_audits:
        limits = SearchLimits(min(max_states, 2**31 - 2), max_bytes)
        found = native_search(
            played, limits, check=check, start=start, progress=progress, parts=parts, symmetries=symmetries
        )
        if found is not None:
            return _compared(found, played, start, secrecy)
    shared = SharedSearch(played, check, audits, start, caps)
    helpers = None if executor is None else Helpers(executor, parts, shared)
    budget = Budget(min(max_states, 2**31 - 2), max_bytes)
    search = _Search(shared.program(), budget, started, progress, helpers)
    reason = search.run(stop_at_finding=stop_at_finding)
    return _with_leaks(search.result(reason), search, secrecy)


def _compared(found: Exploration, game: Game, start: Position | None, secrecy: int) -> Exploration:
    """Return what a native search has found, with what comparing its states tells; they are visited again for that."""
    if not (found.closed and found.states <= secrecy and has_secrets(game)):
        return found
    again = _Search(generate(game, check=False, start=start), Budget(found.states, 2 << 30), perf_counter())
    again.run(stop_at_finding=False)
    return _with_leaks(found, again, secrecy)


def _with_leaks(found: Exploration, search: _Search, secrecy: int) -> Exploration:
    if not (found.closed and found.states <= secrecy and has_secrets(search.program.game)):
        return found
    leaks = told_apart(search.program, search.states)
    return replace(found, findings=(*found.findings, *leaks), compared=True)


def visited(game: Game, *, max_states: int, max_bytes: int = 2 << 30) -> tuple[SearchProgram, States] | None:
    """Return every reachable state of the game, with the program that found them; None if there are too many."""
    if any(variable.type.is_open for variable in game.variables):
        return None
    program = generate(game, check=False)
    search = _Search(program, Budget(max_states, max_bytes), perf_counter())
    return None if search.run(stop_at_finding=False) else (program, search.states)


class _Search:
    def __init__(
        self,
        program: SearchProgram,
        budget: Budget,
        started: float,
        progress: Callable[[Progress], None] | None = None,
        helpers: Helpers | None = None,
    ) -> None:
        self.program = program
        self.states = States(program.packing.words, program.packing.bits, budget)
        self.log = Log(program, self.states)
        self.helpers = helpers
        self.levels: list[int] = []
        self.started = started
        self.progress = progress

    def run(self, *, stop_at_finding: bool) -> str | None:
        """Search level by level; return why the search ended early, or None."""
        self.states.add(np.array([self.program.start], dtype=np.int64).T)
        first, end = 0, 1
        try:
            while first < end:
                self.levels.append(end - first)
                if self.helpers is not None and end - first > FEW:
                    self.helpers.step(self.states, self.log, first, end)
                else:
                    level.check(self.program, self.states, self.log, first, end)
                    if stop_at_finding and self.log.found_something:
                        return "something is wrong already"
                    level.step_here(self.program, self.states, self.log, first, end)
                first, end = end, self.states.count
                self._report_progress(end - first)
        except OutOfBudget as out:
            return str(out)
        if self.log.beyond:
            tops = {name: cells.variable.type.hi for name, cells in self.program.packing.cells.items()}
            said = [f"{times:,} beyond `{name}` = {tops[name]:,}" for name, times in sorted(self.log.beyond.items())]
            return f"steps were not followed: {', '.join(said)}"
        return None

    def result(self, reason: str | None) -> Exploration:
        """Return everything found."""
        witnesses = self.log.witnesses()
        reached = {each.name for each in witnesses}
        return Exploration(
            game=self.program.game.name,
            states=self.states.count,
            transitions=self.log.actions.total(),
            depth=len(self.levels),
            finished=self.log.finished,
            closed=reason is None,
            reason=reason,
            findings=self.log.findings(),
            witnesses=witnesses,
            unreached=tuple(name for name, _ in self.program.goals if name not in reached),
            actions=dict(self.log.actions),
            levels=tuple(self.levels),
            evaluated=self.program.by_evaluator,
            bytes=self.states.bytes,
            seconds=perf_counter() - self.started,
            audited=any(check.kind == "audit" for check in self.program.of_states),
        )

    def _report_progress(self, frontier: int) -> None:
        if self.progress is not None:
            seconds = perf_counter() - self.started
            self.progress(Progress(len(self.levels), self.states.count, self.log.actions.total(), frontier, seconds))
