"""Cell code: the small imperative form between the rules and the languages that they are printed in.

Reads:  nothing.   Writes: nothing; this file only says what cell code can contain.
After:  every printer is total over these classes.

All numbers are integers. A *state* is a row of bytes with a name; a *table* is constant; an *array* is scratch memory of
one function. A value has no effect (but `Tee`, which keeps it under a name), so a pass may leave out one that nobody
needs. Every value knows its range: wherever it is asked for, it lies in it. Code stops (`Stop`) before it would leave a
table, divide by what is not positive, or store what a cell cannot hold.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from pilgrim_rules.core.intervals import TRUTH, Interval
from pilgrim_rules.core.ir import GraphQuestion
from pilgrim_rules.util.fast_dataclass import dataclass

# -------------------------------------------------------------------------------------------------------------- values

ArithmeticOp: TypeAlias = Literal["+", "-", "*", "div", "mod", "min", "max"]
ComparisonOp: TypeAlias = Literal["==", "!=", "<", "<=", ">", ">="]
BinaryOp: TypeAlias = ArithmeticOp | ComparisonOp


@dataclass(frozen=True, slots=True)
class Number:
    """A constant."""

    value: int

    @property
    def range(self) -> Interval:
        """The number alone."""
        return self.value, self.value


@dataclass(frozen=True, slots=True)
class Local:
    """A name of the function; the range is what is known of it at this place."""

    name: str
    range: Interval = field(compare=False)


@dataclass(frozen=True, slots=True)
class Load:
    """The number stored in a cell of a state, `at` bytes from its start."""

    state: str
    at: Value
    width: int
    range: Interval = field(compare=False)


@dataclass(frozen=True, slots=True)
class TableItem:
    """An entry of a constant table."""

    table: str
    at: Value
    range: Interval = field(compare=False)


@dataclass(frozen=True, slots=True)
class Slot:
    """An entry of an array."""

    array: str
    at: Value
    range: Interval = field(compare=False)


@dataclass(frozen=True, slots=True)
class Binary:
    """Arithmetic or a comparison. `div` is floor division, `mod` its remainder; the divisor is positive."""

    op: BinaryOp
    left: Value
    right: Value
    range: Interval = field(compare=False)


@dataclass(frozen=True, slots=True)
class Logic:
    """`and`, `or`: parts are evaluated up to the first that decides."""

    op: Literal["and", "or"]
    parts: tuple[Value, ...]

    @property
    def range(self) -> Interval:
        """A truth."""
        return TRUTH


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite of a truth."""

    value: Value

    @property
    def range(self) -> Interval:
        """A truth."""
        return TRUTH


@dataclass(frozen=True, slots=True)
class Choose:
    """`then` if the test holds, otherwise `other`; only the chosen one is evaluated."""

    test: Value
    then: Value
    other: Value
    range: Interval = field(compare=False)


@dataclass(frozen=True, slots=True)
class Invoke:
    """The result of a function that gives one number."""

    function: str
    states: tuple[str, ...]
    args: tuple[Value, ...]
    range: Interval = field(compare=False)


@dataclass(frozen=True, slots=True)
class Tee:
    """The value, kept under a name as well."""

    local: Local
    value: Value

    @property
    def range(self) -> Interval:
        """The value's."""
        return self.value.range


@dataclass(frozen=True, slots=True)
class AskGraph:
    """The answer to a question about the graph of a state; `none` stands for a distance that does not exist."""

    network: int
    question: GraphQuestion
    state: str
    index: tuple[Value, ...]
    nodes: tuple[tuple[Value, ...], ...]
    none: int
    range: Interval = field(compare=False)


Value: TypeAlias = Number | Local | Load | TableItem | Slot | Binary | Logic | Not | Choose | Invoke | Tee | AskGraph

