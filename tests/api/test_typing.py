"""Whoever uses the library with mypy in strict mode is told the truth."""

import subprocess
import sys
from pathlib import Path

import pytest

USER = """\
from fractions import Fraction
from pathlib import Path

import pilgrim_rules as pr

game: pr.Game = pr.load("pilgrim", players=3, rulings={"last_leg": "x"}, edition=None, map=None)
state: pr.State = game.start(seed=7)
moves: list[pr.Move] = state.moves()
reasons: list[pr.Refusal] = state.play(moves[0]).why_not("drop(e)")
clause: str | None = reasons[0].clause
scores: dict[str, pr.Score] = state.scores()
total: int | Fraction = scores["red"].total
winners: list[str] = state.winners()
changes: dict[str, tuple[pr.Value, pr.Value]] = state.diff(state)
again: pr.State = pr.State.from_json(state.to_json(indent=1))
picture: str = state.svg(cross_out=["lift"], moves=False)
odds: list[tuple[pr.Move, Fraction]] = state.outcomes()
who: str | None = state.to_move
over: bool = state.over
trace = pr.Trace.start(game, seed=1)
trace.save(Path("x.json"))
replayed: pr.Trace = pr.Trace.load("x.json").replay()
"""


@pytest.mark.slow
def test_a_users_program_is_checked_strictly(tmp_path):
    def checked(text):
        (tmp_path / "user.py").write_text(text)
        command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "user.py"]
        env = {"MYPYPATH": str(Path.cwd())}
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        return done.stdout

    assert "Success: no issues found in 1 source file\n" == checked(USER)
    assert 'incompatible type "int"; expected "str"' in checked(f"{USER}state.play(3)\n")
    assert 'Unexpected keyword argument "colour"' in checked(f"{USER}state.svg(colour=1)\n")
