"""Games written out in a test, in the rules language."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent

from pilgrim_rules.core.ir import Game
from pilgrim_rules.loading import read_game
from verifier.prove import Report, verify
from verifier.verdict import Record


def game(text: str, players: int | None = None) -> Game:
    """Return the game that a text describes."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "small.rules"
        path.write_text(dedent(text), "utf-8")
        return read_game(str(path), players=players)


def proved(game: Game, *names: str, **options) -> Report:
    """Settle obligations in this process, with nothing remembered."""
    words = {"jobs": 1, "cache": False, "confirm": False, **options}
    return verify(game, names=names or None, **words)


def record(game: Game, name: str, **options) -> Record:
    """Return what is found of one obligation."""
    (found,) = proved(game, name, **options).records
    return found
