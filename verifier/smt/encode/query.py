"""Query: what is asserted so far, and what is known but not yet written out.

Reads:  nothing.   Writes: assertions under labels, universals kept as recipes for instances, and the log of ground reads.
After:  every formula that reaches a solver has passed through here. Leaving out instances weakens what is asserted: it
        can turn "proved" into "not yet", never a failure into "proved".
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from pilgrim_rules.core.footprint import Pattern
from pilgrim_rules.core.ir import Type
from verifier.smt.encode.encoded_states import Interpretation
from verifier.smt.terms.terms import Arena, Term, Terms

#: Of a counted number with at most this many values, it can be said that it has one of them.
MOST_VALUES = 12


@dataclass(frozen=True, slots=True)
class UniversalSlot:
    """A variable of a universal: its bounds, and the type whose terms may stand for it."""

    name: str
    type: Type

    @property
    def size(self) -> int:
        """How many values it has."""
        return self.type.size


@dataclass(frozen=True, slots=True)
class Skolem:
    """A Skolem constant: a value that the query leaves open, and where it comes from."""

    term: Term
    type: Type
    key: Hashable


@dataclass(slots=True, eq=False)
class Universal:
    """`guard implies` the body for all values of the slots, kept until an instance is wanted.

    instance    the body at given terms, bounds apart.
    violations  the values at which the body is false in a candidate state.
    patterns    reads that mention the slots; their ground instances say where the body is worth having.
    origin      the label of the hypothesis it belongs to: where that is true, no instance is violated.
    """

    name: str
    guard: Term
    slots: tuple[UniversalSlot, ...]
    instance: Callable[[Terms], Term]
    violations: Callable[[Interpretation], Iterator[tuple[int, ...]]]
    patterns: Sequence[Pattern]
    done: set[Terms] = field(default_factory=set)
    origin: str | None = None


@dataclass(slots=True, eq=False)
class OpaqueSum:
    """A sum over a large domain: one number, its definition kept until it is wanted.

    whole    the sum written out; if `small`, that is no burden.
    actual   its value in a candidate state.
    written  the choices whose cells an action writes.
    rest     what is left without them lies between the least and the most that the other cells can hold.
    """

    number: Term
    small: bool
    whole: Callable[[], Term]
    rest: Callable[[list[Terms]], Term]
    actual: Callable[[Interpretation], int]
    written: list[Terms] = field(default_factory=list)
    bounded: bool = False
    defined: bool = False


@dataclass(slots=True)
class Query:
    """The assertions of one obligation, growing while it is refined."""

    arena: Arena = field(default_factory=Arena)
    assertions: list[tuple[str | None, Term]] = field(default_factory=list)
    universals: list[Universal] = field(default_factory=list)
    sums: list[OpaqueSum] = field(default_factory=list)
    log: dict[str, dict[Terms, int]] = field(default_factory=dict)  #: table -> indices it was read at -> generation
    asserted: dict[str, dict[Terms, None]] = field(default_factory=dict)  #: symbol -> arguments in what is asserted
    skolems: list[Skolem] = field(default_factory=list)  #: of goal, guards and arguments, for case splits
    meanings: dict[str, Callable[[Interpretation], int]] = field(
        default_factory=dict
    )  #: what each constant of ours stands for
    partition: bool = False  #: say of each counted number that it has exactly one of its values
    counted: dict[Term, set[int]] = field(default_factory=dict)  #: a number -> the values for which it is counted
    generation: int = 0  #: 0 for goal, guards and writes; 1 for instances; 2 for what is only measured
    _versions: int = 0
    _walked: set[Term] = field(default_factory=set)

    def add(self, term: Term, label: str | None = None) -> None:
        """Assert a term; definitions and instances of a guarded universal carry no label."""
        if term.literal and term.value:
            return
        self.assertions.append((label, term))
        counted = []
        stack = [term]
        while stack:
            node = stack.pop()
            if node not in self._walked:
                self._walked.add(node)
                stack.extend(node.args)
                if node.symbol is not None:
                    self.asserted.setdefault(node.symbol.name, {})[node.args] = None
                if node.op == "linear":
                    counted += [each for each in map(_counted, node.args) if each is not None]
        for number, value in counted:
            values = self.counted.setdefault(number, set())
            if self.partition and not values:
                values.add(value)
                self.add(_one_value(self.arena, number))
            values.add(value)

    @property
    def counts_alike(self) -> bool:
        """Whether some number is counted for two values: what is in one count is not in the other."""
        return any(len(values) > 1 for values in self.counted.values())

    def note_read(self, symbol: str, index: Terms) -> None:
        """Log that a cell of a table is looked at, unless it is only measured."""
        if self.generation > 1:
            return
        self.log.setdefault(symbol, {}).setdefault(index, self.generation)

    def stand_for(self, terms: Terms, choice: Callable[[Interpretation], tuple[int, ...]]) -> None:
        """Say what unknowns of ours stand for: the parts of a choice that can be found in a real state."""

        def part(at: int) -> Callable[[Interpretation], int]:
            return lambda candidate: choice(candidate)[at]

        for at, term in enumerate(terms):
            if not term.literal:
                self.meanings[term.name] = part(at)

    def new_version(self) -> int:
        """Return a number for a new version of a variable's table."""
        self._versions += 1
        return self._versions

    def instantiate(self, universal: Universal, terms: Terms) -> bool:
        """Assert an instance; False if it was there already."""
        if terms in universal.done:
            return False
        universal.done.add(terms)
        arena = self.arena
        with self.later(1):
            body = universal.instance(terms)
        inside = [
            arena.within(term, slot.type.lo, slot.type.hi) for term, slot in zip(terms, universal.slots, strict=True)
        ]
        self.add(arena.implies(arena.conj(universal.guard, *inside), body))
        return True

    @contextmanager
    def later(self, generation: int) -> Iterator[None]:
        """Log reads as of a later generation: they say nothing about where hypotheses matter."""
        before, self.generation = self.generation, max(generation, self.generation)
        yield
        self.generation = before


def _counted(term: Term) -> tuple[Term, int] | None:
    """Return the number and the value of `1 if number == value else 0`; None if the term is something else."""
    if term.op != "ite":
        return None
    test, then, other = term.args
    if test.op != "=" or not test.args[1].literal or not (then.literal and other.literal):
        return None
    number = test.args[0]
    return (number, test.args[1].value) if number.hi - number.lo < MOST_VALUES else None


def _one_value(arena: Arena, number: Term) -> Term:
    """Return that a number has exactly one of its values, as a sum: a solver adds such sums up without splitting cases."""
    values = range(number.lo, number.hi + 1)
    return arena.eq(arena.add(*(arena.as_int(arena.eq(number, arena.num(each))) for each in values)), arena.num(1))
