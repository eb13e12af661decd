"""OpenSpiel: any game as a Python game of OpenSpiel, `game("kuhn_poker")`.

Reads:  actions, as the numbers of moves.   Writes: OpenSpiel's games and states.
After:  a play ends: if the rules do not end it, it is cut after `longest` decisions. Chance is explicit.

OpenSpiel keeps games by name and makes them again from it, so each game is registered as `pilgrim_rules_NAME_PLAYERS_REWARD`
when it is first asked for; rulings, options of the set-up, preset, edition and map are parameters of it. Python search algorithms work on
these games; the C++ bots of OpenSpiel do not work on any game written in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pilgrim_rules.agents.returns import Reward, bounds, constant_sum, default_reward, returns
from pilgrim_rules.agents.spiel_past import Past
from pilgrim_rules.api.action_numbers import ActionNumbers
from pilgrim_rules.api.game import Game, State, load
from pilgrim_rules.api.looks import Looks
from pilgrim_rules.api.observations import Observations
from pilgrim_rules.engine.autoplay import Log
from pilgrim_rules.semantics.observation import has_secrets
from pilgrim_rules.semantics.step import CHANCE

try:
    import pyspiel
except ModuleNotFoundError as problem:
    raise ModuleNotFoundError(f"{problem.msg}: pip install open_spiel", name=problem.name) from None

LONGEST = 10_000  #: decisions of one play, unless said otherwise
FILES: Final = ("preset", "edition", "map")  #: what `load` takes besides rulings and options

_Kind = pyspiel.GameType


def game(
    name: str,
    players: int | None = None,
    *,
    reward: Reward | None = None,
    longest: int = LONGEST,
    rulings: Mapping[str, str] | None = None,
    options: Mapping[str, str] | None = None,
    **choices: str,
) -> pyspiel.Game:
    """Return a game by the name that `load` knows it by.

    reward    what a play is worth: `win` or `score`, as for PettingZoo
    longest   after how many decisions a play is cut
    rulings, options, preset, edition, map   as for `load`; they become parameters of the game
    """
    asked = Choices.among({**(rulings or {}), **(options or {}), **choices})
    rules = _rules(name, players, reward, asked)
    return pyspiel.load_game(
        _register(name, len(rules.game.people), rules.reward), {"longest": longest, **dict(asked.chosen)}
    )


@dataclass(frozen=True, slots=True)
class Choices:
    """What else is asked of `load`, by name, without what is left as it is."""

    chosen: tuple[tuple[str, str], ...] = ()

    @classmethod
    def among(cls, asked: Mapping[str, Any]) -> Choices:
        """Return what is asked, in alphabetical order."""
        return cls(tuple(sorted((name, str(value)) for name, value in asked.items() if value)))

    def words(self, known: Game) -> dict[str, Any]:
        """Return the arguments of `load`; `known` says what is a ruling and what an option."""
        of_players = {each.name for each in known.core.options}
        decided = {each.name for each in known.core.decisions}
        found: dict[str, Any] = {name: value for name, value in self.chosen if name in FILES}
        found["rulings"] = {
            name: value for name, value in self.chosen if name not in FILES and name not in of_players
        } or None
        found["options"] = {name: value for name, value in self.chosen if name in decided & of_players} or None
        return found


class SpielRules:
    """What all states of a game share."""

    def __init__(self, name: str, players: int | None, reward: Reward | None, choices: Choices) -> None:
        self.game = load(name, players)
        if choices.chosen:
            self.game = load(name, players, **choices.words(self.game))
        self.reward: Reward = reward or default_reward(self.game)
        self.key = (name, len(self.game.people), self.reward, choices)
        self.seats = {player: seat for seat, player in enumerate(self.game.people)}
        self.moves = ActionNumbers(self.game)
        self.outcomes = ActionNumbers(self.game, "chance")
        self.observations = Observations(self.game)
        self.veiled = has_secrets(self.game.core)
        self.looks = Looks(self.game)
        self.sum = constant_sum(self.game, self.reward)

    def kind(self) -> pyspiel.GameType:
        """Return what OpenSpiel knows of the game before it is played."""
        core = self.game.core
        chance = any(stage.kind == "chance" for stage in core.stages)
        utility = _Kind.Utility.ZERO_SUM if self.sum == 0 else _Kind.Utility.CONSTANT_SUM
        hidden, open_ = _Kind.Information.IMPERFECT_INFORMATION, _Kind.Information.PERFECT_INFORMATION
        return pyspiel.GameType(
            short_name=f"pilgrim_rules_{core.name}_{len(self.game.people)}_{self.reward}",
            long_name=core.title,
            dynamics=_Kind.Dynamics.SEQUENTIAL,
            chance_mode=_Kind.ChanceMode.EXPLICIT_STOCHASTIC if chance else _Kind.ChanceMode.DETERMINISTIC,
            information=hidden if self.veiled else open_,
            utility=_Kind.Utility.GENERAL_SUM if self.sum is None else utility,
            reward_model=_Kind.RewardModel.TERMINAL,
            max_num_players=len(self.game.people),
            min_num_players=len(self.game.people),
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification={
                "longest": LONGEST,
                **dict.fromkeys((*FILES, *(each.name for each in core.decisions)), ""),
            },
        )

    def __deepcopy__(self, memo: dict[int, object]) -> SpielRules:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _rules, self.key


@cache
def _rules(name: str, players: int | None, reward: Reward | None, choices: Choices) -> SpielRules:
    return SpielRules(name, players, reward, choices)


@cache
def _register(name: str, players: int, reward: Reward) -> str:
    """Make the game known to OpenSpiel; return the name it has there."""
    kind = _rules(name, players, reward, Choices()).kind()
    # A class of its own: OpenSpiel calls it with the parameters, and lets go of it only when Python has ended, which a
    # class survives and a function does not.
    pyspiel.register_game(kind, type(kind.short_name, (SpielGame,), {"asked": (name, players, reward)}))
    return str(kind.short_name)


class SpielGame(pyspiel.Game):
    """A game as OpenSpiel sees it; each has a class of its own, which says what was asked for besides the parameters."""

    asked: tuple[str, int, Reward]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        self.longest = int(given.pop("longest", LONGEST))
        rules = self.rules = _rules(*self.asked, Choices.among(given))
        least, most = bounds(rules.game, rules.reward)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(rules.moves),
            max_chance_outcomes=len(rules.outcomes),
            num_players=len(rules.game.people),
            min_utility=least,
            max_utility=max(most, least + 1.0),  # OpenSpiel wants room between them, even if nothing is scored
            utility_sum=rules.sum,
            max_game_length=self.longest,
        )
        super().__init__(rules.kind(), info, params or {})

    def new_initial_state(self) -> SpielState:
        """Return the start of a play."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:  # noqa: ARG002  (OpenSpiel's signature)
        """Return what turns states into observations."""
        return SpielObserver(self.rules, recalls=iig_obs_type is not None and iig_obs_type.perfect_recall)


