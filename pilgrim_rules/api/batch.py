"""Batch: many games side by side, with their states, legal moves and observations as arrays.

Reads:  numbers of moves, one for each game.   Writes: `Batch`, whose arrays are the memory that the rules play in.
After:  a game of a batch goes on as the library would play it with the same moves and the same seed, with WebAssembly and without it.
"""

from __future__ import annotations

import struct
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pilgrim_rules.api.action_numbers import ActionNumbers
from pilgrim_rules.api.policies import veiled_variables
from pilgrim_rules.engine.machines.choose import machines
from pilgrim_rules.engine.machines.machine import Machine, Stopped
from pilgrim_rules.engine.rules import Rules
from pilgrim_rules.engine.tree_search import GAME, room_for_moves
from pilgrim_rules.engine.wasm.memory import aligned
from pilgrim_rules.semantics.chance import seeded
from pilgrim_rules.semantics.errors import Breach, Contradiction, IllegalMove
from pilgrim_rules.semantics.refusal import refusals
from pilgrim_rules.semantics.visibility import Observer

if TYPE_CHECKING:
    import numpy.typing as npt

_RECORD = struct.Struct("<15I4x")  #: see `kernels/batch.py`
_PLAYING = 52  #: where it says which game is being played
_MOST_BYTES = 1 << 30  #: of all masks, and of all observations

Chosen: TypeAlias = "npt.NDArray[np.int32]"


class Batch:
    """Games that are played side by side.

    numbers        which move a number stands for
    states         the states as bytes, a row for each game
    mask           which moves are legal, by their numbers, a row for each game; a game that is over has none
    to_move        the seat of who decides in each game, from 0; -1: the game is over
    observations   what that player sees of each game: the seat from 1 on, then every cell as its place among the values of its type,
                   and the number after the last where the player may not see it; None unless they were asked for

    The arrays are views of one piece of memory, and change with every step: copy what you want to keep.
    """

    def __init__(
        self, rules: Rules, games: int, *, seed: int = 0, start: bytes | None = None, observe: bool = False
    ) -> None:
        self.numbers = ActionNumbers(rules)
        cells = sum(field.count for field in rules.layout.fields)
        if games < 1 or max(games * len(self.numbers), games * 8 * (cells + 1) if observe else 0) > _MOST_BYTES:
            raise ValueError(
                f"a batch has at least one game, and masks and observations of at most {_MOST_BYTES >> 20:,} MB"
            )
        self._rules = rules
        self._games = games
        self._first = rules.code.start if start is None else start
        self._next = seed
        machine = self._machine = machines(rules.code)()
        room = aligned(rules.layout.size)
        at = _Places(rules, machine, games, self.numbers, cells if observe else None)
        self._at = at
        self._start = machine.put(self._first)
        self._record = machine.put(_RECORD.pack(*at.record(machine, self._table())))
        # Nothing is allocated from here on, so that views stay what they are.
        self.states: npt.NDArray[np.uint8] = self._view(at.states, games * room, "u1").reshape(games, -1)[
            :, : rules.layout.size
        ]
        self.mask: npt.NDArray[np.bool_] = self._view(at.masks, games * len(self.numbers), "?").reshape(games, -1)
        self.to_move: npt.NDArray[np.int32] = self._view(at.deciders, games * 4, "<i4")
        self.observations: npt.NDArray[np.int64] | None = None
        if observe:
            self.observations = self._view(at.seen, games * 8 * (cells + 1), "<i8").reshape(games, -1)
        self._generators = self._view(at.generators, games * 16, "<u8").reshape(games, 2)
        self._actions = self._view(at.actions, games * 4, "<i4")
        self._which = self._view(at.which, games, "?")
        self._scores = self._view(at.scores, games * 8 * len(rules.players), "<i8").reshape(games, -1)
        self._won = self._view(at.won, games * 4, "<u4")
        self._veiled = [field for field in rules.layout.fields if field.variable.name in veiled_variables(rules.core)]
        self.reset()

    def __len__(self) -> int:
        return self._games

    def __repr__(self) -> str:
        return f"<Batch: {self._games:,} games of {self._rules.name}>"

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """Which games have come to their end."""
        return self.to_move < 0

    def step(self, actions: npt.ArrayLike) -> None:
        """Make one move in each game, given by its number; what stands for a game that is over is ignored.

        `IllegalMove` if one of them is not legal, ValueError if it is the number of no move; then none is made.
        """
        self._actions[:] = actions
        wrong = self._call("step_games")
        if wrong >= 0:
            raise self._illegal(wrong, int(self._actions[wrong]))
        self._veil()

    def sample(self) -> Chosen:
        """Return a legal move for each game, each as likely as any other; -1 for a game that is over.

        The generators of the games decide: stepping with what they choose plays the same games as `playouts` with the same seeds.
        """
        self._call("choose_moves")
        return self._actions.copy()

    def reset(self, which: npt.ArrayLike = True) -> None:  # noqa: FBT002  (an array of truths, or one for all)
        """Start games again, all or those that are true in an array: `batch.reset(batch.over)`. Each begun game has the next seed."""
        self._which[:] = which
        begun = np.flatnonzero(self._which)
        seeds = np.array([seeded(self._next + at) for at in range(len(begun))], np.uint64)
        self._next += len(begun)
        self._generators[begun, 0] = seeds
        self._generators[begun, 1] = ~seeds
        self._call("begin_games", self._at.which, self._start)
        self._veil()

    @property
    def scores(self) -> npt.NDArray[np.float64]:
        """The points of each player in each game, now."""
        self._call("score_games", self._at.scores, self._at.won)
        sheet = self._rules.core.score
        return self._scores / (1 if sheet is None else sheet.per)

    @property
    def winners(self) -> npt.NDArray[np.bool_]:
        """Whether each player has won, alone or together with others, a row for each game; nobody before the end."""
        self._call("score_games", self._at.scores, self._at.won)
        return (self._won[:, None] >> np.arange(len(self._rules.players), dtype=np.uint32) & 1).astype(bool)

    def state(self, at: int) -> bytes:
        """Return the state of a game as bytes; `game.state_from_bytes` makes a `State` of it."""
        return bytes(self.states[at])

    # ---------------------------------------------------------------------------------------------------------- memory

    def _view(self, address: int, size: int, kind: str) -> npt.NDArray[Any]:
        return np.frombuffer(self._machine.view(address, size), kind)

    def _call(self, kernel: str, *args: int) -> int:
        try:
            return self._machine.call(kernel, self._record, *args)
        except (Stopped, Contradiction):
            at = self._machine.view(self._record + _PLAYING, 4).cast("I")[0]
            raise self._contradiction(at, stepped=kernel == "step_games") from None

    def _contradiction(self, at: int, *, stepped: bool) -> Contradiction:
        """Return what is wrong in a game, which the library finds when it goes on in the same way."""
        runner, generator = self._rules.runner, int(self._generators[at, 0])
        try:
            if stepped:
                coded = runner.book.codes(self.numbers.move(int(self._actions[at])))
                state, _ = runner.make(self.state(at), coded, generator, [])
            else:
                state, _ = runner.settle(self._first, generator, [])
        except Contradiction as problem:
            return Contradiction(replace(problem.breach, says=f"game {at}: {problem.breach.says}"), problem.steps)
        return Contradiction(Breach(f"game {at}: nothing can happen in stage `{runner.row(state).stage.name}`"))

    def _illegal(self, at: int, number: int) -> Exception:
        """Return the exception that refuses the move with a number in a game."""
        if not 0 <= number < len(self.numbers):
            return ValueError(f"game {at}: moves are numbered from 0 to {len(self.numbers) - 1}, not {number}")
        rules, move = self._rules, self.numbers.move(number)
        action, args = rules.runner.book.codes(move)
        state = rules.layout.decode(self.state(at))
        reasons = refusals(rules.declared, state, rules.core.actions[action], args, rules.pages)
        return IllegalMove(str(move), tuple(reasons))

    def _veil(self) -> None:
        """Take from the observations what the players may not see."""
        if self.observations is None or not self._veiled:
            return
        rules = self._rules
        starts = dict(zip((field.variable.name for field in rules.layout.fields), rules.layout.starts(), strict=False))
        for game, seat in enumerate(self.to_move.tolist()):
            state, observer = self.state(game), Observer(seat if seat >= 0 else None)
            for field in self._veiled:
                mask = observer.mask(rules.declared, rules.layout, state, field)
                if mask is not None:
                    first = 1 + starts[field.variable.name]
                    hidden = np.frombuffer(mask, np.uint8) == 0
                    self.observations[game, first : first + field.count][hidden] = (
                        field.highest - field.variable.type.lo + 1
                    )

    def _table(self) -> tuple[bytes, int]:
        """Return the numbers of the moves, as `number_of` reads them, and the bytes of an entry."""
        actions = self._rules.core.actions
        most = max((len(action.params) for action in actions), default=0)
        places = {action: (first, end) for action, first, end in self.numbers.places()}
        entry = struct.Struct(f"<{3 + 3 * most}I")
        table = b""
        for number, action in enumerate(actions):
            row = [*places.get(number, (0, 0)), len(action.params)]
            for param, (_, shift, bits) in zip(action.params, self._machine.packing.fields[number], strict=True):
                row += [shift, (1 << bits) - 1, param.type.size]
            table += entry.pack(*row, *(0 for _ in range(3 + 3 * most - len(row))))
        return table, entry.size


