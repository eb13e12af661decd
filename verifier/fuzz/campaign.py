"""Campaign: many random games, in several processes, until a number or a time is reached.

Reads:  a core game.   Writes: a `CampaignReport`; if asked to, a file from which the campaign can be gone on with.
After:  however the campaign ends, everything but the games in progress is in the report and in the file.

Work is cut into stretches of consecutive games. A game is known by its number: seed and number decide its dice, and
what it likes. What is rare is known as far as the last stretch, so that guided campaigns in several processes depend
on which of them was faster; every failure is kept as a play, so nothing rests on that.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from random import Random
from time import monotonic
from typing import TypeAlias

from pilgrim_rules.core.ir import Game
from pilgrim_rules.engine.stateform import Instance
from verifier.fuzz import store
from verifier.fuzz.coverage import Coverage
from verifier.fuzz.failure import failure
from verifier.fuzz.guide import Guide
from verifier.fuzz.lines import Lines
from verifier.fuzz.player import LONGEST, Player
from verifier.fuzz.report import CampaignReport, Tally, report
from verifier.fuzz.shrink import shrink
from verifier.fuzz.subject import Subject
from verifier.fuzz.variants import Variant, Variants, chosen_rulings

#: Other readings of the rules that one campaign tries, each compiled once a process, and games by one before the next.
READINGS, A_READING = 16, 8
#: A stretch of games takes about so many seconds, so that progress shows and little is lost.
STRETCH = 2.0


@dataclass(frozen=True, slots=True)
class Orders:
    """What every process of a campaign knows."""

    game: Game
    instance: Instance | None
    seed: int
    guided: bool
    rulings: bool
    data: bool
    longest: int
    favour: frozenset[str]
    shrinking: bool


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some consecutive games, the time they may take, and what is known to be rare or wrong when they begin."""

    first: int
    count: int
    seconds: float
    coverage: Coverage
    known: frozenset[str]


Result: TypeAlias = tuple[Tally, float]  #: of a stretch: what it found, and the seconds it took


def run(
    game: Game,
    *,
    games: int | None = None,
    minutes: float | None = None,
    jobs: int = 1,
    seed: int = 0,
    guided: bool = True,
    rulings: bool = False,
    data: bool = False,
    longest: int = LONGEST,
    favour: frozenset[str] = frozenset(),
    only_first: bool = False,
    shrinking: bool = True,
    instance: Instance | None = None,
    file: Path | None = None,
    executor: Executor | None = None,
    progress: Callable[[Tally], None] | None = None,
) -> CampaignReport:
    """Play random games and report what is wrong; at least one of `games` and `minutes` says when to stop.

    jobs       processes; 1 plays in this one.      executor  somebody else's processes, such as a cluster's.
    rulings    draw the options of all rulings.     data      draw assumed data, as far as the laws allow.
    longest    steps after which a game is stopped.  favour    actions that every guided game likes.
    only_first stop as soon as anything is wrong.    shrinking show what is wrong by a play as short as can be found.
    file       go on with the campaign in this file, if it is of the same rules and the same seed, and keep it there.
    """
    if games is None and minutes is None:
        raise ValueError("say how long to play: `games` or `minutes`")
    started, fingerprint = monotonic(), store.playprint(game)
    orders = Orders(game, instance, seed, guided, rulings, data, longest, favour, shrinking)
    tally = Tally() if file is None else store.load(file, fingerprint, seed)
    seconds = float("inf") if minutes is None else 60 * minutes
    campaign = _Campaign(orders, games, started + seconds, tally, file, progress, only_first)
    interrupted = campaign.alone() if jobs <= 1 and executor is None else campaign.together(jobs, executor)
    return report(game, fingerprint, seed, tally, monotonic() - started, interrupted=interrupted)


