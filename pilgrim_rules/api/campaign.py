"""Campaigns: several games in a row, as users play them.

Reads:  a game that declares a campaign, and states in which its games have ended.   Writes: `CampaignResult`.
After:  nothing goes from one game to the next but its result, so each game is one like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pilgrim_rules.api.game import Game, State, load
from pilgrim_rules.core.ir import Campaign as CoreCampaign
from pilgrim_rules.core.ir import CampaignFold
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.evaluate import evaluate

_FOLDS: dict[CampaignFold, Callable[[Sequence[int]], int]] = {"sum": sum, "max": max, "min": min}


@dataclass(frozen=True, slots=True)
class CampaignResult:
    """What a campaign has come to: the result of each game, the total, and what it is called (None without ranks)."""

    results: tuple[int, ...]
    total: int
    rank: str | None


class Campaign:
    """A campaign of a game.

    name, title  as the rules have them
    games        the games, in order, each loaded with what is chosen in it
    """

    def __init__(self, games: Sequence[Game], core: CoreCampaign) -> None:
        self.games = tuple(games)
        self.name, self.title = core.name, core.title
        self._core = core

    def result(self, state: State) -> int:
        """Return what a game of the campaign has brought; ValueError if it is not over, or is another game."""
        campaigns = {each.name: each for each in state.game.core.campaigns}
        if self.name not in campaigns or not state.over:
            raise ValueError(f"the result of a game of `{self.name}` is known when the game is over")
        position = state.game.layout.decode(state.data)
        return evaluate(campaigns[self.name].result, Environment(state.game.declared, position, {}))

    def outcome(self, states: Sequence[State]) -> CampaignResult:
        """Return the result of the campaign; `states` are the ends of its games, in order."""
        if len(states) != len(self.games):
            raise ValueError(f"`{self.name}` has {len(self.games)} games, not {len(states)}")
        results = tuple(map(self.result, states))
        total = _FOLDS[self._core.fold](results)
        return CampaignResult(results, total, next((each.title for each in self._core.ranks if each.has(total)), None))

    def __repr__(self) -> str:
        return f"<Campaign {self.name}: {len(self.games)} games>"


def campaign(name: str | Path, campaign: str | None = None, **choices: Any) -> Campaign:
    """Load a campaign of a game; its only one, if no name is given.

    choices   rulings, options, preset, edition and map, as for `load`; what the campaign itself chooses stands above them
    """
    from pilgrim_rules.language.load import read_games  # noqa: PLC0415  (the parser takes time to import)

    known = {each.name: each for core in read_games(name, **choices) for each in core.campaigns}
    wanted = next(iter(known), None) if campaign is None else campaign
    if wanted is None or wanted not in known or (campaign is None and len(known) > 1):
        near = did_you_mean(wanted or "", known) or f"there are {', '.join(known) or 'none'}"
        raise ValueError(f"say which campaign of `{name}`: {near}")
    core = known[wanted]
    return Campaign([_game(name, core, dict(each), choices) for each in core.games], core)


def _game(name: str | Path, core: CoreCampaign, decided: dict[str, str], choices: dict[str, Any]) -> Game:
    """Return a game of a campaign, with what the campaign decides in it."""
    first = load(name, core.players, **choices)
    of_players = {each.name for each in first.core.options}
    options = {**(choices.get("options") or {}), **{key: each for key, each in decided.items() if key in of_players}}
    rulings = {
        **(choices.get("rulings") or {}),
        **{key: each for key, each in decided.items() if key not in of_players},
    }
    return load(name, core.players, **{**choices, "options": options or None, "rulings": rulings or None})
