"""Figures in plain characters: nodes where they lie, and in words what they hold."""

from textwrap import dedent

from pilgrim_rules.api.game import load
from pilgrim_rules.figures import board_text, picture_text
from pilgrim_rules.figures.layer_items import changing_items, fixed_items


def test_a_grid_has_its_marks_where_they_are(noughts):
    state = noughts.start().play("place((2, 2))", "place((1, 3))")

    assert state.ascii() == dedent("""\
        Noughts and crosses: playing, cross to move

        The grid
        . . N
        . C .
        . . .
        cross: (2, 2) cross
        ring: (1, 3) nought

        C cross, N nought""")


def test_hexagons_are_slanted_as_on_the_board():
    state = load("hex").start().play("place(a1)", "place(e5)")

    assert state.ascii("board").splitlines()[2:9] == [
        "The board",
        "R . . . .",
        " . . . . .",
        "  . . . . .",
        "   . . . . .",
        "    . . . . B",
        "disc: a1 red, e5 blue",
    ]


def test_points_lie_as_the_author_says():
    state = load("pong_hau_ki").start()

    assert state.ascii().splitlines()[3:6] == ["R B", " .", "B R"]


def test_ways_are_said_with_their_sides(tracks):
    state = tracks.start().play("lay(a1)")

    assert "path: a1 ne–sw red" in state.ascii("map")
    assert "a track: a1 red" in state.ascii("map")


def test_a_game_without_figures_is_shown_as_tables():
    text = load("pig").start(seed=1).ascii()

    assert "banked  0    0" in text
    assert "pot    0" in text


def test_a_terminal_gets_the_figures_alone(noughts):
    assert board_text(noughts.start()).startswith("The grid\n. . .\n")
    assert not board_text(load("pig").start(seed=1))


def test_nodes_that_hold_several_things_are_written_out():
    text = load("pilgrim", players=2).start(seed=5).ascii("duties").splitlines()

    assert ["northwest   north        northeast", "allocation  clerical     produce"] == text[3:5]


def test_a_row_of_nodes_has_their_names_above_it():
    assert ["left  middle  right", "3     4       5"] == load("nim").start().ascii().splitlines()[3:5]


def test_letters_of_areas_and_signs_are_explained():
    lines = load("pilgrim", players=2).start(seed=5).ascii("map").splitlines()

    assert "p port, l land, r river, u urban" in lines
    assert any(line.startswith("* pilgrimage site: ") for line in lines)


def test_a_terminal_that_has_shown_the_position_gets_what_is_new():
    before = load("pilgrim", players=2).start(seed=5)
    after = before.play(before.moves()[0])

    assert board_text(after, since=before).startswith("Duties\n")
    assert not board_text(before, since=before)


def test_every_item_of_the_state_is_said(tracks):
    """Whatever the picture shows of the state, the text names it with its node."""
    state = tracks.start().play("lay(a1)", "lay(c2)", "lay(d3)")
    text = picture_text(state, figure="map")
    canvas = tracks.core.figures[0].canvas

    assert fixed_items(tracks, "map")
    for item in changing_items(state, "map"):
        assert any(canvas.type.labels[item.node] in line for line in text.splitlines() if ":" in line)
