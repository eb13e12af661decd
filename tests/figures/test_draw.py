"""Pictures as SVG: well formed, complete, told apart without colour, and silent about what may not be seen."""

import json
import re
from itertools import combinations
from random import Random
from xml.etree import ElementTree as ET

import pytest

from pilgrim_rules.api.game import load
from pilgrim_rules.core.ir import COLOURS, SHAPES
from pilgrim_rules.figures import draw, shapes
from pilgrim_rules.figures.board import shape_of
from pilgrim_rules.figures.layer_items import changing_items, palette, undrawn_variables
from pilgrim_rules.figures.palette import _COLOURS, _PAPER, Tint
from pilgrim_rules.semantics.errors import UnknownAction
from tests.support.zoo import CLASSICS

SVG = "{http://www.w3.org/2000/svg}"


def parsed(picture):
    return ET.fromstring(picture)


def of_class(picture, wanted):
    return [each for each in parsed(picture).iter() if wanted in (each.get("class") or "").split()]


def said(picture):
    return {each.text for each in parsed(picture).iter(f"{SVG}text")}


@pytest.mark.parametrize("name", CLASSICS)
def test_every_classic_has_a_picture(name):
    state = load(name).start(seed=1)
    root = parsed(state.svg())

    assert f"{SVG}svg" == root.tag
    assert "pr-figure" == root.get("class")
    assert state.game.title in root.find(f"{SVG}title").text
    assert set(state.ascii().splitlines()) <= set(root.find(f"{SVG}desc").text.splitlines())
    assert not re.search(r"nan|inf\b", state.svg())


@pytest.mark.parametrize("name", CLASSICS)
def test_a_picture_shows_every_variable_that_is_not_drawn(name):
    state = load(name).start(seed=1)
    words = " ".join(filter(None, said(state.svg())))

    assert [] == [each.name for each in undrawn_variables(state.game) if each.name.replace("_", " ") not in words]


@pytest.mark.parametrize("name", [name for name in CLASSICS if load(name).core.figures])
def test_states_that_no_play_reaches_can_be_drawn(name):
    """A counterexample to induction is any well-typed state."""
    game, random = load(name), Random(1)
    for _ in range(5):
        cells = [
            random.randint(each.variable.type.lo, each.variable.type.hi)
            for each in game.layout.fields
            for _ in range(each.count)
        ]
        state = game.state_from_bytes(game.layout.encode_flat(cells))
        parsed(state.svg(moves=False))


def test_the_same_state_gives_the_same_picture(tracks):
    assert tracks.start().svg() == load(tracks.instance["name"]).start().svg()


def test_a_picture_needs_nothing_outside_itself(tracks):
    picture = tracks.start().svg()

    assert "http" not in picture.replace("http://www.w3.org/2000/svg", "")
    assert "url(" not in picture
    assert " id=" not in picture, "two pictures on one page must not share names"


def test_a_notebook_shows_a_state_and_a_picture(noughts):
    state = noughts.start()

    assert state.svg() == state._repr_svg_() == state.svg()._repr_svg_()


def test_one_figure_alone_has_no_tables(noughts):
    assert of_class(noughts.start().svg(), "cells")
    assert not of_class(noughts.start().svg(figure="grid"), "cells")


def test_a_figure_that_is_not_there_is_an_error_that_names_the_others(noughts):
    with pytest.raises(KeyError, match="no figure `bord`; it has `grid`"):
        noughts.start().svg(figure="bord")


def test_the_size_is_the_width_and_keeps_the_shape(noughts):
    root = parsed(noughts.start().svg(figure="grid", size=500))
    _, _, width, height = map(float, root.get("viewBox").split())

    assert 500 == float(root.get("width"))
    assert float(root.get("height")) == pytest.approx(500 * height / width, abs=1)


def test_names_of_nodes_can_be_left_out(tracks):
    assert {"b2", "d3"} <= said(tracks.start().svg())
    assert not {"b2", "d3"} & said(tracks.start().svg(labels=False))


# ------------------------------------------------------------------------------------------------------------- places


def test_the_places_of_legal_moves_are_outlined(noughts):
    state = noughts.start().play("place((2, 2))")
    titles = {
        each.find(f"{SVG}title").text for each in of_class(state.svg(), "legal") if each.find(f"{SVG}title") is not None
    }

    assert titles == {str(move) for move in state.moves()}
    assert not of_class(state.svg(moves=False), "legal")


PLACES = """\
game boxes
    players 1..1 named ann

enum Box: left, right

stages
    putting by ann

state
    full[b in Box] : bool = b == right

action put(b: Box, n: 1..3)
    LINES
    do full[b] = true

figure shelf "Shelf"
    canvas Box
    mark disc at b for b in Box where full[b]
"""


@pytest.fixture
def load_text(tmp_path):
    def run(text):
        path = tmp_path / "boxes.rules"
        path.write_text(text)
        return load(path)

    return run


