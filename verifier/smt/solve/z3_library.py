"""The functions of z3 that are used here, called without the classes of its Python binding.

Reads:  the library that the binding brings along.   Writes: `Z3`, each function with the types of its arguments.
After:  objects of z3 are addresses. The binding asks after every call whether it went wrong, which takes longer than most
        calls; here an object that was not made is None, and whoever makes one must look.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_int64, c_uint, c_void_p
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

Address: TypeAlias = int
#: What a check answers, and the value of a truth.
FALSE, UNKNOWN, TRUE = -1, 0, 1
#: The kind of the sort of truth values.
BOOL_SORT = 1

_P, _N, _S, _V = c_void_p, c_uint, c_char_p, None
_ARRAY = POINTER(c_void_p)
#: What each function returns, and its arguments after the context.
_SIGNATURES: dict[str, tuple[Any, ...]] = {
    "set_error_handler": (_V, _P),
    "del_context": (_V,),
    "mk_int_sort": (_P,),
    "mk_bool_sort": (_P,),
    "mk_string_symbol": (_P, _S),
    "mk_const": (_P, _P, _P),
    "mk_func_decl": (_P, _P, _N, _ARRAY, _P),
    "mk_app": (_P, _P, _N, _ARRAY),
    "mk_int64": (_P, c_int64, _P),
    "mk_true": (_P,),
    "mk_false": (_P,),
    "mk_add": (_P, _N, _ARRAY),
    "mk_mul": (_P, _N, _ARRAY),
    "mk_div": (_P, _P, _P),
    "mk_ite": (_P, _P, _P, _P),
    "mk_eq": (_P, _P, _P),
    "mk_le": (_P, _P, _P),
    "mk_and": (_P, _N, _ARRAY),
    "mk_or": (_P, _N, _ARRAY),
    "mk_not": (_P, _P),
    "mk_implies": (_P, _P, _P),
    "mk_simple_solver": (_P,),
    "solver_inc_ref": (_V, _P),
    "solver_dec_ref": (_V, _P),
    "solver_assert": (_V, _P, _P),
    "solver_set_params": (_V, _P, _P),
    "solver_check_assumptions": (c_int, _P, _N, _ARRAY),
    "solver_get_model": (_P, _P),
    "solver_get_unsat_core": (_P, _P),
    "solver_get_reason_unknown": (_S, _P),
    "solver_get_statistics": (_P, _P),
    "mk_params": (_P,),
    "params_inc_ref": (_V, _P),
    "params_dec_ref": (_V, _P),
    "params_set_uint": (_V, _P, _P, _N),
    "stats_inc_ref": (_V, _P),
    "stats_dec_ref": (_V, _P),
    "stats_size": (_N, _P),
    "stats_get_key": (_S, _P, _N),
    "stats_is_uint": (c_bool, _P, _N),
    "stats_get_uint_value": (_N, _P, _N),
    "stats_get_double_value": (c_double, _P, _N),
    "ast_vector_inc_ref": (_V, _P),
    "ast_vector_dec_ref": (_V, _P),
    "ast_vector_size": (_N, _P),
    "ast_vector_get": (_P, _P, _N),
    "model_inc_ref": (_V, _P),
    "model_dec_ref": (_V, _P),
    "model_get_num_consts": (_N, _P),
    "model_get_const_decl": (_P, _P, _N),
    "model_get_const_interp": (_P, _P, _P),
    "model_get_num_funcs": (_N, _P),
    "model_get_func_decl": (_P, _P, _N),
    "model_get_func_interp": (_P, _P, _P),
    "func_interp_inc_ref": (_V, _P),
    "func_interp_dec_ref": (_V, _P),
    "func_interp_get_else": (_P, _P),
    "func_interp_get_num_entries": (_N, _P),
    "func_interp_get_entry": (_P, _P, _N),
    "func_entry_inc_ref": (_V, _P),
    "func_entry_dec_ref": (_V, _P),
    "func_entry_get_arg": (_P, _P, _N),
    "func_entry_get_value": (_P, _P),
    "get_decl_name": (_P, _P),
    "get_symbol_string": (_S, _P),
    "get_range": (_P, _P),
    "get_arity": (_N, _P),
    "get_sort_kind": (_N, _P),
    "get_bool_value": (c_int, _P),
    "get_numeral_int64": (c_bool, _P, POINTER(c_int64)),
}


class Z3:
    """The library; a function `Z3_f` is the attribute `f`, and takes a context first."""

    def __init__(self, place: str) -> None:
        library = ctypes.CDLL(place)
        self.make_config = _typed(library, "mk_config", _P)
        self.make_context = _typed(library, "mk_context", _P, _P)
        self.delete_config = _typed(library, "del_config", _V, _P)
        for name, (result, *arguments) in _SIGNATURES.items():
            setattr(self, name, _typed(library, name, result, _P, *arguments))

    def __getattr__(self, name: str) -> Callable[..., Any]:
        raise AttributeError(name)  # for readers and type checkers: the functions are set one by one

    def new_context(self) -> Address:
        """Return a context of its own; its terms live as long as it does."""
        config = self.make_config()
        made: Address = self.make_context(config)
        self.delete_config(config)
        self.set_error_handler(made, None)  # the one that is there ends the process
        return made


@cache
def z3_library() -> Z3:
    """Return the library, loaded once; the binding itself, which takes long to load, is not."""
    _keep_memory()
    found = find_spec("z3")
    assert found is not None, "z3 is installed with us"
    assert found.origin is not None, "z3 is a package"
    beside = sorted((Path(found.origin).parent / "lib").glob("*z3.*"))
    if beside:
        return Z3(str(beside[0]))
    from z3 import z3core  # noqa: PLC0415  (a build that keeps its library elsewhere: the binding knows where)

    return Z3(z3core._lib._name)  # noqa: SLF001  (it has no other name)


def array_of(addresses: list[Address]) -> Any:
    """Return objects of z3 as its functions take them."""
    return (c_void_p * len(addresses))(*addresses)


def _typed(library: ctypes.CDLL, name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    function = getattr(library, f"Z3_{name}")
    function.restype, function.argtypes = result, list(arguments)
    found: Callable[..., Any] = function
    return found


def _keep_memory() -> None:
    """Let the allocator keep what a context gives back: a fresh context then costs 1 ms instead of 14 ms."""
    tune = getattr(ctypes.CDLL(None), "mallopt", None)  # glibc has it; others do without
    if tune is not None:
        for parameter in (-1, -3):  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD
            tune(parameter, 1 << 28)
