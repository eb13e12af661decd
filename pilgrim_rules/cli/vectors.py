"""`pilgrim vectors`: games with everything another implementation needs to check itself.

Reads:  a game.   Writes: JSON, one object a line; `docs/howto/vectors.rst` describes it.
After:  the same seed gives the same lines on every machine.
"""

from __future__ import annotations

import json
from math import lcm
from typing import Any

import click

from pilgrim_rules.cli.exits import Exit
from pilgrim_rules.cli.options import Instance, Reporting, instance_options
from pilgrim_rules.engine import chance
from pilgrim_rules.engine.game import Game, load
from pilgrim_rules.engine.moves import Move
from pilgrim_rules.engine.state import State
from pilgrim_rules.engine.step import Step
from pilgrim_rules.engine.trace import Trace

FORMAT = "pilgrim-rules/vectors/1"


@click.command(cls=Reporting)
@click.argument("game")
@click.option("-n", "--number", type=click.IntRange(min=1), default=100, show_default=True, help="How many games.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the first game; the others count on from it.")
@click.option(
    "--longest", type=click.IntRange(min=1), default=10_000, show_default=True, help="Decisions after which to stop."
)
@instance_options
def vectors(game: str, *, number: int, seed: int, longest: int, instance: Instance) -> Exit:
    """Write random games of GAME with which an implementation in any language can be checked.

    The first line says which game it is and how it starts. Each further line is a game: at each step every move that is offered, the one
    that is made, what it changes and the fingerprint of the state after it; at the end the scores and the winners.
    """
    loaded = load(game, **instance.words())
    first = json.loads(Trace.start(loaded).states[0].to_json())
    _line({"format": FORMAT, "players": loaded.players, **{key: first[key] for key in ("game", "rules", "state")}})
    for each in range(seed, seed + number):
        _line(_vector(loaded, each, longest))
    return Exit.OK


def _line(data: dict[str, Any]) -> None:
    click.echo(json.dumps(data, ensure_ascii=False))


def _vector(game: Game, seed: int, longest: int) -> dict[str, Any]:
    """Return one random game, chance included, as plain data."""
    trace = Trace.start(game)
    generator = chance.seeded(seed)
    for _ in range(longest):
        if trace.state.over:
            break
        move, generator = _drawn(trace.state, generator)
        trace.play(move)
    end = trace.state
    return {
        "seed": seed,
        "steps": [_step(*each) for each in trace],
        "over": end.over,
        "scores": {player: str(score.total) for player, score in end.scores().items()},
        "winners": end.winners(),
    }


def _drawn(state: State, generator: int) -> tuple[Move, int]:
    """Return a move by the generator: outcomes of chance by their weight, decisions evenly."""
    odds = state.outcomes()
    if not odds:
        moves = state.moves()
        at, generator = chance.below(generator, len(moves))
        return moves[at], generator
    whole = lcm(*(probability.denominator for _, probability in odds))
    at, generator = chance.choose(generator, [int(probability * whole) for _, probability in odds])
    return odds[at][0], generator


def _step(before: State, step: Step, after: State) -> dict[str, Any]:
    odds = before.outcomes()
    return {
        "by": step.by,
        "offered": [str(move) for move in before.moves()],
        **({"odds": [str(probability) for _, probability in odds]} if odds else {}),
        "move": str(step.move),
        "changes": {cell: new for cell, (_, new) in before.diff(after).items()},
        "state": step.fingerprint,
    }
