"""Source text: the pieces of Python text that the generator puts together.

Reads:  nothing.   Writes: `Value` (an expression of the generated program), `Scope` (what an expression may use),
`Writer` (lines of one generated function).
After:  every identifier in generated text is one of ours (a letter and a number); nothing of a rules file gets into it.

A value is known either once for all states of a batch (a Python number: literals, loop variables, constants at known
places) or state by state (`rows`: an array with one entry a state). What is known once is computed by plain Python, so
that a loop over players, or a constant table at a loop variable, costs nothing per state. Where a value for each row is
expected, a single number does as well: generated code uses only operations that take both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from pilgrim_rules.core.ir import Type, When

LARGEST = 2**62  #: bounds of the values that generated code computes with; beyond, the evaluator does the work


class NotVectorised(Exception):
    """The generator has no code for this; the reference evaluator takes over."""


@dataclass(frozen=True, slots=True)
class Value:
    """An expression of the generated program, and between which bounds its values lie."""

    text: str
    rows: bool
    lo: int
    hi: int
    truth: bool = False  #: a Boolean; state by state it is an array of Booleans, not of numbers

    def __post_init__(self) -> None:
        if not -LARGEST < self.lo <= self.hi < LARGEST:
            raise NotVectorised

    @property
    def known(self) -> int | None:
        """The value, if there is only one it can have."""
        return self.lo if self.lo == self.hi else None

    def within(self, lo: int, hi: int) -> bool:
        """Return whether every value it can have lies between the bounds."""
        return lo <= self.lo and self.hi <= hi


def number(value: int) -> Value:
    """Return a literal number."""
    return Value(str(value) if value >= 0 else f"({value})", rows=False, lo=value, hi=value)


def truth(text: str, *, rows: bool) -> Value:
    """Return a Boolean expression."""
    return Value(text, rows, 0, 1, truth=True)


TRUE = Value("True", rows=False, lo=1, hi=1, truth=True)
FALSE = Value("False", rows=False, lo=0, hi=0, truth=True)


@dataclass(frozen=True, slots=True)
class Scope:
    """What an expression may use.

    names   values of the names bound around.
    states  the arrays that hold the states now, before the action and after the step.
    live    the rows for which the expression is evaluated at all (None: every row); only `Checked` asks.
    frozen  the array `now` does not change while the function runs, so that reading it twice is reading it once.
    """

    names: Mapping[str, Value]
    states: Mapping[When, str]
    live: Value | None = None
    frozen: bool = True

    def bind(self, name: str, value: Value) -> Scope:
        """Return the scope in which the name stands for the value."""
        return replace(self, names={**self.names, name: value})


@dataclass(slots=True)
class Writer:
    """The lines of a generated function, and the temporaries that can be used again at the present place."""

    prefix: str
    lines: list[str] = field(default_factory=list)
    _count: int = 0
    _known: list[dict[str, str]] = field(default_factory=lambda: [{}])

    def fresh(self) -> str:
        """Return an identifier not used before in the function."""
        self._count += 1
        return f"{self.prefix}{self._count}"

    def line(self, text: str) -> None:
        """Add a line at the present depth."""
        self.lines.append("    " * len(self._known) + text)

    def keep(self, value: Value, *, again: bool = False) -> Value:
        """Give the value a name. `again`: the same text, here or further in, is the same value; compute it once."""
        if value.text.isidentifier() or value.known is not None:
            return value
        for known in self._known if again else ():
            if value.text in known:
                return replace(value, text=known[value.text])
        name = self.fresh()
        self.line(f"{name} = {value.text}")
        if again:
            self._known[-1][value.text] = name
        return replace(value, text=name)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Indent the lines written inside under the head."""
        self.line(head)
        self._known.append({})
        length = len(self.lines)
        yield
        if len(self.lines) == length:
            self.line("pass")
        self._known.pop()


def clamped(value: Value, type_: Type) -> Value:
    """Return the value, forced into the type.

    What lies outside belongs to rows (or rounds) whose result is not used: the checker has seen to it that a place is
    asked for only where it exists, but a batch computes it for all rows.
    """
    text = value.text
    if value.lo < type_.lo:
        text = f"maximum({text}, {type_.lo})" if value.rows else f"max({text}, {type_.lo})"
    if value.hi > type_.hi:
        text = f"minimum({text}, {type_.hi})" if value.rows else f"min({text}, {type_.hi})"
    lo, hi = (min(max(bound, type_.lo), type_.hi) for bound in (value.lo, value.hi))
    return replace(value, text=text, lo=lo, hi=hi)
