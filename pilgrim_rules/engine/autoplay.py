"""Autoplay: what happens after a move by itself, until somebody has to decide.

Reads:  a compiled game, a state and the generator of chance.   Writes: the state in which a decision is due.
After:  a player is to move, or chance is and there is no generator, or the game is over; otherwise `Contradiction`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pilgrim_rules.core.ir import Stage, StageKind
from pilgrim_rules.core.values import show
from pilgrim_rules.engine.python.compile import Compiled
from pilgrim_rules.semantics import chance
from pilgrim_rules.semantics.errors import Breach, Contradiction
from pilgrim_rules.semantics.moves import Coded, Move, MoveBook
from pilgrim_rules.semantics.reference import Args
from pilgrim_rules.semantics.step import AUTO, CHANCE, Step, fingerprint

Log = list[tuple[Coded, bytes, int | None]]  #: each move made, with the state and the generator after it


class StageRow(NamedTuple):
    """What a stage allows: who decides, the numbers of its actions, and for each its search and how its moves are spelled."""

    stage: Stage
    kind: StageKind
    by: Callable[[bytes], int] | None
    actions: tuple[int, ...]
    searches: tuple[tuple[Callable[[bytes], list[Args]], Callable[[Args], Move]], ...]
    policy: StageRow | None = None  #: what it is where an automaton is to decide


class Runner:
    """Plays a compiled game."""

    __slots__ = ("_apply_of", "_automata", "_last_player", "_stage_code", "book", "code", "players", "rows")

    def __init__(self, code: Compiled) -> None:
        game = code.game
        self.code = code
        self.book = MoveBook(game)
        self.players = tuple(show(game.player, player) for player in range(game.player.size))
        self._automata = frozenset(game.automata)
        self.rows = {stage.code: self._row(stage, by) for stage, by in zip(game.stages, code.by_of, strict=True)}
        self._apply_of = code.apply_of
        self._stage_code = code.stage_code
        self._last_player = game.player.hi

    def _row(self, stage: Stage, by: Callable[[bytes], int] | None) -> StageRow:
        game = self.code.game
        numbers = tuple(at for at, action in enumerate(game.actions) if stage.code in action.stages)
        if by is None or not self._automata:
            return self._row_of(stage, stage.kind, by, numbers)
        autos = tuple(at for at in numbers if game.actions[at].kind == "auto")
        policy = self._row_of(stage, "auto", by, autos)
        return self._row_of(stage, stage.kind, by, tuple(at for at in numbers if at not in autos), policy)

    def _row_of(
        self,
        stage: Stage,
        kind: StageKind,
        by: Callable[[bytes], int] | None,
        numbers: tuple[int, ...],
        policy: StageRow | None = None,
    ) -> StageRow:
        searches = tuple((self.code.legal_of[at], self.book.spellings[at].__getitem__) for at in numbers)
        return StageRow(stage, kind, by, numbers, searches, policy)

    def row(self, state: bytes) -> StageRow:
        """Return what the stage allows to whoever is to decide."""
        row = self.rows[self._stage_code(state)]
        if row.policy is not None and row.by is not None and row.by(state) in self._automata:
            return row.policy
        return row

    def candidates(self, state: bytes) -> list[Coded]:
        """Return the moves that pass their guards now."""
        return [(number, args) for number in self.row(state).actions for args in self.code.candidates(state, number)]

    def moves(self, state: bytes) -> list[Move]:
        """Return every legal move, in the order of the actions in the rules; outcomes of chance are moves too."""
        row = self.row(state)
        if row.kind == "chance":
            return [self.book.move(coded) for coded, _ in self.chance_outcomes(state)]
        found: list[Move] = []
        for search, spell in row.searches:
            found += map(spell, search(state))
        return found

    def allows(self, state: bytes, coded: Coded) -> bool:
        """Return whether the move is legal now."""
        number, args = coded
        row = self.row(state)
        if number not in row.actions or not self.code.allowed_of[number](state, *args):
            return False
        return row.kind != "chance" or self.code.weight(state, number, args) != 0

    def chance_outcomes(self, state: bytes) -> list[tuple[Coded, int]]:
        """Return the outcomes of chance that have a weight, with it; `Contradiction` if there is none."""
        weighed = [((number, args), self.code.weight(state, number, args)) for number, args in self.candidates(state)]
        if any(weight < 0 for _, weight in weighed) or not any(weight for _, weight in weighed):
            raise Contradiction(Breach(f"chance has nothing to choose from in stage `{self.row(state).stage.name}`"))
        return [(coded, weight) for coded, weight in weighed if weight]

    def decider(self, state: bytes) -> str | None:
        """Return who decides now: a player's name, `chance`, `auto`, or None if the game is over."""
        row = self.row(state)
        match row.kind:
            case "player":
                return self.players[self._player(state, row)]
            case "chance":
                return CHANCE
            case "auto":
                return AUTO
            case "nobody":
                return None

    def make(self, state: bytes, coded: Coded, generator: int | None, log: Log) -> tuple[bytes, int | None]:
        """Make a legal move and what follows by itself; return the state and the generator after it."""
        try:
            return self._go_on(self._apply(state, coded, generator, log), generator, log)
        except Contradiction as problem:
            raise Contradiction(problem.breach, (*self.steps(state, log), *problem.steps)) from None

    def settle(self, state: bytes, generator: int | None, log: Log) -> tuple[bytes, int | None]:
        """Let happen what happens by itself; return the state and the generator after it."""
        try:
            return self._go_on(state, generator, log)
        except Contradiction as problem:
            raise Contradiction(problem.breach, (*self.steps(state, log), *problem.steps)) from None

    def steps(self, state: bytes, log: Log) -> tuple[Step, ...]:
        """Return what happened from a state on, as steps."""
        plain = self.code.layout.plain
        found: list[Step] = []
        for coded, after, _ in log:
            found.append(Step(self.book.move(coded), self.decider(state) or "", fingerprint(after[:plain])))
            state = after
        return tuple(found)

    def _player(self, state: bytes, row: StageRow) -> int:
        player = self._last_player + 1 if row.by is None else row.by(state)
        if player > self._last_player:  # `none`, where the player is optional
            raise Contradiction(Breach(f"nobody is to move in stage `{row.stage.name}`"))
        return player

    def _go_on(self, state: bytes, generator: int | None, log: Log) -> tuple[bytes, int | None]:
        seen: list[bytes] = []
        while True:
            row = self.row(state)
            if row.kind == "player":
                self._player(state, row)  # there must be one
                return state, generator
            if row.kind == "auto":
                if state in seen:
                    raise Contradiction(Breach(f"what happens by itself in stage `{row.stage.name}` never ends"))
                seen.append(state)
                state = self._apply(state, self._only(state, row), generator, log)
            elif row.kind == "chance" and generator is not None:
                outcomes = self.chance_outcomes(state)
                at, generator = chance.choose(generator, [weight for _, weight in outcomes])
                state = self._apply(state, outcomes[at][0], generator, log)
            else:
                return state, generator

    def _only(self, state: bytes, row: StageRow) -> Coded:
        enabled = self.candidates(state)
        if len(enabled) == 1:
            return enabled[0]
        if not enabled:
            raise Contradiction(Breach(f"nothing can happen in stage `{row.stage.name}`"))
        names = " and ".join(f"`{self.book.move(coded)}`" for coded in enabled[:2])
        raise Contradiction(Breach(f"{names} could both happen by themselves in stage `{row.stage.name}`"))

    def _apply(self, state: bytes, coded: Coded, generator: int | None, log: Log) -> bytes:
        number, args = coded
        try:
            after = self._apply_of[number](state, *args)
        except Contradiction as problem:
            step = Step(self.book.move(coded), self.decider(state) or "")
            raise Contradiction(problem.breach, (step,)) from None
        log.append((coded, after, generator))
        return after
