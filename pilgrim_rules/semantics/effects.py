"""Effects: run statements on a position. The reference, slow and obvious like `evaluate`.

Reads:  statements, a position, the names bound around.   Writes: the position after them.
After:  every cell is inside its type, or `Contradiction` was raised; the position given is unchanged.

Lines run in order; `old` reads the position before the first of them. A simultaneous loop reads the position at its
start and writes at its end: each cell is set at most once, or only added to. Loops inside it belong to it.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import Protocol, assert_never

from pilgrim_rules.core.contracts import asked_contract
from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.ir import Assign, Branch, Claim, Define, Loop, Stmt
from pilgrim_rules.core.values import show
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.errors import Breach, Contradiction
from pilgrim_rules.semantics.evaluate import cell_of, environments, evaluate
from pilgrim_rules.semantics.state_layout import Position
from pilgrim_rules.util.fast_dataclass import dataclass

Cells = dict[str, list[int]]  #: a position that is being written


def perform(block: tuple[Stmt, ...], declared: Declarations, before: Position, names: dict[str, int]) -> Cells:
    """Return the position after the statements."""
    cells = {name: list(codes) for name, codes in before.items()}
    _run(block, Environment(declared, cells, names, old=before), _ImmediateWrites(declared, cells))
    return cells


class _WriteTarget(Protocol):
    """Where assignments go."""

    def write(self, stmt: Assign, at: int, value: int) -> None: ...


def _run(block: tuple[Stmt, ...], env: Environment, target: _WriteTarget) -> None:
    for stmt in block:
        match stmt:
            case Assign(variable=variable, index=index, value=value):
                types = env.declared.variables[variable].index
                at = cell_of(variable, types, [evaluate(each, env) for each in index])
                target.write(stmt, at, evaluate(value, env))
            case Define(name=name, value=value):
                env = env.bind(name, evaluate(value, env))
            case Branch(test=test, then=then, other=other):
                _run(then if evaluate(test, env) else other, env, target)
            case Loop(simultaneous=True):
                _simultaneous_loop(stmt, env, target)
            case Loop(binder=binder, where=where, body=body):
                for each in environments((binder,), None, env):
                    if where is None or evaluate(where, each):  # asked in turn: an earlier round may decide it
                        _run(body, each, target)
            case _:
                assert_never(stmt)


def _simultaneous_loop(loop: Loop, env: Environment, target: _WriteTarget) -> None:
    # Nothing of the outer loop has been written yet, so both start from the same position.
    if isinstance(target, _PendingWrites):
        for each in environments((loop.binder,), loop.where, env):
            _run(loop.body, each, target)
        return
    assert isinstance(target, _ImmediateWrites)
    pending = _PendingWrites(env.declared)
    frozen = replace(env, now={name: tuple(codes) for name, codes in target.cells.items()})
    for each in environments((loop.binder,), loop.where, frozen):
        _run(loop.body, each, pending)
    pending.post(target)


@dataclass(frozen=True, slots=True)
class _ImmediateWrites:
    """Writes at once."""

    declared: Declarations
    cells: Cells

    def write(self, stmt: Assign, at: int, value: int) -> None:
        after = value if stmt.mode == "set" else self.cells[stmt.variable][at] + value
        self.cells[stmt.variable][at] = in_range(self.declared, stmt, at, after)


@dataclass(frozen=True, slots=True)
class _PendingWrites:
    """Keeps what a simultaneous loop writes until its end."""

    declared: Declarations
    sets: dict[tuple[str, int], int] = field(default_factory=dict)
    adds: dict[tuple[str, int], tuple[Assign, int]] = field(default_factory=dict)

    def write(self, stmt: Assign, at: int, value: int) -> None:
        place = (stmt.variable, at)
        if place in self.sets or (stmt.mode == "set" and place in self.adds):
            raise Contradiction(written_twice(self.declared, stmt, at))
        if stmt.mode == "set":
            self.sets[place] = in_range(self.declared, stmt, at, value)
        else:
            _, sum_ = self.adds.get(place, (stmt, 0))
            self.adds[place] = (stmt, sum_ + value)

    def post(self, target: _ImmediateWrites) -> None:
        for (variable, at), value in self.sets.items():
            target.cells[variable][at] = value
        for (_, at), (stmt, value) in self.adds.items():
            target.write(stmt, at, value)


def in_range(declared: Declarations, stmt: Assign, at: int, value: int) -> int:
    """Return the value if the cell can hold it."""
    type_ = declared.variables[stmt.variable].type
    if type_.lo <= value <= type_.hi:
        return value
    raise Contradiction(left_range(declared, stmt, at, value))


def left_range(declared: Declarations, stmt: Assign, at: int, value: int) -> Breach:
    """Return what is wrong if the cell were given a value outside its type."""
    contract = asked_contract(stmt.key)
    if contract is not None:
        return Breach(_breaks(declared.claims[contract]), stmt.key, stmt.clauses, stmt.span)
    type_ = declared.variables[stmt.variable].type
    above = "up" if type_.is_open else f"to {show(type_, type_.hi)}"
    limits = f"from {show(type_, type_.lo)} {above}"
    says = f"`{cell_name(declared, stmt.variable, at)}` would be {value}, but goes {limits}"
    return Breach(says, stmt.key, stmt.clauses, stmt.span)


def _breaks(claim: Claim) -> str:
    return f"`{claim.action}` breaks its contract `{claim.name}`: `{claim.words}`"


def written_twice(declared: Declarations, stmt: Assign, at: int) -> Breach:
    """Return what is wrong if one simultaneous loop sets a cell twice, or sets it and adds to it."""
    says = f"`{cell_name(declared, stmt.variable, at)}` is written twice at the same time"
    return Breach(says, stmt.key, stmt.clauses, stmt.span)


def cell_name(declared: Declarations, variable: str, at: int) -> str:
    """Return how the rules spell a cell: `piety[red]`."""
    index: list[str] = []
    for type_ in reversed(declared.variables[variable].index):
        at, code = divmod(at, type_.size)
        index.append(show(type_, code + type_.lo))
    return f"{variable}[{', '.join(reversed(index))}]" if index else variable
