"""Campaign: every mistake, or a sample of them, is made and judged.

Reads:  a core game, for one number of players or several.   Writes: a `MutationReport`; a file to go on with.
After:  however the campaign ends, every mutant that was judged is in the report and in the file.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from random import Random
from time import perf_counter

from pilgrim_rules.core.ir import Game
from verifier.mutate import store
from verifier.mutate.court import GAMES, LONGEST, READINGS, STATES, Court, Settings
from verifier.mutate.killers import Killer
from verifier.mutate.mutants import Mistake, mistakes
from verifier.mutate.report import MutationReport, Outcome

#: Outcomes are written to the file after about so many seconds.
SAVED = 5.0


def run(
    games: Game | Sequence[Game],
    *,
    limit: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    max_states: int = STATES,
    plays: int = GAMES,
    longest: int = LONGEST,
    readings: int = READINGS,
    others: Mapping[str, Callable[[Game], Killer]] | None = None,
    only: Callable[[Mistake], bool] | None = None,
    file: Path | None = None,
    reasons: store.Reasons | None = None,
    progress: Callable[[Outcome, int, int], None] | None = None,
) -> MutationReport:
    """Make mistakes in the rules and report which are noticed.

    games        the game; or the same game for several numbers of players, the first of which names the mistakes.
    limit        so many mistakes, drawn with the seed, spread over files and kinds; all if left out.
    only         which mistakes to make at all.
    max_states   of a search of all states; 0 for none.      plays, longest   of random play; 0 plays for none.
    readings     other options that are tried for a line that belongs to a ruling.
    others       further killers by name, such as a prover: each is given the game first, then mutants of it. With
                 several jobs they must be importable functions.
    file         go on with the outcomes in this file as far as they stand, and keep them there.
    reasons      why some mutants may survive.
    progress     is told of each outcome, with its number and how many there will be.
    """
    started = perf_counter()
    tables = (games,) if isinstance(games, Game) else tuple(games)
    settings = Settings(max_states, plays, longest, readings, tuple((others or {}).items()))
    possible = [mistake for mistake in mistakes(tables[0]) if only is None or only(mistake)]
    chosen = draw(possible, limit, seed)
    texts = store.Texts.of(tables)
    kept = _Kept(texts, repr(settings), file)
    found: dict[str, Outcome] = {}

    def take(outcome: Outcome | None) -> None:
        if outcome is not None:
            found[outcome.name] = _explained(outcome, reasons)
            kept.add(outcome)
            if progress is not None:
                progress(found[outcome.name], len(found), len(chosen))

    interrupted = False
    try:
        for name in chosen:
            take(kept.outcomes.get(name))
        for outcome in _outcomes(tables, settings, [name for name in chosen if name not in found], jobs):
            take(outcome)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        kept.save()
    listed = tuple(found[name] for name in chosen if name in found)
    return MutationReport(
        tables[0].name, listed, len(possible), perf_counter() - started, interrupted, texts.rules, seed
    )


def draw(possible: Sequence[Mistake], limit: int | None, seed: int) -> list[str]:
    """Return names of mistakes in their order: all, or one from each of so many equal parts, sorted by file, kind and key.

    So every file and every kind has its share of the sample, every mistake the same chance, and the samples of two seeds
    have no more in common than chance brings about.
    """
    names = [mistake.name for mistake in possible]
    if limit is None or limit >= len(names):
        return names
    strata = sorted(possible, key=lambda each: ("" if each.span is None else each.span.file, each.kind))
    stride = len(strata) / limit
    random = Random(seed)  # noqa: S311  (no secrets)
    drawn = {strata[int((at + random.random()) * stride)].name for at in range(limit)}
    return [name for name in names if name in drawn]


def _explained(outcome: Outcome, reasons: store.Reasons | None) -> Outcome:
    """Return the outcome with what people say of it; a mutant that was seen to differ is not equivalent, say what they may."""
    if reasons is None or outcome.fate in ("killed", "equivalent"):
        return outcome
    if reason := reasons.why_equivalent(outcome.name):
        if outcome.fate == "survived" and not outcome.play:
            return replace(outcome, fate="equivalent", reason=reason)
        return replace(outcome, reason=f"said to be equivalent, which it is not: {reason}")
    return replace(outcome, reason=reasons.why(outcome.name))


class _Kept:
    """The outcomes in the file."""

    def __init__(self, texts: store.Texts, settings: str, file: Path | None) -> None:
        self.texts, self.settings, self.file, self.saved = texts, settings, file, perf_counter()
        self.outcomes = {} if file is None else store.load(file, texts, settings)

    def add(self, outcome: Outcome) -> None:
        self.outcomes[outcome.name] = outcome
        if perf_counter() - self.saved > SAVED:
            self.save()

    def save(self) -> None:
        if self.file is not None:
            store.save(self.file, self.texts, self.settings, self.outcomes)
        self.saved = perf_counter()


def _outcomes(tables: tuple[Game, ...], settings: Settings, names: list[str], jobs: int) -> Iterator[Outcome | None]:
    if not names:
        return
    if jobs <= 1:
        yield from map(Court(tables, settings).judge, names)
        return
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (tables, settings))
    try:
        yield from pool.map(_judge, names)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_court: Court | None = None  #: of this process, if it belongs to a campaign


def _begin(tables: tuple[Game, ...], settings: Settings) -> None:
    global _court  # noqa: PLW0603  (one campaign a process)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _court = Court(tables, settings)


def _judge(name: str) -> Outcome | None:
    assert _court is not None, "the process has been prepared"
    return _court.judge(name)
