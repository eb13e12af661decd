"""The checker that the documents print: it accepts the engine itself, and notices a wrong one."""

import runpy
from pathlib import Path

import pytest

from pilgrim_rules.cli.main import run
from pilgrim_rules.engine.game import load

CHECKER = Path(__file__).parents[2] / "docs" / "howto" / "check_vectors.py"


class Engine:
    """The engine behind the four functions that the checker asks for."""

    def __init__(self, name="pebbles"):
        self.game = load(name)

    def start(self):
        return self.game.start()

    def offered(self, state):
        return state.moves()

    def play(self, state, move):
        return state.play(move)

    def scores(self, state):
        return {player: str(score.total) for player, score in state.scores().items()}


class Forgetful(Engine):
    """An implementation that never offers two pebbles at once."""

    def offered(self, state):
        return [move for move in state.moves() if not move.endswith(", 2)")]


class Generous(Engine):
    """An implementation that counts a point too many."""

    def scores(self, state):
        return {player: str(score.total + 1) for player, score in state.scores().items()}


@pytest.fixture
def check(pebbles, tmp_path, capsys):
    run(["vectors", "pebbles", "-n", "3"])
    (tmp_path / "vectors.jsonl").write_text(capsys.readouterr().out)
    checker = runpy.run_path(str(CHECKER))
    return lambda game: checker["check"](tmp_path / "vectors.jsonl", game)


def test_the_engine_agrees_with_its_own_vectors(check):
    assert [] == check(Engine())


@pytest.mark.parametrize("name", ["kalah", "pilgrim"])
def test_what_happens_by_itself_is_part_of_the_move_before_it(name, tmp_path, capsys):
    run(["vectors", name, "-n", "1", "--longest", "120"])
    (tmp_path / "vectors.jsonl").write_text(capsys.readouterr().out)

    assert '"by": "auto"' in (tmp_path / "vectors.jsonl").read_text()
    assert [] == runpy.run_path(str(CHECKER))["check"](tmp_path / "vectors.jsonl", Engine(name))


def test_a_move_that_is_missing_is_named(check):
    assert "game 0, step 2: missing ['take(blue, 2)', 'take(red, 2)'], not allowed []" == check(Forgetful())[0]


def test_a_wrong_score_is_noticed(check):
    assert "game 0, at the end: " in check(Generous())[0]
