"""Sharing values: what has been worked out on every way to a place is not worked out again there.

Reads:  a function of cell code.   Writes: the same function, in which the first of several equal values is kept under a name.
After:  the function does the same. Only values that nothing changes are shared: not those of the working state, of arrays, or of
        locals that are set more than once.
"""

from __future__ import annotations

from collections import Counter
from itertools import count

from pilgrim_rules.engine.cells.cell_code import (
    WORK,
    AddSlot,
    AskGraph,
    Binary,
    Block,
    Choose,
    For,
    Function,
    Invoke,
    Load,
    Local,
    Logic,
    Number,
    Set,
    SetSlot,
    Slot,
    Statement,
    Store,
    TableItem,
    Tee,
    Value,
)
from pilgrim_rules.engine.cells.cell_walk import children, parts, rebuild, rebuild_statement, statements, values_in
from pilgrim_rules.util.fast_dataclass import replace

_Known = dict[Value, Local]  #: the values that are there, and the names they are kept under


def share_values(function: Function, *, calls_only: bool = False) -> Function:
    """Return the function with equal values shared; only those with a call in them, if the rest is shared by another compiler."""
    sharing = _Sharing(function, calls_only=calls_only)
    body = sharing.block(function.body, {})
    used = {each.name for each in values_in(body) if isinstance(each, Local)}
    unused = sharing.names - used

    def strip(value: Value) -> Value:
        if isinstance(value, Tee) and value.local.name in unused:
            return strip(value.value)
        return rebuild(value, strip)

    def strip_block(block: Block) -> Block:
        return tuple(rebuild_statement(each, strip, strip_block) for each in block)

    return replace(function, body=strip_block(body))


class _Sharing:
    """Keeps every value that might be asked for again under a name; those that nobody asks for are stripped afterwards."""

    def __init__(self, function: Function, *, calls_only: bool) -> None:
        self.names: set[str] = set()
        self._calls_only = calls_only
        self._numbers = count(1)
        sets = Counter(each.local.name for each in statements(function.body) if isinstance(each, Set | For))
        self._variables = {name for name, times in sets.items() if times > 1}
        self._known_to_vary: dict[int, bool] = {}  #: by the identity of a value of the function

    def block(self, block: Block, known: _Known) -> Block:
        """Return a block; what it works out on every way is known afterwards."""
        return tuple(self._statement(each, known) for each in block)

    def _statement(self, statement: Statement, known: _Known) -> Statement:
        if isinstance(statement, Set) and statement.value not in known and self._names(statement):
            shared = self._shared_parts(statement.value, known)
            known[statement.value] = statement.local
            return replace(statement, value=shared)
        if isinstance(statement, Store | SetSlot | AddSlot):  # languages differ in which side they evaluate first
            return rebuild_statement(statement, lambda value: self._shared(value, {**known}), lambda block: block)
        return rebuild_statement(
            statement, lambda value: self._shared(value, known), lambda block: self.block(block, {**known})
        )

    def _names(self, statement: Set) -> bool:
        return statement.local.name not in self._variables and self._is_kept(statement.value)

    def _shared(self, value: Value, known: _Known) -> Value:
        if value in known:
            return replace(known[value], range=value.range)
        shared = self._shared_parts(value, known)
        if not self._is_kept(value):
            return shared
        local = Local(f"c{next(self._numbers)}", value.range)
        self.names.add(local.name)
        known[value] = local
        return Tee(local, shared)

    def _shared_parts(self, value: Value, known: _Known) -> Value:
        """Return the value; what is worked out in a part that may not be asked for is known there alone."""
        match value:
            case Logic(parts=(first, *rest)):
                own = self._shared(first, known)
                inside = {**known}
                return replace(value, parts=(own, *(self._shared(each, inside) for each in rest)))
            case Choose(test=test, then=then, other=other):
                asked = self._shared(test, known)
                return Choose(asked, self._shared(then, {**known}), self._shared(other, {**known}), value.range)
            case _:  # every part is asked for
                return rebuild(value, lambda part: self._shared(part, known))

    def _is_kept(self, value: Value) -> bool:
        """Return whether a value is worth a name, and keeps its meaning as long as the name can be used."""
        match value:
            case Load() | TableItem() | Invoke() | Logic() | Choose():
                worth = True
            case Binary(op=op, right=right):
                worth = not (op in ("+", "-") and isinstance(right, Number))
            case _:  # a name, a constant, or as quick as one
                worth = False
        return worth and (not self._calls_only or self._calls(value)) and not self._varies(value)

    def _calls(self, value: Value) -> bool:
        """Return whether there is a call in a value."""
        return any(isinstance(each, Invoke) for each in parts(value))

    def _varies(self, value: Value) -> bool:
        """Return whether something in a value may change; asked once of each part, which belongs to the function at hand."""
        found = self._known_to_vary.get(id(value))
        if found is None:
            found = self._changes(value) or any(map(self._varies, children(value)))
            self._known_to_vary[id(value)] = found
        return found

    def _changes(self, value: Value) -> bool:
        match value:
            case Local(name=name):
                return name in self._variables
            case Load(state=state):
                return state == WORK
            case Invoke(states=states):
                return WORK in states
            case _:  # changes only if a part does, which is asked about as well
                return isinstance(value, Slot | AskGraph | Tee)
