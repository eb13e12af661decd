"""Judge: mutants of one game, judged one by one.

Reads:  the game for each number of players, and how much may be tried.   Writes: an `MutantResult` for each mistake.
After:  each mutant was noticed by the first detector that could, cheapest first: examples for all numbers of players, then
        a search of all states or trials and play, then whatever was plugged in. One that nobody noticed is compared with
        the original: in every state where there are few enough, otherwise in recorded games.

A line that belongs to a ruling is also tried under the other options of that ruling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, partial
from time import perf_counter

from pilgrim_rules.core.ir import Game, Options
from pilgrim_rules.evidence.mutant_results import Fate, MutantResult
from pilgrim_rules.language import instances
from pilgrim_rules.semantics.errors import Contradiction
from verifier.explore.compare import Behaviour
from verifier.mutate.detectors import (
    Detection,
    Detector,
    by_boundaries,
    by_examples,
    by_exploration,
    by_laws,
    by_play,
    by_secrecy,
    by_trials,
    kept_boundaries,
    known_problems,
)
from verifier.mutate.mistake import Mistake
from verifier.mutate.mutants import Mutant, in_reading, mistakes, mutant
from verifier.mutate.prepared_examples import PreparedExamples
from verifier.mutate.sample import Sample

#: How much each mutant is given, if nobody says otherwise.
STATES, GAMES, LONGEST, READINGS = 200_000, 6, 1500, 2


@dataclass(frozen=True, slots=True)
class MutationSettings:
    """What is tried on each mutant.

    max_states      of a search of all states; 0 for none.
    games, longest  of random play and of the sample of states; 0 games for none.
    readings        other options of rulings that a line belongs to.
    others          detectors from outside, by name.
    """

    max_states: int = STATES
    games: int = GAMES
    longest: int = LONGEST
    readings: int = READINGS
    others: tuple[tuple[str, Callable[[Game], Detector]], ...] = ()


class Judge:
    """Judges mutants of one game, given for one number of players or for several; the first names the mistakes."""

    def __init__(self, games: tuple[Game, ...], settings: MutationSettings) -> None:
        self.games = games
        self.game = games[0]
        self.settings = settings
        self.mistakes = {mistake.name: mistake for mistake in mistakes(self.game)}
        self.behaviour = Behaviour.from_game(self.game, max_states=settings.max_states) if settings.max_states else None
        self.tables = [GameDetectors(game, settings) for game in games]

    def judge(self, name: str) -> MutantResult | None:
        """Make a mistake and show it to all detectors; None if the result is no game."""
        started, mistake = perf_counter(), self.mistakes[name]
        made = mutant(self.game, mistake)
        if made is None:
            return None
        outcome = partial(MutantResult, name, mistake.kind, mistake.key, mistake.words, mistake.clauses)
        for table, by, detector, each in self._detectors_in_order(mistake, made):
            noticed = _ask(detector, each)
            if noticed is not None:
                seconds = perf_counter() - started
                return outcome(
                    "killed", by, noticed.says, noticed.play, noticed.example, table, seconds, claims=noticed.claims
                )
        fate, says, play = self._compared(made)
        by = "recorded games" if fate == "recorded" else ""
        return outcome(fate, by, says, play, seconds=perf_counter() - started)

    def _detectors_in_order(self, mistake: Mistake, made: Mutant) -> Iterator[tuple[int, str, Detector, Mutant]]:
        """Yield who is to be asked, in order; the mutants of other numbers of players are made when they are needed."""
        if mistake.kind == "secrecy":  # the moves and what they lead to are the same
            yield self.game.players, "proofs", self._secrecy, made
            return
        if mistake.kind == "table":
            yield self.game.players, "laws", by_laws, made
        at = cache(lambda table: self._at(table, mistake, made))
        for table in self.tables:
            if table.prepared.is_affected(made) and (each := at(table)) is not None:
                yield table.game.players, "examples", table.examples, each
        for table in self.tables:
            if table.boundaries is not None and (each := at(table)) is not None:
                yield table.game.players, "boundaries", table.boundaries, each
        for table in dict.fromkeys((self.tables[0], self.tables[-1])):  # the most players, and the fewest
            if (each := at(table)) is not None:
                for by, detector in table.detectors(each, searched=self.behaviour is not None):
                    yield table.game.players, by, detector, each
        for reading in self._readings(mistake):
            table = self.tables[0]
            there = in_reading(made, self.game, instances.with_rulings(self.game, reading))
            other = Mutant(mistake, there, made.actions, made.defs)
            yield table.game.players, "play", table.play_in_reading(reading), other
        for by, detector in self._others:
            yield self.game.players, by, detector, made

    def _at(self, table: GameDetectors, mistake: Mistake, made: Mutant) -> Mutant | None:
        """Return the same mistake for another number of players."""
        if table.game is self.game:
            return made
        there = table.mistakes.get(mistake.name)
        return None if there is None else mutant(table.game, there)

    def _readings(self, mistake: Mistake) -> list[Options]:
        """Return other options of the rulings that the line cites, as many as may be tried."""
        if not self.settings.games or self.behaviour is not None or self.game.origin is None:
            return []
        found: list[Options] = [
            ((ruling.name, option),)
            for ruling in self.game.decisions
            if set(ruling.note.clauses) & set(mistake.clauses)
            for option, _ in ruling.options
            if option != ruling.default
        ]
        return found[: self.settings.readings]

    @cached_property
    def _secrecy(self) -> Detector:
        return by_secrecy(self.game)

    @cached_property
    def _others(self) -> list[tuple[str, Detector]]:
        return [(name, make(self.game)) for name, make in self.settings.others]

    def _compared(self, made: Mutant) -> tuple[Fate, str, tuple[str, ...]]:
        """Return whether an unnoticed mutant is a different game at all, and where."""
        if made.mistake.kind == "secrecy":
            return "survived", "no proof of secrecy needs it", ()
        if self.behaviour is None and not self.settings.games:
            return "survived", "not compared with the original", ()
        if self.behaviour is None:
            says, play, differs = self.tables[0].sample.difference(made.game, made.actions)
            return "recorded" if differs else "survived", says, play
        difference = self.behaviour.difference(made.game, made.actions)
        if difference is None:
            return "equivalent", "the same game: every reachable state has the same moves, with the same results", ()
        return "survived", difference.says, tuple(step.text for step in difference.play)


class GameDetectors:
    """A game for one number of players, with its detectors; each is made when it is first needed."""

    def __init__(self, game: Game, settings: MutationSettings) -> None:
        self.game = game
        self.settings = settings
        self._readings: dict[Options, Detector] = {}

    @cached_property
    def mistakes(self) -> dict[str, Mistake]:
        """The mistakes that can be made, by name."""
        return {mistake.name: mistake for mistake in mistakes(self.game)}

    @cached_property
    def boundaries(self) -> Detector | None:
        """The detector that asks where moves were just allowed and just refused; None if nothing is kept."""
        kept = kept_boundaries(self.game)
        return by_boundaries(kept) if kept else None

    @cached_property
    def examples(self) -> Detector:
        """The detector that runs the worked examples."""
        return by_examples(self.prepared)

    @cached_property
    def prepared(self) -> PreparedExamples:
        """The worked examples, made ready."""
        return PreparedExamples.from_game(self.game)

    def detectors(self, made: Mutant, *, searched: bool) -> Iterator[tuple[str, Detector]]:
        """Yield the detectors that look at many states: a search if there can be one, else trials.

        Games from the start are played only if no state is known in which the mistake could show.
        """
        if searched:
            if self._search is not None:
                yield "exploration", self._search
        elif self.settings.games:
            yield "play", self._trials
            if not self.sample.near(made.actions, 1):
                yield "play", self._play

    def play_in_reading(self, reading: Options) -> Detector:
        """Return the detector that tries moves under another reading."""
        if reading not in self._readings:
            other = instances.with_rulings(self.game, reading)
            sample = Sample.from_play(other, games=max(self.settings.games // 2, 1), longest=self.settings.longest)
            self._readings[reading] = by_trials(sample, self._known)
        return self._readings[reading]

    @cached_property
    def sample(self) -> Sample:
        """Some states of a game that has too many."""
        games, prepared = max(self.settings.games, 1), self.prepared.prepared
        return Sample.from_play(self.game, games=games, longest=self.settings.longest, examples=prepared)

    @cached_property
    def _known(self) -> frozenset[str]:
        return known_problems(self.game, games=self.settings.games, longest=self.settings.longest)

    @cached_property
    def _search(self) -> Detector | None:
        return by_exploration(self.game, max_states=self.settings.max_states)

    @cached_property
    def _trials(self) -> Detector:
        return by_trials(self.sample, self._known)

    @cached_property
    def _play(self) -> Detector:
        return by_play(self.game, games=max(self.settings.games // 2, 1), longest=self.settings.longest)


def _ask(detector: Detector, made: Mutant) -> Detection | None:
    try:
        return detector(made)
    except Contradiction as error:
        # The checker refuses such text: a value is used where it need not exist.
        return Detection(f"a value is used that does not exist ({type(error).__name__})")
