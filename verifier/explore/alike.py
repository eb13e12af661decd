"""Alike: all states of a game that look the same to somebody are compared by what may be done in them, and by what follows.

Reads:  the states that a closed search has visited.   Writes: `Finding`s of kind `no_leak` and `sight`.
After:  with no finding, every two visited states that look alike to a player offer that player the same moves, and two moves that look
        the same lead to states that look alike, but for what the rules give away on purpose (see `judge_secrecy`).

Where what follows differs on purpose, each further state is judged against one state of each look that was met, and not against all of them.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from hashlib import blake2b

from pilgrim_rules.api.looks import Looks
from pilgrim_rules.core.ir import Game
from pilgrim_rules.engine.rules import Rules
from pilgrim_rules.semantics.errors import Contradiction, EngineLimit
from pilgrim_rules.semantics.observation import Moved, has_secrets
from verifier.explore.batch import play_to
from verifier.explore.search_program import SearchProgram
from verifier.explore.search_result import Finding, PlayStep
from verifier.explore.state_set import States
from verifier.play.judge_secrecy import judge_leak, judge_sight
from verifier.play.replay import Failure
from verifier.play.worlds_alike import SecrecyKind


def told_apart(program: SearchProgram, states: States) -> tuple[Finding, ...]:
    """Return by which actions somebody learns what the rules do not give away; each once, with how often."""
    return _Comparison(program, states).run() if has_secrets(program.game) else ()


@dataclass(slots=True)
class _Shown:
    kind: SecrecyKind
    failure: Failure
    state: int
    other: int
    moved: Moved
    times: int = 0


@dataclass(frozen=True, slots=True)
class _Met:
    """A move that was met first of those that look like it and lead to the same look."""

    state: int
    moved: Moved


class _Comparison:
    def __init__(self, program: SearchProgram, states: States) -> None:
        self.program, self.states = program, states
        self.game: Game = program.game
        self.rules = Rules(program.game, ghosts=True)
        self.looks = Looks(self.rules)
        self.found: dict[tuple[SecrecyKind, str], _Shown] = {}
        #: by player, look, action and what is seen of it: what it leads to, by look
        self.after: dict[Hashable, dict[bytes, _Met]] = {}
        self.offered: dict[
            bytes, tuple[int, frozenset[tuple[int, tuple[int, ...]]]]
        ] = {}  #: by the look of who decides

    def run(self) -> tuple[Finding, ...]:
        for number in range(self.states.count):
            self._state(number)
        return tuple(self._finding(name, shown) for (_, name), shown in self.found.items())

    def _data(self, number: int) -> bytes:
        position = self.program.packing.unpack(self.states.words[:, number].tolist())
        return self.rules.layout.encode(position)

    def _state(self, number: int) -> None:
        rules, game = self.rules, self.game
        data = self._data(number)
        people = range(game.players)
        look = [_digest(player, self.looks.key(data, player)) for player in people]
        moves = frozenset(rules.runner.candidates(data))
        decider = rules.runner.decider(data)
        if rules.runner.row(data).kind == "player" and decider in rules.people:
            self._compare_moves(number, data, rules.people.index(decider), look, moves)
        for at, args in sorted(moves):
            if not rules.code.weight(data, at, args):
                continue
            try:
                after = rules.code.apply_of[at](data, *args)
            except (Contradiction, EngineLimit):
                continue
            for player in people:
                seen = self.looks.move(data, (at, args), player)
                group = self.after.setdefault((look[player], at, seen), {})
                follows = _digest(player, self.looks.key(after, player))
                if len(group) == (follows in group):  # nothing that looks otherwise
                    if not group:
                        group[follows] = _Met(number, Moved(rules.layout.decode(data), game.actions[at], args))
                    continue
                self._compare_steps(
                    number, Moved(rules.layout.decode(data), game.actions[at], args), player, follows, group
                )

    def _compare_moves(
        self, number: int, data: bytes, player: int, look: list[bytes], moves: frozenset[tuple[int, tuple[int, ...]]]
    ) -> None:
        other, theirs = self.offered.setdefault(look[player], (number, moves))
        for at, args in sorted(moves ^ theirs)[:1]:
            action = self.game.actions[at]
            here, there = (self.rules.layout.decode(each) for each in (data, self._data(other)))
            failure = judge_sight(self.rules.declared, player, (action.name, args), here, there)
            if failure is not None:
                self._note("sight", failure, number, other, Moved(here, action, args))

    def _compare_steps(self, number: int, moved: Moved, player: int, follows: bytes, group: dict[bytes, _Met]) -> None:
        for look, met in list(group.items()):
            if look != follows:
                failure = judge_leak(self.rules.declared, player, met.moved, moved)
                if failure is not None:
                    self._note("no_leak", failure, met.state, number, met.moved)
                    break
        group.setdefault(follows, _Met(number, moved))

    def _note(self, kind: SecrecyKind, failure: Failure, state: int, other: int, moved: Moved) -> None:
        shown = self.found.setdefault((kind, moved.action.name), _Shown(kind, failure, state, other, moved))
        shown.times += 1

    def _finding(self, name: str, shown: _Shown) -> Finding:
        moved = shown.moved
        number = next(at for at, action in enumerate(self.game.actions) if action.name == name)
        last = PlayStep(str(self.rules.runner.book.move((number, moved.args))), moved.action.kind)
        there = "; ".join(step.text for step in play_to(self.program, self.states, shown.other))
        return Finding(
            shown.kind, name, f"{shown.failure.says}\nthe other world: {there or 'the start'}", shown.times,
            (*play_to(self.program, self.states, shown.state), last), moved.position, name,
            self.program.reference.stage(moved.position).name,
        )  # fmt: skip


def _digest(player: int, look: Hashable) -> bytes:
    """Return a look as few bytes: two that differ have the same with a chance of one in 2 ** 128."""
    return blake2b(repr((player, look)).encode(), digest_size=16).digest()