@dataclass(slots=True)
class _Campaign:
    orders: Orders
    games: int | None
    until: float
    tally: Tally
    file: Path | None
    progress: Callable[[Tally], None] | None
    only_first: bool
    size: int = 1  #: games of the next stretch
    under_way: int = 0

    def alone(self) -> bool:
        """Play in this process; return whether somebody interrupted."""
        worker = Worker(self.orders)
        try:
            while (stretch := self._next()) is not None:
                self._take(stretch, worker.play(stretch))
        except KeyboardInterrupt:
            return True
        return False

    def together(self, jobs: int, executor: Executor | None) -> bool:
        """Play in several processes; return whether somebody interrupted."""
        pool = executor or ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (self.orders,))
        waiting: dict[Future[Result], Stretch] = {}
        try:
            while True:
                while len(waiting) <= jobs and (stretch := self._next()) is not None:
                    waiting[pool.submit(_play, stretch, None if executor is None else self.orders)] = stretch
                if not waiting:
                    return False
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for each in done:
                    self._take(waiting.pop(each), each.result())
        except KeyboardInterrupt:
            for each in waiting:
                each.cancel()
            return True
        finally:
            if executor is None:
                pool.shutdown(wait=True, cancel_futures=True)

    def _next(self) -> Stretch | None:
        """Return the next games to be played; None if there are none."""
        seconds = self.until - monotonic()
        count = self.size if self.games is None else min(self.size, self.games - self.tally.games - self.under_way)
        if count <= 0 or seconds <= 0 or (self.only_first and self.tally.failures):
            return None
        stretch = Stretch(self.tally.next, count, seconds, self.tally.coverage.copy(), frozenset(self.tally.failures))
        self.tally.next += count
        self.under_way += count
        return stretch

    def _take(self, stretch: Stretch, result: Result) -> None:
        """Add a stretch to the campaign, and let the next ones take about as long as a stretch should."""
        found, seconds = result
        self.under_way -= stretch.count
        self.tally.merge(found)
        self.size = max(1, min(2 * self.size, int(STRETCH * found.games / max(seconds, 1e-6))))
        if self.file is not None:
            store.save(self.file, store.playprint(self.orders.game), self.orders.seed, self.tally)
        if self.progress is not None:
            self.progress(self.tally)


class Worker:
    """Plays stretches of a campaign in one process."""

    def __init__(self, orders: Orders) -> None:
        self.orders = orders
        self.variants = Variants(orders.game, orders.seed, orders.rulings, orders.data, orders.instance)
        self._readings: dict[int, Variant] = {}
        self._subjects: dict[str, tuple[Subject, Lines]] = {}

    def play(self, stretch: Stretch) -> Result:
        """Play the games of a stretch; return what they found and how long they took."""
        started, tally = monotonic(), Tally()
        seen, known = stretch.coverage.copy(), set(stretch.known)
        for number in range(stretch.first, stretch.first + stretch.count):
            self._game(number, tally, seen, known)
            if monotonic() - started > stretch.seconds:
                break
        tally.coverage = seen.less(stretch.coverage)
        return tally, monotonic() - started

    def _game(self, number: int, tally: Tally, seen: Coverage, known: set[str]) -> None:
        orders = self.orders
        random, looking = (Random(f"{orders.seed}/{number}/{use}") for use in ("play", "look"))  # noqa: S311  (no secrets)
        reading = self._reading(number)
        subject, lines = self._subject(reading)
        guide = Guide.drawn(subject.core, random, orders.favour) if orders.guided else Guide.even()
        played = Player(subject, seen, lines, orders.longest).play(random, looking, guide)
        tally.count(played)
        tally.rulings.update(f"{name} = {option}" for name, option in chosen_rulings(reading.game))
        problem = played.problem
        if problem is not None:
            tally.times[problem.name] += 1
            if problem.name not in known:
                known.add(problem.name)
                shown = shrink(subject, problem, played.play) if orders.shrinking else (problem, played.play)
                tally.keep(problem.name, failure(subject, *shown))

    def _reading(self, number: int) -> Variant:
        """Return the reading by which a game is played: each is made when it is wanted, and used for some games."""
        varies = self.orders.rulings or self.orders.data
        which = number // A_READING % READINGS if varies else 0
        if which not in self._readings:
            self._readings[which] = self.variants.numbered(which)
        return self._readings[which]

    def _subject(self, reading: Variant) -> tuple[Subject, Lines]:
        if reading.label not in self._subjects:
            instance = self.orders.instance
            if instance is not None and reading.rulings:
                instance = Instance(**{**instance, "rulings": {**(instance["rulings"] or {}), **dict(reading.rulings)}})
            self._subjects[reading.label] = Subject(reading.game, instance), Lines(reading.game)
        return self._subjects[reading.label]


_worker: Worker | None = None  #: of this process, if it belongs to a campaign


def _begin(orders: Orders) -> None:
    """Prepare a process of a campaign. An interrupt is the business of the process that leads it."""
    global _worker  # noqa: PLW0603  (one campaign a process)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker = Worker(orders)


def _play(stretch: Stretch, orders: Orders | None) -> Result:
    """Play a stretch; somebody else's process is told the orders each time."""
    worker = _worker if orders is None else Worker(orders)
    assert worker is not None, "a process of our own has been prepared"
    return worker.play(stretch)
