"""Columns of a map's nodes, such as the terrain of a cell, as codes.

Reads:  raw columns of `GraphData`, and the type the rules give them.   Writes: flat tables, node by node.
After:  every code lies in its type; where the map says nothing, a Boolean is false and an optional value none.
"""

from __future__ import annotations

from pilgrim_rules.core.ir import Type
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.codes import PR722, Code
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.inputs.data.toml_places import KeyPath
from pilgrim_rules.inputs.data.value_codes import missing_value, table_of
from pilgrim_rules.inputs.graphs.graph import GraphData


def column_of(
    graph: GraphData, name: str, index: tuple[Type, ...], type_: Type, span: Span | None, bag: Bag
) -> tuple[int, ...] | None:
    """Return the codes of a column over (node, *index), flat and row-major; `span` is the place that asks for it."""
    if name not in graph.columns:
        bag.add(PR722, f"the map has no column `{name}`", span, help=did_you_mean(name, graph.columns))
        return None
    found: list[tuple[int, ...] | None] = []
    for node, raw in zip(graph.nodes, graph.columns[name], strict=True):
        if raw is None:
            found.append(missing_value(index, type_))
            if found[-1] is None:
                bag.add(PR722, f"`{node}` of the map has no `{name}`", span)
            continue

        def report(code: Code, message: str, _: KeyPath, help_: str | None, node: str = node) -> None:
            bag.add(code, f"`{name}` of `{node}` in the map: {message}", span, help=help_)

        found.append(table_of(raw, index, type_, report))
    return None if None in found else tuple(code for codes in found for code in codes or ())
