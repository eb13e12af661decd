"""The games of the zoo: their names, their numbers of players, and instances small enough to be searched."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from pilgrim_rules.core.ir import Game
from pilgrim_rules.language import find_game
from pilgrim_rules.language.load import read_game

SPEC = find_game.shipped()
DATA = Path(__file__).parents[1] / "zoo" / "data"
#: The games of one page.
CLASSICS = tuple(name for name in find_game.names() if len(find_game.find(name)) == 1)

#: Where the shipped instance is too large for an exhaustive search or a quick proof.
SMALL: dict[str, dict[str, Any]] = {"hex": {"map": DATA / "hex_3.toml"}}


def text_of(name: str) -> str:
    """Return the text of a game."""
    return (SPEC / name / find_game.HEAD).read_text(encoding="utf-8")


def seats(name: str) -> range:
    """Return the numbers of players that a game is for; read from its text, so that a test exists even if it is wrong."""
    found = re.search(r"^    players (\d+)\.\.(\d+)", text_of(name), re.MULTILINE)
    assert found is not None, f"{name} does not say how many play"
    return range(int(found[1]), int(found[2]) + 1)


#: Every game with every number of players.
TABLES = tuple((name, players) for name in CLASSICS for players in seats(name))


@cache
def classic(name: str, players: int | None = None) -> Game:
    """Return a game as it is shipped."""
    return read_game(name, players=players)


@cache
def small(name: str, players: int | None = None) -> Game:
    """Return a game in an instance that can be searched completely."""
    return read_game(name, players=players, **SMALL.get(name, {}))


def edition(folder: Path, **values: object) -> Path:
    """Write an edition with these values, and return its file."""
    path = folder / ("_".join(f"{key}{value}" for key, value in values.items()).replace(" ", "") + ".toml")
    path.write_text(
        "\n".join(f'[{key}]\nsource = "stated"\nvalues = {value}\n' for key, value in values.items()), "utf-8"
    )
    return path
