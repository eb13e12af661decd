"""Dependents: the declarations that speak, directly or through others, of a value that was used while the rules were read.

Reads:  the symbol table.   Writes: names of declarations.
After:  whatever is not among the dependents of a value is the same whatever the value is. Words are compared across
        namespaces, so there may be too many names, never too few.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields

from pilgrim_rules.language.names.symbols import Symbols
from pilgrim_rules.language.syntax import ast

#: Stands for every declaration: which actions there are may concern every claim.
EVERYTHING = "*"
#: Declarations that no proof speaks of.
UNPROVED = ("game", "examples", "terms", "presets", "figures")


class Dependents:
    """Who speaks of whom in a game; the declarations are read once for all values."""

    def __init__(self, symbols: Symbols) -> None:
        self._speakers: dict[str, list[str]] = {}  # by the word that they say
        for name, words in words_of_declarations(symbols).items():
            for word in words:
                self._speakers.setdefault(word, []).append(name)
        actions = (node for node in symbols.rules.values() if isinstance(node, ast.Action) and node.only)
        self._conditions = frozenset(word for node in actions for word in words_in(node.only))

    def of(self, value: str) -> tuple[str, ...]:
        """Return the names of everything that depends on a value, in the one order; `*` alone if all may."""
        found = {value}
        waiting = [value]
        while waiting:
            for name in self._speakers.get(waiting.pop(), ()):
                if name not in found:
                    found.add(name)
                    waiting.append(name)
        if not found.isdisjoint(self._conditions):
            return (EVERYTHING,)
        return tuple(sorted(found))


def words_of_declarations(symbols: Symbols) -> dict[str, frozenset[str]]:
    """Return the words that are said under each name that is declared and that a proof may speak of."""
    return {name: frozenset().union(*map(_words_of, nodes)) for name, nodes in _declared(symbols).items()}


#: By the identity of the declaration, which is kept alive: all instances of a game share its trees.
_WORDS: dict[int, tuple[object, frozenset[str]]] = {}
_MOST_REMEMBERED = 20_000


def _words_of(node: object) -> frozenset[str]:
    """Return the words of a declaration, which is walked once."""
    known = _WORDS.get(id(node))
    if known is None:
        if len(_WORDS) >= _MOST_REMEMBERED:
            _WORDS.clear()
        known = _WORDS[id(node)] = (node, words_in(node))
    return known[1]


def words_in(item: object) -> frozenset[str]:
    """Return the words that a part of the syntax says."""
    return frozenset(_words(item))


def _declared(symbols: Symbols) -> Mapping[str, list[object]]:
    """Return what is declared under each name; what has no name of its own, under the name of its kind.

    A column is part of what owns it, every action may pay from a purse, and who decides in a stage is said under its name:
    an action names its stages.
    """
    found: dict[str, list[object]] = {}
    for each in (each for each in fields(symbols) if each.name not in UNPROVED):
        table = getattr(symbols, each.name)
        if not isinstance(table, dict):
            found.setdefault(each.name, []).append(table)
            continue
        for name, node in table.items():
            found.setdefault(name, []).append(node)
            for column in getattr(node, "columns", ()):
                found.setdefault(column.name.text, []).append(node)
    for line in () if symbols.stages is None else symbols.stages.lines:
        for stage in line.names:
            found.setdefault(stage.name.text, []).append(line.by)
    purses = list(symbols.purses.values())
    for name in symbols.rules:
        found[name] += purses
    found["rank"].append(symbols.score)
    found["winner"] = found["rank"]
    return found


def _words(item: object) -> Iterator[str]:
    stack = [item]
    while stack:
        node = stack.pop()
        match node:
            case ast.Word(text=text) | ast.Name(text=text):
                yield text
            case ast.TypeName(name=name):
                yield name
            case tuple():
                stack += node
            case ast.Node():
                stack += [getattr(node, each) for each in node.__dataclass_fields__ if each != "span"]
            case _:  # texts, numbers, what is left out
                pass
