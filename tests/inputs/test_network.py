"""Questions to networks, against graphs that can be drawn on a napkin."""

from __future__ import annotations

import pytest

from pilgrim_rules.inputs.graphs.network import TooManyWays, answer, build


def graph(text: str):
    """Return the graph of a text such as `1-2 2-3 4`."""
    nodes, links = [], []
    for part in text.split():
        ends = [(int(end),) for end in part.split("-")]
        nodes += ends
        links += [(ends[0], ends[1], False)] if len(ends) == 2 else []
    return build(nodes, links)


@pytest.mark.parametrize(
    ("text", "question", "nodes", "expected"),
    [
        ("", "nodes", [], 0),
        ("1-2 2-3 4", "nodes", [], 4),
        ("1-2 2-3 4", "links", [], 2),
        ("1-2 2-1", "links", [], 1),
        ("1-1", "links", [], 1),
        ("1-2 2-3 4", "components", [], 2),
        ("1-2 2-3 4", "is_forest", [], 1),
        ("1-2 2-3 3-1", "is_forest", [], 0),
        ("1-1", "is_forest", [], 0),
        ("1-2", "has", [1], 1),
        ("1-2", "has", [3], 0),
        ("1-2 1-3", "degree", [1], 2),
        ("1-1", "degree", [1], 2),
        ("1", "degree", [7], 0),
        ("1-2 2-3 4", "reach", [1], 3),
        ("1-2", "reach", [9], 0),
        ("1-2 2-3", "is_path", [2], 1),
        ("1", "is_path", [1], 1),
        ("1-2 2-3 2-4", "is_path", [1], 0),
        ("1-2 2-3 3-1", "is_path", [1], 0),
        ("1", "is_path", [2], 0),
        ("1-1", "is_path", [1], 0),
        ("1-2 2-3", "linked", [2, 1], 1),
        ("1-2 2-3", "linked", [1, 3], 0),
        ("1-2 2-3", "connected", [1, 3], 1),
        ("1-2 3", "connected", [1, 3], 0),
        ("1", "connected", [1, 1], 1),
        ("1", "connected", [2, 2], 0),
        ("1-2 2-3 3-4 1-4", "distance", [1, 3], 2),
        ("1", "distance", [1, 1], 0),
        ("1 2", "distance", [1, 2], None),
        ("", "longest", [], 0),
        ("1", "longest", [], 0),
        ("1-1", "longest", [], 1),
        ("1-2 2-3 4-5", "longest", [], 2),
        ("1-2 2-3 2-4 4-5", "longest", [], 3),  # a tree
        ("1-2 2-3 3-1", "longest", [], 3),  # round and back
        ("1-2 2-3 3-1 3-4", "longest", [], 4),  # in by the tail, and round
        ("1-2 2-3 3-1 1-4 2-5 3-6", "longest", [], 4),  # in by a tail, and round or out by another
        ("1-2 1-3 1-4 2-3 2-4 3-4", "longest", [], 5),  # all four nodes are odd
        ("1-4 1-5 1-6 2-4 2-5 2-6 3-4 3-5 3-6", "longest", [], 7),  # K3,3: two pairs of odd nodes are left
    ],
)
def test_a_question_has_the_answer_one_sees(text, question, nodes, expected):
    assert expected == answer(question, graph(text), [(node,) for node in nodes])


def test_a_longest_way_that_takes_too_long_to_find_is_refused():
    """On a grid of six times six there are more ways than anybody tries."""
    grid = [(row, column) for row in range(6) for column in range(6)]
    links = [((r, c), to, False) for r, c in grid for to in ((r + 1, c), (r, c + 1)) if to in grid]

    with pytest.raises(TooManyWays, match="60 links"):
        answer("longest", build(grid, links), [])


def test_a_link_between_nodes_only_needs_both():
    both = build([(1,), (2,)], [((1,), (2,), True), ((2,), (3,), True)])
    any_ = build([(1,)], [((1,), (3,), False)])

    assert [((1,), (2,))] == list(both.graph.edges)
    assert [((1,), (3,))] == list(any_.graph.edges)
