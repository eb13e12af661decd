"""Campaigns: several games in a row, with a result and a rank.

Reads:  the campaigns of the symbol table, through the checker.   Writes: `ir.Campaign`s, and the law of each.
After:  every game of a campaign names options that exist; every total that its result can come to has exactly one rank.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pilgrim_rules.core import ir
from pilgrim_rules.core.smart_constructors import number
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.language.check.constant import value_of
from pilgrim_rules.language.check.data_and_state import DataAndState
from pilgrim_rules.language.check.program_info import POISON
from pilgrim_rules.language.check.scope import CLAIM, CONSTANT, Scope
from pilgrim_rules.language.syntax import ast

MOST_GAMES = 64
#: A longer range of totals is checked as well, but not written out as a law.
MOST_TOTALS = 4096


@dataclass(slots=True)
class Campaigns:
    """The lowering of campaigns."""

    tables: DataAndState

    def run(self) -> tuple[tuple[ir.Campaign, ...], tuple[ir.Claim, ...]]:
        """Return the campaigns that are played with as many players as this instance has, and their laws."""
        made = [self._campaign(node) for node in self.tables.program.symbols.campaigns.values()]
        found = tuple(each for each in made if each is not None)
        return found, tuple(claim for each in found for claim in _law(each))

    def _campaign(self, node: ast.Campaign) -> ir.Campaign | None:
        program = self.tables.program
        game = program.symbols.game
        fewest = game.players[0] if game is not None and game.players is not None else program.people
        players = fewest if node.players is None else node.players
        most = fewest if game is None or game.players is None else game.players[1]
        if not fewest <= players <= most:
            program.bag.add(codes.PR512, f"the game is not for {players}", node.name.span)
        games = self._games(node)
        if node.result is None:
            help_ = "say what a game brings and how it adds up: `result sum of score(ann)`"
            program.bag.add(codes.PR512, f"`{node.name.text}` has no result", node.name.span, help=help_)
        if games is None or node.result is None or players != program.people:
            return None
        result = self.tables.check.integer(node.result.value, Scope(CLAIM))
        ranks = tuple(self._ranks(node))
        if result.type == POISON:
            return None
        made = ir.Campaign(
            node.name.text, node.title or node.name.text.replace("_", " "), players, games, node.result.fold, result,
            ranks, program.note(node),
        )  # fmt: skip
        self._covered(made, node)
        return made

    def _games(self, node: ast.Campaign) -> tuple[ir.Options, ...] | None:
        """Return what is chosen in each game; a line with one choice is about all of them."""
        program = self.tables.program
        lines: list[list[tuple[str, str]]] = []
        for line in node.games:
            source = program.symbols.values.get(line.option.text)
            if not isinstance(source, ast.Ruling):
                known = [name for name, each in program.symbols.values.items() if isinstance(each, ast.Ruling)]
                program.unknown(line.option, known, "ruling or option", codes.PR505)
                return None
            choices = [each.name.text for each in source.options]
            for word in line.choices:
                if word.text not in choices:
                    program.unknown(word, choices, "choice", codes.PR505)
                    return None
            lines.append([(line.option.text, word.text) for word in line.choices])
        count = max((len(line) for line in lines), default=1)
        wrong = next((at for at, line in enumerate(lines) if len(line) not in (1, count)), None)
        if wrong is not None or count > MOST_GAMES:
            what = f"a line names {len(lines[wrong or 0])} games, another {count}"
            help_ = f"name a choice for every game, or one for all; at most {MOST_GAMES}"
            program.bag.add(codes.PR512, what, node.games[wrong or 0].span, help=help_)
            return None
        return tuple(tuple(line[at if len(line) > 1 else 0] for line in lines) for at in range(count))

    def _ranks(self, node: ast.Campaign) -> Iterator[ir.CampaignRank]:
        program = self.tables.program
        for line in node.ranks:
            if line.when is not None:
                test = self.tables.check.boolean(line.when, Scope(CONSTANT))
                if test.type == POISON or not value_of(test, program, line.when.span):
                    continue
            note = ir.Note("", program.clauses(line.cites), line.span)
            yield ir.CampaignRank(line.title.text, line.lo, line.hi, note)

    def _covered(self, made: ir.Campaign, node: ast.Campaign) -> None:
        """Report totals that no rank names, and totals that two ranks name."""
        bag = self.tables.program.bag
        gaps = [_told(lo, hi) for lo, hi, named in pieces(made) if not named]
        if gaps and made.ranks:
            what = f"no rank for a total of {', '.join(gaps)}"
            bag.add(codes.PR513, what, node.name.span, help="every total that can come about has one rank")
        doubled = [(_told(lo, hi), named) for lo, hi, named in pieces(made) if len(named) > 1]
        for told, named in doubled[:1]:
            titles = " and ".join(f"“{each.title}”" for each in named[:2])
            related = tuple((each.note.span, "one of them") for each in named[:2] if each.note.span is not None)
            bag.add(codes.PR513, f"{titles} both name a total of {told}", node.name.span, related=related)


Piece = tuple[int, int, list[ir.CampaignRank]]


def pieces(campaign: ir.Campaign) -> list[Piece]:
    """Return the totals that can come about, cut where ranks begin and end, with the ranks that name each piece."""
    lo, hi = campaign.totals
    cuts = {lo, hi + 1}
    for rank in campaign.ranks:
        cuts |= {edge for edge in (rank.lo, None if rank.hi is None else rank.hi + 1) if edge is not None}
    edges = sorted(edge for edge in cuts if lo <= edge <= hi + 1)
    found: list[Piece] = []
    for first, behind in pairwise(edges):
        named = [rank for rank in campaign.ranks if rank.has(first)]
        if found and found[-1][2] == named:
            found[-1] = (found[-1][0], behind - 1, named)
        else:
            found.append((first, behind - 1, named))
    return found


def _told(lo: int, hi: int) -> str:
    return str(lo) if lo == hi else f"{lo} or more" if hi >= ir.OPEN_END else f"{lo} to {hi}"


def _law(campaign: ir.Campaign) -> Sequence[ir.Claim]:
    """Return the law that every total has exactly one rank; none if there are no ranks, or far too many totals."""
    lo, hi = campaign.totals
    if not campaign.ranks or hi - lo >= MOST_TOTALS:
        return ()
    type_ = number(lo, hi)
    total = ir.Bound("total", type_)
    one = ir.Lit(1, number(1, 1))
    tests = [_has(rank, total) for rank in campaign.ranks]
    places = number(1, len(tests))
    place = ir.Bound("rank", places)
    named: ir.Expr = ir.Lit(0, ir.BOOL)
    for at, test in enumerate(tests, 1):
        here = ir.Apply("==", (place, ir.Lit(at, places)), ir.BOOL)
        both = ir.Apply("and", (here, test), ir.BOOL)
        named = both if at == 1 else ir.Apply("or", (named, both), ir.BOOL)
    count = ir.Fold("count", (ir.Binder("rank", places),), named, one, None, number(0, len(tests)))
    exactly = ir.Apply("==", (count, ir.Lit(1, count.type)), ir.BOOL)
    formula = ir.Fold("all", (ir.Binder("total", type_),), None, exactly, None, ir.BOOL)
    doc = f"Every total of the campaign, from {lo} to {hi}, has exactly one rank."
    note = ir.Note(doc, campaign.note.clauses, campaign.note.span)
    return (ir.Claim(f"campaign.{campaign.name}", "law", formula, (), note),)


def _has(rank: ir.CampaignRank, total: ir.Bound) -> ir.Expr:
    ends = [(">=", rank.lo), ("<=", rank.hi)]
    tests = [
        ir.Apply(">=" if op == ">=" else "<=", (total, ir.Lit(end, number(end, end))), ir.BOOL)
        for op, end in ends
        if end is not None
    ]
    return tests[0] if len(tests) == 1 else ir.Apply("and", tuple(tests), ir.BOOL)
