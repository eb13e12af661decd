"""Solve: the only caller of a solver's check.

Reads:  terms, each under a label or under none.   Writes: an `Answer`: unsatisfiable with the labels that were needed,
        satisfiable with a model in plain Python values, or no answer with the reason.
After:  what was asserted is the whole state; each `Solver` has its own context, so that an answer depends on nothing
        that was asked before. Budgets are z3's resource units, never seconds.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TypeAlias

from pilgrim_rules.core.ir import OPEN_END
from verifier.smt.solve.read_model import read_model
from verifier.smt.solve.z3_library import FALSE, TRUE, Z3, Address, array_of, z3_library
from verifier.smt.terms.models import Model
from verifier.smt.terms.terms import Op, Symbol, Term, symbol_of_label

SPENT = "the budget is spent"
#: How z3 says so.
OUT_OF_RESOURCES = ("canceled", "max. resource limit exceeded")
#: The functions that make a term of a fixed number of others, and those that take any number.
FIXED: dict[Op, str] = {"div": "mk_div", "ite": "mk_ite", "=": "mk_eq", "<=": "mk_le", "not": "mk_not"}
ANY: dict[Op, str] = {"times": "mk_mul", "and": "mk_and", "or": "mk_or"}


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


class TermError(Exception):
    """z3 did not make a term: a bug of ours."""


@dataclass(slots=True)
class Solver(AbstractContextManager["Solver"]):
    """One z3 solver with its own context, and the translation of terms into it; close it after use."""

    budget: int
    arithmetic: int = 2
    spent: int = 0
    queries: int = 0
    _z3: Z3 = field(init=False, repr=False)
    _context: Address = field(init=False, repr=False)
    _solver: Address = field(init=False, repr=False)
    _sorts: dict[str, Address] = field(init=False, repr=False)
    _known: dict[Term, Address] = field(default_factory=dict, repr=False)
    _numbers: dict[int, Address] = field(default_factory=dict, repr=False)
    _functions: dict[Symbol, Address] = field(default_factory=dict, repr=False)
    _labels: dict[str, Address] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        z3 = self._z3 = z3_library()
        context = self._context = z3.new_context()
        self._solver = z3.mk_simple_solver(context)
        z3.solver_inc_ref(context, self._solver)
        self._set(random_seed=7)
        self._set(**{"arith.solver": self.arithmetic})
        self._sorts = {"Int": z3.mk_int_sort(context), "Bool": z3.mk_bool_sort(context)}

    def __exit__(self, *_: object) -> None:
        self._z3.solver_dec_ref(self._context, self._solver)
        self._z3.del_context(self._context)

    # ---------------------------------------------------------------------------------------------------- asserting

    def add(self, term: Term, label: str | None = None) -> None:
        """Assert a term; under a label, only as long as the label is assumed, which every check does."""
        ast = self._translate(term)
        if label is not None:
            ast = self._z3.mk_implies(self._context, self._label(label), ast)
        self._z3.solver_assert(self._context, self._solver, ast)

    def check(self) -> Answer:
        """Ask, within what is left of the budget."""
        z3, context, solver = self._z3, self._context, self._solver
        left = self.budget - self.spent
        if left <= 0:
            return NoAnswer(SPENT)
        self._set(rlimit=left)
        before = self._resources()
        self.queries += 1
        result = z3.solver_check_assumptions(context, solver, len(self._labels), array_of(list(self._labels.values())))
        self.spent += max(1, self._resources() - before)
        if result == TRUE:
            return Sat(self._model())
        if result == FALSE:
            return Unsat(self._core())
        reason = z3.solver_get_reason_unknown(context, solver).decode()
        return NoAnswer(SPENT if reason in OUT_OF_RESOURCES else reason)

    # --------------------------------------------------------------------------------------------------- translation

    def _translate(self, term: Term) -> Address:
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
            made = self._node(node, [known[arg] for arg in node.args])
            if made is None:
                raise TermError(repr(node))
            known[node] = made
            if node.op in ("const", "app") and node.sort == "Int":
                self._bound(node, made)
        return known[term]

    def _bound(self, leaf: Term, ast: Address) -> None:
        """Assert the range of a constant or function value: its type, once for each such term."""
        sides = [] if leaf.lo <= -OPEN_END else [(self._number(leaf.lo), ast)]
        sides += [] if leaf.hi >= OPEN_END else [(ast, self._number(leaf.hi))]
        for low, high in sides:
            self._z3.solver_assert(self._context, self._solver, self._z3.mk_le(self._context, low, high))

    def _node(self, term: Term, args: list[Address]) -> Address | None:
        z3, context = self._z3, self._context
        made: Address | None
        match term.op:
            case "num":
                made = self._number(term.value)
            case "truth":
                made = z3.mk_true(context) if term.value else z3.mk_false(context)
            case "const":
                made = self._constant(term.name, term.sort)
            case "app":
                made = z3.mk_app(context, self._function(term.symbol), len(args), array_of(args))
            case "linear":
                made = self._linear(term, args)
            case "times" | "and" | "or":
                made = getattr(z3, ANY[term.op])(context, len(args), array_of(args))
            case "div" | "ite" | "=" | "<=" | "not":
                made = getattr(z3, FIXED[term.op])(context, *args)
        return made

    def _linear(self, term: Term, args: list[Address]) -> Address | None:
        z3, context = self._z3, self._context
        parts = [
            arg if factor == 1 else z3.mk_mul(context, 2, array_of([self._number(factor), arg]))
            for factor, arg in zip(term.factors, args, strict=True)
        ]
        if term.value:
            parts.append(self._number(term.value))
        made: Address | None = z3.mk_add(context, len(parts), array_of(parts))
        return made

    def _number(self, value: int) -> Address:
        known = self._numbers.get(value)
        if known is None:
            known = self._numbers[value] = self._z3.mk_int64(self._context, value, self._sorts["Int"])
        return known

    def _constant(self, name: str, sort: str) -> Address:
        symbol = self._z3.mk_string_symbol(self._context, name.encode())
        made: Address = self._z3.mk_const(self._context, symbol, self._sorts[sort])
        return made

    def _function(self, symbol: Symbol | None) -> Address:
        assert symbol is not None, "a function value has a symbol"
        if symbol not in self._functions:
            name = self._z3.mk_string_symbol(self._context, symbol.name.encode())
            domain = array_of([self._sorts["Int"]] * symbol.arity)
            made = self._z3.mk_func_decl(self._context, name, symbol.arity, domain, self._sorts[symbol.sort])
            self._functions[symbol] = made
        return self._functions[symbol]

    def _label(self, label: str) -> Address:
        if label not in self._labels:
            self._labels[label] = self._constant(symbol_of_label(label), "Bool")
        return self._labels[label]

    # ------------------------------------------------------------------------------------------------------- results

    def _set(self, **values: int) -> None:
        """Set parameters of the solver."""
        z3, context = self._z3, self._context
        params = z3.mk_params(context)
        z3.params_inc_ref(context, params)
        for name, value in values.items():
            z3.params_set_uint(context, params, z3.mk_string_symbol(context, name.encode()), value)
        z3.solver_set_params(context, self._solver, params)
        z3.params_dec_ref(context, params)

    def _model(self) -> Model:
        model = self._z3.solver_get_model(self._context, self._solver)
        self._z3.model_inc_ref(self._context, model)
        found = read_model(self._context, model)
        self._z3.model_dec_ref(self._context, model)
        return found

    def _core(self) -> tuple[str, ...]:
        """Return the labels that the last answer needed, in the order in which they were first used."""
        z3, context = self._z3, self._context
        core = z3.solver_get_unsat_core(context, self._solver)
        z3.ast_vector_inc_ref(context, core)
        needed = {z3.ast_vector_get(context, core, at) for at in range(z3.ast_vector_size(context, core))}
        z3.ast_vector_dec_ref(context, core)
        assert needed <= set(self._labels.values()), "a core consists of labels"
        return tuple(label for label, ast in self._labels.items() if ast in needed)

    def _resources(self) -> int:
        z3, context = self._z3, self._context
        found = z3.solver_get_statistics(context, self._solver)
        z3.stats_inc_ref(context, found)
        spent = 0
        for at in range(z3.stats_size(context, found)):
            if z3.stats_get_key(context, found, at) == b"rlimit count":
                is_whole = z3.stats_is_uint(context, found, at)
                spent = int((z3.stats_get_uint_value if is_whole else z3.stats_get_double_value)(context, found, at))
        z3.stats_dec_ref(context, found)
        return spent
