from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.inputs.graphs.graph import arc_table, opposite
from pilgrim_rules.inputs.graphs.hex_map import load_map

HEX = 'kind = "hex"\n'


@pytest.fixture
def load(tmp_path):
    def load(text):
        path = tmp_path / "map.toml"
        path.write_text(dedent(text))
        bag = Bag()
        return load_map(path, None, bag), [(found.code.id, found.message) for found in bag]

    return load


def good(load, text):
    graph, found = load(text)
    assert [] == found
    return graph


def bad(load, text):
    graph, found = load(text)
    assert graph is None
    return found


def beside(graph, node, side):
    found = graph.beside[graph.nodes.index(node)][graph.sides.index(side)]
    return None if found is None else graph.nodes[found]


def test_a_flat_board_begins_its_sides_at_the_top(load):
    graph = good(load, HEX + "radius = 1")

    assert ("n", "ne", "se", "s", "sw", "nw") == graph.sides
    assert ["b1", "c1", "c2", "b3", "a3", "a2"] == [beside(graph, "b2", side) for side in graph.sides]


def test_a_pointed_board_begins_its_sides_at_the_right_of_the_top(load):
    graph = good(load, HEX + 'orientation = "pointy"\nradius = 1')

    assert ("ne", "e", "se", "sw", "w", "nw") == graph.sides
    assert ["c1", "c2", "b3", "a3", "a2", "b1"] == [beside(graph, "b2", side) for side in graph.sides]


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_sides_are_where_their_names_say(load, orientation):
    """Going clockwise from the first side, neighbours are drawn clockwise around the cell, y downwards."""
    graph = good(load, HEX + f'orientation = "{orientation}"\nradius = 1')
    middle = graph.places[graph.nodes.index("b2")]
    for side in graph.sides:
        x, y = graph.places[graph.nodes.index(beside(graph, "b2", side))]
        right, down = x - middle[0], y - middle[1]
        assert abs(right**2 + down**2 - 3) < 1e-9  # centres of neighbours are √3 radii apart
        assert ("e" in side, "w" in side) == (right > 0.1, right < -0.1)
        assert ("s" in side, "n" in side) == (down > 0.1, down < -0.1)


@pytest.mark.parametrize("form", ["radius = 3", "size = [5, 4]", 'rows = ["##.#", ".###"]\n[legend]\n"#" = {}'])
def test_neighbours_are_mutual_and_at_opposite_sides(load, form):
    graph = good(load, HEX + form)
    back = opposite(6)
    for node, around in enumerate(graph.beside):
        for side, other in enumerate(around):
            assert other is None or graph.beside[other][back[side]] == node
    assert sum(arc_table(graph)) == len(graph.arcs) == sum(to is not None for row in graph.beside for to in row)


def test_a_radius_gives_a_hexagon_of_cells(load):
    assert 91 == len(good(load, HEX + "radius = 5").nodes)


def test_a_size_gives_columns_and_rows(load):
    assert ("a1", "a2", "b1", "b2", "c1", "c2") == good(load, HEX + "size = [3, 2]").nodes


def test_a_drawing_gives_cells_with_the_columns_of_their_letters(load):
    graph = good(
        load,
        """
        kind = "hex"
        rows = [
            "L L .",
            "L W W",
        ]
        [legend]
        L = { terrain = "land" }
        W = { terrain = "sea", deep = true }
        """,
    )

    assert ("a1", "b1", "a2", "b2", "c2") == graph.nodes
    assert {"terrain": ("land",) * 3 + ("sea",) * 2, "deep": (None, None, None, True, True)} == graph.columns


def test_an_entry_without_coordinates_adds_columns_to_a_cell_of_the_short_form(load):
    graph = good(load, HEX + 'size = [2, 1]\n[defaults]\nterrain = "land"\n[[cell]]\nname = "b1"\nterrain = "city"')

    assert ("land", "city") == graph.columns["terrain"]


def test_entries_with_coordinates_make_cells(load):
    graph = good(load, HEX + '[[cell]]\nname = "x"\nq = 4\nr = -2\n[[cell]]\nname = "y"\nq = 4\nr = -1')

    assert "y" == beside(graph, "x", "s")


def test_a_cut_parts_two_neighbours(load):
    graph = good(load, HEX + 'size = [1, 3]\ncut = [["a1", "a2"]]')

    assert ((1, 2), (2, 1)) == graph.arcs


def test_sides_may_have_names_of_their_own(load):
    assert tuple("uvwxyz") == good(load, HEX + 'size = [1, 1]\nsides = ["u", "v", "w", "x", "y", "z"]').sides


PLAIN = """
kind = "graph"
sides = ["n", "e", "s", "w"]
[[node]]
name = "a"
x = 0
y = 0.5
[[node]]
name = "b"
x = 1
y = 2
wet = true
[[link]]
from = "a"
to = "b"
side = "e"
"""


def test_a_plain_graph_has_nodes_links_and_sides(load):
    graph = good(load, PLAIN)

    assert (("a", "b"), ((0, 1), (1, 0))) == (graph.nodes, graph.arcs)
    assert ("b", "a", None) == (beside(graph, "a", "e"), beside(graph, "b", "w"), beside(graph, "a", "n"))
    assert ((0.0, 0.5), (1.0, 2.0)) == graph.places
    assert {"wet": (None, True)} == graph.columns


def test_a_one_way_link_leaves_the_other_side_free(load):
    graph = good(load, PLAIN.replace('kind = "graph"', 'kind = "graph"\ndirected = true'))

    assert ((0, 1),) == graph.arcs
    assert beside(graph, "b", "w") is None


