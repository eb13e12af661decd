"""The graph of all states: as a text for Graphviz.

Reads:  a core game.   Writes: a directed graph, a node for each reachable state and an arrow for each step.
After:  the graph is whole: a game with more states than allowed raises `CannotExport`.
"""

from __future__ import annotations

from typing import Final

from pilgrim_rules.core.ir import Game
from pilgrim_rules.core.values import show
from pilgrim_rules.export.names import CannotExport
from pilgrim_rules.semantics.effects import cell_name
from pilgrim_rules.semantics.moves import MoveBook
from pilgrim_rules.semantics.reference import Reference

MOST_STATES: Final = 5_000

Key = tuple[tuple[int, ...], ...]


def dot(game: Game, most: int = MOST_STATES) -> str:
    """Return the graph; a node says in which stage it is and which cells differ from the start."""
    reference, book = Reference.from_game(game), MoveBook(game)
    names = [variable.name for variable in game.variables]
    first = reference.start()
    numbers: dict[Key, int] = {}
    nodes: list[str] = []
    arrows: list[str] = []

    def number(position: dict[str, list[int]]) -> int:
        key = tuple(tuple(position[name]) for name in names)
        if key not in numbers:
            if len(numbers) == most:
                raise CannotExport(f"{game.title} has more than {most:,} states, too many to draw")
            numbers[key] = len(numbers)
            queue.append(position)
            nodes.append(f'  {numbers[key]} [label="{_quoted(label(position))}"{_shape(reference, position)}];')
        return numbers[key]

    def label(position: dict[str, list[int]]) -> str:
        lines = [reference.stage(position).name]
        for variable in game.variables:
            for at, (code, begun) in enumerate(zip(position[variable.name], first[variable.name], strict=True)):
                if code != begun and variable.name != "stage":
                    lines.append(f"{cell_name(reference.declared, variable.name, at)} = {show(variable.type, code)}")
        return "\n".join(lines)

    queue: list[dict[str, list[int]]] = []
    number(first)
    for here, position in enumerate(queue):  # grows while it is walked
        for at, action in enumerate(game.actions):
            for args in reference.legal(position, action):
                if action.kind == "chance" and not reference.weight(position, action, args):
                    continue
                after = number(reference.apply(position, action, args))
                arrows.append(f'  {here} -> {after} [label="{_quoted(str(book.move((at, args))))}"];')
    head = f'digraph "{_quoted(game.title)}" {{\n  node [shape=box, fontname="sans-serif"];'
    return "\n".join([head, *nodes, *arrows, "}"]) + "\n"


def _shape(reference: Reference, position: dict[str, list[int]]) -> str:
    match reference.stage(position).kind:
        case "nobody":
            return ", peripheries=2"
        case "chance":
            return ", shape=diamond"
        case "auto":
            return ", style=dashed"
        case "player":
            return ""


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
