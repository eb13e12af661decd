"""Unseen numbers: values of cells that a player does not see, such that what the player knows of them together holds.

Reads:  a state, the cells of it that a player does not see, what must hold.   Writes: values of these cells, drawn.
After:  nothing depends on what the unseen cells hold. The values are bounds of what fits, not a proof: whoever takes them looks again.

What must hold is what is left of invariants, conserved sums and public definitions once the seen cells are filled in (`semantics/partial.py`):
of stock = supply + mine + theirs, say, that theirs are four. It divides the cells into groups, and each group is drawn by itself. If it has few values
together, those that fit are listed, and each is equally likely. Otherwise its cells are given values one by one, in any order, each any that leaves
everything possible; after one that leaves nothing, the last is taken back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod

from pilgrim_rules.core.footprint import reads
from pilgrim_rules.core.intervals import Interval
from pilgrim_rules.core.ir import Claim, Def
from pilgrim_rules.engine.rules import Rules
from pilgrim_rules.semantics import chance
from pilgrim_rules.semantics.partial import Known, Residual, applied, conjuncts, partial

MOST_LISTED = 4_096  #: values that a group has together if they are listed
MOST_STEPS = 4_000  #: values of a group that are tried before everything is drawn again


@dataclass(frozen=True, slots=True)
class Asked:
    """What speaks of cells that not everybody sees: claims that always hold, and public definitions."""

    claims: tuple[Claim, ...]
    public: tuple[Def, ...]


@lru_cache(maxsize=8)
def asked_of_unseen(rules: Rules) -> Asked:
    """Return what must hold, as far as unseen cells can break it."""
    veiled = {each.name for each in rules.core.variables if each.seen is not None}
    defs, networks = rules.declared.defs, rules.declared.networks
    ghosts = {each.name for each in rules.core.variables if each.ghost}  # nobody sees them either
    claims = [
        (each, reads([each.formula], defs, networks))
        for each in rules.core.claims
        if each.kind in ("invariant", "conserved")
    ]
    return Asked(
        tuple(each for each, read in claims if not veiled.isdisjoint(read) and ghosts.isdisjoint(read)),
        tuple(
            each
            for each in rules.core.defs
            if each.public and not veiled.isdisjoint(reads([each.body], defs, networks))
        ),
    )


def constraints(rules: Rules, data: bytes, unseen: Mapping[tuple[str, int], int]) -> list[Residual]:
    """Return what must hold of the unseen cells, which are known by their numbers."""
    known = Known(rules.declared, rules.layout.decode(data), unseen, {})
    asked = asked_of_unseen(rules)
    found = [part for each in asked.claims for part in conjuncts(each.formula, known) if isinstance(part, Residual)]
    for each in asked.public:
        for args in product(*(range(param.type.lo, param.type.hi + 1) for param in each.params)):
            names = {param.name: arg for param, arg in zip(each.params, args, strict=True)}
            value = rules.code.value(each.name, data, *args)  # everybody knows it
            left = applied("==", (partial(each.body, Known(known.declared, known.position, unseen, names)), value))
            found += [left] if isinstance(left, Residual) else []
    return [each for each in found if each.cells]


@dataclass(frozen=True, slots=True)
class Group:
    """Cells that must fit each other; `listed` are all their values that do, if these can be listed."""

    cells: tuple[int, ...]
    listed: tuple[tuple[int, ...], ...] | None


class UnseenNumbers:
    """Draws values of unseen cells, each of a range; some are dealt before, in another way."""

    def __init__(self, ranges: Sequence[range], found: Sequence[Residual], dealt: Collection[int]) -> None:
        self._bounds: list[Interval] = [(each[0], each[-1]) for each in ranges]
        self._of_cell: list[list[Residual]] = [[] for _ in ranges]
        for residual in found:
            for at in residual.cells:
                self._of_cell[at].append(residual)
        drawn = [at for at in range(len(ranges)) if at not in dealt]
        self._values = {at: self._possible(at, ranges[at]) for at in drawn}
        self._groups = [self._group(cells) for cells in _connected(drawn, found)]

    def draw(self, dealt: Mapping[int, int], generator: int) -> tuple[list[int] | None, int]:
        """Return values of all cells, some of which are dealt, and the generator after that; None if none were found."""
        bounds = [(dealt[at], dealt[at]) if at in dealt else each for at, each in enumerate(self._bounds)]
        fits = True
        for group in self._groups:
            if group.listed is None:
                fits, generator = self._one_by_one(group.cells, bounds, generator)
            elif fits := bool(group.listed):
                which, generator = chance.below(generator, len(group.listed))
                for at, value in zip(group.cells, group.listed[which], strict=True):
                    bounds[at] = (value, value)
            if not fits:
                return None, generator
        return [low for low, _ in bounds], generator

    def _one_by_one(self, cells: Sequence[int], bounds: list[Interval], generator: int) -> tuple[bool, int]:
        """Give the cells values; return whether there were some, and the generator after that."""
        order, generator = shuffled(cells, generator)
        left: list[list[int]] = []  # of each cell in order, the values that have not been tried
        for _ in range(MOST_STEPS):
            if len(left) == len(order):
                return True, generator
            values, generator = shuffled(self._values[order[len(left)]], generator)
            left.append(values)
            while left and not self._take(order[len(left) - 1], left[-1], bounds):
                bounds[order[len(left) - 1]] = self._bounds[order[len(left) - 1]]
                left.pop()
            if not left:
                break
        return False, generator

    def _take(self, at: int, values: list[int], bounds: list[Interval]) -> bool:
        """Give a cell the next value that leaves everything possible; return whether there is one."""
        while values:
            value = values.pop()
            bounds[at] = (value, value)
            if all(each.within(bounds)[1] for each in self._of_cell[at]):
                return True
        return False

    def _possible(self, at: int, values: range) -> list[int]:
        """Return the values of a cell that are possible whatever the others hold."""
        bounds = list(self._bounds)
        return [value for value in values if self._take(at, [value], bounds)]

    def _group(self, cells: tuple[int, ...]) -> Group:
        alone = all(each.cells <= set(cells) for at in cells for each in self._of_cell[at])  # without dealt ones
        few = alone and prod(len(self._values[at]) for at in cells) <= MOST_LISTED
        return Group(cells, tuple(self._listed(cells, list(self._bounds))) if few else None)

    def _listed(self, cells: Sequence[int], bounds: list[Interval]) -> Iterator[tuple[int, ...]]:
        """Yield all values of the cells that fit each other."""
        if not cells:
            yield ()
            return
        first, *rest = cells
        for value in self._values[first]:
            if self._take(first, [value], bounds):
                yield from ((value, *others) for others in self._listed(rest, bounds))
        bounds[first] = self._bounds[first]


def _connected(cells: Sequence[int], found: Sequence[Residual]) -> Iterator[tuple[int, ...]]:
    """Yield the cells in groups: what must hold speaks of cells of one group only."""
    group = {at: [at] for at in cells}
    for residual in found:
        first, *rest = [group[at] for at in sorted(residual.cells) if at in group] or [[]]
        for other in rest:
            if other is not first:
                first += other
                group.update(dict.fromkeys(other, first))
    yield from (tuple(sorted(each)) for at, each in group.items() if at == min(each))


def shuffled(things: Sequence[int], generator: int) -> tuple[list[int], int]:
    """Return the things in any order, each as likely as any other."""
    dealt = list(things)
    for last in range(len(dealt) - 1, 0, -1):
        other, generator = chance.below(generator, last + 1)
        dealt[last], dealt[other] = dealt[other], dealt[last]
    return dealt, generator
