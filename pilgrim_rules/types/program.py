"""Program: what the checker knows of a game while it works through it.

Reads:  nothing.   Writes: nothing; the passes of this package fill the tables, each its own.
After:  see the passes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pilgrim_rules.clauses.inventory import Inventory
from pilgrim_rules.core import ir
from pilgrim_rules.data.edition import Edition
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.suggest import did_you_mean
from pilgrim_rules.graphs.graph import GraphData
from pilgrim_rules.names.symbols import Symbols
from pilgrim_rules.source import Span
from pilgrim_rules.syntax import ast
from pilgrim_rules.types.measure import Measure, measure

#: The type of what could not be typed; it fits everything, so that one mistake gives one message.
POISON = ir.Type("?", "int", 0, 0)
MAX_TYPE = 1 << 16
MAX_NUMBER = 1 << 31
MAX_CELLS = 1_000_000
MAX_STAGES = 1024
_MOST_SUGGESTED = 100
_A_FEW = 6  #: so many names are listed where none is like the one that was written


@dataclass(slots=True)
class StageInfo:
    """The stages that one name stands for: one, or one for each value it carries."""

    name: str
    carries: ir.Type | None
    first: int
    node: ast.StageLine
    by: ir.Expr | None = None

    @property
    def codes(self) -> range:
        """The codes of all stages of this name."""
        return range(self.first, self.first + (self.carries.size if self.carries else 1))


@dataclass(slots=True)
class Program:
    """Everything that is known so far."""

    symbols: Symbols
    bag: Bag
    edition: Edition | None = None
    inventory: Inventory | None = None
    types: dict[str, ir.Type] = field(default_factory=dict)
    unions: dict[str, tuple[tuple[ir.Type, int], ...]] = field(default_factory=dict)  #: member types and their offsets
    labels: dict[str, list[ir.Type]] = field(default_factory=dict)
    graphs: dict[str, tuple[GraphData, ir.Type, ir.Type | None]] = field(default_factory=dict)  #: data, nodes, sides
    columns: dict[tuple[str, str], str] = field(default_factory=dict)  #: (type, column) -> constant
    constants: dict[str, ir.Constant] = field(default_factory=dict)
    variables: dict[str, ir.Variable] = field(default_factory=dict)
    defs: dict[str, ir.Def] = field(default_factory=dict)
    reads: dict[str, frozenset[str]] = field(default_factory=dict)  #: the variables that each definition reads
    degrees: dict[str, int] = field(default_factory=dict)  #: how many values a relation gives at most
    measures: dict[str, Measure] = field(default_factory=dict)  #: how large each definition is
    stages: dict[str, StageInfo] = field(default_factory=dict)
    stagesets: dict[str, tuple[int, ...]] = field(default_factory=dict)
    actions: dict[str, ir.Action] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)  #: names whose declaration was refused; their uses are accepted
    overgrown: set[str] = field(default_factory=set)  #: guards and effects that are too large to be put together
    unknowns: int = 0  #: unknown names so far; looking for the closest one takes time
    unsure: bool = False  #: a type was refused whose labels nobody knows, so that any unknown name may be one

    @property
    def player(self) -> ir.Type:
        """The type of the players."""
        return self.types["Player"]

    @property
    def stage(self) -> ir.Type:
        """The type of the stages."""
        return self.types["Stage"]

    def unknown(
        self, word: ast.Word | ast.Name, known: Iterable[str], what: str = "name", code: codes.Code = codes.PR201
    ) -> None:
        """Report an unknown name, with the closest one that exists, or with all if they are few."""
        if word.text in self.broken:
            return
        names = list(known)
        self.unknowns += 1
        help_ = did_you_mean(word.text, names) if self.unknowns <= _MOST_SUGGESTED else None
        if help_ is None and code is not codes.PR201 and 0 < len(names) <= _A_FEW:
            help_ = f"known here: {', '.join(f'`{name}`' for name in names)}"
        message = f"unknown {what} `{word.text}`" if " of " not in what else f"`{word.text}` is no {what}"
        self.bag.add(code, message, word.span, help=help_)

    def measure(self, expr: ir.Expr) -> Measure:
        """Return how large, deep and long to compute an expression is."""
        return measure(expr, self.measures, self.degrees)

    def clauses(self, cites: ast.Cites) -> tuple[str, ...]:
        """Return the clause ids of a line; one that the inventory does not have is reported."""
        if self.inventory is not None:
            for word in cites:
                self.inventory.check(word.text, word.span, self.bag)
        return tuple(word.text for word in cites)

    def note(self, node: ast.Decl) -> ir.Note:
        """Return what a declaration tells its readers."""
        return ir.Note(node.doc, self.clauses(node.cites), node.span)


def number(lo: int, hi: int) -> ir.Type:
    """Return the type of the numbers from `lo` to `hi`."""
    return ir.Type(f"{lo}..{hi}", "int", lo, hi)


def optional(inner: ir.Type) -> ir.Type:
    """Return the optional type over a type."""
    return ir.Type(f"{inner.name}?", "optional", inner.lo, inner.hi + 1, (), (inner,))


def pair(left: ir.Type, right: ir.Type) -> ir.Type:
    """Return the type of pairs."""
    return ir.Type(f"{left.name} * {right.name}", "pair", 0, left.size * right.size - 1, (), (left, right))


def lit(value: int) -> ir.Lit:
    """Return a number as an expression."""
    return ir.Lit(value, number(value, value))


TRUE = ir.Lit(1, ir.BOOL)
FALSE = ir.Lit(0, ir.BOOL)
POISONED = ir.Lit(0, POISON)


def conjunction(*tests: ir.Expr) -> ir.Expr:
    """Return the expression that all tests hold."""
    parts = [test for test in tests if test != TRUE]
    if not parts:
        return TRUE
    return parts[0] if len(parts) == 1 else ir.Apply("and", tuple(parts), ir.BOOL)


def equals(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Return the expression that two codes are equal."""
    return ir.Apply("==", (left, right), ir.BOOL)


def place_of(span: Span | None) -> Span:
    """Return a span, or one that stands for no place."""
    return span or Span("", 0, 0)
