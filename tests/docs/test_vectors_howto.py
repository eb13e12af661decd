"""The checkers that the documents print: they accept a right implementation, and notice each wrong one."""

import json
import runpy
import shutil
import subprocess
from pathlib import Path

import pytest

from pilgrim_rules.api.game import load
from pilgrim_rules.cli.main import run

FOLDER = Path(__file__).parents[2] / "docs" / "howto"
NIM = Path(__file__).with_name("nim.mjs")
node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


class Engine:
    """The engine behind the functions that the checker asks for."""

    def __init__(self, name="pebbles", **words):
        self.game = load(name, **words)

    def start(self):
        return self.game.start()

    def position(self, values):
        whole = json.loads(self.game.start().to_json())
        state = self.game.state_from_json({**whole, "state": values})
        data, _ = self.game.runner.settle(state.data, None, [])
        return self.game.state_from_bytes(data)

    def to_move(self, state):
        return state.to_move

    def offered(self, state):
        return list(state.moves())

    def play(self, state, move):
        return state.play(move)

    def odds(self, state):
        return {str(move): str(chance) for move, chance in state.outcomes()}

    def refusals(self, state, move):
        return {clause for reason in state.why_not(move) for clause in reason.clauses}

    def values(self, state):
        return json.loads(state.to_json())["state"]

    def view(self, state, player):
        return json.loads(state.view(player).to_json())["state"]

    def scores(self, state):
        return {
            player: {"total": str(score.total), "lines": {name: str(each) for name, each in score.parts.items()}}
            for player, score in state.scores().items()
        }

    def winners(self, state):
        return state.winners()


class Forgetful(Engine):
    """Never offers two pebbles at once."""

    def offered(self, state):
        return [move for move in state.moves() if not move.endswith(", 2)")]


class Generous(Engine):
    """Counts a point too many."""

    def scores(self, state):
        found = super().scores(state)
        return {player: {**sheet, "total": str(int(sheet["total"]) + 1)} for player, sheet in found.items()}


class Endless(Engine):
    """Never ends the game."""

    def to_move(self, state):
        return state.to_move or self.game.players[0]


class Lively(Engine):
    """Offers a move after the end."""

    def offered(self, state):
        return list(state.moves()) or ["take(red, 1)"]


class Turncoat(Engine):
    """Has the wrong player to move."""

    def to_move(self, state):
        players = list(self.game.players)
        return players[1 - players.index(state.to_move)] if state.to_move in players else state.to_move


class Partial(Engine):
    """Names the wrong winner."""

    def winners(self, state):
        return [*state.winners(), "nobody"] if state.over else []


def write(tmp_path, capsys, *words):
    run(["vectors", *words])
    (tmp_path / "vectors.jsonl").write_text(capsys.readouterr().out)
    return tmp_path / "vectors.jsonl"


@pytest.fixture
def check(pebbles, tmp_path, capsys):
    vectors = write(tmp_path, capsys, "pebbles", "-n", "3")
    checker = runpy.run_path(str(FOLDER / "check_vectors.py"))
    return lambda game: checker["check"](vectors, game)


def test_the_engine_agrees_with_its_own_vectors(check):
    assert [] == check(Engine())


@pytest.mark.parametrize("name", ["kalah", "kuhn_poker", "watermill"])
def test_what_happens_by_itself_chance_and_secrets_are_compared_too(name, tmp_path, capsys):
    vectors = write(tmp_path, capsys, name, "-n", "2", "--longest", "60")

    assert [] == runpy.run_path(str(FOLDER / "check_vectors.py"))["check"](vectors, Engine(name))


def test_the_positions_of_examples_are_played_on_from(tmp_path, capsys):
    vectors = write(tmp_path, capsys, "pilgrim", "-n", "1", "--longest", "60")
    games = [json.loads(line) for line in vectors.read_text().splitlines()[1:]]

    assert "a_tile_of_the_ring" in {each.get("example") for each in games}
    assert any(refused["clauses"] for each in games for step in each["steps"] for refused in step.get("refused", ()))
    assert [] == runpy.run_path(str(FOLDER / "check_vectors.py"))["check"](vectors, Engine("pilgrim"))


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (Forgetful, "missing ['take(blue, 2)', 'take(red, 2)'], not allowed []"),
        (Generous, "at the end: scores "),
        (Endless, "the game should be over"),
        (Lively, "after the end: ['take(red, 1)'] can still be played"),
        (Turncoat, " is to move instead of "),
        (Partial, "at the end: "),
    ],
)
def test_a_wrong_implementation_is_noticed(check, wrong, says):
    assert says in check(wrong())[0]


@node
def test_an_independent_checker_accepts_nim_written_by_hand_in_another_language(tmp_path, capsys):
    vectors = write(tmp_path, capsys, "nim", "-n", "20")
    done = subprocess.run(
        ["node", FOLDER / "check_vectors.mjs", vectors, NIM], capture_output=True, text=True, check=False
    )

    assert (0, "no differences") == (done.returncode, done.stdout.splitlines()[0]), done.stdout + done.stderr
    assert "not checked, because your module does not have it: odds, view" in done.stdout


@node
@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('if (sticks(after) === 0) after.stage = "over";\n    else ', "", "another state"),
        ('["NIM-3"]', '["NIM-2"]', "is refused by NIM-2 instead of NIM-3"),
        ("at + 1}, ${heap}", "at + 2}, ${heap}", "not allowed"),
        ('export const to_move = (state) => (state.stage === "over" ? null : state.turn);',
         "export const to_move = (state) => state.turn;", "the game should be over"),
        ('won(state, player) ? "1" : "0", lines', '"1", lines', "at the end: scores"),
    ],
)  # fmt: skip
def test_the_independent_checker_notices_what_is_wrong(tmp_path, capsys, old, new, says):
    vectors = write(tmp_path, capsys, "nim", "-n", "3")
    text = NIM.read_text()
    assert old in text
    (tmp_path / "wrong.mjs").write_text(text.replace(old, new))
    done = subprocess.run(
        ["node", FOLDER / "check_vectors.mjs", vectors, tmp_path / "wrong.mjs"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert 1 == done.returncode
    assert says in done.stdout
