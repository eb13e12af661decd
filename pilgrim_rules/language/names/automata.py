"""Who sits at the table: the names of the players, and of the automata that join them.

Reads:  the `game` declaration, the number of players and what was chosen.   Writes: `Table`.
After:  players come first, in the order in which they are named, then the automata of this instance; no name sits twice.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.language.names.symbols import Symbols
from pilgrim_rules.language.syntax import ast


@dataclass(frozen=True, slots=True)
class Table:
    """The names of those who have a seat, how many of them are people, and the names of those who have none."""

    seated: tuple[str, ...]
    people: int
    absent: tuple[str, ...]


class NotConstant(Exception):
    """A test looks at something that is not known before the game is read."""


def table(symbols: Symbols, players: int, chosen: Mapping[str, str], bag: Bag) -> Table:
    """Return who sits at the table; `chosen` holds the option of every ruling and of every option of the set-up."""
    game = symbols.game
    named = tuple(word.text for word in game.seats) if game else ()
    most = max(players, game.players[1] if game and game.players else 0)
    everybody = (*named, *(f"player_{at + 1}" for at in range(len(named), most)))
    people, joining, away = everybody[:players], list[str](), list(everybody[players:])
    for line in game.automata if game else ():
        sits = line.when is None or _holds(line.when, Known(players, chosen, symbols), bag)
        for word in line.names:
            if sits and word.text in (*people, *joining):
                what = f"`{word.text}` has a seat already in a game for {players}"
                bag.add(codes.PR804, what, word.span, help="say with `when` in which games the automaton joins")
            elif sits:
                joining.append(word.text)
            elif word.text not in (*people, *away):
                away.append(word.text)
    return Table((*people, *joining), players, tuple(name for name in away if name not in joining))


@dataclass(frozen=True, slots=True)
class Known:
    """What is known before a game is read."""

    players: int
    chosen: Mapping[str, str]
    symbols: Symbols
    looked_at: set[str] = field(default_factory=set)  #: the rulings and options that were asked for

    def value(self, node: ast.Expr) -> int:
        """Return the value of a test, or of a number in it."""
        match node:
            case ast.Number(value=number):
                return number
            case ast.Name(text="players"):
                return self.players
            case ast.Ternary(then=then, test=test, other=other):
                return self.value(then) if self.value(test) else self.value(other)
            case ast.Unary(op="not", value=inner):
                return int(not self.value(inner))
            case ast.Binary(op="and", left=left, right=right):
                return int(bool(self.value(left)) and bool(self.value(right)))
            case ast.Binary(op="or", left=left, right=right):
                return int(bool(self.value(left)) or bool(self.value(right)))
            case ast.Binary(op="==" | "!=" as op, left=ast.Name(text=name), right=ast.Name(text=option)):
                return int(self._is_chosen(name, option) == (op == "=="))
            case ast.Binary(op="==" | "!=" | "<" | "<=" | ">" | ">=" as op, left=left, right=right):
                return _COMPARED[op](self.value(left), self.value(right))
            case _:
                raise NotConstant

    def _is_chosen(self, name: str, option: str) -> bool:
        source = self.symbols.values.get(name)
        if not isinstance(source, ast.Ruling) or option not in {each.name.text for each in source.options}:
            raise NotConstant
        self.looked_at.add(name)
        return self.chosen.get(name) == option


_COMPARED: Mapping[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def _holds(test: ast.Expr, known: Known, bag: Bag) -> bool:
    try:
        return bool(known.value(test))
    except NotConstant:
        help_ = "compare `players` with numbers, and rulings and options with what can be chosen"
        bag.add(codes.PR311, "who sits at the table is decided when the game is loaded", test.span, help=help_)
        return False
