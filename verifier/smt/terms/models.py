"""Models: what a solver assigned, in plain Python values.

Reads:  nothing.   Writes: `Model`.
After:  nothing of any solver is left in it.
"""

from __future__ import annotations

from dataclasses import dataclass

from verifier.smt.terms.terms import Value


@dataclass(frozen=True, slots=True)
class FunctionTable:
    """A function in a model: its values at the arguments listed, and everywhere else."""

    entries: dict[tuple[int, ...], Value]
    otherwise: Value


@dataclass(frozen=True, slots=True)
class Model:
    """What a solver assigned to constants and functions; what it left open has a value of its own choice."""

    constants: dict[str, Value]
    functions: dict[str, FunctionTable]
