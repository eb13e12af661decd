"""Contracts in play: what is claimed of the steps of one action, asked at the end of its effects.

Reads:  a core game with contracts.   Writes: a core game in which each of them is the last line of its action, written to a
        ghost cell that can hold nothing but 1.
After:  a step that breaks a contract is a contradiction, with the place of the line that it breaks; so whoever runs a game
        with its ghosts asks for contracts without knowing of them. Nothing else is changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pilgrim_rules.core.at_time import moved
from pilgrim_rules.core.ir import Action, Assign, Call, Claim, Cond, Def, Expr, Game, Given, Lit, Read, Type, Variable
from pilgrim_rules.core.smart_constructors import lit, number
from pilgrim_rules.core.walk import rebuild
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.util.identity_cache import cache_by_identity

KEPT = "contract kept"  #: the ghost cell; no text can spell it
_KEY = "contract "
_NOWHERE = Span("", 0, 0)


def contract_names(action: Action) -> dict[str, Type]:
    """Return the names that a contract of an action may use, and more: its parameters, and what its guard names."""
    given = {line.name: line.value.type for line in action.guard if isinstance(line, Given)}
    return {**{param.name: param.type for param in action.params}, **given}


def asked_contract(key: str) -> str | None:
    """Return the contract that a line asks for; None if the line is one of the rules."""
    return key.removeprefix(_KEY) if key.startswith(_KEY) else None


def contradicted(key: str, action: str) -> str:
    """Return the name of what a contradiction at a line of an action breaks: its range, or a contract."""
    contract = asked_contract(key)
    return f"range/{action}" if contract is None else f"contract.{contract}/{action}"


@cache_by_identity(8)
def with_promises(game: Game) -> Game:
    """Return the game in which a broken contract is a contradiction; itself if it is one, or has no contracts."""
    contracts = [claim for claim in game.claims if claim.kind == "contract"]
    if not contracts or any(variable.name == KEPT for variable in game.variables):
        return game
    defs = {each.name: each for each in game.defs}
    promises: dict[str, list[Assign]] = {}
    for claim in contracts:
        promises.setdefault(claim.action, []).append(_promise(claim, defs))
    only_one = number(1, 1)
    return replace(
        game,
        variables=(*game.variables, Variable(KEPT, (), only_one, (), lit(1), ghost=True)),
        actions=tuple(replace(each, body=(*each.body, *promises.get(each.name, ()))) for each in game.actions),
    )


def _promise(claim: Claim, defs: Mapping[str, Def]) -> Assign:
    zero_or_one = number(0, 1)
    value = Cond(_at_the_end(claim.formula, defs), Lit(1, zero_or_one), Lit(0, zero_or_one), zero_or_one)
    note = claim.note
    return Assign(KEPT, (), "set", value, f"{_KEY}{claim.name}", note.clauses, span=note.span or _NOWHERE)


def _at_the_end(expr: Expr, defs: Mapping[str, Def]) -> Expr:
    """Return a formula about a step as it is asked when the effects have happened: what was now is old, what comes is now."""
    match expr:
        case Read(index=index, when="next"):
            return replace(expr, index=tuple(_at_the_end(each, defs) for each in index), when="now")
        case Read() | Call():
            return moved(expr, "old", defs)
        case _:  # only what is read has a time
            return rebuild(expr, lambda part: _at_the_end(part, defs))
