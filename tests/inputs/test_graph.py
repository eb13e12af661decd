import pytest

from pilgrim_rules.inputs.graphs.graph import GraphData, arc_table, components, distances, opposite, written


def test_an_undirected_graph_has_both_arcs_of_each_edge():
    graph = written(("a", "b", "c"), [(0, 1), (1, 2)], directed=False)

    assert ((0, 1), (1, 0), (1, 2), (2, 1)) == graph.arcs


def test_a_directed_graph_has_each_arc_once():
    assert ((0, 1), (1, 2)) == written(("a", "b", "c"), [(1, 2), (0, 1), (0, 1)], directed=True).arcs


def test_leads_is_the_table_of_arcs():
    graph = written(("a", "b"), [(0, 1)], directed=True)

    assert (False, True, False, False) == arc_table(graph)


def test_distances_follow_the_arcs_and_are_none_without_a_way():
    graph = written(("a", "b", "c"), [(0, 1), (1, 2)], directed=True)

    assert (0, 1, 2, None, 0, 1, None, None, 0) == distances(graph)


def test_components_are_numbered_in_the_order_of_nodes():
    graph = written(("a", "b", "c", "d"), [(3, 1)], directed=True)

    assert (0, 1, 2, 1) == components(graph)


def test_the_opposite_of_a_side_is_half_a_turn_away():
    assert (3, 4, 5, 0, 1, 2) == opposite(6)
    assert () == opposite(0)


def test_an_odd_number_of_sides_has_no_opposites():
    with pytest.raises(ValueError, match="5 sides"):
        opposite(5)


def test_a_graph_can_be_a_key():
    assert {GraphData(("a",), (), columns={"terrain": ("land",)}): 1}
