"""PettingZoo: any game as an agent-environment-cycle environment, `env("nim", players=2)`.

Reads:  actions, as the numbers of moves.   Writes: observations, rewards and masks of legal moves.
After:  the same seed and actions give the same play; chance and what happens by itself are resolved within a step.

An illegal action raises `IllegalMove` with every reason and changes nothing; wrap the environment in PettingZoo's
`TerminateIllegalWrapper` if it should lose the game instead. Observations are made only when somebody looks.
"""

from __future__ import annotations

from pathlib import Path
from secrets import randbits
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pilgrim_rules.agents.returns import Reward, default_reward, returns
from pilgrim_rules.api.action_numbers import ActionNumbers
from pilgrim_rules.api.game import Game, State, load
from pilgrim_rules.api.observations import Observations, Planes, Row
from pilgrim_rules.semantics import chance

try:
    from gymnasium.spaces import Box, Discrete
    from pettingzoo.utils.env import AECEnv
except ModuleNotFoundError as problem:
    raise ModuleNotFoundError(f"{problem.msg}: pip install pilgrim-rules[agents]", name=problem.name) from None

LONGEST = 10_000  #: decisions of one play, unless said otherwise; some games need not end

Mask = npt.NDArray[np.int8]
Seen: TypeAlias = Row | Planes


class PettingZooEnvironment(AECEnv[str, Seen, int]):
    """A game as an environment. `player_0` is the player who sits first, whatever the rules call them.

    game         the game that is played;  state_now  its position
    action_numbers    which move an action stands for
    observations    what each entry of an observation stands for
    """

    def __init__(
        self,
        game: Game,
        *,
        reward: Reward | None = None,
        longest: int = LONGEST,
        planes: bool = False,
        bookkeeping: bool = False,
    ) -> None:
        super().__init__()
        self.game = game
        self.action_numbers = ActionNumbers(game)
        self.observations = Observations(game, bookkeeping=bookkeeping)
        self.planes = planes
        self.reward: Reward = reward or default_reward(game)
        self.longest = longest
        self.render_mode = "ansi"
        self.metadata = {"name": f"pilgrim_rules/{game.name}", "render_modes": ["ansi"], "is_parallelizable": False}
        self.possible_agents = [f"player_{seat}" for seat in range(len(game.people))]
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._agent_of = dict(zip(game.people, self.possible_agents, strict=True))
        self.observation_spaces = {agent: space(self.observations, planes=planes) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(len(self.action_numbers)) for agent in self.possible_agents}
        self._nothing = self._mask([])  # of those who are not to move
        self._generator = chance.seeded(randbits(64))
        self._decisions = 0
        self.state_now: State

    def observation_space(self, agent: str) -> Box:
        """Return the space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002  (PettingZoo's)
        """Begin a play. After a seed, the plays begun without one are those that follow from it."""
        if seed is not None:
            self._generator = chance.seeded(seed)
        first, self._generator = chance.draw(self._generator)
        self.state_now = self.game.start(first)
        self._decisions = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.agents[0]
        self._go_on()

    def step(self, action: int | None) -> None:
        """Make a move for the agent to move; None once it has ended."""
        if not self.agents:
            raise RuntimeError("the play is over, or none has begun: call reset()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to move: the action is the number of a move, not None")
        self.state_now = self.state_now.play(self.action_numbers.move(int(action)))
        self._decisions += 1
        self._cumulative_rewards[agent] = 0.0
        self._go_on()
        self._accumulate_rewards()
        self._deads_step_first()

    def observe(self, agent: str) -> Seen:
        """Return what an agent may see."""
        return self._shown(self._seat_of[agent])

    def state(self) -> Seen:
        """Return the whole state, for centralised training; nothing is hidden."""
        return self._shown(None)

    def _shown(self, seat: int | None) -> Seen:
        row = self.observations.row(self.state_now, seat)
        return self.observations.planes(row) if self.planes else row

    def render(self) -> str:
        """Return what everybody may see of the position, as JSON."""
        return self.state_now.view(None).to_json(indent=1)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def _go_on(self) -> None:
        """Say who is to move and what may be done, or what the play was worth."""
        now = self.state_now
        self.infos = {agent: {"action_mask": self._nothing} for agent in self.agents}
        if now.over or self._decisions >= self.longest:
            ended = self.terminations if now.over else self.truncations
            ended.update(dict.fromkeys(self.agents, True))
            worth = returns(now, self.reward)
            self.rewards = {agent: worth[self._seat_of[agent]] for agent in self.agents}
        else:
            self.agent_selection = self._agent_of[now.to_move or ""]
            mask = self._mask([self.action_numbers.number(move) for move in now.moves()])
            self.infos[self.agent_selection] = {"action_mask": mask}

    def _mask(self, legal: list[int]) -> Mask:
        mask = np.zeros(len(self.action_numbers), np.int8)
        mask[legal] = 1
        return mask


def env(
    name: str | Path | Game,
    players: int | None = None,
    *,
    reward: Reward | None = None,
    longest: int = LONGEST,
    planes: bool = False,
    bookkeeping: bool = False,
    **choices: Any,
) -> PettingZooEnvironment:
    """Return a game as an environment; `players` and `choices` (rulings, preset, edition, map) are those of `load`.

    reward       `win`: 1 for winning alone, -1 for losing to one other, more on it in `returns.py`; `score`: the points.
                 If left out, the points where the rules score more than who has won. Rewards come at the end.
    longest      after how many decisions a play is cut (`truncations`)
    planes       observations are zeros and ones, one for each value of each cell
    bookkeeping  observations have also the cells that only a set-up needs
    """
    game = name if isinstance(name, Game) else load(name, players, **choices)
    return PettingZooEnvironment(game, reward=reward, longest=longest, planes=planes, bookkeeping=bookkeeping)


def space(observations: Observations, *, planes: bool) -> Box:
    """Return the space of observations."""
    if planes:
        return Box(0.0, 1.0, (len(observations.plane_names),), dtype=np.float32)
    return Box(np.zeros_like(observations.highest), observations.highest, dtype=np.int64)
