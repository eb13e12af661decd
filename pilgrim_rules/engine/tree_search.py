"""Tree search: a player that looks ahead, on a machine.

Reads:  a compiled game, a machine, states in which a player decides.   Writes: how good each move looks.
After:  the same seed and number of iterations give the same answer on every machine; a limit in seconds gives what fits into it.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from math import log, prod
from time import perf_counter
from typing import NamedTuple

from pilgrim_rules.engine.kernels import primitives, roll_out
from pilgrim_rules.engine.kernels import tree as kernel
from pilgrim_rules.engine.machines.machine import Machine, Stopped
from pilgrim_rules.engine.python.compile import Compiled
from pilgrim_rules.engine.wasm.memory import aligned
from pilgrim_rules.semantics import chance
from pilgrim_rules.semantics.errors import Breach, Contradiction
from pilgrim_rules.semantics.moves import Coded
from pilgrim_rules.util.fast_dataclass import dataclass

#: A game that is being played, see `kernels/steps.py`; a tree, and a node of it, see `kernels/tree.py`.
GAME = struct.Struct("<QQIIIIIIIIIIIIIII4x")
_TREE = struct.Struct("<IIIIIIIIIIqqqII")
_NODE = struct.Struct("<QIIIIIIq")
_FIRST_CHILD = 16  #: where a node says which node is its first child
_MOST_MOVES = 1 << 20  #: moves of one position for which there is room
MOST_NODES = 1 << 20
#: Iterations of the first call of a search that ends by the clock; the next calls take about this many seconds.
_FIRST_CALL, _CALL = 8, 0.02


@dataclass(frozen=True, slots=True)
class Search:
    """How far a player looks ahead: games that are tried in thought, and decisions of each, behind the tree, after which it may end early.

    weights  by number of the action, by which moves behind the tree are drawn; without them every move is as likely as any other.
    """

    iterations: int = 400
    enough: int = 20
    explore: float = 0.8
    weights: tuple[int, ...] = ()


class Candidate(NamedTuple):
    """A move that was looked at: how often it was tried, and its worth from 0 to 1 for the player who makes it."""

    coded: Coded
    visits: int
    worth: float


def room_for_moves(code: Compiled) -> int:
    """Return how many bytes the moves of one position take at most."""
    every = sum(prod(param.type.size for param in action.params) for action in code.game.actions)
    return 8 * min(every, _MOST_MOVES) + 8


def room_for_habits() -> int:
    """Return how many bytes a tree keeps what moves have been worth in, and the moves of an iteration."""
    return roll_out.HABITS * roll_out.HABIT + 8 * roll_out.LONGEST


def exploration(search: Search) -> int:
    """Return how much the bound adds for moves that were seldom tried, as a tree keeps it."""
    return int(search.explore**2 * log(2) * roll_out.WORTH**2 / kernel.UNIT)


def put_tree(code: Compiled, machine: Machine, search: Search, nodes: int) -> int:
    """Return the address of a new tree with room for this many nodes, whose games are played at random, or by weights."""
    states = [machine.allocate(code.layout.size) for _ in range(2)]
    own = search.weights or (1,) * len(code.game.actions)
    weights = machine.put(struct.pack(f"<{len(own)}I", *own))
    kind = primitives.WEIGHTED if search.weights else 0
    out = machine.allocate(room_for_moves(code))
    game = machine.put(GAME.pack(0, 0, *states, 0, 0, 0, 0, 0, weights, 0, out, kind, 0, 0, 0, 0))
    first = machine.allocate(nodes * kernel.NODE)
    path = machine.allocate(4 * kernel.DEEPEST)
    worth = machine.allocate(8 * code.game.player.size)
    end = first + nodes * kernel.NODE
    habits = machine.allocate(room_for_habits())
    budget = search.enough, search.iterations, worth, exploration(search)
    return machine.put(_TREE.pack(game, 0, first, first, end, path, *budget, 0, 0, 0, 0, habits))


class TreePlayer:
    """Thinks about one state after the other on one machine."""

    def __init__(self, code: Compiled, machine: Machine, search: Search, nodes: int = MOST_NODES) -> None:
        self._machine = machine
        self._iterations = search.iterations
        self._tree = put_tree(code, machine, search, nodes)
        self._room = aligned(code.layout.size)
        self._states, self._most = machine.allocate(self._room), 1

    def think(self, states: Sequence[bytes], seed: int, seconds: float | None = None) -> list[Candidate]:
        """Return the moves that were looked at in a state, or in many that the player cannot tell apart, best first.

        With `seconds`, as many iterations as fit into them.
        """
        if len(states) > self._most:
            self._states, self._most = self._machine.allocate(len(states) * self._room), len(states)
        for at, state in enumerate(states):
            self._machine.view(self._states + at * self._room, len(state))[:] = state
        first, generator = chance.draw(chance.seeded(seed))
        second, _ = chance.draw(generator)
        self._call("plant", self._states, len(states), first, second)
        if seconds is None:
            self._call("grow", self._iterations)
        else:
            self._grow_for(seconds)
        return sorted(self._candidates(), key=lambda each: (-each.visits, -each.worth, each.coded))

    def _grow_for(self, seconds: float) -> None:
        begun = perf_counter()
        step = _FIRST_CALL
        while (left := seconds - (perf_counter() - begun)) > 0:
            started = perf_counter()
            self._call("grow", step)
            took = perf_counter() - started
            step = max(1, min(2 * step, int(step * min(_CALL, left) / max(took, 1e-6))))

    def _call(self, name: str, *args: int) -> None:
        try:
            self._machine.call(name, self._tree, *args)
        except Stopped:
            raise Contradiction(Breach("the rules contradict themselves in a play that was only thought of")) from None

    def _candidates(self) -> list[Candidate]:
        tree = _TREE.unpack(self._machine.view(self._tree, _TREE.size))
        child = self._machine.view(tree[2] + _FIRST_CHILD, 4).cast("I")[0]
        found: list[Candidate] = []
        while child:
            move, visits, _, _, child, _, _, worth = _NODE.unpack(self._machine.view(child, _NODE.size))
            found.append(Candidate(self._machine.packing.unpack(move), visits, worth / max(visits, 1) / roll_out.WORTH))
        return found
