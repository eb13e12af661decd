"""Player: one random game, checked on its way.

Reads:  a game under test, a generator of random numbers, what has been covered.   Writes: `Played`; counts of coverage.
After:  the game was played to its end, to its limit, or to the first thing that is wrong.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from random import Random

from pilgrim_rules.engine.moves import Coded
from verifier.fuzz import checks
from verifier.fuzz.coverage import Coverage, requirements
from verifier.fuzz.guide import Guide
from verifier.fuzz.lines import Lines
from verifier.fuzz.subject import Broken, Play, Problem, Subject

#: A game is stopped after so many steps; some games never end.
LONGEST = 4000
#: One state in so many is looked at thoroughly, and moves that were made less often than this always.
THOROUGH, RARE = 40, 3
#: One state in so many, and the last of each game, is also written as JSON and audited.
DEEP = 500
#: One game in so many is written down, read and played again.
REPLAYED = 8
#: Moves asked about in a thorough look, legal or not.
ASKED = 4


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played.

    choices   states in which there was more than one thing to choose from.
    options   moves to choose from in these states, all together; `most`: at once.
    """

    play: Play
    over: bool
    problem: Problem | None
    choices: int
    options: int
    most: int


@dataclass(slots=True)
class Player:
    """Plays random games of a subject."""

    subject: Subject
    coverage: Coverage
    lines: Lines
    longest: int = LONGEST

    def play(self, random: Random, looking: Random, guide: Guide) -> Played:
        """Play one game. What is looked at is drawn apart, so that looking does not change the game."""
        subject, coverage = self.subject, self.coverage
        state, play = subject.code.start, list[Coded]()
        choices = total = most = 0
        over, problem = False, None
        try:
            checks.start(subject)
            while len(play) < self.longest:
                options = subject.options(state)
                row = subject.runner.row(state)
                coverage.stages[row.stage.name] += 1
                if not options:
                    over = True
                    break
                if len(options) > 1:
                    choices, total, most = choices + 1, total + len(options), max(most, len(options))
                chosen = guide.choose(options, subject.core, coverage, random)
                if looking.randrange(THOROUGH) == 0 or coverage.actions[subject.core.actions[chosen[0]].name] < RARE:
                    self._look(state, frozenset(coded for coded, _ in options), chosen, looking)
                play.append(chosen)
                state = self._step(state, chosen)
            self._look_deep(state)
            if looking.randrange(REPLAYED) == 0:
                checks.replay(subject, tuple(play))
        except Broken as found:
            problem = found.problem
        except Exception as error:  # noqa: BLE001  (a crash of ours is a finding like any other, and must not end a campaign)
            problem = crash(subject, error)
        return Played(tuple(play), over, problem, choices, total, most)

    def _step(self, state: bytes, chosen: Coded) -> bytes:
        subject, (number, args) = self.subject, chosen
        action = subject.core.actions[number]
        after = subject.make(state, chosen)
        self.coverage.made(action, args)
        if self.lines.new_shape(subject.code.layout.fields, number, state, after):
            self._look_at_lines(state, chosen)
        checks.step(subject, state, chosen, after)
        checks.state(subject, chosen, after)
        return after

    def _look(self, state: bytes, offered: frozenset[Coded], chosen: Coded, random: Random) -> None:
        """Look at a state thoroughly."""
        subject, coverage = self.subject, self.coverage
        if random.randrange(DEEP // THOROUGH) == 0:
            self._look_deep(state)
        checks.evaluator(subject, state, chosen, random)
        self._look_at_lines(state, chosen)
        for coded in (chosen, *(self._any_move(state, random) for _ in range(ASKED))):
            coverage.asked(subject.core.actions[coded[0]], checks.refusal(subject, state, coded, offered))

    def _look_at_lines(self, state: bytes, chosen: Coded) -> None:
        self.coverage.lines.update(self.lines.run(self.subject.code.layout.decode(state), *chosen))

    def _look_deep(self, state: bytes) -> None:
        checks.form(self.subject, state)

    def _any_move(self, state: bytes, random: Random) -> Coded:
        """Return a move of the stage, legal or not; one whose refusal has never been seen if there is one."""
        numbers = self.subject.runner.row(state).actions
        actions, refused = self.subject.core.actions, self.coverage.refused
        unseen = [at for at in numbers if not all(refused[key] for key in requirements(actions[at]))]
        number = random.choice(unseen or numbers)
        return number, checks.draw_args(self.subject, number, random)


def crash(subject: Subject, error: Exception) -> Problem:
    """Return the problem that an unexpected exception is."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    says = f"{type(error).__name__}: {error} ({place.name}, line {place.lineno})"
    return Problem(f"{subject.core.name}.crash.{type(error).__name__}", says)
