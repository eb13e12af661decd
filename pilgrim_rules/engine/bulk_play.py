"""Bulk play: many games, one after the other, on a machine.

Reads:  a compiled game, a machine.   Writes: results of games, as bytes; the first game that breaks a claim.
After:  game number k of a run with a seed is the one that the library plays with the seed plus k: chance by the generator of
        that seed, choices by that of its complement. No result depends on the machine or on how many threads play.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from time import perf_counter
from typing import Literal, NoReturn, TypeAlias

from pilgrim_rules.engine.affected_claims import count_claims
from pilgrim_rules.engine.autoplay import Log, Runner
from pilgrim_rules.engine.kernels import primitives
from pilgrim_rules.engine.machines.machine import Machine, Stopped
from pilgrim_rules.engine.python.compile import Compiled
from pilgrim_rules.engine.tree_search import GAME, MOST_NODES, Search, put_tree, room_for_moves
from pilgrim_rules.engine.wasm.memory import aligned
from pilgrim_rules.semantics.chance import seeded
from pilgrim_rules.semantics.errors import Breach, Contradiction, EngineLimit
from pilgrim_rules.semantics.moves import Coded
from pilgrim_rules.util.fast_dataclass import dataclass

PolicyKind: TypeAlias = Literal["random", "weighted", "greedy", "mcts"]
KINDS: tuple[PolicyKind, ...] = ("random", "weighted", "greedy", "mcts")
#: Where in the record of a game (`kernels/steps.py`) its steps, its number and the claim it broke are.
_STEPS, _LOG, _LOG_END, _WATCH, NUMBER, _BROKEN = 28, 32, 36, 48, 60, 64
#: Games of the first call, and of the largest; a call that is over sooner than this many seconds is followed by one of twice as many,
#: so that Python can be interrupted between calls, and calls cost nothing.
_FEWEST, _MOST_GAMES, _QUICK = 16, 16_384, 0.05
_NEVER = 1 << 30


@dataclass(frozen=True, slots=True)
class BulkPolicy:
    """How players choose.

    random    every move is as likely as any other.
    weighted  a move is as likely as its action is heavy; with a palette, each game first draws for each action one of its weights,
              which is multiplied by the action's own (swarm testing).
    greedy    a move after which the player has most points.
    mcts      the move that a tree search likes best.
    """

    kind: PolicyKind = "random"
    weights: tuple[int, ...] = ()  #: by number of the action
    palette: tuple[int, ...] = ()
    search: Search = Search()
    seats: tuple[BulkPolicy, ...] = ()  #: of each seat, if they differ; weights are those of the whole


RANDOM = BulkPolicy()


@dataclass(frozen=True, slots=True)
class BrokenClaim:
    """A game that breaks a claim: its seed, and the claim's number."""

    seed: int
    claim: int


@dataclass(frozen=True, slots=True)
class BulkResults:
    """Games that were played: a row of bytes for each, and how often each action was used.

    A row is four numbers of 4 bytes (decisions, steps, whether the game is over, the winners as bits), and 8 bytes for each
    player's points.
    """

    rows: bytes
    used: tuple[int, ...]
    broken: BrokenClaim | None = None


