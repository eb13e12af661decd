"""Prove: every obligation of a game, in parallel, as one report.

Reads:  a core game.   Writes: a `Report` with one record an obligation.
After:  whatever the report calls proved rests on proved things only; an interrupted run keeps what was settled.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from random import SystemRandom
from typing import Any, TypeAlias

from pilgrim_rules.core.ir import Game
from pilgrim_rules.evidence.dependencies import rests_on
from pilgrim_rules.evidence.record import Record, Verdict
from verifier.claims.obligations import Kind, Obligation, obligations
from verifier.claims.verdict_dependencies import standing
from verifier.play.visits import MORE_STEPS
from verifier.prove.companions import Companions, settle_for_other_players
from verifier.prove.hints import NO_HINTS, Hints
from verifier.prove.pinned import with_pins
from verifier.prove.settings import ProofSettings
from verifier.prove.verdict_cache import Cache
from verifier.prove.workers import Work, WorkerSetup, results
from verifier.smt.strategy.recipes import Recipe

#: z3 resource units for one query; a second or two on the machine where this was measured.
BUDGET = 12_000_000

Progress: TypeAlias = Callable[[Record, int, int], None]


@dataclass(frozen=True, slots=True)
class Report:
    """What a run found. `interrupted` if somebody stopped it; `queries` are kept on request.

    recipes  how obligations were proved, now or earlier.
    """

    game: str
    records: tuple[Record, ...]
    interrupted: bool = False
    queries: tuple[tuple[str, tuple[str, ...]], ...] = ()
    recipes: tuple[tuple[str, Recipe], ...] = ()

    @property
    def exit_code(self) -> int:
        """0 all is proved, 1 something is refuted, 3 something is unsettled, vacuous or proved if, 4 two accounts disagree."""
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
    kinds: Collection[Kind] | None = None,
    wants: Callable[[Obligation], bool] | None = None,
    jobs: int | None = None,
    budget: int = BUDGET,
    confirm: bool = True,
    cache: bool = True,
    audit: int = 0,
    all_rulings: bool = False,
    keep_queries: bool = False,
    longer_play: int = MORE_STEPS,
    progress: Progress | None = None,
    executor: Executor | None = None,
    beside: Companions = Companions(),  # noqa: B008  (frozen)
) -> Report:
    """Settle the obligations of a game; with `names`, only those that match one of the patterns; with `kinds`, only of these.

    wants     leaves out those obligations for which it returns False.
    cache     use verdicts of earlier runs, and keep those of this one.
    audit     this many of the verdicts from the cache, picked at random, are looked for again; a different one is an alarm.
    longer_play  steps of random play in search of what was not seen yet.
    progress  is called with each record, how many there are so far and in all.
    executor  somebody else's processes, such as a cluster's.
    beside    recorded plays that may show something, recipes, and the game for other numbers of players.
    """
    every = [each for each in obligations(game) if each.kind != "audit"]
    todo = [each for each in every if wanted(each, names) and (kinds is None or each.kind in kinds)]
    todo = [each for each in todo if wants is None or wants(each)]
    settings = ProofSettings(budget, confirm, all_rulings, keep_queries, beside.plays, longer_play)
    kept = Cache.load(game, budget=budget, confirm=confirm, all_rulings=all_rulings) if cache else None
    known = {} if kept is None or keep_queries else kept.fresh(todo)
    audited = {name: known.pop(name) for name in SystemRandom().sample(sorted(known), min(audit, len(known)))}
    hints = {each.name: _hints(each.name, kept, beside) for each in todo}
    work = [(each, hints[each.name]) for each in todo if each.name not in known]
    work.sort(key=_longest_first)
    asked_for = {each.name: each for each in todo}
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
        for result in results(WorkerSetup(game, settings), work, jobs, executor):
            record = _audited(result.record, audited.get(result.record.name))
            if kept is not None:
                kept.keep(asked_for[record.name], record, result.hints, lasting=result.lasting)
            note(record)
            queries[record.name] = result.queries
            hints[record.name] = result.hints
    except KeyboardInterrupt:
        interrupted = True
    in_order = [found[each.name] for each in todo if each.name in found]
    asked = tuple((each.name, queries[each.name]) for each in todo if queries.get(each.name))
    pinned = with_pins(game, (*in_order, *_lemmas(kept, every, found)), all_rulings=all_rulings)
    stand = [record for record in standing(game, pinned, every) if record.name in found]
    records = settle_for_other_players(stand, game, beside.others(), settings)
    recipes = tuple((name, each.recipe) for name, each in hints.items() if each.recipe.steps)
    return Report(game.name, records, interrupted, asked, recipes)


def _hints(name: str, kept: Cache | None, beside: Companions) -> Hints:
    """Return what is known of an obligation: what our own runs have kept, or what the game brings along."""
    own = NO_HINTS if kept is None else kept.hints(name)
    return own if own.recipe.steps else replace(own, recipe=beside.recipes.get(name, own.recipe))


def verify_with_lemmas(game: Game, names: Sequence[str], **words: Any) -> Report:
    """Settle some obligations, and everything that their proofs rest on; the report is about all of them."""
    asked = tuple(names)
    while True:
        report = verify(game, names=asked, **words)
        open_ = (record for record in report.records if record.verdict is Verdict.CONDITIONAL)
        more = {need for record in open_ for need in rests_on(record)}.difference(asked)
        if not more or report.interrupted:
            return report
        asked = (*asked, *sorted(more))


def _lemmas(kept: Cache | None, every: Sequence[Obligation], found: Mapping[str, Record]) -> Iterator[Record]:
    """Yield what earlier runs have found of that which proofs rest on and this run was not asked about."""
    parts: dict[str, list[Obligation]] = {}
    for each in every:
        for name in {each.name, each.claim}:
            parts.setdefault(name, []).append(each)
    seen, todo = set(found), list(found.values())
    while kept is not None and todo:
        needed = {part.name: part for each in todo for need in rests_on(each) for part in parts.get(need, ())}
        todo = list(kept.fresh([part for name, part in needed.items() if name not in seen]).values())
        seen |= needed.keys()
        yield from todo


def _longest_first(work: Work) -> tuple[int, bool]:
    """Return where in the order an obligation stands: what took long last time begins early, so that nobody waits for it at the end."""
    obligation, hints = work
    return -hints.recipe.spent, obligation.kind != "range"


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
        *(
            ()
            if obligation.subject is None
            else (obligation.subject, f"{obligation.subject}/{obligation.name.rpartition('/')[2]}")
        ),
    )
