"""The core's own rules, checked after every transformation: a mistake of ours is found where it is made.

Reads:  a core game.   Writes: the same game.
After:  `InternalError` has been raised with the place of the mistake, or: names are unique and exist, every expression
        is closed and well typed, no line hides a name, every index lies inside its table, definitions come before
        their use, and what only some places may do (`old`, `next`, `the`, ghosts, networks) is done only there. Linear
        in the size of the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import prod
from typing import assert_never

from pilgrim_rules.core.fits import fits
from pilgrim_rules.core.ir import (
    Action,
    ActionKind,
    Arrange,
    Claim,
    Constant,
    Def,
    Example,
    Expect,
    Figure,
    Game,
    Given,
    LayerKind,
    Make,
    Network,
    Parameter,
    Refuse,
    Require,
    ScoreSheet,
    StageKind,
    Type,
    Variable,
)
from pilgrim_rules.core.validate_expr import Allowed, Expressions, InternalError, Scope
from pilgrim_rules.core.validate_stmt import check_block

__all__ = ["InternalError", "validate"]

_PLAY = Allowed()
_CONSTANTS = Allowed(state=False)
_CLAIM = Allowed(ghosts=True)
_STEP = Allowed(ghosts=True, next=True)
_AUDIT = Allowed(ghosts=True, networks=True)
_EFFECT = Allowed(ghosts=True, old=True, checked=True)
_DECIDED_IN: dict[ActionKind, StageKind] = {"action": "player", "chance": "chance", "auto": "auto"}
_MOST_PLACES: dict[LayerKind, int] = {"area": 1, "edge": 2, "path": 3, "mark": 1, "pieces": 1, "label": 1}
_LEAST_PLACES: dict[LayerKind, int] = {**_MOST_PLACES, "path": 2}
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")


def validate(game: Game) -> Game:
    """Return the game if it obeys the rules of the core; raise `InternalError` otherwise."""
    check = Expressions(game.variables, game.constants, game.networks)
    _names(game, check)
    for constant in game.constants:
        _constant(constant, check)
    for definition in game.defs:
        _definition(definition, check)
    for variable in game.variables:
        _variable(variable, game, check)
    _stages(game, check)
    for effect in game.effects:
        check.path = f"effect {effect.name}"
        check.allowed = _EFFECT
        check_block(check, effect.body, _scope(effect.params, check))
    kinds = {stage.code: stage.kind for stage in game.stages}
    for action in game.actions:
        _action(action, kinds, check)
    known = frozenset(claim.name for claim in game.claims)
    for claim in game.claims:
        _claim(claim, known, check)
    for ranking in game.rankings:
        check.path = f"terminates {ranking.name}"
        check.allowed = _CLAIM
        for part in ranking.parts:
            check.expr(part, {})
    for network in game.networks:
        _network(network, check)
    if game.score is not None:
        _score(game.score, game.player, check)
    params = {action.name: action.params for action in game.actions}
    options = frozenset((ruling.name, name) for ruling in game.rulings for name, _ in ruling.options)
    for preset in game.presets:
        check.path = f"preset {preset.name}"
        if not options.issuperset(preset.choices):
            check.fail("a ruling or an option that does not exist")
    for example in game.examples:
        _example(example, params, options, game.player, check)
    for figure in game.figures:
        _figure(figure, check)
    return game


def _names(game: Game, check: Expressions) -> None:
    """Names are unique in their table, and those that generated code may contain are plain."""
    tables: dict[str, Iterable[str]] = {
        "variable": (item.name for item in game.variables),
        "constant": (item.name for item in game.constants),
        "definition": (item.name for item in game.defs),
        "effect": (item.name for item in game.effects),
        "action": (item.name for item in game.actions),
        "claim": (item.name for item in game.claims),
        "network": (item.name for item in game.networks),
        "example": (item.name for item in game.examples),
        "preset": (item.name for item in game.presets),
        "figure": (item.name for item in game.figures),
    }
    for kind, names in tables.items():
        check.path = kind
        seen: set[str] = set()
        for name in names:
            if name in seen:
                check.fail(f"`{name}` is there twice")
            if not _NAME.fullmatch(name):
                check.fail(f"`{name}` is no name")
            seen.add(name)


def _constant(constant: Constant, check: Expressions) -> None:
    check.path = f"constant {constant.name}"
    if len(constant.values) != prod(type_.size for type_ in constant.index):
        check.fail(f"{len(constant.values)} values for another number of cells")
    if constant.values and not constant.type.lo <= min(constant.values) <= max(constant.values) <= constant.type.hi:
        check.fail(f"a value is no code of `{constant.type.name}`")


def _definition(definition: Def, check: Expressions) -> None:
    check.path = f"def {definition.name}"
    check.allowed = _CLAIM  # whoever calls it in play is refused if it reads a ghost
    check.saw_state = check.saw_ghost = False
    check.expr(definition.body, _scope(definition.params, check))
    check.defs[definition.name] = (definition, check.saw_state, check.saw_ghost)


def _variable(variable: Variable, game: Game, check: Expressions) -> None:
    check.path = f"variable {variable.name}"
    if len(variable.over) != len(variable.index) or len(set(variable.over)) != len(variable.over):
        check.fail("the names of its indices do not match its indices")
    check.allowed = _CONSTANTS
    scope = {name: (type_, False) for name, type_ in zip(variable.over, variable.index, strict=True)}
    check.fitting(variable.initial, variable.type, scope)
    if variable.sight == "private" and (not variable.index or variable.index[0] != game.player):
        check.fail("it is private, but its first index is no player")
    if variable.until is not None:
        check.allowed = _PLAY
        check.boolean(variable.until, {})


def _stages(game: Game, check: Expressions) -> None:
    check.path = "stages"
    if [(stage.code, stage.name) for stage in game.stages] != list(enumerate(game.stage.labels)):
        check.fail("they are not the values of the type of `stage`, in order")
    stage_variable = check.variables.get("stage")
    if stage_variable is None or stage_variable.type != game.stage or stage_variable.index:
        check.fail("there is no variable `stage` of the type of stages")
    check.allowed = _PLAY
    for stage in game.stages:
        check.path = f"stage {stage.name}"
        if (stage.kind == "player") != (stage.by is not None):
            check.fail("exactly a player's stage says who decides")
        if stage.by is not None:
            if not fits(game.player, stage.by.type):
                check.fail("who decides is no player", stage.by)
            check.expr(stage.by, {})


def _action(action: Action, kinds: dict[int, StageKind], check: Expressions) -> None:
    check.path = f"{action.kind} {action.name}"
    if not action.stages:
        check.fail("it happens in no stage")
    for code in action.stages:
        if kinds.get(code) != _DECIDED_IN[action.kind]:
            check.fail(f"stage {code} does not exist or is decided otherwise")
    if (action.weight is not None) != (action.kind == "chance"):
        check.fail("exactly a chance action has a weight")
    scope = _scope(action.params, check)
    check.allowed = _PLAY
    if action.weight is not None:
        check.expr(action.weight, scope)
    for at, line in enumerate(action.guard):
        check.path = f"{action.kind} {action.name}, guard line {at + 1}"
        match line:
            case Require(test=test, key=key):
                if not key:
                    check.fail("a requirement has no key", test)
                check.boolean(test, scope)
            case Given(name=name, value=value):
                check.expr(value, scope)
                scope = check.bound(scope, name, value.type)
            case _:
                assert_never(line)
    if action.place is not None:
        check.expr(action.place, scope)
    check.path = f"{action.kind} {action.name}, effects"
    check.allowed = _EFFECT
    check_block(check, action.body, scope)


def _claim(claim: Claim, known: frozenset[str], check: Expressions) -> None:
    check.path = f"{claim.kind} {claim.name}"
    match claim.kind:
        case "law":
            check.allowed = _CONSTANTS
        case "step":
            check.allowed = _STEP
        case "audit":
            check.allowed = _AUDIT
        case "invariant" | "conserved" | "reachable":
            check.allowed = _CLAIM
        case _:
            assert_never(claim.kind)
    if not known.issuperset(claim.using):
        check.fail("it uses a lemma that does not exist")
    if claim.follows and (claim.kind != "invariant" or not claim.using):
        check.fail("only an invariant follows from others")
    check.boolean(claim.formula, {})


def _network(network: Network, check: Expressions) -> None:
    check.path = f"network {network.name}"
    check.allowed = _CLAIM
    family = check.binders(network.binders, {})
    for node in network.nodes:
        scope = check.binders(node.binders, family)
        check.boolean(node.when, scope)
        for part in node.node:
            check.expr(part, scope)
    for link in network.links:
        scope = check.binders(link.binders, family)
        check.boolean(link.when, scope)
        if len(link.left) != len(link.right):
            check.fail("the two ends of a link have different forms")
        for part in (*link.left, *link.right):
            check.expr(part, scope)


def _score(score: ScoreSheet, player: Type, check: Expressions) -> None:
    check.path = "score"
    check.allowed = _PLAY
    scope = {score.player: (player, False)}
    if score.per < 1:
        check.fail("points are counted in parts of one")
    for line in score.lines:
        check.expr(line.value, scope)
    check.keys(score.keys, scope)


def _example(
    example: Example,
    params: dict[str, tuple[Parameter, ...]],
    options: frozenset[tuple[str, str]],
    player: Type,
    check: Expressions,
) -> None:
    check.path = f"example {example.name}"
    for step in example.steps:
        match step:
            case Arrange(body=body):
                if example.witness:
                    check.fail("a witness arranges nothing")
                check.allowed = _EFFECT
                check_block(check, body, {})
            case Make(action=action, args=args) | Refuse(action=action, args=args):
                if action not in params or len(params[action]) != len(args):
                    check.fail(f"there is no action `{action}` with {len(args)} arguments")
                for param, code in zip(params[action], args, strict=True):
                    if not param.type.lo <= code <= param.type.hi:
                        check.fail(f"{code} is no code of `{param.type.name}`")
                if isinstance(step, Make) and step.by is not None and not player.lo <= step.by <= player.hi:
                    check.fail(f"{step.by} is no player")
            case Expect(formula=formula, under=under):
                if not options.issuperset(under):
                    check.fail("it speaks of a ruling or an option that does not exist")
                check.allowed = _CLAIM
                check.boolean(formula, {})
            case _:
                assert_never(step)


def _figure(figure: Figure, check: Expressions) -> None:
    check.path = f"figure {figure.name}"
    check.allowed = _PLAY
    canvas = figure.canvas
    if len(canvas.places) != canvas.type.size:
        check.fail("not every node of its canvas has a place")
    if any(node not in range(len(canvas.places)) for link in canvas.links for node in link):
        check.fail("a link between nodes that its canvas does not have")
    for layer in figure.layers:
        check.path = f"figure {figure.name}, {layer.kind}"
        if not _LEAST_PLACES[layer.kind] <= len(layer.at) <= _MOST_PLACES[layer.kind]:
            check.fail("a wrong number of places")
        looks = {"mark": (layer.shape, layer.text), "label": (layer.text, layer.value), "pieces": (layer.value,)}
        if sum(bool(each) for each in looks.get(layer.kind, (True,))) != 1:
            check.fail("it does not say what it looks like, or says it twice")
        scope = check.binders(layer.binders, {})
        if layer.where is not None:
            check.boolean(layer.where, scope)
        check.fitting(layer.at[0], canvas.type, scope)
        for side in layer.at[1:]:
            if canvas.sides is None:
                check.fail("its canvas has no sides")
            check.fitting(side, canvas.sides, scope)
        for part in (layer.value, layer.by):
            if part is not None:
                check.expr(part, scope)


def _scope(params: tuple[Parameter, ...], check: Expressions) -> Scope:
    scope = {param.name: (param.type, False) for param in params}
    if len(scope) != len(params):
        check.fail("two parameters have the same name")
    for param in params:
        if param.default is not None and not param.type.lo <= param.default <= param.type.hi:
            check.fail(f"the default of `{param.name}` is no code of `{param.type.name}`")
    return scope
