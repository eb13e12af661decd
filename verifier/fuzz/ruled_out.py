"""Ruled out: what a reading leaves no room for, because its rulings, options and data decide it before play.

Reads:  a core game, in one reading.   Writes: requirements that always hold in it, and lines of effects that never run.
After:  what is listed is so in every state, reachable or not: a test folds to a constant. Most of it belongs to other readings. What
        is not listed may still never come about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.ir import Action, Assign, Branch, Define, Expr, Game, Given, Lit, Loop, Require, Stmt
from pilgrim_rules.core.simplify import Known, Simplifier

#: Nodes of a definition that is written out at a call: the larger ones are about the state.
INLINED = 400


@dataclass(frozen=True, slots=True)
class RuledOut:
    """Keys of requirements that never refuse, and of lines that never run, in any rule that has them."""

    requirements: frozenset[str] = frozenset()
    lines: frozenset[str] = frozenset()


def ruled_out(game: Game) -> RuledOut:
    """Return what the constants of a game leave no room for."""
    simplify = Simplifier(Declarations(game), INLINED)
    requirements, lines = dict[str, bool](), dict[str, bool]()  # whether each is ruled out wherever it stands
    for action in game.actions:
        known: Known = {}
        for key, idle in _requirements(action, simplify):
            requirements[key] = requirements.get(key, True) and idle
        for line in action.guard:
            if isinstance(line, Given):
                known = _with(known, line.name, simplify(line.value, known))
        for key, idle in _lines(action.body, known, simplify, idle=False):
            lines[key] = lines.get(key, True) and idle
    return RuledOut(_true(requirements.items()), _true(lines.items()))


def _true(found: Iterable[tuple[str, bool]]) -> frozenset[str]:
    return frozenset(key for key, idle in found if idle)


def _requirements(action: Action, simplify: Simplifier) -> Iterator[tuple[str, bool]]:
    known: Known = {}
    for line in action.guard:
        match line:
            case Given(name=name, value=value):
                known = _with(known, name, simplify(value, known))
            case Require(test=test, key=key):
                yield key, simplify(test, known) == Lit(1, test.type)
            case _:
                assert_never(line)


def _lines(block: Iterable[Stmt], known: Known, simplify: Simplifier, *, idle: bool) -> Iterator[tuple[str, bool]]:
    for stmt in block:
        match stmt:
            case Assign(key=key):
                yield key, idle
            case Define(name=name, value=value):
                known = known if idle else _with(known, name, simplify(value, known))
            case Branch(test=test, then=then, other=other):
                holds = None if idle else _truth(simplify(test, known))
                yield from _lines(then, known, simplify, idle=idle or holds is False)
                yield from _lines(other, known, simplify, idle=idle or holds is True)
            case Loop(where=where, body=body):
                never = where is not None and not idle and _truth(simplify(where, known)) is False
                yield from _lines(body, known, simplify, idle=idle or never)
            case _:
                assert_never(stmt)


def _truth(test: Expr) -> bool | None:
    return bool(test.value) if isinstance(test, Lit) else None


def _with(known: Known, name: str, value: Expr) -> Known:
    """Return what is known with one name more, if its value is known."""
    return {**known, name: value} if isinstance(value, Lit) else known
