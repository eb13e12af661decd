"""Steps: the statements of an action, executed on terms.

Reads:  statements in a scope.   Writes: the state after them, and the checks that keep the rules free of contradiction.
After:  every write is under the condition of its path; a loop over a small domain is unrolled, a simultaneous one over a
        large domain is kept as a function of the index.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import assert_never

from pilgrim_rules.core.ir import Assign, Branch, Define, Expr, Loop, Stmt
from verifier.definedness import both, defined
from verifier.smt import picks, sweeps
from verifier.smt.domains import Domain
from verifier.smt.encode import Encoder
from verifier.smt.query import Terms
from verifier.smt.sign import Sign
from verifier.smt.states import Delayed, Point, Scope, State
from verifier.smt.terms import Term

#: Up to this many values a simultaneous loop is unrolled.
UNROLLED = 16


@dataclass(frozen=True, slots=True)
class Check:
    """Something that must hold or the rules contradict themselves here.

    key    the line that would be to blame.      about  the variables it is about, for finding hypotheses.
    """

    key: str
    holds: Callable[[Sign], Term]
    about: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Entry:
    """A write that a simultaneous loop keeps until its end."""

    stmt: Assign
    condition: Term
    index: Terms
    value: Term


@dataclass(slots=True)
class Run:
    """One execution. In a simultaneous loop writes go to the ledger, and every branch is entered."""

    encoder: Encoder
    checks: list[Check] = field(default_factory=list)

    def block(self, block: tuple[Stmt, ...], scope: Scope, path: Term, ledger: list[Entry] | None = None) -> State:
        """Return the state after the statements; with a ledger the state stays as it is."""
        for stmt in block:
            match stmt:
                case Assign():
                    scope = replace(scope, now=self._assign(stmt, scope, path, ledger))
                case Define(name=name, value=value):
                    self._must_be_defined(scope, path, "", value)
                    scope = scope.bind({name: Delayed(value, scope)})
                case Branch():
                    scope = replace(scope, now=self._branch(stmt, scope, path, ledger))
                case Loop(simultaneous=True):
                    scope = replace(scope, now=self._together(stmt, scope, path, ledger))
                case Loop():
                    scope = replace(scope, now=self._in_turn(stmt, scope, path, ledger))
                case _:
                    assert_never(stmt)
        return scope.now

    # ---------------------------------------------------------------------------------------------------- statements

    def _assign(self, stmt: Assign, scope: Scope, path: Term, ledger: list[Entry] | None) -> State:
        encoder, arena = self.encoder, self.encoder.arena
        variable = encoder.survey.world.variables[stmt.variable]
        self._must_be_defined(scope, path, stmt.key, *stmt.index, stmt.value)
        index = tuple(encoder.code(each, scope) for each in stmt.index)
        value = encoder.value(stmt.value, scope)
        value = arena.as_bool(value) if variable.type.kind == "bool" else arena.as_int(value)
        if ledger is not None:
            ledger.append(Entry(stmt, path, index, value))
            return scope.now
        after = value if stmt.mode == "set" else arena.add(scope.now.read(variable, index), value)
        self.must_fit(stmt, path, after)
        return scope.now.write(variable, Point(path, index, after))

    def _branch(self, stmt: Branch, scope: Scope, path: Term, ledger: list[Entry] | None) -> State:
        arena = self.encoder.arena
        self._must_be_defined(scope, path, "", stmt.test)
        test = self.encoder.truth(stmt.test, scope, 0)
        then = self.block(stmt.then, scope, arena.conj(path, test), ledger)
        other = self.block(stmt.other, scope, arena.conj(path, arena.neg(test)), ledger)
        return scope.now.joined(then, other)

    def _in_turn(self, loop: Loop, scope: Scope, path: Term, ledger: list[Entry] | None) -> State:
        arena = self.encoder.arena
        self._must_be_defined(scope, path, "", *(() if loop.binder.start is None else (loop.binder.start,)))
        start = scope  # the engine asks what the loop ranges over before the first round
        for value in picks.in_order(self.encoder, loop.binder, start):
            _, counts = picks.admitted(self.encoder, loop.binder, value, start)
            inner = scope.bind({loop.binder.name: value})
            round_path = self._where(loop, inner, arena.conj(path, counts))
            scope = replace(scope, now=self.block(loop.body, inner, round_path, ledger))
        return scope.now

    def _together(self, loop: Loop, scope: Scope, path: Term, ledger: list[Entry] | None) -> State:
        domain = Domain.of(self.encoder, (loop.binder,))
        small = domain.size <= UNROLLED or self.encoder.spell_out or scope.concrete
        if ledger is None and not small:
            swept = sweeps.sweep(self, loop, scope, path)
            if swept is not None:
                return swept
        entries: list[Entry] = [] if ledger is None else ledger
        for terms in domain.choices():
            self.round(loop, domain, terms, scope, path, entries)
        return scope.now if ledger is not None else self._post(entries, scope.now)

    def round(self, loop: Loop, domain: Domain, terms: Terms, scope: Scope, path: Term, ledger: list[Entry]) -> None:
        """Run the body of a simultaneous loop for one choice, into the ledger."""
        inner, counts = domain.enter(terms, scope)
        self.block(loop.body, inner, self._where(loop, inner, self.encoder.arena.conj(path, counts)), ledger)

    def _where(self, loop: Loop, scope: Scope, path: Term) -> Term:
        if loop.where is None:
            return path
        self._must_be_defined(scope, path, "", loop.where)
        return self.encoder.arena.conj(path, self.encoder.truth(loop.where, scope, 0))

    def _post(self, entries: list[Entry], state: State) -> State:
        """Return the state after the ledger of a simultaneous loop: settings first, then the sums of additions."""
        arena, variables = self.encoder.arena, self.encoder.survey.world.variables
        self.must_not_meet(entries)
        for entry in entries:
            if entry.stmt.mode == "set":
                self.must_fit(entry.stmt, entry.condition, entry.value)
                state = state.write(variables[entry.stmt.variable], Point(entry.condition, entry.index, entry.value))
        added = [entry for entry in entries if entry.stmt.mode == "add"]
        for entry in added:
            variable = variables[entry.stmt.variable]
            total = arena.add(state.read(variable, entry.index), entry.value)
            state = state.write(variable, Point(entry.condition, entry.index, total))
        for entry in added:
            self.must_fit(entry.stmt, entry.condition, state.read(variables[entry.stmt.variable], entry.index))
        return state

    # -------------------------------------------------------------------------------------------------------- checks

    def must_fit(self, stmt: Assign, path: Term, value: Term) -> None:
        """Check that a written value lies in the type of its variable."""
        type_ = self.encoder.survey.world.variables[stmt.variable].type
        arena = self.encoder.arena
        if value.sort == "Int":
            about = self.encoder.survey.footprint(stmt.value).variables | {stmt.variable}
            self._must(stmt.key, arena.implies(path, arena.within(value, type_.lo, type_.hi)), about)

    def must_not_meet(self, entries: list[Entry]) -> None:
        """Check that a simultaneous loop sets no cell twice, and sets none that it adds to."""
        arena = self.encoder.arena
        for first, second in combinations(entries, 2):
            if first.stmt.variable == second.stmt.variable and "set" in (first.stmt.mode, second.stmt.mode):
                same = (arena.eq(mine, theirs) for mine, theirs in zip(first.index, second.index, strict=True))
                meet = arena.conj(first.condition, second.condition, *same)
                about = self.encoder.survey.footprints((*first.stmt.index, *second.stmt.index)).variables
                self._must(second.stmt.key, arena.neg(meet), about)

    def _must_be_defined(self, scope: Scope, path: Term, key: str, *exprs: Expr) -> None:
        wanted = both(*map(defined, exprs))
        if wanted is not None:
            encoder = self.encoder
            about = encoder.survey.footprint(wanted).variables
            self.checks.append(
                Check(key, lambda sign: encoder.arena.implies(path, encoder.truth(wanted, scope, sign)), about)
            )

    def _must(self, key: str, term: Term, about: frozenset[str]) -> None:
        if not (term.literal and term.value):
            self.checks.append(Check(key, lambda _sign: term, about))
