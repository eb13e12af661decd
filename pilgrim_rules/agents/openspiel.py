"""OpenSpiel: any game as a Python game of OpenSpiel, `game("kuhn_poker")`.

Reads:  actions, as the numbers of moves.   Writes: OpenSpiel's games and states.
After:  a play ends: if the rules do not end it, it is cut after `longest` decisions. Chance is explicit.

OpenSpiel keeps games by name and makes them anew from it, so each game is registered as `pilgrim_rules_NAME_PLAYERS_REWARD`
when it is first asked for. Python search algorithms work on these games;
the C++ bots of OpenSpiel do not work on any game written in Python.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from pilgrim_rules.agents.numbering import Numbering
from pilgrim_rules.agents.observing import Observing
from pilgrim_rules.agents.returns import Reward, bounds, default_reward, returns
from pilgrim_rules.engine.game import load
from pilgrim_rules.engine.state import State
from pilgrim_rules.engine.step import CHANCE

try:
    import pyspiel
except ModuleNotFoundError as problem:
    raise ModuleNotFoundError(f"{problem.msg}: pip install open_spiel", name=problem.name) from None

LONGEST = 10_000  #: decisions of one play, unless said otherwise

_Kind = pyspiel.GameType


def game(
    name: str, players: int | None = None, *, reward: Reward | None = None, longest: int = LONGEST
) -> pyspiel.Game:
    """Return a game by the name that `load` knows it by.

    reward    what a play is worth: `win` or `score`, as for PettingZoo
    longest   after how many decisions a play is cut
    """
    rules = _rules(name, players, reward)
    return pyspiel.load_game(_register(*rules.key), {"longest": longest})


class Rules:
    """What all states of a game share."""

    def __init__(self, name: str, players: int | None, reward: Reward | None) -> None:
        self.game = load(name, players)
        self.reward: Reward = reward or default_reward(self.game)
        self.key = (name, len(self.game.players), self.reward)
        self.seats = {player: seat for seat, player in enumerate(self.game.players)}
        self.moves = Numbering(self.game)
        self.outcomes = Numbering(self.game, "chance")
        self.observing = Observing(self.game)
        self.veiled = any(variable.sight != "open" for variable in self.game.core.variables)

    def __deepcopy__(self, memo: dict[int, object]) -> Rules:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _rules, self.key


@cache
def _rules(name: str, players: int | None, reward: Reward | None) -> Rules:
    return Rules(name, players, reward)


@cache
def _register(name: str, players: int, reward: Reward) -> str:
    """Make the game known to OpenSpiel; return the name it has there."""
    rules = _rules(name, players, reward)
    core = rules.game.core
    chance = any(stage.kind == "chance" for stage in core.stages)
    kind = pyspiel.GameType(
        short_name=f"pilgrim_rules_{core.name}_{players}_{reward}",
        long_name=core.title,
        dynamics=_Kind.Dynamics.SEQUENTIAL,
        chance_mode=_Kind.ChanceMode.EXPLICIT_STOCHASTIC if chance else _Kind.ChanceMode.DETERMINISTIC,
        information=_Kind.Information.IMPERFECT_INFORMATION if rules.veiled else _Kind.Information.PERFECT_INFORMATION,
        utility=_Kind.Utility.ZERO_SUM if reward == "win" else _Kind.Utility.GENERAL_SUM,
        reward_model=_Kind.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"longest": LONGEST},
    )
    # A class of its own: OpenSpiel calls it with the parameters, and lets go of it only when Python has ended, which a
    # class survives and a function does not.
    pyspiel.register_game(kind, type(kind.short_name, (SpielGame,), {"kind": kind, "rules": rules}))
    return str(kind.short_name)


class SpielGame(pyspiel.Game):
    """A game as OpenSpiel sees it; each has a class of its own, with its kind and its rules."""

    kind: pyspiel.GameType
    rules: Rules

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.longest = int((params or {}).get("longest", LONGEST))
        rules = self.rules
        least, most = bounds(rules.game, rules.reward)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(rules.moves),
            max_chance_outcomes=len(rules.outcomes),
            num_players=len(rules.game.players),
            min_utility=least,
            max_utility=max(most, least + 1.0),  # OpenSpiel wants room between them, even if nothing is scored
            utility_sum=0.0 if rules.reward == "win" else None,
            max_game_length=self.longest,
        )
        super().__init__(self.kind, info, params or {})

    def new_initial_state(self) -> SpielState:
        """Return the start of a play."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:  # noqa: ARG002  (OpenSpiel's signature)
        """Return what turns states into observations."""
        return Observer(self.rules, recalls=iig_obs_type is not None and iig_obs_type.perfect_recall)


