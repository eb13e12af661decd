"""Candidates: invariants that nobody has written, proposed from what play shows.

Reads:  a game and states that play has visited.   Writes: core formulas, each true in every one of these states.
After:  nothing is claimed: a candidate is worth something once it is proved. The same states give the same candidates, the
        simplest first: tighter bounds, what each stage fixes, sums and differences, what one variable says of another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, permutations

from pilgrim_rules.core.ir import BOOL, Apply, Binder, Bound, Expr, Fold, Game, Lit, Operator, Read, Type, Variable
from verifier.formulas import disj, implies

#: Tables with more cells, and variables with more values than these, are too large to guess at.
CELLS, VALUES = 16, 12
INDEX = ("i", "j", "k", "n", "x", "y", "z")


@dataclass(frozen=True, slots=True)
class Seen:
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
            Seen(variable, [tuple(state[variable.name]) for state in states])
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
                yield self._everywhere(each, partial(_compare, "<=", high))
            if low > each.type.lo:
                yield self._everywhere(each, partial(_compare, ">=", low))

    def stages(self) -> Iterator[Expr]:
        """Yield in which stages a variable has the value that it begins with, or one that it has there alone."""
        known = sorted(set(self.stages_seen))
        for each in self.all:
            for value in sorted(each.values) if len(each.values) <= VALUES else ():
                always = [code for code in known if self._in_stage(each, code) == {value}]
                ever = [code for code in known if value in self._in_stage(each, code)]
                never = [code for code in known if code not in ever]
                if always and always == ever and never:
                    yield self._everywhere(each, partial(_exactly_if, self._stage_in(always), value))
                elif always and len(always) < len(known):
                    yield implies(self._stage_in(always), self._everywhere(each, partial(_compare, "==", value)))
                elif never:
                    yield implies(self._stage_in(never), self._everywhere(each, partial(_compare, "!=", value)))

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

    def _linear(self, first: Seen, second: Seen) -> Iterator[Expr]:
        together = [
            pair
            for mine, theirs in zip(first.codes, second.codes, strict=True)
            for pair in zip(mine, theirs, strict=True)
        ]
        sums, apart = {mine + theirs for mine, theirs in together}, {mine - theirs for mine, theirs in together}
        for small, large, least in ((first, second, max(apart)), (second, first, -min(apart))):
            if len(apart) > 1 and least == 0:
                yield self._both(small, large, lambda mine, theirs: Apply("<=", (mine, theirs), BOOL))
        if len(sums) == 1:
            yield self._both(first, second, lambda mine, theirs: _compare("==", min(sums), _plus(mine, theirs)))
        if len(apart) == 1:
            more = min(apart)
            yield self._both(first, second, lambda mine, theirs: Apply("==", (mine, _more(theirs, more)), BOOL))

    def _in_stage(self, each: Seen, code: int) -> set[int]:
        return {
            value for stage, codes in zip(self.stages_seen, each.codes, strict=True) if stage == code for value in codes
        }

    def _stage_in(self, codes: Sequence[int]) -> Expr:
        stage = Read("stage", (), self.game.stage)
        return disj(Apply("==", (stage, Lit(code, self.game.stage)), BOOL) for code in codes)

    def _everywhere(self, each: Seen, body: Callable[[Expr], Expr]) -> Expr:
        return self._both(each, each, lambda read, _: body(read))

    def _both(self, first: Seen, second: Seen, body: Callable[[Expr, Expr], Expr]) -> Expr:
        """Return the body of two variables at the same index, for all of them."""
        if not first.variable.index:
            return body(_read(first), _read(second))
        (index,) = first.variable.index
        bound = Bound(self.free[0], index)
        inner = body(_read(first, bound), _read(second, bound))
        return Fold("all", (Binder(bound.name, index),), None, inner, None, BOOL)

    def _total(self, each: Seen) -> Expr:
        (index,) = each.variable.index
        bound = Bound(self.free[0], index)
        total = Type("", "int", index.size * each.type.lo, index.size * each.type.hi)
        return Fold("sum", (Binder(bound.name, index),), None, _read(each, bound), None, total)


def _cells(variable: Variable) -> int:
    return variable.index[0].size if variable.index else 1


def _read(each: Seen, *index: Expr) -> Expr:
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
