"""What the rules give away: everything that is hidden and yet told on purpose, in sentences.

Reads:  a core game.   Writes: sentences with the clauses they rest on.
After:  whatever a proof of `no_leak` takes for granted is in the list: what actions reveal, public definitions, and what is opened.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pilgrim_rules.core.footprint import reads
from pilgrim_rules.core.ir import Audience, Game
from pilgrim_rules.core.show_expr import show
from pilgrim_rules.core.zones import COUNT


@dataclass(frozen=True, slots=True)
class GivenAway:
    """One thing that is told on purpose: where in the rules it stands, what is told, and the clauses it rests on."""

    where: str
    says: str
    clauses: tuple[str, ...] = ()


def given_away(game: Game) -> tuple[GivenAway, ...]:
    """Return everything that a game gives away on purpose."""
    return (*_revealed(game), *_public(game), *_opened(game))


def _revealed(game: Game) -> Iterator[GivenAway]:
    for action in game.actions:
        for reveal in action.reveals:
            says = f"`{action.name}` tells {_hearers(reveal.to)} `{show(reveal.value)}`, as it is before."
            yield GivenAway(action.name, says, reveal.clauses)


def _public(game: Game) -> Iterator[GivenAway]:
    veiled = {variable.name for variable in game.variables if variable.seen is not None}
    defs = {each.name: each for each in game.defs}
    for definition in game.defs:
        if definition.public and reads((definition.body,), defs) & veiled:
            zone = definition.name.removeprefix(COUNT)
            counts = zone != definition.name
            says = f"Everybody always knows {'how many lie in ' if counts else ''}`{zone}`."
            yield GivenAway(zone, says, definition.note.clauses)


def _opened(game: Game) -> Iterator[GivenAway]:
    defs = {each.name: each for each in game.defs}
    for variable in game.variables:
        if variable.seen is not None and not variable.ghost and reads((variable.seen.test,), defs):
            says = f"`{variable.name}` is opened to {variable.seen.viewer} as soon as `{show(variable.seen.test)}`."
            yield GivenAway(variable.name, says, variable.note.clauses)


def _hearers(audience: Audience | None) -> str:
    return "everybody" if audience is None else f"{audience.viewer} where `{show(audience.test)}`"
