"""Zones in expressions: where a piece is, how many there are, which is on top.

Reads:  surface expressions that name zones, the program, the scope.   Writes: core reads of the tables of zones.
After:  a zone stands for a place, as a domain for what lies in it; of a zone of kinds, for the kinds that it holds.
"""

from __future__ import annotations

from dataclasses import dataclass

from pilgrim_rules.core import ir
from pilgrim_rules.core.smart_constructors import conjunction, equals, lit, number, optional, total
from pilgrim_rules.core.zones import COUNT, POSITION, Zone
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.language.check.operators import Operators
from pilgrim_rules.language.check.program_info import POISON, POISONED, ZoneInfo
from pilgrim_rules.language.check.scope import Scope
from pilgrim_rules.language.check.zone_tables import tables_of
from pilgrim_rules.language.names.draws import draws_of
from pilgrim_rules.language.names.rolls import rolls_of
from pilgrim_rules.language.syntax import ast


@dataclass(slots=True)
class ZoneValues(Operators):
    """The checker of zones."""

    def zone(self, name: str, args: tuple[ast.Arg, ...], node: ast.Node, scope: Scope) -> Zone | None:
        """Return the place that a zone of pieces stands for; None after an error."""
        info = self.program.zones[name]
        place = self.place(info, args, node, scope)
        return None if place.type == POISON else Zone(place, info.codes)

    def zone_named(self, node: ast.Expr, scope: Scope) -> tuple[ZoneInfo, tuple[ast.Arg, ...]] | None:
        """Return the zone that an expression names, and its index; None if it names none."""
        match node:
            case ast.Name(text=text, primed=False) if text in self.program.zones and text not in scope.names:
                return self.program.zones[text], ()
            case ast.Index(base=ast.Name(text=text, primed=False), args=args) if text in self.program.zones:
                return self.program.zones[text], args
            case _:  # anything else is no zone
                return None

    def in_zone(
        self, value: ir.Expr, info: ZoneInfo, args: tuple[ast.Arg, ...], node: ast.Node, scope: Scope
    ) -> ir.Expr:
        """Return the test that a piece lies in a zone, or that a zone holds some of a kind."""
        piece = value if value.type == POISON else self.coerce(value, info.pieces, node.span)
        if POISON in (piece.type, info.pieces):
            return POISONED
        if info.kinds:
            cell = self._held(info, args, piece, node, scope)
            return cell if cell.type == POISON else ir.Apply(">", (cell, lit(0)), ir.BOOL)
        zone = self.zone(info.name, args, node, scope)
        tables = tables_of(self.program, info)
        if zone is None or self.read(ast.Name(tables.place.name, span=node.span), (piece,), scope).type == POISON:
            return POISONED
        return tables.inside(piece, zone.place)

    def _held(
        self,
        info: ZoneInfo,
        args: tuple[ast.Arg, ...],
        kind: ir.Expr,
        node: ast.Node,
        scope: Scope,
        *,
        primed: bool = False,
    ) -> ir.Expr:
        """Return how many of a kind a zone holds."""
        index = self.indices(args, () if info.index is None else (info.index,), info.name, node.span, scope)
        if index is None:
            return POISONED
        return self.read(ast.Name(info.name, primed=primed, span=node.span), (*index, kind), scope)

    # functions -----------------------------------------------------------------------------------------------------

    def _zone_argument(self, node: ast.Call, scope: Scope) -> tuple[ZoneInfo, tuple[ast.Arg, ...]] | None:
        argument = node.args[0] if len(node.args) == 1 else None
        found = None if argument is None or isinstance(argument, ast.NamedArg) else self.zone_named(argument, scope)
        if found is None:
            what = f"`{node.name.text}` wants a zone"
            help_ = f"name one: `{node.name.text}({next(iter(self.program.zones), 'deck')})`"
            self.program.bag.add(codes.PR331, what, node.span, help=help_)
        return found

    def _count(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        """`count(zone)`: how many pieces lie in it."""
        found = self._zone_argument(node, scope)
        if found is None or found[0].pieces == POISON:
            return POISONED
        info, args = found
        if info.kinds:
            kind = ir.Bound("kind", info.pieces)
            cell = self._held(info, args, kind, node, scope, primed=node.primed)
            if cell.type == POISON:
                return POISONED
            most = number(cell.type.lo * info.pieces.size, cell.type.hi * info.pieces.size)
            return ir.Fold("sum", (ir.Binder("kind", info.pieces),), None, cell, None, most)
        zone = self.zone(info.name, args, node, scope)
        if zone is None:
            return POISONED
        return self.read(
            ast.Name(f"{COUNT}{info.pieces.name}", primed=node.primed, span=node.span), (zone.place,), scope
        )

    def _end_of_zone(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        """`top(zone)` and `bottom(zone)`: the last and the first piece of an ordered zone; optional."""
        found = self._zone_argument(node, scope)
        if found is None or not self._has_order(found[0], node):
            return POISONED
        zone = self.zone(found[0].name, found[1], node, scope)
        tables = tables_of(self.program, found[0])
        if zone is None or self.read(ast.Name(tables.place.name, span=node.span), (_PIECE,), scope).type == POISON:
            return POISONED
        piece = ir.Bound("piece", tables.pieces)
        end = tables.number(zone.place) if node.name.text == "top" else lit(1)
        test = conjunction(tables.inside(piece, zone.place), equals(tables.at(piece), end))
        return ir.Pick(ir.Binder("piece", tables.pieces), test, (), optional(tables.pieces))

    def _position(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        """`position(c)`: the place of a piece in the order of its zone, from 1; 0 in a zone without order."""
        argument = node.args[0] if len(node.args) == 1 else None
        piece = POISONED if argument is None or isinstance(argument, ast.NamedArg) else self.expr(argument, scope)
        if piece.type == POISON:
            return POISONED
        table = f"{POSITION}{piece.type.name}"
        if table not in self.program.variables:
            what = f"`{piece.type.name}` has no zone with an order"
            self.program.bag.add(codes.PR331, what, node.span, help="write `ordered` behind the zone that has one")
            return POISONED
        return self.read(ast.Name(table, primed=node.primed, span=node.span), (piece,), scope)

    def _due(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        """`due(zone)`: how many are still to be drawn from a zone, or thrown into a pool."""
        argument = node.args[0] if len(node.args) == 1 else None
        name = argument.text if isinstance(argument, ast.Name) else "…"
        symbols = self.program.symbols
        left = [drawn.many for (source, _), drawn in draws_of(symbols).items() if source == name]
        left += [rolled.many for pool, rolled in rolls_of(symbols).items() if pool == name]
        found = [
            self.read(ast.Name(each, primed=node.primed, span=node.span), (), scope)
            for each in left
            if each in self.program.variables
        ]
        if not found or any(each.type == POISON for each in found):
            if not left:
                help_ = "name a zone that something is drawn from, or a pool that dice are thrown into"
                self.program.bag.add(codes.PR331, "`due` wants what chance draws or throws", node.span, help=help_)
            return POISONED
        return total(found) if len(found) > 1 else found[0]

    def _coming(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        """`coming(zone)`: how many that are still to be drawn go there."""
        found = self._zone_argument(node, scope)
        if found is None or found[0].pieces == POISON:
            return POISONED
        info, args = found
        types = () if info.index is None else (info.index,)
        index = self.indices(args, types, info.name, node.span, scope)
        parts: list[ir.Expr] = []
        for (_, target), drawn in draws_of(self.program.symbols).items():
            if target != info.name or index is None or drawn.many not in self.program.variables:
                continue
            many = self.read(ast.Name(drawn.many, primed=node.primed, span=node.span), (), scope)
            if many.type == POISON:
                return POISONED
            if index:
                which = self.read(
                    ast.Name(drawn.index(drawn.target).text, primed=node.primed, span=node.span), (), scope
                )
                many = ir.Cond(equals(which, index[0]), many, lit(0), many.type)
            parts.append(many)
        return total(parts)

    def _has_order(self, info: ZoneInfo, node: ast.Call) -> bool:
        if info.node.ordered and not info.kinds:
            return True
        help_ = "write `ordered` behind it where it is declared, if the order matters"
        self.program.bag.add(codes.PR331, f"what lies in `{info.name}` has no order", node.span, help=help_)
        return False


_PIECE = ir.Bound("piece", POISON)