class SpielState(pyspiel.State):
    """A position as OpenSpiel sees it. Its core is one immutable `State`, so that copies are cheap."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.rules = game.rules
        self.now: State = game.rules.game.start()
        self.left = game.longest  # decisions until the play is cut

    def current_player(self) -> int:
        """Return the seat of whoever decides."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        decider = self.now.to_move or ""
        return int(pyspiel.PlayerId.CHANCE) if decider == CHANCE else self.rules.seats[decider]

    def is_terminal(self) -> bool:
        """Tell whether the game has ended, or has been cut."""
        return self.now.over or self.left == 0

    def _legal_actions(self, player: int) -> list[int]:
        if player != self.current_player():
            return []
        return sorted(map(self.rules.moves.number, self.now.moves()))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of chance with their probabilities."""
        return sorted((self.rules.outcomes.number(move), float(odds)) for move, odds in self.now.outcomes())

    def _apply_action(self, action: int) -> None:
        if self.now.to_move == CHANCE:
            self.now = self.now.play(self.rules.outcomes.move(action))
        else:
            self.now = self.now.play(self.rules.moves.move(action))
            self.left -= 1

    def _action_to_string(self, player: int, action: int) -> str:
        numbering = self.rules.outcomes if player == pyspiel.PlayerId.CHANCE else self.rules.moves
        return str(numbering.move(action))

    def returns(self) -> list[float]:
        """Return what the play was worth to each player; nothing before it has ended."""
        if not self.is_terminal():
            return [0.0] * len(self.rules.seats)
        return returns(self.now, self.rules.reward)

    def __str__(self) -> str:
        return repr(self.now)


class Observer:
    """What a player sees, as numbers and as text: now, or with perfect recall from the start on."""

    def __init__(self, rules: Rules, *, recalls: bool) -> None:
        self._rules = rules
        self._recalls = recalls
        self._memory: dict[int, tuple[list[int], State, list[str]]] = {}  # of each player, the last play asked for
        self.tensor: npt.NDArray[np.float32] = np.zeros(rules.observing.size, np.float32)
        self.dict = {"cells": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Take the numbers from a state."""
        self.tensor[:] = self._rules.observing.row(state.now, player)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what the player sees; with perfect recall, everything seen and done so far."""
        if not self._recalls:
            return self._changes(state.now, player, None)
        if not self._rules.veiled:  # everybody knows every move, and these tell everything
            return str(state.history_str())
        return "\n".join(self._remembered(state.history(), player))

    def _remembered(self, history: list[int], player: int) -> list[str]:
        """Return what the player saw after each step, going on from the last play asked for if this one continues it."""
        known, now, told = self._memory.get(player) or ([], self._rules.game.start(), [])
        if known != history[: len(known)]:
            known, now, told = [], self._rules.game.start(), []
        told = told or [self._changes(now, player, None)]
        for action in history[len(known) :]:
            move = (self._rules.outcomes if now.to_move == CHANCE else self._rules.moves).move(action)
            own = self._rules.seats.get(now.to_move or "") == player
            before, now = now, now.play(move)
            told = [*told, (f"{move}: " if own else "") + self._changes(now, player, before)]
        self._memory[player] = history, now, told
        return told

    def _changes(self, now: State, player: int, before: State | None) -> str:
        observing = self._rules.observing
        row = observing.row(now, player)
        last = np.full_like(row, -1) if before is None else observing.row(before, player)
        return " ".join(f"{observing.names[at]}={row[at]}" for at in np.flatnonzero(row != last))