# ---------------------------------------------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class NumberRange:
    """The numbers from `first` to `last`, downwards if `first` is the greater one; a domain is never empty."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class UpTo:
    """The numbers from 0 on, below a value that is asked for once."""

    limit: Value


@dataclass(frozen=True, slots=True)
class TableRow:
    """The numbers of one row of a table of rows."""

    table: str
    at: Value


Domain: TypeAlias = NumberRange | UpTo | TableRow


@dataclass(frozen=True, slots=True)
class Set:
    """Keep a value under a name."""

    local: Local
    value: Value


@dataclass(frozen=True, slots=True)
class Store:
    """Write a cell of a state; the value fits."""

    state: str
    at: Value
    value: Value
    width: int


@dataclass(frozen=True, slots=True)
class SetSlot:
    """Write an entry of an array."""

    array: str
    at: Value
    value: Value


@dataclass(frozen=True, slots=True)
class AddSlot:
    """Add to an entry of an array."""

    array: str
    at: Value
    value: Value


@dataclass(frozen=True, slots=True)
class If:
    """Run `then` if the test holds, otherwise `other`. The note is for readers."""

    test: Value
    then: Block
    other: Block = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class For:
    """Run the body with each number of the domain in turn."""

    local: Local
    over: Domain
    body: Block


@dataclass(frozen=True, slots=True)
class Break:
    """Leave the innermost loop."""


@dataclass(frozen=True, slots=True)
class Continue:
    """Go on with the next round of the innermost loop."""


@dataclass(frozen=True, slots=True)
class Return:
    """End the function. Its result is these numbers; those of searches and steps are what was found or written so far."""

    values: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Emit:
    """Add a tuple of arguments to what the search has found."""

    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Copy:
    """Make a state that holds what another one holds now."""

    state: str
    source: str


@dataclass(frozen=True, slots=True)
class Clear:
    """Fill an array with zeros."""

    array: str


StopKind: TypeAlias = Literal["range", "twice", "checked", "outside", "divisor"]


@dataclass(frozen=True, slots=True)
class Stop:
    """The rules contradict themselves: end everything, saying where.

    range    site, at, value   the assignment number `site` would give the cell at this place this value
    twice    site, at          the assignment number `site` writes the cell at this place a second time
    checked  site, value       the checked expression number `site` has this value
    outside                    an index is outside its table
    divisor                    a divisor is not positive
    """

    kind: StopKind
    args: tuple[Value, ...] = ()


Statement: TypeAlias = (
    Set | Store | SetSlot | AddSlot | If | For | Break | Continue | Return | Emit | Copy | Clear | Stop
)  # fmt: skip
Block: TypeAlias = tuple[Statement, ...]

# ------------------------------------------------------------------------------------------------------------ programs

#: What a function gives: one number, several, a list of arguments in ascending order, or the state it wrote.
Result: TypeAlias = Literal["number", "numbers", "moves", "state"]
WORK = "w"  #: the state that a step writes


@dataclass(frozen=True, slots=True)
class Array:
    """Scratch memory of a function: this many numbers of this range."""

    name: str
    size: int
    range: Interval


@dataclass(frozen=True, slots=True)
class Function:
    """A function of states and numbers.

    sorts   of a search: what it finds comes in another order than that of the arguments.
    """

    name: str
    states: tuple[str, ...]
    params: tuple[Local, ...]
    body: Block
    result: Result
    arrays: tuple[Array, ...] = ()
    sorts: bool = False


Numbers: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NetworkPart:
    """Nodes or links of a network: the search for the values of its binders, and a function for each end."""

    search: str
    ends: tuple[str, ...]
    nodes_only: bool


@dataclass(frozen=True, slots=True)
class NetworkCode:
    """A network: how many of the binders are its index, and its parts."""

    index: int
    parts: tuple[NetworkPart, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """All functions of a game, and the tables that they use: of numbers, or of rows of numbers.

    `groups` gives the names of functions by what they are for, each group in the order of the game's declarations; None
    where a declaration needs no function.
    """

    title: str
    functions: dict[str, Function]
    tables: dict[str, Numbers]
    rows: dict[str, tuple[Numbers, ...]]
    groups: dict[str, tuple[str | None, ...]]
    networks: tuple[NetworkCode, ...]
