"""Unseen pieces: what lies in zones that a player does not see into, to be shuffled and dealt again.

Reads:  a state, and the cells of it that a player does not see.   Writes: `Shuffle`s, each of some of these cells.
After:  what is shuffled, and how many pieces go where, is known to the player: which pieces are unseen follows from those that are
        seen, and everybody knows how many lie in each zone. So a deal tells nothing of the state it was made from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from pilgrim_rules.api.unseen_numbers import shuffled
from pilgrim_rules.core.ir import Bound, Claim, Def, Fold, Lit, Read
from pilgrim_rules.core.walk import subexpressions
from pilgrim_rules.core.zones import COUNT, PLACE
from pilgrim_rules.engine.rules import Rules

_CONSERVED = "zones."  #: how the claims begin that no piece of a list of zones is lost


class Shuffle(Protocol):
    """Some unseen cells, by their numbers among all of them."""

    @property
    def cells(self) -> tuple[int, ...]:
        """Return which."""

    def deal(self, values: dict[int, int], generator: int) -> int:
        """Give these cells new values; return the generator after that."""


@dataclass(frozen=True, slots=True)
class PlacesShuffled:
    """Pieces that are told apart: the unseen ones change their places with each other."""

    cells: tuple[int, ...]
    places: tuple[int, ...]

    def deal(self, values: dict[int, int], generator: int) -> int:
        """Give each piece the place of one of them."""
        dealt, generator = shuffled(self.places, generator)
        values.update(zip(self.cells, dealt, strict=True))
        return generator


@dataclass(frozen=True, slots=True)
class KindsShuffled:
    """Pieces of which only kinds are told apart: each zone gets as many as it has.

    zones    the cells of each zone, one for each kind.      sizes    how many pieces each holds.
    pieces   the kinds of all of them.
    """

    zones: tuple[tuple[int, ...], ...]
    sizes: tuple[int, ...]
    pieces: tuple[int, ...]

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells of all zones."""
        return tuple(at for zone in self.zones for at in zone)

    def deal(self, values: dict[int, int], generator: int) -> int:
        """Deal the pieces to the zones."""
        dealt, generator = shuffled(self.pieces, generator)
        for at in self.cells:
            values[at] = 0
        first = 0
        for zone, size in zip(self.zones, self.sizes, strict=True):
            for kind in dealt[first : first + size]:
                values[zone[kind]] += 1
            first += size
        return generator


def unseen_pieces(rules: Rules, data: bytes, numbers: Mapping[tuple[str, int], int]) -> list[Shuffle]:
    """Return what can be shuffled; `numbers` are those of the cells that are not seen, by variable and place in it."""
    return [*_pieces(rules, data, numbers), *_kinds(rules, data, numbers)]


def _pieces(rules: Rules, data: bytes, numbers: Mapping[tuple[str, int], int]) -> Iterator[Shuffle]:
    position = rules.layout.decode(data)
    for name in {name: None for name, _ in numbers if name.startswith(PLACE)}:
        if f"{COUNT}{name.removeprefix(PLACE)}" in position:  # everybody knows how many lie where
            cells = [(number, position[name][at]) for (of, at), number in numbers.items() if of == name]
            yield PlacesShuffled(tuple(at for at, _ in cells), tuple(sorted(place for _, place in cells)))


def _kinds(rules: Rules, data: bytes, numbers: Mapping[tuple[str, int], int]) -> Iterator[Shuffle]:
    known = {zone for each in rules.core.defs if each.public and (zone := _counted(each)) is not None}
    position = rules.layout.decode(data)
    for claim in rules.core.claims:
        if not claim.name.startswith(_CONSERVED):
            continue
        zones: list[tuple[int, ...]] = []
        sizes: list[int] = []
        pieces: list[int] = []
        for name, places in _zones(claim):
            cells = [numbers.get((name, at)) for at in places]
            if name not in known or None in cells:
                continue  # who sees some of it, sees all of it, or it is left to chance
            held = [position[name][at] for at in places]
            zones.append(tuple(at for at in cells if at is not None))
            sizes.append(sum(held))
            pieces += [kind for kind, many in enumerate(held) for _ in range(many)]
        if len(zones) > 1:
            yield KindsShuffled(tuple(zones), tuple(sizes), tuple(sorted(pieces)))


def _counted(definition: Def) -> str | None:
    """Return the zone whose pieces a definition counts, those of all kinds; None if it says something else."""
    match definition.body:
        case Fold(op="sum", binders=(kind,), where=None, body=Read(variable=name, index=index)) if kind.start is None:
            wanted = (*(each.name for each in definition.params), kind.name)
            told = tuple(each.name if isinstance(each, Bound) else None for each in index)
            return name if kind.among is None and told == wanted else None
        case _:  # no number of pieces
            return None


def _zones(claim: Claim) -> Iterator[tuple[str, range]]:
    """Yield the zones of kinds that a claim adds up: the variable, and where in it the kinds stand."""
    for part in subexpressions(claim.formula):
        if isinstance(part, Read):
            *which, kind = part.index
            assert all(isinstance(each, Lit) for each in which), "each zone is named"
            at = 0
            for each in which:
                assert isinstance(each, Lit)
                at = each.value - each.type.lo  # a zone has one index at most
            yield part.variable, range(at * kind.type.size, (at + 1) * kind.type.size)