class _Places:
    """Where the parts of a batch lie."""

    def __init__(self, rules: Rules, machine: Machine, games: int, numbers: ActionNumbers, cells: int | None) -> None:
        size, players = rules.layout.size, len(rules.players)
        states = [machine.allocate(size) for _ in range(2)]
        out = machine.allocate(room_for_moves(rules.code))
        self.game = machine.put(GAME.pack(0, 0, *states, 0, 0, 0, 0, 0, 0, 0, out, 0, 0, 0, 0, 0))
        self.games, self.moves = games, len(numbers)
        self.states = machine.allocate(games * aligned(size))
        self.generators = machine.allocate(games * 16)
        self.masks = machine.allocate(games * self.moves)
        self.deciders = machine.allocate(games * 4)
        self.entries = 0 if cells is None else cells + 1
        self.seen = machine.allocate(games * 8 * self.entries) if self.entries else 0
        self.runs = [
            (group[0].offset, sum(field.count for field in group), width)
            for width, group in (
                (width, list(each)) for width, each in groupby(rules.layout.fields, key=lambda field: field.width)
            )
        ]
        self.actions = machine.allocate(games * 4)
        self.which = machine.allocate(games)
        self.scores = machine.allocate(games * 8 * players)
        self.won = machine.allocate(games * 4)

    def record(self, machine: Machine, table: tuple[bytes, int]) -> tuple[int, ...]:
        """Return the numbers of the record."""
        runs = machine.put(b"".join(struct.pack("<III", *run) for run in self.runs))
        numbers = machine.put(table[0])
        return (
            self.game, self.games, self.states, self.generators, self.masks, self.moves, self.deciders, self.seen, self.entries,
            runs, len(self.runs), numbers, self.actions, 0, table[1],
        )  # fmt: skip
