"""Symmetry: what a declared symmetry makes of values, positions and moves.

Reads:  the symmetries of a core game and the constant tables that they name.   Writes: `Places`: an image of everything.
After:  each image is of the same type, and no two things have the same.

A table says where the values of its type go. An optional type follows its part, a pair its two parts unless it has a table of its own, and every other
value stays. A cell goes where its index goes, and holds the image of what it held.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import product

from pilgrim_rules.core.ir import Game, Symmetry, Type, Variable
from pilgrim_rules.core.table_cells import cell
from pilgrim_rules.util.fast_dataclass import dataclass

Codes = tuple[int, ...]
START, BY, SCORE = "rules.start", "rules.by", "rules.score"  #: what a symmetry is about, besides actions and claims
MOST_IMAGES = 1000  #: of one state


class TooManyImages(Exception):
    """Symmetries that make more images together than anybody goes through."""

    def __init__(self) -> None:
        super().__init__(f"the symmetries make more than {MOST_IMAGES:,} images of a state together")


@dataclass(frozen=True, slots=True)
class Places:
    """Where the values of some types go: a table for each, by the name of the type."""

    tables: tuple[tuple[str, Codes], ...]

    @classmethod
    def of(cls, game: Game, symmetry: Symmetry) -> Places:
        """Return what a symmetry of a game says."""
        constants = {each.name: each for each in game.constants}
        return cls(tuple((constants[name].type.name, constants[name].values) for name in symmetry.maps))

    def codes(self, type_: Type) -> Codes | None:
        """Return the image of each value of a type, from the least on; None if all stay."""
        return _codes(self, type_)

    def value(self, type_: Type, code: int) -> int:
        """Return the image of a value."""
        codes = self.codes(type_)
        return code if codes is None else codes[code - type_.lo]

    def values(self, types: Iterable[Type], codes: Iterable[int]) -> Codes:
        """Return the images of several values, such as the arguments of a move or an index."""
        return tuple(self.value(type_, code) for type_, code in zip(types, codes, strict=True))

    def cells(self, variable: Variable) -> Codes:
        """Return for each cell of a variable the number of the cell where its content goes."""
        indices = product(*(range(type_.lo, type_.hi + 1) for type_ in variable.index))
        return tuple(cell(variable.index, self.values(variable.index, index)) for index in indices)

    def table(self, variable: Variable, codes: Sequence[int]) -> list[int]:
        """Return the image of a variable's cells."""
        found = list(codes)
        for to, code in zip(self.cells(variable), codes, strict=True):
            found[to] = self.value(variable.type, code)
        return found

    def position(self, game: Game, position: Mapping[str, Sequence[int]]) -> dict[str, Sequence[int]]:
        """Return the image of a position."""
        return {each.name: self.table(each, position[each.name]) for each in game.variables}

    def then(self, other: Places) -> Places:
        """Return what both do, one after the other."""
        mine, theirs = dict(self.tables), dict(other.tables)
        both = {**theirs, **mine}
        for name in mine.keys() & theirs.keys():
            least = min(mine[name])
            both[name] = tuple(theirs[name][code - least] for code in mine[name])
        return Places(tuple(sorted(both.items())))


def symmetry_parts(game: Game) -> tuple[str, ...]:
    """Return what a symmetry of a game has to leave the same: parts of the rules, claims, measures, and actions by their names.

    Audits are asked of visited states, and contracts name the arguments of moves: no proof of a symmetry looks at them.
    """
    claims = (f"claim.{each.name}" for each in game.claims if each.kind not in ("law", "audit", "contract"))
    score = () if game.score is None else (SCORE,)
    measures = (f"terminates.{each.name}" for each in game.rankings)
    return START, BY, *score, *claims, *measures, *(each.name for each in game.actions)


def group(generators: Sequence[Places]) -> tuple[Places, ...]:
    """Return all that symmetries make together, what changes nothing first; `TooManyImages` if that is too much to go through."""
    names = sorted({(name, tuple(sorted(codes))) for each in generators for name, codes in each.tables})
    found = {Places(tuple(names)): None}
    waiting = list(found)
    while waiting:
        one = waiting.pop()
        for each in generators:
            made = one.then(each)
            if made not in found:
                found[made] = None
                waiting.append(made)
        if len(found) > MOST_IMAGES:
            raise TooManyImages
    return tuple(found)


@cache
def _codes(places: Places, type_: Type) -> Codes | None:
    own = dict(places.tables).get(type_.name)
    if own is not None:
        return own
    match type_.kind:
        case "optional":
            inner = places.codes(type_.parts[0])
            return None if inner is None else (*inner, type_.hi)
        case "pair":
            first, second = type_.parts
            if places.codes(first) is None and places.codes(second) is None:
                return None
            each = (range(part.lo, part.hi + 1) for part in (first, second))
            return tuple(
                (places.value(first, a) - first.lo) * second.size + places.value(second, b) - second.lo
                for a, b in product(*each)
            )
        case "bool" | "int" | "enum":
            return None
