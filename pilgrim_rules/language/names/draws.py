"""Draws: the stage and the action by which chance draws from a zone, declared as if the author had written them.

Reads:  the lines `draw … from … to …` of a game, and its zones.   Writes: stages and actions of the symbol table.
After:  for each pair of zones between which something is drawn there is a sub-turn of chance, which draws one piece at a
        time, each as likely as any other, until as many are drawn as were asked for; an empty zone is refilled first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pilgrim_rules.core.zones import LEFT, SOURCE, TARGET, draw_action, drawing_stage
from pilgrim_rules.language.names.order import rule_parts
from pilgrim_rules.language.names.symbols import Symbols
from pilgrim_rules.language.syntax import ast


@dataclass(frozen=True, slots=True)
class DrawnZones:
    """Two zones between which something is drawn.

    name  of the source, with that of the target where the source is drawn from to several zones.
    """

    name: str
    source: ast.ZoneLine
    target: ast.ZoneLine
    zones: ast.Zones

    @property
    def many(self) -> str:
        """The variable that says how many are still to be drawn."""
        return f"{LEFT}{self.name}"

    def place(self, zone: ast.ZoneLine, *more: ast.Expr) -> ast.AssignTarget:
        """Return a zone as a line names it; which of several is remembered."""
        index = (self.index(zone),) if zone.index else ()
        return ast.AssignTarget(zone.name, (*index, *more), span=zone.span)

    def index(self, zone: ast.ZoneLine) -> ast.Name:
        """Return the variable that remembers which zone of several is meant."""
        return ast.Name(f"{SOURCE if zone is self.source else TARGET}{self.name}", span=zone.span)

    def number(self, zone: ast.ZoneLine) -> ast.Expr:
        """Return how many pieces are in a zone."""
        name = ast.Name(zone.name.text, span=zone.span)
        named = ast.Index(name, (self.index(zone),), span=zone.span) if zone.index else name
        return ast.Call(ast.Word("count", span=zone.span), (named,), span=zone.span)

    def refill(self, span_of: ast.Node) -> tuple[ast.Stmt, ...]:
        """Return what refills the source if it is empty."""
        if self.source.refill is None:
            return ()
        nothing = ast.Number(0, span=span_of.span)
        empty = ast.Binary("==", self.number(self.source), nothing, span=span_of.span)
        pile = ast.AssignTarget(self.source.refill, (), span=span_of.span)
        everything = ast.Name("all", span=span_of.span)
        back = ast.TransferStmt(everything, pile, self.place(self.source), up_to=False, span=span_of.span)
        return (ast.IfStmt(empty, (ast.StmtLine((back,), (), span=span_of.span),), (), span=span_of.span),)


def draws_of(symbols: Symbols) -> dict[tuple[str, str], DrawnZones]:
    """Return the zones between which something is drawn, by their names."""
    pairs: dict[tuple[str, str], None] = {}
    for rule in symbols.rules.values():
        for node in rule_parts(rule).draws:
            pairs[node.source.name.text, node.target.name.text] = None
    found: dict[tuple[str, str], DrawnZones] = {}
    for source, target in pairs:
        one, other = symbols.zones.get(source), symbols.zones.get(target)
        if one is None or other is None or symbols.zone_sets[source] is not symbols.zone_sets[target]:
            continue  # which the line that draws is told
        several = sum(each == source for each, _ in pairs) > 1
        found[source, target] = DrawnZones(
            f"{source}_{target}" if several else source, one, other, symbols.zone_sets[source]
        )
    return found


def declare_draws(symbols: Symbols) -> None:
    """Declare the stages and actions of everything that is drawn."""
    if symbols.stages is None:
        return
    for drawn in draws_of(symbols).values():
        span = drawn.source.span
        stage = ast.StageName(ast.Word(drawing_stage(drawn.name), span=span), None, span=span)
        doc = f"Chance draws from `{drawn.source.name.text}`."
        line = ast.StageLine((stage,), "chance", None, drawn.source.cites, doc, sub=True, span=span)
        symbols.stages = replace(symbols.stages, lines=(*symbols.stages.lines, line))
        action = _action(drawn)
        symbols.rules.setdefault(action.name.text, action)


def _action(drawn: DrawnZones) -> ast.Action:
    """Return the action that draws one piece."""
    span = drawn.source.span
    item = drawn.zones.item
    word = item.name or ast.Word("piece", span=span)
    piece = ast.Name(word.text, span=span)
    counts = drawn.zones.holds is not None
    source = drawn.source.name
    if counts:
        cell = ast.Index(ast.Name(source.text, span=span), drawn.place(drawn.source, piece).args, span=span)
        there: ast.Expr = ast.Binary(">", cell, ast.Number(0, span=span), span=span)
        weight: ast.Expr | None = cell
        amount: ast.Expr = ast.Number(1, span=span)
        ends = drawn.place(drawn.source, piece), drawn.place(drawn.target, piece)
    else:
        index = drawn.place(drawn.source).args
        domain: ast.Domain = (
            ast.ZoneDomain(source, index, span=span)
            if index
            else ast.TypeDomain(ast.TypeName(source.text, span=span), span=span)
        )
        there = ast.InTest(piece, domain, negated=False, span=span)
        weight, amount = None, piece
        ends = drawn.place(drawn.source), drawn.place(drawn.target)
    many = ast.Name(drawn.many, span=span)
    less = ast.Assign(
        ast.AssignTarget(ast.Word(drawn.many, span=span), (), span=span),
        "-=",
        ast.Number(1, span=span),
        ghost=False,
        span=span,
    )
    move = ast.StmtLine((ast.TransferStmt(amount, *ends, up_to=False, span=span), less), drawn.source.cites, span=span)
    done = ast.Binary("==", many, ast.Number(0, span=span), span=span)
    back = ast.StmtLine((ast.ReturnStage(None, span=span),), (), span=span)
    go_on = ast.IfStmt(done, (back,), drawn.refill(drawn.source), span=span)
    return ast.Action(
        name=ast.Word(draw_action(drawn.name), span=span),
        kind="chance",
        params=(ast.Parameter(word, item.type, None, _sight(drawn), span=span),),
        by=None,
        during=(ast.StageRef(ast.Word(drawing_stage(drawn.name), span=span), None, span=span),),
        only=None,
        lines=(
            ast.RequireLine(there, f"it is not in the {source.text.replace('_', ' ')}", drawn.source.cites, span=span),
        ),
        costs=(),
        reveals=(),
        weight=weight,
        body=(move, go_on),
        place=None,
        cites=drawn.source.cites,
        doc=f"Chance draws one from the {source.text.replace('_', ' ')}.",
        span=span,
    )


def _sight(drawn: DrawnZones) -> ast.Sight | None:
    """Return who sees which piece is drawn: whoever sees it where it goes. Others see no more than the state shows them."""
    sight, span = drawn.target.sight, drawn.source.span
    if sight is None:
        return None
    if sight.word == "private" and drawn.target.index:
        return ast.Sight("seen", None, drawn.index(drawn.target), sight.until, span=span)
    return ast.Sight("hidden", span=span)
