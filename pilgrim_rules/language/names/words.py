"""Words: which names a declaration brings into the game, binds for itself, and uses.

Reads:  surface syntax trees.   Writes: names with their places.
After:  every name in a tree is among its words, once for each place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.language.syntax import ast


def declared(node: ast.Declaration) -> Iterator[tuple[str, ast.Word, str]]:
    """Yield what a declaration brings into the game: its own name, labels, stages, columns, options."""
    match node:
        case ast.Import() | ast.TermDecl() | ast.Score() | ast.Rank() | ast.Use():
            return
        case ast.Stages(lines=lines):
            for line in lines:
                for stage in line.names:
                    yield "stage", stage.name, line.doc
        case ast.StateBlock(variables=variables):
            if node.named:
                yield "block", node.name, node.doc
            for variable in variables:
                yield "variable", variable.name, variable.doc
        case ast.Zones(lines=zones):
            for zone in zones:
                yield "zone", zone.name, zone.doc
        case ast.Game(seats=seats, automata=automata):
            yield "game", node.name, node.doc
            for seat in (*seats, *(name for each in automata for name in each.names)):
                yield "player", seat, ""
        case ast.Module(takes=takes):
            for taken in takes:
                yield taken.kind, taken.name, taken.doc
        case _:  # a declaration with a name of its own, and perhaps parts
            yield type(node).__name__.lower().removesuffix("decl"), node.name, node.doc
            yield from _parts(node)


def _parts(node: ast.Declaration) -> Iterator[tuple[str, ast.Word, str]]:
    match node:
        case ast.Enum(labels=labels):
            for label in labels:
                yield "label", label, ""
        case ast.Rows(columns=columns, rows=rows):
            for column in columns:
                yield "column", column.name, column.doc
            for row in rows:
                yield "row", row.name, row.doc
        case ast.Graph(columns=columns, of=of, edges=edges, sides=sides, arcs=arcs):
            for name in (of, edges, sides):
                if name is not None:
                    yield "type", name, ""
            places = (place for line in arcs for places in line.groups for place in places)
            for place in {place.text: place for place in places}.values():
                yield "node", place, ""
            for column in columns:
                yield "column", column.name, column.doc
        case ast.Ruling(options=options, refused=refused):
            for option in (*options, *refused):
                yield "option", option.name, option.text
        case _:  # the others have no parts that can be named from outside
            return


def bound(node: object) -> Iterator[ast.Word]:
    """Yield the names that a declaration binds for itself."""
    for each in nodes(node):
        match each:
            case ast.Parameter(name=name) | ast.LetLine(name=name) | ast.LetStmt(name=name) | ast.Binder(name=name):
                yield name
            case ast.IndexItem(name=ast.Word() as name) | ast.StageRef(value=ast.Word() as name):
                yield name
            case ast.Sight(viewer=ast.Word() as name):
                yield name
            case ast.Purse(player=name) | ast.Score(name=name) | ast.Rank(name=name):
                yield name
            case _:  # binds nothing
                continue


def words(node: object) -> Iterator[tuple[str, Span]]:
    """Yield every name in a declaration with its place."""
    for each in nodes(node):
        match each:
            case ast.Word(text=text) | ast.Name(text=text) | ast.TypeName(name=text):
                yield text, each.span
            case _:  # its parts are looked at too
                continue


def nodes(node: object) -> Iterator[ast.Node]:
    """Yield a node and everything below it."""
    if isinstance(node, tuple):
        for each in node:
            yield from nodes(each)
    elif isinstance(node, ast.Node) and is_dataclass(node):
        yield node
        for field in fields(node):
            if field.name != "span":
                yield from nodes(getattr(node, field.name))
