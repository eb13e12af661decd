"""Footprints: what expressions read and statements write.

Reads:  core expressions and statements.   Writes: sets of names. `Footprints` remembers its answers by the identity of the
        expression, so that asking again costs a dictionary access.
After:  an expression that `Footprints` was asked about stays alive as long as they do.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import assert_never

from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.ir import (
    Apply,
    AskNetwork,
    Bound,
    Call,
    Checked,
    Cond,
    Def,
    Expr,
    Fold,
    Game,
    Let,
    Lit,
    Lookup,
    Network,
    Pick,
    Read,
    Stmt,
    Type,
    Unique,
    When,
)
from pilgrim_rules.core.rule_walk import assignments, network_expressions
from pilgrim_rules.core.walk import binder_parts, binders_of, children, free_names, subexpressions

Pattern = tuple[str, tuple[int | Lit | None, ...]]


@dataclass(frozen=True, slots=True)
class Footprint:
    """What an expression looks at, through definitions too."""

    reads: frozenset[tuple[str, When]] = frozenset()
    constants: frozenset[str] = frozenset()
    definitions: frozenset[str] = frozenset()
    networks: frozenset[str] = frozenset()

    @property
    def variables(self) -> frozenset[str]:
        """The state variables, whenever they are read."""
        return frozenset(name for name, _ in self.reads)


_NOTHING = Footprint()


def footprint(
    exprs: Iterable[Expr], defs: Mapping[str, Def], networks: Mapping[str, Network] | None = None
) -> Footprint:
    """Return what the expressions look at together, through definitions (and networks, if given) too."""
    found: list[Footprint] = []
    seen: set[str] = set()
    stack = list(exprs)
    while stack:
        for node in subexpressions(stack.pop()):
            match node:
                case Call(definition=name) if name not in seen:
                    seen.add(name)
                    stack.append(defs[name].body)
                case AskNetwork(network=name) if networks is not None and f"network {name}" not in seen:
                    seen.add(f"network {name}")
                    stack += network_expressions(networks[name])
                case _:  # its parts follow
                    pass
            found.append(_own(node))
    return _union(found)


def reads(
    exprs: Iterable[Expr],
    defs: Mapping[str, Def],
    networks: Mapping[str, Network] | None = None,
    known: dict[str, frozenset[str]] | None = None,
) -> frozenset[str]:
    """Return the state variables that the expressions read, through definitions (and networks, if given) too.

    known  what definitions and networks read, by name; filled here, for whoever asks about the same ones again.
    """
    known = {} if known is None else known
    found: set[str] = set()
    for node in (part for expr in exprs for part in subexpressions(expr)):
        match node:
            case Read(variable=name):
                found.add(name)
            case Call(definition=name):
                if name not in known:
                    known[name] = reads((defs[name].body,), defs, networks, known)
                found |= known[name]
            case AskNetwork(network=name) if networks is not None:
                key = f"network {name}"
                if key not in known:
                    known[key] = reads(network_expressions(networks[name]), defs, networks, known)
                found |= known[key]
            case _:  # its parts follow
                pass
    return frozenset(found)


def calls(exprs: Iterable[Expr], defs: Mapping[str, Def]) -> frozenset[str]:
    """Return the definitions that the expressions call, through other definitions too."""
    return footprint(exprs, defs).definitions


def writes(block: tuple[Stmt, ...]) -> frozenset[str]:
    """Return the state variables that a block writes."""
    return frozenset(stmt.variable for stmt in assignments(block))


def _own(expr: Expr) -> Footprint:
    """Return what the expression looks at itself, its parts and what it calls left aside."""
    match expr:
        case Read(variable=variable, when=when):
            return Footprint(reads=frozenset({(variable, when)}))
        case Lookup(table=table):
            return Footprint(constants=frozenset({table}))
        case Call(definition=name):
            return Footprint(definitions=frozenset({name}))
        case Fold() | Unique() | Pick():
            among = (binder.among[0] for binder in binders_of(expr) if binder.among is not None)
            return Footprint(constants=frozenset(among))
        case AskNetwork(network=name):
            return Footprint(networks=frozenset({name}))
        case Lit() | Bound() | Apply() | Cond() | Let() | Checked():
            return _NOTHING
        case _:
            assert_never(expr)


@dataclass(frozen=True)
class Footprints:
    """A game with its declarations by name and the footprints of its expressions."""

    declared: Declarations
    _footprints: dict[int, tuple[Expr, Footprint]] = field(default_factory=dict)
    _free: dict[int, tuple[Expr, tuple[str, ...]]] = field(default_factory=dict)
    made: dict[Hashable, tuple[Expr, ...]] = field(default_factory=dict)  #: formulas made by the verifier, kept alive
    slices: dict[Hashable, dict[tuple[int, ...], int]] = field(default_factory=dict)  #: parts of tables, kept likewise

    @classmethod
    def from_game(cls, game: Game) -> Footprints:
        """Return the footprints of a game."""
        return cls(Declarations(game))

    @property
    def game(self) -> Game:
        """The game that is surveyed."""
        return self.declared.game

    def footprint(self, expr: Expr) -> Footprint:
        """Return what the expression reads."""
        known = self._footprints.get(id(expr))
        if known is None:
            known = self._footprints[id(expr)] = (expr, self._footprint(expr))
        return known[1]

    def joint(self, exprs: Iterable[Expr]) -> Footprint:
        """Return what the expressions read together."""
        return _union([self.footprint(each) for each in exprs])

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
        inner = [_own(expr), *(self.footprint(each) for each in children(expr))]
        if isinstance(expr, Call):
            inner.append(self.footprint(self.declared.defs[expr.definition].body))
        if isinstance(expr, AskNetwork):
            inner.append(self.joint(network_expressions(self.declared.networks[expr.network])))
        return _union(inner)

    def _patterns(
        self, expr: Expr, places: dict[str, int | Lit], found: dict[Pattern, None], seen: set[tuple[object, ...]]
    ) -> None:
        def place(index: Expr) -> int | Lit | None:
            match index:
                case Bound(name=name):
                    return places.get(name)
                case Lit():
                    return index
                case _:  # neither a name nor a number: anything
                    return None

        match expr:
            case Read(variable=name, index=index) | Lookup(table=name, index=index):
                found[name, tuple(map(place, index))] = None
            case Call(definition=name, args=args):
                inner = {
                    param.name: at
                    for param, arg in zip(self.declared.defs[name].params, args, strict=True)
                    if (at := place(arg)) is not None
                }
                key = (
                    name,
                    *sorted((name, at if isinstance(at, int) else ("=", at.value)) for name, at in inner.items()),
                )
                if key not in seen:
                    seen.add(key)
                    self._patterns(self.declared.defs[name].body, inner, found, seen)
            case Let(name=name, value=value, body=body):
                self._patterns(value, places, found, seen)
                at = place(value)
                inner = {key: to for key, to in places.items() if key != name}
                self._patterns(body, inner if at is None else {**inner, name: at}, found, seen)
                return
            case _:  # its parts follow, inside what it binds
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


def _union(parts: Iterable[Footprint]) -> Footprint:
    """Return what several expressions look at."""
    counted = [each for each in parts if each is not _NOTHING]
    if len(counted) == 1:
        return counted[0]
    return Footprint(
        frozenset().union(*(each.reads for each in counted)),
        frozenset().union(*(each.constants for each in counted)),
        frozenset().union(*(each.definitions for each in counted)),
        frozenset().union(*(each.networks for each in counted)),
    )


def values_of(types: Iterable[Type]) -> Iterator[tuple[int, ...]]:
    """Yield every combination of values of the types, the last one changing fastest."""
    return product(*(range(type_.lo, type_.hi + 1) for type_ in types))
