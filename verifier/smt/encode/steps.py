"""Steps: the statements of an action, executed on terms.

Reads:  statements in a scope.   Writes: the state after them, and the checks that keep the rules free of contradiction.
After:  every write is under the condition of its path; a loop over a small domain is unrolled, a simultaneous one over a
        large domain is kept as a function of the index.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from pilgrim_rules.core.ir import Assign, Branch, Define, Loop, Stmt
from verifier.smt.encode import bulk_loop, choice
from verifier.smt.encode.context import Context
from verifier.smt.encode.domains import Domain
from verifier.smt.encode.encoded_states import CellWrite, Delayed, EncodedState, Scope
from verifier.smt.encode.write_checks import PendingWrite, WriteChecks
from verifier.smt.terms.terms import Term, Terms

#: Up to this many values a simultaneous loop is unrolled.
UNROLLED = 16


@dataclass(slots=True)
class StepEncoder:
    """One execution. In a simultaneous loop writes go to the ledger, and every branch is entered."""

    encoder: Context
    checks: WriteChecks

    @classmethod
    def fresh(cls, encoder: Context) -> StepEncoder:
        """Return an execution of which nothing has run yet."""
        return cls(encoder, WriteChecks(encoder))

    def block(
        self, block: tuple[Stmt, ...], scope: Scope, path: Term, ledger: list[PendingWrite] | None = None
    ) -> EncodedState:
        """Return the state after the statements; with a ledger the state stays as it is."""
        for stmt in block:
            match stmt:
                case Assign():
                    scope = replace(scope, now=self._assign(stmt, scope, path, ledger))
                case Define(name=name, value=value):
                    self.checks.must_be_defined(scope, path, "", value)
                    scope = scope.bind({name: Delayed(value, scope)})
                case Branch():
                    scope = replace(scope, now=self._branch(stmt, scope, path, ledger))
                case Loop(simultaneous=True):
                    scope = replace(scope, now=self._simultaneous_loop(stmt, scope, path, ledger))
                case Loop():
                    scope = replace(scope, now=self._sequential_loop(stmt, scope, path, ledger))
                case _:
                    assert_never(stmt)
        return scope.now

    # ---------------------------------------------------------------------------------------------------- statements

    def _assign(self, stmt: Assign, scope: Scope, path: Term, ledger: list[PendingWrite] | None) -> EncodedState:
        encoder, arena = self.encoder, self.encoder.arena
        variable = encoder.footprints.declared.variables[stmt.variable]
        self.checks.must_be_defined(scope, path, stmt.key, *stmt.index, stmt.value)
        index = tuple(encoder.code(each, scope) for each in stmt.index)
        value = encoder.value(stmt.value, scope)
        value = arena.as_bool(value) if variable.type.kind == "bool" else arena.as_int(value)
        if ledger is not None:
            ledger.append(PendingWrite(stmt, path, index, value))
            return scope.now
        after = value if stmt.mode == "set" else arena.add(scope.now.read(variable, index), value)
        self.checks.must_fit(stmt, path, after)
        return scope.now.write(variable, CellWrite(path, index, after))

    def _branch(self, stmt: Branch, scope: Scope, path: Term, ledger: list[PendingWrite] | None) -> EncodedState:
        arena = self.encoder.arena
        self.checks.must_be_defined(scope, path, "", stmt.test)
        test = self.encoder.truth(stmt.test, scope, 0)
        then = self.block(stmt.then, scope, arena.conj(path, test), ledger)
        other = self.block(stmt.other, scope, arena.conj(path, arena.neg(test)), ledger)
        return scope.now.joined(then, other)

    def _sequential_loop(self, loop: Loop, scope: Scope, path: Term, ledger: list[PendingWrite] | None) -> EncodedState:
        arena = self.encoder.arena
        self.checks.must_be_defined(scope, path, "", *(() if loop.binder.start is None else (loop.binder.start,)))
        start = scope  # the engine asks what the loop ranges over before the first round
        for value in choice.in_order(self.encoder, loop.binder, start):
            _, counts = choice.admitted(self.encoder, loop.binder, value, start)
            inner = scope.bind({loop.binder.name: value})
            round_path = self._where(loop, inner, arena.conj(path, counts))
            scope = replace(scope, now=self.block(loop.body, inner, round_path, ledger))
        return scope.now

    def _simultaneous_loop(
        self, loop: Loop, scope: Scope, path: Term, ledger: list[PendingWrite] | None
    ) -> EncodedState:
        domain = Domain.from_binders(self.encoder, (loop.binder,))
        small = domain.size <= UNROLLED or self.encoder.spell_out or scope.concrete
        if ledger is None and not small:
            after = bulk_loop.bulk_write(self.encoder, loop, scope, path, self.checks, _run_round)
            if after is not None:
                return after
        entries: list[PendingWrite] = [] if ledger is None else ledger
        for terms in domain.choices():
            self.round(loop, domain, terms, scope, path, entries)
        return scope.now if ledger is not None else self._post(entries, scope.now)

    def round(
        self, loop: Loop, domain: Domain, terms: Terms, scope: Scope, path: Term, ledger: list[PendingWrite]
    ) -> None:
        """Run the body of a simultaneous loop for one choice, into the ledger."""
        inner, counts = domain.enter(terms, scope)
        self.block(loop.body, inner, self._where(loop, inner, self.encoder.arena.conj(path, counts)), ledger)

    def _where(self, loop: Loop, scope: Scope, path: Term) -> Term:
        if loop.where is None:
            return path
        self.checks.must_be_defined(scope, path, "", loop.where)
        return self.encoder.arena.conj(path, self.encoder.truth(loop.where, scope, 0))

    def _post(self, entries: list[PendingWrite], state: EncodedState) -> EncodedState:
        """Return the state after the ledger of a simultaneous loop: settings first, then the sums of additions."""
        arena, variables = self.encoder.arena, self.encoder.footprints.declared.variables
        self.checks.must_not_meet(entries)
        for entry in entries:
            if entry.stmt.mode == "set":
                self.checks.must_fit(entry.stmt, entry.condition, entry.value)
                state = state.write(
                    variables[entry.stmt.variable], CellWrite(entry.condition, entry.index, entry.value)
                )
        added = [entry for entry in entries if entry.stmt.mode == "add"]
        for entry in added:
            variable = variables[entry.stmt.variable]
            total = arena.add(state.read(variable, entry.index), entry.value)
            state = state.write(variable, CellWrite(entry.condition, entry.index, total))
        for entry in added:
            self.checks.must_fit(entry.stmt, entry.condition, state.read(variables[entry.stmt.variable], entry.index))
        return state


def _run_round(
    checks: WriteChecks, loop: Loop, domain: Domain, terms: Terms, scope: Scope, path: Term
) -> list[PendingWrite]:
    """Return what the body of a simultaneous loop writes for one choice."""
    ledger: list[PendingWrite] = []
    StepEncoder(checks.encoder, checks).round(loop, domain, terms, scope, path, ledger)
    return ledger
