"""Prove: every obligation of a game, in parallel, as one report.

Reads:  a core game.   Writes: a `Report` with one record an obligation.
After:  whatever the report calls proved rests on proved things only; an interrupted run keeps what was settled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from random import SystemRandom
from typing import TypeAlias

from pilgrim_rules.core.ir import Game
from verifier.beside import Beside, elsewhere
from verifier.cache import Cache
from verifier.obligations import Obligation, obligations
from verifier.pool import results
from verifier.settings import Settings
from verifier.standing import standing
from verifier.verdict import Record, Verdict
from verifier.workers import Orders

#: z3 resource units for one query; a second or two on the machine where this was measured.
BUDGET = 12_000_000

Progress: TypeAlias = Callable[[Record, int, int], None]


@dataclass(frozen=True, slots=True)
class Report:
    """What a run found. `interrupted` if somebody stopped it; `queries` are kept on request."""

    game: str
    records: tuple[Record, ...]
    interrupted: bool = False
    queries: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def exit_code(self) -> int:
        """0 all is proved, 1 something is refuted, 3 something is unsettled or vacuous, 4 two accounts disagree."""
        if any(record.alarm for record in self.records):
            return 4
        verdicts = {record.verdict for record in self.records}
        if Verdict.REFUTED in verdicts:
            return 1
        if self.interrupted or verdicts - {Verdict.PROVED, Verdict.LIMITED}:
            return 3
        return 0


def verify(
    game: Game,
    *,
    names: Sequence[str] | None = None,
    jobs: int | None = None,
    budget: int = BUDGET,
    confirm: bool = True,
    cache: bool = True,
    audit: int = 0,
    all_rulings: bool = False,
    keep_queries: bool = False,
    progress: Progress | None = None,
    executor: Executor | None = None,
    beside: Beside = Beside(),  # noqa: B008  (frozen)
) -> Report:
    """Settle the obligations of a game; with `names`, only those that match one of the patterns.

    cache     use verdicts of earlier runs, and keep those of this one.
    audit     so many of the verdicts from the cache, picked at random, are looked for again; a different one is an alarm.
    progress  is told of each record, with how many there are so far and in all.
    executor  somebody else's processes, such as a cluster's.
    beside    recorded plays that may show something, and the game for other numbers of players.
    """
    every = [each for each in obligations(game) if each.kind != "audit"]
    todo = [each for each in every if wanted(each, names)]
    settings = Settings(budget, confirm, all_rulings, keep_queries, beside.plays)
    kept = Cache.load(game, budget=budget, confirm=confirm, all_rulings=all_rulings) if cache else None
    known = {} if kept is None or keep_queries else kept.fresh(todo)
    audited = {name: known.pop(name) for name in SystemRandom().sample(sorted(known), min(audit, len(known)))}
    work = [(each, () if kept is None else kept.hints(each.name)) for each in todo if each.name not in known]
    found: dict[str, Record] = {}
    queries: dict[str, tuple[str, ...]] = {}
    interrupted = False

    def note(record: Record) -> None:
        found[record.name] = record
        if progress is not None:
            progress(record, len(found), len(todo))

    try:
        for record in known.values():
            note(record)
        for result in results(Orders(game, settings), work, jobs, executor):
            note(_audited(result.record, audited.get(result.record.name)))
            queries[result.record.name] = result.queries
    except KeyboardInterrupt:
        interrupted = True
    in_order = [found[each.name] for each in todo if each.name in found]
    if kept is not None:
        kept.keep(todo, in_order)
    asked = tuple((each.name, queries[each.name]) for each in todo if queries.get(each.name))
    stand = standing(game, in_order, every)
    return Report(game.name, elsewhere(stand, game, beside.others(), settings), interrupted, asked)


def _audited(record: Record, before: Record | None) -> Record:
    """Return the record; an alarm if it says something else than the one that was kept."""
    if before is None or before.verdict == record.verdict:
        return record
    reason = f"the cache said `{before.verdict}`, and now it is `{record.verdict}`: {record.reason}"
    return replace(record, confirmed="disagrees", reason=reason)


def wanted(obligation: Obligation, names: Sequence[str] | None) -> bool:
    """Return whether an obligation is asked for: by its name, by the claim it belongs to, or by a pattern."""
    return names is None or any(fnmatchcase(text, pattern) for pattern in names for text in names_of(obligation))


def names_of(obligation: Obligation) -> tuple[str, ...]:
    """Return the names by which an obligation can be asked for; the name of the game may be left out."""
    full = (obligation.name, obligation.claim)
    return (
        *full,
        *(name.partition(".")[2] for name in full),
        *(() if obligation.subject is None else (obligation.subject,)),
    )
