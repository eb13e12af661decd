"""ProgramInfo: what the checker knows of a game while it works through it.

Reads:  nothing.   Writes: nothing; the passes of this package fill the tables, each its own.
After:  see the passes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pilgrim_rules.core import ir
from pilgrim_rules.core.expand import NamedRules
from pilgrim_rules.core.footprint import reads
from pilgrim_rules.core.forms import expand_form
from pilgrim_rules.core.smart_constructors import lit, number
from pilgrim_rules.core.walk import subexpressions
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.inputs.clauses.inventory import Inventory
from pilgrim_rules.inputs.data.edition import Edition
from pilgrim_rules.inputs.graphs.graph import GraphData
from pilgrim_rules.language.check.expression_size import ExpressionSize, measure
from pilgrim_rules.language.names.symbols import Symbols
from pilgrim_rules.language.syntax import ast

#: The type of what could not be typed; it fits everything, so that one mistake gives one message.
POISON = ir.Type("?", "int", 0, 0)
MAX_TYPE = 1 << 16
MAX_NUMBER = 1 << 31
MAX_CELLS = 1_000_000
MAX_STAGES = 1024
MAX_LINES = 5_000  #: of one rule, those of the guards and effects it uses included
MAX_LEVELS = 32  #: guards or effects that use each other
_MOST_SUGGESTED = 100
#: What people write who have just written another language.
_FOREIGN = (
    {"True": "write `true`", "False": "write `false`", "None": "write `none`", "null": "write `none`"}
    | dict.fromkeys(
        ("int", "integer", "number", "nat", "float"), "a number is a range: `1..8`, or `0..` without an upper end"
    )
    | dict.fromkeys(("boolean", "Boolean", "Bool"), "write `bool`")
    | dict.fromkeys(
        ("str", "string", "String"), "there are no texts in play; name what can be: `enum Colour: red, blue`"
    )
    | dict.fromkeys(("size", "len", "length"), "`count(hand[p])` is how many pieces lie in a zone")
    | dict.fromkeys(
        ("random", "rand", "dice"),
        "chance is an action of its own, `chance toss(face: 1..6)`, or dice in a pool: `roll 2 into pool`",
    )
    | {"roll": "dice are thrown into a pool: `roll 2 into pool`; one alone is an action: `chance toss(face: 1..6)`"}
)
_A_FEW = 12  #: this many names are listed where none is like the one that was written


@dataclass(slots=True)
class StageInfo:
    """The stages that one name stands for: one, or one for each value it carries."""

    name: str
    carries: ir.Type | None
    first: int
    node: ast.StageLine
    by: ir.Expr | None = None
    always: tuple[ir.Expr, ...] = ()

    @property
    def codes(self) -> range:
        """The codes of all stages of this name."""
        return range(self.first, self.first + (self.carries.size if self.carries else 1))


@dataclass(frozen=True, slots=True)
class ZoneInfo:
    """The zones that one name stands for: one, or one for each value of its index.

    pieces  the type of what lies in it.            place  the type of the places of its set; empty labels for kinds.
    kinds   it holds numbers of kinds: a variable, like any other.
    """

    name: str
    pieces: ir.Type
    index: ir.Type | None
    place: ir.Type
    first: int
    node: ast.ZoneLine
    kinds: bool

    @property
    def codes(self) -> range:
        """The codes of all places of this name."""
        return range(self.first, self.first + (self.index.size if self.index else 1))


@dataclass(slots=True)
class ProgramInfo:
    """Everything that is known so far."""

    symbols: Symbols
    bag: Bag
    edition: Edition | None = None
    inventory: Inventory | None = None
    data: Mapping[str, Mapping[int, int]] = field(
        default_factory=dict
    )  #: codes in place of the edition's, by table and cell
    types: dict[str, ir.Type] = field(default_factory=dict)
    unions: dict[str, tuple[tuple[ir.Type, int], ...]] = field(default_factory=dict)  #: member types and their offsets
    labels: dict[str, list[ir.Type]] = field(default_factory=dict)
    graphs: dict[str, tuple[GraphData, ir.Type, ir.Type | None]] = field(default_factory=dict)  #: data, nodes, sides
    columns: dict[tuple[str, str], str] = field(default_factory=dict)  #: (type, column) -> constant
    constants: dict[str, ir.Constant] = field(default_factory=dict)
    variables: dict[str, ir.Variable] = field(default_factory=dict)
    defs: dict[str, ir.Def] = field(default_factory=dict)
    reads: dict[str, frozenset[str]] = field(default_factory=dict)  #: the variables that each definition reads
    networked: set[str] = field(default_factory=set)  #: definitions that ask a network
    degrees: dict[str, int] = field(default_factory=dict)  #: how many values a relation gives at most
    pinned: set[str] = field(default_factory=set)  #: rulings and assumed data that something was computed from
    looked_at: set[str] = field(
        default_factory=set
    )  #: constants whose values the text of the core depends on, or a mistake
    sheet: ir.ScoreSheet | None = None
    measures: dict[str, ExpressionSize] = field(default_factory=dict)  #: how large each definition is
    stages: dict[str, StageInfo] = field(default_factory=dict)
    stagesets: dict[str, tuple[int, ...]] = field(default_factory=dict)
    zones: dict[str, ZoneInfo] = field(default_factory=dict)
    actions: dict[str, ir.Action] = field(default_factory=dict)
    effects: dict[str, ir.Effect] = field(default_factory=dict)
    written: dict[str, frozenset[str]] = field(default_factory=dict)  #: state variables, by the effect that writes them
    guards: dict[str, ir.Guard] = field(default_factory=dict)
    purses: dict[str, ir.Purse] = field(default_factory=dict)
    sizes: dict[str, tuple[int, int]] = field(default_factory=dict)  #: lines and levels that each rule is expanded to
    broken: set[str] = field(default_factory=set)  #: names whose declaration was refused; their uses are accepted
    other_actions: dict[str, ast.Action] = field(default_factory=dict)  #: actions that exist only in other readings
    overgrown: set[str] = field(default_factory=set)  #: guards and effects that are too large to be put together
    unknowns: int = 0  #: unknown names so far; looking for the closest one takes time
    absent: tuple[str, ...] = ()  #: labels of players of the game who do not play in this instance
    automata: tuple[int, ...] = ()  #: the players of this instance who decide by a policy
    unsure: bool = False  #: a type was refused whose labels nobody knows, so that any unknown name may be one

    @property
    def player(self) -> ir.Type:
        """The type of the players."""
        return self.types["Player"]

    @property
    def people(self) -> int:
        """How many players decide for themselves."""
        return self.player.size - len(self.automata)

    @property
    def stage(self) -> ir.Type:
        """The type of the stages."""
        return self.types["Stage"]

    @property
    def shared(self) -> NamedRules:
        """What written lines may name."""
        return NamedRules(self.effects, self.guards, self.purses, self.variables, self.constants, self.defs)

    def grow(self, rule: str, word: ast.Word, span: Span) -> bool:
        """Tell whether a rule stays small enough with a guard or effect put in; report once a rule if it does not."""
        lines, depth = self.sizes.get(rule, (0, 0))
        more, deeper = self.sizes.get(word.text, (0, 0))
        self.sizes[rule] = (lines + more, max(depth, deeper + 1))
        if word.text in self.overgrown or rule in self.overgrown:  # which has been said
            self.overgrown.add(rule)
            return False
        if lines + more > MAX_LINES or deeper + 1 > MAX_LEVELS:
            self.overgrown.add(rule)
            said = f"{MAX_LINES:,} lines" if lines + more > MAX_LINES else f"{MAX_LEVELS} levels"
            what = f"with `{word.text}` this grows to more than {said}"
            self.bag.add(codes.PR416, what, span, help="use a loop, or say the result at once")
            return False
        return True

    def measure_rule(self, rule: str, lines: int) -> None:
        """Add the lines of a rule's own to those of what it uses."""
        more, depth = self.sizes.get(rule, (0, 0))
        self.sizes[rule] = (lines + more, depth)

    def unknown(
        self, word: ast.Word | ast.Name, known: Iterable[str], what: str = "name", code: codes.Code = codes.PR201
    ) -> None:
        """Report an unknown name, with the closest one that exists, or with all if they are few."""
        if word.text in self.broken:
            return
        names = list(dict.fromkeys(known))
        self.unknowns += 1
        help_ = _FOREIGN.get(word.text)
        if help_ is None and self.unknowns <= _MOST_SUGGESTED:
            help_ = did_you_mean(word.text, names)
        if help_ is None and code is not codes.PR201 and 0 < len(names) <= _A_FEW:
            help_ = f"known here: {', '.join(f'`{name}`' for name in names)}"
        message = f"unknown {what} `{word.text}`" if " of " not in what else f"`{word.text}` is no {what}"
        self.bag.add(code, message, word.span, help=help_)

    def with_data(self, name: str, type_: ir.Type, values: tuple[int, ...] | None) -> tuple[int, ...] | None:
        """Return the codes of a table of the edition, with those in place that whoever loads the game has chosen."""
        chosen = self.data.get(name)
        if values is None or not chosen:
            return values
        if not all(0 <= cell < len(values) and type_.lo <= code <= type_.hi for cell, code in chosen.items()):
            raise ValueError(f"`{name}` has no such cell, or its type no such value: {dict(chosen)}")
        return tuple(chosen.get(cell, code) for cell, code in enumerate(values))

    def measure(self, expr: ir.Expr) -> ExpressionSize:
        """Return how large, deep and long to compute an expression is."""
        return measure(expr, self.measures, self.degrees)

    def define(self, definition: ir.Def) -> None:
        """Enter a definition, with what it reads and how large it is."""
        name, body = definition.name, definition.body
        self.defs[name] = definition
        self.measures[name] = self.measure(body)
        self.reads[name] = reads((body,), self.defs, known=self.reads)
        if self.asks_network(body):
            self.networked.add(name)

    def asks_network(self, expr: ir.Expr) -> bool:
        """Tell whether an expression asks a network, by itself or through definitions."""
        return any(
            isinstance(part, ir.AskNetwork) or (isinstance(part, ir.Call) and part.definition in self.networked)
            for part in subexpressions(expr)
        )

    def clauses(self, cites: ast.Cites) -> tuple[str, ...]:
        """Return the clause ids of a line; one that the inventory does not have is reported."""
        if self.inventory is not None:
            for word in cites:
                self.inventory.check(word.text, word.span, self.bag)
        return tuple(word.text for word in cites)

    def note(self, node: ast.Decl) -> ir.Note:
        """Return what a declaration tells its readers."""
        return ir.Note(node.doc, self.clauses(node.cites), node.span)


def negative(value: ir.Expr) -> ir.Expr:
    """Return the number with the other sign."""
    if isinstance(value, ir.Lit):
        return POISONED if value.type == POISON else lit(-value.value)
    return expand_form("negative", (value,), value.type, number(-value.type.hi, -value.type.lo))


POISONED = ir.Lit(0, POISON)
