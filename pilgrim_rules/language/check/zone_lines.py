"""Lines about zones: a piece is moved, everything is moved, something is drawn.

Reads:  surface statements that name zones, through the checker.   Writes: written lines that stand for plain ones.
After:  whatever is moved leaves one zone of a list for another of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from pilgrim_rules.core import ir
from pilgrim_rules.core.zones import Moves, Zone, drawing_stage
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.language.check.data_and_state import DataAndState
from pilgrim_rules.language.check.program_info import POISON, ProgramInfo, ZoneInfo
from pilgrim_rules.language.check.scope import Scope
from pilgrim_rules.language.check.zone_tables import tables_of
from pilgrim_rules.language.names.draws import draws_of
from pilgrim_rules.language.names.rolls import rolls_of
from pilgrim_rules.language.syntax import ast


class KeySource(Protocol):
    """Where the identities of lines come from."""

    def next(self, kind: str) -> str:
        """Return the identity of the next line of a kind."""
        ...


class Blocks(Protocol):
    """Whoever lowers lines that stand inside others."""

    tables: DataAndState

    def inner(self, nodes: tuple[ast.Stmt, ...], scope: Scope, owner: str) -> tuple[ir.WrittenStmt, ...]:
        """Return the lines that a line stands for."""
        ...


@dataclass(frozen=True, slots=True)
class ZoneLines:
    """The lowering of one line."""

    blocks: Blocks
    scope: Scope
    keys: KeySource
    clauses: tuple[str, ...]

    @property
    def _program(self) -> ProgramInfo:
        return self.blocks.tables.program

    def about(self, place: ast.AssignTarget) -> bool:
        """Tell whether a line is about a zone: one of pieces, or all that one of kinds holds."""
        info = self._program.zones.get(place.name.text)
        return info is not None and (not info.kinds or len(place.args) == (info.index is not None))

    def move(self, node: ast.TransferStmt) -> list[ir.WrittenStmt]:
        """Return the line that moves a piece, or all pieces."""
        ends = self._ends(node.source, node.target)
        if ends is None:
            return []
        source, target = ends
        whole = isinstance(node.amount, ast.Name) and node.amount.text == "all" and "all" not in self.scope.names
        if source.kinds:
            return self._all_kinds(node, source, target) if whole else self._no_number(node, source, target)
        leaves, arrives = self._place(node.source), self._place(node.target)
        if leaves is None or arrives is None:
            return []
        tables = tables_of(self._program, source)
        key = self.keys.next("do")
        moves = Moves(tables, key, self.clauses, node.span)
        ordered = target.node.ordered
        if node.up_to or (node.at is not None and not ordered):
            return self._wrong(
                node, f"what lies in `{target.name}` has no position" if node.at else "a piece is moved whole"
            )
        if whole:
            if ordered and not source.node.ordered:
                return self._wrong(
                    node, f"the pieces of `{source.name}` have no order, those of `{target.name}` need one"
                )
            return [
                self._short(
                    "move_all", (leaves.place, arrives.place), tuple(moves.everything(leaves, arrives)), key, node
                )
            ]
        piece = self.blocks.tables.check.fitted(node.amount, self.scope, source.pieces)
        if piece.type == POISON:
            return []
        at = None if node.at is None else self._position(node.at)
        lines = tuple(moves.one(piece, leaves, arrives, at))
        parts = (piece, leaves.place, arrives.place)
        return [
            self._short("move", parts, lines, key, node)
            if at is None
            else self._short("move_at", (*parts, at), lines, key, node)
        ]

    def chance(self, node: ast.DrawStmt | ast.RollStmt) -> list[ir.WrittenStmt]:
        """Return the line that begins the sub-turn in which chance draws or throws."""
        amount = self.blocks.tables.check.integer(node.amount, self.scope)
        if amount.type == POISON:
            return []
        if amount.type.lo < 0:
            return self._wrong(node, "this can be less than nothing")
        return self._draw(node, amount) if isinstance(node, ast.DrawStmt) else self._roll(node, amount)

    def _draw(self, node: ast.DrawStmt, amount: ir.Expr) -> list[ir.WrittenStmt]:
        ends = self._ends(node.source, node.target)
        drawn = draws_of(self._program.symbols).get((node.source.name.text, node.target.name.text))
        if ends is None or drawn is None:
            return []
        span = node.span
        there = drawn.number(drawn.source)
        if drawn.source.refill is not None:
            pile = self._program.symbols.zones[drawn.source.refill.text]
            there = ast.Binary("+", there, drawn.number(pile), span=span)
        most = ast.Call(ast.Word("min", span=span), (node.amount, there), span=span)
        ends_named = ((drawn.source, node.source), (drawn.target, node.target))
        which = [self._remember(drawn.index(zone), place) for zone, place in ends_named if zone.index and place.args]
        key = self.keys.next("do")
        parts = tuple(self._said(place, info) for place, info in zip((node.source, node.target), ends, strict=True))
        lines = self._begin(node, which, (drawn.many, most), drawn.refill(node), drawing_stage(drawn.name), key)
        return [self._short("draw", (amount, *parts), lines, key, node)]

    def _roll(self, node: ast.RollStmt, amount: ir.Expr) -> list[ir.WrittenStmt]:
        name = node.target.name
        rolled = rolls_of(self._program.symbols).get(name.text)
        pool = self._program.variables.get(name.text)
        if rolled is None or pool is None or pool.type.kind != "int" or len(node.target.args) != len(pool.index) - 1:
            help_ = "a pool is a table of numbers of faces: `pool[Face] : 0..5`; name it without the face"
            self._program.bag.add(codes.PR331, f"`{name.text}` is no pool of dice", node.target.span, help=help_)
            return []
        whose = ast.Name(rolled.whose, span=node.span)
        which = [self._remember(whose, node.target)] if node.target.args else []
        key = self.keys.next("do")
        lines = self._begin(node, which, (rolled.many, node.amount), (), rolled.stage, key, sure=amount.type.lo > 0)
        index = self.blocks.tables.check.indices(node.target.args, pool.index[:-1], pool.name, node.span, self.scope)
        face = ir.Bound("face", pool.index[-1])
        return (
            []
            if index is None
            else [self._short("roll", (amount, ir.Read(pool.name, (*index, face), pool.type)), lines, key, node)]
        )

    def _begin(
        self, node: ast.DrawStmt | ast.RollStmt, which: list[ast.Assign], many: tuple[str, ast.Expr],
        refill: tuple[ast.Stmt, ...], stage: str, key: str, *, sure: bool = False,
    ) -> tuple[ir.WrittenStmt, ...]:  # fmt: skip
        """Return the lines that say how many there are to be, and begin the sub-turn if there is one at all."""
        span = node.span
        cited = tuple(ast.Word(clause, span=span) for clause in self.clauses)
        left = ast.AssignTarget(ast.Word(many[0], span=span), (), span=span)
        first = ast.StmtLine((*which, ast.Assign(left, "=", many[1], ghost=False, span=span)), cited, span=span)
        some = ast.Binary(">", ast.Name(many[0], span=span), ast.Number(0, span=span), span=span)
        call = ast.StmtLine((ast.CallStage(ast.Name(stage, span=span), node.then, span=span),), cited, span=span)
        if isinstance(node, ast.RollStmt) and sure:
            return self.blocks.inner((first, call), self.scope, key)
        skip: tuple[ast.Stmt, ...] = ()
        if node.then is not None:
            on = ast.AssignTarget(ast.Word("stage", span=span), (), span=span)
            skip = (ast.StmtLine((ast.Assign(on, "=", node.then, ghost=False, span=span),), (), span=span),)
        begin = ast.IfStmt(some, (*refill, call), skip, span=span)
        return self.blocks.inner((first, begin), self.scope, key)

    # parts ---------------------------------------------------------------------------------------------------------

    def _ends(self, source: ast.AssignTarget, target: ast.AssignTarget) -> tuple[ZoneInfo, ZoneInfo] | None:
        """Return the two zones, which must belong to one list."""
        found = []
        for place in (source, target):
            info = self._program.zones.get(place.name.text)
            if info is None:
                self._program.unknown(place.name, self._program.zones, "zone")
                return None
            found.append(info)
        one, other = found
        if one.place != other.place or one.kinds != other.kinds:
            help_ = "the places of one kind of piece stand in one list"
            what = f"nothing that lies in `{one.name}` can lie in `{other.name}`"
            self._program.bag.add(codes.PR331, what, target.span, help=help_)
            return None
        return None if POISON in (one.pieces, other.pieces) else (one, other)

    def _place(self, place: ast.AssignTarget) -> Zone | None:
        return self.blocks.tables.check.zone(place.name.text, place.args, place, self.scope)

    def _said(self, place: ast.AssignTarget, info: ZoneInfo) -> ir.Expr:
        """Return the zone that a line names, as it is shown."""
        return self.blocks.tables.check.place(info, place.args, place, self.scope)

    def _position(self, node: ast.Expr) -> ir.Expr | None:
        at = self.blocks.tables.check.integer(node, self.scope)
        if at.type != POISON and at.type.lo < 1:
            self._program.bag.add(codes.PR331, "positions are counted from 1", node.span)
        return at

    def _remember(self, cell: ast.Name, place: ast.AssignTarget) -> ast.Assign:
        """Return the line that remembers which zone of several is meant."""
        index = place.args[0]
        value = index.value if isinstance(index, ast.NamedArg) else index
        where = ast.AssignTarget(ast.Word(cell.text, span=place.span), (), span=place.span)
        return ast.Assign(where, "=", value, ghost=False, span=place.span)

    def _all_kinds(self, node: ast.TransferStmt, source: ZoneInfo, target: ZoneInfo) -> list[ir.WrittenStmt]:
        """Return the line that moves all of each kind from one zone to another."""
        check = self.blocks.tables.check
        key = self.keys.next("do")
        kind = ir.Bound("kind", source.pieces)
        cells: list[ir.Read] = []
        for place, info in ((node.source, source), (node.target, target)):
            types = () if info.index is None else (info.index,)
            index = check.indices(place.args, types, info.name, place.span, self.scope)
            if index is None:
                return []
            cells.append(ir.Read(info.name, (*index, kind), self._program.variables[info.name].type))
        moved = ir.Transfer(cells[0], cells[0], cells[1], False, f"{key}.kind", self.clauses, span=node.span)
        loop = ir.ForLine(ir.Binder("kind", kind.type), None, (moved,), simultaneous=True, span=node.span)
        parts = self._said(node.source, source), self._said(node.target, target)
        return [self._short("move_all", parts, (loop,), key, node)]

    def _short(
        self,
        name: ir.ShortName,
        parts: tuple[ir.Expr, ...],
        lines: tuple[ir.WrittenStmt, ...],
        key: str,
        node: ast.Node,
    ) -> ir.Shorthand:
        return ir.Shorthand(name, parts, lines, key, self.clauses, span=node.span)

    def _no_number(self, node: ast.TransferStmt, source: ZoneInfo, target: ZoneInfo) -> list[ir.WrittenStmt]:
        kind = node.amount.text if isinstance(node.amount, ast.Name) else "k"
        ends = [f"{info.name}[{'' if info.index is None else '…, '}{kind}]" for info in (source, target)]
        help_ = f"the zones hold numbers of kinds: `move 1 from {ends[0]} to {ends[1]}`, or `move all from …`"
        self._program.bag.add(codes.PR331, "say how many of which kind", node.span, help=help_)
        return []

    def _wrong(self, node: ast.Node, what: str) -> list[ir.WrittenStmt]:
        self._program.bag.add(codes.PR331, what, node.span)
        return []
