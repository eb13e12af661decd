"""Vectors: games with everything that another implementation needs to check itself.

Reads:  a game.   Writes: plain data, a head and then one object a game; `docs/howto/vectors.rst` describes it.
After:  the same seed gives the same data on every machine. Nothing in it depends on how this program keeps a state: a hash is of the values,
        in a form that every language can write.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from math import lcm
from typing import Any, TypeAlias

from pilgrim_rules.api.game import Game, State
from pilgrim_rules.api.trace import Trace
from pilgrim_rules.core import ir
from pilgrim_rules.examples.positions import positions
from pilgrim_rules.semantics import chance
from pilgrim_rules.semantics.errors import STOPS
from pilgrim_rules.semantics.moves import Move
from pilgrim_rules.semantics.step import AUTO, Step

FORMAT = "pilgrim-rules/vectors/2"
REFUSED = 2  #: refused moves that a decision is given with, at most
AFTER_AN_EXAMPLE = 6  #: decisions played on from the position of an example

Data: TypeAlias = dict[str, Any]


def head(game: Game) -> Data:
    """Return the first object: which game it is, and how it starts."""
    first = json.loads(Trace.start(game).states[0].to_json())
    return {"format": FORMAT, "players": game.players, **{key: first[key] for key in ("game", "rules", "state")}}


def random_games(game: Game, seeds: range, longest: int) -> Iterator[Data]:
    """Yield random games from the start."""
    for seed in seeds:
        yield {"seed": seed, **_played(Trace.start(game), seed, longest)}


def games_from_examples(game: Game, core: ir.Game, seed: int) -> Iterator[Data]:
    """Yield short random games from the positions that the examples arrange: there is what just is allowed, and what just is not."""
    for name, state in positions(game, core):
        start = json.loads(state.to_json())["state"]
        try:
            yield {"seed": seed, "example": name, "start": start, **_played(Trace(state), seed, AFTER_AN_EXAMPLE)}
        except STOPS:
            continue  # an example of a reading in which the position goes on otherwise; the verifier speaks of it


def state_hash(values: object) -> str:
    """Return the hash of the variables of a state, or of a view: that of their JSON, keys sorted, without spaces, in UTF-8."""
    text = json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode()).hexdigest()[:16]


def _played(trace: Trace, seed: int, longest: int) -> Data:
    """Play a game at random, chance included, and return it as plain data."""
    generator = chance.seeded(seed)
    known: dict[str, None] = {}  # every move that was offered so far: some of them will be refused
    refused: list[list[Data]] = []
    for _ in range(longest):
        state = trace.state
        if state.over:
            break
        found, generator = _refused(state, [move for move in known if move not in set(state.moves())], generator)
        refused.append(found)
        known.update(dict.fromkeys(map(str, state.moves())))
        move, generator = _drawn(state, generator)
        trace.play(move)
    end = trace.state
    tries = iter(refused)
    return {
        "steps": [_step(before, step, after, [] if step.by == AUTO else next(tries)) for before, step, after in trace],
        "over": end.over,
        "scores": {
            player: {"total": str(score.total), "lines": {name: str(points) for name, points in score.parts.items()}}
            for player, score in end.scores().items()
        },
        "winners": end.winners(),
        "offered": [str(move) for move in end.moves()],
    }


def _refused(state: State, moves: list[str], generator: int) -> tuple[list[Data], int]:
    """Return some of the moves, which were offered before and are not now, with the clauses that refuse them."""
    found: list[Data] = []
    while moves and len(found) < REFUSED:
        at, generator = chance.below(generator, len(moves))
        move = moves.pop(at)
        reasons = state.why_not(move)
        found.append({"move": move, "clauses": sorted({clause for reason in reasons for clause in reason.clauses})})
    return found, generator


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


def _step(before: State, step: Step, after: State, refused: list[Data]) -> Data:
    odds = before.outcomes()
    secret = any(variable.seen is not None for variable in before.game.core.variables)
    return {
        "by": step.by,
        "offered": [str(move) for move in before.moves()],
        **({"odds": [str(probability) for _, probability in odds]} if odds else {}),
        **({"refused": refused} if refused else {}),
        "move": str(step.move),
        "changes": {cell: new for cell, (_, new) in before.diff(after).items()},
        "state": state_hash(json.loads(after.to_json())["state"]),
        **({"views": {player: _view_hash(after, player) for player in after.game.players}} if secret else {}),
    }


def _view_hash(state: State, player: str) -> str:
    return state_hash(json.loads(state.view(player).to_json())["state"])
