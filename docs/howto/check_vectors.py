"""Check an implementation of a game against conformance vectors.

    python check_vectors.py vectors.jsonl my_game

`my_game` is a module with four functions of yours: `start()` returns the first state, `offered(state)` the moves that
may be made in it, as text, `play(state, move)` the state after one of them and after whatever then happens by itself, and
`scores(state)` the points of each player by name, as text. Nothing else is asked of it.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any


def check(vectors: Path, game: Any) -> list[str]:
    """Return what is wrong, one line a mistake; a game is left at its first mistake."""
    wrong: list[str] = []
    with vectors.open(encoding="utf-8") as lines:
        next(lines)  # the first line says which game it is
        for line in lines:
            vector = json.loads(line)
            mistake = _first_mistake(vector, game)
            if mistake is not None:
                wrong.append(f"game {vector['seed']}, {mistake}")
    return wrong


def _first_mistake(vector: dict[str, Any], game: Any) -> str | None:
    state = game.start()
    for number, step in enumerate(vector["steps"], 1):
        if step["by"] == "auto":
            continue  # it belongs to the move before it
        offered, expected = set(game.offered(state)), set(step["offered"])
        if offered != expected:
            missing, extra = sorted(expected - offered), sorted(offered - expected)
            return f"step {number}: missing {missing}, not allowed {extra}"
        state = game.play(state, step["move"])
    scores = game.scores(state)
    return None if scores == vector["scores"] else f"at the end: {scores} instead of {vector['scores']}"


if __name__ == "__main__":
    if len(sys.argv) != 3:  # noqa: PLR2004  (its own name, and two words)
        sys.exit("usage: python check_vectors.py VECTORS MODULE")
    found = check(Path(sys.argv[1]), import_module(sys.argv[2]))
    print("\n".join(found) or "no differences")  # noqa: T201  (a program of its own)
    sys.exit(bool(found))
