"""Plain graphs from TOML: nodes, links, and sides if the author names them.

Reads:  a map file of kind `graph`.   Writes: `GraphData`, or diagnostics.
After:  every link joins known nodes; a side of a node has at most one neighbour, and the two sides of a link are
        opposite to each other.

    kind = "graph"
    directed = false                                   # the default
    sides = ["n", "e", "s", "w"]                       # clockwise, an even number; may be left out

    [[node]]
    name = "gate"                                      # further keys are columns; x and y say where it is drawn

    [[link]]
    from = "gate"
    to = "mill"
    side = "e"                                         # the side of `from`; needed if the graph has sides
"""

from __future__ import annotations

from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.codes import PR704, PR705, PR709, PR710
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.inputs.data.toml_file import Document, Table, check_keys
from pilgrim_rules.inputs.data.toml_places import KeyPath
from pilgrim_rules.inputs.graphs.graph import GraphData, opposite
from pilgrim_rules.inputs.graphs.map_parts import columns_of, names_of, sides_of, size_is_right

_KEYS = frozenset({"kind", "note", "directed", "sides", "defaults", "node", "link"})
_LINK_KEYS = frozenset({"from", "to", "side"})
_OWN = frozenset({"name", "x", "y"})


def load_plain(document: Document, bag: Bag) -> GraphData | None:
    """Load a map of kind `graph`."""
    check_keys(document, (), document.data, _KEYS, bag)
    sides = sides_of(document, (), None, bag)
    directed = document.data.get("directed", False)
    defaults = document.data.get("defaults", {})
    if not isinstance(directed, bool) or not isinstance(defaults, dict):
        key = "defaults" if isinstance(directed, bool) else "directed"
        bag.add(PR705, f"`{key}` is not {'a table' if key == 'defaults' else 'true or false'}", document.span(key))
        return None
    entries = [(path, {**defaults, **table}) for path, table in document.tables("node", bag)]
    if sides is None or not size_is_right(document, "nodes", len(entries), bag):
        return None
    names = names_of(document, entries, bag)
    if names is None:
        return None
    links = _Links(document, names, sides, directed, bag)
    for path, table in document.tables("link", bag):
        links.add(path, table)
    return GraphData(
        nodes=tuple(names),
        arcs=tuple(sorted(links.arcs)),
        sides=sides,
        beside=tuple(map(tuple, links.beside)) if sides else (),
        columns=columns_of(document, entries, _OWN, bag),
        places=_places(document, entries, bag),
    )


def _places(
    document: Document, entries: list[tuple[KeyPath, Table]], bag: Bag
) -> tuple[tuple[float, float], ...] | None:
    """Return where the nodes are drawn, if every one says so."""
    if not any({"x", "y"} & table.keys() for _, table in entries):
        return None
    found: list[tuple[float, float]] = []
    for path, table in entries:
        x, y = table.get("x"), table.get("y")
        if isinstance(x, (int, float)) and isinstance(y, (int, float)):
            found.append((float(x), float(y)))
        else:
            help_ = "either every node has `x` and `y`, or none has"
            bag.add(PR704, "this node has no numbers `x` and `y`", document.span(*path), help=help_)
    return tuple(found)


class _Links:
    """Collects the arcs, and what lies beside what."""

    def __init__(self, document: Document, names: list[str], sides: tuple[str, ...], directed: bool, bag: Bag) -> None:  # noqa: FBT001
        self.document = document
        self.names = names
        self.number = {name: node for node, name in enumerate(names)}
        self.sides = sides
        self.opposite = opposite(len(sides))
        self.directed = directed
        self.bag = bag
        self.arcs: set[tuple[int, int]] = set()
        self.beside: list[list[int | None]] = [[None] * len(sides) for _ in names]

    def add(self, path: KeyPath, link: Table) -> None:
        check_keys(self.document, path, link, _LINK_KEYS, self.bag)
        start = self._node(path, link, "from")
        to = self._node(path, link, "to")
        side = self._side(path, link)
        if start is None or to is None:
            return
        self.arcs.add((start, to))
        if not self.directed:
            self.arcs.add((to, start))
        if side is not None and self._agrees(path, start, side, to):
            self.beside[start][side] = to
            if not self.directed:
                self.beside[to][self.opposite[side]] = start

    def _node(self, path: KeyPath, link: Table, key: str) -> int | None:
        name = link.get(key)
        if name is None:
            self.bag.add(PR704, f"this link has no `{key}`", self.document.span(*path))
            return None
        if not isinstance(name, str) or name not in self.number:
            help_ = did_you_mean(str(name), self.names)
            self.bag.add(PR709, f"there is no node `{name}`", self.document.span(*path, key), help=help_)
            return None
        return self.number[name]

    def _side(self, path: KeyPath, link: Table) -> int | None:
        side = link.get("side")
        if isinstance(side, str) and side in self.sides:
            return self.sides.index(side)
        if side is not None:
            help_ = did_you_mean(str(side), self.sides) or "the map's list `sides` names the sides"
            self.bag.add(PR709, f"there is no side `{side}`", self.document.span(*path, "side"), help=help_)
        elif self.sides:
            help_ = "say at which side of `from` the node `to` lies"
            self.bag.add(PR704, "this link has no `side`", self.document.span(*path), help=help_)
        return None

    def _agrees(self, path: KeyPath, start: int, side: int, to: int) -> bool:
        """Tell whether both ends are free, or already joined to each other."""
        for node, at, other in ((start, side, to), (to, self.opposite[side], start)):
            there = self.beside[node][at]
            if there is not None and there != other:
                said = f"side `{self.sides[at]}` of `{self.names[node]}` already has `{self.names[there]}`"
                self.bag.add(PR710, f"{said}, so it cannot have `{self.names[other]}`", self.document.span(*path))
                return False
        return True
