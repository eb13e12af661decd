"""The boards that people play on: the shipped ones are small, so that all their positions can be searched."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

from pilgrim_rules.api.game import Game, load
from tests.bench.growth import board


def connect_four() -> Game:
    """Return connect four on seven columns with six levels."""
    return _with("connect_four", {"columns": 7, "levels": 6})


def kalah() -> Game:
    """Return Kalah with six houses of four seeds."""
    return _with("kalah", {"houses": 6, "seeds": 4})


def hex_of(size: int) -> Game:
    """Return Hex on a board of this size."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "map.toml")
        path.write_text(board(size))
        return load("hex", map=str(path))


def _with(name: str, numbers: Mapping[str, int]) -> Game:
    tables = [f'[{each}]\nsource = "stated"\nvalues = {value}\n' for each, value in numbers.items()]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "edition.toml")
        path.write_text("\n".join(tables))
        return load(name, edition=str(path))
