"""Campaign: many random games, in several processes, until a number or a time is reached.

Reads:  a core game.   Writes: a `CampaignReport`; if asked to, a file from which the campaign can be continued.
After:  however the campaign ends, everything but the games in progress is in the report and in the file.

Work is cut into batches of consecutive games. A game is known by its number: seed and number decide its dice, and
what it favours. Most games are played natively, with the claims asked after every step; some are played move by move and looked
at thoroughly, and so is the first game in which an action is used. What is rare is known as far as the last batch, so that guided campaigns in several processes depend
on which of them was faster; every failure is kept as a play, so nothing rests on that.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import TypeAlias

from pilgrim_rules.core.ir import Game
from pilgrim_rules.core.rulings import chosen, chosen_options, chosen_rulings
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.language.load_arguments import LoadArguments
from pilgrim_rules.util import processes
from pilgrim_rules.walk.policies import Uniform
from pilgrim_rules.walk.random_source import RandomSource
from verifier.fuzz.bulk import A_POLICY, BulkGames, is_looked_at
from verifier.fuzz.failure import failure
from verifier.fuzz.game_under_test import GameUnderTest, Play, Problem, ProblemFound
from verifier.fuzz.minimal import SECONDS, example_database, kept, minimal
from verifier.fuzz.play_coverage import LineCoverage, PlayCoverage
from verifier.fuzz.player import LONGEST, FuzzPlayer, swarm_policy
from verifier.fuzz.report import CampaignReport, Tally, load_campaign, play_fingerprint, report, save_campaign
from verifier.fuzz.thinking import thinking_game
from verifier.fuzz.variants import Variant, Variants
from verifier.play.hunt import FAVOURED, liked_actions

#: Other readings of the rules that one campaign tries, each compiled once a process; games by one before the next, at first and later.
READINGS, A_READING, AT_LENGTH = 16, 8, 8192
#: What is counted only in games that are looked at thoroughly.
COUNTED_CLOSELY = ("allowed", "refused", "alone", "lines", "premises")
#: Actions of one turn that are looked at because nobody has looked at them.
LOOKS = 8
#: The part of a limited time that thorough looks may take.
LOOKING = 0.3
#: Seconds in which the play of a second problem, and of any more, is made short: most go back to the first.
LATER_SECONDS = 4.0
FEW_ACTIONS = 20  #: of a game in which none stays rare for long
#: Seconds that a batch of games takes, about, so that progress shows and little is lost.
BATCH_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class CampaignSettings:
    """What every process of a campaign knows."""

    game: Game
    instance: LoadArguments | None
    seed: int
    guided: bool
    rulings: bool
    data: bool
    longest: int
    favour: frozenset[str]
    shrinking: bool
    native: bool
    remember: bool
    options: bool = False
    heavier: int = FAVOURED
    thorough: bool = True
    thought: int = 0
    learns: bool = False


@dataclass(frozen=True, slots=True)
class GameBatch:
    """Some consecutive games, the time they may take, and what is known to be rare or wrong when they begin."""

    first: int
    count: int
    seconds: float
    coverage: PlayCoverage
    known: frozenset[str]


Result: TypeAlias = tuple[Tally, float]  #: of a batch: what it found, and the seconds it took


def run(
    game: Game,
    *,
    games: int | None = None,
    minutes: float | None = None,
    jobs: int = 1,
    seed: int = 0,
    guided: bool = True,
    rulings: bool = False,
    options: bool = False,
    data: bool = False,
    longest: int = LONGEST,
    favour: frozenset[str] = frozenset(),
    heavier: int = FAVOURED,
    only_first: bool = False,
    shrinking: bool = True,
    native: bool = True,
    thorough: bool = True,
    thought: int = 0,
    learns: bool = True,
    remember: bool = False,
    instance: LoadArguments | None = None,
    file: Path | None = None,
    executor: Executor | None = None,
    progress: Callable[[Tally], None] | None = None,
) -> CampaignReport:
    """Play random games and report what is wrong; at least one of `games` and `minutes` says when to stop.

    jobs       processes; 1 plays in this one.      executor  somebody else's processes, such as a cluster's.
    rulings    draw the options of all rulings.     data      draw assumed data, as far as the laws allow.
    options    draw what the players choose.
    longest    steps after which a game is stopped.  favour    actions that every guided game favours.
    heavier    how much more often native play chooses them.
    only_first stop as soon as anything is wrong.    shrinking show what is wrong by a play as short as can be found.
    native     play most games natively; otherwise all are looked at thoroughly, which takes long.
    thorough   look at some games, and at whatever is new, thoroughly; otherwise only claims are asked, natively.
    thought    let players choose by tree search, with this many games in thought before each move; all games are looked at thoroughly.
    learns     how rare actions are made more often, if the rules are large and the games many; that takes seconds, once for the rules.
    remember   begin with the plays that earlier runs have found, and keep those that this one finds.
    file       continue the campaign in this file, if it is of the same rules and the same seed, and keep it there.
    """
    if games is None and minutes is None:
        raise ValueError("say how long to play: `games` or `minutes`")
    started, fingerprint = monotonic(), play_fingerprint(game)
    settings = CampaignSettings(
        game, instance, seed, guided, rulings, data, longest, favour, shrinking, native, remember, options, heavier,
        thorough, thought, learns and guided and native and not thought and (games is None or games > A_POLICY),
    )  # fmt: skip
    tally = Tally() if file is None else load_campaign(file, fingerprint, seed)
    seconds = float("inf") if minutes is None else 60 * minutes
    campaign = _Campaign(settings, games, started + seconds, tally, file, fingerprint, progress, only_first)
    interrupted = campaign.alone() if jobs <= 1 and executor is None else campaign.together(jobs, executor)
    return report(game, fingerprint, seed, tally, monotonic() - started, interrupted=interrupted)


@dataclass(slots=True)
class _Campaign:
    settings: CampaignSettings
    games: int | None
    until: float
    tally: Tally
    file: Path | None
    fingerprint: str  #: of the game, which takes long to work out
    progress: Callable[[Tally], None] | None
    only_first: bool
    size: int = 1  #: games of the next batch
    under_way: int = 0

    def alone(self) -> bool:
        """Play in this process; return whether somebody interrupted."""
        worker = Worker(self.settings)
        try:
            while (batch := self._next()) is not None:
                self._take(batch, worker.play(batch))
        except KeyboardInterrupt:
            return True
        return False

    def together(self, jobs: int, executor: Executor | None) -> bool:
        """Play in several processes; return whether somebody interrupted."""
        try:
            if executor is not None:
                self._share(executor, jobs, self.settings)
            else:
                with processes.pool(jobs, _init_worker, (self.settings,)) as pool:
                    self._share(pool, jobs, None)
        except KeyboardInterrupt:
            return True
        return False

    def _share(self, pool: Executor, jobs: int, settings: CampaignSettings | None) -> None:
        """Hand out batches until there are no more; somebody else's processes are told the settings each time."""
        waiting: dict[Future[Result], GameBatch] = {}
        try:
            while True:
                while len(waiting) <= jobs and (batch := self._next()) is not None:
                    waiting[pool.submit(_play, batch, settings)] = batch
                if not waiting:
                    return
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for each in done:
                    self._take(waiting.pop(each), each.result())
        finally:
            for each in waiting:
                each.cancel()

    def _next(self) -> GameBatch | None:
        """Return the next games to be played; None if there are none."""
        seconds = self.until - monotonic()
        count = self.size if self.games is None else min(self.size, self.games - self.tally.games - self.under_way)
        if count <= 0 or seconds <= 0 or (self.only_first and self.tally.failures):
            return None
        batch = GameBatch(self.tally.next, count, seconds, self.tally.coverage.copy(), frozenset(self.tally.failures))
        self.tally.next += count
        self.under_way += count
        return batch

    def _take(self, batch: GameBatch, result: Result) -> None:
        """Add a batch to the campaign, and let the next ones take about as long as a batch should."""
        found, seconds = result
        self.under_way -= batch.count
        self.tally.merge(found)
        self.size = max(1, min(2 * self.size, int(BATCH_SECONDS * found.games / max(seconds, 1e-6))))
        if self.file is not None:
            save_campaign(self.file, self.fingerprint, self.settings.seed, self.tally)
        if self.progress is not None:
            self.progress(self.tally)


