"""Ghosts: the game that is played, without the variables that only claims read.

Reads:  a core game.   Writes: a core game without ghost variables, the lines that write them, and what reads them.
After:  every move has the same effect on every variable that is left.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from pilgrim_rules.core.ir import AskNetwork, Assign, Branch, Call, Define, Expr, Game, Loop, Read, Stmt
from pilgrim_rules.core.rule_walk import assignments, network_expressions
from pilgrim_rules.core.walk import children, free_names


def without_ghosts(game: Game) -> Game:
    """Return the game without ghosts; definitions, claims and rankings that read one are left out, and contracts, which are asked where ghosts are."""
    ghosts = frozenset(variable.name for variable in game.variables if variable.ghost)
    contracts = any(each.kind == "contract" for each in game.claims)
    if not ghosts and not contracts:
        return game
    plain = _Plain(game, ghosts)
    claims = {each.name: each for each in game.claims if each.kind != "contract" and plain(each.formula)}
    return replace(
        game,
        variables=tuple(each for each in game.variables if not each.ghost),
        defs=tuple(each for each in game.defs if plain(each.body)),
        effects=tuple(replace(each, body=_strip(each.body, plain)) for each in game.effects),
        actions=tuple(replace(each, body=_strip(each.body, plain)) for each in game.actions),
        claims=tuple(replace(each, using=tuple(n for n in each.using if n in claims)) for each in claims.values()),
        rankings=tuple(each for each in game.rankings if plain(*each.parts)),
        networks=tuple(each for each in game.networks if plain(*network_expressions(each))),
        examples=(),  # their positions may speak of ghosts; they are checked with the whole game
    )


class _Plain:
    """Tells whether expressions read no ghost, through definitions and networks too; each of these is looked at once."""

    def __init__(self, game: Game, ghosts: frozenset[str]) -> None:
        self.ghosts = ghosts
        self._defs = {each.name: (each.body,) for each in game.defs}
        self._networks = {each.name: tuple(network_expressions(each)) for each in game.networks}
        self._known: dict[str, bool] = {}

    def __call__(self, *exprs: Expr) -> bool:
        stack = list(exprs)
        while stack:
            node = stack.pop()
            if isinstance(node, Read):
                if node.variable in self.ghosts:
                    return False
            elif isinstance(node, Call):
                if not self._named(f"def {node.definition}", self._defs[node.definition]):
                    return False
            elif isinstance(node, AskNetwork) and not self._named(
                f"network {node.network}", self._networks[node.network]
            ):
                return False
            stack += children(node)
        return True

    def _named(self, name: str, exprs: tuple[Expr, ...]) -> bool:
        if name not in self._known:
            self._known[name] = self(*exprs)
        return self._known[name]


def _strip(block: tuple[Stmt, ...], plain: _Plain, gone: frozenset[str] = frozenset()) -> tuple[Stmt, ...]:
    """Return the block without ghost lines; `gone` are the names of values that are left out around it."""
    kept: list[Stmt] = []
    for stmt in block:
        match stmt:
            case Assign(variable=variable):
                if variable not in plain.ghosts:
                    kept.append(stmt)
            case Define(name=name, value=value):
                # A name for a ghost's value is used by ghost lines only; the checker has seen to it.
                if plain(value) and gone.isdisjoint(free_names(value)):
                    kept.append(stmt)
                    gone -= {name}
                else:
                    gone |= {name}
            case Branch(then=then, other=other):
                kept.append(replace(stmt, then=_strip(then, plain, gone), other=_strip(other, plain, gone)))
            case Loop(body=body):
                kept.append(replace(stmt, body=_strip(body, plain, gone)))
            case _:
                assert_never(stmt)
    return tuple(stmt for stmt in kept if isinstance(stmt, Define) or any(assignments((stmt,))))
