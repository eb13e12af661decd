"""Moves: what can be played, as text that people read and write.

Reads:  codes of actions and arguments, or text such as `drop(e)`.   Writes: `Move`, or codes.
After:  a move is equal to its text, and reading that text gives the same move.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Self, TypeAlias

from pilgrim_rules.core.ir import Action, Game, Parameter
from pilgrim_rules.core.move_text import LONGEST, join_move, move_text, parse_move
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.semantics import python_values
from pilgrim_rules.semantics.errors import BadMove, UnknownAction
from pilgrim_rules.semantics.python_values import Value
from pilgrim_rules.semantics.reference import Args

Coded: TypeAlias = tuple[int, Args]  #: the number of an action and the codes of its arguments


class Move(str):
    """An action with its arguments. A move *is* its text, `drop(e)`: it prints, compares and hashes as that.

    Arguments that have their default value are left out of the text of a move that a game gives, and may be left out of
    a text that is played.

    >>> move = Move("drop", ("e",))
    >>> move
    Move('drop(e)')
    >>> move.action, move.arguments
    ('drop', ('e',))
    >>> move == "drop(e)"
    True
    """

    __slots__ = ("action", "arguments")

    def _repr_html_(self) -> str:
        return f"<code>{escape(self)}</code>"

    action: str
    arguments: tuple[Value, ...]

    def __new__(cls, action: str, arguments: Iterable[Value] = ()) -> Self:
        """Return the move; every argument is printed."""
        values = tuple(arguments)
        return cls.from_text(join_move(action, map(python_values.text, values)), action, values)

    @classmethod
    def from_text(cls, text: str, action: str, arguments: tuple[Value, ...]) -> Self:
        """Return the move that is printed as this text."""
        move = super().__new__(cls, text)
        move.action = action
        move.arguments = arguments
        return move

    def __repr__(self) -> str:
        return f"Move({str(self)!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return Move.from_text, (str(self), self.action, self.arguments)


class _Spellings(dict[Args, Move]):
    """The moves of one action, each made when it is first asked for."""

    def __init__(self, number: int, action: Action, codes: dict[str, Coded]) -> None:
        super().__init__()
        self._number = number
        self._action = action
        self._codes = codes

    def __missing__(self, args: Args) -> Move:
        action = self._action
        values = tuple(python_values.value(param.type, arg) for param, arg in zip(action.params, args, strict=True))
        move = self[args] = Move.from_text(move_text(action, args), action.name, values)
        self._codes[str(move)] = (self._number, args)
        return move


class MoveBook:
    """Every move of a game, under its codes and under its text."""

    __slots__ = ("_codes", "_numbers", "actions", "spellings")

    def __init__(self, game: Game) -> None:
        self.actions = game.actions
        self._codes: dict[str, Coded] = {}
        self._numbers = {action.name: number for number, action in enumerate(game.actions)}
        self.spellings = tuple(_Spellings(at, action, self._codes) for at, action in enumerate(game.actions))

    def move(self, coded: Coded) -> Move:
        """Return the move with these codes."""
        return self.spellings[coded[0]][coded[1]]

    def codes(self, move: str) -> Coded:
        """Return the codes of a move or of its text; `BadMove` or `UnknownAction` if it spells none of this game."""
        found = self._codes.get(move)
        return self._read(move) if found is None else found

    def coded(self, action: str, given: tuple[object, ...], named: Mapping[str, object]) -> Coded:
        """Return the codes of an action with arguments by position and by name."""
        number = self._numbers.get(action)
        if number is None:
            near = did_you_mean(action, self._numbers)
            raise UnknownAction(f"the game has no action `{action[:40]}`" + (f"; {near}" if near else ""))
        return number, _arguments(self.actions[number], given, named)

    def _read(self, text: object) -> Coded:
        if not isinstance(text, str) or len(text) > LONGEST:
            raise BadMove(f"a move is a `Move` or a text such as `drop(e)`, not {type(text).__name__}")
        try:
            parsed = parse_move(text)
        except ValueError as problem:
            raise BadMove(str(problem)) from None
        return self.coded(parsed.action, parsed.given, parsed.named)


def _arguments(action: Action, given: tuple[object, ...], named: Mapping[str, object]) -> Args:
    params = action.params
    if len(given) > len(params):
        raise BadMove(f"`{action.name}` takes {_many(params)}, not {len(given)}")
    by_name = {param.name: argument for param, argument in zip(params, given, strict=False)}
    for name, argument in named.items():
        if name in by_name:
            raise BadMove(f"`{name}` is given twice")
        by_name[name] = argument
    unknown = [name for name in by_name if name not in {param.name for param in params}]
    if unknown:
        near = did_you_mean(unknown[0], [param.name for param in params])
        raise BadMove(f"`{action.name}` has no argument `{unknown[0][:40]}`" + (f"; {near}" if near else ""))
    return tuple(_argument(action, param, by_name) for param in params)


def _argument(action: Action, param: Parameter, by_name: dict[str, object]) -> int:
    if param.name not in by_name:
        if param.default is None:
            raise BadMove(f"`{action.name}` needs `{param.name}`, a value of `{param.type.name}`")
        return param.default
    try:
        return python_values.code(param.type, by_name[param.name])
    except ValueError as problem:
        raise BadMove(f"`{param.name}` of `{action.name}`: {problem}") from None


def _many(params: tuple[Parameter, ...]) -> str:
    return {0: "no arguments", 1: "one argument"}.get(len(params), f"{len(params)} arguments")
