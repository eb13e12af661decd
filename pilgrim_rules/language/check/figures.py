"""Figures: what pictures show, as written -> the core.

Reads:  figures, through the checker; places of the maps.   Writes: `ir.Figure`s; the node that an action concerns.
After:  every node, side and colour exists, and every node of a canvas has its place.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import cos, pi, sin

from pilgrim_rules.core import ir
from pilgrim_rules.core.smart_constructors import optional
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.inputs.graphs.graph import GraphData
from pilgrim_rules.language.check.coerce import coerced
from pilgrim_rules.language.check.constant import values_of
from pilgrim_rules.language.check.data_and_state import DataAndState
from pilgrim_rules.language.check.program_info import POISON, ProgramInfo
from pilgrim_rules.language.check.scope import CONSTANT, PLAY, Scope
from pilgrim_rules.language.syntax import ast

MOST_NODES = 2000  #: of a canvas; nobody could look at more
_UNIT = 1000  #: places are whole numbers, in thousandths
Places = tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Figures:
    """The lowering of figures. Canvases come first, since actions name nodes of them."""

    tables: DataAndState
    canvases: dict[str, ir.Canvas] = field(default_factory=dict)  #: by the name of the figure

    @property
    def _program(self) -> ProgramInfo:
        return self.tables.program

    def draw_canvases(self) -> None:
        """Lay out what the figures are drawn on."""
        for name, node in self._program.symbols.figures.items():
            made = self._canvas(node.canvas)
            if made is not None:
                self.canvases[name] = made

    def run(self) -> tuple[ir.Figure, ...]:
        """Return all figures whose canvas could be laid out."""
        nodes = self._program.symbols.figures
        return tuple(self._figure(nodes[name], canvas) for name, canvas in self.canvases.items())

    def place(self, node: ast.Expr | None, scope: Scope) -> ir.Expr | None:
        """Return the node of a figure that an action concerns; `scope` is that of its arguments and lets."""
        if node is None:
            return None
        types = {canvas.type.name: canvas.type for canvas in self.canvases.values()}
        pair = next((type_ for type_ in types.values() if type_.kind == "pair"), None)
        expr = self.tables.check.expr(node, scope.allow(PLAY), pair if isinstance(node, ast.Tuple) else None)
        if expr.type == POISON or len(self.canvases) < len(self._program.symbols.figures):
            return None  # why, has been said
        for type_ in types.values():
            made = coerced(self._program, expr, optional(type_) if expr.type.kind == "optional" else type_)
            if made is not None:
                return made
        known = ", ".join(f"`{name}`" for name in types) or "nothing"
        what = f"no figure is drawn on `{expr.type.name}`"
        self._program.bag.add(codes.PR208, what, node.span, help=f"figures show {known}")
        return None

    # canvases ------------------------------------------------------------------------------------------------------

    def _canvas(self, node: ast.Canvas) -> ir.Canvas | None:
        found = self._graph(node.nodes)
        type_, sides = (found[1], found[2]) if found else (self.tables.check.declare.type(node.nodes), None)
        if type_ == POISON:
            return None
        if type_.size > MOST_NODES:
            what = f"`{type_.name}` has {type_.size} values; {MOST_NODES} can be drawn"
            self._program.bag.add(codes.PR303, what, node.nodes.span)
            return None
        data = found[0] if found else None
        outline = "square" if data is None else data.outline
        links = data.arcs if data is not None and outline == "point" else ()
        places = self._at(node, type_) if node.name is not None else _default_places(type_, data)
        return None if places is None else ir.Canvas(type_, outline, places, links, sides)

    def _graph(self, node: ast.TypeExpr) -> tuple[GraphData, ir.Type, ir.Type | None] | None:
        """Return the graph that a canvas names; None if it names a type."""
        return self._program.graphs.get(node.name) if isinstance(node, ast.TypeName) else None

    def _at(self, node: ast.Canvas, type_: ir.Type) -> Places | None:
        """Return the places that the author gives: two numbers for each node."""
        assert node.name is not None, "whoever gives places names the node"
        name = node.name.text
        self.tables.check.shadowing(node.name, Scope(CONSTANT))
        scope = Scope(CONSTANT).bind(name, ir.Bound(name, type_))
        exprs = [self.tables.check.integer(each, scope) for each in node.at]
        if any(each.type == POISON for each in exprs):
            return None
        x, y = (
            values_of(expr, (name,), (type_,), self._program, each.span, looks=True)
            for expr, each in zip(exprs, node.at, strict=True)
        )
        if x is None or y is None:
            return None
        found = tuple((_UNIT * across, _UNIT * down) for across, down in zip(x, y, strict=True))
        if len(set(found)) < len(found):
            self._program.bag.add(
                codes.PR708,
                "two nodes lie at one place",
                Span(node.at[0].span.file, node.at[0].span.start, node.at[1].span.end),
            )
            return None
        return found

    # layers --------------------------------------------------------------------------------------------------------

    def _figure(self, node: ast.Figure, canvas: ir.Canvas) -> ir.Figure:
        layers = tuple(self._layer(line, canvas) for line in node.layers)
        tints = tuple((tint.label.text, tint.colour.text) for tint in node.tints if self._tint(tint))
        title = node.title or node.name.text.replace("_", " ").capitalize()
        return ir.Figure(node.name.text, title, canvas, layers, tints, self._program.note(node))

    def _tint(self, tint: ast.Tint) -> bool:
        known = self._program.labels
        if tint.label.text not in known and tint.label.text not in self._program.player.labels:
            self._program.unknown(tint.label, known, "label")
        elif tint.colour.text not in ir.COLOURS:
            self._program.unknown(tint.colour, ir.COLOURS, "colour")
        else:
            return True
        return False

    def _layer(self, node: ast.Layer, canvas: ir.Canvas) -> ir.Layer:
        check = self.tables.check
        binders, where, scope = check.over(node.binders, node.where, Scope(PLAY))
        first, *sides = node.at
        at = [check.fitted(first, scope, canvas.type)]
        if sides and canvas.sides is None:
            help_ = 'take one that does: `graph Map of Cell from "map.toml" sides Side`'
            self._program.bag.add(codes.PR208, "the canvas has no sides", sides[0].span, help=help_)
        elif canvas.sides is not None:
            at += [check.fitted(side, scope, canvas.sides) for side in sides]
        value = None
        if node.value is not None:
            value = check.integer(node.value, scope) if node.kind == "pieces" else check.expr(node.value, scope)
        shape, text = self._sign(node.sign)
        by = None if node.by is None else self._colour(node.by, scope)
        return ir.Layer(node.kind, binders, where, tuple(at), value, shape, text, by, node.doc)

    def _sign(self, sign: ast.Word | ast.Text | None) -> tuple[str, str]:
        """Return the shape and the text of a mark or label; one of them, or neither."""
        if sign is None or isinstance(sign, ast.Text):
            return "", "" if sign is None else sign.text
        if sign.text not in ir.SHAPES:
            self._program.unknown(sign, ir.SHAPES, "shape")
        return sign.text, ""

    def _colour(self, node: ast.Expr, scope: Scope) -> ir.Expr:
        """Return what colours a layer: something with a label."""
        expr = self.tables.check.expr(node, scope)
        inner = expr.type.parts[0] if expr.type.kind == "optional" else expr.type
        if inner.kind not in ("enum", "bool") and expr.type != POISON:
            help_ = "colour by a player, or by another value with a label"
            self._program.bag.add(codes.PR301, f"`{expr.type.name}` gives no colour", node.span, help=help_)
        return expr


def _default_places(type_: ir.Type, data: GraphData | None) -> Places:
    """Return the places of nodes for which the author gives none: those of the map, a ring, a grid or a row."""
    if data is not None and data.places is not None:
        return tuple((round(_UNIT * x), round(_UNIT * y)) for x, y in data.places)
    if data is not None:
        radius = _UNIT * type_.size / pi
        turns = [2 * pi * at / type_.size for at in range(type_.size)]
        return tuple((round(radius * sin(turn)), round(-radius * cos(turn))) for turn in turns)
    columns = type_.parts[1].size if type_.kind == "pair" else type_.size
    return tuple((_UNIT * (at % columns), _UNIT * (at // columns)) for at in range(type_.size))