def test_refused_places_are_crossed_with_their_clause(tracks):
    state = tracks.start().play("lay(a1)")
    picture = state.svg(figure="map", cross_out=["lay"])
    crosses = [each for each in of_class(picture, "refused") if each.find(f"{SVG}title") is not None]

    assert {"RUL-2", "RUL-3"} == {each.find(f"{SVG}title").text.partition(":")[0] for each in crosses}
    assert {"RUL-2", "RUL-3"} <= said(picture)
    assert len(state.moves()) - 1 + len(crosses) == 12, "every place is legal or refused"


def test_the_legend_and_the_description_say_why_places_are_refused(tracks):
    picture = tracks.start().play("lay(a1)").svg(figure="map", cross_out=["lay"])
    described = parsed(picture).find(f"{SVG}desc").text

    assert {"refused, RUL-2: tracks lie on land", "refused, RUL-3: a track lies there"} <= said(picture)
    assert "refused, RUL-3: a track lies there: a1" in described.splitlines()
    assert "legal: b1, c1, d1, a2, c2, d2, a3, b3, c3, d3" in described.splitlines()


def test_the_move_nearest_to_being_allowed_says_why_a_place_is_refused(load_text):
    """Two numbers fail for `n = 1`, one for `n = 3`."""
    state = load_text(
        PLACES.replace("LINES", 'require n > 1 else "too few"\n    require not full[b] else "the box is full"')
    ).start()

    assert {"refused, the box is full"} <= said(state.svg(cross_out=["put"]))


def test_an_action_without_a_place_concerns_its_first_argument_that_is_a_node(load_text):
    state = load_text(PLACES.replace("LINES", "require not full[b]")).start()
    outlined = [each for each in of_class(state.svg(), "legal") if each.find(f"{SVG}title") is not None]

    assert ["put(left, 1), put(left, 2), put(left, 3)"] == [each.find(f"{SVG}title").text for each in outlined]


def test_a_refused_move_or_a_node_can_be_crossed_out(tracks):
    by_move = of_class(tracks.start().svg(figure="map", cross_out=["lay(b2)"]), "refused")
    by_node = of_class(tracks.start().svg(figure="map", cross_out=["b2"]), "refused")

    assert {each.get("d") for each in by_move} == {each.get("d") for each in by_node}


def test_a_legal_move_is_not_crossed_out(tracks):
    assert not of_class(tracks.start().svg(figure="map", cross_out=["lay(a1)"]), "refused")


def test_nodes_and_moves_can_be_highlighted(tracks):
    first = of_class(tracks.start().svg(figure="map", highlight=["lay(a1)"]), "chosen")

    assert [each.get("points") for each in first] == [
        each.get("points") for each in of_class(tracks.start().svg(figure="map", highlight=["a1"]), "chosen")
    ]


def test_a_node_of_one_figure_is_no_move_in_another(tracks):
    assert 1 == len(of_class(tracks.start().svg(highlight=["a1"], cross_out=["b2"]), "chosen"))


def test_what_is_neither_a_node_nor_a_move_is_an_error(tracks):
    with pytest.raises(UnknownAction):
        tracks.start().svg(highlight=["z9"])


def test_what_has_changed_is_marked(tracks):
    before = tracks.start()
    picture = before.play("lay(c3)").svg(since=before)
    marked = [each for each in of_class(picture, "changed") if each.tag == f"{SVG}polygon"]

    assert 1 == len(marked)
    assert not of_class(before.svg(), "changed")


# -------------------------------------------------------------------------------------------------- what may not be seen


def counts(state, viewer):
    """Return what a figure shows of each hand."""
    return [item.count for item in changing_items(state, "hands", viewer)]


def test_a_private_cell_is_shown_to_its_owner_alone(tracks):
    state = tracks.start()

    assert ["3", "3"] == counts(state, None)
    assert ["3", "?"] == counts(state, state.view("red").observer)
    assert ["?", "3"] == counts(state, state.view("ann").observer)
    assert ["?", "?"] == counts(state, state.view(None).observer)


def test_the_picture_and_the_text_of_a_view_show_a_question_mark_for_what_is_hidden(tracks):
    state = tracks.start()

    assert ["3", "?"] == re.findall(r">([3?])<", state.view("red").svg(figure="hands").split("<style")[1])
    assert ["?", "?"] == re.findall(r">([3?])<", state.view(None).svg(figure="hands").split("<style")[1])
    assert "R3" in state.view("red").ascii("hands")
    assert "A?" in state.view("red").ascii("hands")
    assert "3" not in state.view(None).ascii("hands").split("Hands")[1]


SECRETS = """\
game secrets "Secrets"
    players 2..2 named ann, bob

stages
    on by turn

state
    turn         : Player = ann
    card[Player] : 1..3 private = 2
    deck[1..2]   : 1..3 hidden = 3

action show(p: Player)
    do turn = p

figure seats "Seats"
    canvas Player
    label card[p] at p for p in Player                      ## a card
    mark star at p for p in Player where card[p] == 2       ## a two
    mark disc at p for p in Player by next(p)
    label deck[1] + card[p] at p for p in Player            ## a sum
    label (sum of card[q] for q in Player) at p for p in Player where p == turn    ## all cards
"""


