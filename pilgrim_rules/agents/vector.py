"""Many games at once, as a vectorised environment of Gymnasium over `Game.batch`: `vector_env("nim", 1024)`.

Reads:  actions, as the numbers of moves, one for each game.   Writes: observations, rewards and masks as arrays, a row for each game.
After:  game k of the first round is decided by `seed + k`, as in `Game.batch`; a game that has ended begins again within the step.

In each game the agent is whoever decides: this is an environment for self-play. The reward of a step is what the play was worth to the player
who made the last move of it, and `infos["returns"]` what it was worth to everybody; both are zero while a game goes on.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pilgrim_rules.agents.pettingzoo import Seen, space
from pilgrim_rules.agents.returns import Reward, default_reward
from pilgrim_rules.api.game import Game, load
from pilgrim_rules.api.observations import Observations

try:
    from gymnasium.spaces import Discrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except (ModuleNotFoundError, ImportError) as problem:
    raise ModuleNotFoundError(f"{problem.msg}: pip install pilgrim-rules[agents]", name=problem.name) from None

Numbers = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]


class VectorEnvironment(VectorEnv[Seen, npt.ArrayLike, npt.NDArray[Any]]):
    """Games side by side.

    batch   the games, as `Game.batch` plays them
    """

    def __init__(
        self,
        game: Game,
        games: int,
        *,
        seed: int = 0,
        reward: Reward | None = None,
        planes: bool = False,
        bookkeeping: bool = False,
    ) -> None:
        self.game, self.num_envs = game, games
        self.reward: Reward = reward or default_reward(game)
        self.observations = Observations(game, bookkeeping=bookkeeping)
        self.planes = planes
        self.batch = game.batch(games, seed=seed, observe=True)
        self._next = seed + games
        self.action_numbers = self.batch.numbers
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_observation_space = space(self.observations, planes=planes)
        self.single_action_space = Discrete(len(self.action_numbers))
        self.observation_space = batch_space(self.single_observation_space, games)
        self.action_space = batch_space(self.single_action_space, games)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Begin all games again."""
        del options
        self.batch = self.game.batch(self.num_envs, seed=self._next if seed is None else seed, observe=True)
        self._next = (self._next if seed is None else seed) + self.num_envs
        return self._shown(), self._told()

    def step(self, actions: npt.ArrayLike) -> tuple[Seen, Numbers, Truths, Truths, dict[str, Any]]:
        """Make a move in each game; `IllegalMove` if one is not legal, and then none is made."""
        batch = self.batch
        movers = batch.to_move.copy()
        batch.step(actions)
        over = batch.over.copy()
        worth = np.zeros((self.num_envs, len(self.game.players)))
        if over.any():
            worth[over] = self._returns()[over]
        told: dict[str, Any] = {"returns": worth, "_returns": over}
        if over.any():
            told |= {"final_obs": self._shown(), "_final_obs": over}
            batch.reset(over)
        told |= self._told()
        return self._shown(), worth[np.arange(self.num_envs), movers], over, np.zeros_like(over), told

    def _returns(self) -> Numbers:
        if self.reward == "score":
            return self.batch.scores
        winners = self.batch.winners
        players = winners.shape[1]
        if players == 1:
            return winners.astype(np.float64)
        share = (players / np.maximum(winners.sum(axis=1, keepdims=True), 1) - 1) / (players - 1)
        worth = np.where(winners, share, -1 / (players - 1))
        return np.where(winners.any(axis=1, keepdims=True), worth, 0.0)

    def _shown(self) -> Seen:
        rows = self.batch.observations
        assert rows is not None, "they were asked for"
        own = rows[:, self.observations.columns]
        return self.observations.planes(own) if self.planes else own

    def _told(self) -> dict[str, Any]:
        return {"action_mask": self.batch.mask.astype(np.int8), "to_move": self.batch.to_move.copy()}


def vector_env(
    name: str | Path | Game,
    games: int,
    players: int | None = None,
    *,
    choices: dict[str, Any] | None = None,
    **words: Any,
) -> VectorEnvironment:
    """Return games side by side; `choices` are those of `load`, the other words those of PettingZoo's `env`, and `seed`."""
    game = name if isinstance(name, Game) else load(name, players, **(choices or {}))
    return VectorEnvironment(game, games, **words)
