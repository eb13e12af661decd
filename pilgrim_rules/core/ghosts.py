"""Ghosts: the game that is played, without the variables that only claims read.

Reads:  a core game.   Writes: a core game without ghost variables, the lines that write them, and what reads them.
After:  every move has the same effect on every variable that is left.
"""

from __future__ import annotations

from dataclasses import replace
from operator import is_
from typing import TypeVar, assert_never

from pilgrim_rules.core.ir import (
    Action,
    AskNetwork,
    Assign,
    Branch,
    Call,
    Define,
    Effect,
    Expr,
    Game,
    Loop,
    Read,
    Stmt,
)
from pilgrim_rules.core.rule_walk import network_expressions
from pilgrim_rules.core.walk import children, free_names

_R = TypeVar("_R", Action, Effect)


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
        effects=tuple(_stripped(each, plain) for each in game.effects),
        actions=tuple(_stripped(each, plain) for each in game.actions),
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
        self._game = game  # whose nodes live as long as this, so that each is known by its id
        self._plain: set[int] = set()

    def __call__(self, *exprs: Expr) -> bool:
        stack, looked_at = list(exprs), set[int]()
        while stack:
            node = stack.pop()
            if id(node) in self._plain or id(node) in looked_at:
                continue
            looked_at.add(id(node))
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
        self._plain |= looked_at
        return True

    def _named(self, name: str, exprs: tuple[Expr, ...]) -> bool:
        if name not in self._known:
            self._known[name] = self(*exprs)
        return self._known[name]


def _stripped(rule: _R, plain: _Plain) -> _R:
    body = _strip(rule.body, plain)
    return rule if body is rule.body else replace(rule, body=body)


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
                inner = _strip(then, plain, gone), _strip(other, plain, gone)
                if any(map(_assigns, inner)):
                    kept.append(
                        stmt if inner[0] is then and inner[1] is other else replace(stmt, then=inner[0], other=inner[1])
                    )
            case Loop(body=body):
                stripped = _strip(body, plain, gone)
                if _assigns(stripped):
                    kept.append(stmt if stripped is body else replace(stmt, body=stripped))
            case _:
                assert_never(stmt)
    return block if len(kept) == len(block) and all(map(is_, kept, block)) else tuple(kept)


def _assigns(block: tuple[Stmt, ...]) -> bool:
    """Return whether a block that was stripped writes anything."""
    return not all(isinstance(stmt, Define) for stmt in block)
