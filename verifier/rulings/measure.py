"""Measuring rulings: where the options of a ruling make a difference, measured in random play.

Reads:  a game under its own rulings, and under another option of one of them.   Writes: `RulingImpact` records.
After:  the same seed plays the same games on every machine. A position of a play makes a difference if the legal moves, who
        moves, the stage or the scores are others under the other option, or what breaks ties if the option is about that.

A game is played under the rulings it is loaded with: an action among those possible, then its arguments, each alike, so
that rare actions are seen. The same moves are then made under the other option. Where something differs, this is noted and
the other reading takes up the position of the play, so that every later difference is counted as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal, TypeAlias

from pilgrim_rules.api.game import Game as Playable
from pilgrim_rules.core.ir import Action, Call, Def, Expr, Game, Given, Lookup, Ruling
from pilgrim_rules.core.move_text import action_name
from pilgrim_rules.core.rule_walk import action_expressions
from pilgrim_rules.core.walk import subexpressions
from pilgrim_rules.semantics.errors import STOPS
from pilgrim_rules.semantics.moves import Coded
from pilgrim_rules.walk.policies import ByAction
from pilgrim_rules.walk.random_source import RandomSource
from pilgrim_rules.walk.random_walk import options_of, walk

LONGEST = 5000
What: TypeAlias = Literal["moves", "scores"]
#: What is compared: who decides in which stage, the legal moves, and the points of each player.
Sight: TypeAlias = tuple[str, frozenset[str], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class RandomGame:
    """A random game: its moves, the states before the first and after each of them, and in how many a player decides."""

    number: int
    moves: tuple[str, ...]
    states: tuple[bytes, ...]
    decisions: int


@dataclass(frozen=True, slots=True)
class ReadingDifference:
    """A position in which two readings part.

    game, moves   the number of the play, and how many of its moves lead there
    what          what differs: who may do what, or only the scores
    here, there   moves that only the reading played by allows, and that only the other one does
    """

    game: int
    moves: int
    what: What
    here: tuple[str, ...] = ()
    there: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RulingImpact:
    """How often one option of a ruling makes a difference.

    games, decisions   games played, and positions in them in which a player had to decide
    bites, parted      how many of these games and of these positions it made a difference in
    first              the position that the fewest moves lead to
    read               whether any rule depends on the choice; if not, no game was looked at
    """

    ruling: str
    option: str
    read: bool
    games: int = 0
    decisions: int = 0
    bites: int = 0
    parted: int = 0
    first: ReadingDifference | None = None


def random_games(game: Playable, count: int, seed: int = 0) -> list[RandomGame]:
    """Return random games, each with a generator of its own."""
    return [_play(game, number, seed * 1_000_003 + number) for number in range(count)]


def chosen_option(core: Game, ruling: Ruling) -> str:
    """Return the option of a ruling that a game is played under."""
    constant = next(each for each in core.constants if each.name == ruling.name)
    return constant.type.labels[constant.values[0] - constant.type.lo]


def ruling_impact(
    base: Playable, other: Playable, ruling: str, option: str, games: Sequence[RandomGame]
) -> RulingImpact:
    """Return how often an option makes a difference in these games; `other` is the game loaded with it."""
    pair = _Pair(base, other)
    found = RulingImpact(ruling, option, pair.could_part or _is_pinned(base, ruling))
    for played in games:
        partings = list(pair.differences(played)) if pair.could_part else []
        least = min((each for each in (found.first, *partings[:1]) if each), key=lambda each: each.moves, default=None)
        found = replace(
            found,
            games=found.games + 1,
            decisions=found.decisions + played.decisions,
            bites=found.bites + bool(partings),
            parted=found.parted + sum(pair.decides(played.states[each.moves]) for each in partings),
            first=least,
        )
    return found


def can_part(base: Playable, other: Playable, ruling: str) -> bool:
    """Return whether any rule depends on which of two readings is played."""
    return _Pair(base, other).could_part or _is_pinned(base, ruling)


def _is_pinned(base: Playable, ruling: str) -> bool:
    """Return whether something is computed from a ruling when rules are read."""
    return any(pin.name == ruling for pin in base.core.pinned)


# ------------------------------------------------------------------------------------------------------------- playing


def _play(game: Playable, number: int, seed: int) -> RandomGame:
    """Play a game: by chance where chance decides, else an action and then its arguments, each alike."""
    runner = game.runner

    def make(state: bytes, move: Coded) -> bytes:
        return runner.make(state, move, None, [])[0]

    start = game.start().data
    steps = list(
        walk(start, partial(options_of, runner), make, ByAction[int](chance=True), RandomSource(seed), LONGEST)
    )
    decisions = sum(runner.row(step.before).kind == "player" for step in steps)
    moves = tuple(str(runner.book.move(step.move)) for step in steps)
    return RandomGame(number, moves, (start, *(step.after for step in steps)), decisions)


# ----------------------------------------------------------------------------------------------------------- comparing


@dataclass(slots=True)
class _Pair:
    """A game under two readings.

    Where both stand in the same state, only actions can part whose guards look at something in which the readings differ,
    so nothing else is asked there.
    """

    base: Playable
    other: Playable
    alike: bool = field(init=False)
    suspects: frozenset[str] = field(init=False)
    scored: bool = field(init=False)  #: whether the score sheet looks at what differs
    ranked: bool = field(init=False)  #: whether only what breaks ties does
    could_part: bool = field(init=False)  #: whether anything at all does
    quiet: frozenset[int] = field(init=False)  #: stages in which equal states look equal

    def __post_init__(self) -> None:
        one, other = self.base.core, self.other.core
        defs, tables = _defs(one) | _defs(other), _changed(one, other)
        lines = [] if one.score is None else [line.value for line in one.score.lines]
        keys = [] if one.score is None else [key.value for key in one.score.keys]
        self.alike = self.base.layout == self.other.layout
        self.suspects = frozenset(_actions_that_may_differ(one, other, defs, tables))
        self.scored = _looks_at(lines, defs, tables)
        self.ranked = not self.scored and _looks_at(keys, defs, tables)
        play = [expr for action in one.actions for expr in action_expressions(action)]
        began = self.base.code.start != self.other.code.start
        counted = self.scored or self.ranked
        self.could_part = began or counted or bool(self.suspects) or _looks_at(play, defs, tables)
        asked = {
            code for game in (one, other) for each in game.actions if each.name in self.suspects for code in each.stages
        }
        asked |= {each.code for each in one.stages if each.by is not None and _looks_at([each.by], defs, tables)}
        self.quiet = frozenset() if counted else frozenset(each.code for each in one.stages) - asked

    def decides(self, state: bytes) -> bool:
        """Return whether a player has to decide here."""
        return self.base.runner.row(state).kind == "player"

    def differences(self, played: RandomGame) -> Iterator[ReadingDifference]:
        """Yield the positions of a play in which the readings part."""
        own = self._start()
        for made, state in enumerate(played.states):
            found = None if own is None else self._parted(state, own, played.number, made)
            if own is None or found is not None:
                yield found or ReadingDifference(played.number, made, "moves")
                own = self._in_other_reading(state)
            if own is not None and made < len(played.moves):
                own = self._moved(own, played.moves[made])

    def _start(self) -> bytes | None:
        try:
            return self.other.start().data
        except STOPS:
            return None

    def _moved(self, state: bytes, move: str) -> bytes | None:
        """Return the state after a move under the other reading; None if it leads nowhere there."""
        runner = self.other.runner
        if action_name(move) not in self.other.actions:
            return None
        coded = runner.book.codes(move)
        if not runner.allows(state, coded):
            return None
        try:
            return runner.make(state, coded, None, [])[0]
        except STOPS:
            return None

    def _in_other_reading(self, state: bytes) -> bytes | None:
        """Return a state of the play as one of the other reading; None if it cannot be one."""
        if self.alike:
            return state
        try:
            return self.other.layout.encode(self.base.layout.decode(state))
        except (KeyError, ValueError):
            return None

    def _parted(self, state: bytes, own: bytes, number: int, made: int) -> ReadingDifference | None:
        same = self.alike and state == own
        if same and self.base.code.stage_code(state) in self.quiet:
            return None
        names = self.suspects if same else None
        here, there = (
            _observable(game, at, names, scored=self.scored, ranked=self.ranked)
            for game, at in ((self.base, state), (self.other, own))
        )
        if here == there:
            return None
        only = tuple(sorted(here[1] - there[1])), tuple(sorted(there[1] - here[1]))
        return ReadingDifference(number, made, "scores" if here[:2] == there[:2] else "moves", *only)


def _observable(game: Playable, state: bytes, names: frozenset[str] | None, *, scored: bool, ranked: bool) -> Sight:
    """Return what can be seen: of all actions and with the scores, or of some actions, and scores or ranks if they matter."""
    row = game.runner.row(state)
    asked = [at for at in row.actions if names is None or game.core.actions[at].name in names]
    moves = frozenset(game.runner.book.move((at, args)) for at in asked for args in game.code.candidates(state, at))
    players = range(game.core.player.size) if names is None or scored else ()
    decider = game.runner.decider(state) if row.kind == "player" else ""
    points = [sum(game.code.score(state, player)) for player in players]
    points += (
        [key for player in range(game.core.player.size) for key in game.code.rank(state, player)] if ranked else []
    )
    return f"{row.stage.name} {decider}", moves, tuple(points)


# ---------------------------------------------------------------------------------------------- what could differ at all


def _defs(core: Game) -> dict[str, Def]:
    return {each.name: each for each in core.defs}


def _changed(one: Game, other: Game) -> frozenset[str]:
    """Return the tables in which two readings differ: rulings, and what is computed from them."""
    theirs = {each.name: each for each in other.constants}
    return frozenset(each.name for each in one.constants if theirs.get(each.name) != each)


def _actions_that_may_differ(one: Game, other: Game, defs: dict[str, Def], tables: frozenset[str]) -> Iterator[str]:
    """Yield the actions that may be legal under one reading only."""
    first, second = ({each.name: each for each in game.actions} for game in (one, other))
    yield from first.keys() ^ second.keys()
    yield from (action.name for action in first.values() if _looks_at(_guard(action), defs, tables))


def _guard(action: Action) -> list[Expr]:
    return [line.value if isinstance(line, Given) else line.test for line in action.guard]


def _looks_at(exprs: Iterable[Expr], defs: dict[str, Def], tables: frozenset[str]) -> bool:
    """Return whether the expressions look into one of the tables, through definitions too."""
    seen, stack = set[str](), list(exprs)
    while stack:
        for node in subexpressions(stack.pop()):
            if isinstance(node, Lookup) and node.table in tables:
                return True
            if isinstance(node, Call) and node.definition not in seen:
                seen.add(node.definition)
                stack.append(defs[node.definition].body)
    return False
