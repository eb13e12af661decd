"""Scripted play: games that follow a list of moves, until a claim breaks.

Reads:  a compiled game, a machine, moves.   Writes: the moves that were made.
After:  a move of the script that is not legal when it is due is passed over; what the script leaves open, the policy decides.
        The same script and seed give the same game on every machine.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from pilgrim_rules.engine.affected_claims import count_claims
from pilgrim_rules.engine.bulk_play import BulkPlayer, BulkPolicy
from pilgrim_rules.engine.machines.machine import Machine, Stopped
from pilgrim_rules.engine.python.compile import Compiled
from pilgrim_rules.semantics.chance import seeded
from pilgrim_rules.semantics.errors import Contradiction, EngineLimit
from pilgrim_rules.semantics.moves import Coded
from pilgrim_rules.util.fast_dataclass import dataclass

#: Where in the record of a game (`kernels/steps.py`) its steps, its log and the end of it, the claims that are asked, and its script are.
_STEPS, _LOG, _LOG_END, _WATCH, _SCRIPT = 28, 32, 36, 48, 76
_RECORD = struct.Struct("<IIIII4x")  #: a script, see `kernels/script.py`
#: A decision of a script that is left to the policy.
OPEN = -1


@dataclass(frozen=True, slots=True)
class Script:
    """Moves to be followed, packed; a decision may be `OPEN`.

    window   how many decisions that are not legal are passed over, at most, before the policy decides.
    """

    chances: Sequence[int]
    decisions: Sequence[int]
    window: int


class ScriptedPlayer(BulkPlayer):
    """Plays games along scripts on one machine, and asks one claim, by number; None: whether the rules contradict themselves."""

    def __init__(self, code: Compiled, machine: Machine, start: bytes, policy: BulkPolicy, claim: int | None) -> None:
        super().__init__(code, machine, start, policy, None)
        claims = count_claims(code.game)
        # What is noted already is not asked: of all cells only that of the claim is empty. The last is of no claim.
        self._asked = struct.pack("<II", 1, 0) * claims + bytes(8)
        self._noted = machine.put(self._asked)
        self._wanted = self._noted + 8 * (claims if claim is None else claim)
        if claim is not None:
            self._asked = self._asked[: 8 * claim] + bytes(8) + self._asked[8 * (claim + 1) :]
        self._claim = claim
        self._script = machine.allocate(_RECORD.size)
        self._spaces: dict[str, tuple[int, int]] = {}  #: address and size of what lists lie in
        self._set(_WATCH, self._noted)
        self._set(_SCRIPT, self._script)

    def pack(self, move: Coded) -> int:
        """Return a move as a script has it."""
        return self._machine.packing.pack(move)

    def same_action(self, one: int, other: int) -> bool:
        """Return whether two packed moves are by one action."""
        bits = self._machine.packing.bits
        return one >> bits == other >> bits

    def follow(self, script: Script, seed: int, longest: int) -> list[Coded] | None:
        """Return every move up to the one that breaks the claim or contradicts the rules; None if none does in this many decisions."""
        chances, decisions = self._listed("chances", script.chances), self._listed("decisions", script.decisions)
        record = _RECORD.pack(*chances, *decisions, 8 * script.window)
        if not self._breaks(record, seed, longest):
            return None
        log = self._space("log", 8 * (self._get(_STEPS) + 2))
        self._set(_LOG, log)
        self._breaks(record, seed, longest)
        self._set(_LOG, 0)
        packed = self._machine.view(log, self._get(_LOG_END) - log).cast("Q")
        moves = [self._machine.packing.unpack(each) for each in packed]
        last = self._machine.view(self._wanted + 4, 4).cast("I")[0]
        return moves[: last or None]

    def _breaks(self, record: bytes, seed: int, longest: int) -> bool:
        self._machine.view(self._noted, len(self._asked))[:] = self._asked
        self._machine.view(self._script, len(record))[:] = record
        try:
            return bool(self._machine.call("follow", self._game, self._start, seeded(seed), longest, self._wanted))
        except (Stopped, Contradiction):
            return self._claim is None
        except EngineLimit:
            return False

    def _listed(self, name: str, numbers: Sequence[int]) -> tuple[int, int]:
        """Write numbers to memory; return the address, and the one behind them."""
        data = struct.pack(f"<{len(numbers)}q", *numbers)
        at = self._space(name, len(data))
        self._machine.view(at, len(data))[:] = data
        return at, at + len(data)

    def _space(self, name: str, size: int) -> int:
        """Return an address with room for this many bytes, the same as long as it is large enough."""
        at, room = self._spaces.get(name, (0, -1))
        if size > room:
            room = 2 * size
            at = self._machine.allocate(room)
            self._spaces[name] = at, room
        return at
