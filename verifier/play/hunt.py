"""Hunt: plays that break a claim or contradict the rules, looked for by bulk play.

Reads:  a compiled game, with its ghosts.   Writes: `Caught`: every step of a play, the last of which breaks the claim.
After:  the same game, seed and numbers of games give the same plays on every machine; a limit in seconds depends on the machine.
        A claim that was not broken is not thereby shown.

All policies take turns: moves at random, moves by weights that were learned so that rare actions are made, moves by actions that each game favours
again (swarm testing), moves that score.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from operator import mul, sub
from time import monotonic
from typing import Final, TypeAlias

from pilgrim_rules.engine.affected_claims import affected_claims
from pilgrim_rules.engine.bulk_play import BulkPlayer, BulkPolicy, BulkResults
from pilgrim_rules.engine.learned_weights import learned_weights
from pilgrim_rules.engine.machines.choose import machines, wasm_is_installed
from pilgrim_rules.engine.machines.machine import Machine
from pilgrim_rules.engine.machines.python_machine import PythonMachine
from pilgrim_rules.engine.python.compile import Compiled
from pilgrim_rules.engine.scripted_play import ScriptedPlayer
from pilgrim_rules.semantics.chance import seeded
from pilgrim_rules.semantics.errors import Contradiction, EngineLimit
from pilgrim_rules.semantics.moves import Coded
from verifier.play.shorter_plays import KEPT, Shortener

Play: TypeAlias = tuple[Coded, ...]  #: every step from the start, chance and autos included

#: Weights that the games of a swarm draw from, for each action; how much heavier an action is that is to be favoured.
MILD, WILD, FAVOURED = (1, 6, 36), (1, 1, 3, 10, 30, 100), 20
#: Games of the first turn of a policy; a turn that took less than this many seconds is followed by one of twice as many.
FIRST, TURN = 8, 0.1
LONGEST: Final = 4000  #: decisions of a game, if nobody says
#: Tries to make a play shorter; games in which another play is looked for to begin with. Python plays slower than WebAssembly by so much.
TRIES, OTHERS, SLOWER = 30_000, 400, 40


@dataclass(frozen=True, slots=True)
class Caught:
    """A play whose last step breaks the claim; None: its last step, or what would follow it, contradicts the rules."""

    claim: str | None
    play: Play


@dataclass(frozen=True, slots=True)
class Turn:
    """Consecutive games by one policy.

    games    played; the last one may have contradicted the rules, and then the turn ended with it.
    results  of the games that did not.      used   how often each action was used.
    caught   for each claim that a game broke, the first play that did; a contradiction is the last.
    """

    games: int
    results: BulkResults
    used: tuple[int, ...]
    caught: tuple[Caught, ...]


def hunting_machines(code: Compiled) -> Callable[[], Machine]:
    """Return what makes the machines of a hunter."""
    return machines(code, affected_claims(code.game))


def liked_actions(code: Compiled) -> dict[str, int]:
    """Return weights by which rare actions are made more often, by name; none where nothing is learned, or learning would take long."""
    if not wasm_is_installed():
        return {}
    weights = learned_weights(code, hunting_machines(code), "variety")
    return {action.name: weight for action, weight in zip(code.game.actions, weights, strict=True) if weight > 1}


class Hunter:
    """Plays a game again and again, and asks its claims after every step that could break them.

    code    with ghosts, if claims read them.      favour   actions, by name, that are chosen more often than others.
    start   where play begins, if not at the start.    heavier   how much more often.
    make    makes the machines, if somebody has it already.      liked    weights of actions by which one policy chooses.
    """

    def __init__(
        self,
        code: Compiled,
        *,
        favour: Collection[str] = (),
        heavier: int = FAVOURED,
        start: bytes | None = None,
        seed: int = 0,
        make: Callable[[], Machine] | None = None,
        liked: Mapping[str, int] | None = None,
    ) -> None:
        self._code = code
        self._names = (*(each.name for each in code.game.claims), *(each.name for each in code.game.rankings))
        weights = tuple(heavier if action.name in favour else 1 for action in code.game.actions)
        learned = tuple((liked or {}).get(action.name, 1) for action in code.game.actions)
        policies = (
            BulkPolicy("weighted", weights) if favour else BulkPolicy(),
            *((BulkPolicy("weighted", tuple(map(mul, weights, learned))),) if liked else ()),
            BulkPolicy("weighted", weights, MILD),
            BulkPolicy("weighted", weights, WILD),
            BulkPolicy("greedy"),
        )
        self._make = make = make or hunting_machines(code)
        self._policy = policies[0]
        self._start = begin = code.start if start is None else start
        own = [make() for _ in policies]
        self._players = [
            BulkPlayer(code, machine, begin, each, LONGEST) for machine, each in zip(own, policies, strict=True)
        ]
        self._sizes = [FIRST] * len(policies)
        self._seed = seed
        self.games = 0  #: played so far by `hunt`
        self.is_slow = isinstance(own[0], PythonMachine)  #: WebAssembly is not installed, or cannot hold the game

    @property
    def policies(self) -> int:
        """How many policies there are; the first chooses every move alike."""
        return len(self._players)

    def hunt(
        self,
        claims: Collection[str] | None = None,
        *,
        games: int | None = None,
        seconds: float | None = None,
        longest: int = LONGEST,
    ) -> Caught | None:
        """Return a play that breaks one of the claims (all, if None) or contradicts the rules; None if none was found in time.

        longest   decisions of a game.
        """
        until = None if seconds is None else monotonic() + seconds
        end = None if games is None else self.games + games
        ignored = self._ignored(claims)
        for policy, count in self._turns(until, end):
            seed, self.games = self._seed + self.games, self.games + count
            found = self.turn(policy, seed, count, longest=longest, ignored=ignored)
            if found.caught:
                return min(found.caught, key=lambda each: len(each.play))
        return None

    def shorter(
        self,
        caught: Caught,
        *,
        tries: int = TRIES,
        seconds: float = float("inf"),
        shows: Callable[[Play], bool] | None = None,
    ) -> Caught:
        """Return a play of fewer decisions that breaks the same claim by the same action, or the play itself if there is none.

        shows   whether a play is what is looked for, if that is not enough: a contradiction is another one than before, perhaps.
        """
        until = monotonic() + seconds

        def is_same(play: Play) -> bool:
            return bool(play) and play[-1][0] == caught.play[-1][0] and (shows is None or shows(play))

        if self.decisions(caught.play) < 1:
            return caught
        claim = None if caught.claim is None else self._names.index(caught.claim)
        player = ScriptedPlayer(self._code, self._make(), self._start, self._policy, claim)
        search = Shortener(self._code.game, player, is_same, seed=self._seed)
        if not search.is_shown(caught.play):  # native play does not ask it
            return caught
        plays = [caught.play, *self._more(caught, is_same, seconds / 4)]
        found = search.shortest(plays, tries=tries // SLOWER if self.is_slow else tries, seconds=until - monotonic())
        return caught if found == caught.play else Caught(caught.claim, found)

    def _more(self, caught: Caught, is_same: Callable[[Play], bool], seconds: float) -> Iterator[Play]:
        """Yield other plays that break the same, some that are soon found."""
        until = monotonic() + seconds
        wanted = () if caught.claim is None else (caught.claim,)
        for _ in range(KEPT - 1):
            games = max(1, OTHERS // SLOWER) if self.is_slow else OTHERS
            found = self.hunt(wanted, games=games, seconds=until - monotonic())
            if found is not None and found.claim == caught.claim and is_same(found.play):
                yield found.play

    def decisions(self, play: Play) -> int:
        """Return how many steps of a play a player decided."""
        return sum(self._code.game.actions[number].kind == "action" for number, _ in play)

    def turn(
        self, policy: int, seed: int, games: int, *, longest: int = LONGEST, ignored: Collection[int] = ()
    ) -> Turn:
        """Play games with the seeds from one on by one policy; claims that are ignored, by number, are not asked."""
        player = self._players[policy]
        player.longest = longest
        used, stopped = player.used(), list[Caught]()
        try:
            results, found = player.noted(seed, games, ignored)
            played = games
        except (Contradiction, EngineLimit) as problem:
            if isinstance(problem, Contradiction):  # a number that the engine cannot store is no mistake of the rules
                stopped.append(Caught(None, tuple(player.moves(player.stopped))))
            played = seeded(player.stopped - seed) + 1
            used = player.used()
            results, found = player.noted(seed, played - 1, ignored)
        caught = [Caught(self._names[claim], tuple(player.moves(at)[:steps])) for claim, (at, steps) in found.items()]
        now = results.used
        return Turn(played, results, tuple(map(sub, now, used)), (*caught, *stopped))

    def game_with(self, policy: int, seed: int, games: int, action: int, *, longest: int = LONGEST) -> Play:
        """Return the first of some games in which an action is used; one of them is known to use it, and none to stop early."""
        while games > 1:
            half = games // 2
            if not self.turn(policy, seed, half, longest=longest).used[action]:
                seed, half = seed + half, games - half
            games = half
        return tuple(self._players[policy].moves(seed))

    def _ignored(self, claims: Collection[str] | None) -> tuple[int, ...]:
        unknown = set(claims or ()) - set(self._names)
        if unknown:
            raise KeyError(f"{self._code.game.name} has no claim {', '.join(sorted(unknown))}")
        return () if claims is None else tuple(at for at, each in enumerate(self._names) if each not in claims)

    def _turns(self, until: float | None, end: int | None) -> Iterator[tuple[int, int]]:
        """Yield the policies in turn, each with a number of games, until the time is over or all games are played."""
        while True:
            for policy, size in enumerate(self._sizes):
                left = size if end is None else min(size, end - self.games)
                begun = monotonic()
                if left <= 0 or (until is not None and begun >= until):
                    return
                yield policy, left
                if monotonic() - begun < TURN:
                    self._sizes[policy] *= 2
