"""Guide: which of the legal moves to try next.

Reads:  the moves that are legal and what has been tried before.   Writes: a choice.
After:  every legal move can be chosen in every game; guidance only changes how likely it is.

Each game draws a temper: how much it cares for what is rare, and which actions it likes. Games that like different
things reach different corners, which even-handed play never does (swarm testing).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from pilgrim_rules.core.ir import Game
from pilgrim_rules.engine.moves import Coded
from verifier.fuzz.coverage import Coverage, rarity

#: How much an action can be liked, and how often a game looks for what is rare.
LIKINGS = (0.05, 0.3, 1.0, 1.0, 3.0, 20.0)
CURIOSITY = (0.0, 0.2, 0.6)
MOST = max(LIKINGS)


@dataclass(frozen=True, slots=True)
class Guide:
    """The temper of one game."""

    curiosity: float
    likings: tuple[float, ...]  #: by number of the action

    @classmethod
    def even(cls) -> Guide:
        """Return the temper that cares for nothing: every move is as likely as any other."""
        return cls(0.0, ())

    @classmethod
    def drawn(cls, game: Game, random: Random, favour: frozenset[str] = frozenset()) -> Guide:
        """Return a random temper; actions in `favour` are liked in every game."""
        drawn = [random.choice(LIKINGS) for _ in game.actions]
        likings = [MOST if action.name in favour else each for action, each in zip(game.actions, drawn, strict=True)]
        return cls(random.choice(CURIOSITY), tuple(likings))

    def choose(self, options: Sequence[tuple[Coded, int]], game: Game, coverage: Coverage, random: Random) -> Coded:
        """Return one of the moves."""
        if len(options) == 1:
            return options[0][0]
        if self.likings and random.random() < self.curiosity:
            return min(options, key=lambda option: (*rarity(coverage, game, option[0]), random.random()))[0]
        if not self.likings:
            return random.choices([coded for coded, _ in options], [weight for _, weight in options])[0]
        numbers = sorted({coded[0] for coded, _ in options})
        number = random.choices(numbers, [self.likings[at] for at in numbers])[0]
        liked = [(coded, weight) for coded, weight in options if coded[0] == number]
        return random.choices([coded for coded, _ in liked], [weight for _, weight in liked])[0]
