"""Board games from rules that are written once: load a game, list the legal moves, play them, ask why not.

>>> import pilgrim_rules as pr
>>> game = pr.load("noughts_and_crosses")
>>> state = game.start().play("place((2, 2))", "place((1, 1))")
>>> state.to_move
'cross'
>>> state.moves()[0]
Move('place((1, 2))')
>>> [str(refusal) for refusal in state.why_not("place((2, 2))")]
['the square is taken']

Everything here is imported when it is first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pilgrim_rules.api.action_numbers import ActionNumbers as ActionNumbers
    from pilgrim_rules.api.advice import Advice as Advice
    from pilgrim_rules.api.advice import Opinion as Opinion
    from pilgrim_rules.api.batch import Batch as Batch
    from pilgrim_rules.api.campaign import Campaign as Campaign
    from pilgrim_rules.api.campaign import CampaignResult as CampaignResult
    from pilgrim_rules.api.campaign import campaign as campaign
    from pilgrim_rules.api.game import Game as Game
    from pilgrim_rules.api.game import State as State
    from pilgrim_rules.api.game import games as games
    from pilgrim_rules.api.game import load as load
    from pilgrim_rules.api.observations import Observations as Observations
    from pilgrim_rules.api.playouts import Playout as Playout
    from pilgrim_rules.api.playouts import Playouts as Playouts
    from pilgrim_rules.api.scores import Score as Score
    from pilgrim_rules.api.trace import Record as Record
    from pilgrim_rules.api.trace import Trace as Trace
    from pilgrim_rules.api.view import View as View
    from pilgrim_rules.diagnostics.bag import RulesError as RulesError
    from pilgrim_rules.semantics.errors import BadMove as BadMove
    from pilgrim_rules.semantics.errors import BadState as BadState
    from pilgrim_rules.semantics.errors import BadTrace as BadTrace
    from pilgrim_rules.semantics.errors import Breach as Breach
    from pilgrim_rules.semantics.errors import Contradiction as Contradiction
    from pilgrim_rules.semantics.errors import EngineLimit as EngineLimit
    from pilgrim_rules.semantics.errors import IllegalMove as IllegalMove
    from pilgrim_rules.semantics.errors import Refusal as Refusal
    from pilgrim_rules.semantics.errors import RulesGameError as RulesGameError
    from pilgrim_rules.semantics.errors import StaleTrace as StaleTrace
    from pilgrim_rules.semantics.errors import UnknownAction as UnknownAction
    from pilgrim_rules.semantics.moves import Move as Move
    from pilgrim_rules.semantics.python_values import Value as Value
    from pilgrim_rules.semantics.step import Step as Step

_HOMES = {
    "ActionNumbers": "api.action_numbers",
    "Advice": "api.advice",
    "BadMove": "semantics.errors",
    "BadState": "semantics.errors",
    "EngineLimit": "semantics.errors",
    "BadTrace": "semantics.errors",
    "Batch": "api.batch",
    "Breach": "semantics.errors",
    "Campaign": "api.campaign",
    "CampaignResult": "api.campaign",
    "Contradiction": "semantics.errors",
    "Game": "api.game",
    "IllegalMove": "semantics.errors",
    "Move": "semantics.moves",
    "Observations": "api.observations",
    "Opinion": "api.advice",
    "Playout": "api.playouts",
    "Playouts": "api.playouts",
    "Record": "api.trace",
    "Refusal": "semantics.errors",
    "RulesError": "diagnostics.bag",
    "RulesGameError": "semantics.errors",
    "Score": "api.scores",
    "StaleTrace": "semantics.errors",
    "State": "api.game",
    "Step": "semantics.step",
    "Trace": "api.trace",
    "UnknownAction": "semantics.errors",
    "Value": "semantics.python_values",
    "View": "api.view",
    "campaign": "api.campaign",
    "games": "api.game",
    "load": "api.game",
}

__all__ = [
    "ActionNumbers", "Advice", "BadMove", "BadState", "BadTrace", "Batch", "Breach", "Campaign", "CampaignResult", "Contradiction", "EngineLimit", "Game", "IllegalMove", "Move", "Observations", "Opinion",
    "Playout", "Playouts", "Record", "Refusal", "RulesError", "RulesGameError", "Score", "StaleTrace", "State", "Step", "Trace", "UnknownAction", "Value", "View", "campaign", "games", "load",
]  # fmt: skip


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = found  # the next access finds it at once
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
