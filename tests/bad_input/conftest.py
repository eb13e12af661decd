"""A small game with everything that a game can have: rules, clauses, an edition and a map."""

import os
import signal

import pytest

CLAUSES = """\
[[clause]]
id = "RUL-1"
section = "Tracks"
kind = "guard"
page = "3"
text = "A track lies on land."

[[clause]]
id = "RUL-2"
section = "Tracks"
kind = "effect"
text = "A track is worth what the ground is."

[[clause]]
id = "RUL-3"
section = "Tracks"
kind = "note"
text = "Tracks are fun."

[[gap]]
id = "GAP-TWICE"
kind = "silence"
clauses = ["RUL-1"]
problem = "May a track lie on a track?"
options = ["never", "often"]
ruling = "Never."
why = "It would be hard to see."

[[waiver]]
clause = ["RUL-3"]
reason = "told elsewhere"
"""
EDITION = """\
[grounds]
source = "stated"
assumed = ["worth"]
rows = [
    { name = "land", worth = 1 },
    { name = "water", worth = 3 },
]

[rounds]
source = "assumed"
values = 2
"""
MAP = """\
kind = "hex"
orientation = "flat"
rows = ["LLL", "LWL"]

[legend]
L = { ground = "land" }
W = { ground = "water" }
"""
RULES = """\
game tracks "Tracks"
    players 2..3 named red, ann, bob
    clauses "clauses.toml"
    edition "edition.toml"

rows Ground from edition.grounds
    worth : 1..5

param rounds : 1..4 from edition.rounds

graph Map of Cell from "map.toml" sides Side
    ground : Ground

ruling twice                                                   cites GAP-TWICE
    option never "one track a cell" default
    option often "as many as you like"

stages
    rolling chance
    laying by turn
    ending auto
    over nobody

state
    road[Cell]     : Player? = none
    hand[Player]   : 0..5 private until over = 3
    points[Player] : 0..30 = 0
    turn           : Player = red
    left           : 0..9 = rounds + 1
    lucky          : 1..3 = 1

chance roll(k: 1..3) during rolling weight k
    do
        lucky = k
        stage = laying

action lay(h: Cell, k: 1..2 = 1)                               cites RUL-1
    ## A track lies on land.
    require h.ground == land else "tracks lie on land"         cites RUL-1
    require road[h] is none or twice == often else "a track lies there"
    require some x in Side: beside(h, x) is some
    at h
    do
        road[h] = turn
        raise points[turn] by k * h.ground.worth, at most 30   cites RUL-2
        turn = next(turn)
        left -= 1
        if left == 0: stage = ending

auto close
    do stage = over

score of p
    line "Points" points[p]
rank p by score desc

invariant modest: all p in Player: points[p] <= 30
step forward: left' <= left
terminates by (left, 3 if stage == rolling else 2 if stage == laying else 1 if stage == ending else 0)

example first                                                  cites RUL-1
    given players == 2
    when roll(2)
    when lay(a1)
    refuse lay(b2) because RUL-1
    expect points[red] == 1

figure map "The map"
    canvas Map
    area h for h in Cell by h.ground
    mark disc at h for h in Cell where road[h] is some by road[h]
"""
FILES = {"tracks.rules": RULES, "clauses.toml": CLAUSES, "edition.toml": EDITION, "map.toml": MAP}


@pytest.fixture(scope="session")
def shelf(tmp_path_factory):
    """Return a folder with the game, which is never damaged."""
    folder = tmp_path_factory.mktemp("tracks")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the game, one file of which is damaged again and again; nothing is kept between runs."""
    made = tmp_path_factory.mktemp("damaged")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PILGRIM_CACHE", "")
        patch.chdir(made)
        yield made


@pytest.fixture(autouse=True)
def soon():
    """Nothing may hang: whatever takes ten minutes is interrupted."""

    def interrupt(*_):
        raise TimeoutError("no answer")

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.alarm(600)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(autouse=True)
def no_debugging():
    assert not os.environ.get("PILGRIM_DEBUG"), "tracebacks were asked for"
