"""Returns: what a finished play is worth to each player, as numbers.

Reads:  the last state of a play.   Writes: one number a player, in seating order.
After:  returns lie within `bounds`; those for winning add up to nothing.

Whoever wins alone has 1, which the others pay in equal parts; those who share the victory share it. With two players that
is 1 and -1, or 0 and 0.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from pilgrim_rules.engine.game import Game
from pilgrim_rules.engine.state import State

Reward: TypeAlias = Literal["win", "score"]


def returns(state: State, reward: Reward) -> list[float]:
    """Return the worth of a state to each player; before the end, winning is worth nothing yet."""
    if reward == "score":
        return [float(score.total) for score in state.scores().values()]
    players, winners = state.game.players, state.winners()
    if not winners or len(players) == 1:
        return [float(player in winners) for player in players]
    others = len(players) - 1
    share = (len(players) / len(winners) - 1) / others
    return [share if player in winners else -1 / others for player in players]


def bounds(game: Game, reward: Reward) -> tuple[float, float]:
    """Return the least and the greatest that a play can be worth, from the types of the score's lines."""
    if reward == "win":
        return (0.0 if len(game.players) == 1 else -1.0 / (len(game.players) - 1)), 1.0
    sheet = game.core.score
    if sheet is None:
        return 0.0, 0.0
    types = [line.value.type for line in sheet.lines]
    return sum(type_.lo for type_ in types) / sheet.per, sum(type_.hi for type_ in types) / sheet.per


def default_reward(game: Game) -> Reward:
    """Return what a play is judged by if nobody says: whoever plays alone plays for points."""
    return "score" if len(game.players) == 1 else "win"
