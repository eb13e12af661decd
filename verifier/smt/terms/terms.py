"""Terms: the small logic between the core and the solvers, with sharing and folding.

Reads:  nothing.   Writes: `Term` nodes of one `Arena`, equal terms being one object.
After:  every integer term carries bounds that hold in every well-typed state, so most comparisons fold away here; no
        solver is needed to build, print or evaluate a term.

The bounds of a constant or of a function value are its type. They are asserted beside every such term that reaches a
solver, hence folding by bounds loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pilgrim_rules.core.ir import OPEN_END
from pilgrim_rules.core.operators import OPERATIONS

Sort: TypeAlias = Literal["Int", "Bool"]
Op: TypeAlias = Literal[
    "num", "truth", "const", "app", "linear", "times", "div", "ite", "=", "<=", "and", "or", "not",
]  # fmt: skip
Value: TypeAlias = int | bool

#: Up to this many values a factor, or a quotient, is spelled out case by case, which keeps the arithmetic linear.
SPELLED_OUT = 24


@dataclass(frozen=True, slots=True)
class Symbol:
    """A function or (without arguments) a constant, as the solver knows it."""

    name: str
    arity: int
    sort: Sort
    lo: int
    hi: int


def symbol_of_label(label: str) -> str:
    """Return the name under which a solver knows a label: one that no cell, constant or argument of a game can have."""
    return f"label:{label}"


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """One node.

    value    of a literal, a truth value being 0 or 1; of a linear sum, the part without unknowns.
    factors  of a linear sum, one for each argument.
    symbol   of a constant or a function value.
    """

    number: int
    op: Op
    args: tuple[Term, ...]
    sort: Sort
    lo: int
    hi: int
    value: int
    factors: tuple[int, ...]
    symbol: Symbol | None

    def __repr__(self) -> str:
        inner = f"({', '.join(map(repr, self.args))})" if self.args else ""
        match self.op:
            case "num":
                return str(self.value)
            case "truth":
                return "true" if self.value else "false"
            case "const" | "app":
                return f"{self.name}{inner}"
            case "linear":
                return f"{self.value} + {self.factors}{inner}"
            case _:  # an operator
                return f"{self.op}{inner}"

    @property
    def literal(self) -> bool:
        """Whether the term is a number or a truth value."""
        return self.op in ("num", "truth")

    @property
    def name(self) -> str:
        """The name of a constant or function."""
        assert self.symbol is not None, "only constants and function values have a name"
        return self.symbol.name


Terms: TypeAlias = tuple[Term, ...]


@dataclass(slots=True)
class Arena:
    """All terms of one query."""

    _known: dict[tuple[object, ...], Term] = field(default_factory=dict)
    _fresh: dict[str, int] = field(default_factory=dict)

    # ------------------------------------------------------------------------------------------------------ leaves

    def num(self, value: int) -> Term:
        """Return a number."""
        return self._make("num", (), "Int", value, value, value=value)

    def truth(self, value: bool) -> Term:  # noqa: FBT001  (the value is the point)
        """Return a truth value."""
        return self._make("truth", (), "Bool", value=int(value))

    def const(self, name: str, sort: Sort = "Bool", lo: int = 0, hi: int = 1) -> Term:
        """Return a constant; one that can have a single value is that number."""
        if sort == "Int" and lo == hi:
            return self.num(lo)
        return self._make("const", (), sort, lo, hi, symbol=Symbol(name, 0, sort, lo, hi))

    def fresh(self, stem: str, sort: Sort = "Bool", lo: int = 0, hi: int = 1) -> Term:
        """Return a constant that nobody else has; its name is the stem and a number."""
        count = self._fresh[stem] = self._fresh.get(stem, 0) + 1
        return self.const(f"{stem}!{count}", sort, lo, hi)

    def app(self, symbol: Symbol, args: Sequence[Term]) -> Term:
        """Return the value of a function."""
        if symbol.arity == 0:
            return self.const(symbol.name, symbol.sort, symbol.lo, symbol.hi)
        if symbol.sort == "Int" and symbol.lo == symbol.hi:
            return self.num(symbol.lo)
        return self._make("app", tuple(args), symbol.sort, symbol.lo, symbol.hi, symbol=symbol)

    # -------------------------------------------------------------------------------------------------- arithmetic

    def linear(self, offset: int, parts: Iterable[tuple[int, Term]]) -> Term:
        """Return `offset` plus the parts, each a factor and a term; like terms are collected."""
        factors: dict[Term, int] = {}
        for factor, term in parts:
            match term.op:
                case "num":
                    offset += factor * term.value
                case "linear":
                    offset += factor * term.value
                    for each, atom in zip(term.factors, term.args, strict=True):
                        factors[atom] = factors.get(atom, 0) + factor * each
                case _:  # an atom of the sum
                    factors[term] = factors.get(term, 0) + factor
        kept = sorted(((term, factor) for term, factor in factors.items() if factor), key=lambda pair: pair[0].number)
        if not kept:
            return self.num(offset)
        if len(kept) == 1 and offset == 0 and kept[0][1] == 1:
            return kept[0][0]
        lo = offset + sum(factor * (term.lo if factor > 0 else term.hi) for term, factor in kept)
        hi = offset + sum(factor * (term.hi if factor > 0 else term.lo) for term, factor in kept)
        atoms, multiples = tuple(term for term, _ in kept), tuple(factor for _, factor in kept)
        return self._make("linear", atoms, "Int", lo, hi, value=offset, factors=multiples)

    def add(self, *terms: Term) -> Term:
        """Return the sum."""
        return self.linear(0, ((1, term) for term in terms))

    def sub(self, left: Term, right: Term) -> Term:
        """Return the difference."""
        return self.linear(0, ((1, left), (-1, right)))

    def mul(self, left: Term, right: Term) -> Term:
        """Return the product; a factor with few values is spelled out."""
        if right.hi - right.lo < left.hi - left.lo:
            left, right = right, left
        if left.literal:
            return self.linear(0, ((left.value, right),))
        if left.hi - left.lo < SPELLED_OUT:
            return self.cases(left, lambda value: self.linear(0, ((value, right),)))
        lo, hi = OPERATIONS["*"].interval((left.lo, left.hi), (right.lo, right.hi))
        return self._make("times", (left, right), "Int", lo, hi)

    def div(self, left: Term, right: Term) -> Term:
        """Return the floor of the quotient; the divisor is positive wherever the value matters."""
        if not right.literal:
            if right.hi - right.lo < SPELLED_OUT:
                return self.cases(right, lambda value: self.div(left, self.num(value)) if value > 0 else self.num(0))
            lo, hi = OPERATIONS["div"].interval((left.lo, left.hi), (right.lo, right.hi))
            quotient = self._make("div", (left, right), "Int", lo, hi)
            return self.ite(self.le(right, self.num(0)), self.num(0), quotient)
        by = right.value
        if by <= 0:
            return self.num(0)
        low, high = left.lo // by, left.hi // by
        if high - low >= SPELLED_OUT:
            return self._make("div", (left, right), "Int", low, high)
        quotient = self.num(low)
        for value in range(low + 1, high + 1):
            quotient = self.ite(self.le(self.num(value * by), left), self.num(value), quotient)
        return quotient

    def mod(self, left: Term, right: Term) -> Term:
        """Return the remainder of the floor division."""
        return self.sub(left, self.mul(right, self.div(left, right)))

    def cases(self, term: Term, value: Callable[[int], Term]) -> Term:
        """Return the chain that gives `value(v)` where the term is v, for every v within its bounds."""
        chain = value(term.hi)
        for each in range(term.hi - 1, term.lo - 1, -1):
            chain = self.ite(self.eq(term, self.num(each)), value(each), chain)
        return chain

    # ------------------------------------------------------------------------------------------------- comparisons

    def eq(self, left: Term, right: Term) -> Term:
        """Return the equation of two terms of one sort."""
        if left is right:
            return self.truth(True)
        if left.sort == "Bool":
            return self.iff(left, right)
        if left.hi < right.lo or right.hi < left.lo:
            return self.truth(False)
        if left.literal and right.literal:
            return self.truth(left.value == right.value)
        if left.literal:
            left, right = right, left
        if right.literal and left.op == "ite":
            test, then, other = left.args
            if then.literal or other.literal:  # a value chosen by cases compares case by case
                return self.ite(test, self.eq(then, right), self.eq(other, right))
        gap = self.sub(left, right)
        if gap.literal:
            return self.truth(gap.value == 0)
        if gap.op == "linear" and len(gap.args) == 1:  # one unknown: solve for it
            (atom,), (factor,) = gap.args, gap.factors
            if gap.value % factor:
                return self.truth(False)
            right = self.num(-gap.value // factor)
            if atom is not left:
                return self.eq(atom, right)
        if right.number < left.number and not right.literal:
            left, right = right, left
        return self._make("=", (left, right), "Bool")

    def le(self, left: Term, right: Term) -> Term:
        """Return `left <= right`."""
        if left.hi <= right.lo:
            return self.truth(True)
        if left.lo > right.hi:
            return self.truth(False)
        gap = self.sub(right, left)
        if gap.lo >= 0 or gap.hi < 0:
            return self.truth(gap.lo >= 0)
        if gap.op == "linear" and len(gap.args) == 1:
            (atom,), (factor,) = gap.args, gap.factors
            if factor > 0:
                left, right = self.num(-(gap.value // factor)), atom
            else:
                left, right = atom, self.num(gap.value // -factor)
        for side, whole in ((left, right), (right, left)):
            if whole.literal and side.op == "ite" and (side.args[1].literal or side.args[2].literal):
                test, then, other = side.args
                if side is left:
                    return self.ite(test, self.le(then, right), self.le(other, right))
                return self.ite(test, self.le(left, then), self.le(left, other))
        return self._make("<=", (left, right), "Bool")

    def lt(self, left: Term, right: Term) -> Term:
        """Return `left < right`."""
        return self.le(self.linear(1, ((1, left),)), right)

    def within(self, term: Term, lo: int, hi: int) -> Term:
        """Return `lo <= term <= hi`; an end that means that there is none is no bound."""
        sides = [] if lo <= -OPEN_END else [self.le(self.num(lo), term)]
        return self.conj(*sides, *([] if hi >= OPEN_END else [self.le(term, self.num(hi))]))

    # ------------------------------------------------------------------------------------------------- connectives

    def ite(self, test: Term, then: Term, other: Term) -> Term:
        """Return `then` if the test holds, otherwise `other`."""
        if test.literal:
            return then if test.value else other
        if then is other:
            return then
        if test.op == "not":
            return self.ite(test.args[0], other, then)
        if then.sort == "Bool":
            if then.literal:
                return self.disj(test, other) if then.value else self.conj(self.neg(test), other)
            if other.literal:
                return self.disj(self.neg(test), then) if other.value else self.conj(test, then)
        if then.op == "ite" and then.args[0] is test:
            return self.ite(test, then.args[1], other)
        if other.op == "ite" and other.args[0] is test:
            return self.ite(test, then, other.args[2])
        return self._make("ite", (test, then, other), then.sort, min(then.lo, other.lo), max(then.hi, other.hi))

    def neg(self, term: Term) -> Term:
        """Return the negation."""
        if term.literal:
            return self.truth(not term.value)
        if term.op == "not":
            return term.args[0]
        return self._make("not", (term,), "Bool")

    def conj(self, *terms: Term) -> Term:
        """Return the conjunction."""
        return self._join("and", terms, unit=True)

    def disj(self, *terms: Term) -> Term:
        """Return the disjunction."""
        return self._join("or", terms, unit=False)

    def implies(self, left: Term, right: Term) -> Term:
        """Return the implication."""
        return self.disj(self.neg(left), right)

    def iff(self, left: Term, right: Term) -> Term:
        """Return the equivalence."""
        if left is right:
            return self.truth(True)
        for side, other in ((left, right), (right, left)):
            if side.literal:
                return other if side.value else self.neg(other)
        if left.op == "not" and right.op == "not":
            return self.iff(left.args[0], right.args[0])
        if right.number < left.number:
            left, right = right, left
        return self._make("=", (left, right), "Bool")

    def as_int(self, term: Term) -> Term:
        """Return the code of a truth value; integers stay as they are."""
        return term if term.sort == "Int" else self.ite(term, self.num(1), self.num(0))

    def as_bool(self, term: Term) -> Term:
        """Return the truth value of a code; truth values stay as they are."""
        return term if term.sort == "Bool" else self.neg(self.eq(term, self.num(0)))

    # --------------------------------------------------------------------------------------------------- internals

    def _join(self, op: Literal["and", "or"], terms: Iterable[Term], *, unit: bool) -> Term:
        kept: dict[Term, None] = {}
        for term in terms:
            for part in term.args if term.op == op else (term,):
                if part.literal:
                    if bool(part.value) != unit:
                        return part
                elif self.neg(part) in kept:
                    return self.truth(not unit)
                else:
                    kept[part] = None
        if not kept:
            return self.truth(unit)
        if len(kept) == 1:
            return next(iter(kept))
        return self._make(op, tuple(kept), "Bool")

    def _make(
        self,
        op: Op,
        args: tuple[Term, ...],
        sort: Sort,
        lo: int = 0,
        hi: int = 1,
        *,
        value: int = 0,
        factors: tuple[int, ...] = (),
        symbol: Symbol | None = None,
    ) -> Term:
        key = (op, sort, value, factors, symbol, *(arg.number for arg in args))
        term = self._known.get(key)
        if term is None:
            term = self._known[key] = Term(len(self._known), op, args, sort, lo, hi, value, factors, symbol)
        return term
