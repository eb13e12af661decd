"""Models: what a solver assigned, in plain Python values.

Reads:  a model of z3.   Writes: a `Model`.
After:  nothing of the solver is left in it. Values are read by the binding's plain functions: its classes ask for the sort
        of everything they wrap, which took a quarter of the time of most proofs.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import z3
from z3 import z3core as c

from verifier.smt.terms import Value


@dataclass(frozen=True, slots=True)
class Table:
    """A function in a model: its values at the arguments listed, and everywhere else."""

    entries: dict[tuple[int, ...], Value]
    otherwise: Value


@dataclass(frozen=True, slots=True)
class Model:
    """What a solver assigned to constants and functions; what it left open has a value of its own choice."""

    constants: dict[str, Value]
    functions: dict[str, Table]


def read(model: Any, context: Any) -> Model:
    """Return everything that a model assigns."""
    constants: dict[str, Value] = {}
    functions: dict[str, Table] = {}
    for declaration in model.decls():
        reading = _Reading(context, truth=declaration.range().kind() == z3.Z3_BOOL_SORT)
        value = model[declaration]
        if declaration.arity() == 0:
            constants[declaration.name()] = reading.value(value.ast)
        else:
            entries = dict(reading.entries(value.f, declaration.arity()))
            functions[declaration.name()] = Table(entries, reading.value(value.else_value().ast))
    return Model(constants, functions)


class _Reading:
    """Reads values of one sort, whole numbers or truth values."""

    def __init__(self, context: Any, *, truth: bool) -> None:
        self._context, self._truth = context, truth
        self._place = ctypes.c_longlong()
        self._there = ctypes.byref(self._place)

    def entries(self, function: Any, arity: int) -> Iterator[tuple[tuple[int, ...], Value]]:
        """Yield the arguments that a function lists, with the value at each."""
        context = self._context
        for at in range(c.Z3_func_interp_get_num_entries(context, function)):
            entry = c.Z3_func_interp_get_entry(context, function, at)
            c.Z3_func_entry_inc_ref(context, entry)
            index = tuple(self._number(c.Z3_func_entry_get_arg(context, entry, place)) for place in range(arity))
            yield index, self.value(c.Z3_func_entry_get_value(context, entry))
            c.Z3_func_entry_dec_ref(context, entry)

    def value(self, ast: Any) -> Value:
        """Return the value of a constant expression."""
        return c.Z3_get_bool_value(self._context, ast) == z3.Z3_L_TRUE if self._truth else self._number(ast)

    def _number(self, ast: Any) -> int:
        fits = c.Z3_get_numeral_int64(self._context, ast, self._there)
        assert fits, "a model assigns numbers"
        return self._place.value
