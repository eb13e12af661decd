"""States as the encoder sees them: where the cells come from, and the writes since.

Reads:  terms for indices and values.   Writes: terms for reads; reads of unknown cells are logged in the query.
After:  a table's value at an index is its list of writes, latest first, over the source: no frame axioms are needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

from pilgrim_rules.core.ir import Expr, Variable, When
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.state_layout import Position
from verifier.smt.terms.terms import Arena, Sort, Symbol, Term, Terms


class ReadLog(Protocol):
    """The query, as far as states know it: where terms are made, reads are logged and versions counted."""

    @property
    def arena(self) -> Arena:
        """Where terms are made."""
        ...

    def note_read(self, symbol: str, index: Terms) -> None:
        """Log that a cell of a table is looked at."""
        ...

    def new_version(self) -> int:
        """Return a number for a new version of a variable's table."""
        ...


class Source(Protocol):
    """Where cells that were not written come from."""

    def read(self, variable: Variable, index: Terms) -> Term:
        """Return the value of a cell."""
        ...


@dataclass(frozen=True, slots=True)
class Symbolic:
    """Any well-typed state: each variable is an uninterpreted function. `copy` tells several such states apart."""

    log: ReadLog
    copy: str = ""

    def read(self, variable: Variable, index: Terms) -> Term:
        """Return the function value; the read is logged, for it says where hypotheses matter."""
        self.log.note_read(variable.name, index)
        type_ = variable.type
        sort: Sort = "Bool" if type_.kind == "bool" else "Int"
        symbol = Symbol(variable.name + self.copy, len(index), sort, type_.lo, type_.hi)
        return self.log.arena.app(symbol, index)


@dataclass(frozen=True, slots=True)
class Veiled:
    """A state that looks like another one where somebody can see it, and may differ elsewhere.

    seen    whether a cell of a variable can be seen.      hidden  where the other cells come from.
    """

    like: EncodedState
    hidden: Symbolic
    seen: Callable[[Variable, Terms], Term]

    def read(self, variable: Variable, index: Terms) -> Term:
        """Return the value of the cell: the other state's where it can be seen."""
        seen = self.seen(variable, index)
        if seen.literal and seen.value:
            return self.like.read(variable, index)
        arena = self.hidden.log.arena
        return arena.ite(seen, self.like.read(variable, index), self.hidden.read(variable, index))


@dataclass(frozen=True, slots=True)
class Mirrored:
    """The image of another state.

    cell   the image's cell, read from the other state.       image  the same of a whole position.
    """

    like: EncodedState
    cell: Callable[[Variable, Terms], Term]
    image: Callable[[Position], Position]

    def read(self, variable: Variable, index: Terms) -> Term:
        """Return the value of the cell."""
        return self.cell(variable, index)


@dataclass(frozen=True, slots=True)
class Computed:
    """A state whose cells are given by a function of the index: the initial state, or a concrete one."""

    cell: Callable[[Variable, Terms], Term]

    def read(self, variable: Variable, index: Terms) -> Term:
        """Return what the function says."""
        return self.cell(variable, index)


@dataclass(frozen=True, slots=True, eq=False)
class CellWrite:
    """One cell written: under a condition, at an index, with a value."""

    condition: Term
    index: Terms
    value: Term


@dataclass(frozen=True, slots=True, eq=False)
class BulkWrite:
    """Many cells written at once by a simultaneous loop over a large domain.

    at     the value at an index, given the value before.
    after  the codes of the whole table after the loop, in a candidate state.
    """

    at: Callable[[Terms, Term], Term]
    after: Callable[[Interpretation], Sequence[int]]


Write: TypeAlias = CellWrite | BulkWrite


@dataclass(frozen=True, slots=True, eq=False)
class EncodedState:
    """A state: a source and the writes since, variable by variable, oldest first."""

    log: ReadLog
    source: Source
    versions: Mapping[str, int]
    writes: Mapping[str, tuple[Write, ...]] = field(default_factory=dict)
    origin: EncodedState | None = None  #: the same source without the writes

    @classmethod
    def fresh(cls, log: ReadLog, source: Source, variables: Mapping[str, Variable]) -> EncodedState:
        """Return a state of its own."""
        return cls(log, source, {name: log.new_version() for name in variables})

    @property
    def root(self) -> EncodedState:
        """The state before all writes."""
        return self if self.origin is None else self.origin

    def read(self, variable: Variable, index: Terms) -> Term:
        """Return the value of a cell."""
        arena = self.log.arena
        term = self.source.read(variable, index)
        for write in self.writes.get(variable.name, ()):
            match write:
                case CellWrite(condition=condition, index=at, value=value):
                    same = (arena.eq(mine, theirs) for mine, theirs in zip(at, index, strict=True))
                    term = arena.ite(arena.conj(condition, *same), value, term)
                case BulkWrite(at=at_index):
                    term = at_index(index, term)
        return term

    def joined(self, then: EncodedState, other: EncodedState) -> EncodedState:
        """Return the state after two branches that both began here; their writes exclude each other."""
        if then is self or other is self:
            return other if then is self else then
        writes = dict(then.writes)
        versions = dict(then.versions)
        for name, whole in other.writes.items():
            since = whole[len(self.writes.get(name, ())) :]
            if since:
                writes[name] = (*then.writes.get(name, ()), *since)
                versions[name] = self.log.new_version()
        return EncodedState(self.log, self.source, versions, writes, self.root)

    def write(self, variable: Variable, write: Write) -> EncodedState:
        """Return the state after one more write."""
        log = self.log
        if isinstance(write, CellWrite):
            if write.condition.literal and not write.condition.value:
                return self
            log.note_read(variable.name, write.index)  # what is overwritten matters to the hypotheses
        name = variable.name
        return EncodedState(
            log,
            self.source,
            {**self.versions, name: log.new_version()},
            {**self.writes, name: (*self.writes.get(name, ()), write)},
            self.root,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Delayed:
    """What a name stands for, encoded where it is used: a Boolean as it is used there, and what nobody uses not at all."""

    expr: Expr
    scope: Scope


Meaning: TypeAlias = Term | Delayed


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """What an expression can see: the names bound around, and the states now, before and after."""

    names: Mapping[str, Meaning]
    now: EncodedState
    old: EncodedState | None = None
    next: EncodedState | None = None

    def bind(self, names: Mapping[str, Meaning]) -> Scope:
        """Return the scope with more names."""
        return replace(self, names={**self.names, **names})

    def state(self, when: When) -> EncodedState:
        """Return the state that a read means."""
        state = {"now": self.now, "old": self.old, "next": self.next}[when]
        assert state is not None, f"no state is known as `{when}` here"
        return state

    @property
    def concrete(self) -> bool:
        """Whether the cells are computed, so that spelling things out ends in literals."""
        return isinstance(self.now.source, Computed)

    def roots(self) -> Scope:
        """Return the scope in which every state is taken back to its source."""
        old = None if self.old is None else self.old.root
        return replace(self, now=self.now.root, old=old, next=None if self.next is None else self.next.root)


class Interpretation(Protocol):
    """Values for everything that a query leaves open: a solver's model completed to states, or a real state."""

    def value(self, term: Term) -> int:
        """Return the value of a term; a truth value counts as 0 or 1."""
        ...

    def position(self, state: EncodedState) -> Position:
        """Return the concrete codes of a state."""
        ...

    def env(self, scope: Scope, names: Sequence[str]) -> Environment:
        """Return what the evaluator sees where an expression saw the scope; only the given names are needed."""
        ...
