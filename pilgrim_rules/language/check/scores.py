"""Scores: the score sheet and the ranking, and what rules and claims may ask of them.

Reads:  `score` and `rank`, through the checker.   Writes: the score sheet of the program, and its derived definitions.
After:  `score(p)`, `score(p, "line")`, `rank(p)` and `winner(p)` are definitions like others, in the order of their uses.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pilgrim_rules.core import derived, ir
from pilgrim_rules.core.smart_constructors import total
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.language.check.expressions import Expressions
from pilgrim_rules.language.check.program_info import POISON
from pilgrim_rules.language.check.scope import PLAY, SCORE, Scope


@dataclass(slots=True)
class Scores:
    """The lowering of the score sheet; its lines come first, the ranking may use their sum."""

    check: Expressions
    lines: list[ir.ScoreLine] = field(default_factory=list)

    def count(self) -> None:
        """Lower the lines of the sheet."""
        program = self.check.program
        sheet = program.symbols.score
        if sheet is None:
            return
        self.check.shadowing(sheet.name, Scope(PLAY))
        scope = Scope(SCORE).bind(sheet.name.text, ir.Bound(sheet.name.text, program.player))
        seen: set[str] = set()
        for line in sheet.lines:
            value = self.check.integer(line.value, scope)
            if line.label.text in seen:
                program.bag.add(codes.PR202, f"two lines of the score are called “{line.label.text}”", line.label.span)
            seen.add(line.label.text)
            self.lines.append(ir.ScoreLine(line.label.text, value, program.clauses(line.cites)))
        self._make((), derived.RANK)
        if program.symbols.rank is None:
            self.order()

    def order(self) -> None:
        """Lower the ranking; without one, points alone decide."""
        program = self.check.program
        sheet, rank = program.symbols.score, program.symbols.rank
        points = total(line.value for line in self.lines)
        keys: tuple[ir.Key, ...] = (ir.Key(points, descending=True),)
        if rank is not None:
            owner = ir.Bound(self._player, program.player)
            scope = Scope(SCORE).bind(rank.name.text, owner).bind("score", points)
            keys = tuple(ir.Key(self.check.integer(key.value, scope), key.descending) for key in rank.keys)
            if rank.total and any(program.asks_network(key.value) for key in keys):
                help_ = "drop `total`: no proof looks into a network"
                program.bag.add(codes.PR502, "who ties is decided by a network", rank.name.span, help=help_)
        self._make(keys)
        notes = [program.note(node) for node in (sheet, rank) if node is not None]
        cited = dict.fromkeys(clause for each in notes for clause in each.clauses)
        program.sheet = self._sheet(keys, replace(notes[0], clauses=tuple(cited)))

    @property
    def _player(self) -> str:
        symbols = self.check.program.symbols
        return symbols.score.name.text if symbols.score else symbols.rank.name.text if symbols.rank else ""

    def _sheet(self, keys: tuple[ir.Key, ...], note: ir.Note) -> ir.ScoreSheet:
        sheet, rank = self.check.program.symbols.score, self.check.program.symbols.rank
        per, all_apart = sheet.per if sheet else 1, rank is not None and rank.total
        return ir.ScoreSheet(self._player, tuple(self.lines), per, keys, all_apart, note)

    def _make(self, keys: tuple[ir.Key, ...], before: str = "") -> None:
        """Make the definitions that can be asked of what is known so far, those from `before` on left out."""
        program = self.check.program
        if any(line.value.type == POISON for line in self.lines) or any(key.value.type == POISON for key in keys):
            return
        over = [code for info in program.stages.values() if info.node.kind == "nobody" for code in info.codes]
        for made in derived.score_defs(self._sheet(keys, ir.Note()), program.player, program.stage, over):
            if made.name == before:
                return
            program.define(made)
