"""Proofs: small games proved by the command; all of Pilgrim cold, warm, on one and two cores, and after one edited guard.

Pilgrim takes minutes, so `pilgrim` is measured only when it is named: `python -m tests.bench pilgrim`.
"""

import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from pilgrim_rules.core.ir import BOOL, Apply, Game, Require
from pilgrim_rules.language.load import read_game
from tests.bench.measure import Figure, process
from verifier.prove.companions import companions_of
from verifier.prove.run import Report, verify

#: Expected of Pilgrim at three players: seconds.
COLD, WARM = 300.0, 5.0
#: Of the cold time, after one edited guard.
EDITED = 0.25
PLAYERS = 3


def proofs() -> Iterator[Figure]:
    """Prove the yardsticks by the command, nothing being remembered of earlier proofs."""
    with _folder() as folder:
        load = process("-c", "import z3, cvc5", cache_folder=folder)
        for name, target in (("bank", 0.7), ("counters", None)):
            words = ("-m", "pilgrim_rules", "prove", name, "--no-cache", "--jobs", "1")
            seconds = process(*words, cache_folder=folder)
            yield Figure(f"pilgrim prove {name}, cold", seconds, "s", load, "loading both solvers", target)


def pilgrim() -> Iterator[Figure]:
    """Prove everything about Pilgrim for three players, several times."""
    game = read_game("pilgrim", players=PLAYERS)
    cold: dict[int, float] = {}
    for jobs in (1, 2):
        with _folder():
            cold[jobs], report = _proved(game, jobs)
            yield _against(f"Pilgrim, cold, {jobs} cores", cold[jobs], cold[jobs], COLD if jobs > 1 else None)
            warm, again = _proved(game, jobs)
            assert all(each.cached for each in again.records), "a second run must find everything again"
            yield _against(f"Pilgrim, warm, {jobs} cores", warm, cold[jobs], WARM)
            edited, _ = _proved(_edited(game), jobs)
            target = EDITED * cold[jobs] if jobs > 1 else None
            yield _against(f"Pilgrim, after one edited guard, {jobs} cores", edited, cold[jobs], target)
        if jobs == 1:
            asked = [each for each in report.records if each.queries]
            middle = statistics.median(each.seconds / each.queries for each in asked)
            yield Figure(
                "Pilgrim, queries", sum(each.queries for each in asked), "", len(report.records), "obligations"
            )
            yield Figure("Pilgrim, median query", middle * 1000, "ms", cold[1] * 1000, "cold, 1 core")


def _against(name: str, seconds: float, cold: float, target: float | None) -> Figure:
    return Figure(name, seconds, "s", cold, "cold", target)


def _proved(game: Game, jobs: int) -> tuple[float, Report]:
    """Return the seconds that proving takes by the clock, and what comes of it."""
    begun = time.perf_counter()
    report = verify(game, jobs=jobs, beside=companions_of("pilgrim", game))
    return time.perf_counter() - begun, report


def _edited(game: Game) -> Game:
    """Return the game with one requirement of a decision put otherwise, so that whatever needs it is proved again."""
    at, line = next(
        (at, line)
        for at, each in enumerate(game.actions)
        for line in each.guard
        if each.kind == "action" and isinstance(line, Require)
    )
    action = game.actions[at]
    twice = replace(line, test=Apply("and", (line.test, line.test), BOOL))
    changed = replace(action, guard=tuple(twice if each is line else each for each in action.guard))
    return replace(game, actions=(*game.actions[:at], changed, *game.actions[at + 1 :]))


@contextmanager
def _folder() -> Iterator[str]:
    """Return an empty folder that is the cache for a while."""
    before = os.environ.get("PILGRIM_CACHE")
    with tempfile.TemporaryDirectory(prefix="bench-cache-") as folder:
        os.environ["PILGRIM_CACHE"] = folder
        try:
            yield folder
        finally:
            os.environ.pop("PILGRIM_CACHE")
            if before is not None:
                os.environ["PILGRIM_CACHE"] = before
