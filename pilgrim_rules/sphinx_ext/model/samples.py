"""Samples: recorded plays and the places in them that the pages show.

Reads:  docs/samples/<game>.json, written by `python -m pilgrim_rules.sphinx_ext.sampling`.   Writes: `Samples`.
After:  a place is a position of the current rules: a play that they refuse, or a refusal that they no longer give,
        is not shown. A file that is not there means that there is nothing to show.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from pilgrim_rules.api.game import Game, State
from pilgrim_rules.api.trace import Trace
from pilgrim_rules.core import ir
from pilgrim_rules.core.move_text import action_name
from pilgrim_rules.prose.apply_rulings import requirements_left
from pilgrim_rules.semantics.errors import Refusal, RulesGameError
from pilgrim_rules.sphinx_ext.model.run_examples import ShownExampleStep

__all__ = [
    "FORMAT",
    "BadSamples",
    "RecordedPlay",
    "RefusedSample",
    "SamplePosition",
    "Samples",
    "first_use",
    "position",
    "read_samples",
    "refused",
    "requirements",
]

ExampleResults: TypeAlias = Mapping[str, tuple[ShownExampleStep, ...]]  #: the examples of a game, run, by their names
FORMAT = "pilgrim-rules/samples/1"


class BadSamples(Exception):
    """The file holds no samples that these documents can read."""


class RecordedPlay(NamedTuple):
    """A play: the seed of chance, and the moves."""

    seed: int
    moves: tuple[str, ...]


class SamplePosition(NamedTuple):
    """A position, and a move that is tried there.

    play  the number of a play, or the name of an example.     at  after how many of its moves or steps.
    """

    play: int | str
    at: int
    move: str


class RefusedSample(NamedTuple):
    """A move that is refused in a position, and every reason why."""

    state: State
    move: str
    reasons: tuple[Refusal, ...]


@dataclass(frozen=True, slots=True)
class Samples:
    """What was recorded of one game: plays, where each rule is used, where each of its requirements fails."""

    rules: str = ""
    plays: tuple[RecordedPlay, ...] = ()
    uses: Mapping[str, SamplePosition] = field(default_factory=dict)
    refusals: Mapping[str, Mapping[str, SamplePosition]] = field(default_factory=dict)


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
            plays=tuple(RecordedPlay(each["seed"], tuple(each["moves"])) for each in data["plays"]),
            uses={name: SamplePosition(*place) for name, place in data["uses"].items()},
            refusals={
                name: {key: SamplePosition(*place) for key, place in found.items()}
                for name, found in data["refusals"].items()
            },
        )
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        raise BadSamples(f"{path.name} cannot be read: {type(problem).__name__}: {problem}") from None


def position(game: Game, told: ExampleResults, samples: Samples, place: SamplePosition) -> State | None:
    """Return the position of a place; None if the current rules do not lead there."""
    if isinstance(place.play, str):
        moments = told.get(place.play, ())
        return moments[place.at].before if place.at < len(moments) else None
    try:
        play = samples.plays[place.play]
        return game.start(play.seed).play(*play.moves[: place.at])
    except (IndexError, RulesGameError):
        return None


def first_use(game: Game, told: ExampleResults, samples: Samples, rule: str) -> tuple[State, str, State] | None:
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
    steps = [(before, str(step.move), after) for before, step, after in trace if action_name(str(step.move)) == rule]
    return steps[0] if steps else None


def requirements(game: ir.Game, action: ir.Action) -> frozenset[str]:
    """Return the keys of what a rule requires as it is played; what only other rulings would ask is left out."""
    return requirements_left(game, action)


def refused(game: Game, told: ExampleResults, samples: Samples, rule: str) -> dict[str, RefusedSample]:
    """Return for each requirement of a rule, by its key, a position in which it fails."""
    found: dict[str, RefusedSample] = {}
    for key, place in samples.refusals.get(rule, {}).items():
        state = position(game, told, samples, place)
        if state is None:
            continue
        try:
            reasons = tuple(state.why_not(place.move))
        except RulesGameError:
            continue
        if any(reason.key == key and reason.kind == "requirement" for reason in reasons):
            found[key] = RefusedSample(state, place.move, reasons)
    return found
