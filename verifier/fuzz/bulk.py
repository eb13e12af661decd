"""Bulk: games that are played natively, with the claims asked after every step.

Reads:  a game under test, numbers of games.   Writes: counts, plays that show a problem, plays worth a closer look.
After:  a game is known by its number and by how many policies take turns, on every machine.

Which games are looked at thoroughly instead: the first ones, then fewer and fewer, but at least one in `STEADILY`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256

from pilgrim_rules.core.rule_walk import assignments
from verifier.fuzz.game_under_test import GameUnderTest, Play, Problem, ProblemFound
from verifier.fuzz.minimal import replayed
from verifier.fuzz.play_coverage import PlayCoverage
from verifier.play.hunt import FAVOURED, Caught, Hunter, Turn

#: Games before the next policy has its turn.
A_POLICY = 200
#: The first games are looked at thoroughly, and of any others one in this many.
FIRST, STEADILY = 4, 2000
#: Bytes of a number in the results of a game.
_NUMBER = 4


def is_looked_at(number: int) -> bool:
    """Return whether a game is one of those that are looked at thoroughly: two from 4 to 7, two from 8 to 15, and so on."""
    spacing = 1 << max(number.bit_length() - 2, 0)
    return number < FIRST or number % spacing == 0 or number % STEADILY == 0


@dataclass(slots=True)
class BulkCounts:
    """What some games have come to; `longest`: steps of the longest."""

    games: int = 0
    over: int = 0
    steps: int = 0
    longest: int = 0
    actions: Counter[str] = field(default_factory=Counter)


@dataclass
class BulkGames:
    """Plays games of a subject natively."""

    subject: GameUnderTest
    seed: int
    longest: int
    favour: frozenset[str]
    guided: bool
    heavier: int = FAVOURED
    liked: Mapping[str, int] = field(default_factory=dict)  #: weights that were learned, see `liked_actions`

    @cached_property
    def hunter(self) -> Hunter:
        """What plays; it is compiled when it is first wanted."""
        return Hunter(self.subject.code, favour=self.favour, heavier=self.heavier, liked=self.liked)

    def play(
        self, first: int, games: int, known: Collection[str] = ()
    ) -> tuple[BulkCounts, list[tuple[Problem, Play]], list[int]]:
        """Play some consecutive games, fewer if the policy changes between them or a game contradicts the rules.

        Returns counts, problems with the plays that show them, and the numbers of the actions that were used. Plays that show a problem
        whose name is known already are not looked at closely.
        """
        left = A_POLICY - first % A_POLICY
        turn = self.hunter.turn(self._policy(first), self._seed + first, min(games, left), longest=self.longest)
        used = [at for at, times in enumerate(turn.used) if times]
        return self._counts(turn), [self._problem(each, known) for each in turn.caught], used

    def game_with(self, first: int, games: int, action: int) -> Play:
        """Return the first of some games, which have been played, in which an action is used."""
        return self.hunter.game_with(self._policy(first), self._seed + first, games, action, longest=self.longest)

    def unseen(self, used: list[int], seen: PlayCoverage) -> list[int]:
        """Return those actions whose effects no thorough look has ever seen."""
        return [at for at in used if self._lines[at] and not any(seen.lines[key] for key in self._lines[at])]

    @cached_property
    def _lines(self) -> list[frozenset[str]]:
        return [frozenset(stmt.key for stmt in assignments(action.body)) for action in self.subject.core.actions]

    @cached_property
    def _seed(self) -> int:
        return int.from_bytes(sha256(f"{self.seed}/bulk".encode()).digest()[:7])

    def _policy(self, number: int) -> int:
        return number // A_POLICY % self.hunter.policies if self.guided else 0

    def _counts(self, turn: Turn) -> BulkCounts:
        numbers = memoryview(turn.results.rows).cast("I")
        row = 4 + 2 * self.subject.core.player.size
        steps, over = numbers[1::row].tolist(), numbers[2::row].tolist()
        names = (action.name for action in self.subject.core.actions)
        used = Counter({name: times for name, times in zip(names, turn.used, strict=True) if times})
        return BulkCounts(turn.games, sum(over), sum(steps), max(steps, default=0), used)

    def _problem(self, caught: Caught, known: Collection[str]) -> tuple[Problem, Play]:
        """Return what a play shows, by the name that reports use."""
        game = self.subject.core
        if caught.claim is None:
            found, wanted = self._contradiction(caught.play), None
        else:
            kinds = {claim.name: claim.kind for claim in game.claims}
            wanted = Problem(f"{game.name}.{kinds.get(caught.claim, 'terminates')}.{caught.claim}", "")
            found = Problem(f"{wanted.name}/{game.actions[caught.play[-1][0]].name}", "")
        if found is not None and found.name in known:
            return found, caught.play
        shown = replayed(self.subject, caught.play, wanted)
        if shown is None:
            says = f"native play breaks `{caught.claim or 'the rules'}`, and the same moves in Python do not"
            return Problem(f"{game.name}.agreement.native", says), caught.play
        return shown

    def _contradiction(self, play: Play) -> Problem | None:
        """Return how the last step of a play, or what would follow it, contradicts the rules; None if it does not."""
        state = self.subject.code.start
        try:
            for coded in play:
                state = self.subject.make(state, coded)
            self.subject.options(state)
        except ProblemFound as found:
            return found.problem
        return None
