"""Check an implementation of a game against conformance vectors.

    python check_vectors.py vectors.jsonl my_game

`my_game` is a module of yours with these functions. Texts, numbers and lists are those of the vectors.

    start()                 the first state; whatever happens by itself has happened
    to_move(state)          who decides: a player's name, "chance", or None if the game is over
    offered(state)          the moves that may be made
    play(state, move)       the state after one of them and after whatever then happens by itself
    scores(state)           of each player the total and the lines of the score sheet
    winners(state)          who has won

It may have these too; what it does not have is not checked, and the checker says so:

    position(values)        the state with these values of the variables, to begin in the position of an example
    odds(state)             the probability of each outcome of chance: {"roll(1)": "1/6", …}
    refusals(state, move)   the clauses that refuse a move
    values(state)           the values of all variables
    view(state, player)     the same, with "?" for what the player may not see
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

OPTIONAL = ("position", "odds", "refusals", "values", "view")


def check(vectors: Path, game: Any) -> list[str]:
    """Return what is wrong, one line a mistake; a game is left at its first mistake."""
    wrong: list[str] = []
    with vectors.open(encoding="utf-8") as lines:
        next(lines)  # the first line says which game it is
        for line in lines:
            vector = json.loads(line)
            if "start" in vector and not hasattr(game, "position"):
                continue
            mistake = _first_mistake(vector, game)
            if mistake is not None:
                wrong.append(f"{vector.get('example', 'game')} {vector['seed']}, {mistake}")
    return wrong


def _first_mistake(vector: dict[str, Any], game: Any) -> str | None:
    state = game.position(vector["start"]) if "start" in vector else game.start()
    steps = vector["steps"]
    for number, step in enumerate(steps):
        if step["by"] != "auto":  # that belongs to the move before it
            mistake = _decision(step, state, game)
            if mistake is not None:
                return f"step {number + 1}: {mistake}"
            state = game.play(state, step["move"])
        if number + 1 == len(steps) or steps[number + 1]["by"] != "auto":
            mistake = _position(step, state, game)
            if mistake is not None:
                return f"after step {number + 1}: {mistake}"
    return _end(vector, state, game)


def _decision(step: dict[str, Any], state: Any, game: Any) -> str | None:
    if game.to_move(state) != step["by"]:
        return f"{game.to_move(state)} is to move instead of {step['by']}"
    offered, expected = Counter(game.offered(state)), Counter(step["offered"])
    if offered != expected:
        return f"missing {sorted(expected - offered)}, not allowed {sorted(offered - expected)}"
    if "odds" in step and hasattr(game, "odds"):
        odds = dict(zip(step["offered"], step["odds"], strict=True))
        if game.odds(state) != odds:
            return f"odds {game.odds(state)} instead of {odds}"
    for refused in step.get("refused", ()):
        if hasattr(game, "refusals") and sorted(game.refusals(state, refused["move"])) != refused["clauses"]:
            given = game.refusals(state, refused["move"])
            return f"{refused['move']} is refused by {given} instead of {refused['clauses']}"
    return None


def _position(step: dict[str, Any], state: Any, game: Any) -> str | None:
    if hasattr(game, "values") and state_hash(game.values(state)) != step["state"]:
        return f"another state; the last step should change {step['changes']}"
    for player, expected in step.get("views", {}).items():
        if hasattr(game, "view") and state_hash(game.view(state, player)) != expected:
            return f"{player} sees something else"
    return None


def _end(vector: dict[str, Any], state: Any, game: Any) -> str | None:
    if (game.to_move(state) is None) != vector["over"]:
        return "the game should be over" if vector["over"] else "the game should not be over"
    if vector["over"] and list(game.offered(state)):
        return f"after the end: {list(game.offered(state))} can still be played"
    if game.scores(state) != vector["scores"]:
        return f"at the end: scores {game.scores(state)} instead of {vector['scores']}"
    if sorted(game.winners(state)) != sorted(vector["winners"]):
        return f"at the end: {game.winners(state)} instead of {vector['winners']} won"
    return None


def state_hash(values: Any) -> str:
    """Return the hash of the values of a state: of their JSON, keys sorted, no spaces, in UTF-8, the first 16 digits of SHA-256."""
    text = json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode()).hexdigest()[:16]


if __name__ == "__main__":
    if len(sys.argv) != 3:  # noqa: PLR2004  (its own name, and two words)
        sys.exit("usage: python check_vectors.py VECTORS MODULE")
    checked = import_module(sys.argv[2])
    found = check(Path(sys.argv[1]), checked)
    without = [name for name in OPTIONAL if not hasattr(checked, name)]
    print("\n".join(found) or "no differences")  # noqa: T201  (a program of its own)
    if without:
        print(f"not checked, because your module does not have it: {', '.join(without)}")  # noqa: T201  (the same)
    sys.exit(bool(found))
