"""A core game as readable text, for `pilgrim print --after lower` and for golden tests.

Reads:  a core game.   Writes: text close to the rules language, one declaration after the other.
After:  the same game always gives the same text; documentation and places are left out, citations are not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias, assert_never

from pilgrim_rules.core.ir import (
    Action,
    Arrange,
    Assign,
    Branch,
    Claim,
    Constant,
    Def,
    Define,
    Effect,
    Example,
    Expect,
    Figure,
    Game,
    Given,
    Layer,
    Loop,
    Make,
    Network,
    Parameter,
    Preset,
    Ranking,
    Refuse,
    Require,
    Ruling,
    ScoreSheet,
    Stage,
    Stmt,
    Type,
    Variable,
)
from pilgrim_rules.core.show_expr import show, show_binder, show_keys
from pilgrim_rules.core.values import show as show_value

Item: TypeAlias = (
    Action | Claim | Constant | Def | Effect | Example | Figure | Network | Preset | Ranking | Ruling | ScoreSheet | Stage
    | Variable
)  # fmt: skip
Lines: TypeAlias = Iterator[str]

_SHOWN_VALUES = 32


def show_game(game: Game) -> str:
    """Return the whole game as text, with a final line break."""
    score = () if game.score is None else (game.score,)
    groups: tuple[Iterable[Item], ...] = (
        game.rulings,
        game.presets,
        game.constants,
        game.stages,
        game.variables,
        game.defs,
        game.effects,
        game.actions,
        game.claims,
        game.rankings,
        game.networks,
        score,
        game.examples,
        game.figures,
    )
    blocks = [f'game {game.name} "{game.title}"{_cites(game.note.clauses)}']
    blocks += ["\n".join(f"type {type_.name} = {_spelled(type_)}" for type_ in game.types)]
    blocks += ["\n".join(show_item(item, game) for item in group) for group in groups]
    blocks += ["\n".join(f'term {name} "{words}"' for name, words in game.glossary)]
    return "\n\n".join(block for block in blocks if block) + "\n"


def show_item(item: Item, game: Game) -> str:
    """Return one declaration as text."""
    return "\n".join(_lines(item, game))


def _lines(item: Item, game: Game) -> Lines:
    cites = _cites(item.note.clauses)
    match item:
        case Ruling(name=name, options=options, default=default):
            said = (f"{option}{' default' if option == default else ''}" for option, _ in options)
            yield f"ruling {name}: {', '.join(said)}{cites}"
        case Preset(name=name, choices=choices):
            yield f"preset {name}: {', '.join(f'{ruling} = {option}' for ruling, option in choices)}{cites}"
        case Constant():
            yield _constant(item) + cites
        case Stage(code=code, name=name, kind=kind, by=by):
            yield f"stage {code} {name} {kind}{'' if by is None else f' by {show(by)}'}{cites}"
        case Variable():
            yield _variable(item) + cites
        case Def(name=name, params=params, body=body, public=public):
            yield f"{'public ' if public else ''}def {name}({_params(params)}) -> {body.type.name}{cites}"
            yield f"    {show(body)}"
        case Effect(name=name, params=params, body=stmts):
            yield f"effect {name}({_params(params)}){cites}"
            yield from _indented(_statements(stmts))
        case Action():
            yield from _action(item, game)
        case Claim(name=name, kind=kind, formula=formula, using=using, follows=follows):
            yield f"{kind} {name}{_after(' follows from' if follows else ' using', using)}{cites}"
            yield f"    {show(formula)}"
        case Ranking(name=name, parts=parts):
            yield f"terminates {name} by ({', '.join(map(show, parts))}){cites}"
        case Network():
            yield from _network(item)
        case ScoreSheet(player=player, lines=lines, per=per, keys=keys, total=total):
            yield f"score of {player} in 1/{per}{cites}"
            for line in lines:
                yield f'    line "{line.label}" {show(line.value)}{_cites(line.clauses)}'
            yield f"    rank by {show_keys(keys)}{' total' if total else ''}"
        case Example(name=name, witness=witness):
            yield f"{'witness' if witness else 'example'} {name}{cites}"
            yield from _indented(_steps(item, game))
        case Figure():
            yield from _figure(item)
        case _:
            assert_never(item)


def _spelled(type_: Type) -> str:
    match type_.kind:
        case "bool":
            return "bool"
        case "int":
            return f"{type_.lo}..{type_.hi}"
        case "enum":
            return ", ".join(type_.labels)
        case "pair":
            return f"{type_.parts[0].name} * {type_.parts[1].name}"
        case "optional":
            return f"{type_.parts[0].name}?"
        case _:
            assert_never(type_.kind)


def _constant(constant: Constant) -> str:
    shown = [show_value(constant.type, code) for code in constant.values[:_SHOWN_VALUES]]
    if len(constant.values) > _SHOWN_VALUES:
        shown.append(f"… ({len(constant.values)} values)")
    assumed = " assumed" if constant.assumed else ""
    return f"{constant.source} {constant.name}{_types(constant.index)} : {constant.type.name}{assumed} = {', '.join(shown)}"


def _variable(variable: Variable) -> str:
    over = zip(variable.over, variable.index, strict=True)
    index = ", ".join(f"{name}: {type_.name}" for name, type_ in over)
    sight = "" if variable.sight == "open" else f" {variable.sight}"
    until = "" if variable.until is None else f" until ({show(variable.until)})"
    kind = "ghost" if variable.ghost else "state"
    cells = f"[{index}]" if index else ""
    return f"{kind} {variable.name}{cells} : {variable.type.name}{sight}{until} = {show(variable.initial)}"


def _action(action: Action, game: Game) -> Lines:
    stages = ", ".join(show_value(game.stage, code) for code in action.stages)
    yield f"{action.kind} {action.name}({_params(action.params)}) during {stages}{_cites(action.note.clauses)}"
    if action.weight is not None:
        yield f"    weight {show(action.weight)}"
    for line in action.guard:
        match line:
            case Require(test=test, says=says, clauses=clauses, defines=defines):
                otherwise = "" if says is None else f' else "{says}"'
                so_that = "" if defines is None else f" defines {defines}"
                yield f"    require {show(test)}{so_that}{otherwise}{_cites(clauses)}"
            case Given(name=name, value=value):
                yield f"    let {name} = {show(value)}"
            case _:
                assert_never(line)
    if action.place is not None:
        yield f"    at {show(action.place)}"
    yield "    do"
    yield from _indented(_indented(_statements(action.body)))


def _statements(block: tuple[Stmt, ...]) -> Lines:
    for stmt in block:
        match stmt:
            case Assign(variable=variable, index=index, mode=mode, value=value, clauses=clauses):
                cell = variable + (f"[{', '.join(map(show, index))}]" if index else "")
                yield f"{cell} {'=' if mode == 'set' else '+='} {show(value)}{_cites(clauses)}"
            case Define(name=name, value=value):
                yield f"let {name} = {show(value)}"
            case Branch(test=test, then=then, other=other):
                yield f"if {show(test)}"
                yield from _indented(_statements(then))
                if other:
                    yield "else"
                    yield from _indented(_statements(other))
            case Loop(binder=binder, where=where, body=body, simultaneous=simultaneous):
                condition = "" if where is None else f" where {show(where)}"
                yield f"for {'' if simultaneous else 'each '}{show_binder(binder)}{condition}"
                yield from _indented(_statements(body))
            case _:
                assert_never(stmt)


def _network(network: Network) -> Lines:
    index = ", ".join(map(show_binder, network.binders))
    yield f"network {network.name}{f'[{index}]' if index else ''}{_cites(network.note.clauses)}"
    for node in network.nodes:
        domain = "".join(f" for {show_binder(binder)}" for binder in node.binders)
        yield f"    node ({', '.join(map(show, node.node))}){domain} when {show(node.when)}"
    for link in network.links:
        domain = "".join(f" for {show_binder(binder)}" for binder in link.binders)
        ends = f"({', '.join(map(show, link.left))}), ({', '.join(map(show, link.right))})"
        yield f"    link {ends}{domain} when {show(link.when)}{' between nodes' if link.nodes_only else ''}"


def _figure(figure: Figure) -> Lines:
    canvas = figure.canvas
    yield f'figure {figure.name} "{figure.title}"'
    yield f"    canvas {canvas.type.name}: {len(canvas.places)} x {canvas.outline}, {len(canvas.links)} links"
    for label, colour in figure.tints:
        yield f"    tint {label} {colour}"
    for layer in figure.layers:
        yield f"    {_layer(layer)}"


def _layer(layer: Layer) -> str:
    sign = f" {layer.shape}" if layer.shape else f' "{layer.text}"' if layer.text else ""
    value = "" if layer.value is None else f" {show(layer.value)}"
    domain = "".join(f" for {show_binder(binder)}" for binder in layer.binders)
    where = "" if layer.where is None else f" where {show(layer.where)}"
    by = "" if layer.by is None else f" by {show(layer.by)}"
    return f"{layer.kind}{sign}{value} at {', '.join(map(show, layer.at))}{domain}{where}{by}"


def _steps(example: Example, game: Game) -> Lines:
    params = {action.name: action.params for action in game.actions}

    def move(action: str, args: tuple[int, ...]) -> str:
        said = (show_value(param.type, code) for param, code in zip(params[action], args, strict=True))
        return f"{action}({', '.join(said)})"

    for step in example.steps:
        match step:
            case Arrange(body=body):
                yield "given"
                yield from _indented(_statements(body))
            case Make(action=action, args=args, by=by):
                yield f"when {move(action, args)}" + ("" if by is None else f" by {show_value(game.player, by)}")
            case Refuse(action=action, args=args, clauses=clauses):
                yield f"refuse {move(action, args)}{_after(' because', clauses)}"
            case Expect(formula=formula, under=under):
                rulings = _after(" under", (f"{ruling} = {option}" for ruling, option in under))
                yield f"expect {show(formula)}{rulings}"
            case _:
                assert_never(step)


def _params(params: tuple[Parameter, ...]) -> str:
    return ", ".join(
        f"{param.name}: {param.type.name}{'' if param.default is None else f' = {show_value(param.type, param.default)}'}"
        for param in params
    )


def _types(index: tuple[Type, ...]) -> str:
    return f"[{', '.join(type_.name for type_ in index)}]" if index else ""


def _cites(clauses: tuple[str, ...]) -> str:
    return _after("  cites", clauses)


def _after(word: str, names: Iterable[str]) -> str:
    """Return the word and the names, or nothing if there are none."""
    said = ", ".join(names)
    return f"{word} {said}" if said else ""


def _indented(lines: Iterable[str]) -> Lines:
    return (f"    {line}" for line in lines)
