"""Pilgrim for two, three and four players, loaded once; positions on the table of the worked examples."""

import json
from functools import cache

import pytest

import pilgrim_rules as pr

DUTIES = {
    "north": "produce",
    "northeast": "allocation",
    "east": "clerical",
    "southeast": "build_roads",
    "south": "taxation",
    "southwest": "ordination",
    "west": "give_alms",
    "northwest": "construct",
}
COUNTERS = {
    "north": "stone",
    "northeast": "coin",
    "east": "grain",
    "southeast": "grain",
    "south": None,
    "southwest": "stone",
    "west": "cornucopia",
    "northwest": "coin",
}


@cache
def load(players):
    return pr.load("pilgrim", players=players)


@pytest.fixture(scope="session", params=[2, 3, 4], ids="{} players".format)
def pilgrim(request):
    """The game, for each number of players."""
    return load(request.param)


@pytest.fixture(scope="session")
def pilgrim3():
    return load(3)


@pytest.fixture(scope="session")
def pilgrim4():
    return load(4)


@pytest.fixture
def table(pilgrim4):
    """Return a function that arranges a position of four players, Red to choose; places are written `at.red.north`."""

    def arrange(stage="choosing", **changes):
        data = json.loads(pilgrim4.start(seed=0).to_json())
        state = data["state"]
        state |= {"stage": stage, "active": "red", "starter": "red", "hand": 0, "seats_done": 0}
        state |= {"duty": DUTIES, "point_of": {duty: point for point, duty in DUTIES.items()}}
        state |= {"counter": COUNTERS, "merchant": "south"}
        for player in pilgrim4.players:
            state["at"][player] = dict.fromkeys(state["at"][player], 0) | {"city": 5}
        for path, value in changes.items():
            *way, last = path.split("__")
            place = state
            for step in way:
                place = place[step]
            assert last in place, f"there is no {path}"
            place[last] = value
        return pilgrim4.state_from_json(data)

    return arrange
