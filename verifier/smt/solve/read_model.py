"""Read models: what z3 assigned, as plain Python values.

Reads:  a model of z3, and the functions that were declared.   Writes: a `Model`.
After:  nothing of the solver is left in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import byref, c_int64

from verifier.smt.solve.z3_library import BOOL_SORT, TRUE, Address, z3_library
from verifier.smt.terms.models import FunctionTable, Model
from verifier.smt.terms.terms import Value


def read_model(context: Address, model: Address) -> Model:
    """Return everything that a model assigns."""
    z3 = z3_library()
    constants: dict[str, Value] = {}
    functions: dict[str, FunctionTable] = {}
    for at in range(z3.model_get_num_consts(context, model)):
        declaration = z3.model_get_const_decl(context, model, at)
        value = z3.model_get_const_interp(context, model, declaration)
        constants[_name(context, declaration)] = _Reading(context, declaration).value(value)
    for at in range(z3.model_get_num_funcs(context, model)):
        declaration = z3.model_get_func_decl(context, model, at)
        function = z3.model_get_func_interp(context, model, declaration)
        z3.func_interp_inc_ref(context, function)
        reading = _Reading(context, declaration)
        entries = dict(reading.entries(function, z3.get_arity(context, declaration)))
        otherwise = reading.value(z3.func_interp_get_else(context, function))
        functions[_name(context, declaration)] = FunctionTable(entries, otherwise)
        z3.func_interp_dec_ref(context, function)
    return Model(constants, functions)


def _name(context: Address, declaration: Address) -> str:
    z3 = z3_library()
    name: bytes = z3.get_symbol_string(context, z3.get_decl_name(context, declaration))
    return name.decode()


class _Reading:
    """Reads values of one sort, whole numbers or truth values; a number that is met again is not asked for again."""

    def __init__(self, context: Address, declaration: Address) -> None:
        self._z3, self._context = z3_library(), context
        self._truth = self._z3.get_sort_kind(context, self._z3.get_range(context, declaration)) == BOOL_SORT
        self._place = c_int64()
        self._there = byref(self._place)
        self._known: dict[Address, int] = {}

    def entries(self, function: Address, arity: int) -> Iterator[tuple[tuple[int, ...], Value]]:
        """Yield the arguments that a function lists, with the value at each."""
        z3, context = self._z3, self._context
        for at in range(z3.func_interp_get_num_entries(context, function)):
            entry = z3.func_interp_get_entry(context, function, at)
            z3.func_entry_inc_ref(context, entry)
            index = tuple(self._number(z3.func_entry_get_arg(context, entry, place)) for place in range(arity))
            yield index, self.value(z3.func_entry_get_value(context, entry))
            z3.func_entry_dec_ref(context, entry)

    def value(self, ast: Address) -> Value:
        """Return the value of a constant expression."""
        return self._z3.get_bool_value(self._context, ast) == TRUE if self._truth else self._number(ast)

    def _number(self, ast: Address) -> int:
        known = self._known.get(ast)
        if known is None:
            fits = self._z3.get_numeral_int64(self._context, ast, self._there)
            assert fits, "a model assigns numbers"
            known = self._known[ast] = self._place.value
        return known
