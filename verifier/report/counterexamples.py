"""Counterexamples: a play that shows something, as text to paste, a trace to replay, a page to look at, steps with changes.

Reads:  a core game, records and records.   Writes: `Counterexample`s and their files; HTML pages by the name of their obligation.
After:  every play was made by the engine. Its last move may be the one that cannot be made: then trace and page end before
        it. Where a move cannot be made from the start, the steps from there on show no changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pilgrim_rules.api.game import Game, State
from pilgrim_rules.api.trace import Trace
from pilgrim_rules.core import ir
from pilgrim_rules.core.move_text import action_name
from pilgrim_rules.evidence.record import Record, ShownStep
from pilgrim_rules.language.load_arguments import LoadArguments
from pilgrim_rules.play_pages.viewer import page
from pilgrim_rules.semantics.errors import Contradiction, RulesGameError
from pilgrim_rules.semantics.moves import MoveBook
from pilgrim_rules.semantics.reference import Reference
from pilgrim_rules.semantics.state_layout import Position
from pilgrim_rules.semantics.step import Step
from pilgrim_rules.util import atomic_write
from verifier.fuzz import checks
from verifier.fuzz.failure import example
from verifier.fuzz.game_under_test import GameUnderTest, Play, Problem
from verifier.report.explain_failure import changes


@dataclass(frozen=True, slots=True)
class Counterexample:
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
        from pilgrim_rules.play_pages.viewer import page  # noqa: PLC0415  (only for a page)

        folder.mkdir(parents=True, exist_ok=True)
        stem = re.sub(r"[^A-Za-z0-9_]+", "-", self.name).strip("-")
        trace, html = folder / f"{stem}.json", folder / f"{stem}.html"
        self.trace.save(trace)
        atomic_write.write(html, page(self.trace, claim=self.claim, says=self.says))
        return trace, html


def counterexample(game: ir.Game, instance: LoadArguments | None, record: Record) -> Counterexample | None:
    """Return the play that refutes something; None if there is none from the start.

    instance  says how the game can be loaded again; the trace carries it.
    """
    if record.verdict != "refuted" or not record.play or record.kind == "example":  # an example arranges its start
        return None
    subject = GameUnderTest(game, instance)
    try:
        play = tuple(subject.runner.book.codes(move) for move in record.play)
        trace = _trace(subject, play)
    except RulesGameError:  # the play is one of another reading of the rules
        return None
    text = example(subject, Problem(record.name, record.reason or record.sentence), play)
    named = record.claim.split(".", 2)[-1]
    claim = named if named in subject.game.declared.claims else None
    return Counterexample(record.name, record.reason, text, trace, claim)


def _trace(subject: GameUnderTest, play: Play) -> Trace:
    try:
        return checks.record(subject, play)
    except Contradiction:
        return checks.record(subject, play[:-1])


def pages(core: ir.Game, records: Iterable[Record]) -> Iterator[tuple[str, str]]:
    """Yield the page of each record that has something to look at."""
    shown = [record for record in records if record.play or record.picture is not None]
    game = Game(core, ghosts=True) if shown else None
    for record in shown:
        assert game is not None, "made if anything is shown"
        said = f"{record.sentence.rstrip('.')}: {record.verdict}. {record.reason}".strip()
        if record.play:
            claim = record.claim.rpartition(".")[2]
            yield (
                record.name,
                page(_play(game, record.play), claim=claim if claim in game.declared.claims else None, says=said),
            )
        elif record.picture is not None:
            # The data may be other than the edition's, so whether the claim holds here is left to what the record says.
            yield record.name, page(_step(game, record.picture), says=said)


def _play(game: Game, moves: Sequence[str]) -> Trace:
    trace = Trace(State(game, game.code.start))
    for move in moves:
        if not _make(trace, move):
            break
    return trace


def _step(game: Game, picture: ShownStep) -> Trace:
    trace = Trace(State(game, game.layout.encode(picture.before)))
    if picture.move is not None and picture.after is not None:
        after = State(game, game.layout.encode(picture.after))
        _add(trace, picture.move, after)
    return trace


def _make(trace: Trace, move: str) -> bool:
    """Make one step, whoever decides it, and nothing that follows by itself; False if it cannot be made."""
    game = trace.game
    try:
        number, args = game.runner.book.codes(move)
        after = game.code.apply_of[number](trace.state.data, *args)
    except (Contradiction, RulesGameError):
        return False
    _add(trace, move, State(game, after))
    return True


def _add(trace: Trace, move: str, after: State) -> None:
    trace.steps.append(Step(move, trace.state.to_move or "", after.fingerprint))
    trace.states.append(after)
    trace.at += 1


@dataclass(frozen=True, slots=True)
class ReplayedStep:
    """A step of a play: its text, the name of the action, and the cells it changed."""

    text: str
    action: str
    changed: tuple[str, ...]


def steps(game: ir.Game, moves: Iterable[str]) -> Iterator[ReplayedStep]:
    """Yield the steps of a play from the start."""
    reference, book = Reference.from_game(game), MoveBook(game)
    position: Position | None = reference.start()
    for move in moves:
        after = None if position is None else _after(reference, book, position, move)
        changed = () if position is None or after is None else tuple(changes(game, position, after))
        yield ReplayedStep(move, action_name(move), changed)
        position = after


def _after(reference: Reference, book: MoveBook, position: Position, move: str) -> Position | None:
    """Return the position after a move; None if it cannot be made."""
    try:
        number, args = book.codes(move)
        action = reference.game.actions[number]
        return reference.apply(position, action, args) if reference.allowed(position, action, args) else None
    except (RulesGameError, Contradiction):
        return None
