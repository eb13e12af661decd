"""Readings: which options of the rulings the examples and actions of a game speak of.

Reads:  syntax trees of examples, actions and rulings.   Writes: options, the defaults left out, sorted by ruling.
After:  two ways to write the same reading give the same options.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TypeAlias

from pilgrim_rules.core.ir import Options
from pilgrim_rules.language.names.symbols import Symbols
from pilgrim_rules.language.syntax import ast

#: Lines of an example that claim something; whatever is arranged is arranged in all readings.
Claiming: TypeAlias = ast.WhenMove | ast.RefuseLine | ast.ExpectLine


@dataclass(frozen=True)
class Readings:
    """The rulings of a game, and what is said about them."""

    rulings: Mapping[str, ast.Ruling]

    @classmethod
    def from_symbols(cls, symbols: Symbols) -> Readings:
        """Return the readings of a game."""
        return cls({name: node for name, node in symbols.values.items() if isinstance(node, ast.Ruling)})

    @cached_property
    def defaults(self) -> dict[str, str]:
        """The options that hold unless others are chosen."""
        return {name: each.name.text for name, node in self.rulings.items() for each in node.options if each.default}

    def non_default(self, options: Iterable[tuple[str, str]]) -> Options:
        """Return the options that are not the defaults, in the one order."""
        return tuple(sorted(set(options) - self.defaults.items()))

    def of_line(self, example: ast.Example, line: Claiming) -> Options:
        """Return the reading that a line is about."""
        chosen = {ruling.text: option.text for ruling, option in (*example.under, *line.under)}
        return self.non_default(chosen.items())

    def of_example(self, example: ast.Example) -> tuple[Options, ...]:
        """Return the readings that the lines of an example are about."""
        found = [self.of_line(example, line) for line in example.lines if isinstance(line, Claiming)]
        whole = self.non_default((ruling.text, option.text) for ruling, option in example.under)
        return tuple(dict.fromkeys(found or [whole]))

    def run_in(self, example: ast.Example, line: Claiming) -> tuple[Options, ...]:
        """Return the readings in which a line is run: a move that names none is made in all readings of its example."""
        if isinstance(line, ast.WhenMove) and not line.under:
            return self.of_example(example)
        return (self.of_line(example, line),)

    def conditional(self, symbols: Symbols) -> tuple[tuple[Options, int | None], ...]:
        """Return readings other than the default in which there is something to check that the default does not show.

        They are the options that actions and claims ask for before they exist, and what examples of such actions name;
        each with the number of players that the example gives.
        """
        found: dict[tuple[Options, int | None], None] = {}
        only = {name: node.only for name, node in symbols.rules.items() if isinstance(node, ast.Action) and node.only}
        tests = [*only.values(), *(claim.when for claim in symbols.claims.values() if claim.when is not None)]
        for test in tests:
            found |= dict.fromkeys((self.non_default([each]), None) for each in self._named(test))
        for example in symbols.examples.values():
            moves = (line for line in example.lines if isinstance(line, ast.WhenMove | ast.RefuseLine))
            if any(line.move.action.text in only for line in moves):
                found |= dict.fromkeys((options, _players(example)) for options in self.of_example(example))
        known = {(name, each.name.text) for name, node in self.rulings.items() for each in node.options}
        for options in [options for options, players in found if players is not None]:
            found.pop((options, None), None)
        return tuple(each for each in found if each[0] and known.issuperset(each[0]))

    def _named(self, test: ast.Expr) -> Iterator[tuple[str, str]]:
        """Yield the options with which a test compares a ruling."""
        stack: list[object] = [test]
        while stack:
            node = stack.pop()
            if isinstance(node, ast.Binary) and isinstance(node.left, ast.Name) and isinstance(node.right, ast.Name):
                for ruling, option in ((node.left.text, node.right.text), (node.right.text, node.left.text)):
                    if ruling in self.rulings:
                        yield ruling, option
            if isinstance(node, tuple):
                stack += node
            elif isinstance(node, ast.Node):
                stack += [getattr(node, each.name) for each in fields(node) if each.name != "span"]


def _players(example: ast.Example) -> int | None:
    """Return the number of players that an example gives; None if it gives none."""
    for line in example.lines:
        if isinstance(line, ast.GivenLine) and line.place.name.text == "players" and isinstance(line.value, ast.Number):
            return line.value.value
    return None
