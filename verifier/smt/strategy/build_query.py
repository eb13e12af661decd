"""Queries: each obligation as a query, with the replay that a counterexample must pass.

Reads:  obligations of a core game.   Writes: a `Task`: what is asserted, which hypotheses may be added, how to replay.
After:  the query is satisfiable if the obligation fails in some state that satisfies the hypotheses; unsatisfiable means
        proved. Labels: `during`, `require:KEY`, `range`, `goal`, and `KIND:NAME` for hypotheses and laws.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Self, assert_never

from pilgrim_rules.core.footprint import Footprints
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
from pilgrim_rules.core.slicing import sliced
from verifier.claims import formulas
from verifier.claims.obligations import Obligation
from verifier.play.replay import Failure, judge_start, judge_state, judge_step, judge_unchanged
from verifier.smt.encode import choice
from verifier.smt.encode.constants import Constants
from verifier.smt.encode.encoded_states import Computed, Delayed, EncodedState, Scope, Symbolic
from verifier.smt.encode.expressions import Encoder
from verifier.smt.encode.model_state import Candidate
from verifier.smt.encode.query import Query
from verifier.smt.encode.steps import StepEncoder
from verifier.smt.encode.write_checks import WriteCheck
from verifier.smt.strategy.encoding_options import Options
from verifier.smt.strategy.live_branches import without_dead_branches
from verifier.smt.strategy.relevance import Hypothesis, Relevance
from verifier.smt.terms.terms import Term

#: Of a rule broken in an action, this many checks just before it are assumed to have held.
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


def build(footprints: Footprints, obligation: Obligation, options: Options) -> Task:
    """Return the query of an obligation."""
    builder = QueryBuilder.for_obligation(footprints, obligation, options)
    match obligation.kind:
        case "step" if obligation.action is None:
            return builder.unchanged()
        case "range" | "kept" | "step" | "decreases":
            return builder.step()
        case "initially" | "law":
            return builder.initially()
        case (
            "defined"
            | "one_side"
            | "one_auto"
            | "policy_covers"
            | "no_dead_end"
            | "weights"
            | "no_ties"
            | "can_happen"
            | "falsifiable"
            | "reachable"
            | "follows"
        ):
            return builder.static()
        case "example" | "audit" | "can_refuse" | "triggered" | "sight" | "no_leak" | "symmetry":
            raise ValueError(f"`{obligation.name}` is not proved by one query")
        case _:
            assert_never(obligation.kind)


@dataclass(slots=True)
class QueryBuilder:
    """Builds the query of one obligation. What needs several steps is built by a subclass elsewhere."""

    footprints: Footprints
    encoder: Encoder
    obligation: Obligation
    part: int | None = None
    lean: bool = False
    wide: bool = False
    deep: bool = False

    @classmethod
    def for_obligation(cls, footprints: Footprints, obligation: Obligation, options: Options) -> Self:
        """Return a builder with an empty query."""
        query = Query(partition=options.partition)
        constants = Constants(footprints, query, options.symbolic, options.eager)
        encoder = Encoder(footprints, query, constants, written_out=options.written_out, fixed=dict(options.fixed))
        return cls(footprints, encoder, obligation, options.part, options.lean, options.wide, options.deep)

    @property
    def relevance(self) -> Relevance:
        """What a query of this kind begins with."""
        return Relevance(self.footprints, self.lean, self.wide)

    @property
    def game(self) -> Game:
        """The game that the obligation is of."""
        return self.footprints.game

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
            return judge_state(candidate.declared, self.obligation, candidate.position(state))

        return self._task(known, start_with, replay, self._reads(formula), len(parts))

    def unchanged(self) -> Task:
        """Ask for a state that satisfies the hypotheses and breaks a claim about steps if nothing changes there."""
        state = self._unknown()
        formula, parts = self._formula()
        self._deny(parts, Scope({}, state, next=state))

        def replay(candidate: Candidate) -> Failure | None:
            return judge_unchanged(candidate.declared, self.obligation, candidate.position(state))

        using = self._labels(self._claim().using)
        return self._task(self._invariants(Scope({}, state)), using, replay, self._reads(formula), len(parts))

    def initially(self) -> Task:
        """Ask for symbolic data with which the claim is false of the initial state."""
        claim = self._claim()
        state = EncodedState.fresh(self.encoder.query, Computed(self._initial_cell), self.footprints.declared.variables)
        self._deny((claim.formula,), Scope({}, state))

        def replay(candidate: Candidate) -> Failure | None:
            return judge_start(candidate.declared, self.obligation)

        return self._task([], (), replay, self._reads(claim.formula))

    def _initial_cell(self, declared: Variable, index: tuple[Term, ...]) -> Term:
        nowhere = EncodedState.fresh(self.encoder.query, Computed(self._initial_cell), {})
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
            looks_at = self.footprints.footprint(formula).variables
            live = without_dead_branches(action.body, self.footprints, lambda test: self._before_play(test, scope))
            body = sliced(live, looks_at, self.footprints)
            checks, after = self._execute(body, scope)
            self._assume_range(checks)
            if kind == "decreases":
                self._deny_decrease(self._ranking(), before, after)
            else:
                claim = self._claim()
                known_names = scope.names if claim.kind == "contract" else {}
                self._deny(split, Scope({}, after) if kind == "kept" else Scope(known_names, before, next=after))
                start_with = (*([f"{claim.kind}:{claim.name}"] if kind == "kept" else []), *self._labels(claim.using))
            # The slice may leave out what contradicts a rule; a candidate that does is excluded by the whole body.
            last = lambda: self._assume_range(self._execute(action.body, scope)[0])  # noqa: E731

        def replay(candidate: Candidate) -> Failure | None:
            args = tuple(candidate.value(self._meaning(scope, param.name)) for param in action.params)
            return judge_step(candidate.declared, self.obligation, candidate.position(before), (action.name, args))

        names = self.relevance.names(body, scope)
        light = tuple(
            each.label for each in requirements if each.defines in names or self.relevance.is_light(each, looks_at)
        )
        known = [*requirements, *self._invariants(Scope({}, before))]
        # The helpers that the author names wait until they are wanted, on the first rung.
        now = start_with[: kind == "kept"] if self.lean and not self.deep else start_with
        return self._task(known, (*light, *now), replay, looks_at, parts, last, start_with)

    def _enter(
        self, action: Action, before: EncodedState, given: Mapping[str, Term] = MappingProxyType({})
    ) -> tuple[Scope, list[Hypothesis]]:
        """Assert that it is time for the action; return its scope and its requirements, each in its own scope.

        Arguments that are not given are unknown.
        """
        encoder, query, arena = self.encoder, self.encoder.query, self.encoder.arena
        params = {
            param.name: given[param.name]
            if param.name in given
            else encoder.unknown(param.name, param.type, ("param", param.name))
            for param in action.params
        }
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

    def _before_play(self, test: Expr, scope: Scope) -> bool | None:
        """Return the value of a test about constants alone; None if a proof leaves it open."""
        term = self.encoder.truth(test, scope, 0)
        return bool(term.value) if term.literal else None

    def _execute(self, body: tuple[Stmt, ...], scope: Scope) -> tuple[list[WriteCheck], EncodedState]:
        """Return the state after some statements, and what must hold on the way."""
        run = StepEncoder.fresh(self.encoder)
        after = run.block(body, replace(scope, old=scope.now), self.encoder.arena.truth(True))
        return run.checks.found, after

    def _fail_one(self, checks: list[WriteCheck]) -> None:
        arena = self.encoder.arena
        self.encoder.query.add(arena.disj(*(arena.neg(check.holds(-1)) for check in checks)), "goal")

    def _assume_range(self, checks: list[WriteCheck]) -> None:
        query = self.encoder.query
        with query.later(1):
            for check in checks:
                query.add(check.holds(1), "range")

    def _formula(self) -> tuple[Expr, tuple[Expr, ...]]:
        """Return what the obligation says of one state or step, and the same in parts."""
        made = self.footprints.made
        key = (self.obligation.kind, self.obligation.subject, self.obligation.action, self.obligation.stage)
        if key not in made:
            match self.obligation.kind:
                case "kept" | "step":
                    whole = self._claim().formula
                case "decreases":
                    whole = formulas.conj(Apply("==", (part, part), BOOL) for part in self._ranking().parts)
                case _:  # a formula of one state, which `static` has
                    whole = formulas.static(self.game, self.obligation)
            made[key] = (whole, *formulas.conjuncts(whole))
        whole, *parts = made[key]
        return whole, (tuple(parts) if self.obligation.kind != "decreases" else (whole,))

    def _deny_decrease(self, ranking: Ranking, before: EncodedState, after: EncodedState) -> None:
        encoder = self.encoder
        old = [encoder.code(part, Scope({}, before)) for part in ranking.parts]
        new = [encoder.code(part, Scope({}, after)) for part in ranking.parts]
        encoder.query.add(encoder.arena.neg(choice.smaller(encoder.arena, new, old)), "goal")

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
            Hypothesis(f"law:{claim.name}", claim.formula, Scope({}, self._stateless_scope()))
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
        return self.footprints.footprint(formula).variables

    def _labels(self, names: tuple[str, ...]) -> tuple[str, ...]:
        kinds = {claim.name: claim.kind for claim in self.game.claims}
        return tuple(f"{kinds[name]}:{name}" for name in names)

    def _unknown(self, copy: str = "") -> EncodedState:
        query = self.encoder.query
        return EncodedState.fresh(query, Symbolic(query, copy), self.footprints.declared.variables)

    def _stateless_scope(self) -> EncodedState:
        """Return the state in which laws are read; they look at none."""
        return EncodedState.fresh(self.encoder.query, Symbolic(self.encoder.query), {})

    def _deny(self, parts: Sequence[Expr], scope: Scope) -> None:
        """Assert that one of the parts is false, or the one that was asked for."""
        encoder = self.encoder
        chosen = parts if self.part is None else (parts[self.part],)
        arena = encoder.arena
        encoder.query.add(arena.disj(*(arena.neg(encoder.truth(each, scope, -1)) for each in chosen)), "goal")

    def _action(self) -> Action:
        return self.footprints.declared.actions[str(self.obligation.action)]

    def _claim(self) -> Claim:
        return self.footprints.declared.claims[str(self.obligation.subject)]

    def _ranking(self) -> Ranking:
        return next(each for each in self.game.rankings if each.name == self.obligation.subject)

    def _meaning(self, scope: Scope, name: str) -> Term:
        meaning = scope.names[name]
        assert isinstance(meaning, Term), "a parameter stands for a term"
        return meaning
