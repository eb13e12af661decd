"""Cross-check: the engine and the encoding say the same of the same states.

Reads:  a core game and well-typed states, reachable or not.   Writes: every disagreement found, in words.
After:  for each state: every definition has the same value, every requirement the same truth, every claim too; each legal
        step leads to the same state; what the encoding asserts beside its formulas is true there; and the solver finds
        exactly the legal arguments of each action.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from math import prod
from typing import TypeVar

from pilgrim_rules.core.footprint import Footprints, values_of
from pilgrim_rules.core.ir import Action, Expr, Game, Given, Parameter, Require
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.errors import Contradiction
from pilgrim_rules.semantics.evaluate import evaluate
from pilgrim_rules.semantics.reference import Args, Reference
from pilgrim_rules.semantics.state_layout import Position
from pilgrim_rules.walk.random_source import RandomSource
from pilgrim_rules.walk.random_walk import random_arguments
from verifier.claims import formulas
from verifier.smt.encode.constants import Constants
from verifier.smt.encode.encoded_states import Delayed, EncodedState, Meaning, Scope, Symbolic
from verifier.smt.encode.expressions import Encoder
from verifier.smt.encode.instantiate import trigger
from verifier.smt.encode.model_state import RealState
from verifier.smt.encode.query import Query
from verifier.smt.encode.steps import StepEncoder
from verifier.smt.solve.z3_solver import Sat, Solver, Unsat
from verifier.smt.terms.polarity import Polarity, Unsupported
from verifier.smt.terms.terms import Arena, Term

#: Argument tuples tried for one action in one state, and cells read of a large table.
ARGUMENTS, CELLS = 24, 40
#: Legal moves are enumerated for actions with at most this many argument tuples, where at most this many are legal.
ENUMERATED, MODELS = 2048, 64
POLARITIES: tuple[Polarity, ...] = (1, -1, 0)
T = TypeVar("T")


def disagreements(
    game: Game,
    states: Iterable[Position],
    *,
    seed: int = 7,
    solve: bool = True,
    most: int | None = None,
    arguments: int = ARGUMENTS,
) -> Iterator[str]:
    """Yield what engine and encoding do not agree on.

    most       in each state, look at no more than this many definitions, claims and actions, those of its stage first.
    arguments  tried for each of them; all that there are if they are no more.
    """
    footprints = Footprints.from_game(game)
    for number, position in enumerate(states):
        sample = _Sample(footprints, position, seed + number, most, arguments)
        yield from sample.definitions()
        yield from sample.claims()
        for action in sample.actions():
            with suppress(Unsupported):  # what has no encoding cannot disagree; its obligations stay unsettled
                yield from sample.steps(action)
            if solve:
                yield from sample.legal_moves(action)


class _Sample:
    """One state, seen by both sides."""

    def __init__(self, footprints: Footprints, position: Position, seed: int, most: int | None, arguments: int) -> None:
        self.footprints = footprints
        self.most, self.arguments = most, arguments
        self.reference = Reference(footprints.declared)
        self.position = position
        self.random = RandomSource(seed)

    def actions(self) -> Sequence[Action]:
        """Return the actions to look at."""
        stage = self.position["stage"][0]
        actions = self.footprints.game.actions
        now = [each for each in actions if stage in each.stages]
        return actions if self.most is None else (self._at_most(now) or self._at_most(actions))

    def _at_most(self, things: Sequence[T]) -> Sequence[T]:
        """Return the things, or as many of them as are wanted, in their order."""
        if self.most is None or len(things) <= self.most:
            return things
        return [things[at] for at in sorted(self.random.sample(range(len(things)), self.most))]

    # ----------------------------------------------------------------------------------------------------- expressions

    def definitions(self) -> Iterator[str]:
        """Yield definitions whose value differs."""
        for definition in self._at_most(self.footprints.game.defs):
            looked_at = self.footprints.footprint(definition.body)
            if looked_at.networks or any(when != "now" for _, when in looked_at.reads):
                continue  # only those look on who are not encoded, or it has a value only inside an action
            for args in self._some(definition.params):
                yield from self._compare(f"`{definition.name}{args}`", definition.body, definition.params, args)

    def claims(self) -> Iterator[str]:
        """Yield claims whose truth differs."""
        for claim in self._at_most(self.footprints.game.claims):
            if claim.kind in ("invariant", "conserved", "reachable", "law"):
                yield from self._compare(f"`{claim.name}`", claim.formula, (), ())

    def _compare(self, what: str, expr: Expr, params: Sequence[Parameter], args: Args) -> Iterator[str]:
        names = {param.name: arg for param, arg in zip(params, args, strict=True)}
        right = evaluate(expr, Environment(self.footprints.declared, self.position, names))
        encoder, state = self._encoder()
        arena = encoder.arena
        literal = {param.name: _as(param, arena.num(arg), arena) for param, arg in zip(params, args, strict=True)}
        for scope in (Scope(_unknown(params, arena), state), Scope(literal, state)):
            terms = [encoder.value(expr, scope)]
            if expr.type.kind == "bool":
                terms = [encoder.truth(expr, scope, polarity) for polarity in POLARITIES]
            trigger(encoder.query)
            actual = RealState(encoder, self.position, {f"arg {name}": value for name, value in names.items()})
            for term in terms:
                if actual.value(term) != right:
                    yield f"{what} is {right}, and {actual.value(term)} in the encoding"
            yield from self._false_assertions(what, encoder.query, actual)

    def _false_assertions(self, what: str, query: Query, actual: RealState) -> Iterator[str]:
        for made in query.sums:
            query.add(made.whole())
            query.add(made.rest(made.written))
        for label, term in query.assertions:
            if label is None and not actual.value(term):
                yield f"{what}: the encoding asserts something false: {term}"

    # ----------------------------------------------------------------------------------------------------------- steps

    def steps(self, action: Action) -> Iterator[str]:
        """Yield steps that end in different states."""
        for args in self._some(action.params):
            yield from self._step(action, args)

    def _step(self, action: Action, args: Args) -> Iterator[str]:
        what = f"`{action.name}{args}`"
        allowed = self.reference.allowed(self.position, action, args)
        encoder, before = self._encoder()
        scope = Scope(_unknown(action.params, encoder.arena), before)
        guard = [encoder.truth(formulas.in_its_stages(self.footprints.game, action), scope, 1)]
        for line in action.guard:
            match line:
                case Require(test=test):
                    guard.append(encoder.truth(test, scope, 1))
                case Given(name=name, value=value):
                    scope = scope.bind({name: Delayed(value, scope)})
        given = {f"arg {param.name}": arg for param, arg in zip(action.params, args, strict=True)}
        actual = RealState(encoder, self.position, given)
        if all(actual.value(term) for term in guard) != allowed:
            yield f"{what} is {'legal' if allowed else 'not legal'}, and the encoding says otherwise"
        if not allowed:
            return
        run = StepEncoder.fresh(encoder)
        after = run.block(action.body, replace(scope, old=before), encoder.arena.truth(True))
        trigger(encoder.query)
        try:
            right = self.reference.apply(self.position, action, args)
        except Contradiction:
            known = encoder.query.meanings
            rounds = [each for each in encoder.query.skolems if not each.term.literal and each.term.name not in known]
            if not rounds and all(actual.value(check.holds(-1)) for check in run.checks.found):
                yield f"{what} contradicts the rules, and no check of the encoding fails"
            return
        for check in run.checks.found:
            if not actual.value(check.holds(1)):
                yield f"{what} contradicts no rule, and the check of `{check.key}` fails in the encoding"
        yield from self._cells(what, encoder, after, right, actual)
        yield from self._afterwards(what, encoder, (before, after), right, actual)
        yield from self._false_assertions(what, encoder.query, actual)

    def _cells(
        self, what: str, encoder: Encoder, after: EncodedState, right: Position, actual: RealState
    ) -> Iterator[str]:
        for name, variable in self.footprints.declared.variables.items():
            if name not in after.writes:
                if list(right[name]) != list(self.position[name]):
                    yield f"{what}: `{name}` changes, and the encoding writes nothing there"
                continue
            indices = list(values_of(variable.index))
            wanted = [at for at, code in enumerate(right[name]) if code != self.position[name][at]]
            for at in [*wanted, *range(0, len(indices), max(1, len(indices) // CELLS))]:
                for index in self._spellings(encoder, indices[at]):
                    found = actual.value(after.read(variable, index))
                    if found != right[name][at]:
                        yield f"{what}: `{name}{list(indices[at])}` is {right[name][at]}, and {found} in the encoding"

    def _afterwards(
        self, what: str, encoder: Encoder, states: tuple[EncodedState, EncodedState], right: Position, actual: RealState
    ) -> Iterator[str]:
        """Compare claims and rankings after the step: sums and quantifiers over what has been written."""
        before, after = states
        declared = self.footprints.declared
        for claim in self._at_most(declared.game.claims):
            match claim.kind:
                case "invariant" | "conserved" | "reachable":
                    scope, env = Scope({}, after), Environment(declared, right, {})
                case "step":
                    scope, env = Scope({}, before, next=after), Environment(declared, self.position, {}, next=right)
                case "law" | "audit" | "contract":
                    continue
            truth = evaluate(claim.formula, env)
            for polarity in POLARITIES:
                if actual.value(encoder.truth(claim.formula, scope, polarity)) != truth:
                    yield f"{what}: afterwards `{claim.name}` is {bool(truth)}, and otherwise in the encoding"
        for part in (part for ranking in declared.game.rankings for part in ranking.parts):
            value, found = (
                evaluate(part, Environment(declared, right, {})),
                actual.value(encoder.code(part, Scope({}, after))),
            )
            if value != found:
                yield f"{what}: afterwards a ranking is {value}, and {found} in the encoding"

    def _spellings(self, encoder: Encoder, codes: tuple[int, ...]) -> list[tuple[Term, ...]]:
        """Return an index as literals, and as unknowns that happen to have these values."""
        literal = tuple(encoder.arena.num(code) for code in codes)
        unknown = tuple(
            encoder.arena.const(f"cell {at} {code}", "Int", code - 1, code + 1) for at, code in enumerate(codes)
        )
        encoder.query.stand_for(unknown, lambda _: codes)
        return [literal, unknown]

    def legal_moves(self, action: Action) -> Iterator[str]:
        """Yield a difference between the legal arguments and all models of the guard, this state being asserted."""
        if not 1 < prod(param.type.size for param in action.params) <= ENUMERATED:
            return
        right = set(self.reference.legal(self.position, action))
        if len(right) > MODELS:
            return
        encoder, before = self._encoder()
        params = {param.name: encoder.unknown(param.name, param.type, param.name) for param in action.params}
        names: dict[str, Meaning] = {
            param.name: _as(param, params[param.name], encoder.arena) for param in action.params
        }
        formula = formulas.guarded(action, formulas.TRUE, assumed=False)
        query = encoder.query
        query.add(encoder.truth(formulas.in_its_stages(self.footprints.game, action), Scope({}, before), 1))
        query.add(encoder.truth(formula, Scope(names, before), 1))
        found = set(self._models(encoder, before, list(params.values())))
        if found != right:
            yield f"`{action.name}`: legal are {sorted(right)}, and {sorted(found)} in the encoding"

    def _models(self, encoder: Encoder, before: EncodedState, params: Sequence[Term]) -> Iterator[Args]:
        query, arena = encoder.query, encoder.arena
        for universal in query.universals:  # grows while it is walked
            for values in values_of(slot.type for slot in universal.slots):
                query.instantiate(universal, tuple(map(arena.num, values)))
        for made in query.sums:
            query.add(made.whole())
        for constant in encoder.constants.functions.values():
            for codes in values_of(constant.index):
                encoder.constants.entry(constant, codes)
        for name, variable in self.footprints.declared.variables.items():
            if name in query.asserted:
                for codes, value in zip(values_of(variable.index), self.position[name], strict=True):
                    read = before.read(variable, tuple(map(arena.num, codes)))
                    query.add(arena.eq(arena.as_int(read), arena.num(value)))
        with Solver(50_000_000) as solver:
            for _, term in query.assertions:
                solver.add(term)
            while isinstance(answer := solver.check(), Sat):
                args = tuple(
                    term.value if term.literal else int(answer.model.constants.get(term.name, term.lo))
                    for term in params
                )
                yield args
                same = (arena.eq(term, arena.num(value)) for term, value in zip(params, args, strict=True))
                solver.add(arena.neg(arena.conj(*same)))
            assert isinstance(answer, Unsat), "enumerating models must come to an end"

    # ---------------------------------------------------------------------------------------------------------- helpers

    def _encoder(self) -> tuple[Encoder, EncodedState]:
        query = Query()
        encoder = Encoder(self.footprints, query, Constants(self.footprints, query, frozenset(), eager=False))
        return encoder, EncodedState.fresh(query, Symbolic(query), self.footprints.declared.variables)

    def _some(self, params: Sequence[Parameter]) -> Iterator[Args]:
        """Yield all argument tuples if there are few, otherwise some."""
        if prod(param.type.size for param in params) <= self.arguments:
            yield from values_of(param.type for param in params)
            return
        for _ in range(self.arguments):
            yield random_arguments([param.type for param in params], self.random)


def _unknown(params: Sequence[Parameter], arena: Arena) -> dict[str, Meaning]:
    """Return parameters as unknowns of their types."""
    return {
        param.name: _as(param, arena.const(f"arg {param.name}", "Int", param.type.lo, param.type.hi), arena)
        for param in params
    }


def _as(param: Parameter, term: Term, arena: Arena) -> Term:
    return arena.as_bool(term) if param.type.kind == "bool" else term
