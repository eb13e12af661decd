"""Ghosts: the game that is played, without the variables that only claims read.

Reads:  a core game.   Writes: a core game without ghost variables, the lines that write them, and what reads them.
After:  every move has the same effect on every variable that is left.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from pilgrim_rules.core.ir import Assign, Branch, Def, Define, Expr, Game, Loop, Stmt
from pilgrim_rules.core.walk import assignments, free_names, network_expressions, reads


def without_ghosts(game: Game) -> Game:
    """Return the game without ghosts; definitions, claims and rankings that read one are left out."""
    ghosts = frozenset(variable.name for variable in game.variables if variable.ghost)
    if not ghosts:
        return game
    defs = {each.name: each for each in game.defs}
    networks = {each.name: each for each in game.networks}

    def plain(*exprs: Expr) -> bool:
        return ghosts.isdisjoint(reads(exprs, defs, networks))

    claims = {each.name: each for each in game.claims if plain(each.formula)}
    return replace(
        game,
        variables=tuple(each for each in game.variables if not each.ghost),
        defs=tuple(each for each in game.defs if plain(each.body)),
        effects=tuple(replace(each, body=_strip(each.body, ghosts, defs)) for each in game.effects),
        actions=tuple(replace(each, body=_strip(each.body, ghosts, defs)) for each in game.actions),
        claims=tuple(replace(each, using=tuple(n for n in each.using if n in claims)) for each in claims.values()),
        rankings=tuple(each for each in game.rankings if plain(*each.parts)),
        networks=tuple(each for each in game.networks if plain(*network_expressions(each))),
        examples=(),  # their positions may speak of ghosts; they are checked with the whole game
    )


def _strip(
    block: tuple[Stmt, ...], ghosts: frozenset[str], defs: dict[str, Def], gone: frozenset[str] = frozenset()
) -> tuple[Stmt, ...]:
    """Return the block without ghost lines; `gone` are the names of values that are left out around it."""
    kept: list[Stmt] = []
    for stmt in block:
        match stmt:
            case Assign(variable=variable):
                if variable not in ghosts:
                    kept.append(stmt)
            case Define(name=name, value=value):
                # A name for a ghost's value is used by ghost lines only; the checker has seen to it.
                if ghosts.isdisjoint(reads((value,), defs)) and gone.isdisjoint(free_names(value)):
                    kept.append(stmt)
                    gone -= {name}
                else:
                    gone |= {name}
            case Branch(then=then, other=other):
                kept.append(
                    replace(stmt, then=_strip(then, ghosts, defs, gone), other=_strip(other, ghosts, defs, gone))
                )
            case Loop(body=body):
                kept.append(replace(stmt, body=_strip(body, ghosts, defs, gone)))
            case _:
                assert_never(stmt)
    return tuple(stmt for stmt in kept if isinstance(stmt, Define) or any(assignments((stmt,))))
