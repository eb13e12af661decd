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

from pilgrim_rules.core.contracts import contract_names
from pilgrim_rules.core.expand_game import expand_again, without_lines
from pilgrim_rules.core.ir import (
    BOOL,
    Action,
    ActionKind,
    Arrange,
    Audience,
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
from pilgrim_rules.core.mark_partial import mark_partial
from pilgrim_rules.core.type_order import fits
from pilgrim_rules.core.validate_expr import Allowed, Expressions, InternalError, Scope
from pilgrim_rules.core.validate_stmt import check_block

__all__ = ["InternalError", "validate"]

_PLAY = Allowed()
_CONSTANTS = Allowed(state=False)
_CLAIM = Allowed(ghosts=True)
_STEP = Allowed(ghosts=True, next=True)
_SCORE = Allowed(networks=True)
_AUDIT = Allowed(ghosts=True, networks=True)
_EFFECT = Allowed(ghosts=True, old=True)
_DECIDED_IN: dict[ActionKind, tuple[StageKind, ...]] = {
    "action": ("player",),
    "chance": ("chance",),
    "auto": ("auto", "player"),  # in a stage of players it acts for an automaton
}
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
        _action(action, kinds, game.player, check)
    known = frozenset(claim.name for claim in game.claims)
    for claim in game.claims:
        _claim(claim, known, _contract_scope(claim, game.actions), check)
    for ranking in game.rankings:
        check.path = f"terminates {ranking.name}"
        check.allowed = _CLAIM
        for part in ranking.parts:
            check.expr(part, {})
    for symmetry in game.symmetries:
        check.path = f"symmetry {symmetry.name}"
        for table in (each for each in game.constants if each.name in symmetry.maps):
            if table.index != (table.type,) or len(set(table.values)) < table.type.size:
                check.fail("a table that is no change of places")
    for network in game.networks:
        _network(network, check)
    if game.score is not None:
        _score(game.score, game.player, check)
    params = {action.name: action.params for action in game.actions}
    options = frozenset((ruling.name, name) for ruling in game.decisions for name, _ in ruling.options)
    for preset in game.presets:
        check.path = f"preset {preset.name}"
        if not options.issuperset(preset.choices):
            check.fail("a ruling or an option that does not exist")
    for example in game.examples:
        _example(example, params, options, game.player, check)
    for campaign in game.campaigns:
        check.path = f"campaign {campaign.name}"
        check.allowed = _CLAIM
        check.expr(campaign.result, {})
        if not all(options.issuperset(each) for each in campaign.games):
            check.fail("a ruling or an option that does not exist")
    for figure in game.figures:
        _figure(figure, check)
    _lines(game, check)
    return game


def _lines(game: Game, check: Expressions) -> None:
    """Check that what is written stands for what is played, as it is or with what may lack a value marked."""
    spelled = expand_again(game)
    if (spelled.effects, spelled.actions, spelled.examples) == (game.effects, game.actions, game.examples):
        return
    validate(without_lines(spelled))  # only what is whole can be marked
    marked = mark_partial(spelled)
    for kind in ("effects", "actions", "examples"):
        for played, *meant in zip(*(getattr(each, kind) for each in (game, spelled, marked)), strict=True):
            if played not in meant:
                check.path = f"{kind}: {played.name}"
                check.fail("its lines stand for something else")


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
    check.allowed = _AUDIT  # whoever calls it in play is refused if it reads a ghost or asks a network
    check.saw_state = check.saw_ghost = check.saw_network = False
    check.expr(definition.body, _scope(definition.params, check))
    check.defs[definition.name] = (definition, check.saw_state, check.saw_ghost, check.saw_network)


def _variable(variable: Variable, game: Game, check: Expressions) -> None:
    check.path = f"variable {variable.name}"
    if len(variable.over) != len(variable.index) or len(set(variable.over)) != len(variable.over):
        check.fail("the names of its indices do not match its indices")
    if any(type_.is_open for type_ in variable.index):
        check.fail("an index has no upper end")
    check.allowed = _CONSTANTS
    scope = {name: (type_, False) for name, type_ in zip(variable.over, variable.index, strict=True)}
    check.fitting(variable.initial, variable.type, scope)
    check.allowed = _PLAY
    _audience(variable.seen, scope, game.player, check)


def _audience(audience: Audience | None, scope: Scope, player: Type, check: Expressions) -> None:
    if audience is not None:
        check.boolean(audience.test, {**scope, audience.viewer: (player, False)})


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
        for test in stage.always:
            if stage.kind not in ("player", "auto") or test.type != BOOL:
                check.fail("what is always possible is a test of a stage of players or autos", test)
            check.expr(test, {})


def _action(action: Action, kinds: dict[int, StageKind], player: Type, check: Expressions) -> None:
    check.path = f"{action.kind} {action.name}"
    if any(param.type.is_open for param in action.params):
        check.fail("an argument has no upper end")
    if not action.stages:
        check.fail("it happens in no stage")
    for code in action.stages:
        if kinds.get(code) not in _DECIDED_IN[action.kind]:
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
    for param in action.params:
        _audience(param.seen, _scope(action.params, check), player, check)
    for reveal in action.reveals:
        check.expr(reveal.value, scope)
        _audience(reveal.to, scope, player, check)
    check.path = f"{action.kind} {action.name}, effects"
    check.allowed = _EFFECT
    check_block(check, action.body, scope)


def _contract_scope(claim: Claim, actions: tuple[Action, ...]) -> Scope:
    """Return the names that a claim may use: of a contract, those of its action."""
    named = next((contract_names(action) for action in actions if action.name == claim.action), {})
    return {name: (type_, False) for name, type_ in named.items()}


def _claim(claim: Claim, known: frozenset[str], scope: Scope, check: Expressions) -> None:
    check.path = f"{claim.kind} {claim.name}"
    match claim.kind:
        case "law":
            check.allowed = _CONSTANTS
        case "step" | "contract":
            check.allowed = _STEP
        case "audit":
            check.allowed = _AUDIT
        case "invariant" | "conserved" | "reachable":
            check.allowed = _CLAIM
        case _:
            assert_never(claim.kind)
    if (claim.kind == "contract") != bool(claim.action):
        check.fail("exactly a contract is about one action")
    if not known.issuperset(claim.using):
        check.fail("it uses a lemma that does not exist")
    if claim.follows and (claim.kind != "invariant" or not claim.using):
        check.fail("only an invariant follows from others")
    check.boolean(claim.formula, scope)


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
    check.allowed = _SCORE
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
    named = [example.under, *(step.under for step in example.steps if not isinstance(step, Arrange))]
    if not all(options.issuperset(under) for under in named):
        check.fail("it speaks of a ruling or an option that does not exist")
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
            case Expect(formula=formula):
                check.allowed = _AUDIT
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
