"""Exhibits: a play that shows what is wrong: text to paste, a trace to replay, a page to look at.

Reads:  a core game and an entry.   Writes: an `Exhibit`; on request, two files.
After:  the play was made by the engine. Its last move may be the one that cannot be made: then the trace ends before it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from pilgrim_rules import files
from pilgrim_rules.core.ir import Game
from pilgrim_rules.engine.errors import Contradiction, RulesGameError
from pilgrim_rules.engine.stateform import Instance
from pilgrim_rules.engine.trace import Trace
from verifier.fuzz import checks
from verifier.fuzz.failure import example
from verifier.fuzz.subject import Play, Problem, Subject
from verifier.report.entry import Entry


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A play that shows what is wrong.

    example  as an `example` of the rules language.     trace  as a trace, as far as it can be made.
    claim    the claim of the author that it breaks, if there is one.
    """

    name: str
    says: str
    example: str
    trace: Trace
    claim: str | None

    def save(self, folder: Path) -> tuple[Path, Path]:
        """Write the trace, and the page that shows it; return both paths."""
        from pilgrim_rules.figures.viewer import page  # noqa: PLC0415  (only for a page)

        folder.mkdir(parents=True, exist_ok=True)
        stem = re.sub(r"[^A-Za-z0-9_]+", "-", self.name).strip("-")
        trace, html = folder / f"{stem}.json", folder / f"{stem}.html"
        self.trace.save(trace)
        files.write(html, page(self.trace, claim=self.claim, says=self.says))
        return trace, html


def exhibit(game: Game, instance: Instance | None, entry: Entry) -> Exhibit | None:
    """Return the play that refutes something; None if there is none from the start.

    instance  says how the game can be loaded again; the trace carries it.
    """
    if entry.verdict != "refuted" or not entry.play or entry.kind == "example":  # an example arranges its start
        return None
    subject = Subject(game, instance)
    try:
        play = tuple(subject.runner.book.codes(move) for move in entry.play)
        trace = _trace(subject, play)
    except RulesGameError:  # the play is one of another reading of the rules
        return None
    text = example(subject, Problem(entry.name, entry.reason or entry.sentence), play)
    named = entry.claim.split(".", 2)[-1]
    claim = named if named in subject.game.world.claims else None
    return Exhibit(entry.name, entry.reason, text, trace, claim)


def _trace(subject: Subject, play: Play) -> Trace:
    try:
        return checks.record(subject, play)
    except Contradiction:
        return checks.record(subject, play[:-1])
