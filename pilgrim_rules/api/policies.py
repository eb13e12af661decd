"""Policies: how players who are no people choose, as users write it.

Reads:  words such as `greedy`, `mcts:500` or `mcts:2s`, and weights of actions.   Writes: policies of bulk play, budgets of searches.
After:  what means nothing is refused with a sentence that says what would.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from pilgrim_rules.core.ir import Game
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.engine.bulk_play import BulkPolicy
from pilgrim_rules.engine.learned_weights import Goal, Weights, learned_weights
from pilgrim_rules.engine.machines.choose import machines
from pilgrim_rules.engine.rules import Rules
from pilgrim_rules.engine.tree_search import Search
from pilgrim_rules.semantics.errors import UnknownAction

#: How players choose: `random`, `greedy` (most points after the move), `swarm` (at random, with weights of the actions drawn again for each
#: game), `learned` (by weights of the actions that are worked out once, by playing, so that players have most points), `curious` (the same, so that no
#: action is rare), `mcts` or `mcts:500` (tree search, with this many games in thought), `learned+mcts` (the same, thinking by learned weights), or at
#: random with a weight for some actions (the others have 1).
PolicyChoice: TypeAlias = str | Mapping[str, int]

SWARM = (1, 6, 36)  #: the weights that a game of the swarm draws from
MOST_WEIGHT = (1 << 20) - 1
MOST_ITERATIONS = 1_000_000
WORLDS = 32  #: states that a search begins in where the player cannot see everything
_GOALS: dict[str, Goal] = {"learned": "points", "curious": "variety"}
_LEARNED = "learned+"
_BUDGET = re.compile(r"mcts(?::(?:(?P<games>\d{1,9})|(?P<time>\d{1,6}(?:\.\d{1,6})?)(?P<unit>ms|s)))?")


class Budget(NamedTuple):
    """How long a search may take: this many games in thought, or seconds if they are given."""

    iterations: int
    seconds: float | None = None


def budget(text: str) -> Budget | None:
    """Return what `mcts`, `mcts:500`, `mcts:2s` or `mcts:300ms` allows; None if the text is none of these."""
    found = _BUDGET.fullmatch(text)
    if found is None:
        return None
    if found["unit"]:
        seconds = float(found["time"]) / (1000 if found["unit"] == "ms" else 1)
        return Budget(MOST_ITERATIONS, seconds) if seconds > 0 else None
    iterations = int(found["games"] or Search().iterations)
    return Budget(iterations) if 1 <= iterations <= MOST_ITERATIONS else None


def chosen_policy(rules: Rules, choice: PolicyChoice, seats: Mapping[str, str] | None = None) -> BulkPolicy:
    """Return the policy that a choice means, and other choices for some seats; `UnknownAction` or ValueError if it means none."""
    policy = _named(rules, choice) if isinstance(choice, str) else _weighted(rules, choice)
    if not seats:
        return policy
    for player, own in seats.items():
        if player not in rules.people:
            near = did_you_mean(player, rules.people) or f"the players are {', '.join(rules.people)}"
            raise ValueError(f"there is no player `{player[:40]}`; {near}")
        if own == "swarm":
            raise ValueError("the weights of a swarm are drawn for all players: it is a policy, not a seat")
    each = tuple(_named(rules, seats[player]) if player in seats else policy for player in rules.players)
    weights = {own.weights for own in each if own.weights}
    if len(weights) > 1:
        raise ValueError("all players who choose by weights have the same weights")
    return replace(policy, seats=each, weights=next(iter(weights), ()))


def veiled_variables(game: Game) -> frozenset[str]:
    """Return the variables of which not everybody may see every cell."""
    return frozenset(variable.name for variable in game.variables if variable.seen is not None)


def _named(rules: Rules, choice: str) -> BulkPolicy:
    if choice in ("random", "greedy"):
        return BulkPolicy("random" if choice == "random" else "greedy")
    if choice == "swarm":
        return BulkPolicy("weighted", palette=SWARM)
    if choice in _GOALS:
        return BulkPolicy("weighted", _learned(rules, _GOALS[choice]))
    allowed = budget(choice.removeprefix(_LEARNED))
    if allowed is None:
        raise ValueError(
            f"a policy is `random`, `greedy`, `swarm`, `learned`, `curious`, `mcts`, `mcts:ITERATIONS` or weights of actions, not {choice[:40]!r}"
        )
    if allowed.seconds is not None:
        raise ValueError(f"games in bulk count iterations, not seconds: `mcts:500` instead of `{choice}`")
    weights = _learned(rules, "points") if choice.startswith(_LEARNED) else ()
    return BulkPolicy("mcts", search=replace(Search(), iterations=allowed.iterations, weights=weights))


def _learned(rules: Rules, goal: Goal) -> Weights:
    return learned_weights(rules.code, machines(rules.code), goal)


def _weighted(rules: Rules, weights: Mapping[str, int]) -> BulkPolicy:
    if not isinstance(weights, Mapping):
        raise ValueError(f"a policy is a name or weights of actions, not {weights!r}")  # noqa: TRY004  (as for a wrong name)
    for name, weight in weights.items():
        if name not in rules.actions:
            near = did_you_mean(name, rules.actions)
            raise UnknownAction(f"the game has no action `{name[:40]}`" + (f"; {near}" if near else ""))
        if not 0 <= weight <= MOST_WEIGHT:
            raise ValueError(f"the weight of `{name}` is a number from 0 to {MOST_WEIGHT}, not {weight}")
    return BulkPolicy("weighted", tuple(weights.get(name, 1) for name in rules.actions))
