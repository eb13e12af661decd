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
    from pilgrim_rules.diagnostics.bag import RulesError as RulesError
    from pilgrim_rules.engine.errors import (
        BadMove as BadMove,
    )
    from pilgrim_rules.engine.errors import (
        BadState as BadState,
    )
    from pilgrim_rules.engine.errors import (
        BadTrace as BadTrace,
    )
    from pilgrim_rules.engine.errors import (
        Breach as Breach,
    )
    from pilgrim_rules.engine.errors import (
        Contradiction as Contradiction,
    )
    from pilgrim_rules.engine.errors import (
        IllegalMove as IllegalMove,
    )
    from pilgrim_rules.engine.errors import (
        RulesGameError as RulesGameError,
    )
    from pilgrim_rules.engine.errors import (
        StaleTrace as StaleTrace,
    )
    from pilgrim_rules.engine.errors import (
        UnknownAction as UnknownAction,
    )
    from pilgrim_rules.engine.game import Game as Game
    from pilgrim_rules.engine.game import load as load
    from pilgrim_rules.engine.moves import Move as Move
    from pilgrim_rules.engine.plain import Value as Value
    from pilgrim_rules.engine.record import Record as Record
    from pilgrim_rules.engine.refusal import Refusal as Refusal
    from pilgrim_rules.engine.scores import Score as Score
    from pilgrim_rules.engine.state import State as State
    from pilgrim_rules.engine.step import Step as Step
    from pilgrim_rules.engine.trace import Trace as Trace
    from pilgrim_rules.engine.view import View as View

_HOMES = {
    "BadMove": "engine.errors",
    "BadState": "engine.errors",
    "BadTrace": "engine.errors",
    "Breach": "engine.errors",
    "Contradiction": "engine.errors",
    "Game": "engine.game",
    "IllegalMove": "engine.errors",
    "Move": "engine.moves",
    "Record": "engine.record",
    "Refusal": "engine.refusal",
    "RulesError": "diagnostics.bag",
    "RulesGameError": "engine.errors",
    "Score": "engine.scores",
    "StaleTrace": "engine.errors",
    "State": "engine.state",
    "Step": "engine.step",
    "Trace": "engine.trace",
    "UnknownAction": "engine.errors",
    "Value": "engine.plain",
    "View": "engine.view",
    "load": "engine.game",
}

__all__ = [
    "BadMove", "BadState", "BadTrace", "Breach", "Contradiction", "Game", "IllegalMove", "Move", "Record", "Refusal",
    "RulesError", "RulesGameError", "Score", "StaleTrace", "State", "Step", "Trace", "UnknownAction", "Value", "View", "load",
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
