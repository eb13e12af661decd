"""Which variables can still matter: the bookkeeping of a set-up that is over need not be shown.

Reads:  the actions of a core game, and the stage it is in.   Writes: names of variables.
After:  a variable left out is neither read nor written by anything that can happen from here on, nor does it score.

Which stages can follow is read off the lines that set the stage.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pilgrim_rules.core.footprint import reads, writes
from pilgrim_rules.core.ir import Bound, Call, Expr, Game, Lit, Read
from pilgrim_rules.core.rule_walk import action_expressions, assignments
from pilgrim_rules.core.walk import subexpressions
from pilgrim_rules.util.identity_cache import cache_by_identity


def live_variables(game: Game, stage: int) -> frozenset[str]:
    """Return the variables that something which can happen from this stage on reads or writes, and what scores."""
    defs = {each.name: each for each in game.defs}
    stages = _from(game, stage)
    found: set[str] = set()
    for action in game.actions:
        if stages & set(action.stages):
            found |= writes(action.body) | reads(action_expressions(action), defs)
    deciders = tuple(each.by for each in game.stages if each.by is not None and each.code in stages)
    scored = (
        ()
        if game.score is None
        else (*(line.value for line in game.score.lines), *(key.value for key in game.score.keys))
    )
    return frozenset(found | reads((*deciders, *scored), defs))


def _from(game: Game, stage: int) -> set[int]:
    """Return the stages that can be reached, this one included."""
    after, found, waiting = _after(game), {stage}, [stage]
    while waiting:
        new = after.get(waiting.pop(), frozenset()) - found
        found |= new
        waiting += new
    return found


@cache_by_identity(8)
def _after(game: Game) -> dict[int, frozenset[int]]:
    """Return for each stage the stages that an action of it can set."""
    kept: dict[str, list[Expr]] = {each.name: [each.initial] for each in game.variables}
    for line in (line for action in game.actions for line in assignments(action.body)):
        kept.setdefault(line.variable, []).append(line.value)
    found: dict[int, frozenset[int]] = {}
    for action in game.actions:
        values = [line.value for line in assignments(action.body) if line.variable == "stage"]
        codes = _codes(game, values, kept)
        for stage in action.stages:
            found[stage] = found.get(stage, frozenset()) | codes
    return found


def _codes(game: Game, values: Iterable[Expr], kept: Mapping[str, Iterable[Expr]]) -> set[int]:
    """Return the stages that expressions can give: those they name, and those ever kept in a variable they read."""
    defs = {each.name: each for each in game.defs}
    found: set[int] = set()
    asked: set[str] = {"stage"}  # variables and definitions; no name is both
    waiting = list(values)
    while waiting:
        for node in subexpressions(waiting.pop()):
            match node:
                case Lit(value=code, type=type_) if type_ == game.stage:
                    found.add(code)
                case Bound(type=type_) if type_ == game.stage:  # it may be any
                    return set(range(game.stage.lo, game.stage.hi + 1))
                case Call(definition=name) if name not in asked:
                    asked.add(name)
                    waiting.append(defs[name].body)
                case Read(variable=name) if name not in asked:
                    asked.add(name)
                    waiting += kept.get(name, ())
                case _:  # it names no stage itself, and its parts come next
                    pass
    return found
