"""Survey: what the expressions of a game read, looked up once.

Reads:  a core game.   Writes: nothing; answers are remembered by the identity of the expression.
After:  asking again costs a dictionary access. An expression asked about stays alive as long as the survey.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from pilgrim_rules.core.ir import Bound, Call, Expr, Game, Let, Lit, Lookup, Read, Type, When
from pilgrim_rules.core.walk import binder_parts, binders_of, children, free_names
from pilgrim_rules.engine.scene import World

Pattern = tuple[str, tuple[int | Lit | None, ...]]


@dataclass(frozen=True, slots=True)
class Footprint:
    """What an expression looks at, through definitions too."""

    reads: frozenset[tuple[str, When]] = frozenset()
    constants: frozenset[str] = frozenset()
    definitions: frozenset[str] = frozenset()

    @property
    def variables(self) -> frozenset[str]:
        """The state variables, whenever they are read."""
        return frozenset(name for name, _ in self.reads)


@dataclass(frozen=True)
class Survey:
    """A game with its declarations by name and the footprints of its expressions."""

    world: World
    _footprints: dict[int, tuple[Expr, Footprint]] = field(default_factory=dict)
    _free: dict[int, tuple[Expr, tuple[str, ...]]] = field(default_factory=dict)
    made: dict[Hashable, tuple[Expr, ...]] = field(default_factory=dict)  #: formulas made by the verifier, kept alive

    @classmethod
    def of(cls, game: Game) -> Survey:
        """Return the survey of a game."""
        return cls(World(game))

    @property
    def game(self) -> Game:
        """The game that is surveyed."""
        return self.world.game

    def footprint(self, expr: Expr) -> Footprint:
        """Return what the expression reads."""
        known = self._footprints.get(id(expr))
        if known is None:
            known = self._footprints[id(expr)] = (expr, self._footprint(expr))
        return known[1]

    def footprints(self, exprs: Iterable[Expr]) -> Footprint:
        """Return what the expressions read together."""
        return _together([self.footprint(each) for each in exprs])

    def free(self, expr: Expr) -> tuple[str, ...]:
        """Return the names that the expression takes from outside, in alphabetical order."""
        known = self._free.get(id(expr))
        if known is None:
            known = self._free[id(expr)] = (expr, tuple(sorted(free_names(expr))))
        return known[1]

    def patterns(self, exprs: Iterable[Expr], names: tuple[str, ...]) -> list[Pattern]:
        """Return how the expressions read variables and constant tables, seen from the names bound around them.

        A position of a pattern is the number of a name that stands there alone, a literal, or None for anything else.
        """
        found: dict[Pattern, None] = {}
        seen: set[tuple[object, ...]] = set()
        for expr in exprs:
            self._patterns(expr, {name: at for at, name in enumerate(names)}, found, seen)
        return list(found)

    def _footprint(self, expr: Expr) -> Footprint:
        inner = [self.footprint(each) for each in children(expr)]
        match expr:
            case Read(variable=variable, when=when):
                inner.append(Footprint(reads=frozenset({(variable, when)})))
            case Lookup(table=table):
                inner.append(Footprint(constants=frozenset({table})))
            case Call(definition=name):
                inner.append(Footprint(definitions=frozenset({name})))
                inner.append(self.footprint(self.world.defs[name].body))
            case _:
                among = [binder.among[0] for binder in binders_of(expr) if binder.among is not None]
                inner.append(Footprint(constants=frozenset(among)))
        return _together(inner)

    def _patterns(
        self, expr: Expr, places: dict[str, int | Lit], found: dict[Pattern, None], seen: set[tuple[object, ...]]
    ) -> None:
        def place(index: Expr) -> int | Lit | None:
            match index:
                case Bound(name=name):
                    return places.get(name)
                case Lit():
                    return index
                case _:
                    return None

        match expr:
            case Read(variable=name, index=index) | Lookup(table=name, index=index):
                found[name, tuple(map(place, index))] = None
            case Call(definition=name, args=args):
                inner = {
                    param.name: at
                    for param, arg in zip(self.world.defs[name].params, args, strict=True)
                    if (at := place(arg)) is not None
                }
                key = (
                    name,
                    *sorted((name, at if isinstance(at, int) else ("=", at.value)) for name, at in inner.items()),
                )
                if key not in seen:
                    seen.add(key)
                    self._patterns(self.world.defs[name].body, inner, found, seen)
            case Let(name=name, value=value, body=body):
                self._patterns(value, places, found, seen)
                at = place(value)
                inner = {key: to for key, to in places.items() if key != name}
                self._patterns(body, inner if at is None else {**inner, name: at}, found, seen)
                return
            case _:
                binders = binders_of(expr)
                for binder in binders:
                    if binder.among is not None:
                        found[binder.among[0], (*map(place, binder.among[1]), None)] = None
                    for part in binder_parts(binder):
                        self._patterns(part, places, found, seen)
                hidden = {binder.name for binder in binders}
                places = {key: to for key, to in places.items() if key not in hidden}
        for part in children(expr):
            self._patterns(part, places, found, seen)


def _together(parts: Sequence[Footprint]) -> Footprint:
    """Return what several expressions look at."""
    return Footprint(
        frozenset().union(*(each.reads for each in parts)),
        frozenset().union(*(each.constants for each in parts)),
        frozenset().union(*(each.definitions for each in parts)),
    )


def values_of(types: Iterable[Type]) -> Iterator[tuple[int, ...]]:
    """Yield every combination of values of the types, the last one changing fastest."""
    return product(*(range(type_.lo, type_.hi + 1) for type_ in types))
