"""Relevance: which requirements and claims a query begins with.

Reads:  hypotheses, and what a goal looks at.   Writes: labels of those to assert from the start.
After:  nothing rests on the choice but time: the others are added as soon as a candidate violates them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from pilgrim_rules.core.footprint import Footprint, Footprints
from pilgrim_rules.core.ir import Call, Expr, Fold, Pick, Stmt, Unique
from pilgrim_rules.core.rule_walk import statement_expressions
from pilgrim_rules.core.walk import subexpressions
from verifier.smt.encode.encoded_states import Delayed, Scope

#: A requirement that looks only at tables up to this size is asserted from the start,
LIGHT = 64
#: but on the first rung not if it consists of more parts than this, all definitions written out.
LONG = 60
#: One that consists of so few parts is, too, on the second rung.
SHORT = 12
#: What the range of an assignment rests on is looked for among this many claims about the variable.
HELPERS = 4


@dataclass(slots=True, eq=False)
class Hypothesis:
    """A claim or a requirement that may be assumed, in the scope in which it is.

    defines   the name that a requirement gives a value to, if it does.
    """

    label: str
    formula: Expr
    scope: Scope
    defines: str | None = None
    used: bool = False

    @property
    def name(self) -> str:
        """The name of the claim."""
        return self.label.partition(":")[2]


def footprint(expr: Expr, scope: Scope, footprints: Footprints) -> Footprint:
    """Return what an expression looks at; a name that stands for a value looks at what the value looks at."""
    found = footprints.footprint(expr)
    names = set(footprints.free(expr))
    while names:
        meaning = scope.names.get(names.pop())
        if isinstance(meaning, Delayed):
            inner = footprints.footprint(meaning.expr)
            found = Footprint(found.reads | inner.reads, found.constants | inner.constants)
            names |= set(footprints.free(meaning.expr))
    return found


@dataclass(frozen=True, slots=True)
class Relevance:
    """The choice, for one rung of the ladder."""

    footprints: Footprints
    lean: bool
    wide: bool

    def is_light(self, requirement: Hypothesis, wanted: frozenset[str]) -> bool:
        """Return whether a requirement is asserted from the start: it looks at small tables, or at what the goal does."""
        looks_at = footprint(requirement.formula, requirement.scope, self.footprints)
        variables, constants = self.footprints.declared.variables, self.footprints.declared.constants
        large = {name for name in looks_at.variables if prod(type_.size for type_ in variables[name].index) > LIGHT}
        long = any(len(constants[name].values) > LIGHT for name in looks_at.constants)
        if not (large or long):
            return not self.lean or self._length(requirement.formula) <= LONG
        return (self.wide and bool(large & wanted)) or (not self.lean and _is_short(requirement.formula))

    def about(
        self, variables: frozenset[str], requirements: list[Hypothesis], claims: list[Hypothesis]
    ) -> tuple[str, ...]:
        """Return the requirements that look at some variables, and the shortest claims that do: nobody names them."""
        asked = [
            each for each in requirements if footprint(each.formula, each.scope, self.footprints).variables & variables
        ]
        near = [each for each in claims if self.footprints.footprint(each.formula).variables & variables]
        near.sort(key=lambda each: (not each.label.startswith("conserved:"), self._length(each.formula)))
        return tuple(each.label for each in (*asked, *near[:HELPERS]))

    def names(self, body: tuple[Stmt, ...], scope: Scope) -> frozenset[str]:
        """Return the names of the guard that some statements use, themselves or through others."""
        found: set[str] = set()
        waiting = {name for expr in statement_expressions(body) for name in self.footprints.free(expr)}
        while waiting:
            name = waiting.pop()
            meaning = scope.names.get(name)
            if name not in found and isinstance(meaning, Delayed):
                found.add(name)
                waiting |= set(self.footprints.free(meaning.expr))
        return frozenset(found)

    def _length(self, expr: Expr) -> int:
        """Return of how many parts an expression consists, definitions written out."""
        defs, total = self.footprints.declared.defs, 0
        for part in subexpressions(expr):
            total += 1 if not isinstance(part, Call) else self._length(defs[part.definition].body)
        return total


def _is_short(formula: Expr) -> bool:
    """Return whether something is said in a few words about single cells."""
    parts = list(subexpressions(formula))
    return len(parts) <= SHORT and not any(isinstance(part, Fold | Unique | Pick | Call) for part in parts)
