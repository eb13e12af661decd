"""Effects: run statements on a position. The reference, slow and obvious like `evaluate`.

Reads:  statements, a position, the names bound around.   Writes: the position after them.
After:  every cell is inside its type, or `Contradiction` was raised; the position given is unchanged.

Lines run in order; `old` reads the position before the first of them. A simultaneous loop reads the position at its
start and writes at its end: each cell is set at most once, or only added to. Loops inside it belong to it.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import Protocol, assert_never

from pilgrim_rules.core.ir import Assign, Branch, Define, Loop, Stmt
from pilgrim_rules.core.values import show
from pilgrim_rules.engine.errors import Breach, Contradiction
from pilgrim_rules.engine.evaluate import evaluate, scenes
from pilgrim_rules.engine.layout import Position
from pilgrim_rules.engine.scene import Scene, World, cell
from pilgrim_rules.quick import dataclass

Cells = dict[str, list[int]]  #: a position that is being written


def perform(block: tuple[Stmt, ...], world: World, before: Position, names: dict[str, int]) -> Cells:
    """Return the position after the statements."""
    cells = {name: list(codes) for name, codes in before.items()}
    _run(block, Scene(world, cells, names, old=before), _Now(world, cells))
    return cells


class _Pen(Protocol):
    """Where assignments go."""

    def write(self, stmt: Assign, at: int, value: int) -> None: ...


def _run(block: tuple[Stmt, ...], scene: Scene, pen: _Pen) -> None:
    for stmt in block:
        match stmt:
            case Assign(variable=variable, index=index, value=value):
                types = scene.world.variables[variable].index
                at = cell(types, [evaluate(each, scene) for each in index])
                pen.write(stmt, at, evaluate(value, scene))
            case Define(name=name, value=value):
                scene = scene.bind(name, evaluate(value, scene))
            case Branch(test=test, then=then, other=other):
                _run(then if evaluate(test, scene) else other, scene, pen)
            case Loop(simultaneous=True):
                _together(stmt, scene, pen)
            case Loop(binder=binder, where=where, body=body):
                for each in scenes((binder,), None, scene):
                    if where is None or evaluate(where, each):  # asked in turn: an earlier round may decide it
                        _run(body, each, pen)
            case _:
                assert_never(stmt)


def _together(loop: Loop, scene: Scene, pen: _Pen) -> None:
    if isinstance(pen, _Ledger):  # nothing of the outer loop has been written yet, so both start from the same position
        for each in scenes((loop.binder,), loop.where, scene):
            _run(loop.body, each, pen)
        return
    assert isinstance(pen, _Now)
    ledger = _Ledger(scene.world)
    frozen = replace(scene, now={name: tuple(codes) for name, codes in pen.cells.items()})
    for each in scenes((loop.binder,), loop.where, frozen):
        _run(loop.body, each, ledger)
    ledger.post(pen)


@dataclass(frozen=True, slots=True)
class _Now:
    """Writes at once."""

    world: World
    cells: Cells

    def write(self, stmt: Assign, at: int, value: int) -> None:
        after = value if stmt.mode == "set" else self.cells[stmt.variable][at] + value
        self.cells[stmt.variable][at] = in_range(self.world, stmt, at, after)


@dataclass(frozen=True, slots=True)
class _Ledger:
    """Keeps what a simultaneous loop writes until its end."""

    world: World
    sets: dict[tuple[str, int], int] = field(default_factory=dict)
    adds: dict[tuple[str, int], tuple[Assign, int]] = field(default_factory=dict)

    def write(self, stmt: Assign, at: int, value: int) -> None:
        place = (stmt.variable, at)
        if place in self.sets or (stmt.mode == "set" and place in self.adds):
            raise Contradiction(written_twice(self.world, stmt, at))
        if stmt.mode == "set":
            self.sets[place] = in_range(self.world, stmt, at, value)
        else:
            _, sum_ = self.adds.get(place, (stmt, 0))
            self.adds[place] = (stmt, sum_ + value)

    def post(self, pen: _Now) -> None:
        for (variable, at), value in self.sets.items():
            pen.cells[variable][at] = value
        for (_, at), (stmt, value) in self.adds.items():
            pen.write(stmt, at, value)


def in_range(world: World, stmt: Assign, at: int, value: int) -> int:
    """Return the value if the cell can hold it."""
    type_ = world.variables[stmt.variable].type
    if type_.lo <= value <= type_.hi:
        return value
    raise Contradiction(left_range(world, stmt, at, value))


def left_range(world: World, stmt: Assign, at: int, value: int) -> Breach:
    """Return what is wrong if the cell were given a value outside its type."""
    type_ = world.variables[stmt.variable].type
    limits = f"from {show(type_, type_.lo)} to {show(type_, type_.hi)}"
    says = f"`{cell_name(world, stmt.variable, at)}` would be {value}, but goes {limits}"
    return Breach(says, stmt.key, stmt.clauses, stmt.span)


def written_twice(world: World, stmt: Assign, at: int) -> Breach:
    """Return what is wrong if one simultaneous loop sets a cell twice, or sets it and adds to it."""
    says = f"`{cell_name(world, stmt.variable, at)}` is written twice at the same time"
    return Breach(says, stmt.key, stmt.clauses, stmt.span)


def cell_name(world: World, variable: str, at: int) -> str:
    """Return how the rules spell a cell: `piety[red]`."""
    index: list[str] = []
    for type_ in reversed(world.variables[variable].index):
        at, code = divmod(at, type_.size)
        index.append(show(type_, code + type_.lo))
    return f"{variable}[{', '.join(reversed(index))}]" if index else variable