CELL = '[[cell]]\nname = "{}"\nq = {}\nr = {}\n'
MISTAKES = {
    "no kind": ("radius = 1", "PR704", "does not say its `kind`"),
    "an unknown kind": ('kind = "square"', "PR705", "`kind` is none of"),
    "an unknown key": (HEX + "radus = 1\nradius = 1", "PR703", "unknown key `radus`"),
    "two short forms": (HEX + "radius = 1\nsize = [1, 1]", "PR705", "not both `radius` and `size`"),
    "a legend for nothing": (HEX + "radius = 1\n[legend]", "PR704", "there are no `rows`"),
    "a letter without legend": (HEX + 'rows = ["A"]', "PR703", "does not explain `A`"),
    "rows that are no text": (HEX + "rows = [1]", "PR705", "`rows` is not a list of strings"),
    "a legend of words": (HEX + 'rows = ["A"]\nlegend = { A = "land" }', "PR705", "`legend` does not give"),
    "a negative radius": (HEX + "radius = -1", "PR705", "`radius` is not"),
    "a size of one number": (HEX + "size = 4", "PR705", "`size` is not"),
    "a huge radius": (HEX + "radius = 1000000", "PR711", "too many"),
    "a huge size": (HEX + "size = [100000, 100000]", "PR711", "too many"),
    "a huge drawing": (HEX + f"rows = {['A' * 500] * 20}\n[legend]\nA = {{}}", "PR711", "too many"),
    "no cells": (HEX, "PR712", "has no cells"),
    "cells that are no tables": (HEX + "cell = 4", "PR705", "`cell` is not a list of tables"),
    "a cell without name": (HEX + "[[cell]]\nq = 1\nr = 1", "PR704", "no `name`"),
    "a bad label": (HEX + CELL.format("A 1", 0, 0), "PR706", "`A 1` cannot be a label"),
    "a label that is a value": (HEX + CELL.format("none", 0, 0), "PR706", "`none` cannot be a label"),
    "a name given twice": (HEX + CELL.format("a", 0, 0) + CELL.format("a", 0, 1), "PR707", "`a` is given twice"),
    "a place used twice": (HEX + CELL.format("a", 0, 0) + CELL.format("b", 0, 0), "PR708", "two cells at q = 0, r = 0"),
    "no coordinates": (HEX + '[[cell]]\nname = "a"', "PR704", "no whole numbers"),
    "coordinates that are no numbers": (HEX + CELL.format("a", 0.5, 0), "PR704", "no whole numbers"),
    "four sides of a hexagon": (HEX + 'radius = 1\nsides = ["n", "e", "s", "w"]', "PR713", "has 6 sides, not 4"),
    "a side named twice": (HEX + 'radius = 1\nsides = ["a", "a", "b", "c", "d", "e"]', "PR713", "named twice"),
    "sides that are no list": (HEX + "radius = 1\nsides = 6", "PR705", "`sides` is not a list"),
    "a cut of an unknown cell": (HEX + 'radius = 1\ncut = [["a2", "z9"]]', "PR709", "no cell `z9`"),
    "a cut of cells far apart": (HEX + 'radius = 1\ncut = [["a2", "c2"]]', "PR714", "not neighbours"),
    "a cut of three": (HEX + 'radius = 1\ncut = [["a2", "b2", "c2"]]', "PR705", "names two cells"),
    "defaults that are no table": (HEX + "radius = 1\ndefaults = 3", "PR705", "`defaults` is not"),
    "no nodes": ('kind = "graph"', "PR712", "has no nodes"),
    "too many nodes": ('kind = "graph"\n' + "".join(f'[[node]]\nname = "n{i}"\n' for i in range(4097)), "PR711", "4097 nodes"),
    "a link to nowhere": (PLAIN.replace('to = "b"', 'to = "bb"'), "PR709", "no node `bb`"),
    "a link from nowhere": (PLAIN.replace('from = "a"', ""), "PR704", "no `from`"),
    "a link without side": (PLAIN.replace('side = "e"', ""), "PR704", "no `side`"),
    "an unknown side": (PLAIN.replace('side = "e"', 'side = "east"'), "PR709", "no side `east`"),
    "an odd number of sides": (PLAIN.replace(', "w"]', "]"), "PR713", "3 sides have no opposites"),
    "a side taken twice": (PLAIN + '[[node]]\nname = "c"\nx = 1\ny = 1\n[[link]]\nfrom = "a"\nto = "c"\nside = "e"', "PR710", "already has `b`"),
    "a place for one node only": (PLAIN + '[[node]]\nname = "c"', "PR704", "no numbers `x` and `y`"),
    "a direction that is no Boolean": (PLAIN.replace("\n", '\ndirected = "yes"\n', 1), "PR705", "`directed` is not"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "code", "message"), MISTAKES.values(), ids=MISTAKES)
def test_one_mistake_in_a_map_gives_one_message(load, text, code, message):
    ((found_code, found_message),) = bad(load, text)

    assert code == found_code
    assert message in found_message


def test_several_mistakes_give_several_messages(load):
    text = HEX + "colour = 1\n" + CELL.format("A", 0, 0) + CELL.format("b", 0, 0)

    assert ["PR703", "PR706", "PR708"] == [code for code, _ in bad(load, text)]


@given(st.text(max_size=60))
@settings(max_examples=200)
def test_no_text_makes_the_loader_stumble(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_bytes((HEX + text).encode("utf-8", "surrogatepass"))
    bag = Bag()

    assert (load_map(path, None, bag) is None) == bool(bag.errors)
