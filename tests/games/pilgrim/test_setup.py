"""Set-up: what is dealt, and the pictured layout for a first game."""

import pytest

import pilgrim_rules as pr


@pytest.fixture(scope="module")
def pictured():
    return pr.load("pilgrim", players=3, options={"layout": "pictured"})


def around_the_ring(state):
    """Return what lies on the 26 hexes of the rim, from the north-west site clockwise."""
    home = state["ship"]
    found = ["-"] * 26
    for building, space in state["spot"].items():
        if space is not None:
            found[(space - home) % 26] = building
    for quarter in state["roll"]:
        found[(state.ask("site_space", quarter) - home) % 26] = quarter
    return found


@pytest.mark.covers("FST-1", "FST-2", "SET-18", "SET-22", "SET-26", "EX-BLD-1")
def test_the_pictured_layout_is_set_up_as_described(pictured):
    state = pictured.start(seed=4)
    row = around_the_ring(state)

    assert ["nw", "-", "well", "quarry", "chapel", "mint", "-", "ne"] == row[:8]
    assert ["-", "brewery", "grain_store", "stone_yard", "indulgences", "se"] == row[8:14]
    assert ["-", "bank", "mill", "pulpit", "wagon_yard", "-", "sw"] == row[14:21]
    assert ["produce", "allocation", "clerical", "build_roads", "taxation"] == list(state["duty"].values())[:5]


@pytest.mark.covers("FST-3", "SET-7", "SET-8", "SET-9")
def test_also_in_a_first_game_the_tithe_counters_are_random(pictured):
    dealt = [pictured.start(seed=seed)["counter"] for seed in range(6)]

    assert all(counters["south"] is None for counters in dealt)
    assert 1 < len({tuple(counters.values()) for counters in dealt})


@pytest.mark.covers("FST-2", "GAP-SEASON-EQUAL")
def test_seasons_of_the_pictured_layout_last_7_6_7_and_6_rounds(pictured):
    row = around_the_ring(pictured.start(seed=0))
    starts = [row.index(quarter) for quarter in ("nw", "ne", "se", "sw")]

    assert [7, 6, 7, 6] == [(after - before) % 26 for before, after in zip(starts, [*starts[1:], 26], strict=True)]


@pytest.mark.covers("SET-4", "SET-5", "SET-10", "SET-11", "SET-12", "SET-17", "SET-19", "SET-21", "SET-23", "SET-25")
@pytest.mark.parametrize("seed", range(8))
def test_a_shuffled_set_up_has_everything_once(pilgrim, seed):
    state = pilgrim.start(seed=seed)
    row = around_the_ring(state)
    buildings = [each for each in row if each not in ("-", "nw", "ne", "se", "sw")]

    assert 8 == len(set(state["duty"].values()))
    assert 4 == len(set(state["site"].values()))
    assert 12 == len(buildings)
    assert [1] * 4 + [2] * 4 + [3] * 4 == [level(pilgrim, each) for each in buildings]


@pytest.mark.covers("SET-18", "SET-20", "SET-22", "SET-24", "SET-26", "SET-27", "GAP-CLEAR-HEX", "GAP-GREEN-WRAP")
@pytest.mark.parametrize("seed", range(20))
def test_one_hex_is_clear_before_each_level(pilgrim3, seed):
    row = around_the_ring(pilgrim3.start(seed=seed))
    without_sites = [each for each in row if each not in ("nw", "ne", "se", "sw")]
    levels = [0 if each == "-" else level(pilgrim3, each) for each in without_sites]

    assert [0, 1, 1, 1, 1, 0] == levels[:6]
    assert 0 == levels[levels.index(2) - 1] == levels[levels.index(3) - 1]


@pytest.mark.covers("SET-45", "DUM-2", "DUM-3", "DUM-4", "DUM-5")
def test_dummies_stand_in_two_opposite_groups(pilgrim):
    tiles = [point for point, count in pilgrim.start(seed=0)["at", "dummy"].items() if count]

    assert {
        2: ["north", "northeast", "east", "south", "southwest", "west"],
        3: ["north", "northeast", "south", "southwest"],
        4: [],
    }[len(pilgrim.players)] == tiles


@pytest.mark.covers("INV-SEED-SIX", "SED-4", "SED-5", "SED-6", "SED-7", "SED-8", "SED-9")
def test_there_are_exactly_six_seedings(pilgrim3):
    open_ = [(pilgrim3.start(seed=0), ())]
    done = set()
    while open_:
        state, path = open_.pop()
        if len(path) == 5:
            done.add(path)
            continue
        open_ += [(state.play(move), (*path, *move.arguments)) for move in state.moves()]

    assert {
        ("north", "northeast", "east", "southeast", "south"),
        ("north", "northeast", "east", "city", "north"),
        ("north", "northeast", "east", "city", "south"),
        ("south", "southwest", "west", "northwest", "north"),
        ("south", "southwest", "west", "city", "north"),
        ("south", "southwest", "west", "city", "south"),
    } == done


def level(game, building):
    column = next(each for each in game.core.constants if each.name == "Building.level")
    labels = next(each.labels for each in game.core.types if each.name == "Building")
    return column.values[labels.index(building)]