class SpielState(pyspiel.State):
    """A position as OpenSpiel sees it. Its core is one immutable `State`, so that copies are cheap."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.rules = game.rules
        log: Log = []
        runner, first = self.rules.game.runner, self.rules.game.code.start
        runner.settle(first, None, log)
        self.past = Past(first, [(coded, data) for coded, data, _ in log])
        self.left = game.longest  # decisions until the play is cut

    @property
    def now(self) -> State:
        """The position."""
        return State(self.rules.game, self.past.last)

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
        by_chance = self.now.to_move == CHANCE
        move = (self.rules.outcomes if by_chance else self.rules.moves).move(action)
        runner, data = self.rules.game.runner, self.past.last
        coded = runner.book.codes(move)
        if not runner.allows(data, coded):
            raise self.now.illegal(move)
        log: Log = []
        runner.make(data, coded, None, log)
        self.past = self.past.then([(each, after) for each, after, _ in log])
        self.left -= not by_chance

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """Return a position whose past looks the same to a player, drawn by its odds; `CannotSample` if there is none.

        sampler   gives numbers from 0 to 1
        """
        rules = self.rules
        made: SpielState = self.get_game().new_initial_state()
        for coded, _ in self.past.belief(rules.game, player).sample(int(sampler() * 2**53)):
            move = rules.game.runner.book.move(coded)
            kind = rules.game.core.actions[coded[0]].kind
            if kind != "auto":  # these happen by themselves
                made.apply_action((rules.outcomes if kind == "chance" else rules.moves).number(move))
        return made

    def _action_to_string(self, player: int, action: int) -> str:
        action_numbers = self.rules.outcomes if player == pyspiel.PlayerId.CHANCE else self.rules.moves
        return str(action_numbers.move(action))

    def returns(self) -> list[float]:
        """Return what the play was worth to each player; nothing before it has ended."""
        if not self.is_terminal():
            return [0.0] * len(self.rules.seats)
        return returns(self.now, self.rules.reward)[: len(self.rules.seats)]

    def __str__(self) -> str:
        return self.now.ascii()


class SpielObserver:
    """What a player sees, as numbers and as text: now, or with perfect recall from the start on."""

    def __init__(self, rules: SpielRules, *, recalls: bool) -> None:
        self._rules = rules
        self._recalls = recalls
        self.tensor: npt.NDArray[np.float32] = np.zeros(rules.observations.size, np.float32)
        self.dict = {"cells": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Take the numbers from a state."""
        self.tensor[:] = self._rules.observations.row(state.now, player)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what the player sees; with perfect recall, everything seen and done so far."""
        rules = self._rules
        if not self._recalls:
            row = rules.observations.row(state.now, player)
            return " ".join(f"{name}={value}" for name, value in zip(rules.observations.names, row, strict=True))
        if not rules.veiled:  # everybody knows every move, and these tell everything
            return str(state.history_str())
        return "\n".join(state.past.seen(rules.game, rules.observations, rules.looks, player))
