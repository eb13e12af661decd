"""Pages: each play that refutes a claim or shows that something can happen, and each step that breaks an induction.

Reads:  a core game and the records of a run.   Writes: HTML pages by the name of their obligation.
After:  a page shows what the engine has played; where a move cannot be made, the page ends before it and says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pilgrim_rules.core import ir
from pilgrim_rules.engine.errors import Contradiction, RulesGameError
from pilgrim_rules.engine.game import Game
from pilgrim_rules.engine.state import State
from pilgrim_rules.engine.step import Step
from pilgrim_rules.engine.trace import Trace
from pilgrim_rules.figures.viewer import page
from verifier.verdict import Picture, Record


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
                page(_play(game, record.play), claim=claim if claim in game.world.claims else None, says=said),
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


def _step(game: Game, picture: Picture) -> Trace:
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
