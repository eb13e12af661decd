"""Which variables can still matter: the bookkeeping of a set-up that is over need not be shown.

Reads:  the actions of a core game, and the stage it is in.   Writes: names of variables.
After:  a variable left out is neither read nor written by anything that can happen from here on, nor does it score.

Which stages can follow is read off the lines that set the stage.
"""

from __future__ import annotations

from collections.abc import Iterable

from pilgrim_rules.core.footprint import reads, writes
from pilgrim_rules.core.ir import Action, Bound, Call, Expr, Game, Lit, Read
from pilgrim_rules.core.rule_walk import action_expressions, assignments
from pilgrim_rules.core.walk import subexpressions


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
    found, waiting = {stage}, [stage]
    while waiting:
        now = waiting.pop()
        for action in game.actions:
            if now in action.stages:
                new = _leads_to(game, action) - found
                found |= new
                waiting += new
    return found


def _leads_to(game: Game, action: Action) -> set[int]:
    return _codes(game, (line.value for line in assignments(action.body) if line.variable == "stage"))


def _codes(game: Game, values: Iterable[Expr]) -> set[int]:
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
                    waiting += (each.initial for each in game.variables if each.name == name)
                    lines = (line for action in game.actions for line in assignments(action.body))
                    waiting += (line.value for line in lines if line.variable == name)
                case _:  # it names no stage itself, and its parts come next
                    pass
    return found
