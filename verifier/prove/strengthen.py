"""Strengthen: settle what is not inductive with invariants that are proposed from play, and show them to the author.

Reads:  an obligation and the step that stands in its way; states of random play.   Writes: a proof and the invariants it
        needs, as rules text; or None.
After:  every proposal holds in each of the states seen; the solver alone decides whether it is an invariant. Each one that is
        used is proved like one of the author's: true at the start, kept by every action. The text can be pasted into the
        rules, and then the claim is proved without any search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, count, permutations

from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.footprint import Footprints
from pilgrim_rules.core.ir import (
    BOOL,
    Apply,
    Binder,
    Bound,
    Claim,
    Expr,
    Fold,
    Game,
    Lit,
    Operator,
    Read,
    Type,
    Variable,
)
from pilgrim_rules.core.show_expr import show
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.evidence.record import STRENGTHENED
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.evaluate import evaluate
from verifier.claims.formulas import disj, implies
from verifier.claims.obligations import Kind, Obligation, affecting
from verifier.play.replay import Failure
from verifier.play.visits import Visits
from verifier.smt.strategy.houdini import Houdini
from verifier.smt.strategy.ladder import Ladder, Settled
from verifier.smt.strategy.oracle import Oracle
from verifier.smt.strategy.refine import Proved

#: The label under which a core names an invariant that was proposed.
LABEL = "strengthening"
#: Candidates that are tried, and steps of all of them together.
MOST, MOST_STEPS = 40, 400
#: What an invariant can help: whatever speaks of all states or steps.
KINDS: frozenset[Kind] = frozenset(
    {
        "range",
        "defined",
        "kept",
        "step",
        "decreases",
        "one_side",
        "one_auto",
        "no_dead_end",
        "policy_covers",
        "weights",
        "no_ties",
    }
)


@dataclass(frozen=True, slots=True)
class Strengthened:
    """A proof, and the text of the invariants that it needs, ready to paste."""

    settled: Settled
    text: tuple[str, ...]


def strengthened(ladder: Ladder, visits: Visits, obligation: Obligation, failure: Failure) -> Strengthened | None:
    """Return a proof with proposed invariants; None if none of them helps."""
    game, footprints = ladder.footprints.game, ladder.footprints
    initial = footprints.joint(each.initial for each in game.variables)
    if obligation.kind not in KINDS or initial.constants & ladder.symbolic:
        return None  # what holds at the start is seen in play only as far as the data are known
    seen = [visits.compiled.layout.decode(state) for state in visits.came]  # the start among them
    claims = tuple(_chosen(footprints, candidates(game, seen), failure))
    if not claims:
        return None
    wider = replace(game, claims=(*game.claims, *claims))
    wide = Footprints.from_game(wider)
    code = compiled(wider, ghosts=True)
    oracle = Oracle(wide, lambda: code)
    houdini = Houdini(replace(ladder, footprints=wide, oracle=oracle), [each.name for each in claims])
    found = houdini.strengthen(obligation)
    if found is None or not found.needed:
        return None
    formulas = {each.name: each.formula for each in claims}
    text = tuple(_declared(game, obligation, [formulas[name] for name in found.needed]))
    core = (*found.core, *(f"{LABEL}:{line}" for line in text))
    return Strengthened(Settled(Proved(core, found.effort), STRENGTHENED, found.proofs), text)


def _chosen(footprints: Footprints, proposed: Sequence[Expr], failure: Failure) -> Iterator[Claim]:
    """Yield candidates to try: those that exclude the state which stands in the way first; nothing if none does."""
    env = Environment(Declarations(footprints.game), failure.before, {})
    excluding = [each for each in proposed if not evaluate(each, env)]
    others = [each for each in proposed if each not in excluding]
    steps = 0
    for number, formula in enumerate((*excluding, *others)[:MOST] if excluding else ()):
        claim = Claim(f"candidate {number}", "invariant", formula)  # a name that rules cannot spell
        steps += len(affecting(footprints.game, claim, footprints))
        if steps > MOST_STEPS:
            return
        yield claim


def _declared(game: Game, obligation: Obligation, formulas: Sequence[Expr]) -> Iterator[str]:
    """Yield invariants as an author would write them, under names that are free."""
    taken = {each.name for each in game.claims} | {each.name for each in game.variables}
    about = obligation.subject or obligation.action or obligation.kind
    free = (name for number in count(1) if (name := f"{about}_helper_{number}") not in taken)
    for formula, name in zip(formulas, free, strict=False):
        yield f"invariant {name}: {show(formula)}"


#: Tables with more cells, and variables with more values than these, are too large to guess at.
CELLS, VALUES = 16, 12
INDEX = ("i", "j", "k", "n", "x", "y", "z")


@dataclass(frozen=True, slots=True)
class ObservedValues:
    """What play shows of one variable: its values in each state, one for each cell."""

    variable: Variable
    codes: Sequence[Sequence[int]]

    @property
    def type(self) -> Type:
        """The type of its values."""
        return self.variable.type

    @property
    def values(self) -> set[int]:
        """Every value that any cell has had."""
        return {code for codes in self.codes for code in codes}


def candidates(game: Game, states: Sequence[Mapping[str, Sequence[int]]]) -> tuple[Expr, ...]:
    """Return what is true in all these states and not true by the types."""
    maker = _Maker(game, states)
    found = (*maker.bounds(), *maker.stages(), *maker.sums(), *maker.pairs())
    return tuple(dict.fromkeys(found))


class _Maker:
    def __init__(self, game: Game, states: Sequence[Mapping[str, Sequence[int]]]) -> None:
        self.game = game
        self.stages_seen = [state["stage"][0] for state in states]
        taken = {each.name for each in game.variables} | {label for each in game.types for label in each.labels}
        self.free = [name for name in INDEX if name not in taken]
        self.all = [
            ObservedValues(variable, [tuple(state[variable.name]) for state in states])
            for variable in game.variables
            if variable.name != "stage" and len(variable.index) <= 1 and _cells(variable) <= CELLS
        ]
        self.single = [each for each in self.all if not each.variable.index]
        self.numbers = [each for each in self.all if each.type.kind == "int"]

    # ---------------------------------------------------------------------------------------------------------- kinds

    def bounds(self) -> Iterator[Expr]:
        """Yield bounds that are tighter than the type."""
        for each in self.numbers:
            low, high = min(each.values), max(each.values)
            if high < each.type.hi:
                yield self._for_all_indices(each, partial(_compare, "<=", high))
            if low > each.type.lo:
                yield self._for_all_indices(each, partial(_compare, ">=", low))

    def stages(self) -> Iterator[Expr]:
        """Yield in which stages a variable has the value that it begins with, or one that it has there alone."""
        known = sorted(set(self.stages_seen))
        for each in self.all:
            for value in sorted(each.values) if len(each.values) <= VALUES else ():
                always = [code for code in known if self._in_stage(each, code) == {value}]
                ever = [code for code in known if value in self._in_stage(each, code)]
                never = [code for code in known if code not in ever]
                if always and always == ever and never:
                    yield self._for_all_indices(each, partial(_exactly_if, self._stage_in(always), value))
                elif always and len(always) < len(known):
                    yield implies(self._stage_in(always), self._for_all_indices(each, partial(_compare, "==", value)))
                elif never:
                    yield implies(self._stage_in(never), self._for_all_indices(each, partial(_compare, "!=", value)))

    def sums(self) -> Iterator[Expr]:
        """Yield sums and differences that stay the same, and numbers that are never above others."""
        for first, second in combinations(self.numbers, 2):
            if first.variable.index == second.variable.index:
                yield from self._linear(first, second)
        totals = [(each, [sum(codes) for codes in each.codes]) for each in self.numbers if each.variable.index]
        for each, sums in totals:
            if len(set(sums)) == 1:
                yield _compare("==", sums[0], self._total(each))
            for other in self.single:
                if other.type.kind == "int":
                    both = {total + codes[0] for total, codes in zip(sums, other.codes, strict=True)}
                    if len(both) == 1:
                        yield _compare("==", both.pop(), _plus(_read(other), self._total(each)))

    def pairs(self) -> Iterator[Expr]:
        """Yield what the value of one variable says of another."""
        small = [each for each in self.single if 1 < len(each.values) <= VALUES]
        for given, then in permutations(small, 2):
            for value in sorted(given.values):
                there = {codes[0] for known, codes in zip(given.codes, then.codes, strict=True) if known[0] == value}
                said = _compare("==", value, _read(given))
                if len(there) == 1:
                    yield implies(said, _compare("==", min(there), _read(then)))
                else:
                    yield from (
                        implies(said, _compare("!=", missing, _read(then))) for missing in sorted(then.values - there)
                    )

    # --------------------------------------------------------------------------------------------------------- helpers

    def _linear(self, first: ObservedValues, second: ObservedValues) -> Iterator[Expr]:
        together = [
            pair
            for mine, theirs in zip(first.codes, second.codes, strict=True)
            for pair in zip(mine, theirs, strict=True)
        ]
        sums, apart = {mine + theirs for mine, theirs in together}, {mine - theirs for mine, theirs in together}
        for small, large, least in ((first, second, max(apart)), (second, first, -min(apart))):
            if len(apart) > 1 and least == 0:
                yield self._for_all_index_pairs(small, large, lambda mine, theirs: Apply("<=", (mine, theirs), BOOL))
        if len(sums) == 1:
            yield self._for_all_index_pairs(
                first, second, lambda mine, theirs: _compare("==", min(sums), _plus(mine, theirs))
            )
        if len(apart) == 1:
            more = min(apart)
            yield self._for_all_index_pairs(
                first, second, lambda mine, theirs: Apply("==", (mine, _more(theirs, more)), BOOL)
            )

    def _in_stage(self, each: ObservedValues, code: int) -> set[int]:
        return {
            value for stage, codes in zip(self.stages_seen, each.codes, strict=True) if stage == code for value in codes
        }

    def _stage_in(self, codes: Sequence[int]) -> Expr:
        stage = Read("stage", (), self.game.stage)
        return disj(Apply("==", (stage, Lit(code, self.game.stage)), BOOL) for code in codes)

    def _for_all_indices(self, each: ObservedValues, body: Callable[[Expr], Expr]) -> Expr:
        return self._for_all_index_pairs(each, each, lambda read, _: body(read))

    def _for_all_index_pairs(
        self, first: ObservedValues, second: ObservedValues, body: Callable[[Expr, Expr], Expr]
    ) -> Expr:
        """Return the body of two variables at the same index, for all of them."""
        if not first.variable.index:
            return body(_read(first), _read(second))
        (index,) = first.variable.index
        bound = Bound(self.free[0], index)
        inner = body(_read(first, bound), _read(second, bound))
        return Fold("all", (Binder(bound.name, index),), None, inner, None, BOOL)

    def _total(self, each: ObservedValues) -> Expr:
        (index,) = each.variable.index
        bound = Bound(self.free[0], index)
        total = Type("", "int", index.size * each.type.lo, index.size * each.type.hi)
        return Fold("sum", (Binder(bound.name, index),), None, _read(each, bound), None, total)


def _cells(variable: Variable) -> int:
    return variable.index[0].size if variable.index else 1


def _read(each: ObservedValues, *index: Expr) -> Expr:
    return Read(each.variable.name, index, each.type)


def _compare(op: Operator, code: int, left: Expr) -> Expr:
    """Compare a value with a constant of its type."""
    return Apply(op, (left, Lit(code, left.type)), BOOL)


def _exactly_if(given: Expr, code: int, left: Expr) -> Expr:
    return Apply("==", (_compare("==", code, left), given), BOOL)


def _plus(left: Expr, right: Expr) -> Expr:
    return Apply("+", (left, right), Type("", "int", left.type.lo + right.type.lo, left.type.hi + right.type.hi))


def _more(left: Expr, more: int) -> Expr:
    return _plus(left, Lit(more, Type("", "int", more, more))) if more else left
