"""A state sampled consistently with a view: drawn among all states that look the same and satisfy every invariant.

Reads:  a state and who looks at it.   Writes: another state.
After:  nothing but what the player sees decides which states can be drawn. How the play came here is not known from a view:
        `Trace.belief` reckons with that, too.

If the unseen cells have few values together, all states are listed, and each is equally likely. Otherwise the pieces that lie in unseen zones are
shuffled, each as likely as any other, and each zone gets the number that everybody knows to lie there; other unseen cells are drawn in groups, each among
what is possible (`unseen_numbers.py`), until a state fits. So every state that fits can be drawn; each as often as any other if all groups can be listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod

from pilgrim_rules.api.beliefs import CannotSample
from pilgrim_rules.api.looks import Looks
from pilgrim_rules.api.unseen_numbers import MOST_LISTED, UnseenNumbers, asked_of_unseen, constraints
from pilgrim_rules.api.unseen_pieces import Shuffle, unseen_pieces
from pilgrim_rules.engine.rules import Rules
from pilgrim_rules.semantics import chance
from pilgrim_rules.semantics.errors import Contradiction

MOST_TRIES = 2_000  #: at most this many states are drawn until one fits


def sample_state(rules: Rules, data: bytes, player: int, seed: int) -> bytes:
    """Return a state that looks the same to the player; `CannotSample` if none was found within the bound."""
    return sample_states(rules, data, player, (seed,))[0]


def sample_states(rules: Rules, data: bytes, player: int, seeds: Sequence[int]) -> list[bytes]:
    """Return a state for each seed, as `sample_state` draws it; what can be listed is listed once."""
    looks = Looks(rules)
    places = list(_unseen(rules, looks, data, player))
    names = {name for name, _, _, _ in places}
    wanted = looks.key(data, player)
    seen, holds = rules.layout.decode(data), rules.code.holds
    claims = [each.name for each in asked_of_unseen(rules).claims]

    def fits(values: Sequence[int]) -> bytes | None:
        position = {**seen, **{name: list(seen[name]) for name in names}}
        for (name, at, _, _), value in zip(places, values, strict=True):
            position[name][at] = value
        made = rules.layout.encode(position)
        try:
            return made if looks.key(made, player) == wanted and all(holds(name, made) for name in claims) else None
        except (Contradiction, IndexError, ZeroDivisionError):  # no state of a play
            return None

    ranges = [range(lo, hi + 1) for _, _, lo, hi in places]
    if prod(map(len, ranges)) <= MOST_LISTED:
        found = [made for values in product(*ranges) if (made := fits(values)) is not None]
        if not found:
            raise CannotSample("no state fits what is seen: a number without end is larger than those that are drawn")
        return [found[chance.below(chance.seeded(seed), len(found))[0]] for seed in seeds]
    unseen = {(name, at): number for number, (name, at, _, _) in enumerate(places)}
    shuffles = unseen_pieces(rules, data, unseen)
    dealt = {at for each in shuffles for at in each.cells}
    asked = constraints(rules, data, unseen) if len(dealt) < len(places) else ()
    numbers = UnseenNumbers(ranges, asked, dealt)
    return [_drawn(numbers, shuffles, fits, seed) for seed in seeds]


def _drawn(
    numbers: UnseenNumbers,
    shuffles: Sequence[Shuffle],
    fits: Callable[[Sequence[int]], bytes | None],
    seed: int,
) -> bytes:
    """Return the first state that fits of those drawn."""
    generator = chance.seeded(seed)
    for _ in range(MOST_TRIES):
        dealt: dict[int, int] = {}
        for shuffle in shuffles:
            generator = shuffle.deal(dealt, generator)
        values, generator = numbers.draw(dealt, generator)
        made = None if values is None else fits(values)
        if made is not None:
            return made
    raise CannotSample(
        f"none of {MOST_TRIES:,} states drawn fits what is seen; `Trace.belief` follows the play instead, and finds them all"
    )


def _unseen(rules: Rules, looks: Looks, data: bytes, player: int) -> Iterator[tuple[str, int, int, int]]:
    """Yield each cell that the player does not see: its variable, its place, and the bounds of its type."""
    for field in rules.layout.fields:
        variable = field.variable
        if variable.seen is not None and not variable.ghost:
            for at, seen in enumerate(looks.mask(data, field, player)):
                if not seen:
                    yield variable.name, at, variable.type.drawn[0], variable.type.drawn[-1]
