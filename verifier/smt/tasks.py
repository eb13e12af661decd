"""Tasks: each obligation as a query, with the replay that a counterexample must pass.

Reads:  obligations of a core game.   Writes: a `Task`: what is asserted, which hypotheses may be added, how to replay.
After:  the query is satisfiable if the obligation fails in some state that satisfies the hypotheses; unsatisfiable means
        proved. Labels: `during`, `require:KEY`, `range`, `goal`, and `KIND:NAME` for hypotheses and laws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Self, assert_never

from pilgrim_rules.core.ir import (
    BOOL,
    Action,
    Apply,
    Claim,
    Expr,
    Game,
    Given,
    Ranking,
    Require,
    Stmt,
    Variable,
)
from verifier import formulas
from verifier.obligations import Obligation
from verifier.replay import Failure, judge_sight, judge_start, judge_state, judge_step, judge_unchanged
from verifier.slices import sliced
from verifier.smt import picks
from verifier.smt.candidate import Candidate
from verifier.smt.constants import Constants
from verifier.smt.encode import Encoder
from verifier.smt.options import Options
from verifier.smt.query import Query
from verifier.smt.relevance import Hypothesis, Relevance
from verifier.smt.states import Computed, Delayed, Scope, State, Unknown, Veiled
from verifier.smt.steps import Check, Run
from verifier.smt.terms import Term
from verifier.survey import Survey

#: Of a rule broken in an action, so many checks just before it are assumed to have held.
NEAREST = 3


@dataclass(slots=True)
class Task:
    """A query and everything needed to settle it.

    start_with  labels of the hypotheses to begin with; the others are added when a candidate violates them.
    replay      returns None if the candidate breaks nothing.
    looks_at    variables that the goal reads.
    parts       into how many goals this one can be split.
    last        what to assume if a candidate satisfies all hypotheses and yet contradicts a rule: once.
    """

    encoder: Encoder
    hypotheses: list[Hypothesis]
    start_with: tuple[str, ...]
    replay: Callable[[Candidate], Failure | None]
    looks_at: frozenset[str] = frozenset()
    parts: int = 1
    last: Callable[[], None] | None = None
    deep: bool = False
    helpers: tuple[str, ...] = ()

    @property
    def query(self) -> Query:
        """The query so far."""
        return self.encoder.query


def build(survey: Survey, obligation: Obligation, options: Options) -> Task:
    """Return the query of an obligation."""
    builder = Builder.of(survey, obligation, options)
    match obligation.kind:
        case "step" if obligation.action is None:
            return builder.unchanged()
        case "range" | "kept" | "step" | "decreases":
            return builder.step()
        case "initially" | "law":
            return builder.initially()
        case (
            "one_side"
            | "one_auto"
            | "no_dead_end"
            | "weights"
            | "no_ties"
            | "can_happen"
            | "falsifiable"
            | "reachable"
            | "follows"
        ):
            return builder.static()
        case "sight":
            return builder.sight()
        case "example" | "audit" | "can_refuse" | "triggered":
            raise ValueError(f"`{obligation.name}` is not proved by one query")
        case _:
            assert_never(obligation.kind)


@dataclass(slots=True)
class Builder:
    """Builds the query of one obligation. What needs several steps is built by a subclass elsewhere."""

    survey: Survey
    encoder: Encoder
    obligation: Obligation
    part: int | None = None
    lean: bool = False
    wide: bool = False
    deep: bool = False

    @classmethod
    def of(cls, survey: Survey, obligation: Obligation, options: Options) -> Self:
        """Return a builder with an empty query."""
        query = Query()
        constants = Constants(survey, query, options.symbolic, options.eager)
        encoder = Encoder(survey, query, constants, written_out=options.written_out, fixed=dict(options.fixed))
        return cls(survey, encoder, obligation, options.part, options.lean, options.wide, options.deep)

    @property
    def relevance(self) -> Relevance:
        """What a query of this kind begins with."""
        return Relevance(self.survey, self.lean, self.wide)

    @property
    def game(self) -> Game:
        """The game that the obligation is of."""
        return self.survey.game

    # --------------------------------------------------------------------------------------------------- one state

    def static(self) -> Task:
        """Ask for a state that satisfies the hypotheses and breaks the formula."""
        state = self._unknown()
        formula, parts = self._formula()
        self._deny(parts, Scope({}, state))
        known = [] if self.obligation.kind == "falsifiable" else self._invariants(Scope({}, state))
        start_with: tuple[str, ...] = ()
        if self.obligation.kind == "follows":  # from nothing but what is named: so there is no circle
            start_with = self._labels(self._claim().using)
            known = [each for each in known if each.label in start_with]

        def replay(candidate: Candidate) -> Failure | None:
            return judge_state(candidate.world, self.obligation, candidate.position(state))

        return self._task(known, start_with, replay, self._reads(formula), len(parts))

    def unchanged(self) -> Task:
        """Ask for a state that satisfies the hypotheses and breaks a claim about steps if nothing changes there."""
        state = self._unknown()
        formula, parts = self._formula()
        self._deny(parts, Scope({}, state, next=state))

        def replay(candidate: Candidate) -> Failure | None:
            return judge_unchanged(candidate.world, self.obligation, candidate.position(state))

        using = self._labels(self._claim().using)
        return self._task(self._invariants(Scope({}, state)), using, replay, self._reads(formula), len(parts))

    def initially(self) -> Task:
        """Ask for symbolic data with which the claim is false of the initial state."""
        claim = self._claim()
        state = State.fresh(self.encoder.query, Computed(self._initial_cell), self.survey.world.variables)
        self._deny((claim.formula,), Scope({}, state))

        def replay(candidate: Candidate) -> Failure | None:
            return judge_start(candidate.world, self.obligation)

        return self._task([], (), replay, self._reads(claim.formula))

    def _initial_cell(self, declared: Variable, index: tuple[Term, ...]) -> Term:
        nowhere = State.fresh(self.encoder.query, Computed(self._initial_cell), {})
        scope = Scope(dict(zip(declared.over, index, strict=True)), nowhere)
        value = self.encoder.value(declared.initial, scope)
        arena = self.encoder.arena
        return arena.as_bool(value) if declared.type.kind == "bool" else arena.as_int(value)

    # -------------------------------------------------------------------------------------------------- one action

    def step(self) -> Task:
        """Ask for a state that satisfies the hypotheses, and an action from there that breaks the goal."""
        action, before = self._action(), self._unknown()
        kind = self.obligation.kind
        start_with: tuple[str, ...] = ()
        last = None
        scope, requirements = self._enter(action, before)
        if kind == "range":
            body = action.body
            checks, _ = self._execute(body, scope)
            parts = len(checks)
            # With values held fast some branches are gone, and with them checks: then a number means nothing, and all count.
            part = None if self.encoder.fixed else self.part
            chosen = [check for at, check in enumerate(checks) if part in (None, at)]
            looks_at = frozenset().union(*(check.about for check in chosen))
            self._fail_one(chosen)
            if part is not None and not self.lean:
                start_with = self.relevance.about(looks_at, requirements, self._invariants(Scope({}, before)))
                if self.wide:  # the first failure comes after checks that held; the nearest tell most
                    self._assume_range(checks[max(0, part - NEAREST) : part])
        else:
            formula, split = self._formula()
            parts = len(split)
            looks_at = self.survey.footprint(formula).variables
            body = sliced(action.body, looks_at, self.survey)
            checks, after = self._execute(body, scope)
            self._assume_range(checks)
            if kind == "decreases":
                self._deny_decrease(self._ranking(), before, after)
            else:
                self._deny(split, Scope({}, after) if kind == "kept" else Scope({}, before, next=after))
                claim = self._claim()
                start_with = (*([f"{claim.kind}:{claim.name}"] if kind == "kept" else []), *self._labels(claim.using))
            # The slice may leave out what contradicts a rule; a candidate that does is excluded by the whole body.
            last = lambda: self._assume_range(self._execute(action.body, scope)[0])  # noqa: E731

        def replay(candidate: Candidate) -> Failure | None:
            args = tuple(candidate.value(self._meaning(scope, param.name)) for param in action.params)
            return judge_step(candidate.world, self.obligation, candidate.position(before), (action.name, args))

        names = self.relevance.names(body, scope)
        light = tuple(
            each.label for each in requirements if each.defines in names or self.relevance.is_light(each, looks_at)
        )
        known = [*requirements, *self._invariants(Scope({}, before))]
        # The helpers that the author names wait until they are wanted, on the first rung.
        now = start_with[: kind == "kept"] if self.lean and not self.deep else start_with
        return self._task(known, (*light, *now), replay, looks_at, parts, last, start_with)

    def _enter(self, action: Action, before: State) -> tuple[Scope, list[Hypothesis]]:
        """Assert that it is time for the action; return its scope and its requirements, each in its own scope."""
        encoder, query, arena = self.encoder, self.encoder.query, self.encoder.arena
        params = {param.name: encoder.unknown(param.name, param.type, ("param", param.name)) for param in action.params}
        scope = Scope(params, before)
        query.add(encoder.truth(formulas.in_its_stages(self.game, action), scope, 1), "during")
        found = []
        for line in action.guard:
            match line:
                case Require(test=test, key=key, defines=defines):
                    found.append(Hypothesis(f"require:{key}", test, scope, defines))
                case Given(name=name, value=value):
                    scope = scope.bind({name: Delayed(value, scope)})
        if action.weight is not None:
            query.add(arena.lt(arena.num(0), encoder.code(action.weight, scope)), "weight")
        return scope, found

    def _execute(self, body: tuple[Stmt, ...], scope: Scope) -> tuple[list[Check], State]:
        """Return the state after some statements, and what must hold on the way."""
        run = Run(self.encoder)
        after = run.block(body, replace(scope, old=scope.now), self.encoder.arena.truth(True))
        return run.checks, after

    def _fail_one(self, checks: list[Check]) -> None:
        arena = self.encoder.arena
        self.encoder.query.add(arena.disj(*(arena.neg(check.holds(-1)) for check in checks)), "goal")

    def _assume_range(self, checks: list[Check]) -> None:
        query = self.encoder.query
        with query.later(1):
            for check in checks:
                query.add(check.holds(1), "range")

    def _formula(self) -> tuple[Expr, tuple[Expr, ...]]:
        """Return what the obligation says of one state or step, and the same in parts."""
        made = self.survey.made
        key = (self.obligation.kind, self.obligation.subject, self.obligation.action, self.obligation.stage)
        if key not in made:
            match self.obligation.kind:
                case "kept" | "step":
                    whole = self._claim().formula
                case "decreases":
                    whole = formulas.conj(Apply("==", (part, part), BOOL) for part in self._ranking().parts)
                case _:
                    whole = formulas.static(self.game, self.obligation)
            made[key] = (whole, *formulas.conjuncts(whole))
        whole, *parts = made[key]
        return whole, (tuple(parts) if self.obligation.kind != "decreases" else (whole,))

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
        player = encoder.unknown("player", self.game.player, "player")

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
        params = {param.name: encoder.unknown(param.name, param.type, param.name) for param in action.params}
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
        return self._task(known, (), replay, self._reads(legal))

    # --------------------------------------------------------------------------------------------------- shared parts

    def _task(
        self,
        known: list[Hypothesis],
        start_with: tuple[str, ...],
        replay: Callable[[Candidate], Failure | None],
        looks_at: frozenset[str],
        parts: int = 1,
        last: Callable[[], None] | None = None,
        helpers: tuple[str, ...] = (),
    ) -> Task:
        laws = [
            Hypothesis(f"law:{claim.name}", claim.formula, Scope({}, self._nowhere()))
            for claim in self.game.claims
            if claim.kind == "law" and self.obligation.subject != claim.name
        ]
        return Task(self.encoder, [*known, *laws], start_with, replay, looks_at, parts, last, self.deep, helpers)

    def _invariants(self, scope: Scope) -> list[Hypothesis]:
        return [
            Hypothesis(f"{claim.kind}:{claim.name}", claim.formula, scope)
            for claim in self.game.claims
            if claim.kind in ("invariant", "conserved")
        ]

    def _reads(self, formula: Expr) -> frozenset[str]:
        return self.survey.footprint(formula).variables

    def _labels(self, names: tuple[str, ...]) -> tuple[str, ...]:
        kinds = {claim.name: claim.kind for claim in self.game.claims}
        return tuple(f"{kinds[name]}:{name}" for name in names)

    def _unknown(self, copy: str = "") -> State:
        query = self.encoder.query
        return State.fresh(query, Unknown(query, copy), self.survey.world.variables)

    def _nowhere(self) -> State:
        """Return the state in which laws are read; they look at none."""
        return State.fresh(self.encoder.query, Unknown(self.encoder.query), {})

    def _deny(self, parts: Sequence[Expr], scope: Scope) -> None:
        """Assert that one of the parts is false, or the one that was asked for."""
        encoder = self.encoder
        chosen = parts if self.part is None else (parts[self.part],)
        arena = encoder.arena
        encoder.query.add(arena.disj(*(arena.neg(encoder.truth(each, scope, -1)) for each in chosen)), "goal")

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