@dataclass(frozen=True, slots=True)
class _Subject:
    """A reading of the game, ready to be played."""

    game: GameUnderTest
    lines: LineCoverage
    bulk: BulkGames


class Worker:
    """Plays batches of a campaign in one process."""

    def __init__(self, settings: CampaignSettings) -> None:
        self.settings = settings
        self.variants = Variants(settings.game, settings.seed, settings.rulings, settings.data, settings.options)
        self._readings: dict[int, Variant] = {}
        self._subjects: dict[str, _Subject] = {}
        self._database = example_database() if settings.remember else None
        self._begun, self._looked = monotonic(), 0.0  #: when work began, and the seconds of thorough looks

    def play(self, batch: GameBatch) -> Result:
        """Play the games of a batch; return what they found and how long they took."""
        started, tally = monotonic(), Tally()
        seen, known = batch.coverage.copy(), set(batch.known)
        number, end = batch.first, batch.first + batch.count
        if number == 0 and self._database is not None:
            subject = self._subject(self._reading(0))
            for problem, play in kept(subject.game, self._database):
                self._found(subject, problem, play, tally, known)
        while number < end and monotonic() - started <= batch.seconds:
            if self._is_looked_at(number) and self._has_time(number, batch.seconds):
                begun = monotonic()
                self._game(number, tally, seen, known)
                self._looked += monotonic() - begun
                number += 1
            else:
                number += self._bulk(number, end, tally, seen, known)
        tally.coverage = seen.less(batch.coverage)
        return tally, monotonic() - started

    def _has_time(self, number: int, seconds: float) -> bool:
        """Return whether a thorough look takes no more than its part of a limited time; the first game always has one."""
        limited = self.settings.native and seconds < float("inf") and number > 0
        return not limited or self._looked <= LOOKING * (monotonic() - self._begun)

    def _is_looked_at(self, number: int) -> bool:
        return (
            not self.settings.native or self.settings.thought > 0 or (self.settings.thorough and is_looked_at(number))
        )

    def _game(self, number: int, tally: Tally, seen: PlayCoverage, known: set[str]) -> None:
        """Play a game move by move, and look at it thoroughly."""
        settings = self.settings
        playing, looking = (RandomSource(f"{settings.seed}/{number}/{use}") for use in ("play", "look"))
        reading = self._reading(number)
        subject = self._subject(reading)
        core = subject.game.core
        policy = swarm_policy(core, seen, playing, settings.favour) if settings.guided else Uniform[int]()
        played = FuzzPlayer(subject.game, seen, subject.lines, settings.longest).play(
            playing, looking, policy, self._thought(subject, number)
        )
        tally.count(played)
        tally.rulings.update(f"{name} = {option}" for name, option in chosen(reading.game))
        if played.problem is not None:
            self._found(subject, played.problem, played.play, tally, known)

    def _thought(self, subject: _Subject, number: int) -> Play | None:
        """Return the steps of a game by tree search, if players are to think."""
        settings = self.settings
        seed = RandomSource(f"{settings.seed}/{number}/think").below(2**30)
        return thinking_game(subject.game, settings.thought, seed, settings.longest) if settings.thought else None

    def _bulk(self, first: int, end: int, tally: Tally, seen: PlayCoverage, known: set[str]) -> int:
        """Play games natively, up to the next that is to be looked at; return how many."""
        end = min(end, first + _games_of_a_reading(first) - first % _games_of_a_reading(first)) if self._varies else end
        last = next((at for at in range(first + 1, end) if self._is_looked_at(at)), end)
        reading = self._reading(first)
        subject = self._subject(reading)
        counts, problems, used = subject.bulk.play(first, last - first, known)
        tally.count_bulk(counts)
        seen.actions.update(counts.actions)
        for name, option in chosen(reading.game):
            tally.rulings[f"{name} = {option}"] += counts.games
        for problem, play in problems:
            self._found(subject, problem, play, tally, known)
        if not problems and self.settings.thorough:
            self._look_at_new(subject, first, counts.games, used, tally, seen, known)
        return counts.games

    def _look_at_new(
        self,
        subject: _Subject,
        first: int,
        games: int,
        used: list[int],
        tally: Tally,
        seen: PlayCoverage,
        known: set[str],
    ) -> None:
        """Look thoroughly at the first games in which actions were used that have never been looked at, a few in each turn."""
        for _ in range(LOOKS):
            if (action := next(iter(subject.bulk.unseen(used, seen)), None)) is None:
                return
            used.remove(action)  # also where its game goes another way when it is looked at
            play = subject.bulk.game_with(first, games, action)
            looked = seen.copy()
            looked.actions[subject.game.core.actions[action].name] = 0  # what is rare is looked at
            player = FuzzPlayer(subject.game, looked, subject.lines, self.settings.longest)
            played = player.play(RandomSource(first), RandomSource(first), Uniform[int](), play)
            for name in COUNTED_CLOSELY:  # how often moves were made is counted already
                setattr(seen, name, getattr(looked, name))
            if played.problem is not None:
                self._found(subject, played.problem, played.play, tally, known)

    def _found(self, subject: _Subject, problem: Problem, play: Play, tally: Tally, known: set[str]) -> None:
        """Keep what is wrong, with a play as short as can be found, if it is not known yet."""
        tally.times[problem.name] += 1
        if problem.name in known:
            return
        seconds = LATER_SECONDS if known else SECONDS
        known.add(problem.name)
        shown = problem, play
        if self.settings.shrinking:
            hunter = subject.bulk.hunter if self.settings.native else None
            try:
                shown = minimal(subject.game, problem, play, hunter=hunter, seconds=seconds, database=self._database)
            except ProblemFound as disagreement:  # the evaluator does not confirm it: that is another problem
                tally.keep(disagreement.problem.name, failure(subject.game, disagreement.problem, play))
        tally.keep(problem.name, failure(subject.game, *shown))

    @cached_property
    def _liked(self) -> dict[str, int]:
        """What makes rare actions less rare; learned for the rules as they are, and used for all readings of them."""
        game = self.settings.game
        learns = self.settings.learns and len(game.actions) > FEW_ACTIONS
        return liked_actions(compiled(game, ghosts=True)) if learns else {}

    @property
    def _varies(self) -> bool:
        return self.settings.rulings or self.settings.options or self.settings.data

    def _reading(self, number: int) -> Variant:
        """Return the reading by which a game is played: each is made when it is wanted, and used for some games."""
        which = number // _games_of_a_reading(number) % READINGS if self._varies else 0
        if which not in self._readings:
            self._readings[which] = self.variants.numbered(which)
        return self._readings[which]

    def _subject(self, reading: Variant) -> _Subject:
        if reading.label not in self._subjects:
            settings, instance = self.settings, self.settings.instance
            if instance is not None and reading.rulings:
                rulings, options = chosen_rulings(reading.game), chosen_options(reading.game)
                instance = LoadArguments(**{**instance, "rulings": dict(rulings), "options": dict(options) or None})
            game = GameUnderTest(reading.game, instance)
            bulk = BulkGames(
                game, settings.seed, settings.longest, settings.favour, settings.guided, settings.heavier, self._liked
            )
            self._subjects[reading.label] = _Subject(game, LineCoverage(reading.game), bulk)
        return self._subjects[reading.label]


def _games_of_a_reading(number: int) -> int:
    """Return how many consecutive games are played by one reading: few, until each reading has had a turn."""
    return A_READING if number < READINGS * A_READING else AT_LENGTH


_worker: Worker | None = None  #: of this process, if it belongs to a campaign


def _init_worker(settings: CampaignSettings) -> None:
    """Prepare a process of a campaign."""
    global _worker  # noqa: PLW0603  (one campaign a process)
    _worker = Worker(settings)


def _play(batch: GameBatch, settings: CampaignSettings | None) -> Result:
    """Play a batch; somebody else's process is told the settings each time."""
    worker = _worker if settings is None else Worker(settings)
    assert worker is not None, "a process of our own has been prepared"
    return worker.play(batch)
