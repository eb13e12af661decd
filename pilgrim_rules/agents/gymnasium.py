"""Gymnasium: a game for one agent, `env("nim", seat="ann")`; the other seats are played by policies of ours.

Reads:  actions, as the numbers of moves.   Writes: observations, rewards and masks of legal moves, each when the agent decides again.
After:  the same seed and actions give the same play, whoever plays the other seats.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from pilgrim_rules.agents.pettingzoo import LONGEST, Mask, Seen, space
from pilgrim_rules.agents.returns import Reward, default_reward, returns
from pilgrim_rules.api.action_numbers import ActionNumbers
from pilgrim_rules.api.advice import Adviser
from pilgrim_rules.api.game import Game, State, load
from pilgrim_rules.api.observations import Observations
from pilgrim_rules.semantics import chance
from pilgrim_rules.semantics.errors import IllegalMove

try:
    from gymnasium import Env
    from gymnasium.spaces import Discrete
except ModuleNotFoundError as problem:
    raise ModuleNotFoundError(f"{problem.msg}: pip install pilgrim-rules[agents]", name=problem.name) from None

#: How another seat decides: at random, by a tree search with this many games in thought (`mcts:200`), or by a function of ours.
Opponent: TypeAlias = str | Callable[[State, int], str]
OPPONENTS: Final = "random, mcts, mcts:N, or a function of a state and a seed"


class GymnasiumEnvironment(Env[Any, Any]):
    """A game as an environment of one agent.

    game   the game that is played;  state_now  its position, in which the agent decides, or the last
    seat   the name of the agent's player
    action_numbers, observations   as for PettingZoo
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}  # noqa: RUF012  (as Gymnasium declares it)

    def __init__(
        self,
        game: Game,
        *,
        seat: str | None = None,
        others: Opponent = "random",
        reward: Reward | None = None,
        longest: int = LONGEST,
        planes: bool = False,
        bookkeeping: bool = False,
        illegal: Literal["raise", "lose"] = "raise",
    ) -> None:
        self.game = game
        self.seat = game.people[0] if seat is None else seat
        if self.seat not in game.people:
            raise ValueError(f"nobody is called `{self.seat}`; the players are {', '.join(game.people)}")
        self.action_numbers = ActionNumbers(game)
        self.observations = Observations(game, bookkeeping=bookkeeping)
        self.reward: Reward = reward or default_reward(game)
        self.longest, self.planes, self.illegal = longest, planes, illegal
        self.render_mode = "ansi"
        self.observation_space = space(self.observations, planes=planes)
        self.action_space = Discrete(len(self.action_numbers))
        self.state_now = game.start(0)
        self._decide = _policy(game, others)
        self._at = game.people.index(self.seat)
        self._generator = chance.seeded(0)
        self._decisions = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Begin a play, and go on until the agent decides. After a seed, plays begun without one follow from it."""
        super().reset(seed=seed, options=options)
        if seed is not None:
            self._generator = chance.seeded(seed)
        first, self._generator = chance.draw(self._generator)
        self.state_now, self._decisions = self.game.start(first), 0
        self._others()
        return self._shown(), self._told()

    def step(self, action: int) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Make a move, and go on until the agent decides again; the reward comes at the end."""
        if self._ended:
            raise RuntimeError("the play is over: call reset()")
        try:
            self.state_now = self.state_now.play(self.action_numbers.move(int(action)))
        except IllegalMove:
            if self.illegal == "raise":
                raise
            return self._shown(), -1.0, True, False, self._told()
        self._decisions += 1
        self._others()
        over, cut = self.state_now.over, not self.state_now.over and self._decisions >= self.longest
        worth = returns(self.state_now, self.reward)[self._at] if over or cut else 0.0
        return self._shown(), float(worth), over, cut, self._told()

    def action_masks(self) -> Mask:
        """Return which actions are legal now, as learners that use masks ask for it."""
        mask = np.zeros(len(self.action_numbers), np.int8)
        if self.state_now.to_move == self.seat:
            mask[[self.action_numbers.number(move) for move in self.state_now.moves()]] = 1
        return mask

    def render(self) -> str:
        """Return what the agent may see of the position, as text."""
        return self.state_now.view(self.seat).ascii()

    @property
    def _ended(self) -> bool:
        return self.state_now.over or self._decisions >= self.longest

    def _others(self) -> None:
        while not self._ended and self.state_now.to_move != self.seat:
            drawn, self._generator = chance.draw(self._generator)
            self.state_now = self.state_now.play(self._decide(self.state_now, drawn))
            self._decisions += 1

    def _shown(self) -> Seen:
        row = self.observations.row(self.state_now, self._at)
        return self.observations.planes(row) if self.planes else row

    def _told(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "to_move": self.state_now.to_move}


def _policy(game: Game, others: Opponent) -> Callable[[State, int], str]:
    if callable(others):
        return others
    name, _, number = others.partition(":")
    if name == "random" and not number:
        return lambda state, seed: state.moves()[chance.below(chance.seeded(seed), len(state.moves()))[0]]
    if name == "mcts" and (number.isdigit() or not number):
        adviser = Adviser(game, int(number or 400), None)
        return lambda state, seed: adviser.advise(state, seed).move
    raise ValueError(f"no opponent `{others}`; it is {OPPONENTS}")


def env(
    name: str | Path | Game, players: int | None = None, *, choices: dict[str, Any] | None = None, **words: Any
) -> GymnasiumEnvironment:
    """Return a game as an environment of one agent.

    choices   rulings, preset, edition, map: those of `load`
    seat      whose part the agent takes (default: who sits first)
    others    how the others decide: `random`, `mcts`, `mcts:200`, or a function from a state and a seed to a move
    illegal   `raise` an exception for an illegal action, or `lose` the play
    reward, longest, planes, bookkeeping   as for PettingZoo
    """
    game = name if isinstance(name, Game) else load(name, players, **(choices or {}))
    return GymnasiumEnvironment(game, **words)
