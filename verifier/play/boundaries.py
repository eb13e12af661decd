"""Boundaries: positions in which a move is just allowed or just refused, and what it does, kept, and asked again when the rules have changed.

Reads:  and writes `proofs/boundaries.json` in the folder of a game; a compiled game.
After:  a kept boundary is a position by the names of its cells, a move, whether it was allowed, and which cells it changed; whatever is
        different today is told, with the reason. Nothing is proved by a boundary. One that means nothing any more, because a variable or an
        action is gone, is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from pilgrim_rules.core.move_text import move_text_in
from pilgrim_rules.core.values import show
from pilgrim_rules.engine.python.compile import Compiled
from pilgrim_rules.language.find_game import PROOFS
from pilgrim_rules.semantics.effects import cell_name
from pilgrim_rules.semantics.errors import STOPS, RulesGameError
from pilgrim_rules.semantics.refusal import refusals
from pilgrim_rules.semantics.state_layout import Position
from pilgrim_rules.util import atomic_write

NAME = "boundaries.json"
SHOWN = 4  #: cells of an effect that are told

Effect: TypeAlias = Mapping[str, Mapping[int, int]]


@dataclass(frozen=True, slots=True)
class Boundary:
    """A move that is allowed, or refused by a line, in a position.

    about   what it shows: `use b = mill`, `use.require.1 at its limit`.
    line    the requirement that refuses; empty if the move is allowed.
    cells   the variables that are not as at the start, row by row.
    effect  the cells that the move gives another value, by name and place, with that value; None if that is not known.
    points  of each player in the position; None if that is not known.
    """

    action: str
    args: tuple[int, ...]
    line: str
    about: tuple[str, ...]
    cells: Mapping[str, tuple[int, ...]]
    effect: Effect | None = None
    points: tuple[int, ...] | None = None

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
            for says in filter(None, (_does(code, each, state), _scores(code, each, state))):
                yield Shifted(each, state, says)
        elif now:
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


def _does(code: Compiled, boundary: Boundary, state: bytes) -> str:
    """Return in what a move has another effect than it had; nothing if it has the same, or if that is not known."""
    before = boundary.effect
    if before is None or any(name not in code.layout.by_name for name in before):
        return ""
    try:
        now = effect_of(code, state, boundary.action, boundary.args)
    except STOPS as problem:
        return f"{_move(code, boundary)} contradicts the rules here: {problem}"
    declared, old = code.reference.declared, code.layout.decode(state)
    told = []
    for name in sorted({*before, *now}):
        was, is_ = before.get(name, {}), now.get(name, {})
        for at in sorted(at for at in {*was, *is_} if was.get(at) != is_.get(at)):
            type_ = declared.variables[name].type
            values = [show(type_, each.get(at, old[name][at])) for each in (is_, was)]
            told.append(f"{cell_name(declared, name, at)} is {values[0]}, not {values[1]}")
    more = ", …" if len(told) > SHOWN else ""
    return (
        f"{_move(code, boundary)} does something else here: {', '.join(told[:SHOWN])}{more}; intended?" if told else ""
    )


def _scores(code: Compiled, boundary: Boundary, state: bytes) -> str:
    """Return in what the points of a position are others than they were; nothing if they are the same, or if that is not known."""
    was, now = boundary.points, points_of(code, state)
    if was is None or now is None or was == now or len(was) != len(now):
        return ""
    told = [
        f"{show(code.game.player, code.game.player.lo + seat)} has {points[1]}, not {points[0]}"
        for seat, points in enumerate(zip(was, now, strict=True))
        if points[0] != points[1]
    ]
    return f"the points before {_move(code, boundary)} are others: {', '.join(told)}; intended?"


def points_of(code: Compiled, state: bytes) -> tuple[int, ...] | None:
    """Return the points of each player in a position; None if there are none, or no such number."""
    player = code.game.player
    if code.game.score is None:
        return None
    try:
        return tuple(sum(code.score(state, each)) for each in range(player.lo, player.hi + 1))
    except STOPS:
        return None


def effect_of(code: Compiled, state: bytes, action: str, args: tuple[int, ...]) -> dict[str, dict[int, int]]:
    """Return the cells that a move gives another value, with that value; ghosts are none."""
    before, after = code.layout.decode(state), code.layout.decode(code.apply(state, action, args))
    played = [variable.name for variable in code.played.variables if not variable.ghost]
    changed = {
        name: {at: new for at, (old, new) in enumerate(zip(before[name], after[name], strict=True)) if old != new}
        for name in played
    }
    return {name: cells for name, cells in changed.items() if cells}


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
    plain: list[Any] = [each.action, list(each.args), each.line, list(each.about), cells]
    effect = each.effect
    moved = None if effect is None else {name: list(map(list, changed.items())) for name, changed in effect.items()}
    further = [moved, None if each.points is None else list(each.points)]
    return plain + further if any(one is not None for one in further) else plain


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
    action, args, line, about, cells, moved, points = [*data, None, None][:7]
    opened = {
        str(name): tuple(
            code for part in packed for code in ([part[0]] * part[1] if isinstance(part, list) else [part])
        )
        for name, packed in cells.items()
    }
    effect = moved and {str(name): {int(at): int(code) for at, code in changed} for name, changed in moved.items()}
    scored = None if points is None else tuple(map(int, points))
    return Boundary(str(action), tuple(map(int, args)), str(line), tuple(map(str, about)), opened, effect, scored)
