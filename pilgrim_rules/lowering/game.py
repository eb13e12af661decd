"""Game: everything that has been lowered, put together.

Reads:  the program and the results of the other passes of this package.   Writes: `ir.Game`.
After:  the core is complete; `core.validate` may look at it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pilgrim_rules.core import ir
from pilgrim_rules.core.values import show
from pilgrim_rules.core.walk import action_expressions, subexpressions, substitute
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.lowering.actions import Actions
from pilgrim_rules.lowering.claims import Claims
from pilgrim_rules.lowering.examples import Examples
from pilgrim_rules.lowering.figures import Figures
from pilgrim_rules.lowering.purses import Purses
from pilgrim_rules.source import Span
from pilgrim_rules.syntax import ast
from pilgrim_rules.types.constant import value_of
from pilgrim_rules.types.program import Program, equals
from pilgrim_rules.types.scope import PLAY, Scope
from pilgrim_rules.types.tables import Tables

MOST_SEATS = 64  #: more than any game may have


def lower(tables: Tables) -> ir.Game:
    """Return the core of a game; if the bag holds errors, it is not to be used."""
    program = tables.program
    purses = Purses(tables)
    figures = Figures(tables)
    figures.draw_canvases()
    actions = Actions(tables, purses, figures)
    actions.run()
    claims = Claims(tables)
    variables = _sight(tables)
    all_claims = claims.claims()
    rankings, networks, score = claims.rankings(), claims.networks(), claims.score()
    examples = Examples(tables, purses).run()
    drawn = figures.run()
    _laws(all_claims, program)
    if not program.bag.errors:
        actions.idle_stages()
    game = program.symbols.game
    order = {name: at for at, name in enumerate(program.symbols.rules)}
    return ir.Game(
        name=game.name.text if game else "",
        title=(game.title or game.name.text.replace("_", " ")) if game else "",
        player=program.player,
        stage=program.stage,
        types=tuple(type_ for name, type_ in program.types.items() if type_.name == name),
        stages=_stages(program),
        variables=variables,
        constants=tuple(program.constants.values()),
        defs=_used_defs(program),
        effects=tuple(actions.effects),
        actions=tuple(sorted(program.actions.values(), key=lambda action: order[action.name])),
        claims=all_claims,
        rankings=rankings,
        rulings=tuple(
            _ruling(node, program) for node in program.symbols.values.values() if isinstance(node, ast.Ruling)
        ),
        networks=networks,
        examples=examples,
        score=score,
        glossary=tuple((term.name.text, term.text) for term in program.symbols.terms.values()),
        note=program.note(game) if game else ir.Note(),
        presets=tuple(_preset(node, program) for node in program.symbols.presets.values()),
        namings=tuple(_namings(program)),
        seats=_seats(game) or (program.player.size,),
        figures=drawn,
    )


def _seats(game: ast.Game | None) -> tuple[int, ...]:
    """Return the numbers of players of a game; of a range that is too long, which has been reported, the beginning."""
    low, high = game.players if game is not None and game.players is not None else (0, -1)
    return tuple(range(low, high + 1)[:MOST_SEATS])


def _stages(program: Program) -> tuple[ir.Stage, ...]:
    made: list[ir.Stage] = []
    for info in program.stages.values():
        note = ir.Note(info.node.doc, program.clauses(info.node.cites), info.node.span)
        made += [ir.Stage(code, program.stage.labels[code], info.node.kind, info.by, note) for code in info.codes]
    return tuple(made)


def _sight(tables: Tables) -> tuple[ir.Variable, ...]:
    """Return the variables with the test from which on a private or hidden one is open."""
    made: list[ir.Variable] = []
    for variable in tables.program.variables.values():
        node = tables.program.symbols.values.get(variable.name)
        until = node.until if isinstance(node, ast.Variable) else None
        if until is None:
            made.append(variable)
            continue
        if isinstance(until, ast.Name) and until.text in tables.program.stages:
            stage = tables.program.stage
            test = equals(ir.Read("stage", (), stage), ir.Lit(tables.program.stages[until.text].first, stage))
        else:
            test = tables.check.boolean(until, Scope(PLAY))
        made.append(replace(variable, until=test))
    return tuple(made)


def _used_defs(program: Program) -> tuple[ir.Def, ...]:
    """Return the definitions; those made for `possible` only where somebody asks."""
    asked: set[str] = set()
    for action in program.actions.values():
        for expr in action_expressions(action):
            asked |= {part.definition for part in subexpressions(expr) if isinstance(part, ir.Call)}
    return tuple(made for name, made in program.defs.items() if not name.startswith("possible.") or name in asked)


def _ruling(node: ast.Ruling, program: Program) -> ir.Ruling:
    options = tuple((option.name.text, option.text) for option in node.options)
    default = next((option.name.text for option in node.options if option.default), "")
    return ir.Ruling(node.name.text, options, default, program.note(node))


def _preset(node: ast.Preset, program: Program) -> ir.Preset:
    """Return a preset; the rulings and options it names have been looked up when they were chosen."""
    choices = tuple((line.ruling.text, line.option.text) for line in node.choices)
    cited = tuple(clause for line in node.choices for clause in program.clauses(line.cites))
    note = program.note(node)
    return ir.Preset(
        node.name.text, node.title or node.name.text, choices, replace(note, clauses=(*note.clauses, *cited))
    )


def _namings(program: Program) -> Iterator[ir.Naming]:
    """Yield what is declared but leaves only its name in the core."""
    symbols = program.symbols
    tables: tuple[tuple[ir.NamingKind, type[ast.Decl], Mapping[str, ast.Decl]], ...] = (
        ("enum", ast.Enum, symbols.types),
        ("type", ast.TypeAliasDecl, symbols.types),
        ("rows", ast.Rows, symbols.types),
        ("graph", ast.Graph, symbols.graphs),
        ("purse", ast.Purse, symbols.purses),
        ("stageset", ast.StageSet, symbols.stagesets),
        ("term", ast.Term, symbols.terms),
    )
    for kind, class_, table in tables:
        for node in table.values():
            if isinstance(node, class_):
                yield ir.Naming(node.name.text, kind, program.note(node))


def _laws(claims: tuple[ir.Claim, ...], program: Program) -> None:
    """Check the laws against the data; they are all that proofs may assume of it."""
    if program.bag.errors:
        return
    for claim in claims:
        word = program.symbols.claims[claim.name].name
        if claim.kind != "law" or value_of(claim.formula, program, word.span) != 0:
            continue
        broken = _counterexample(claim.formula, program, word.span)
        help_ = None if broken is None else f"it fails for {broken}"
        program.bag.add(codes.PR507, f"the data breaks the law `{claim.name}`", word.span, help=help_)


def _counterexample(formula: ir.Expr, program: Program, span: Span) -> str | None:
    """Return the first values for which a law about all values fails, such as `k = 2`."""
    if not isinstance(formula, ir.Fold) or formula.op != "all":
        return None
    # The first failing value of the first name, then of the second among those, and so on.
    found: dict[str, ir.Expr] = {}
    said: list[str] = []
    for at, binder in enumerate(formula.binders):
        for code in range(binder.type.lo, binder.type.hi + 1):
            trial = {**found, binder.name: ir.Lit(code, binder.type)}
            rest = replace(formula, binders=formula.binders[at + 1 :])
            if value_of(substitute(rest, trial), program, span) == 0:
                found = trial
                said.append(f"{binder.name} = {show(binder.type, code)}")
                break
    return ", ".join(said)
