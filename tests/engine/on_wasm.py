"""The functions of a game on a machine, called one by one: what `Compiled` gives, from packed moves and addresses."""

from __future__ import annotations

from pilgrim_rules.engine.machines.machine import Machine, Stopped
from pilgrim_rules.engine.machines.wasm_machine import WasmCode
from pilgrim_rules.engine.python.compile import source
from pilgrim_rules.semantics.state_layout import layout

ROOM = 1 << 16


def every_claim(game):
    """Return checks that ask each claim under the number of an action of its own, as far as there are actions."""
    return {at: (at,) for at in range(min(len(game.actions), len(game.claims)))}


class OnWasm:
    """A game's module, with two states in its memory."""

    def __init__(self, game):
        self.game = game
        self.layout = layout(game)
        # Random games all have one name, and modules are kept: the key must tell them apart.
        self.machine: Machine = WasmCode(game, source(game), every_claim(game)).machine()
        self.state, self.other = (self.machine.allocate(self.layout.size) for _ in range(2))
        self.numbers = self.machine.allocate(8 * 64)
        self.out = self.machine.allocate(ROOM)

    def put(self, state, at):
        self.machine.view(at, len(state))[:] = state
        return at

    def legal(self, state, number):
        """Return the arguments of the moves of one action that are legal in the state's stage."""
        end = self.machine.call("moves", self.put(state, self.state), self.out)
        packed = self.machine.view(self.out, end - self.out).cast("Q")
        return [args for at, args in map(self.machine.packing.unpack, packed) if at == number]

    def apply(self, state, number, args):
        """Return the state after a move; None if the rules contradict themselves."""
        try:
            self.machine.call(
                "apply", self.put(state, self.state), self.other, self.machine.packing.pack((number, args))
            )
        except Stopped:
            return None
        return bytes(self.machine.view(self.other, self.layout.size))

    def weight(self, state, number, args):
        return self.machine.call("weight", self.put(state, self.state), self.machine.packing.pack((number, args)))

    def by(self, state):
        found = self.machine.call("by", self.put(state, self.state))
        return None if found == self.game.players else found

    def holds(self, claim, state, after):
        """Return whether a claim given by its number holds."""
        first = self.put(state, self.state)
        second = self.put(after if self.game.claims[claim].kind == "step" else state, self.other)
        return self.machine.call("check", first, second, claim) == 0

    def score(self, state, player):
        return self._numbers("score_to", state, player, len(self.game.score.lines))

    def rank(self, state, player):
        return self._numbers("rank_to", state, player, len(self.game.score.keys))

    def _numbers(self, kernel, state, player, count):
        self.machine.call(kernel, self.put(state, self.state), player, self.numbers)
        return tuple(self.machine.view(self.numbers, 8 * count).cast("q"))
