"""Campaign: every mistake (or a sample) is made and shown to everything that may notice.

Reads:  a core game.   Writes: a `MutationReport`.
After:  each mutant was noticed by the first killer that could, or survived all of them. Where all states of the game can
        be visited, a survivor is compared with the original in each: then it is known to be the same game, or where it
        differs.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from multiprocessing import get_context
from random import Random
from time import perf_counter

from pilgrim_rules.core.ir import Game
from pilgrim_rules.engine.scene import NotPositive, OutsideTable
from verifier.explore.compare import Behaviour
from verifier.mutate.killers import Killer, by_examples, by_exploration, by_play
from verifier.mutate.mutants import Mistake, Mutant, mistakes, mutant
from verifier.mutate.report import Fate, MutationReport, Outcome
from verifier.mutate.sample import Sample

#: How much each mutant is given, if nobody says otherwise.
STATES, GAMES, LONGEST = 200_000, 6, 1500


@dataclass(frozen=True, slots=True)
class Settings:
    """What is tried on each mutant: states of a search, games of random play and their length, killers from outside."""

    max_states: int = STATES
    games: int = GAMES
    longest: int = LONGEST
    others: tuple[tuple[str, Callable[[Game], Killer]], ...] = ()


def run(
    game: Game,
    *,
    limit: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    max_states: int = STATES,
    games: int = GAMES,
    longest: int = LONGEST,
    others: Mapping[str, Callable[[Game], Killer]] | None = None,
    only: Callable[[Mistake], bool] | None = None,
    progress: Callable[[Outcome, int, int], None] | None = None,
) -> MutationReport:
    """Make mistakes in the rules and report which are noticed.

    limit        so many mistakes, drawn with the seed; all if left out.
    only         which mistakes to make at all.
    max_states   of a search of all states; 0 for none.       games, longest   of random play; 0 games for none.
    others       further killers by name, such as a prover: each is given the game first, then mutants of it. With
                 several jobs they must be importable functions.
    progress     is told of each outcome, with its number and how many there will be.
    """
    started = perf_counter()
    settings = Settings(max_states, games, longest, tuple((others or {}).items()))
    possible = [mistake for mistake in mistakes(game) if only is None or only(mistake)]
    names = [mistake.name for mistake in possible]
    chosen = sorted(Random(seed).sample(range(len(names)), min(limit or len(names), len(names))))  # noqa: S311
    found: list[Outcome] = []
    interrupted = False
    try:
        for number, outcome in enumerate(_outcomes(game, settings, [names[at] for at in chosen], jobs)):
            if outcome is not None:
                found.append(outcome)
                if progress is not None:
                    progress(outcome, number + 1, len(chosen))
    except KeyboardInterrupt:
        interrupted = True
    return MutationReport(game.name, tuple(found), len(possible), perf_counter() - started, interrupted)


def _outcomes(game: Game, settings: Settings, names: list[str], jobs: int) -> Iterator[Outcome | None]:
    if jobs <= 1:
        yield from map(Court(game, settings).judge, names)
        return
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (game, settings))
    try:
        yield from pool.map(_judge, names)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class Court:
    """Judges mutants of one game."""

    def __init__(self, game: Game, settings: Settings) -> None:
        self.game = game
        self.settings = settings
        self.behaviour = Behaviour.of(game, max_states=settings.max_states) if settings.max_states else None
        self.mistakes = {mistake.name: mistake for mistake in mistakes(game)}
        self.killers: list[tuple[str, Killer]] = [("examples", by_examples(game))]
        search = by_exploration(game, max_states=settings.max_states) if self.behaviour is not None else None
        if search is not None:
            self.killers.append(("exploration", search))
        elif settings.games:
            self.killers.append(("play", by_play(game, games=settings.games, longest=settings.longest)))
        self.killers += [(name, make(game)) for name, make in settings.others]

    def judge(self, name: str) -> Outcome | None:
        """Make a mistake and show it to all killers; None if the result is no game."""
        started, mistake = perf_counter(), self.mistakes[name]
        made = mutant(self.game, mistake)
        if made is None:
            return None
        outcome = partial(Outcome, name, mistake.kind, mistake.key, mistake.words, mistake.clauses)
        for by, killer in self.killers:
            says = _asked(killer, made)
            if says is not None:
                return outcome("killed", by, says, seconds=perf_counter() - started)
        fate, says, play = self._compared(made)
        return outcome(fate, says=says, play=play, seconds=perf_counter() - started)

    def _compared(self, made: Mutant) -> tuple[Fate, str, tuple[str, ...]]:
        """Return whether an unnoticed mutant is a different game at all, and where."""
        if self.behaviour is None:
            says, play = self.sample.difference(made.game, made.actions)
            return "survived", says, play
        difference = self.behaviour.difference(made.game, made.actions)
        if difference is None:
            return "equivalent", "the same game: every reachable state has the same moves, with the same results", ()
        return "survived", difference.says, tuple(step.text for step in difference.play)

    @cached_property
    def sample(self) -> Sample:
        """Some states of a game that has too many."""
        return Sample.of(self.game, games=max(self.settings.games, 1), longest=self.settings.longest)


def _asked(killer: Killer, made: Mutant) -> str | None:
    try:
        return killer(made)
    except (OutsideTable, NotPositive, IndexError, ZeroDivisionError) as error:
        # The checker refuses such text: a value is used where it need not exist.
        return f"a value is used that does not exist ({type(error).__name__})"


_court: Court | None = None  #: of this process, if it belongs to a campaign


def _begin(game: Game, settings: Settings) -> None:
    global _court  # noqa: PLW0603  (one campaign a process)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _court = Court(game, settings)


def _judge(name: str) -> Outcome | None:
    assert _court is not None, "the process has been prepared"
    return _court.judge(name)
