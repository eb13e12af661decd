"""A core game as readable text, for `pilgrim print --after lower` and for golden tests.

Reads:  a core game.   Writes: text close to the rules language, one declaration after the other.
After:  the same game always gives the same text; documentation and places are left out, citations are not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias, assert_never

from pilgrim_rules.core.forms import form_of
from pilgrim_rules.core.ir import (
    Action,
    Arrange,
    Assign,
    Audience,
    Branch,
    Campaign,
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
    Guard,
    Layer,
    Loop,
    Make,
    Network,
    Options,
    Parameter,
    Preset,
    Purse,
    Ranking,
    Refuse,
    Require,
    Ruling,
    ScoreSheet,
    Stage,
    Stmt,
    Symmetry,
    Type,
    Variable,
    Written,
    WrittenStmt,
)
from pilgrim_rules.core.move_text import move_text_in
from pilgrim_rules.core.show_expr import show, show_binder, show_keys
from pilgrim_rules.core.show_lines import cites as show_cites
from pilgrim_rules.core.show_lines import indented, show_cost, show_guard, show_purse, show_statements
from pilgrim_rules.core.values import show as show_value

Item: TypeAlias = (
    Action | Campaign | Claim | Constant | Def | Effect | Example | Figure | Guard | Network | Preset | Purse | Ranking | Ruling | ScoreSheet | Stage
    | Symmetry | Variable
)  # fmt: skip
Lines: TypeAlias = Iterator[str]

_SHOWN_VALUES = 32


def show_game(game: Game, *, expanded: bool = False) -> str:
    """Return the whole game as text, with a final line break: as written, or `expanded` to what the lines stand for."""
    score = () if game.score is None else (game.score,)
    groups: tuple[Iterable[Item], ...] = (
        game.decisions,
        game.presets,
        game.constants,
        game.stages,
        game.variables,
        game.defs,
        game.purses,
        game.guards,
        game.effects,
        game.actions,
        game.claims,
        game.rankings,
        game.symmetries,
        game.networks,
        score,
        game.examples,
        game.figures,
        game.campaigns,
    )
    blocks = [f'game {game.name} "{game.title}"{show_cites(game.note.clauses)}']
    blocks += ["\n".join(f"type {type_.name} = {_spelled(type_)}" for type_ in game.types)]
    blocks += ["\n".join(show_item(item, game, expanded=expanded) for item in group) for group in groups]
    blocks += ["\n".join(f'term {name} "{words}"' for name, words in game.glossary)]
    return "\n\n".join(block for block in blocks if block) + "\n"


def show_item(item: Item, game: Game, *, expanded: bool = False) -> str:
    """Return one declaration as text."""
    return "\n".join(_lines(item, game, expanded=expanded))


def _lines(item: Item, game: Game, *, expanded: bool) -> Lines:
    cites = show_cites(item.note.clauses)
    match item:
        case Ruling(name=name, options=options, default=default, kind=kind):
            said = (f"{option}{' default' if option == default else ''}" for option, _ in options)
            yield f"{kind} {name}: {', '.join(said)}{cites}"
        case Preset(name=name, choices=choices, edition=edition):
            yield f"{'edition' if edition else 'preset'} {name}: {', '.join(f'{ruling} = {option}' for ruling, option in choices)}{cites}"
        case Constant():
            yield _constant(item) + cites
        case Stage(code=code, name=name, kind=kind, by=by, always=always):
            sure = f" always {' or '.join(map(show, always))}" if always else ""
            yield f"stage {code} {name} {kind}{'' if by is None else f' by {show(by)}'}{sure}{cites}"
        case Variable():
            yield _variable(item) + cites
        case Def(name=name, params=params, body=body, public=public):
            yield f"{'public ' if public else ''}def {name}({_params(params)}) -> {body.type.name}{cites}"
            yield f"    {show(body)}"
        case Purse():
            yield show_purse(item)
        case Guard(name=name, params=params, lines=guard_lines):
            yield f"guard {name}({_params(params)}){cites}"
            yield from indented(show_guard(guard_lines))
        case Effect(name=name, params=params):
            yield f"effect {name}({_params(params)}){cites}"
            yield from indented(_block(item.lines, item.body, game, expanded=expanded))
        case Action():
            yield from _action(item, game, expanded=expanded or item.written == Written())
        case Claim(name=name, kind=kind, formula=formula, using=using, follows=follows, when=when):
            lemmas = _after(" follows from" if follows else " using", using)
            yield f"{kind} {name}{lemmas}{'' if when is None else f' when {show(when)}'}{cites}"
            yield f"    {show(formula)}"
        case Ranking(name=name, parts=parts):
            yield f"terminates {name} by ({', '.join(map(show, parts))}){cites}"
        case Symmetry(name=name, maps=maps):
            yield f"symmetry {name} = {', '.join(maps)}{cites}"
        case Network():
            yield from _network(item)
        case ScoreSheet(player=player, lines=lines, per=per, keys=keys, total=total):
            yield f"score of {player} in 1/{per}{cites}"
            for line in lines:
                yield f'    line "{line.label}" {show(line.value)}{show_cites(line.clauses)}'
            yield f"    rank by {show_keys(keys)}{' total' if total else ''}"
        case Example(name=name, witness=witness, under=under):
            yield f"{'witness' if witness else 'example'} {name}{_under_text(under)}{cites}"
            yield from indented(_steps(item, game, expanded=expanded))
        case Campaign(name=name, fold=fold, result=result, games=games):
            yield f"campaign {name}: {fold} of {show(result)} in {len(games)} games{cites}"
        case Figure():
            yield from _figure(item)
        case _:
            assert_never(item)


def _spelled(type_: Type) -> str:
    match type_.kind:
        case "bool":
            return "bool"
        case "int":
            return f"{type_.lo}..{'' if type_.is_open else type_.hi}"
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
    sight = _seen(variable.seen)
    kind = "ghost" if variable.ghost else "state"
    cells = f"[{index}]" if index else ""
    return f"{kind} {variable.name}{cells} : {variable.type.name}{sight} = {show(variable.initial)}"


def _seen(audience: Audience | None) -> str:
    return "" if audience is None else f" seen by {audience.viewer} where {show(audience.test)}"


def _block(written: tuple[WrittenStmt, ...], body: tuple[Stmt, ...], game: Game, *, expanded: bool) -> Lines:
    ghosts = frozenset(variable.name for variable in game.variables if variable.ghost)
    return _statements(body) if expanded or not written else show_statements(written, ghosts)


def _action(action: Action, game: Game, *, expanded: bool) -> Lines:
    stages = ", ".join(_stages(action, game, expanded=expanded))
    yield f"{action.kind} {action.name}({_params(action.params)}) during {stages}{show_cites(action.note.clauses)}"
    yield from (f'    summary "{each.text}"{show_cites(each.clauses)}' for each in action.summary)
    if action.weight is not None:
        yield f"    weight {show(action.weight)}"
    yield from indented(_requirements(action) if expanded else show_guard(action.written.guard))
    if not expanded:
        yield from (f"    {show_cost(cost)}" for cost in action.written.costs)
    if action.place is not None:
        yield f"    at {show(action.place)}"
    for reveal in action.reveals:
        to = "" if reveal.to is None else f" to {reveal.to.viewer} where {show(reveal.to.test)}"
        yield f"    reveal {show(reveal.value)}{to}{show_cites(reveal.clauses)}"
    yield "    do"
    yield from indented(indented(_block(action.written.body, action.body, game, expanded=expanded)))


def _stages(action: Action, game: Game, *, expanded: bool) -> Iterable[str]:
    """Return the stages of an action; those that carry a value, which the action may name, are written as one."""
    if expanded:
        return [show_value(game.stage, code) for code in action.stages]
    carried = {
        form.label: line.name
        for line in action.written.guard
        if isinstance(line, Given) and (form := form_of(line.value)) is not None and form.name == "carried"
    }
    said: dict[str, None] = {}
    for stage in game.stages:
        if stage.code in action.stages:
            family, bracket, _ = stage.name.partition("(")
            whole = {each.code for each in game.stages if each.name.partition("(")[0] == family} <= set(action.stages)
            name = f"{family}({carried[family]})" if family in carried else family
            said[name if bracket and whole else stage.name] = None
    return said


def _requirements(action: Action) -> Lines:
    for line in action.guard:
        match line:
            case Require(test=test, says=says, clauses=clauses, defines=defines):
                otherwise = "" if says is None else f' else "{says}"'
                so_that = "" if defines is None else f" defines {defines}"
                yield f"require {show(test)}{so_that}{otherwise}{show_cites(clauses)}"
            case Given(name=name, value=value):
                yield f"let {name} = {show(value)}"
            case _:
                assert_never(line)


def _statements(block: tuple[Stmt, ...]) -> Lines:
    for stmt in block:
        match stmt:
            case Assign(variable=variable, index=index, mode=mode, value=value, clauses=clauses):
                cell = variable + (f"[{', '.join(map(show, index))}]" if index else "")
                yield f"{cell} {'=' if mode == 'set' else '+='} {show(value)}{show_cites(clauses)}"
            case Define(name=name, value=value):
                yield f"let {name} = {show(value)}"
            case Branch(test=test, then=then, other=other):
                yield f"if {show(test)}"
                yield from indented(_statements(then))
                if other:
                    yield "else"
                    yield from indented(_statements(other))
            case Loop(binder=binder, where=where, body=body, simultaneous=simultaneous):
                condition = "" if where is None else f" where {show(where)}"
                yield f"for {'' if simultaneous else 'each '}{show_binder(binder)}{condition}"
                yield from indented(_statements(body))
            case _:
                assert_never(stmt)


def _network(network: Network) -> Lines:
    index = ", ".join(map(show_binder, network.binders))
    yield f"network {network.name}{f'[{index}]' if index else ''}{show_cites(network.note.clauses)}"
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


def _steps(example: Example, game: Game, *, expanded: bool) -> Lines:
    for step in example.steps:
        match step:
            case Arrange(body=body):
                yield "given"
                yield from indented(_block(step.lines, body, game, expanded=expanded))
            case Make(action=action, args=args, by=by):
                decider = "" if by is None else f" by {show_value(game.player, by)}"
                yield f"when {move_text_in(game, (action, args))}{decider}{_under_text(step.under)}"
            case Refuse(action=action, args=args, clauses=clauses):
                yield f"refuse {move_text_in(game, (action, args))}{_after(' because', clauses)}{_under_text(step.under)}"
            case Expect(formula=formula):
                yield f"expect {show(formula)}{_under_text(step.under)}"
            case _:
                assert_never(step)


def _under_text(options: Options) -> str:
    return _after(" under", (f"{ruling} = {option}" for ruling, option in options))


def _params(params: tuple[Parameter, ...]) -> str:
    return ", ".join(
        f"{param.name}: {param.type.name}{_seen(param.seen)}{'' if param.default is None else f' = {show_value(param.type, param.default)}'}"
        for param in params
    )


def _types(index: tuple[Type, ...]) -> str:
    return f"[{', '.join(type_.name for type_ in index)}]" if index else ""


def _after(word: str, names: Iterable[str]) -> str:
    """Return the word and the names, or nothing if there are none."""
    said = ", ".join(names)
    return f"{word} {said}" if said else ""
