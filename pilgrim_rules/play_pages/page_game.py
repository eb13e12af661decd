"""The game of a page: the rules, with what a page asks besides: pictures, refusals, and who sees what.

Reads:  a core game.   Writes: a core game with more actions and definitions, which play never uses.
After:  play is the same; everything a page asks is a function of the game's module, so a page knows no rule.

A layer of a figure is an action that is never possible: its arguments are the values of the layer's names, and then the place, the owner and
the number or label that it shows, so that the search for its legal arguments finds what is to be drawn. A refusal is a definition: the number
of the first line of an action's guard that does not hold, from 1 on; 0 if all do. Where a move happens is one, too. Of a game with secrets the
invariants are definitions: a player that looks ahead reckons with states in which they hold.
"""

from __future__ import annotations

from dataclasses import replace

from pilgrim_rules.core.footprint import reads
from pilgrim_rules.core.ir import (
    BOOL,
    Action,
    Apply,
    Bound,
    Claim,
    Cond,
    Def,
    Expr,
    Figure,
    Game,
    Given,
    Layer,
    Let,
    Lit,
    Lookup,
    Parameter,
    Require,
    Variable,
)
from pilgrim_rules.core.rule_walk import layer_expressions
from pilgrim_rules.core.smart_constructors import number
from pilgrim_rules.core.walk import free_names
from pilgrim_rules.diagnostics.source import Span

_NOWHERE = Span("", 0, 0)
MOST_DRAWN = 9_999  #: of a number without end


def page_game(game: Game) -> Game:
    """Return the game with an action for each layer that depends on the state, and definitions of refusals and of sight."""
    layers = tuple(_layer_action(figure, at) for figure, at in changing_layers(game))
    seen = tuple(_sight(game, variable) for variable in game.variables if variable.seen is not None)
    chosen = [action for action in game.actions if action.kind == "action"]
    whys = tuple(map(_first_refusal, chosen))
    places = tuple(_place(action, action.place) for action in chosen if action.place is not None)
    holds = tuple(Def(sound_name(claim), (), claim.formula) for claim in invariants(game)) if seen else ()
    return replace(
        game,
        actions=(*game.actions, *layers),
        defs=(*game.defs, *whys, *places, *seen, *holds),
        claims=(),
        rankings=(),
        examples=(),
    )


def changing_layers(game: Game) -> list[tuple[Figure, int]]:
    """Return the layers that show something of the state, each by its figure and its number there."""
    defs = {each.name: each for each in game.defs}
    return [
        (figure, at)
        for figure in game.figures
        for at, layer in enumerate(figure.layers)
        if reads(layer_expressions(layer), defs)
    ]


def layer_name(figure: Figure, at: int) -> str:
    """Return the name of the action that stands for a layer; no author writes such names."""
    return f"__layer_{figure.name}_{at}"


def shown_parts(layer: Layer) -> tuple[Expr, ...]:
    """Return what an item of a layer consists of: its place, its owner and its value, as far as it has them."""
    return (*layer.at, *(_drawable(each) for each in (layer.by, layer.value) if each is not None))


def _drawable(value: Expr) -> Expr:
    """Return what is drawn of a value: of a number without end, no more than a picture has room for."""
    if not value.type.is_open:
        return value
    shown = number(value.type.lo, value.type.lo + MOST_DRAWN)
    return Apply("min", (value, Lit(shown.hi, shown)), shown)


def _layer_action(figure: Figure, at: int) -> Action:
    layer = figure.layers[at]
    parts = shown_parts(layer)
    params = [Parameter(binder.name, binder.type) for binder in layer.binders]
    shown = [Parameter(f"__shown_{number}", part.type) for number, part in enumerate(parts)]
    tests: list[Expr] = [
        Lookup(binder.among[0], (*binder.among[1], Bound(binder.name, binder.type)), BOOL)
        for binder in layer.binders
        if binder.among is not None
    ]
    tests += [] if layer.where is None else [layer.where]
    tests += [
        Apply("==", (Bound(param.name, param.type), part), BOOL) for param, part in zip(shown, parts, strict=True)
    ]
    name = layer_name(figure, at)
    guard = tuple(Require(test, f"{name} {number}", span=_NOWHERE) for number, test in enumerate(tests))
    return Action(name, "action", (*params, *shown), (), guard, ())


def refusal_name(action: Action) -> str:
    """Return the name of the definition that says why an action is not possible."""
    return f"__why_not_{action.name}"


def requirements(action: Action) -> list[Require]:
    """Return the lines of a guard that can refuse a move."""
    return [line for line in action.guard if isinstance(line, Require)]


def _first_refusal(action: Action) -> Def:
    lines = requirements(action)
    type_ = number(0, len(lines))
    body: Expr = Lit(0, type_)
    count = len(lines)
    for line in reversed(action.guard):
        match line:
            case Require(test=test):
                body = Cond(test, body, Lit(count, type_), type_)
                count -= 1
            case Given(name=name, value=value):
                body = Let(name, value, body, type_)
    return Def(refusal_name(action), action.params, body)


def place_name(action: Action) -> str:
    """Return the name of the definition that says where a move of an action happens."""
    return f"__place_{action.name}"


def _place(action: Action, place: Expr) -> Def:
    body = place
    for line in reversed(action.guard):
        if isinstance(line, Given) and line.name in free_names(body):
            body = Let(line.name, line.value, body, body.type)
    return Def(place_name(action), action.params, body)


def invariants(game: Game) -> list[Claim]:
    """Return what holds in every state, as far as it can be asked of one state and no ghost is read."""
    ghosts = {variable.name for variable in game.variables if variable.ghost}
    defs = {each.name: each for each in game.defs}
    return [
        claim
        for claim in game.claims
        if claim.kind in ("invariant", "conserved") and ghosts.isdisjoint(reads((claim.formula,), defs))
    ]


def sound_name(claim: Claim) -> str:
    """Return the name of the definition that says whether an invariant holds."""
    return f"__holds_{claim.name}"


def sight_name(variable: Variable) -> str:
    """Return the name of the definition that says who sees a cell of a variable: the viewer first, then the index."""
    return f"__sees_{variable.name}"


def _sight(game: Game, variable: Variable) -> Def:
    assert variable.seen is not None
    params = [Parameter(variable.seen.viewer, game.player)]
    params += [Parameter(name, type_) for name, type_ in zip(variable.over, variable.index, strict=True)]
    return Def(sight_name(variable), tuple(params), variable.seen.test)
