"""Where each clause is cited: from the rulebook to the rules, line by line.

Reads:  a core game.   Writes: `Citation` values, and an index from clause id to them.
After:  whoever asks "where is SHR-3 in the rules?" finds every line, and what kind of line it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, assert_never

from pilgrim_rules.core.ir import Action, Constant, Example, Game, Note, Refuse, Require, ScoreSheet, Stmt
from pilgrim_rules.core.rule_walk import assignments
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.codes import PR608
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.inputs.clauses.inventory import Inventory

Kind: TypeAlias = Literal["rule", "parameter", "invariant", "example", "ruling"]
KINDS: tuple[Kind, ...] = ("rule", "parameter", "invariant", "example", "ruling")


#: Lines that name things: whoever reads them learns a word, but no play depends on the clause there.
NAMING = frozenset({"game", "stage", "enum", "type", "term", "rows"})


@dataclass(frozen=True, slots=True)
class Citation:
    """One line of the rules that cites a clause.

    part  what the line is: `action`, `requirement`, `assignment`, `def`, `variable`, `claim` and so on.
    item  the declaration it belongs to.
    kind  the column of the coverage table in which it counts.
    """

    clause: str
    kind: Kind
    part: str
    item: str
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def only_names(self) -> bool:
        """Whether the line just names something."""
        return self.part in NAMING


def citations(game: Game) -> tuple[Citation, ...]:
    """Return every citation, in the order of the game; a line that is expanded several times counts once an item."""
    return tuple(dict.fromkeys(_all(game)))


def trace(*games: Game) -> dict[str, tuple[Citation, ...]]:
    """Return the citations of each clause that is cited, in any of several instances of a game."""
    found: dict[str, dict[Citation, None]] = {}
    for game in games:
        for citation in citations(game):
            found.setdefault(citation.clause, {})[citation] = None
    return {clause: tuple(lines) for clause, lines in found.items()}


def check_waivers(game: Game, inventory: Inventory, bag: Bag) -> None:
    """Warn of waivers that are no longer needed, since the rules cite the clause."""
    cited = trace(game)
    for clause in inventory.waived():
        if clause in cited:
            help_ = f"`{cited[clause][0].item}` cites it: delete the waiver"
            bag.add(PR608, f"`{clause}` is waived, and cited", inventory.waiver_span(clause), help=help_)


def _all(game: Game) -> Iterator[Citation]:
    yield from _note(game.note, "rule", "game", game.name)
    for constant in game.constants:
        yield from _note(constant.note, _constant_kind(constant), constant.source, constant.name)
    for ruling in game.decisions:
        yield from _note(ruling.note, "rule" if ruling.by_players else "ruling", ruling.kind, ruling.name)
    for preset in game.presets:
        yield from _note(preset.note, "ruling", "preset", preset.name)
    for naming in game.namings:
        yield from _note(naming.note, "rule", naming.kind, naming.name)
    for stage in game.stages:
        yield from _note(stage.note, "rule", "stage", stage.name)
    for variable in game.variables:
        yield from _note(variable.note, "rule", "variable", variable.name)
    for definition in game.defs:
        yield from _note(definition.note, "rule", "def", definition.name)
    for effect in game.effects:
        yield from _note(effect.note, "rule", "effect", effect.name)
        yield from _assignments(effect.body, effect.name)
    for action in game.actions:
        yield from _action(action)
    for claim in game.claims:
        yield from _note(claim.note, "invariant", claim.kind, claim.name)
    for ranking in game.rankings:
        yield from _note(ranking.note, "invariant", "terminates", ranking.name)
    for symmetry in game.symmetries:
        yield from _note(symmetry.note, "invariant", "symmetry", symmetry.name)
    for campaign in game.campaigns:
        yield from _note(campaign.note, "rule", "campaign", campaign.name)
        for rank in campaign.ranks:
            yield from _note(rank.note, "rule", "campaign", campaign.name)
    for network in game.networks:
        yield from _note(network.note, "rule", "network", network.name)
    for example in game.examples:
        yield from _example(example)
    if game.score is not None:
        yield from _score(game.score)


def _constant_kind(constant: Constant) -> Kind:
    match constant.source:
        case "graph" | "column" | "param":
            return "parameter"
        case "instance" | "option":
            return "rule"
        case "ruling":
            return "ruling"
        case _:
            assert_never(constant.source)


def _action(action: Action) -> Iterator[Citation]:
    yield from _note(action.note, "rule", action.kind, action.name)
    for line in action.guard:
        if isinstance(line, Require):
            yield from _lines(line.clauses, "rule", "requirement", action.name, line.span)
    yield from _assignments(action.body, action.name)


def _assignments(body: tuple[Stmt, ...], item: str) -> Iterator[Citation]:
    for assign in assignments(body):
        yield from _lines(assign.clauses, "rule", "assignment", item, assign.span)


def _example(example: Example) -> Iterator[Citation]:
    yield from _note(example.note, "example", "example", example.name)
    for step in example.steps:
        if isinstance(step, Refuse):
            yield from _lines(step.clauses, "example", "refusal", example.name, step.span)


def _score(score: ScoreSheet) -> Iterator[Citation]:
    yield from _note(score.note, "rule", "score", "score")
    for line in score.lines:
        yield from _lines(line.clauses, "rule", "score", line.label, score.note.span)


def _note(note: Note, kind: Kind, part: str, item: str) -> Iterator[Citation]:
    return _lines(note.clauses, kind, part, item, note.span)


def _lines(clauses: tuple[str, ...], kind: Kind, part: str, item: str, span: Span | None) -> Iterator[Citation]:
    return (Citation(clause, kind, part, item, span) for clause in clauses)
