"""Small games in the rules language, each with something wrong that play can find."""

from __future__ import annotations

from pathlib import Path

from pilgrim_rules.core.ir import Game
from pilgrim_rules.language.load import read_game

WALK = """\
game walk "A walk"
    players 2..2 named red, blue

ruling stride
    ## How far a long step goes.
    option two "two" default
    option three "three"

stages
    walking by turn
    resting auto
    over nobody

state
    place  : 0..9 = 0
    tired  : 0..3 = 0
    turn   : Player = red

action step
    ## One step on.
    require place < {limit}
        else "that is far enough"
    do
        place += 1
        turn = next(turn)

action leap
    ## A long step on.
    require place < 6
        else "too near the end"
    do
        place += 2 if stride == two else 3
        tired += 1
        stage = resting

auto rest
    ## Nobody leaps without a rest.
    do
        if tired == 3: tired = 0
        turn = next(turn)
        stage = walking

action stop
    require place >= {stop}
        else "it is too early to stop"
    do stage = over

{claims}
"""


def walk(folder: Path, *, limit: int = 9, stop: int = 5, claims: str = "") -> Game:
    """Return a game about a walk, written into a file of the folder."""
    path = folder / "walk.rules"
    path.write_text(WALK.format(limit=limit, stop=stop, claims=claims), "utf-8")
    return read_game(path)


def with_example(folder: Path, example: str) -> Game:
    """Return the game in the folder with an example pasted at its end."""
    path = folder / "walk.rules"
    pasted = folder / "pasted" / "walk.rules"
    pasted.parent.mkdir(exist_ok=True)
    pasted.write_text(path.read_text("utf-8") + "\n" + example, "utf-8")
    return read_game(pasted)
