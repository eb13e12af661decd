"""Shorter plays: from plays that show something to one of few decisions, by changing them again and again.

Reads:  a compiled game, plays, what they show.   Writes: a play that shows the same.
After:  the play is legal, move by move, by the compiled engine, and no longer than the shortest it was made from. The same plays, seed and number of
        tries give the same play; a limit in seconds depends on the machine.

Some plays are kept. A try takes one of them, mostly a short one, and leaves out stretches of it: any, one between two like decisions (a turn,
a round), or every use of an action; in place of some of it a few decisions are made at random; or it goes on as another of the plays does. What is
not legal any more is passed over. Whatever still shows the same, and is no longer, takes the place of what it was made from or of the longest: so
the search goes on from many plays, and seldom ends where none of them can be made shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Final, TypeAlias

from pilgrim_rules.core.ir import Game
from pilgrim_rules.engine.scripted_play import OPEN, Script, ScriptedPlayer
from pilgrim_rules.semantics.moves import Coded
from pilgrim_rules.walk.random_source import RandomSource

Play: TypeAlias = tuple[Coded, ...]

#: Plays that are kept. The search ends if none became shorter in a number of tries, and a number for each decision of the shortest.
KEPT: Final = 8
PATIENCE, PATIENCE_EACH = 1000, 150
#: How many decisions that are not legal are passed over; how many may follow the script.
WINDOWS: Final = (1, 2, 4, 8, 1 << 20)
FURTHER: Final = (0, 0, 0, 2, 6)
#: One try in this many leaves out outcomes of chance, too.
CHANCES: Final = 8


@dataclass(frozen=True, slots=True)
class _Kept:
    """A play, and its outcomes of chance and decisions, packed."""

    play: Play
    chances: list[int]
    decisions: list[int]

    def __len__(self) -> int:
        return len(self.decisions)


@dataclass
class Shortener:
    """Makes plays shorter.

    shows   whether a play, in which the claim of the player breaks, is what is looked for.
    """

    game: Game
    player: ScriptedPlayer
    shows: Callable[[Play], bool]
    seed: int = 0
    tries: int = field(default=0, init=False)  #: so far

    def is_shown(self, play: Play) -> bool:
        """Return whether the player sees what a play shows."""
        kept = self._kept(play)
        script = Script(kept.chances, kept.decisions, WINDOWS[0])
        return self.player.follow(script, self.seed, len(kept)) is not None

    def shortest(self, plays: Sequence[Play], *, tries: int, seconds: float = float("inf")) -> Play:
        """Return a play with as few decisions as some tries find."""
        until, random = monotonic() + seconds, RandomSource(self.seed)
        kept = sorted((self._kept(each) for each in plays), key=len)[:KEPT]
        shown, patience, end = len(kept[0]), self._patience(kept), self.tries + tries
        while self.tries < end and patience > 0 and len(kept[0]) > 1 and monotonic() < until:
            self.tries += 1
            patience -= 1
            at = min(random.below(len(kept)), random.below(len(kept)))
            found = self._tried(kept, kept[at], random)
            if found is None or any(found.decisions == each.decisions for each in kept):
                continue
            if len(found) <= len(kept[at]) and random.below(2):
                kept[at] = found
            elif len(kept) < KEPT:
                kept.append(found)
            elif len(found) <= len(kept[-1]):
                kept[-1] = found
            kept.sort(key=len)
            if len(kept[0]) < shown:
                shown, patience = len(kept[0]), self._patience(kept)
        return kept[0].play

    def _patience(self, kept: Sequence[_Kept]) -> int:
        return PATIENCE + PATIENCE_EACH * len(kept[0])

    def _kept(self, play: Play) -> _Kept:
        kinds = [(self.game.actions[number].kind, (number, args)) for number, args in play]
        chances, decisions = (
            [self.player.pack(move) for kind, move in kinds if kind == wanted] for wanted in ("chance", "action")
        )
        return _Kept(play, chances, decisions)

    def _tried(self, kept: Sequence[_Kept], one: _Kept, random: RandomSource) -> _Kept | None:
        """Return a changed play that shows the same and is no longer; None if that did not come of it."""
        chances = _without_stretch(one.chances, random) if random.below(CHANCES) == 0 else one.chances
        longest = len(one)
        match random.below(10):
            case 0:
                decisions = self._crossed(one.decisions, random.pick(kept).decisions, random)
            case 1:  # the rest is left to the policy
                decisions = one.decisions[: random.below(len(one))]
            case _:  # eight times of ten: leave something out, or exchange it
                decisions = self._changed(one.decisions, random)
                longest = min(longest, len(decisions) + random.pick(FURTHER))
        script = Script(chances, decisions, random.pick(WINDOWS))
        found = self.player.follow(script, self.seed + self.tries, longest)
        return self._kept(tuple(found)) if found is not None and self.shows(tuple(found)) else None

    def _changed(self, decisions: list[int], random: RandomSource) -> list[int]:
        """Return the decisions with one or two changes."""
        for _ in range(1 + random.below(2)):
            if len(decisions) <= 1:
                break
            match random.below(6):
                case 0:
                    decisions = self._without_action(decisions, random)
                case 1 | 2:
                    decisions = self._without_turn(decisions, random)
                case 3:
                    begin, end = _stretch(decisions, random)
                    decisions = [*decisions[:begin], *[OPEN] * random.below(end - begin + 1), *decisions[end:]]
                case _:  # the two others
                    decisions = _without_stretch(decisions, random)
        return decisions

    def _without_turn(self, decisions: list[int], random: RandomSource) -> list[int]:
        """Leave out what lies between a decision and one of the next by the same action."""
        at = random.below(len(decisions))
        same = self.player.same_action
        alike = [later for later in range(at + 1, len(decisions)) if same(decisions[at], decisions[later])]
        if not alike:
            return decisions
        return decisions[:at] + decisions[alike[min(random.below(8), random.below(len(alike)))] :]

    def _without_action(self, decisions: list[int], random: RandomSource) -> list[int]:
        """Leave out every use of an action behind a place."""
        used, behind = random.pick(decisions), random.below(len(decisions))
        return [each for at, each in enumerate(decisions) if at < behind or not self.player.same_action(each, used)]

    def _crossed(self, decisions: list[int], others: list[int], random: RandomSource) -> list[int]:
        """Go on, from some decision, as another play does from one of the same action."""
        at = random.below(len(decisions))
        alike = [place for place, move in enumerate(others) if self.player.same_action(move, decisions[at])]
        return decisions[:at] + others[random.pick(alike) :] if alike else decisions


def _stretch(moves: Sequence[int], random: RandomSource) -> tuple[int, int]:
    """Return the ends of a stretch: short ones are as likely as long ones."""
    size = 1 << random.below(max(1, len(moves).bit_length() - 1))
    size = min(len(moves), size + random.below(size))
    begin = random.below(len(moves) - size + 1)
    return begin, begin + size


def _without_stretch(moves: list[int], random: RandomSource) -> list[int]:
    """Leave out a stretch; where it was of chance, other outcomes will come in its place."""
    if not moves:
        return moves
    begin, end = _stretch(moves, random)
    return moves[:begin] + moves[end:]
