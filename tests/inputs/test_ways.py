"""Distances and components of random graphs, compared with networkx."""

from __future__ import annotations

from random import Random

import networkx as nx
import pytest

from pilgrim_rules.inputs.graphs.graph import GraphData, components, distances


@pytest.mark.parametrize("seed", range(60))
def test_ways_are_those_that_networkx_finds(seed):
    random = Random(seed)
    size = random.randint(1, 30)
    arcs = {(random.randrange(size), random.randrange(size)) for _ in range(random.randint(0, 2 * size))}
    graph = GraphData(tuple(f"n{at}" for at in range(size)), tuple(sorted(arcs)))
    known = nx.DiGraph()
    known.add_nodes_from(range(size))
    known.add_edges_from(arcs)
    lengths = dict(nx.all_pairs_shortest_path_length(known))
    assert tuple(lengths[start].get(to) for start in range(size) for to in range(size)) == distances(graph)
    parts = sorted(nx.weakly_connected_components(known), key=min)
    numbers = {node: number for number, part in enumerate(parts) for node in part}
    assert tuple(numbers[node] for node in range(size)) == components(graph)