class BulkPlayer:
    """Plays games on one machine, all from one state by one policy."""

    def __init__(self, code: Compiled, machine: Machine, start: bytes, policy: BulkPolicy, longest: int | None) -> None:
        self._code = code
        self._machine = machine
        self._first = start
        self.longest = longest  #: decisions of a game, if there is a limit
        self.stopped = 0  #: the seed of the game that contradicted the rules, if one did
        actions = len(code.game.actions)
        weights = policy.weights or (1,) * actions
        numbers = struct.pack(f"<{actions}I", *weights)
        self._start = machine.put(start)
        self._used = machine.allocate(8 * actions)
        self._palette = machine.put(struct.pack(f"<{len(policy.palette)}I", *policy.palette))
        self._palette_size = len(policy.palette)
        self._boosts = machine.put(numbers)
        self._row = 16 + 8 * code.game.player.size
        self._rows, self._room = machine.allocate(_FEWEST * self._row), _FEWEST
        self._chunk = _FEWEST
        self._notes = machine.allocate(8 * count_claims(code.game))
        states = [machine.allocate(len(start)) for _ in range(2)]
        self._own = machine.put(numbers)
        out = machine.allocate(room_for_moves(code))
        kind, tree = self._mind(policy)
        seats = 0
        if policy.seats:
            kind = primitives.SEATED
            seats = machine.put(b"".join(struct.pack("<II", *self._mind(each)) for each in policy.seats))
        self._game = machine.put(
            GAME.pack(0, 0, *states, 0, 0, 0, 0, self._used, self._own, 0, out, kind, 0, 0, tree, seats)
        )

    def _mind(self, policy: BulkPolicy) -> tuple[int, int]:
        """Return the number of a policy, and the address of its tree; 0 if it needs none."""
        search = policy.search
        nodes = min(search.iterations + 1, MOST_NODES)
        tree = put_tree(self._code, self._machine, search, nodes) if policy.kind == "mcts" else 0
        return KINDS.index(policy.kind), tree

    def weigh(self, weights: tuple[int, ...]) -> None:
        """From now on choose by other weights of the actions."""
        numbers = struct.pack(f"<{len(weights)}I", *weights)
        for place in (self._boosts, self._own):
            self._machine.view(place, len(numbers))[:] = numbers

    def run(self, seed: int, games: int, *, watch: bool = False) -> BulkResults:
        """Play games with the seeds from one on; with `watch` until one breaks a claim."""
        self._set(_WATCH, int(watch))
        rows: list[bytes] = []
        broken = None
        for done, played in self._calls(seed, games):
            rows.append(bytes(self._machine.view(self._rows, played * self._row)))
            claim = self._get(_BROKEN) if watch else 0
            if claim:
                broken = BrokenClaim(seeded(seed + done + played), claim - 1)
                break
        return BulkResults(b"".join(rows), self.used(), broken)

    def _calls(self, seed: int, games: int) -> Iterator[tuple[int, int]]:
        """Play games, some with each call; yield how many there were before it, and how many it played."""
        done = 0
        while done < games:
            wanted = min(self._chunk, games - done)
            self._have_rows(wanted)
            begun = perf_counter()
            played = self._call(seed + done, wanted)
            if wanted == self._chunk and perf_counter() - begun < _QUICK:
                self._chunk = min(2 * self._chunk, _MOST_GAMES)
            yield done, played
            done += played

    def used(self) -> tuple[int, ...]:
        """Return how often each action has been used so far."""
        return tuple(self._machine.view(self._used, 8 * len(self._code.game.actions)).cast("Q"))

    def met(self, seed: int, games: int, ignored: Collection[int] = ()) -> dict[int, tuple[int, int]]:
        """Play games to their end; return for each claim that one of them breaks the first seed and the number of the step.

        Claims that are ignored are not asked.
        """
        return self.noted(seed, games, ignored)[1]

    def noted(
        self, seed: int, games: int, ignored: Collection[int] = ()
    ) -> tuple[BulkResults, dict[int, tuple[int, int]]]:
        """Play games to their end; return their results, and what `met` returns."""
        size = 8 * count_claims(self._code.game)
        self._set(_WATCH, self._notes)
        self._machine.view(self._notes, size)[:] = bytes(size)
        for claim in ignored:  # one that is noted is not asked again
            self._machine.view(self._notes + 8 * claim, 4).cast("I")[0] = 1
        found: dict[int, tuple[int, int]] = {}
        rows: list[bytes] = []
        for done, played in self._calls(seed, games):
            rows.append(bytes(self._machine.view(self._rows, played * self._row)))
            noted = self._machine.view(self._notes, size).cast("I")
            for claim in range(size // 8):
                if claim not in found and claim not in ignored and noted[2 * claim]:
                    found[claim] = seeded(seed + done + noted[2 * claim] - 1), noted[2 * claim + 1]
        return BulkResults(b"".join(rows), self.used()), found

    def _have_rows(self, games: int) -> None:
        """Have room for the results of this many games."""
        if games > self._room:
            self._rows, self._room = self._machine.allocate(games * self._row), games

    def moves(self, seed: int, *, watch: bool = False) -> list[Coded]:
        """Return every move of one game, up to the one that breaks a claim or cannot be made."""
        self._set(_WATCH, int(watch))
        self._once(seed)
        log = self._machine.allocate(8 * (self._get(_STEPS) + 2))
        self._set(_LOG, log)
        self._once(seed)
        self._set(_LOG, 0)
        packed = self._machine.view(log, self._get(_LOG_END) - log).cast("Q")
        return [self._machine.packing.unpack(each) for each in packed]

    def _once(self, seed: int) -> None:
        with suppress(Stopped, Contradiction, EngineLimit):
            self._playouts(seed, 1)

    def _call(self, seed: int, games: int) -> int:
        try:
            return self._playouts(seed, games)
        except Stopped as stopped:
            self.stopped = seeded(seed + self._get(NUMBER))
            self._contradiction(self.stopped, stopped.reason)
        except Contradiction:
            self.stopped = seeded(seed + self._get(NUMBER))
            self._contradiction(self.stopped, 0)
        except EngineLimit:
            self.stopped = seeded(seed + self._get(NUMBER))
            raise

    def _playouts(self, seed: int, games: int) -> int:
        swarm = self._palette, self._palette_size, self._boosts
        return self._machine.call(
            "playouts", self._game, self._start, seeded(seed), games, self._longest, *swarm, self._rows
        )

    @property
    def _longest(self) -> int:
        return _NEVER if self.longest is None else self.longest

    def _get(self, offset: int) -> int:
        return self._machine.view(self._game + offset, 4).cast("I")[0]

    def _set(self, offset: int, value: int) -> None:
        self._machine.view(self._game + offset, 4).cast("I")[0] = value

    def _contradiction(self, seed: int, reason: int) -> NoReturn:
        """Raise what is wrong in a game, with the steps that led to it."""
        runner = Runner(self._code)
        state = self._first
        log: Log = []
        for number, args in self.moves(seed):
            try:
                state = self._code.apply_of[number](state, *args)
            except Contradiction as problem:
                log.append(((number, args), state, None))
                raise Contradiction(problem.breach, runner.steps(self._first, log)) from None
            log.append(((number, args), state, None))
        stage = self._code.stage(state).name
        says = _SAYS.get(
            reason, "in stage `{}`, the rules contradict themselves in a play that a player only thought of"
        )
        raise Contradiction(Breach(says.format(stage)), runner.steps(self._first, log))


_SAYS = {
    primitives.DEAD_END: "nothing can happen in stage `{}`",
    primitives.NOBODY_TO_MOVE: "nobody is to move in stage `{}`",
    primitives.TWO_AUTOS: "two things could happen by themselves in stage `{}`",
    primitives.NO_OUTCOME: "chance has nothing to choose from in stage `{}`",
    primitives.ENDLESS: "what happens by itself in stage `{}` never ends",
}


def perft(code: Compiled, machine: Machine, depth: int, start: bytes | None = None) -> int:
    """Return how many plays of this many decisions there are; `Contradiction` if the rules contradict themselves."""
    state = code.start if start is None else start
    room = aligned(len(state))
    at = machine.allocate(room * (depth + 2))
    out = machine.allocate(room_for_moves(code) * (depth + 1))
    machine.view(at, len(state))[:] = state
    try:
        return machine.call("perft", at, out, depth)
    except Stopped as stopped:
        says = _SAYS.get(stopped.reason, "the rules contradict themselves").format("?")
        raise Contradiction(Breach(says)) from None


def play_games(
    code: Compiled,
    machine: Callable[[], Machine],
    games: int,
    *,
    seed: int = 0,
    start: bytes | None = None,
    policy: BulkPolicy = RANDOM,
    longest: int | None = None,
    watch: bool = False,
    threads: int = 1,
    player: Callable[..., BulkPlayer] | None = None,
) -> BulkResults:
    """Play games, on a machine for each thread; `Contradiction` if the rules contradict themselves.

    player   what makes a player of these: machine, state, policy, longest game.
    """
    first = code.start if start is None else start
    parts = [range(games)[at * games // threads : (at + 1) * games // threads] for at in range(threads)]
    made = player or partial(BulkPlayer, code)
    players = [made(machine(), first, policy, longest) for _ in parts]
    if threads == 1:
        return players[0].run(seed, games, watch=watch)
    with ThreadPoolExecutor(threads) as pool:
        futures = [
            pool.submit(player.run, seed + part.start, len(part), watch=watch)
            for player, part in zip(players, parts, strict=True)
        ]
        found = [each.result() for each in futures]
    used = tuple(map(sum, zip(*(each.used for each in found), strict=True)))
    broken = next((each.broken for each in found if each.broken is not None), None)
    return BulkResults(b"".join(each.rows for each in found), used, broken)
