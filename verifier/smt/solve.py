"""Solve: the only caller of a solver's check.

Reads:  terms, each under a label or under none.   Writes: an `Answer`: unsatisfiable with the labels that were needed,
        satisfiable with a model in plain Python values, or no answer with the reason.
After:  what was asserted is the whole state; each `Solver` has its own context, so that an answer depends on nothing
        that was asked before. Budgets are z3's resource units, never seconds.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

import z3
from z3 import z3core as c

from verifier.smt.models import Model, read
from verifier.smt.terms import Symbol, Term

SPENT = "the budget is spent"
#: How z3 says so.
OUT_OF_RESOURCES = ("canceled", "max. resource limit exceeded")
#: What a z3 object is called here: the binding is untyped.
Ast: TypeAlias = Any


@dataclass(frozen=True, slots=True)
class Unsat:
    """No assignment exists; `core` holds the labels whose assertions are enough to see it."""

    core: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sat:
    """An assignment of everything that was asserted."""

    model: Model


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """The solver stopped before it knew."""

    reason: str


Answer: TypeAlias = Unsat | Sat | NoAnswer


@dataclass(slots=True)
class Solver(AbstractContextManager["Solver"]):
    """One z3 solver with its own context, and the translation of terms into it; close it after use."""

    budget: int
    arithmetic: int = 2
    spent: int = 0
    queries: int = 0
    _context: Any = field(init=False, repr=False)
    _solver: Any = field(init=False, repr=False)
    _ref: Any = field(init=False, repr=False)
    _sorts: dict[str, Ast] = field(init=False, repr=False)
    _known: dict[Term, Ast] = field(default_factory=dict, repr=False)
    _functions: dict[Symbol, Ast] = field(default_factory=dict, repr=False)
    _labels: dict[str, Ast] = field(default_factory=dict, repr=False)
    _kept: list[Ast] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        _keep_memory()
        self._context = z3.Context()
        self._ref = self._context.ref()
        self._solver = z3.SimpleSolver(ctx=self._context)
        self._solver.set("random_seed", 7)
        self._solver.set("arith.solver", self.arithmetic)
        self._sorts = {"Int": z3.IntSort(self._context), "Bool": z3.BoolSort(self._context)}

    def __exit__(self, *_: object) -> None:
        for ast in self._kept:
            c.Z3_dec_ref(self._ref, ast)
        self._kept.clear()

    # ---------------------------------------------------------------------------------------------------- asserting

    def add(self, term: Term, label: str | None = None) -> None:
        """Assert a term; under a label, only as long as the label is assumed, which every check does."""
        ast = self._translate(term)
        if label is not None:
            ast = self._held(c.Z3_mk_implies(self._ref, self._label(label), ast))
        c.Z3_solver_assert(self._ref, self._solver.solver, ast)

    def check(self) -> Answer:
        """Ask, within what is left of the budget."""
        left = self.budget - self.spent
        if left <= 0:
            return NoAnswer(SPENT)
        self._solver.set("rlimit", left)
        assumed = [z3.BoolRef(ast, self._context) for ast in self._labels.values()]
        before = self._resources()
        self.queries += 1
        result = self._solver.check(*assumed)
        self.spent += max(1, self._resources() - before)
        if result == z3.sat:
            return Sat(read(self._solver.model(), self._ref))
        if result == z3.unsat:
            names = {str(each) for each in self._solver.unsat_core()}
            return Unsat(tuple(label for label in self._labels if f"|{label}|" in names or label in names))
        reason = str(self._solver.reason_unknown())
        return NoAnswer(SPENT if reason in OUT_OF_RESOURCES else reason)

    # --------------------------------------------------------------------------------------------------- translation

    def _translate(self, term: Term) -> Ast:
        stack = [term]
        known = self._known
        while stack:
            node = stack[-1]
            if node in known:
                stack.pop()
                continue
            missing = [arg for arg in node.args if arg not in known]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            known[node] = self._held(self._node(node, [known[arg] for arg in node.args]))
            if node.op in ("const", "app") and node.sort == "Int":
                self._bound(node)
        return known[term]

    def _bound(self, leaf: Term) -> None:
        """Assert the range of a constant or function value: its type, once for each such term."""
        ast = self._known[leaf]
        for low, high in ((self._number(leaf.lo), ast), (ast, self._number(leaf.hi))):
            c.Z3_solver_assert(self._ref, self._solver.solver, self._held(c.Z3_mk_le(self._ref, low, high)))

    def _node(self, term: Term, args: list[Ast]) -> Ast:
        ref = self._ref
        match term.op:
            case "num":
                return self._number(term.value)
            case "truth":
                return c.Z3_mk_true(ref) if term.value else c.Z3_mk_false(ref)
            case "const":
                return c.Z3_mk_const(ref, c.Z3_mk_string_symbol(ref, term.name), self._sorts[term.sort].ast)
            case "app":
                return c.Z3_mk_app(ref, self._function(term.symbol), len(args), _array(args))
            case "linear":
                return self._linear(term, args)
            case "times":
                return c.Z3_mk_mul(ref, len(args), _array(args))
            case "div":
                return c.Z3_mk_div(ref, *args)
            case "ite":
                return c.Z3_mk_ite(ref, *args)
            case "=":
                return c.Z3_mk_eq(ref, *args)
            case "<=":
                return c.Z3_mk_le(ref, *args)
            case "and":
                return c.Z3_mk_and(ref, len(args), _array(args))
            case "or":
                return c.Z3_mk_or(ref, len(args), _array(args))
            case "not":
                return c.Z3_mk_not(ref, *args)

    def _linear(self, term: Term, args: list[Ast]) -> Ast:
        parts = []
        for factor, arg in zip(term.factors, args, strict=True):
            scaled = arg if factor == 1 else c.Z3_mk_mul(self._ref, 2, _array([self._number(factor), arg]))
            parts.append(self._held(scaled))
        if term.value:
            parts.append(self._number(term.value))
        return c.Z3_mk_add(self._ref, len(parts), _array(parts))

    def _number(self, value: int) -> Ast:
        return self._held(c.Z3_mk_int64(self._ref, value, self._sorts["Int"].ast))

    def _function(self, symbol: Symbol | None) -> Ast:
        assert symbol is not None, "a function value has a symbol"
        if symbol not in self._functions:
            domain = (z3.Sort * symbol.arity)(*[self._sorts["Int"].ast] * symbol.arity)
            name = c.Z3_mk_string_symbol(self._ref, symbol.name)
            made = c.Z3_mk_func_decl(self._ref, name, symbol.arity, domain, self._sorts[symbol.sort].ast)
            self._functions[symbol] = self._held(made)
        return self._functions[symbol]

    def _label(self, label: str) -> Ast:
        if label not in self._labels:
            symbol = c.Z3_mk_string_symbol(self._ref, label)
            self._labels[label] = self._held(c.Z3_mk_const(self._ref, symbol, self._sorts["Bool"].ast))
        return self._labels[label]

    def _held(self, ast: Ast) -> Ast:
        """Keep a z3 object alive until the solver is closed."""
        c.Z3_inc_ref(self._ref, ast)
        self._kept.append(ast)
        return ast

    # ------------------------------------------------------------------------------------------------------- results

    def _resources(self) -> int:
        statistics = self._solver.statistics()
        return int(statistics.get_key_value("rlimit count")) if "rlimit count" in statistics.keys() else 0  # noqa: SIM118


@cache
def _keep_memory() -> None:
    """Let the allocator keep what a context gives back: a fresh context then costs 1 ms instead of 14 ms."""
    tune = getattr(ctypes.CDLL(None), "mallopt", None)  # glibc has it; others do without
    if tune is not None:
        for parameter in (-1, -3):  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD
            tune(parameter, 1 << 28)


def _array(args: Sequence[Ast]) -> Any:
    return (z3.Ast * len(args))(*args)
