"""Symmetry queries: obligations about a declared symmetry, as queries about a state and its image.

Reads:  an obligation of kind `symmetry`.   Writes: a `Task`.
After:  the query is satisfiable if something holds of a state that satisfies every invariant, and not of the state's image.

One direction is enough. The image of the start is the start, and if what is legal in a state is legal, with the image of its result, in the state's image, then the image
of every play is a play, and so every state's image can be reached. A symmetry that is repeated often enough changes nothing, so
what holds of the image of something holds of the thing itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from math import prod

from pilgrim_rules.core.footprint import writes
from pilgrim_rules.core.ir import Action, Claim, Expr, Given, Require, Type, Variable
from pilgrim_rules.core.symmetry import BY, SCORE, Places
from pilgrim_rules.semantics.state_layout import Position
from verifier.claims import formulas
from verifier.play.judge_symmetry import judge_symmetry, places_of
from verifier.play.replay import Failure
from verifier.smt.encode.encoded_states import Delayed, EncodedState, Mirrored, Scope
from verifier.smt.encode.model_state import Candidate
from verifier.smt.strategy.build_query import QueryBuilder, Task
from verifier.smt.terms.terms import Term, Terms

MOST_CELLS = 128  #: of a state about which everything is written out
Goals = list[Callable[[], Term]]  #: each is encoded only if it is asked for


@dataclass(slots=True)
class SymmetryQuery(QueryBuilder):
    """Builds queries about a state and its image; `images` knows of every term that is one what it is the image of."""

    images: dict[tuple[Type, Term], Term] = field(default_factory=dict)
    ordered: dict[Term, Term] = field(default_factory=dict)

    def symmetric(self) -> Task:
        """Ask for a state that shows that the symmetry is none."""
        part = str(self.obligation.line)
        self.encoder.spell_out = self._is_small
        if self.obligation.action is not None:
            return self._step(self._action())
        if part == BY:
            return self._state(self._deciders)
        if part == SCORE:
            return self._state(self._scores)
        kind, _, name = part.partition(".")
        if kind == "terminates":
            return self._state(self._measured)
        return self._claimed(self.footprints.declared.claims[name])

    # ------------------------------------------------------------------------------------------------------ one state

    def _state(self, goals: Callable[[EncodedState, EncodedState], Iterator[Callable[[], Term]]]) -> Task:
        here = self._unknown()
        asked = list(goals(here, self._image_of(here)))
        self._deny_one(asked)

        def replay(candidate: Candidate) -> Failure | None:
            return judge_symmetry(candidate.declared, self.obligation, candidate.position(here))

        return self._task(self._invariants(Scope({}, here)), (), replay, self._looks_at(), max(1, len(asked)))

    def _deciders(self, here: EncodedState, there: EncodedState) -> Iterator[Callable[[], Term]]:
        encoder, arena = self.encoder, self.encoder.arena

        def same(code: int, by: Expr) -> Term:
            inside = encoder.truth(formulas.stage_is(self.game, code), Scope({}, here), 0)
            mine, theirs = (encoder.code(by, Scope({}, state)) for state in (here, there))
            return arena.implies(inside, arena.eq(self._image(by.type, mine), theirs))

        for stage in self.game.stages:
            if stage.by is not None:
                yield lambda code=stage.code, by=stage.by: same(code, by)  # type: ignore[misc]  # bound now

    def _scores(self, here: EncodedState, there: EncodedState) -> Iterator[Callable[[], Term]]:
        sheet, encoder = self.game.score, self.encoder
        assert sheet is not None, "the score is asked for"
        player = encoder.unknown("player", self.game.player, "player")
        mine = Scope({sheet.player: player}, here)
        theirs = Scope({sheet.player: self._image(self.game.player, player)}, there)
        for value in (*(line.value for line in sheet.lines), *(key.value for key in sheet.keys)):
            yield lambda value=value: self._same(encoder.code(value, mine), encoder.code(value, theirs))  # type: ignore[misc]

    def _measured(self, here: EncodedState, there: EncodedState) -> Iterator[Callable[[], Term]]:
        encoder, name = self.encoder, str(self.obligation.line).partition(".")[2]
        ranking = next(each for each in self.game.rankings if each.name == name)
        for value in ranking.parts:
            yield lambda value=value: encoder.arena.eq(
                *(encoder.code(value, Scope({}, each)) for each in (here, there))
            )  # type: ignore[misc]

    def _claimed(self, claim: Claim) -> Task:
        """Ask for a state, or a step, of which a claim is true while it is false of the image."""
        encoder, here = self.encoder, self._unknown()
        after = self._unknown("'") if claim.kind == "step" else None
        mine = Scope({}, here, next=after)
        theirs = Scope({}, self._image_of(here), next=None if after is None else self._image_of(after))
        parts = formulas.conjuncts(claim.formula)
        if encoder.spell_out and all(
            self._ordered(encoder.truth(each, mine, 0)) is self._ordered(encoder.truth(each, theirs, 0))
            for each in parts
        ):
            encoder.query.add(encoder.arena.truth(False), "goal")  # it says the same of both, word for word
        else:
            encoder.query.add(encoder.truth(claim.formula, mine, 1), "require:claim")
            self._deny(parts, theirs)

        def replay(candidate: Candidate) -> Failure | None:
            then = None if after is None else candidate.position(after)
            return judge_symmetry(candidate.declared, self.obligation, candidate.position(here), after=then)

        return self._task(self._invariants(Scope({}, here)), (), replay, self._looks_at(), len(parts))

    # ------------------------------------------------------------------------------------------------------ one action

    def _step(self, action: Action) -> Task:
        here = self._unknown()
        scope, requirements = self._enter(action, here)
        there = self._image_of(here)
        images = {each.name: self._image(each.type, self._meaning(scope, each.name)) for each in action.params}
        scope_there, goals = self._asked(action, Scope(images, there))
        (checks, after), (checks_there, after_there) = (
            self._execute(action.body, each) for each in (scope, scope_there)
        )
        encoder, arena = self.encoder, self.encoder.arena
        weight = action.weight
        if weight is not None:
            goals.append(lambda: arena.eq(encoder.code(weight, scope), encoder.code(weight, scope_there)))
        for name in sorted(writes(action.body)):
            goals.append(lambda name=name: self._alike(self._variable(name), after, after_there))  # type: ignore[misc]
        self._deny_one(goals)
        self._assume_range(checks)
        self._assume_range(checks_there)

        def replay(candidate: Candidate) -> Failure | None:
            args = tuple(candidate.value(self._meaning(scope, each.name)) for each in action.params)
            return judge_symmetry(candidate.declared, self.obligation, candidate.position(here), (action.name, args))

        known = [*requirements, *self._invariants(Scope({}, here))]
        begin = tuple(each.label for each in requirements)
        return self._task(known, begin, replay, self._looks_at(), max(1, len(goals)))

    def _asked(self, action: Action, scope: Scope) -> tuple[Scope, Goals]:
        """Return the scope behind the guard of the image of a move, and that each requirement holds."""
        encoder = self.encoder
        goals: Goals = []
        for line in action.guard:
            match line:
                case Require(test=test):
                    goals.append(lambda test=test, at=scope: encoder.truth(test, at, -1))  # type: ignore[misc]
                case Given(name=name, value=value):
                    scope = scope.bind({name: Delayed(value, scope)})
        return scope, goals

    def _alike(self, variable: Variable, after: EncodedState, after_there: EncodedState) -> Term:
        """Return that every cell of a variable has its image in the image."""
        arena, places = self.encoder.arena, self._places
        same = []
        for index in product(*(range(type_.lo, type_.hi + 1) for type_ in variable.index)):
            image = places.values(variable.index, index)
            mine = after.read(variable, tuple(map(arena.num, index)))
            theirs = after_there.read(variable, tuple(map(arena.num, image)))
            same.append(arena.eq(self._image(variable.type, mine), theirs))
        return arena.conj(*same)

    # ---------------------------------------------------------------------------------------------------------- parts

    @property
    def _places(self) -> Places:
        return places_of(self.footprints.declared, self.obligation)

    @property
    def _is_small(self) -> bool:
        """Whether everything that is said of a state can be written out, cell by cell."""
        variables = self.footprints.declared.variables.values()
        return sum(prod(type_.size for type_ in each.index) for each in variables) <= MOST_CELLS

    def _ordered(self, term: Term) -> Term:
        """Return a term in which the order of `and` and `or` is that of their parts: what differs in nothing else is the same then."""
        if not term.args:
            return term
        if term not in self.ordered:
            args = tuple(self._ordered(each) for each in term.args)
            match term.op:
                case "and":
                    made = self.encoder.arena.conj(*sorted(args, key=_number))
                case "or":
                    made = self.encoder.arena.disj(*sorted(args, key=_number))
                case "not":
                    made = self.encoder.arena.neg(args[0])
                case "ite":
                    made = self.encoder.arena.ite(*args)
                case "=":
                    made = self.encoder.arena.eq(*args)
                case "<=":
                    made = self.encoder.arena.le(*args)
                case "linear":
                    made = self.encoder.arena.linear(term.value, zip(term.factors, args, strict=True))
                case _:  # it has no parts whose order could differ
                    made = term
            self.ordered[term] = made
        return self.ordered[term]

    def _same(self, one: Term, other: Term) -> Term:
        """Return that two terms are equal."""
        if self.encoder.spell_out:
            one, other = self._ordered(one), self._ordered(other)
        return self.encoder.arena.eq(one, other)

    def _variable(self, name: str) -> Variable:
        return self.footprints.declared.variables[name]

    def _looks_at(self) -> frozenset[str]:
        return frozenset(self.footprints.declared.variables)

    def _deny_one(self, goals: Goals) -> None:
        """Assert that one of the goals is false, or the one that was asked for."""
        arena = self.encoder.arena
        chosen = goals if self.part is None else [goals[self.part]]
        self.encoder.query.add(arena.disj(*(arena.neg(each()) for each in chosen)), "goal")

    def _image_of(self, state: EncodedState) -> EncodedState:
        """Return the image of a state."""
        places, declared = self._places, self.footprints.declared

        def cell(variable: Variable, index: Terms) -> Term:
            source = tuple(self._source(*each) for each in zip(variable.index, index, strict=True))
            return self._image(variable.type, state.read(variable, source))

        def image(position: Position) -> Position:
            return places.position(declared.game, position)

        return EncodedState.fresh(self.encoder.query, Mirrored(state, cell, image), declared.variables)

    def _image(self, type_: Type, term: Term) -> Term:
        """Return the image of a value."""
        codes = self._places.codes(type_)
        if codes is None:
            return term
        image = self._sent(term, dict(enumerate(codes, type_.lo)))
        self.images[type_, image] = term
        return image

    def _source(self, type_: Type, term: Term) -> Term:
        """Return the value that has an image."""
        codes = self._places.codes(type_)
        if codes is None or (type_, term) in self.images:
            return self.images.get((type_, term), term)
        return self._sent(term, {image: code for code, image in enumerate(codes, type_.lo)})

    def _sent(self, term: Term, to: dict[int, int]) -> Term:
        """Return where a value goes."""
        arena = self.encoder.arena
        if term.literal:
            return arena.num(to.get(term.value, term.value))
        return arena.cases(term, lambda code: arena.num(to.get(code, code)))


def _number(term: Term) -> int:
    return term.number
