"""What `figure` and `at` mean, and what is said about a mistake in them."""

import pytest

from pilgrim_rules.core.fingerprint import game_fingerprint
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.language.load import read_game
from pilgrim_rules.language.syntax.format import format_source

FRAME = """\
game small
    players 2..2 named red, blue

enum Spot: left, right
type Square = 1..2 * 1..3

graph Way over Spot
    left -> right

stages
    playing by turn
    over nobody

state
    turn       : Player
    on[Square] : Player?
    at[Spot]   : 0..3

"""
FINISH = "action finish\n    during playing\n    do stage = over\n"


@pytest.fixture
def game(tmp_path):
    def load(text, rest=FINISH):
        path = tmp_path / "small.rules"
        path.write_text(FRAME + text + "\n" + rest, encoding="utf-8")
        return read_game(path)

    return load


@pytest.fixture
def mistakes(game):
    def load(text, rest=FINISH):
        with pytest.raises(RulesError) as refusal:
            game(text, rest)
        return [(found.code.id, found.message) for found in refusal.value.diagnostics]

    return load


def canvas(loaded):
    return loaded.figures[0].canvas


def test_labels_lie_in_a_row(game):
    assert ((0, 0), (1000, 0)) == canvas(game("figure a\n    canvas Spot\n    area left\n")).places


def test_pairs_lie_in_rows_and_columns_the_first_part_running_down(game):
    places = canvas(game("figure a\n    canvas Square\n    area s for s in Square\n")).places

    assert ((0, 0), (1000, 0), (2000, 0), (0, 1000), (1000, 1000), (2000, 1000)) == places


def test_numbers_can_be_a_canvas(game):
    made = game("figure a\n    canvas 0..3\n    mark disc at at[left]\n")

    assert 4 == len(canvas(made).places)


def test_the_author_may_say_where_nodes_lie(game):
    places = canvas(game("figure a\n    canvas s in Square at s.1, 5 - s.2\n    area s for s in Square\n")).places

    assert ((1000, 4000), (1000, 3000), (1000, 2000), (2000, 4000), (2000, 3000), (2000, 2000)) == places


def test_a_graph_brings_its_links(game):
    made = canvas(game("figure a\n    canvas Way\n    area left\n"))

    assert ("point", ((0, 1),)) == (made.outline, made.links)


def test_a_layer_says_what_it_shows_and_why_it_is_there(game):
    made = game(
        "figure a\n    canvas Square\n    tint red green\n"
        "    mark disc at s for s in Square where on[s] is some by on[s]  ## a stone\n"
        '    label "here" at (1, 2)\n    pieces at[left] at (1, 1) where at[left] > 0\n'
    ).figures[0]
    first, second, third = made.layers

    assert (("red", "green"),) == made.tints
    assert ("mark", "disc", "a stone") == (first.kind, first.shape, first.says)
    assert ("label", "here", None) == (second.kind, second.text, second.value)
    assert ("pieces", (), False) == (third.kind, third.binders, third.where is None)


def test_the_title_is_made_of_the_name_if_there_is_none(game):
    assert "The board" == game("figure the_board\n    canvas Spot\n    area left\n").figures[0].title


def test_an_action_names_the_node_it_concerns(game):
    text = "figure a\n    canvas Square\n    area s for s in Square\n"
    action = "action put(s: Square)\n    during playing\n    at s\n    do stage = over\n"

    assert "Square" == game(text, action).actions[0].place.type.name


def test_at_is_still_a_name(game):
    action = "action put\n    during playing\n    do\n        at[left] = 1\n        stage = over\n"

    assert "at" == game("", action).actions[0].body[0].variable


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("    canvas Spt\n    area left\n", ("PR204", "unknown type `Spt`")),
        ("    canvas Spot\n    mark disk at left\n", ("PR201", "unknown shape `disk`")),
        ("    canvas Spot\n    area left\n    tint red crimson\n", ("PR201", "unknown colour `crimson`")),
        ("    canvas Spot\n    area left\n    tint up red\n", ("PR201", "unknown label `up`")),
        ("    canvas Spot\n    edge left, 1\n", ("PR208", "the canvas has no sides")),
        ("    canvas Spot\n    area left by at[left]\n", ("PR301", "`0..3` gives no colour")),
        ("    canvas Spot\n    area on[(1, 1)]\n", ("PR301", "this is `Player?`, but `Spot` is wanted")),
        (
            "    canvas Square\n    area s for s in Square by on[s].1\n",
            ("PR306", "this may be `none`, but `Player` is wanted"),
        ),
        ("    canvas s in Spot at 0, 0\n    area left\n", ("PR708", "two nodes lie at one place")),
        ("    canvas 1..9999\n    area 1\n", ("PR303", "`1..9999` has 9999 values; 2000 can be drawn")),
        ("    area left\n", ("PR110", "`area` is not expected here")),
    ],
)
def test_a_mistake_in_a_figure_is_named(mistakes, text, expected):
    assert [expected] == mistakes(f"figure a\n{text}")


def test_a_place_that_no_figure_shows_is_a_mistake(mistakes):
    action = "action put(s: Square)\n    during playing\n    at s\n    do stage = over\n"

    assert [("PR208", "no figure is drawn on `Square`")] == mistakes(
        "figure a\n    canvas Spot\n    area left\n", action
    )


def test_two_figures_have_two_names(mistakes):
    one = "figure a\n    canvas Spot\n    area left\n\n"

    assert [("PR202", "`a` is declared twice")] == mistakes(one + one)


def test_the_layout_of_a_figure_is_canonical():
    text = 'figure a   "A"\n  canvas s in Square at s.1,s.2\n  mark disc at s for s in Square   where on[s] is some by  on[s]\n'

    assert (
        'figure a "A"\n    canvas s in Square at s.1, s.2\n'
        "    mark disc at s for s in Square where on[s] is some by on[s]\n"
    ) == format_source(text, "a.rules")


def test_a_figure_changes_no_fingerprint(tracks_file, tmp_path):
    """Not even one that looks into a table of the map which no rule looks into."""
    text = tracks_file.read_text()
    (tmp_path / "map.toml").write_text((tracks_file.parent / "map.toml").read_text())
    (tmp_path / "plain.rules").write_text(text.split("\nfigure ")[0].replace("    at h\n", ""))

    assert game_fingerprint(read_game(tracks_file)) == game_fingerprint(read_game(tmp_path / "plain.rules"))
