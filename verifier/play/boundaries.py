"""Boundaries: positions in which a move is just allowed or just refused, kept, and asked again when the rules have changed.

Reads:  and writes `proofs/boundaries.json` in the folder of a game; a compiled game.
After:  a kept boundary is a position by the names of its cells, a move, and whether it was allowed; whatever is different today is
        told, with the reason. Nothing is proved by a boundary. One that means nothing any more, because a variable or an
        action is gone, is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pilgrim_rules.core.move_text import move_text_in
from pilgrim_rules.engine.compile import Compiled
from pilgrim_rules.language.find_game import PROOFS
from pilgrim_rules.semantics.errors import STOPS, RulesGameError
from pilgrim_rules.semantics.refusal import refusals
from pilgrim_rules.semantics.state_layout import Position
from pilgrim_rules.util import atomic_write

NAME = "boundaries.json"


@dataclass(frozen=True, slots=True)
class Boundary:
    """A move that is allowed, or refused by a line, in a position.

    about   what it shows: `use b = mill`, `use.require.1 at its limit`.
    line    the requirement that refuses; empty if the move is allowed.
    cells   the variables that are not as at the start, row by row.
    """

    action: str
    args: tuple[int, ...]
    line: str
    about: tuple[str, ...]
    cells: Mapping[str, tuple[int, ...]]

    @property
    def allowed(self) -> bool:
        """Whether the move was allowed."""
        return not self.line


@dataclass(frozen=True, slots=True)
class Shifted:
    """A boundary that lies elsewhere now."""

    boundary: Boundary
    state: bytes
    says: str


def shifted(code: Compiled, boundaries: Iterable[Boundary], actions: Iterable[str] | None = None) -> Iterator[Shifted]:
    """Yield the boundaries, of some actions or of all, that are not where they were."""
    wanted = None if actions is None else frozenset(actions)
    start = code.reference.start()
    for each in boundaries:
        state = state_of(code, each, start) if wanted is None or each.action in wanted else None
        if state is None:
            continue
        try:
            now = code.allowed(state, each.action, each.args)
        except STOPS:
            yield Shifted(each, state, f"{_move(code, each)} asks for a value that does not exist")
            continue
        if now == each.allowed:
            continue
        if now:
            yield Shifted(
                each, state, f"{_move(code, each)} was refused by `{each.line}` here, and is allowed: laxer, intended?"
            )
        else:
            declared = code.reference.declared
            why = refusals(declared, code.layout.decode(state), declared.actions[each.action], each.args, {})
            reasons = "; ".join(map(str, why))
            yield Shifted(
                each, state, f"{_move(code, each)} was allowed here, and is refused ({reasons}): stricter, intended?"
            )


def state_of(code: Compiled, boundary: Boundary, start: Position) -> bytes | None:
    """Return the position of a boundary, given the start; None if it is none of this game, or breaks one of its invariants."""
    action = code.reference.declared.actions.get(boundary.action)
    if action is None or len(action.params) != len(boundary.args):
        return None
    if any(not p.type.lo <= arg <= p.type.hi for p, arg in zip(action.params, boundary.args, strict=True)):
        return None
    position = dict(start)
    for name, codes in boundary.cells.items():
        if name not in position or len(position[name]) != len(codes):
            return None
        position[name] = list(codes)
    try:
        return code.layout.encode(position)
    except (ValueError, OverflowError, RulesGameError):
        return None


def cells_of(code: Compiled, state: bytes, start: Position) -> dict[str, tuple[int, ...]]:
    """Return the variables of a state that are not as at the start; no move depends on a ghost."""
    decoded = code.layout.decode(state)
    played = [variable.name for variable in code.played.variables if not variable.ghost]
    return {name: tuple(decoded[name]) for name in played if list(decoded[name]) != list(start[name])}


def read_boundaries(game: Path, players: int) -> tuple[Boundary, ...]:
    """Return what is kept in the folder of a game for a number of players; nothing if it cannot be read."""
    try:
        data = json.loads((game / PROOFS / NAME).read_bytes())
        return tuple(_from_data(each) for each in data.get(str(players), ()))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return ()


def write_boundaries(game: Path, players: int, found: Iterable[Boundary]) -> None:
    """Keep boundaries, one a line; those of other numbers of players stay."""
    try:
        data = json.loads((game / PROOFS / NAME).read_bytes())
    except (OSError, ValueError):
        data = {}
    data[str(players)] = [_data(each) for each in found]
    parts = (
        f'"{seats}": [\n' + ",\n".join(json.dumps(each, separators=(",", ":")) for each in data[seats]) + "\n]"
        for seats in sorted(data)
    )
    (game / PROOFS).mkdir(exist_ok=True)
    atomic_write.write(game / PROOFS / NAME, ("{" + ",\n".join(parts) + "}\n").encode())


def _move(code: Compiled, boundary: Boundary) -> str:
    return f"`{move_text_in(code.game, (boundary.action, boundary.args))}`"


def _data(each: Boundary) -> list[Any]:
    cells = {name: _packed(codes) for name, codes in each.cells.items()}
    return [each.action, list(each.args), each.line, list(each.about), cells]


def _packed(codes: tuple[int, ...]) -> list[Any]:
    """Return codes as numbers, a stretch of equal ones as `[code, times]`."""
    packed: list[list[int]] = []
    for code in codes:
        if packed and packed[-1][0] == code:
            packed[-1][1] += 1
        else:
            packed.append([code, 1])
    return [code if times == 1 else [code, times] for code, times in packed]


def _from_data(data: list[Any]) -> Boundary:
    action, args, line, about, cells = data
    opened = {
        str(name): tuple(
            code for part in packed for code in ([part[0]] * part[1] if isinstance(part, list) else [part])
        )
        for name, packed in cells.items()
    }
    return Boundary(str(action), tuple(map(int, args)), str(line), tuple(map(str, about)), opened)
