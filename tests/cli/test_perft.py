"""`pilgrim perft`: counts that others have published, and the table in the documents."""

import csv
import json
from pathlib import Path

import pytest

from pilgrim_rules import load
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.engine.bulk_play import perft
from pilgrim_rules.engine.machines.choose import machines
from pilgrim_rules.language import find_game

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "perft.rst"
MOST = 20_000  #: plays that a test counts


def rows():
    """Return the lines of the table: game, where it begins, counts."""
    lines = [line.strip() for line in PAGE.read_text().splitlines() if line.startswith("   ``")]
    for name, begin, *counts in csv.reader(lines, skipinitialspace=True):
        yield name.strip("`"), begin.strip("`"), [int(count) for count in counts]


def test_the_table_has_every_shipped_game():
    assert set(find_game.names()) == {name for name, _, _ in rows()}


@pytest.mark.parametrize(("name", "begin", "counts"), list(rows()))
def test_the_table_in_the_documents_is_right(name, begin, counts, capsys):
    depth = max((at for at, count in enumerate(counts, 1) if count <= MOST), default=1)
    place = () if begin == "the start" else ("--from", begin)

    assert Exit.OK == run(["perft", name, str(depth), *place])

    expected = [f"{at:>3}  {count:,}" for at, count in enumerate(counts[:depth], 1)]
    assert expected == capsys.readouterr().out.splitlines()


def test_noughts_and_crosses_has_the_published_number_of_games():
    """Of the 255,168 games, 127,872 last nine decisions; nobody can make a tenth."""
    game = load("noughts_and_crosses")

    assert [148_176, 200_448, 127_872, 0] == [game.perft(depth) for depth in (7, 8, 9, 10)]


@pytest.mark.parametrize("name", ["kalah", "pig", "auction"])
def test_python_counts_the_same(name):
    code = load(name).code

    python, wasm = (perft(code, machines(code, wasm=wasm)(), 4) for wasm in (False, True))

    assert python == wasm


def test_json_names_the_rules(capsys):
    run(["perft", "nim", "2", "--format", "json"])
    found = json.loads(capsys.readouterr().out)

    assert [12, 113] == found["plays"]
    assert load("nim").fingerprint == found["rules"]


def test_an_example_that_does_not_exist_is_refused(capsys):
    assert Exit.BAD_INPUT == run(["perft", "nim", "2", "--from", "nothing"])
    assert "has no example `nothing`" in capsys.readouterr().err
