"""Walks over statements and declarations: the expressions that stand in them.

Reads:  statements and declarations of the core.   Writes: nothing; the outermost expressions, and assignments.
After:  no other module needs to know which fields of a declaration hold expressions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from pilgrim_rules.core.ir import (
    Action,
    Arrange,
    Assign,
    Branch,
    Define,
    Expect,
    Expr,
    Game,
    Given,
    Layer,
    Loop,
    Make,
    Network,
    NetworkLink,
    NetworkNode,
    Refuse,
    Require,
    ScoreSheet,
    Stage,
    Stmt,
)
from pilgrim_rules.core.walk import binder_parts


def rule_of(key: str) -> str:
    """Return the rule, shared guard or shared effect that a line stands in, from the key of the line."""
    return key.partition(".")[0]


def statement_expressions(block: tuple[Stmt, ...]) -> Iterator[Expr]:
    """Yield the outermost expressions of all statements of a block, nested ones included."""
    for stmt in block:
        match stmt:
            case Assign(index=index, value=value):
                yield from index
                yield value
            case Define(value=value):
                yield value
            case Branch(test=test, then=then, other=other):
                yield test
                yield from statement_expressions(then)
                yield from statement_expressions(other)
            case Loop(binder=binder, where=where, body=body):
                yield from binder_parts(binder)
                yield from _some(where)
                yield from statement_expressions(body)
            case _:
                assert_never(stmt)


def assignments(block: tuple[Stmt, ...]) -> Iterator[Assign]:
    """Yield every assignment of a block, nested ones included."""
    for stmt in block:
        match stmt:
            case Assign():
                yield stmt
            case Define():
                pass
            case Branch(then=then, other=other):
                yield from assignments(then)
                yield from assignments(other)
            case Loop(body=body):
                yield from assignments(body)
            case _:
                assert_never(stmt)


def action_expressions(action: Action) -> Iterator[Expr]:
    """Yield the outermost expressions of an action: guard, weight, who sees what, and body."""
    for line in action.guard:
        match line:
            case Require(test=test):
                yield test
            case Given(value=value):
                yield value
    yield from _some(action.weight)
    yield from sight_expressions(action)
    yield from statement_expressions(action.body)


def sight_expressions(action: Action) -> Iterator[Expr]:
    """Yield what an action says about who sees what: its arguments, and what it gives away."""
    yield from (param.seen.test for param in action.params if param.seen is not None)
    for reveal in action.reveals:
        yield reveal.value
        if reveal.to is not None:
            yield reveal.to.test


def layer_expressions(layer: Layer) -> Iterator[Expr]:
    """Yield the outermost expressions of a layer of a figure, those inside its binders included."""
    for binder in layer.binders:
        yield from binder_parts(binder)
    yield from _some(layer.where)
    yield from layer.at
    yield from _some(layer.value)
    yield from _some(layer.by)


def stage_expressions(stage: Stage) -> Iterator[Expr]:
    """Yield the expressions of a stage: who decides, and what is always possible."""
    yield from _some(stage.by)
    yield from stage.always


def score_expressions(sheet: ScoreSheet) -> Iterator[Expr]:
    """Yield the lines and keys of a score sheet."""
    yield from (line.value for line in sheet.lines)
    yield from (key.value for key in sheet.keys)


def rule_expressions(game: Game) -> Iterator[Expr]:
    """Yield the outermost expressions of everything in a game but its definitions."""
    for stage in game.stages:
        yield from stage_expressions(stage)
    for variable in game.variables:
        yield variable.initial
        if variable.seen is not None:
            yield variable.seen.test
    for action in game.actions:
        yield from action_expressions(action)
        if action.place is not None:
            yield action.place
    for effect in game.effects:
        yield from statement_expressions(effect.body)
    yield from (claim.formula for claim in game.claims)
    yield from (part for ranking in game.rankings for part in ranking.parts)
    for network in game.networks:
        yield from network_expressions(network)
    if game.score is not None:
        yield from score_expressions(game.score)
    yield from (campaign.result for campaign in game.campaigns)
    for example in game.examples:
        for step in example.steps:
            match step:
                case Arrange(body=body):
                    yield from statement_expressions(body)
                case Expect(formula=formula):
                    yield formula
                case Make() | Refuse():
                    pass
                case _:
                    assert_never(step)
    for figure in game.figures:
        for layer in figure.layers:
            yield from layer_expressions(layer)


def network_expressions(network: Network) -> Iterator[Expr]:
    """Yield the conditions and ends of the parts of a network."""
    parts: tuple[NetworkNode | NetworkLink, ...] = (*network.nodes, *network.links)
    for part in parts:
        yield part.when
        yield from part.node if isinstance(part, NetworkNode) else (*part.left, *part.right)
        for binder in part.binders:
            yield from binder_parts(binder)


def _some(expr: Expr | None) -> tuple[Expr, ...]:
    return () if expr is None else (expr,)
