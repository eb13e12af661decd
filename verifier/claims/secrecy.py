"""Secrecy as formulas: what two states must share to look alike to a player, before a step and after it.

Reads:  audiences, public definitions, deciders and guards of a core game.   Writes: core formulas over two or three states.
After:  a read of the present speaks of one world, a read with `next` of the other, and `old` of the one world before the step.
        The player who looks is the bound name `VIEWER`. No solver is involved.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pilgrim_rules.core.at_time import moved
from pilgrim_rules.core.definedness import defined
from pilgrim_rules.core.footprint import Footprints
from pilgrim_rules.core.ir import (
    BOOL,
    Action,
    Apply,
    Audience,
    Binder,
    Bound,
    Call,
    Def,
    Expr,
    Game,
    Given,
    Let,
    Read,
    Require,
    Variable,
    When,
)
from pilgrim_rules.core.walk import free_names, substitute
from pilgrim_rules.core.zones import PLACE, POSITION
from verifier.claims.formulas import TRUE, conj, every, implies, negation, stage_is

VIEWER = "the player who looks"  #: bound around the formulas; no text can spell it


@dataclass(frozen=True, slots=True)
class Worlds:
    """The formulas about two worlds of one game."""

    footprints: Footprints

    @property
    def game(self) -> Game:
        """The game that both are states of."""
        return self.footprints.game

    @property
    def veiled(self) -> frozenset[str]:
        """The variables of which not everybody sees every cell."""
        return frozenset(each.name for each in self.game.variables if each.seen is not None and not each.ghost)

    def alike(self) -> Iterator[tuple[str, Expr]]:
        """Yield what holds of two states that look alike to the player, beyond that all cells seen are equal."""
        for variable in self._doubtful():
            yield f"seen.{variable.name}", self._same_sight(variable)
        yield from self._told_alike()
        for name, formula in self._deciders():
            yield f"by.{name}", formula

    def afterwards(self, written: frozenset[str]) -> Iterator[tuple[str, Expr]]:
        """Yield what must hold after a step of two such states: the player still cannot tell them apart.

        What the step opens is left aside here, see `opened`.
        """
        for variable in self.game.variables:
            if variable.ghost:
                continue
            if variable.seen is None:
                if variable.name in written:
                    yield variable.name, self._each(variable, self._same(variable))
                continue
            looks_at = self.footprints.footprint(variable.seen.test).variables
            if variable in self._doubtful() and (looks_at | {variable.name}) & written:
                same = self._stays_in_sight(variable) if lies_in_a_zone(variable) else self._same_sight(variable)
                yield f"whether `{variable.name}` is seen", same
            if variable.name in written:
                both = conj((self._seen(variable), self._at(self._seen(variable), "old")))
                yield variable.name, self._each(variable, implies(both, self._same(variable)))
        for name, formula in self._deciders():
            yield f"who decides in `{name}`", formula

    def opened(self) -> Iterator[tuple[str, Expr]]:
        """Yield what the player is given to see after the step: cells that were unseen before, and public values."""
        for variable in self.game.variables:
            if (
                variable.seen is not None
                and not variable.ghost
                and self.footprints.footprint(variable.seen.test).variables
            ):
                seen = self._seen(variable)
                before = negation(self._at(seen, "old"))
                new = conj((seen, self._at(seen, "next"), before))
                yield f"opened.{variable.name}", self._each(variable, implies(new, self._same(variable)))
                if lies_in_a_zone(variable):
                    open_alike = (self._each(each, self._same(each)) for each in self._opening(variable))
                    shown = conj((seen, before, self._unchanged(variable), *open_alike))
                    yield f"shown.{variable.name}", self._each(variable, implies(shown, self._at(seen, "next")))
        yield from self._told_alike()

    def asked_alike(self, action: Action) -> Iterator[Expr]:
        """Yield, for each requirement, that it can be asked and holds in both worlds or in neither."""
        defs = self.footprints.declared.defs
        for at, line in enumerate(action.guard):
            if isinstance(line, Require):
                before = action.guard[:at]
                known = conj((*_premises(action, at), defined(line.test, defs) or TRUE))
                asked = _named(before, conj((known, line.test)))
                yield Apply("==", (asked, self._at(asked, "next")), BOOL)
                if known != TRUE:
                    could = _named(before, known)
                    yield Apply("==", (could, self._at(could, "next")), BOOL)

    def revealed_alike(self, action: Action) -> Iterator[Expr]:
        """Yield, for each thing that an action reveals, that it is the same in both worlds for whoever hears it."""
        viewer = Bound(VIEWER, self.game.player)
        for reveal in action.reveals:
            value = _named(action.guard, reveal.value)
            same = Apply("==", (value, self._at(value, "next")), BOOL)
            yield same if reveal.to is None else implies(_named(action.guard, seen_by(reveal.to, viewer)), same)

    # -------------------------------------------------------------------------------------------------------- parts

    def _doubtful(self) -> list[Variable]:
        """Return the variables of which the player may not know who sees their cells."""
        return [
            each
            for each in self.game.variables
            if each.seen is not None
            and not each.ghost
            and self.footprints.footprint(each.seen.test).variables & self.veiled
        ]

    def _same_sight(self, variable: Variable) -> Expr:
        seen = self._seen(variable)
        return self._each(variable, Apply("==", (seen, self._at(seen, "next")), BOOL))

    def _stays_in_sight(self, variable: Variable) -> Expr:
        """Return that a piece which is seen in the one world is seen in the other, unless the step only opens its zone.

        Who is let to see into a zone, as into a hand that is private until the end, sees which pieces lie there, and so which do
        not. What the step itself moves into sight must be there in both worlds. Worlds are any two, so one direction is enough.
        """
        seen = self._seen(variable)
        known = Apply("or", (self._at(seen, "old"), negation(self._unchanged(variable))), BOOL)
        return self._each(variable, implies(conj((seen, known)), self._at(seen, "next")))

    def _opening(self, variable: Variable) -> list[Variable]:
        """Return on what it depends, besides where pieces lie, whether a zone is open to the player."""
        assert variable.seen is not None, "only what not everybody sees is opened"
        names = self.footprints.footprint(variable.seen.test).variables - {variable.name}
        return [each for each in self.game.variables if each.name in names and not lies_in_a_zone(each)]

    def _unchanged(self, variable: Variable) -> Expr:
        """Return that the step left a piece where it was: in its zone, and there in its place."""
        index = tuple(Bound(name, type_) for name, type_ in zip(variable.over, variable.index, strict=True))
        pairs = (
            [Read(each.name, index, each.type, when) for when in ("now", "old")]
            for each in where_it_lies(self.game, variable)
        )
        return conj(Apply("==", (now, before), BOOL) for now, before in pairs)

    def _told_alike(self) -> Iterator[tuple[str, Expr]]:
        for definition in self.game.defs:
            if definition.public and self.footprints.footprint(definition.body).variables & self.veiled:
                yield f"public.{definition.name}", self._public(definition)

    def _public(self, definition: Def) -> Expr:
        args = tuple(Bound(param.name, param.type) for param in definition.params)
        value = Call(definition.name, args, definition.body.type)
        binders = tuple(Binder(param.name, param.type) for param in definition.params)
        return every(binders, Apply("==", (value, self._at(value, "next")), BOOL))

    def _deciders(self) -> Iterator[tuple[str, Expr]]:
        for stage in self.game.stages:
            if stage.by is not None and self.footprints.footprint(stage.by).variables & self.veiled:
                same = Apply("==", (stage.by, self._at(stage.by, "next")), BOOL)
                yield stage.name, implies(stage_is(self.game, stage.code), same)

    def _seen(self, variable: Variable) -> Expr:
        assert variable.seen is not None, "only what not everybody sees is asked about"
        return seen_by(variable.seen, Bound(VIEWER, self.game.player))

    def _same(self, variable: Variable) -> Expr:
        index = tuple(Bound(name, type_) for name, type_ in zip(variable.over, variable.index, strict=True))
        here, there = (Read(variable.name, index, variable.type, when) for when in ("now", "next"))
        return Apply("==", (here, there), BOOL)

    def _each(self, variable: Variable, body: Expr) -> Expr:
        return every(tuple(map(Binder, variable.over, variable.index)), body)

    def _at(self, expr: Expr, when: When) -> Expr:
        return moved(expr, when, self.footprints.declared.defs)


def lies_in_a_zone(variable: Variable) -> bool:
    """Tell whether a variable holds where pieces are, so that who sees a cell depends on what it holds."""
    return variable.name.startswith((PLACE, POSITION))


def where_it_lies(game: Game, variable: Variable) -> tuple[Variable, ...]:
    """Return the variables that together say where a piece is, given one of them: its zone, and its place in an ordered one."""
    pieces = variable.name.removeprefix(PLACE).removeprefix(POSITION)
    return tuple(each for each in game.variables if each.name in (f"{PLACE}{pieces}", f"{POSITION}{pieces}"))


def seen_by(audience: Audience, viewer: Expr) -> Expr:
    """Return that somebody belongs to an audience."""
    return substitute(audience.test, {audience.viewer: viewer})


def _premises(action: Action, at: int) -> Iterator[Expr]:
    """Yield the tests without which a requirement is not asked: that the names exist which it uses."""
    line = action.guard[at]
    assert isinstance(line, Require), "only a requirement is asked"
    names = set(free_names(line.test))
    found: list[Expr] = []
    for before in reversed(action.guard[:at]):
        match before:
            case Given(name=name, value=value) if name in names:
                names |= free_names(value)
            case Require(test=test, defines=name) if name is not None and name in names:
                found.append(test)
            case Given() | Require():
                pass
    yield from reversed(found)


def _named(lines: tuple[Given | Require, ...], body: Expr) -> Expr:
    for line in reversed(lines):
        if isinstance(line, Given):
            body = Let(line.name, line.value, body, body.type)
    return body
