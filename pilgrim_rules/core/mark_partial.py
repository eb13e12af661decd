"""Mark what is partial: wherever an expression may lack a value, the game says so itself.

Reads:  a core game.   Writes: the same game, in which each index, argument and divisor that is not evidently inside its
        table, type or range is `Checked`.
After:  reading outside a table and dividing by what is not positive are contradictions like any other, with their place
        in the rules, in every back end that runs or proves the marked game. Evident is what `facts` can tell from the
        declared types and the tests around the place; the checker's own conclusions are not trusted here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Any, TypeAlias, TypeVar, assert_never

from pilgrim_rules.core import intervals
from pilgrim_rules.core.bounds import range_of
from pilgrim_rules.core.contracts import contract_names
from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.definedness import defined
from pilgrim_rules.core.footprint import calls, writes
from pilgrim_rules.core.ir import (
    Action,
    Apply,
    AskNetwork,
    Assign,
    Binder,
    Bound,
    Branch,
    Call,
    Checked,
    Claim,
    Cond,
    Def,
    Define,
    Effect,
    Expr,
    Fold,
    Game,
    Given,
    GuardLine,
    Key,
    Let,
    Lit,
    Lookup,
    Loop,
    Network,
    NetworkLink,
    NetworkNode,
    Pick,
    Ranking,
    Read,
    Require,
    ScoreSheet,
    Stage,
    Stmt,
    Type,
    Unique,
)
from pilgrim_rules.core.known_facts import Facts
from pilgrim_rules.core.operators import OPERATIONS
from pilgrim_rules.core.smart_constructors import TRUE, conjunction, number
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.util.fast_dataclass import dataclass, replace

_NOWHERE = Span("", 0, 0)


_D = TypeVar("_D", Action, Def, Effect, Network, Ranking, ScoreSheet, Stage)
_Change: TypeAlias = "Callable[[_D, _Marker, Facts], _D]"


def mark_partial(game: Game) -> Game:
    """Return the game with everything marked that may lack a value."""
    known = Facts(Declarations(game))
    defs = tuple(_marked(each, _def, known) for each in game.defs)
    changed = frozenset(new.name for old, new in zip(game.defs, defs, strict=True) if new is not old)
    score = game.score and _marked(game.score, _score, known.bind(game.score.player, range_of(game.player)))
    return replace(
        game,
        stages=tuple(_marked(each, _stage, known) for each in game.stages),
        defs=defs,
        effects=tuple(_marked(each, _effect, known) for each in game.effects),
        actions=tuple(_marked(each, _action, known) for each in game.actions),
        claims=tuple(_claim(each, known, {each.name: each for each in defs}, changed) for each in game.claims),
        rankings=tuple(_marked(each, _ranking, known) for each in game.rankings),
        networks=tuple(_marked(each, _network, known) for each in game.networks),
        score=score,
    )


def _marked(declaration: _D, change: _Change[_D], known: Facts) -> _D:
    """Return the declaration marked; itself if there is nothing to mark."""
    marker = _Marker(known.declared, declaration.note.span or _NOWHERE)
    made = change(declaration, marker, known)
    return made if marker.marks else declaration


def _stage(stage: Stage, mark: _Marker, known: Facts) -> Stage:
    by = None if stage.by is None else mark.expr(stage.by, known)
    return replace(stage, by=by, always=mark.exprs(stage.always, known))


def _def(definition: Def, mark: _Marker, known: Facts) -> Def:
    return replace(definition, body=mark.expr(definition.body, known.bind_all(definition.params)))


def _effect(effect: Effect, mark: _Marker, known: Facts) -> Effect:
    return replace(effect, body=mark.block(effect.body, known.bind_all(effect.params)))


def _claim(claim: Claim, known: Facts, defs: Mapping[str, Def], changed: frozenset[str]) -> Claim:
    """Return the claim marked, and false where it would read what does not exist."""
    mark = _Marker(known.declared, claim.note.span or _NOWHERE)
    if claim.kind == "contract":
        for name, type_ in contract_names(known.declared.actions[claim.action]).items():
            known = known.bind(name, range_of(type_))
    formula = mark.expr(claim.formula, known)
    if not mark.marks and changed.isdisjoint(calls((formula,), defs)):
        return claim
    return replace(claim, formula=conjunction(defined(formula, defs) or TRUE, formula))


def _ranking(ranking: Ranking, mark: _Marker, known: Facts) -> Ranking:
    return replace(ranking, parts=mark.exprs(ranking.parts, known))


def _action(action: Action, mark: _Marker, known: Facts) -> Action:
    known = known.bind_all(action.params)
    guard: list[GuardLine] = []
    for line in action.guard:
        match line:
            case Require(test=test, span=span):
                guard.append(replace(line, test=replace(mark, span=span).expr(test, known)))
                known = known.learn(test, held=True)
            case Given(name=name, value=value):
                guard.append(Given(name, mark.expr(value, known)))
                known = known.define(name, value)
            case _:
                assert_never(line)
    weight = None if action.weight is None else mark.expr(action.weight, known)
    reveals = tuple(
        replace(each, value=replace(mark, span=each.span).expr(each.value, known)) for each in action.reveals
    )
    return replace(action, guard=tuple(guard), weight=weight, reveals=reveals, body=mark.block(action.body, known))


def _network(network: Network, mark: _Marker, known: Facts) -> Network:
    outer, around = mark.binders(network.binders, known)
    nodes: list[NetworkNode] = []
    links: list[NetworkLink] = []
    for node in network.nodes:
        binders, inner = mark.binders(node.binders, around)
        there = inner.learn(node.when, held=True)
        nodes.append(NetworkNode(binders, mark.exprs(node.node, there), mark.expr(node.when, inner)))
    for link in network.links:
        binders, inner = mark.binders(link.binders, around)
        there = inner.learn(link.when, held=True)
        left, right = mark.exprs(link.left, there), mark.exprs(link.right, there)
        links.append(NetworkLink(binders, left, right, mark.expr(link.when, inner), link.nodes_only))
    return replace(network, binders=outer, nodes=tuple(nodes), links=tuple(links))


def _score(sheet: ScoreSheet, mark: _Marker, known: Facts) -> ScoreSheet:
    lines = tuple(replace(line, value=mark.expr(line.value, known)) for line in sheet.lines)
    return replace(sheet, lines=lines, keys=mark.keys(sheet.keys, known))


@dataclass(frozen=True, slots=True)
class _Marker:
    """Marks the expressions of one declaration, with the place of the line they stand in."""

    declared: Declarations
    span: Span
    marks: list[Checked] = field(default_factory=list)

    def exprs(self, exprs: Iterable[Expr], known: Facts) -> tuple[Expr, ...]:
        return tuple(self.expr(each, known) for each in exprs)

    def expr(self, expr: Expr, known: Facts) -> Expr:
        """Return the expression with its parts marked; itself if there is nothing to mark."""
        before = len(self.marks)
        parts = self._parts(expr, known)
        if len(self.marks) == before:
            return expr
        if isinstance(expr, Apply | Cond | Let):
            parts["form"] = None  # it is not spelled as the author wrote it any more
        return replace(expr, **parts)

    def _parts(self, expr: Expr, known: Facts) -> dict[str, Any]:
        """Return the fields of the expression that hold other expressions, marked."""
        match expr:
            case Lit() | Bound():
                return {}
            case Read(variable=variable, index=index):
                return {"index": self.inside(index, self.declared.variables[variable].index, known)}
            case Lookup(table=table, index=index):
                return {"index": self.inside(index, self.declared.constants[table].index, known)}
            case Call(definition=name, args=args):
                types = tuple(param.type for param in self.declared.defs[name].params)
                return {"args": self.inside(args, types, known)}
            case Apply():
                return {"args": self._arguments(expr, known)}
            case Cond(test=test, then=then, other=other):
                yes, no = known.learn(test, held=True), known.learn(test, held=False)
                return {"test": self.expr(test, known), "then": self.expr(then, yes), "other": self.expr(other, no)}
            case Let(name=name, value=value, body=body):
                return {"value": self.expr(value, known), "body": self.expr(body, known.define(name, value))}
            case Checked(value=value):
                return {"value": self.expr(value, known)}
            case Fold(binders=binders, body=body, default=default):
                made, condition, there = self.domain(binders, expr.where, known)
                outside = None if default is None else self.expr(default, known)
                return {"binders": made, "where": condition, "body": self.expr(body, there), "default": outside}
            case Unique(binders=binders, keys=keys):
                made, condition, there = self.domain(binders, expr.where, known)
                return {"binders": made, "where": condition, "keys": self.exprs(keys, there)}
            case Pick(binder=binder, keys=keys_):
                made, condition, there = self.domain((binder,), expr.where, known)
                return {"binder": made[0], "where": condition, "keys": self.keys(keys_, there)}
            case AskNetwork(network=network, index=index, nodes=nodes):
                types = tuple(binder.type for binder in self.declared.networks[network].binders)
                asked = tuple(self.exprs(node, known) for node in nodes)
                return {"index": self.inside(index, types, known), "nodes": asked}
            case _:
                assert_never(expr)

    def keys(self, keys: tuple[Key, ...], known: Facts) -> tuple[Key, ...]:
        return tuple(Key(self.expr(key.value, known), key.descending) for key in keys)

    def binders(self, binders: tuple[Binder, ...], known: Facts) -> tuple[tuple[Binder, ...], Facts]:
        """Return the binders marked, and what is known inside them."""
        made: list[Binder] = []
        for binder in binders:
            start = None if binder.start is None else self.inside((binder.start,), (binder.type,), known)[0]
            among = binder.among
            if among is not None:
                table, index = among
                among = (table, self.inside(index, self.declared.constants[table].index[:-1], known))
            made.append(replace(binder, start=start, among=among))
            known = known.bind(binder.name, range_of(binder.type))
        return tuple(made), known

    def domain(
        self, binders: tuple[Binder, ...], where: Expr | None, known: Facts
    ) -> tuple[tuple[Binder, ...], Expr | None, Facts]:
        """Return binders and condition marked, and what is known inside where the condition holds."""
        made, inner = self.binders(binders, known)
        if where is None:
            return made, None, inner
        return made, self.expr(where, inner), inner.learn(where, held=True)

    def _arguments(self, expr: Apply, known: Facts) -> tuple[Expr, ...]:
        operation = OPERATIONS[expr.op]
        args: list[Expr] = []
        for at, arg in enumerate(expr.args):
            if operation.divides and at == 1:
                args += self.inside((arg,), (number(1, max(arg.type.hi, 1)),), known)
            else:
                args.append(self.expr(arg, known))
            if operation.short_circuit is not None and at < len(expr.args) - 1:
                # The next one is evaluated only if this one left the answer open.
                goes_on = [bool(value) for value in (0, 1) if operation.short_circuit(at, value) is None]
                known = known.learn(arg, held=goes_on[0]) if len(goes_on) == 1 else known
        return tuple(args)

    def inside(self, exprs: tuple[Expr, ...], types: tuple[Type, ...], known: Facts) -> tuple[Expr, ...]:
        """Return expressions that must lie in the types, checked where that is not evident."""
        found: list[Expr] = []
        for expr, type_ in zip(exprs, types, strict=True):
            marked = self.expr(expr, known)
            if not intervals.inside(known.bounds(expr), range_of(type_)):
                marked = Checked(marked, type_, span=self.span)
                self.marks.append(marked)
            found.append(marked)
        return tuple(found)

    def block(self, block: tuple[Stmt, ...], known: Facts, *, frozen: bool = False) -> tuple[Stmt, ...]:
        """Return statements marked; if `frozen`, they all read the state before the first of them."""
        made: list[Stmt] = []
        for stmt in block:
            match stmt:
                case Assign(variable=variable, index=index, value=value, span=span):
                    here = replace(self, span=span)
                    types = self.declared.variables[variable].index
                    at, new = here.inside(index, types, known), here.expr(value, known)
                    made.append(replace(stmt, index=at, value=new))
                case Define(name=name, value=value):
                    made.append(Define(name, self.expr(value, known)))
                    known = known.define(name, value)
                case Branch(test=test, then=then, other=other):
                    yes, no = known.learn(test, held=True), known.learn(test, held=False)
                    asked = self.expr(test, known)
                    made.append(
                        Branch(asked, self.block(then, yes, frozen=frozen), self.block(other, no, frozen=frozen))
                    )
                case Loop():
                    made.append(self._loop(stmt, known, frozen=frozen))
                case _:
                    assert_never(stmt)
            if not frozen:
                known = known.forget(writes((stmt,)))
        return tuple(made)

    def _loop(self, loop: Loop, known: Facts, *, frozen: bool) -> Loop:
        frozen = frozen or loop.simultaneous
        if not frozen:  # an earlier round may have written
            known = known.forget(writes(loop.body))
        here = replace(self, span=loop.span)
        (binder,), where, there = here.domain((loop.binder,), loop.where, known)
        return replace(loop, binder=binder, where=where, body=here.block(loop.body, there, frozen=frozen))
