"""Tasks: each obligation as a query, with the replay that a counterexample must pass.

Reads:  obligations of a core game.   Writes: a `Task`: what is asserted, which hypotheses may be added, how to replay.
After:  the query is satisfiable if the obligation fails in some state that satisfies the hypotheses; unsatisfiable means
        proved. Labels: `during`, `require:KEY`, `range`, `goal`, and `KIND:NAME` for hypotheses and laws.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import assert_never

from pilgrim_rules.core.ir import Action, Claim, Expr, Game, Given, Ranking, Require, Variable
from verifier import formulas
from verifier.obligations import Obligation
from verifier.replay import Failure, judge_sight, judge_start, judge_state, judge_step
from verifier.smt import picks
from verifier.smt.candidate import Candidate
from verifier.smt.constants import Constants
from verifier.smt.encode import Encoder
from verifier.smt.query import Query
from verifier.smt.states import Computed, Scope, State, Unknown, Veiled
from verifier.smt.steps import Check, Run
from verifier.smt.terms import Term
from verifier.survey import Survey


@dataclass(slots=True, eq=False)
class Hypothesis:
    """A claim that may be assumed, in the scope in which it is."""

    label: str
    formula: Expr
    scope: Scope
    used: bool = False

    @property
    def name(self) -> str:
        """The name of the claim."""
        return self.label.partition(":")[2]


@dataclass(slots=True)
class Task:
    """A query and everything needed to settle it. `replay` returns None if the candidate breaks nothing."""

    encoder: Encoder
    hypotheses: list[Hypothesis]
    start_with: tuple[str, ...]
    replay: Callable[[Candidate], Failure | None]
    looks_at: frozenset[str] = frozenset()

    @property
    def query(self) -> Query:
        """The query so far."""
        return self.encoder.query


@dataclass(frozen=True, slots=True)
class Options:
    """How to encode: which constants are symbolic, whether long tables are asserted at once, values of unknowns."""

    symbolic: frozenset[str] = frozenset()
    eager: bool = False
    written_out: int = 4
    fixed: tuple[tuple[int, int], ...] = ()


def symbolic_constants(game: Game, *, all_rulings: bool) -> frozenset[str]:
    """Return the constants that a proof leaves open: assumed data, and on request the rulings."""
    return frozenset(each.name for each in game.constants if (all_rulings if each.source == "ruling" else each.assumed))


def build(survey: Survey, obligation: Obligation, options: Options) -> Task:
    """Return the query of an obligation."""
    query = Query()
    constants = Constants(survey, query, options.symbolic, options.eager)
    encoder = Encoder(survey, query, constants, written_out=options.written_out, fixed=dict(options.fixed))
    builder = _Builder(survey, encoder, obligation)
    match obligation.kind:
        case "range" | "kept" | "step" | "decreases":
            return builder.step()
        case "initially" | "law":
            return builder.initially()
        case (
            "one_side" | "one_auto" | "no_dead_end" | "weights" | "no_ties" | "can_happen" | "falsifiable" | "reachable"
        ):
            return builder.static()
        case "sight":
            return builder.sight()
        case "example" | "audit":
            raise ValueError(f"`{obligation.name}` is played, not proved")
        case _:
            assert_never(obligation.kind)


@dataclass(slots=True)
class _Builder:
    survey: Survey
    encoder: Encoder
    obligation: Obligation

    @property
    def game(self) -> Game:
        return self.survey.game

    # --------------------------------------------------------------------------------------------------- one state

    def static(self) -> Task:
        """Ask for a state that satisfies the hypotheses and breaks the formula."""
        state = self._unknown()
        formula = formulas.static(self.game, self.obligation)
        self._deny(formula, Scope({}, state))
        known = [] if self.obligation.kind == "falsifiable" else self._invariants(Scope({}, state))

        def replay(candidate: Candidate) -> Failure | None:
            return judge_state(candidate.world, self.obligation, candidate.position(state))

        return self._task(known, (), replay, formula)

    def initially(self) -> Task:
        """Ask for symbolic data with which the claim is false of the initial state."""
        claim = self._claim()
        state = State.fresh(self.encoder.query, Computed(self._initial_cell), self.survey.world.variables)
        self._deny(claim.formula, Scope({}, state))

        def replay(candidate: Candidate) -> Failure | None:
            return judge_start(candidate.world, self.obligation)

        return self._task([], (), replay, claim.formula)

    def _initial_cell(self, declared: Variable, index: tuple[Term, ...]) -> Term:
        nowhere = State.fresh(self.encoder.query, Computed(self._initial_cell), {})
        scope = Scope(dict(zip(declared.over, index, strict=True)), nowhere)
        value = self.encoder.value(declared.initial, scope)
        arena = self.encoder.arena
        return arena.as_bool(value) if declared.type.kind == "bool" else arena.as_int(value)

    # -------------------------------------------------------------------------------------------------- one action

    def step(self) -> Task:
        """Ask for a state that satisfies the hypotheses, and an action from there that breaks the goal."""
        action = self._action()
        before = self._unknown()
        scope, run, after = self._execute(action, before)
        kind = self.obligation.kind
        formula: Expr | None = None
        start_with: tuple[str, ...] = ()
        if kind == "range":
            arena = self.encoder.arena
            self.encoder.query.add(arena.disj(*(arena.neg(check.holds(-1)) for check in run.checks)), "goal")
        else:
            self._assume_range(run.checks)
        if kind == "decreases":
            self._deny_decrease(self._ranking(), before, after)
        elif kind in ("kept", "step"):
            claim = self._claim()
            formula = claim.formula
            start_with = (*([f"{claim.kind}:{claim.name}"] if kind == "kept" else []), *self._labels(claim.using))
            self._deny(formula, Scope({}, after) if kind == "kept" else Scope({}, before, next=after))

        def replay(candidate: Candidate) -> Failure | None:
            args = tuple(candidate.value(self._meaning(scope, param.name)) for param in action.params)
            return judge_step(candidate.world, self.obligation, candidate.position(before), (action.name, args))

        return self._task(self._invariants(Scope({}, before)), start_with, replay, formula)

    def _execute(self, action: Action, before: State) -> tuple[Scope, Run, State]:
        """Assert that the action happens; return its scope, the run and the state after it."""
        encoder, query, arena = self.encoder, self.encoder.query, self.encoder.arena
        scope = Scope({param.name: encoder.unknown(param.name, param.type) for param in action.params}, before)
        query.add(encoder.truth(formulas.in_its_stages(self.game, action), scope, 1), "during")
        for line in action.guard:
            match line:
                case Require(test=test, key=key):
                    query.add(encoder.truth(test, scope, 1), f"require:{key}")
                case Given(name=name, value=value):
                    scope = scope.bind({name: encoder.meaning(value, scope)})
        if action.weight is not None:
            query.add(arena.lt(arena.num(0), encoder.code(action.weight, scope)), "weight")
        run = Run(encoder)
        after = run.block(action.body, replace(scope, old=before), arena.truth(True))
        return scope, run, after

    def _assume_range(self, checks: list[Check]) -> None:
        query = self.encoder.query
        with query.later(1):
            for check in checks:
                query.add(check.holds(1), "range")

    def _deny_decrease(self, ranking: Ranking, before: State, after: State) -> None:
        encoder = self.encoder
        old = [encoder.code(part, Scope({}, before)) for part in ranking.parts]
        new = [encoder.code(part, Scope({}, after)) for part in ranking.parts]
        encoder.query.add(encoder.arena.neg(picks.smaller(encoder.arena, new, old)), "goal")

    # ------------------------------------------------------------------------------------------------- two copies

    def sight(self) -> Task:
        """Ask for two states that look alike to the player to decide, the action being legal in one of them only."""
        encoder, query, arena = self.encoder, self.encoder.query, self.encoder.arena
        action = self._action()
        here = self._unknown()
        player = encoder.unknown("player", self.game.player)

        def seen(variable: Variable, index: tuple[Term, ...]) -> Term:
            if variable.sight == "open":
                return arena.truth(True)
            mine = arena.eq(index[0], player) if variable.sight == "private" else arena.truth(False)
            if variable.until is None:
                return mine
            names = dict(zip(variable.over, index, strict=True))
            return arena.disj(mine, encoder.truth(variable.until, Scope(names, here), 0))

        veiled = Veiled(here, Unknown(query, "'"), seen)
        there = State.fresh(query, veiled, self.survey.world.variables)
        params = {param.name: encoder.unknown(param.name, param.type) for param in action.params}
        legal = formulas.guarded(action, formulas.TRUE, assumed=False)
        query.add(encoder.truth(formulas.in_its_stages(self.game, action), Scope({}, here), 1), "during")
        for stage in (self.survey.world.stages[code] for code in action.stages):
            for state in (here, there):
                if stage.by is not None:
                    decides = arena.eq(encoder.code(stage.by, Scope({}, state)), player)
                    inside = encoder.truth(formulas.stage_is(self.game, stage.code), Scope({}, here), 0)
                    query.add(arena.implies(inside, decides), "by")
        query.add(encoder.truth(legal, Scope(dict(params), here), 1), "goal")
        query.add(arena.neg(encoder.truth(legal, Scope(dict(params), there), -1)), "goal")

        def replay(candidate: Candidate) -> Failure | None:
            args = tuple(candidate.value(params[param.name]) for param in action.params)
            states = candidate.position(here), candidate.position(there)
            return judge_sight(candidate.world, (action.name, args), *states)

        known = [*self._invariants(Scope({}, here)), *self._invariants(Scope({}, there))]
        return self._task(known, (), replay, legal)

    # --------------------------------------------------------------------------------------------------- shared parts

    def _task(
        self,
        known: list[Hypothesis],
        start_with: tuple[str, ...],
        replay: Callable[[Candidate], Failure | None],
        formula: Expr | None,
    ) -> Task:
        looks_at = frozenset() if formula is None else self.survey.footprint(formula).variables
        laws = [
            Hypothesis(f"law:{claim.name}", claim.formula, Scope({}, self._nowhere()))
            for claim in self.game.claims
            if claim.kind == "law" and self.obligation.subject != claim.name
        ]
        return Task(self.encoder, [*known, *laws], start_with, replay, looks_at)

    def _invariants(self, scope: Scope) -> list[Hypothesis]:
        return [
            Hypothesis(f"{claim.kind}:{claim.name}", claim.formula, scope)
            for claim in self.game.claims
            if claim.kind in ("invariant", "conserved")
        ]

    def _labels(self, names: tuple[str, ...]) -> tuple[str, ...]:
        kinds = {claim.name: claim.kind for claim in self.game.claims}
        return tuple(f"{kinds[name]}:{name}" for name in names)

    def _unknown(self, copy: str = "") -> State:
        query = self.encoder.query
        return State.fresh(query, Unknown(query, copy), self.survey.world.variables)

    def _nowhere(self) -> State:
        """Return the state in which laws are read; they look at none."""
        return State.fresh(self.encoder.query, Unknown(self.encoder.query), {})

    def _deny(self, formula: Expr, scope: Scope) -> None:
        encoder = self.encoder
        encoder.query.add(encoder.arena.neg(encoder.truth(formula, scope, -1)), "goal")

    def _action(self) -> Action:
        return self.survey.world.actions[str(self.obligation.action)]

    def _claim(self) -> Claim:
        return self.survey.world.claims[str(self.obligation.subject)]

    def _ranking(self) -> Ranking:
        return next(each for each in self.game.rankings if each.name == self.obligation.subject)

    def _meaning(self, scope: Scope, name: str) -> Term:
        meaning = scope.names[name]
        assert isinstance(meaning, Term), "a parameter stands for a term"
        return meaning
