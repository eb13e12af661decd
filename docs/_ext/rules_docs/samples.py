"""Samples: recorded plays and the places in them that the pages show.

Reads:  docs/samples/<game>.json, written by `python -m rules_docs.sampling`.   Writes: `Samples`.
After:  a place is a position of the rules of today: a play that they refuse, or a refusal that they no longer give,
        is not shown. A file that is not there means that there is nothing to show.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from pilgrim_rules.core import ir
from pilgrim_rules.engine.errors import RulesGameError
from pilgrim_rules.engine.game import Game
from pilgrim_rules.engine.refusal import Refusal
from pilgrim_rules.engine.state import State
from pilgrim_rules.engine.trace import Trace
from pilgrim_rules.prose.decided import choices_of, decided
from rules_docs.telling import Moment

__all__ = [
    "FORMAT",
    "BadSamples",
    "Place",
    "Play",
    "Samples",
    "Tried",
    "position",
    "read_samples",
    "refused",
    "requirements",
    "used",
]

Told: TypeAlias = Mapping[str, tuple[Moment, ...]]  #: the examples of a game, run, by their names
FORMAT = "pilgrim-rules/samples/1"


class BadSamples(Exception):
    """The file holds no samples that these documents can read."""


class Play(NamedTuple):
    """A play: the seed of chance, and the moves."""

    seed: int
    moves: tuple[str, ...]


class Place(NamedTuple):
    """A position, and a move that is tried there.

    play  the number of a play, or the name of an example.     at  after how many of its moves or steps.
    """

    play: int | str
    at: int
    move: str


class Tried(NamedTuple):
    """A move that is refused in a position, and every reason why."""

    state: State
    move: str
    reasons: tuple[Refusal, ...]


@dataclass(frozen=True, slots=True)
class Samples:
    """What was recorded of one game: plays, where each rule is used, where each of its requirements fails."""

    rules: str = ""
    plays: tuple[Play, ...] = ()
    uses: Mapping[str, Place] = field(default_factory=dict)
    refusals: Mapping[str, Mapping[str, Place]] = field(default_factory=dict)


def read_samples(path: Path) -> Samples:
    """Read the samples of a game; none if there is no file."""
    if not path.exists():
        return Samples()
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise BadSamples(f"{path.name} is not of the form {FORMAT}")
        return Samples(
            rules=data["rules"],
            plays=tuple(Play(each["seed"], tuple(each["moves"])) for each in data["plays"]),
            uses={name: Place(*place) for name, place in data["uses"].items()},
            refusals={
                name: {key: Place(*place) for key, place in found.items()} for name, found in data["refusals"].items()
            },
        )
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        raise BadSamples(f"{path.name} cannot be read: {type(problem).__name__}: {problem}") from None


def position(game: Game, told: Told, samples: Samples, place: Place) -> State | None:
    """Return the position of a place; None if the rules of today do not lead there."""
    if isinstance(place.play, str):
        moments = told.get(place.play, ())
        return moments[place.at].before if place.at < len(moments) else None
    try:
        play = samples.plays[place.play]
        return game.start(play.seed).play(*play.moves[: place.at])
    except (IndexError, RulesGameError):
        return None


def used(game: Game, told: Told, samples: Samples, rule: str) -> tuple[State, str, State] | None:
    """Return the states before and after a rule was used in a recorded play, and the move; None if it was not."""
    place = samples.uses.get(rule)
    state = None if place is None else position(game, told, samples, place)
    if place is None or state is None:
        return None
    trace = Trace(state)
    try:
        trace.play(place.move)
    except RulesGameError:
        return None
    steps = [(before, str(step.move), after) for before, step, after in trace if _rule(str(step.move)) == rule]
    return steps[0] if steps else None


def requirements(game: ir.Game, action: ir.Action) -> frozenset[str]:
    """Return the keys of what a rule requires as it is played; what only other rulings would ask is left out."""
    played = decided(action, choices_of(game))
    return frozenset(line.key for line in played.guard if isinstance(line, ir.Require))


def refused(game: Game, told: Told, samples: Samples, rule: str) -> dict[str, Tried]:
    """Return for each requirement of a rule, by its key, a position in which it fails."""
    found: dict[str, Tried] = {}
    for key, place in samples.refusals.get(rule, {}).items():
        state = position(game, told, samples, place)
        if state is None:
            continue
        try:
            reasons = tuple(state.why_not(place.move))
        except RulesGameError:
            continue
        if any(reason.key == key and reason.kind == "requirement" for reason in reasons):
            found[key] = Tried(state, place.move, reasons)
    return found


def _rule(move: str) -> str:
    return move.partition("(")[0]
