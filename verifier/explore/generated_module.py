"""Module: what the functions of one generated program share.

Reads:  a core game and its packing.   Writes: constant tables and function texts under names of our own.
After:  `functions()` are callables compiled from the collected text; equal tables are stored once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, assert_never

import numpy as np

from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.ir import (
    Apply,
    AskNetwork,
    Bound,
    Call,
    Checked,
    Cond,
    Expr,
    Fold,
    Let,
    Lit,
    Lookup,
    Pick,
    Read,
    Unique,
)
from pilgrim_rules.core.walk import subexpressions
from verifier.explore import runtime
from verifier.explore.source_text import Value, Writer
from verifier.explore.state_packing import StatePacking

WEIGHT = "weight below zero"  #: what is wrong with a chance action that weighs less than nothing


@dataclass(frozen=True, slots=True)
class Site:
    """A place where the rules can contradict themselves: the line, and which variable or type it concerns.

    beyond  instead, a counter without upper end goes farther there than the search follows it.
    """

    action: str
    key: str
    what: str
    beyond: bool = False


@dataclass(slots=True)
class GeneratedModule:
    """A program that is being generated."""

    declared: Declarations
    packing: StatePacking
    sites: list[Site] = field(default_factory=list)
    calls: dict[tuple[str, tuple[bool, ...]], tuple[str, Value]] = field(default_factory=dict)
    _tables: dict[object, str] = field(default_factory=dict)
    _texts: list[str] = field(default_factory=list)
    _names: dict[str, Any] = field(default_factory=lambda: dict(runtime.NAMES))
    _checks: dict[str, bool] = field(default_factory=dict)

    def tuple_of(self, values: Sequence[object]) -> str:
        """Return the name of a constant tuple, to be read where the place is known once for all rows."""
        return self._store(tuple(values), tuple(values))

    def array_of(self, values: Sequence[int] | Sequence[bool], *, truth: bool = False) -> str:
        """Return the name of the same values as an array, to be read at a place for each row."""
        kind = np.bool_ if truth else np.int64
        return self._store((kind, tuple(values)), np.array(values, dtype=kind))

    def define(self, name: str, params: str, out: Writer, *, pure: bool = False) -> None:
        """Add a function; a `pure` one depends on nothing but its arguments, so each call is computed once."""
        decorator = "@cache\n" if pure else ""
        self._texts.append(f"{decorator}def {name}({params}):\n" + "\n".join(out.lines) + "\n")

    def functions(self) -> dict[str, Callable[..., Any]]:
        """Compile everything defined so far."""
        names = {**self._names, "cache": cache}
        exec(compile(self.text, "<generated from the core>", "exec"), names)  # noqa: S102  (text of our own making)
        return names

    @property
    def text(self) -> str:
        """The program, for people who want to read it."""
        return "\n\n".join(self._texts)

    def site(self, site: Site) -> int:
        """Return the number of a place where a contradiction can show; numbers start at 1."""
        self.sites.append(site)
        return len(self.sites)

    def checks(self, *exprs: Expr) -> bool:
        """Return whether evaluating the expressions can find a contradiction."""
        return any(self._can_fail(node) for expr in exprs for node in subexpressions(expr))

    def _can_fail(self, node: Expr) -> bool:
        match node:
            case Checked():
                return True
            case Call(definition=name):
                if name not in self._checks:
                    self._checks[name] = self.checks(self.declared.defs[name].body)
                return self._checks[name]
            case (
                Lit()
                | Bound()
                | Read()
                | Lookup()
                | Apply()
                | Cond()
                | Let()
                | Fold()
                | Unique()
                | Pick()
                | AskNetwork()
            ):
                return False
            case _:
                assert_never(node)

    def _store(self, key: object, value: object) -> str:
        if key not in self._tables:
            name = f"k{len(self._tables)}"
            self._tables[key] = name
            self._names[name] = value
        return self._tables[key]