def test_nothing_hidden_can_be_told_from_what_a_figure_shows(tmp_path):
    """A view of two states that differ only in what the player may not see is the same, to the last item."""
    (tmp_path / "secrets.rules").write_text(SECRETS)
    game = load(tmp_path / "secrets.rules")
    start = json.loads(game.start().to_json())

    def seen(viewer, ann, bob, deck):
        cells = {"card": {"ann": ann, "bob": bob}, "deck": {"1": deck, "2": 1}}
        state = game.state_from_json({**start, "state": {**start["state"], **cells}})
        return changing_items(state, "seats", state.view(viewer).observer)

    for viewer, own in (("ann", "ann"), ("bob", "bob"), (None, "")):
        for mine in (1, 2, 3):
            views = {
                seen(viewer, *((mine, other) if own == "ann" else (other, mine) if own else (other, deck)), deck)
                for other in (1, 2, 3)
                for deck in (1, 2, 3)
            }
            assert 1 == len(views), viewer
    words = [(item.words, item.node) for item in seen("ann", 1, 2, 3) if item.kind == "label"]
    assert [("1", 0), ("?", 1), ("?", 0), ("?", 1), ("?", 0)] == words


def test_a_view_shows_what_has_become_open(tracks):
    state = tracks.start().play("stop")

    assert changing_items(state, "hands") == changing_items(state, "hands", state.view(None).observer)


def test_a_table_shows_a_question_mark_for_a_hidden_card():
    state = load("kuhn_poker").start(seed=1)

    assert "?" in said(state.view("ann").svg())
    assert "?" not in said(state.svg())


# --------------------------------------------------------------------------------------------------------- how it looks


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", COLOURS)
def test_letters_can_be_read_on_every_colour_in_light_and_in_dark(name):
    light, soft, on, dark, dark_soft, dark_on = _COLOURS[name]

    assert contrast(light, on) >= 3.4
    assert contrast(dark, dark_on) >= 3.4
    assert contrast(soft, "#211f1b") >= 7
    assert contrast(dark_soft, "#e6e2d9") >= 4.5


@pytest.mark.parametrize("name", ["legal", "refused"])
def test_outlines_can_be_seen_in_light_and_in_dark(name):
    assert contrast(_PAPER[name][0], _PAPER["cell"][0]) >= 3
    assert contrast(_PAPER[name][1], _PAPER["cell"][1]) >= 3


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_has_a_drawing(shape):
    assert "<path" in shapes.mark(shape, 10, None)


def test_players_are_told_apart_without_colour():
    seats = palette(load("pilgrim", players=4)).seats

    assert ["red", "blue", "green", "yellow"] == [tint.colour for tint in seats]
    for one, other in combinations(seats, 2):
        assert one.letter != other.letter
        assert shapes.dashes(one) != shapes.dashes(other)
        assert shapes.piece(9, one, "3") != shapes.piece(
            9, Tint(other.label, one.colour, other.seat, other.letter), "3"
        )


def test_a_player_named_like_a_colour_has_it_and_a_tint_stands_above_it(tracks):
    assert [("red", "red", "R"), ("ann", "orange", "A")] == [
        (tint.label, tint.colour, tint.letter) for tint in palette(tracks).seats
    ]


def test_roads_meet_at_the_common_side_of_neighbours(tracks):
    figure = tracks.core.figures[0]
    shape = shape_of(figure, labels=True)
    constants = {each.name: each for each in tracks.core.constants}
    cells, sides = figure.canvas.type.size, figure.canvas.sides.size
    # Neighbours by distance: two cells touch if their middles are twice the reach apart.
    met = 0
    for node in range(cells):
        for side in range(sides):
            x, y = shape.side(node, side)
            for other in range(cells):
                if other != node and (x, y) == pytest.approx(shape.side(other, (side + 3) % 6), abs=0.2):
                    met += 1
    assert constants["Map.opposite"].values == (3, 4, 5, 0, 1, 2)
    assert met == 2 * 23, "a board of 3 by 4 has 23 inner sides"


def test_a_layer_is_not_evaluated_again_for_a_state_that_does_not_touch_it(tracks):
    state = tracks.start()

    assert changing_items(state, "map") == changing_items(state.play("stop"), "map")


def test_draw_takes_what_svg_takes(noughts):
    state = noughts.start()

    assert draw(state, moves=False, figure="grid") == state.svg(moves=False, figure="grid")


def test_the_name_of_a_place_stands_on_an_area_that_lies_there():
    picture = str(load("world_without_end").start().svg(figure="projects"))
    area, *names = picture.index('class="area'), *(found.start() for found in re.finditer(">bridge</text>", picture))
    assert any(name > area for name in names)
