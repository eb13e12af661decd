"""Game: everything that has been lowered, put together.

Reads:  the program and the results of the other passes of this package.   Writes: `ir.Game`.
After:  the core is complete; `core.validate` may look at it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pilgrim_rules.core import derived, ir
from pilgrim_rules.core.policy_parts import without_policy_parts
from pilgrim_rules.core.values import show
from pilgrim_rules.core.walk import substitute
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.language.check.actions import Actions
from pilgrim_rules.language.check.campaigns import Campaigns
from pilgrim_rules.language.check.claims import Claims
from pilgrim_rules.language.check.constant import value_of
from pilgrim_rules.language.check.contracts import Contracts
from pilgrim_rules.language.check.data_and_state import DataAndState
from pilgrim_rules.language.check.examples import Examples
from pilgrim_rules.language.check.figures import Figures
from pilgrim_rules.language.check.flows import warn_of_flows
from pilgrim_rules.language.check.payments import Purses
from pilgrim_rules.language.check.program_info import ProgramInfo
from pilgrim_rules.language.check.sight import Sights
from pilgrim_rules.language.check.stages import StageTable
from pilgrim_rules.language.check.sub_turns import SubTurns
from pilgrim_rules.language.check.symmetries import symmetries
from pilgrim_rules.language.check.texts import row_texts
from pilgrim_rules.language.check.zone_tables import open_numbers, zone_claims
from pilgrim_rules.language.names.dependents import Dependents
from pilgrim_rules.language.syntax import ast

MOST_SEATS = 64  #: more than any game may have


def lower(tables: DataAndState, *, rules_alone: bool = False) -> ir.Game:
    """Return the core of a game; if the bag holds errors, it is not to be used.

    rules_alone  without the claims that nobody has written, and without warnings.
    """
    program = tables.program
    purses = Purses(tables)
    figures = Figures(tables)
    figures.draw_canvases()
    stages = StageTable(tables)
    actions = Actions(tables, purses, figures, stages)
    actions.run()
    stages.always()
    claims = Claims(tables)
    variables = Sights(tables).variables()
    Sights(tables).secret_polls()
    all_claims = claims.claims()
    rankings, networks = claims.rankings(), claims.networks()
    examples = Examples(tables, purses).run()
    drawn = figures.run()
    campaigns, of_campaigns = Campaigns(tables).run()
    _laws(all_claims, program)
    here = frozenset(claim.name for claim in all_claims)
    all_claims += Contracts(tables, stages).claims(here)
    if not rules_alone:
        all_claims += (*SubTurns(program).claims(), *of_campaigns)
        all_claims += zone_claims(program)
    texts = row_texts(tables)
    if not program.bag.errors:
        stages.idle_stages()
    game = program.symbols.game
    order = {name: at for at, name in enumerate(program.symbols.rules)}
    values = program.symbols.values.values()
    decisions = [_ruling(node, program) for node in values if isinstance(node, ast.Ruling)]
    made = ir.Game(
        name=game.name.text if game else "",
        title=(game.title or game.name.text.replace("_", " ")) if game else "",
        player=program.player,
        stage=program.stage,
        types=tuple(type_ for name, type_ in program.types.items() if type_.name == name),
        stages=_stages(program),
        variables=variables,
        constants=tuple(program.constants.values()),
        defs=(
            *program.defs.values(),
            *open_numbers(program, variables),
            *derived.seen_defs(variables, program.player),
        ),
        effects=tuple(program.effects.values()),
        actions=tuple(sorted(program.actions.values(), key=lambda action: order[action.name])),
        claims=all_claims,
        rankings=rankings,
        rulings=tuple(each for each in decisions if not each.by_players),
        networks=networks,
        examples=examples,
        score=program.sheet,
        glossary=tuple((term.name.text, term.text) for term in program.symbols.terms.values()),
        note=program.note(game) if game else ir.Note(),
        presets=tuple(_preset(node, program) for node in program.symbols.presets.values()),
        namings=tuple(_namings(program)),
        seats=_seats(game) or (program.people,),
        figures=drawn,
        pinned=tuple(_pins(program)),
        guards=tuple(program.guards.values()),
        purses=tuple(program.purses.values()),
        texts=texts,
        options=tuple(each for each in decisions if each.by_players),
        symmetries=symmetries(program),
        automata=program.automata,
        looked_at=tuple(each.name for each in decisions if each.name in program.looked_at | program.pinned),
        campaigns=campaigns,
    )
    if not (rules_alone or program.bag.errors):
        warn_of_flows(made, program.bag)
    absent = any(word.text in program.absent for line in (game.automata if game else ()) for word in line.names)
    return derived.drop_unasked(without_policy_parts(made) if absent and not program.bag.errors else made)


def _pins(program: ProgramInfo) -> Iterator[ir.Pin]:
    """Yield the values that were used while the rules were read, with what depends on each."""
    if names := [name for name in program.constants if name in program.pinned]:
        dependents = Dependents(program.symbols)
        yield from (ir.Pin(name, dependents.of(name)) for name in names)


def _seats(game: ast.Game | None) -> tuple[int, ...]:
    """Return the numbers of players of a game; of a range that is too long, which has been reported, the beginning."""
    low, high = game.players if game is not None and game.players is not None else (0, -1)
    return tuple(range(low, high + 1)[:MOST_SEATS])


def _stages(program: ProgramInfo) -> tuple[ir.Stage, ...]:
    made: list[ir.Stage] = []
    for info in program.stages.values():
        note = ir.Note(info.node.doc, program.clauses(info.node.cites), info.node.span)
        made += [
            ir.Stage(code, program.stage.labels[code], info.node.kind, info.by, note, info.always)
            for code in info.codes
        ]
    return tuple(made)


def _ruling(node: ast.Ruling, program: ProgramInfo) -> ir.Ruling:
    options = tuple((option.name.text, option.text) for option in node.options)
    default = next((option.name.text for option in node.options if option.default), "")
    refused = tuple((option.name.text, option.text, option.refused or "") for option in node.refused)
    return ir.Ruling(node.name.text, options, default, program.note(node), node.by_players, refused)


def _preset(node: ast.Preset, program: ProgramInfo) -> ir.Preset:
    """Return a preset; the rulings and options it names have been looked up when they were chosen."""
    choices = tuple((line.ruling.text, line.option.text) for line in node.choices)
    cited = tuple(clause for line in node.choices for clause in program.clauses(line.cites))
    note = program.note(node)
    return ir.Preset(
        node.name.text,
        node.title or node.name.text,
        choices,
        replace(note, clauses=(*note.clauses, *cited)),
        node.edition,
        tuple(each.text for each in node.clauses),
        "" if node.data is None else node.data.text,
    )


def _namings(program: ProgramInfo) -> Iterator[ir.Naming]:
    """Yield what is declared but leaves only its name in the core."""
    symbols = program.symbols
    tables: tuple[tuple[ir.NamingKind, type[ast.Decl], Mapping[str, ast.Decl]], ...] = (
        ("enum", ast.Enum, symbols.types),
        ("type", ast.TypeAliasDecl, symbols.types),
        ("rows", ast.Rows, symbols.types),
        ("graph", ast.Graph, symbols.graphs),
        ("purse", ast.Purse, symbols.purses),
        ("stageset", ast.StageSet, symbols.stagesets),
        ("term", ast.TermDecl, symbols.terms),
        ("zones", ast.ZoneLine, symbols.zones),
    )
    for kind, class_, table in tables:
        for node in table.values():
            if isinstance(node, class_):
                yield ir.Naming(node.name.text, kind, program.note(node))


def _laws(claims: tuple[ir.Claim, ...], program: ProgramInfo) -> None:
    """Check the laws against the data; they are all that proofs may assume of it."""
    if program.bag.errors:
        return
    for claim in claims:
        word = program.symbols.claims[claim.name].name
        if claim.kind != "law" or value_of(claim.formula, program, word.span, looks=True) != 0:
            continue
        broken = _counterexample(claim.formula, program, word.span)
        help_ = None if broken is None else f"it fails for {broken}"
        program.bag.add(codes.PR507, f"the data breaks the law `{claim.name}`", word.span, help=help_)


def _counterexample(formula: ir.Expr, program: ProgramInfo, span: Span) -> str | None:
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
            if value_of(substitute(rest, trial), program, span, looks=True) == 0:
                found = trial
                said.append(f"{binder.name} = {show(binder.type, code)}")
                break
    return ", ".join(said)
