"""Veiled player: games in bulk in which whoever looks ahead may not see everything.

Reads:  a game, a policy, seeds.   Writes: what became of the games.
After:  a search begins in states that look the same to the player who decides, drawn again for each decision: what the player may not see
        decides nothing. The same seed gives the same game on every machine.
"""

from __future__ import annotations

from pilgrim_rules.api.policies import WORLDS
from pilgrim_rules.api.view_sample import sample_states
from pilgrim_rules.engine.bulk_play import NUMBER, BulkPlayer, BulkPolicy
from pilgrim_rules.engine.machines.machine import Machine
from pilgrim_rules.engine.rules import Rules
from pilgrim_rules.engine.wasm.memory import aligned
from pilgrim_rules.semantics.chance import seeded

_STATE = 16  #: where in the record of a game (`kernels/steps.py`) the address of its state is
_CHOICES = 8  #: and its generator of choices
_LARGEST_SEED = (1 << 62) - 1


class VeiledPlayer(BulkPlayer):
    """Plays games on one machine; between the decisions of those who search, as quickly as any other."""

    def __init__(self, rules: Rules, machine: Machine, start: bytes, policy: BulkPolicy, longest: int | None) -> None:
        super().__init__(rules.code, machine, start, policy, longest)
        self._rules = rules
        self._apart = aligned(len(start))
        self._worlds = machine.allocate(WORLDS * self._apart)

    def _play(self, seed: int, longest: int) -> None:
        machine, game = self._machine, self._game
        machine.call("begin", game, self._start, seeded(seed))
        if self._palette_size:
            machine.call("draw_weights", game, self._palette, self._palette_size, self._boosts)
        machine.call("settle", game)
        while tree := machine.call("play_to_search", game, longest):
            state = bytes(machine.view(self._get(_STATE), len(self._first)))
            player = self._code.by(state)
            assert player is not None, "somebody searches"
            first = machine.call("draw", game + _CHOICES) & _LARGEST_SEED
            for at, world in enumerate(sample_states(self._rules, state, player, range(first, first + WORLDS))):
                machine.view(self._worlds + at * self._apart, len(world))[:] = world
            machine.call("search_among", game, tree, self._worlds, WORLDS)

    def _playouts(self, seed: int, games: int) -> int:
        for number in range(games):
            self._set(NUMBER, number)
            self._play(seed + number, self._longest)
            self._machine.call("write_result", self._game, self._rows + number * self._row)
        return games
