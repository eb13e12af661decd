"""GameUnderTest: a game under test, with what the tests need at hand.

Reads:  a core game.   Writes: `GameUnderTest`.
After:  its states are the engine's bytes, ghosts included; what may happen in one is asked in one place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from pilgrim_rules.api.game import Game, State
from pilgrim_rules.core import ir
from pilgrim_rules.core.contracts import contradicted
from pilgrim_rules.core.footprint import Footprints, reads, writes
from pilgrim_rules.engine.autoplay import Runner
from pilgrim_rules.engine.python.compile import Compiled, compiled
from pilgrim_rules.language.load_arguments import LoadArguments
from pilgrim_rules.semantics.errors import Contradiction, RulesGameError
from pilgrim_rules.semantics.moves import Coded
from pilgrim_rules.semantics.reference import Reference
from verifier.claims.implication_premises import triggers

Play: TypeAlias = tuple[Coded, ...]  #: every step from the start, chance and autos included


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that must not be: the name of what is broken, as the obligations call it, and what is wrong."""

    name: str
    says: str


class ProblemFound(Exception):
    """Raised where a problem shows."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(f"{problem.name}: {problem.says}")


class GameUnderTest:
    """A game under test.

    core        its rules.                     game       the game as people import it, with its ghosts.
    code        its compiled functions.        runner     what plays it.
    reference   the same game, played by the evaluator.
    of_states   the claims that hold in every state, each with the name that reports use.
    touched     by number of the action, those of them that it can change: they read something that it writes.
    """

    def __init__(self, core: ir.Game, instance: LoadArguments | None = None) -> None:
        """Compile the game; `instance` says how it can be loaded again, and saved plays carry it."""
        self.core = core
        self.game = Game(core, ghosts=True, instance=instance)
        self.code: Compiled = self.game.code
        self.runner: Runner = self.game.runner
        self.reference: Reference = self.code.reference
        asked = [claim for claim in core.claims if claim.kind in ("invariant", "conserved", "audit")]
        self.of_states = tuple((claim.name, f"{core.name}.{claim.kind}.{claim.name}") for claim in asked)
        defs = {each.name: each for each in core.defs}
        networks = {each.name: each for each in core.networks}
        looks_at = {claim.name: reads((claim.formula,), defs, networks) for claim in asked}
        self.touched = tuple(
            tuple(each for each in self.of_states if looks_at[each[0]] & writes(action.body)) for action in core.actions
        )
        self.of_steps = tuple(claim.name for claim in core.claims if claim.kind == "step")

    @cached_property
    def premises(self) -> tuple[tuple[str, ...], ...]:
        """By number of the action, the names (`claim/number`) of what implications of claims presuppose and it can change."""
        presupposed = () if self._probe is None else self._probe.game.claims
        defs = {each.name: each for each in self.core.defs}
        networks = {each.name: each for each in self.core.networks}
        reading = {claim.name: reads((claim.formula,), defs, networks) for claim in presupposed}
        return tuple(
            tuple(name for name, names in reading.items() if names & writes(action.body))
            for action in self.core.actions
        )

    @cached_property
    def _probe(self) -> Compiled | None:
        """What is asked whether something presupposed has come about; only games that are looked at thoroughly ask."""
        return _premises(self.core)

    def applies(self, premise: str, state: bytes) -> bool:
        """Return whether what a claim presupposes has come about in a state; not if it cannot be asked there."""
        try:
            return self._probe is not None and self._probe.holds(premise, state)
        except (RulesGameError, IndexError, ZeroDivisionError):
            return False

    def state(self, data: bytes) -> State:
        """Return a state as people see it."""
        return State(self.game, data)

    def move(self, coded: Coded) -> str:
        """Return a move as people write it."""
        return str(self.runner.book.move(coded))

    def options(self, state: bytes) -> list[tuple[Coded, int]]:
        """Return everything that can happen now, with its weight (1 where chance does not decide).

        `Broken` if nothing can happen though the game is not over, if two things happen by themselves, or if nobody
        is to decide.
        """
        row = self.runner.row(state)
        name, stage = self.core.name, row.stage.name
        match row.kind:
            case "nobody":
                return []
            case "chance":
                try:
                    return list(self.runner.chance_outcomes(state))
                except Contradiction as nothing:
                    raise ProblemFound(Problem(f"{name}.no_dead_end/{stage}", nothing.breach.says)) from None
            case "player" | "auto":
                found = [coded for number in row.actions for coded in self._candidates(state, number)]
        if not found:
            kind = "policy_covers" if row.kind != row.stage.kind else "no_dead_end"
            raise ProblemFound(Problem(f"{name}.{kind}/{stage}", f"nothing can happen in `{stage}`"))
        if row.kind == "auto" and len(found) > 1:
            both = " and ".join(f"`{self.move(coded)}`" for coded in found[:2])
            raise ProblemFound(Problem(f"{name}.one_auto/{stage}", f"{both} can both happen"))
        if row.kind == "player" and self.code.by(state) is None:
            raise ProblemFound(Problem(f"{name}.one_side/{stage}", f"nobody is to decide in `{stage}`"))
        return [(coded, 1) for coded in found]

    def _candidates(self, state: bytes, number: int) -> list[Coded]:
        try:
            return [(number, args) for args in self.code.candidates(state, number)]
        except Contradiction as found:
            action = self.core.actions[number].name
            raise ProblemFound(Problem(f"{self.core.name}.defined/{action}", found.breach.says)) from None

    def make(self, state: bytes, coded: Coded) -> bytes:
        """Return the state after a legal move; `Broken` if the rules contradict themselves."""
        number, args = coded
        try:
            return self.code.apply_of[number](state, *args)
        except Contradiction as found:
            action = self.core.actions[number].name
            name = f"{self.core.name}.{contradicted(found.breach.key, action)}"
            raise ProblemFound(Problem(name, found.breach.says)) from None


def _premises(core: ir.Game) -> Compiled | None:
    """Return a game whose claims are what the claims of another presuppose; None if they presuppose nothing."""
    footprints = Footprints.from_game(core)
    claims = tuple(
        ir.Claim(f"{claim.name}/{number}", "reachable", premise)
        for claim in core.claims
        if claim.kind in ("invariant", "conserved", "audit")
        for number, premise in enumerate(triggers(claim.formula, footprints), 1)
    )
    bare = replace(core, claims=claims, actions=(), rankings=(), examples=(), score=None)
    return compiled(bare, ghosts=True) if claims else None
