"""NetworkCache: the graphs of states, made when a compiled claim first asks for one.

Reads:  the lists of nodes and links that compiled code makes.   Writes: answers to questions about them.
After:  the answer is the evaluator's. A graph is kept while the cells that its network looks at stay as they are, so that
        a play pays for a new one only after a move that changes it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from pilgrim_rules.core.footprint import reads
from pilgrim_rules.core.ir import Game, GraphQuestion
from pilgrim_rules.core.rule_walk import network_expressions
from pilgrim_rules.semantics.errors import EngineLimit
from pilgrim_rules.semantics.state_layout import StateLayout

Codes: TypeAlias = tuple[int, ...]
#: A part of a network: the search for the values of its binders, its ends, whether it joins nodes only.
Part: TypeAlias = tuple[Callable[[bytes], list[Codes]], tuple[Callable[..., Codes], ...], bool]


class NetworkCache:
    """The graphs of the state that was asked about last."""

    __slots__ = ("_fields", "_graphs", "_networks", "_seen", "_state")

    def __init__(self, game: Game, layout: StateLayout) -> None:
        self._networks: tuple[tuple[int, tuple[Part, ...]], ...] = ()
        defs = {each.name: each for each in game.defs}
        looks_at = [reads(network_expressions(each), defs) for each in game.networks]
        self._fields = [[layout.by_name[name] for name in sorted(names)] for names in looks_at]
        self._seen: list[tuple[bytes, ...] | None] = [None] * len(game.networks)
        self._state: list[bytes | None] = [None] * len(game.networks)
        self._graphs: list[dict[Codes, Any]] = [{} for _ in game.networks]

    def use(self, networks: tuple[tuple[int, tuple[Part, ...]], ...]) -> None:
        """Take the functions of the compiled module."""
        self._networks = networks

    def ask(self, none: int, number: int, question: GraphQuestion, state: bytes, index: Codes, *nodes: Codes) -> int:
        """Return the answer to a question; `none` stands for a distance that does not exist."""
        from pilgrim_rules.inputs.graphs.network import (  # noqa: PLC0415  (networkx, which play never needs)
            TooManyWays,
            answer,
            build,
        )

        if state is not self._state[number]:
            self._look_at(number, state)
        graph = self._graphs[number].get(index)
        if graph is None:
            graph = self._graphs[number][index] = build((), ())
        try:
            found = answer(question, graph, nodes)
        except TooManyWays as limit:
            raise EngineLimit(str(limit)) from None
        return none if found is None else found

    def _look_at(self, number: int, state: bytes) -> None:
        """Take the graphs of another state, which may be the same ones."""
        self._state[number] = state
        seen = tuple(state[field.offset : field.end] for field in self._fields[number])
        if seen != self._seen[number]:
            self._seen[number], self._graphs[number] = seen, self._draw(number, state)

    def _draw(self, number: int, state: bytes) -> dict[Codes, Any]:
        """Return the graphs of a network, by the values of its index; those without nodes may be left out."""
        from pilgrim_rules.inputs.graphs.network import build  # noqa: PLC0415

        length, parts = self._networks[number]
        nodes: dict[Codes, list[Codes]] = {}
        links: dict[Codes, list[tuple[Codes, Codes, bool]]] = {}
        for part in parts:
            search, ends, nodes_only = part
            for values in search(state):
                index = values[:length]
                if len(ends) == 1:
                    nodes.setdefault(index, []).append(ends[0](state, *values))
                else:
                    link = (ends[0](state, *values), ends[1](state, *values), nodes_only)
                    links.setdefault(index, []).append(link)
        return {index: build(nodes.get(index, ()), links.get(index, ())) for index in {*nodes, *links}}
