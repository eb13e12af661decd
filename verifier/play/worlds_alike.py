"""Worlds alike: plays whose states look to one player like those of the play that is made, followed step by step beside it.

Reads:  the steps of a play.   Writes: `Told`, where the player can tell the play from one of the others.
After:  each other world is a legal play from the start, and `judge_secrecy` has confirmed what is told. No more worlds are followed than
        the bound says, so nothing found proves nothing.

As in the obligations, a player is somebody who looks at the state: what the player has seen of earlier moves is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from pilgrim_rules.api.looks import Looks
from pilgrim_rules.core.move_text import move_text_in
from pilgrim_rules.engine.rules import Rules
from pilgrim_rules.semantics.errors import Contradiction, EngineLimit
from pilgrim_rules.semantics.moves import Coded
from pilgrim_rules.semantics.observation import Moved
from pilgrim_rules.walk.random_source import RandomSource
from verifier.play.judge_secrecy import judge_leak, judge_sight

MOST_WORLDS: Final = 12
SecrecyKind: TypeAlias = Literal["no_leak", "sight"]
Past: TypeAlias = tuple["Past", Coded] | None  #: the steps of a world, the last one outside


@dataclass(frozen=True, slots=True)
class Told:
    """A secret that a play gives away: by which obligation it must not, and what the player can tell."""

    kind: SecrecyKind
    action: str
    says: str


class WorldsAlike:
    """The worlds that a player takes for possible, or some of them; the one that is played is among them."""

    def __init__(self, rules: Rules, player: int, random: RandomSource, most: int = MOST_WORLDS) -> None:
        self._rules, self._player, self._random, self._most = rules, player, random, most
        self._looks = Looks(rules)
        self.now = rules.code.start
        self.others: dict[bytes, Past] = {self.now: None}

    def see(self, coded: Coded, after: bytes) -> Told | None:
        """Go on with a step of the play; return what it tells the player, if it tells anything that it must not."""
        told = self._by_legal_moves() or self._by_what_follows(coded, after)
        self.now = after
        return told

    def _by_legal_moves(self) -> Told | None:
        """Return what the player learns from what may be done, if it is for the player to decide."""
        rules, player = self._rules, self._player
        if rules.runner.row(self.now).kind != "player" or rules.runner.decider(self.now) != rules.players[player]:
            return None
        mine = set(rules.runner.candidates(self.now))
        for there, past in self.others.items():
            for number, args in sorted(mine ^ set(rules.runner.candidates(there))):
                action = rules.core.actions[number]
                positions = (rules.layout.decode(each) for each in (self.now, there))
                failure = judge_sight(rules.declared, player, (action.name, args), *positions)
                if failure is not None:
                    return Told("sight", action.name, self._shown(failure.says, past))
        return None

    def _by_what_follows(self, coded: Coded, after: bytes) -> Told | None:
        """Step every world; those that look the same afterwards are the next worlds."""
        rules, looks, player = self._rules, self._looks, self._player
        seen, wanted = looks.move(self.now, coded, player), looks.key(after, player)
        found: dict[bytes, Past] = {}
        for there, past in self.others.items():
            for option in self._options(there, coded):
                try:
                    reached = rules.code.apply_of[option[0]](there, *option[1])
                except (Contradiction, EngineLimit):
                    continue
                if looks.key(reached, player) == wanted:
                    found.setdefault(reached, (past, option))
                elif (
                    looks.move(there, option, player) == seen and (says := self._leak(coded, there, option)) is not None
                ):
                    return Told("no_leak", rules.core.actions[coded[0]].name, self._shown(says, (past, option)))
        kept = self._random.sample(sorted(found), self._most) if len(found) > self._most else list(found)
        self.others = {each: found[each] for each in kept}
        return None

    def _options(self, there: bytes, coded: Coded) -> Iterator[Coded]:
        """Yield the moves of the same action that can be made in a world."""
        code, number = self._rules.code, coded[0]
        if code.stage_code(there) in self._rules.core.actions[number].stages:
            for args in code.candidates(there, number):
                if code.weight(there, number, args):
                    yield number, args

    def _leak(self, coded: Coded, there: bytes, option: Coded) -> str | None:
        rules = self._rules
        one, other = (
            Moved(rules.layout.decode(state), rules.core.actions[number], args)
            for state, (number, args) in ((self.now, coded), (there, option))
        )
        failure = judge_leak(rules.declared, self._player, one, other)
        return None if failure is None else failure.says

    def _shown(self, says: str, past: Past) -> str:
        steps: list[str] = []
        while past is not None:
            past, (number, args) = past
            steps.append(move_text_in(self._rules.core, (self._rules.core.actions[number].name, args)))
        return f"{says}\nthe other world: {'; '.join(reversed(steps))}"


def told_by(
    rules: Rules, play: Sequence[Coded], player: int, random: RandomSource, most: int = MOST_WORLDS
) -> Told | None:
    """Return what a play tells a player that it must not, followed from the start; None if nothing was found."""
    worlds = WorldsAlike(rules, player, random, most)
    for number, args in play:
        told = worlds.see((number, args), rules.code.apply_of[number](worlds.now, *args))
        if told is not None:
            return told
    return None
