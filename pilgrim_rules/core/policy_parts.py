"""What only the policy of an automaton uses, left out where the automaton does not play.

Reads:  a game whose text has automata that have no seat in this instance.   Writes: the game without those parts.
After:  a variable that no action, claim, score, example or figure of the instance reads or writes is not part of its state,
        nor are the definitions, guards and effects that speak of it: nothing could tell.
"""

from __future__ import annotations

from dataclasses import replace

from pilgrim_rules.core.expand import NamedRules, expand_guard
from pilgrim_rules.core.footprint import reads, writes
from pilgrim_rules.core.ir import Arrange, Effect, Game, Given, Guard
from pilgrim_rules.core.rule_walk import rule_expressions, statement_expressions


def without_policy_parts(game: Game) -> Game:
    """Return the game without the state that only the policy of an absent automaton would use."""
    defs = {each.name: each for each in game.defs}
    networks = {each.name: each for each in game.networks}
    shared = NamedRules.from_game(game)
    known: dict[str, frozenset[str]] = {}
    asked = rule_expressions(replace(game, effects=(), variables=()))
    used = set(reads(asked, defs, networks, known))
    used |= {name for action in game.actions for name in writes(action.body)}
    for example in game.examples:
        used |= {name for step in example.steps if isinstance(step, Arrange) for name in writes(step.body)}
    used |= {cell.variable for purse in game.purses for cell in (purse.supply, *(p.cell for p in purse.places)) if cell}
    used |= set(reads((each.seen.test for each in game.variables if each.seen is not None), defs, networks, known))
    unused = frozenset(each.name for each in game.variables if each.name not in used and each.name.isidentifier())
    unused -= {"stage"}
    if not unused:
        return game

    def speaks_of(guard: Guard) -> bool:
        lines = expand_guard(guard, shared)
        values = (line.value if isinstance(line, Given) else line.test for line in lines)
        return not unused.isdisjoint(reads(values, defs, networks, known))

    def touches(effect: Effect) -> bool:
        found = reads(statement_expressions(effect.body), defs, networks, known) | writes(effect.body)
        return not unused.isdisjoint(found)

    return replace(
        game,
        variables=tuple(each for each in game.variables if each.name not in unused),
        defs=tuple(each for each in game.defs if unused.isdisjoint(reads((each.body,), defs, networks, known))),
        guards=tuple(each for each in game.guards if not speaks_of(each)),
        effects=tuple(each for each in game.effects if not touches(each)),
    )
