"""What the lowering of expressions is made of: scopes, places of cells, checks of an index, the code of a definition.

Reads:  the declarations of a game and its layout.   Writes: `Lowering`, whose `value` the module `expressions` gives.
After:  the loops of `folds` can ask for the value of a part without knowing who lowers it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import reduce

from pilgrim_rules.core.bounds import range_of
from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.intervals import Interval, inside
from pilgrim_rules.core.ir import Call, Expr, Read, Type, When
from pilgrim_rules.core.simplify import Simplifier
from pilgrim_rules.core.walk import subexpressions
from pilgrim_rules.engine.cells.cell_code import Load, Number, Stop, Value
from pilgrim_rules.engine.cells.cell_values import plus, split_constant, times, within
from pilgrim_rules.engine.cells.error_sites import Sites
from pilgrim_rules.engine.lower.builder import FunctionBuilder, plain
from pilgrim_rules.engine.lower.tables import Tables
from pilgrim_rules.semantics.state_layout import Field, StateLayout, steps_of
from pilgrim_rules.util.fast_dataclass import replace


@dataclass(frozen=True, slots=True)
class Scope:
    """What an expression sees: the values of the names bound around it, and the states."""

    names: dict[str, Value]
    now: str = "s"
    old: str = ""
    next: str = ""

    def bind(self, name: str, value: Value) -> Scope:
        """Return the scope in which a name stands for a value."""
        return replace(self, names={**self.names, name: value})

    def state(self, when: When) -> str:
        """Return the name of a state."""
        return {"now": self.now, "old": self.old, "next": self.next}[when]


class Lowering(ABC):
    """Lowers the expressions of one game."""

    def __init__(self, declared: Declarations, layout: StateLayout, sites: Sites) -> None:
        self.declared = declared
        self.layout = layout
        self.sites = sites
        self.builder = FunctionBuilder()
        self.tables = Tables(declared)
        self.simplify = Simplifier(declared)
        self.def_ranges: dict[str, Interval] = {}  #: of the definitions lowered so far
        self.partial: set[str] = set()  #: functions of definitions that may stop
        self._def_numbers = {each.name: at for at, each in enumerate(declared.game.defs)}
        self._def_whens: dict[str, tuple[When, ...]] = {}

    def expr(self, expr: Expr, scope: Scope) -> Value:
        """Return the value of an expression as the game has it."""
        return self.value(self.simplify(expr), scope)

    @abstractmethod
    def value(self, expr: Expr, scope: Scope) -> Value:
        """Return the value of a simplified expression; statements it needs are added before."""

    def place(self, types: tuple[Type, ...], index: tuple[Expr, ...], offset: int, width: int, scope: Scope) -> Value:
        """Return where a cell of a row-major table lies, counted from `offset` in steps of `width`."""
        terms: list[Value] = []
        for type_, step, each in zip(types, steps_of(types), index, strict=True):
            offset -= type_.lo * step * width
            rest, constant = split_constant(self.index(self.value(each, scope), type_))
            offset += constant * step * width
            if rest is not None:
                terms.append(times(rest, Number(step * width)))
        return plus(reduce(plus, terms), Number(offset)) if terms else Number(offset)

    def address(self, field: Field, index: tuple[Expr, ...], scope: Scope) -> Value:
        """Return where a cell of a variable lies; a place that is not one byte has a name."""
        at = self.place(field.variable.index, index, field.offset, field.width, scope)
        if field.width == 1:
            return at
        rest, constant = split_constant(at)
        return Number(constant) if rest is None else plus(self.builder.named(rest), Number(constant))

    def cell(self, state: str, at: Value, field: Field) -> Value:
        """Return the number stored in a cell of a variable."""
        return self.builder.know(Load(state, at, field.width, (0, field.highest - field.variable.type.lo)))

    def def_name(self, name: str) -> str:
        """Return the name of a definition's function."""
        return f"d{self._def_numbers[name]}_{plain(name)}"

    def def_states(self, name: str) -> tuple[When, ...]:
        """Return which states a definition looks at, itself or through others; the present one always comes first."""
        if name not in self._def_whens:
            found: set[When] = set()
            for node in subexpressions(self.declared.defs[name].body):
                if isinstance(node, Read):
                    found.add(node.when)
                elif isinstance(node, Call):
                    found.update(self.def_states(node.definition))
            self._def_whens[name] = ("now", *sorted(found - {"now"}))
        return self._def_whens[name]

    def index(self, value: Value, type_: Type) -> Value:
        """Return a value that is used as an index; it is checked unless it must lie in the type."""
        if inside(value.range, range_of(type_)):
            return value
        named = self.builder.named(value)
        self.builder.stop_unless(within(named, range_of(type_)), Stop("outside"))
        return self.builder.know(named)
