"""Prove: every obligation of a game, in parallel, as one report.

Reads:  a core game.   Writes: a `Report` with one record an obligation.
After:  whatever the report calls proved rests on proved things only; an interrupted run keeps what was settled.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TypeAlias

from pilgrim_rules.core.ir import Game
from verifier.obligations import Obligation, obligations
from verifier.session import Result, Session, Settings
from verifier.standing import standing
from verifier.verdict import Record, Verdict

#: z3 resource units for one query; about a second on the machine where this was measured.
BUDGET = 2_000_000
#: Fewer obligations than this are settled in this process: starting others would take longer.
WORTH_A_POOL = 60

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
    all_rulings: bool = False,
    keep_queries: bool = False,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> Report:
    """Settle the obligations of a game; with `names`, only those that match one of the patterns."""
    todo = [each for each in obligations(game) if each.kind != "audit" and wanted(each, names)]
    settings = Settings(budget, confirm, all_rulings, keep_queries)
    results: list[Result] = []
    interrupted = False
    try:
        for result in _results(game, settings, todo, jobs, executor):
            results.append(result)
            if progress is not None:
                progress(result.record, len(results), len(todo))
    except KeyboardInterrupt:
        interrupted = True
    order = {obligation.name: at for at, obligation in enumerate(todo)}
    results.sort(key=lambda result: order[result.record.name])
    records = standing(game, [result.record for result in results])
    queries = tuple((result.record.name, result.queries) for result in results if result.queries)
    return Report(game.name, records, interrupted, queries)


def wanted(obligation: Obligation, names: Sequence[str] | None) -> bool:
    """Return whether an obligation is asked for: by its name, by the claim it belongs to, or by a pattern."""
    if names is None:
        return True
    short = obligation.name.partition(".")[2]
    return any(
        fnmatchcase(text, pattern)
        for pattern in names
        for text in (obligation.name, short, obligation.claim, obligation.subject or "")
    )


def _results(
    game: Game, settings: Settings, todo: Sequence[Obligation], jobs: int | None, executor: Executor | None
) -> Iterator[Result]:
    jobs = jobs or (os.cpu_count() or 1 if len(todo) >= WORTH_A_POOL else 1)
    if executor is None and jobs == 1:
        session = Session(game, settings)
        for obligation in todo:
            yield session.settle(obligation)
        return
    pool = executor or ProcessPoolExecutor(jobs, initializer=_prepare, initargs=(game, settings))
    try:
        futures = [pool.submit(_work, obligation) for obligation in todo]
        for future in as_completed(futures):
            yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


_session: Session | None = None  #: of this worker process


def _prepare(game: Game, settings: Settings) -> None:
    global _session  # noqa: PLW0603  (a worker process serves one game)
    _session = Session(game, settings)


def _work(obligation: Obligation) -> Result:
    assert _session is not None, "the pool prepares its workers"
    return _session.settle(obligation)
