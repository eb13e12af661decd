"""FuzzPlayer: one random game, checked on its way.

Reads:  a game under test, a generator of random numbers, what has been covered.   Writes: `FuzzedGame`; counts of coverage.
After:  the game was played to its end, to its limit or the engine's, or to the first thing that is wrong.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass

from pilgrim_rules.core.ir import Game
from pilgrim_rules.semantics.errors import EngineLimit
from pilgrim_rules.semantics.moves import Coded
from pilgrim_rules.semantics.observation import has_secrets
from pilgrim_rules.walk.policies import Guided, Option, Policy, Weighted
from pilgrim_rules.walk.random_source import RandomSource
from pilgrim_rules.walk.random_walk import walk
from verifier.fuzz import checks
from verifier.fuzz.game_under_test import GameUnderTest, Play, Problem, ProblemFound
from verifier.fuzz.play_coverage import ENOUGH, LineCoverage, PlayCoverage, rarity, requirements

#: Steps after which a game is stopped; some games never end.
LONGEST = 4000
#: Every how many states one is looked at thoroughly; before moves that were made less often than this, always.
THOROUGH, RARE = 40, 3
#: Every how many states one, and the last of each game, is also written as JSON and read again.
DEEP = 500
#: Every how many games one is written down, read and played again.
REPLAYED = 8
#: Steps, from the start, in which worlds that look the same to one of the players are followed.
FOLLOWED = 120
#: Moves asked about in a thorough look, legal or not.
ASKED = 4


#: How often a guided game looks for what is rare, in percent: drawn for each game.
CURIOSITY = (0, 20, 60)


@dataclass(frozen=True, slots=True)
class FuzzedGame:
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
class FuzzPlayer:
    """Plays random games of a subject."""

    subject: GameUnderTest
    coverage: PlayCoverage
    lines: LineCoverage
    longest: int = LONGEST

    def play(
        self, playing: RandomSource, looking: RandomSource, policy: Policy[int], script: Play | None = None
    ) -> FuzzedGame:
        """Play one game, or one that begins with known moves. What is looked at is drawn apart, so that looking does not change it."""
        subject = self.subject
        play: list[Coded] = []
        choices = total = most = 0
        over, problem, state = False, None, subject.code.start

        def options(at: bytes) -> list[Option[int]]:
            self.coverage.stages[subject.runner.row(at).stage.name] += 1
            if script is not None and len(play) < len(script):
                return [(script[len(play)], 1)]
            return subject.options(at)

        def step(before: bytes, chosen: Coded) -> bytes:
            rare = self.coverage.actions[subject.core.actions[chosen[0]].name] < RARE
            if looking.below(THOROUGH) == 0 or rare:
                offered = frozenset(coded for coded, _ in subject.options(before))
                self._check_thoroughly(before, offered, chosen, looking)
            play.append(chosen)
            return self._step(before, chosen)

        try:
            checks.start(subject)
            for each in walk(state, options, step, policy, playing, self.longest):
                state, count = each.after, len(each.options)
                if count > 1:
                    choices, total, most = choices + 1, total + count, max(most, count)
            over = len(play) < self.longest
            self._look_deep(state)
            if looking.below(REPLAYED) == 0:
                checks.replay(subject, tuple(play))
            if has_secrets(subject.core):
                checks.secrecy(subject, tuple(play[:FOLLOWED]), looking, [looking.below(subject.core.players)])
        except ProblemFound as found:
            problem = found.problem
        except EngineLimit:
            play.pop()  # nothing is wrong with the rules; the game ends before the step that goes too far
        except Exception as error:  # noqa: BLE001  (a crash of ours is a finding like any other, and must not end a campaign)
            problem = crash(subject, error)
        return FuzzedGame(tuple(play), over, problem, choices, total, most)

    def _step(self, state: bytes, chosen: Coded) -> bytes:
        subject, (number, args) = self.subject, chosen
        action = subject.core.actions[number]
        after = subject.make(state, chosen)
        self.coverage.made(action, args)
        if self.lines.new_shape(subject.code.layout.fields, number, state, after):
            self._look_at_lines(state, chosen)
        checks.step(subject, state, chosen, after)
        checks.state(subject, chosen, after)
        self._count_premises(number, after)
        return after

    def _count_premises(self, action: int, state: bytes) -> None:
        """Count what claims presuppose and a step has brought about or touched, unless it is known to come about often."""
        counts = self.coverage.premises
        for each in self.subject.premises[action]:
            if counts[each] < ENOUGH and self.subject.applies(each, state):
                counts[each] += 1

    def _check_thoroughly(self, state: bytes, offered: frozenset[Coded], chosen: Coded, random: RandomSource) -> None:
        """Look at a state thoroughly."""
        subject, coverage = self.subject, self.coverage
        if random.below(DEEP // THOROUGH) == 0:
            self._look_deep(state)
        checks.evaluator(subject, state, chosen, random)
        self._look_at_lines(state, chosen)
        for coded in (chosen, *(self._any_move(state, random) for _ in range(ASKED))):
            coverage.asked(subject.core.actions[coded[0]], checks.refusal(subject, state, coded, offered))

    def _look_at_lines(self, state: bytes, chosen: Coded) -> None:
        self.coverage.lines.update(self.lines.run(self.subject.code.layout.decode(state), *chosen))

    def _look_deep(self, state: bytes) -> None:
        checks.form(self.subject, state)

    def _any_move(self, state: bytes, random: RandomSource) -> Coded:
        """Return a move of the stage, legal or not; one whose refusal has never been seen if there is one."""
        numbers = self.subject.runner.row(state).actions
        actions, refused = self.subject.core.actions, self.coverage.refused
        unseen = [at for at in numbers if not all(refused[key] for key in requirements(actions[at]))]
        number = random.pick(unseen or numbers)
        return number, checks.draw_args(self.subject, number, random)


def crash(subject: GameUnderTest, error: Exception) -> Problem:
    """Return the problem that an unexpected exception is."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    says = f"{type(error).__name__}: {error} ({place.name}, line {place.lineno})"
    return Problem(f"{subject.core.name}.crash.{type(error).__name__}", says)


def swarm_policy(
    game: Game, coverage: PlayCoverage, random: RandomSource, favour: frozenset[str] = frozenset()
) -> Policy[int]:
    """Return the policy of one guided game: random weights of actions, and now and then what was tried least.

    Games that favour different things reach different corners, which even-handed play never does (swarm testing).
    """
    favoured = frozenset(at for at, action in enumerate(game.actions) if action.name in favour)
    weights = Weighted.swarm(range(len(game.actions)), random, favoured)
    return Guided(weights, lambda coded: rarity(coverage, game, coded), random.pick(CURIOSITY))
