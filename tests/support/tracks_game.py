"""A game of our own with a board of hexagons, so that tests of pictures do not depend on the text of a shipped one."""

MAP = """\
kind = "hex"
orientation = "flat"
rows = ["LLLL", "LWLL", "LLLL"]

[legend]
L = { ground = "land" }
W = { ground = "water" }
"""

TRACKS = """\
game tracks "Tracks"
    players 2..2 named red, ann

enum Ground: land, water

graph Map of Cell from "map.toml" sides Side
    ground : Ground

stages
    laying by turn
    over nobody

state
    road[Cell]     : Player? = none
    hand[Player]   : 0..5 private until over = 3
    points[Player] : 0..9 = 0
    turn           : Player = red

action lay(h: Cell)                                            cites RUL-1
    ## A track lies on land.
    require h.ground == land                                   cites RUL-2
        else "tracks lie on land"
    require road[h] is none                                    cites RUL-3
        else "a track lies there"
    at h
    do
        road[h] = turn
        points[turn] += 1
        turn = next(turn)

action stop
    do stage = over

invariant few_points
    ## Nobody scores twice.
    all p in Player: points[p] <= 1

step points_stay: all p in Player: points'[p] >= points[p]

figure map "The map"
    canvas Map
    tint land green, water blue, ann orange
    area h for h in Cell by h.ground
    path h, x, opposite(x) for h in Cell, x in Side where road[h] is some and ord(x) == 1 by road[h]
    mark disc at h for h in Cell where road[h] is some by road[h]    ## a track
    label "west" at a1

figure hands "Hands"
    canvas Player
    pieces hand[p] at p for p in Player by p
"""


def write_tracks(folder):
    """Write the game into a folder and return its rules file."""
    (folder / "map.toml").write_text(MAP)
    (folder / "tracks.rules").write_text(TRACKS)
    return folder / "tracks.rules"
