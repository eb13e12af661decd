"""Lock-step: two versions of a game are played side by side, move by move, until they part.

Reads:  two loaded games, which may differ in anything.   Writes: what is the same by its text, and the differences that play
        has met, each with the shortest way to it that was found.
After:  a difference is real: the moves before its last one, made in the old game, lead to a position from which the two go
        on differently. What play has not met may differ all the same; only what has the same meaning is called equal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Literal, TypeAlias

from pilgrim_rules.api.game import Game, State
from pilgrim_rules.core.fingerprint import fingerprints_of
from pilgrim_rules.core.ir import Game as Core
from pilgrim_rules.core.move_text import action_name
from pilgrim_rules.examples.positions import positions
from pilgrim_rules.semantics.cells import leaves
from pilgrim_rules.semantics.errors import BadMove, RulesGameError, UnknownAction
from pilgrim_rules.semantics.moves import Move

Kind: TypeAlias = Literal["start", "legal now", "not legal any more", "odds", "effect", "to move", "score", "end"]
LONGEST = 400  #: moves of one game
SHOWN = 6  #: cells of a difference that are told
FAVOUR = 20  #: how much likelier a move of a changed action is to be tried


@dataclass(frozen=True, slots=True)
class Difference:
    """Something in which the two games differ.

    example  the worked example whose position the moves start from; empty for the start of the game.
    moves    that lead there, the one that shows it last.     clauses  of the lines that make the difference.
    """

    kind: Kind
    action: str
    says: str
    example: str = ""
    moves: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Declared:
    """Actions and other declarations by what has become of them."""

    same: tuple[str, ...]
    changed: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]

    @property
    def is_equal(self) -> bool:
        """Whether no rule has changed: start, actions, score and what is public mean the same, whatever claims and examples say."""
        return self.is_equal_if(())

    def is_equal_if(self, proved: Collection[str]) -> bool:
        """Whether no rule has changed but those that were proved to be equal; `rules` stands for all of them together."""
        rules = ("action ", "start", "score", "public")
        changed = (name for name in self.changed if name not in proved)
        others = any(name.startswith(rules) for name in (*changed, *self.added, *self.removed))
        return not others and ("rules" not in self.changed or bool(proved))


@dataclass(slots=True)
class Comparison:
    """What was found: by the text, and by play."""

    declared: Declared
    differences: dict[tuple[str, str, str], Difference] = field(default_factory=dict)
    games: int = 0
    positions: int = 0

    def note(self, found: Difference) -> None:
        """Keep a difference, unless a shorter way to it is known."""
        key = (found.kind, found.action, found.says.partition(":")[0])
        known = self.differences.get(key)
        if known is None or len(found.moves) < len(known.moves):
            self.differences[key] = found


def declared(old: Core, new: Core) -> Declared:
    """Compare the declarations of two games by their meaning: what is the same needs no play."""
    before, after = fingerprints_of(old).named(), fingerprints_of(new).named()
    both = [name for name in after if name in before]
    return Declared(
        tuple(name for name in both if before[name] == after[name]),
        tuple(name for name in both if before[name] != after[name]),
        tuple(name for name in after if name not in before),
        tuple(name for name in before if name not in after),
    )


class Lockstep:
    """Two games side by side."""

    def __init__(self, old: Game, new: Game) -> None:
        self.old, self.new = old, new
        self.found = Comparison(declared(old.core, new.core))
        changed = (*self.found.declared.changed, *self.found.declared.added, *self.found.declared.removed)
        self._favoured = {name.removeprefix("action ") for name in changed if name.startswith("action ")}

    @cached_property
    def _shared(self) -> list[str]:
        """The variables that both games have."""
        return [name for name in self.new.layout.by_name if name in self.old.layout.by_name]

    @cached_property
    def _same_cells(self) -> bool:
        """Whether a position of one is a position of the other, byte for byte."""
        old, new = (
            [(each.name, each.index, each.type) for each in game.core.variables] for game in (self.old, self.new)
        )
        return old == new and self.old.layout.size == self.new.layout.size

    def _translated(self, state: State) -> State | None:
        """Return a position of the old game as one of the new; None if it has none that looks like it."""
        if self._same_cells:
            return State(self.new, state.data)
        try:
            return self.new.state_from_json(state.to_json(), stale_ok=True)
        except (RulesGameError, ValueError, KeyError):
            return None

    def from_examples(self, core: Core) -> None:
        """Compare the positions of the worked examples of the old game, and every move from each of them."""
        for name, state in positions(self.old, core):
            other = self._translated(state)
            if other is not None:
                self._every_move(state, other, name)

    def from_start(self, games: int, seed: int) -> Iterator[int]:
        """Play from the start; yield the number of games so far."""
        for number in range(games):
            self.found.games += 1
            try:
                old, new = self.old.start(), self.new.start()
                if self._cells(old, new):
                    self.found.note(Difference("start", "", f"the start is another: {self._told(old, new)}"))
                else:
                    self._play(old, new, Random(f"{seed} {number}"))  # noqa: S311  (no secret)
            except RulesGameError as problem:
                self.found.note(Difference("effect", "", f"the rules contradict themselves: {problem}"))
            yield number + 1

    def _play(self, old: State, new: State, random: Random) -> None:
        played: list[str] = []
        for _ in range(LONGEST):
            both = self._look(old, new, "", played)
            if not both:
                return
            weights = [FAVOUR if each.action in self._favoured else 1 for each in both]
            move = random.choices(both, weights)[0]
            played.append(move)
            old, new = old.play(move), new.play(move)
            if self._parted(old, new, move, "", played):
                other = self._translated(old)
                if other is None:
                    return
                new = other  # what else differs is found from the same position

    def _every_move(self, old: State, new: State, example: str) -> None:
        for move in self._look(old, new, example, ()):
            try:
                self._parted(old.play(move), new.play(move), move, example, (move,))
            except RulesGameError:  # an example may arrange what no play reaches
                continue

    def _look(self, old: State, new: State, example: str, played: Sequence[str]) -> list[Move]:
        """Note in what two positions with the same cells differ; return the moves that both allow."""
        self.found.positions += 1
        here = tuple(played)
        if old.to_move != new.to_move or old.over != new.over:
            says = f"to move: {old.to_move or 'nobody'} before, {new.to_move or 'nobody'} now"
            self.found.note(Difference("to move", _last(here), says, example, here))
            return []
        before, after = old.moves(), new.moves()
        legal_before, legal_now = set(before), set(after)
        for move in after:
            if move not in legal_before:
                self.found.note(_refused(old, move, "legal now", example, here))
        for move in before:
            if move not in legal_now:
                self.found.note(_refused(new, move, "not legal any more", example, here))
        self._odds(old, new, example, here)
        self._scores(old, new, example, here)
        return [each for each in after if each in legal_before]

    def _odds(self, old: State, new: State, example: str, here: tuple[str, ...]) -> None:
        before = dict(old.outcomes())
        for move, odds in new.outcomes():
            if before.get(move, odds) != odds:
                says = f"`{move}` has odds {odds}: {before[move]} before"
                self.found.note(Difference("odds", move.action, says, example, (*here, move)))

    def _scores(self, old: State, new: State, example: str, here: tuple[str, ...]) -> None:
        if old.game.core.score is None or new.game.core.score is None:
            return
        before, after = ({name: each.total for name, each in state.scores().items()} for state in (old, new))
        if before != after:
            told = ", ".join(
                f"{name} {before.get(name)} → {each}" for name, each in after.items() if before.get(name) != each
            )
            self.found.note(Difference("score", "", f"points: {told}", example, here))
        elif old.winners() != new.winners():
            says = f"winners: {', '.join(old.winners())} before, {', '.join(new.winners())} now"
            self.found.note(Difference("end", "", says, example, here))

    def _parted(self, old: State, new: State, move: Move, example: str, played: Sequence[str]) -> bool:
        if not self._cells(old, new):
            return False
        says = f"`{move.action}` has another effect: {self._told(old, new)}"
        self.found.note(Difference("effect", move.action, says, example, tuple(played)))
        return True

    def _cells(self, old: State, new: State) -> bool:
        """Return whether the cells of the two differ."""
        if self._same_cells:
            return old.data != new.data
        return any(old[name] != new[name] for name in self._shared)

    def _told(self, old: State, new: State) -> str:
        if self._same_cells:
            cells = [
                f"{name} {after}, not {before}" for name, (before, after) in old.diff(State(self.old, new.data)).items()
            ]
        else:
            cells = [
                f"{name} {list(leaves(new[name]))}, not {list(leaves(old[name]))}"
                for name in self._shared
                if old[name] != new[name]
            ]
        return ", ".join(cells[:SHOWN]) + (", …" if len(cells) > SHOWN else "")


def _refused(state: State, move: Move, kind: Kind, example: str, here: tuple[str, ...]) -> Difference:
    """Return that a move is legal in one of the games only, with why the other, whose state is given, refuses it."""
    try:
        reasons = state.why_not(move)
    except (BadMove, UnknownAction):
        reasons = []
    told = "; ".join(dict.fromkeys(each.says for each in reasons)) or "there is no such move"
    clauses = _once(clause for each in reasons for clause in each.clauses)
    tense = "was refused" if kind == "legal now" else "is refused"
    return Difference(kind, move.action, f"`{move.action}` {tense} ({told}): `{move}`", example, (*here, move), clauses)


def _once(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def _last(moves: tuple[str, ...]) -> str:
    return action_name(moves[-1]) if moves else ""
