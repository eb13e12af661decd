"""Moves: what can be played, as text that people read and write.

Reads:  codes of actions and arguments, or text such as `drop(e)`.   Writes: `Move`, or codes.
After:  a move is equal to its text, and reading that text gives the same move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Self, TypeAlias

from pilgrim_rules.core.ir import Action, Game, Parameter
from pilgrim_rules.core.values import split_arguments
from pilgrim_rules.diagnostics.suggest import did_you_mean
from pilgrim_rules.engine import plain
from pilgrim_rules.engine.errors import BadMove, UnknownAction
from pilgrim_rules.engine.plain import Value
from pilgrim_rules.engine.reference import Args

Coded: TypeAlias = tuple[int, Args]  #: the number of an action and the codes of its arguments

_SPELLED = re.compile(r"\s*(\w+)\s*(?:\((.*)\))?\s*", re.DOTALL)
_NAMED = re.compile(r"\s*([^\W\d]\w*)\s*=(.*)", re.DOTALL)
_LONGEST = 1000


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
    action: str
    arguments: tuple[Value, ...]

    def __new__(cls, action: str, arguments: Iterable[Value] = ()) -> Self:
        """Return the move; every argument is printed."""
        values = tuple(arguments)
        return cls.spelled(action, values, values)

    @classmethod
    def spelled(cls, action: str, arguments: tuple[Value, ...], printed: Iterable[Value | str]) -> Self:
        """Return the move that prints only some of its arguments, or some of them by name."""
        shown = ", ".join(each if isinstance(each, str) else plain.text(each) for each in printed)
        move = super().__new__(cls, f"{action}({shown})" if shown else action)
        move.action = action
        move.arguments = arguments
        return move

    def __repr__(self) -> str:
        return f"Move({str(self)!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (str(self), self.action, self.arguments)


def _restored(text: str, action: str, arguments: tuple[Value, ...]) -> Move:
    move = str.__new__(Move, text)
    move.action = action
    move.arguments = arguments
    return move


class _Spellings(dict[Args, Move]):
    """The moves of one action, each made when it is first asked for."""

    def __init__(self, number: int, action: Action, codes: dict[str, Coded]) -> None:
        super().__init__()
        self._number = number
        self._action = action
        self._codes = codes

    def __missing__(self, args: Args) -> Move:
        params = self._action.params
        values = tuple(plain.value(param.type, arg) for param, arg in zip(params, args, strict=True))
        printed: list[Value | str] = []
        left_out = False
        for param, arg, value in zip(params, args, values, strict=True):
            if arg == param.default:
                left_out = True
            else:  # behind an argument that is left out, the others are named
                printed.append(f"{param.name}={plain.text(value)}" if left_out else value)
        move = self[args] = Move.spelled(self._action.name, values, printed)
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

    def coded(self, action: str, given: tuple[object, ...], named: dict[str, object]) -> Coded:
        """Return the codes of an action with arguments by position and by name."""
        number = self._numbers.get(action)
        if number is None:
            near = did_you_mean(action, self._numbers)
            raise UnknownAction(f"the game has no action `{action[:40]}`" + (f"; {near}" if near else ""))
        return number, _arguments(self.actions[number], given, named)

    def _read(self, text: object) -> Coded:
        if not isinstance(text, str) or len(text) > _LONGEST:
            raise BadMove(f"a move is a `Move` or a text such as `drop(e)`, not {type(text).__name__}")
        spelled = _SPELLED.fullmatch(text)
        if spelled is None:
            raise BadMove(f"a move is spelled like `drop(e)`, not `{text[:40]}`")
        action, inside = spelled.groups()
        given: list[object] = []
        named: dict[str, object] = {}
        for part in split_arguments(inside or ""):
            match = _NAMED.fullmatch(part)
            if match is None:
                if named:
                    raise BadMove(f"`{part}` follows a named argument; name it as well")
                given.append(part)
            elif match[1] in named:
                raise BadMove(f"`{match[1]}` is given twice")
            else:
                named[match[1]] = match[2].strip()
        return self.coded(action, tuple(given), named)


def _arguments(action: Action, given: tuple[object, ...], named: dict[str, object]) -> Args:
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
        return plain.code(param.type, by_name[param.name])
    except ValueError as problem:
        raise BadMove(f"`{param.name}` of `{action.name}`: {problem}") from None


def _many(params: tuple[Parameter, ...]) -> str:
    return {0: "no arguments", 1: "one argument"}.get(len(params), f"{len(params)} arguments")
