"""Scope: where an expression stands: which names are bound, what has been tested, what may be asked.

Reads:  nothing.   Writes: nothing; scopes are values, and entering one makes a new one.
After:  a fact holds wherever the scope that carries it is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from pilgrim_rules.core import ir
from pilgrim_rules.core.walk import subexpressions
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.codes import Code
from pilgrim_rules.util.fast_dataclass import dataclass, replace


@dataclass(frozen=True, slots=True)
class Permissions:
    """What an expression may ask for, by the place it stands in."""

    state: bool = False
    ghost: bool = False
    old: bool = False
    the: bool = False
    next: bool = False
    network: bool = False
    possible: bool = False
    guards: bool = False  #: `possible` of a shared guard, where that of an action has no meaning
    stage_counts: bool = False  #: an action is possible only in a stage in which it can be made
    place: str = "a constant"  #: how the place is called in messages
    refusal: tuple[Code, str | None] = (codes.PR311, None)  #: code and help where the state may not be read


CONSTANT = Permissions()
LAW = Permissions(
    place="a law", refusal=(codes.PR501, "a law speaks of parameters and maps; claim an `invariant` of the state")
)
MOVE = Permissions(place="a move", refusal=(codes.PR503, "write the value itself, not how it is found"))
PLAY = Permissions(state=True, place="a rule of play")
SCORE = Permissions(state=True, network=True, place="a score")
DEFINITION = Permissions(
    state=True, ghost=True, network=True, place="a definition"
)  # who may use it depends on what it reads
GUARD = Permissions(state=True, possible=True, place="a requirement")
EFFECT = Permissions(state=True, old=True, the=True, guards=True, place="an effect")
GHOSTLY = Permissions(state=True, ghost=True, old=True, the=True, place="a ghost line")
CLAIM = Permissions(state=True, ghost=True, possible=True, place="a claim")
STEP = Permissions(state=True, ghost=True, next=True, possible=True, place="a step claim")
AUDIT = Permissions(state=True, ghost=True, network=True, possible=True, place="an audit")
ARRANGE = Permissions(state=True, the=True, place="a position")
EXAMPLE = Permissions(state=True, ghost=True, network=True, possible=True, stage_counts=True, place="an example")


@dataclass(frozen=True, slots=True)
class Scope:
    """Names, facts and permissions at one place.

    names  what each local name stands for: a bound name, or any expression.
    facts  expressions that, because of a test around this place, can be replaced by a twin of a narrower type.
    dead   no play of this instance comes here; so what speaks of players who do not play means nothing.
    """

    may: Permissions
    names: Mapping[str, ir.Expr] = field(default_factory=dict)
    facts: Mapping[ir.Expr, ir.Expr] = field(default_factory=dict)
    dead: bool = False

    def bind(self, name: str, value: ir.Expr) -> Scope:
        """Return the scope in which a name stands for a value."""
        return replace(self, names={**self.names, name: value})

    def know(self, facts: Mapping[ir.Expr, ir.Expr]) -> Scope:
        """Return the scope in which further facts are known."""
        return replace(self, facts={**self.facts, **facts}) if facts else self

    def forget(self, variables: frozenset[str]) -> Scope:
        """Return the scope after variables have been written: what was known of their present values is gone."""
        kept = {expr: known for expr, known in self.facts.items() if not _reads_now(expr, variables)}
        return self if len(kept) == len(self.facts) else replace(self, facts=kept)

    def allow(self, may: Permissions) -> Scope:
        """Return the scope with other permissions."""
        return replace(self, may=may)


def _reads_now(expr: ir.Expr, variables: frozenset[str]) -> bool:
    return any(
        isinstance(part, ir.Call) or (isinstance(part, ir.Read) and part.when == "now" and part.variable in variables)
        for part in subexpressions(expr)
    )
