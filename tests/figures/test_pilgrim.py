"""Pilgrim's figures: the map, the duties and the tracks."""

from xml.etree import ElementTree as ET

import pytest

from pilgrim_rules.api.game import load
from pilgrim_rules.figures.layer_items import changing_items, fixed_items

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def game():
    return load("pilgrim", players=4)


@pytest.fixture(scope="module")
def state(game):
    return game.start(seed=7)


def test_it_has_a_map_the_duties_tracks_boards_and_buildings(game):
    found = {figure.name: len(figure.canvas.places) for figure in game.core.figures}
    seats = len(game.players)

    assert {
        "map": 91,
        "duties": 9,
        "rounds": 26,
        "piety": 13,
        "alms": 8,
        "stores": 3 * seats,
        "activities": 6 * seats,
        "people": 3 * seats,
        "buildings": 24,
        "favours": 6,
    } == found


def test_the_map_shows_every_hex_with_its_terrain(game):
    areas = [item for item in fixed_items(game, "map") if item.kind == "area"]

    assert 91 == len(areas)
    assert {"land", "river", "urban", "port"} == {item.tint.label for item in areas}


def test_the_map_shows_sites_buildings_and_the_ship(state):
    found = [(item.kind, item.shape) for item in changing_items(state, "map")]

    assert 4 == found.count(("mark", "star"))
    assert 1 == found.count(("mark", "ship"))
    assert 12 == found.count(("label", ""))


def test_a_road_is_a_way_in_the_colour_of_its_owner(game):
    state = game.start(seed=7)
    codes = game.layout.decode(state.data)
    route, cell = game.layout.by_name["road"].variable.type, game.core.figures[0].canvas.type.labels.index("d4")
    shape = game.layout.by_name["tile"].variable.type.labels.index("way_25")
    codes["tile"][cell] = shape
    for side in (2, 5):
        codes["road"][cell * 6 + side] = route.parts[0].lo  # the first route of the first player
    laid = game.state_from_bytes(game.layout.encode(codes))
    ways = [item for item in changing_items(laid, "map") if item.kind == "path"]

    assert [(cell, (2, 5), "red")] == [(item.node, item.sides, item.tint.label) for item in ways]
    assert "path: d4 to_se–to_nw red" in laid.ascii("map")


def test_the_next_area_is_outlined_while_acolytes_are_sown(state):
    root = ET.fromstring(state.svg(figure="duties"))
    outlined = [each for each in root.iter() if each.get("class") == "legal" and each.find(f"{SVG}title") is not None]

    assert {str(move) for move in state.moves()} == {each.find(f"{SVG}title").text for each in outlined}


def test_a_picture_of_everything_is_well_formed_and_not_too_large(state):
    picture = state.svg()

    assert f"{SVG}svg" == ET.fromstring(picture).tag
    assert len(picture) < 100_000
