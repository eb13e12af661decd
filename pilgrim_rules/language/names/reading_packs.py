"""Reading packs: readings that are checked together, because nothing in the rules depends on two of them.

Reads:  the symbol table, readings that are to be checked.   Writes: fewer readings, each of which joins some of them.
After:  no declaration depends on two rulings of a pack, so each is in the pack what it is in the reading alone. Words are
        compared across namespaces, so readings may be kept apart without need, never joined without.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import TypeAlias

from pilgrim_rules.core.ir import Options
from pilgrim_rules.language.names.dependents import words_in, words_of_declarations
from pilgrim_rules.language.names.symbols import Symbols
from pilgrim_rules.language.syntax import ast

#: Options, the defaults left out, and for how many players they are checked.
AskedReading: TypeAlias = tuple[Options, int]


def packed(readings: Iterable[AskedReading], symbols: Symbols) -> tuple[tuple[AskedReading, ...], ...]:
    """Return the readings in groups that can be checked as one: for one number of players, no two that meet."""
    asked = list(readings)
    meet = _meeting({ruling for options, _ in asked for ruling, _ in options}, symbols)
    packs: list[list[AskedReading]] = []
    for options, players in sorted(asked, key=lambda each: -len(each[0])):
        for pack in packs:
            others = {ruling for taken, _ in pack for ruling, _ in taken}
            apart = all(frozenset((one, other)) not in meet for one, _ in options for other in others)
            if pack[0][1] == players and apart:
                pack.append((options, players))
                break
        else:
            packs.append([(options, players)])
    return tuple(map(tuple, packs))


def joined(pack: tuple[AskedReading, ...]) -> AskedReading:
    """Return the one reading that a pack is checked as."""
    return tuple(sorted({option for options, _ in pack for option in options})), pack[0][1]


def _meeting(rulings: set[str], symbols: Symbols) -> set[frozenset[str]]:
    """Return the pairs of rulings on which some declaration depends; a ruling meets itself."""
    words = words_of_declarations(symbols)
    shared = words | dict(_existing(symbols))
    found = {frozenset((each,)) for each in rulings}
    for name in words.keys() - rulings:
        found |= set(map(frozenset, combinations(sorted(_reached(words[name], shared) & rulings), 2)))
    return found


def _existing(symbols: Symbols) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield what others depend on of an action or a claim: whether it exists. Nothing looks at what is inside."""
    for name, node in symbols.rules.items():
        if isinstance(node, ast.Action):
            yield name, words_in(node.only)
    for name, claim in symbols.claims.items():
        yield name, words_in(claim.when)


def _reached(said: frozenset[str], words: Mapping[str, frozenset[str]]) -> set[str]:
    """Return every word that is said, directly or through what is named."""
    seen, waiting = set(said), list(said)
    while waiting:
        new = words.get(waiting.pop(), frozenset()) - seen
        seen |= new
        waiting += new
    return seen
