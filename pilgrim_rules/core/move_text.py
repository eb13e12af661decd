"""Moves as text: `drop(e)`. Whoever writes such a text or takes one apart does it here.

Reads:  an action and the codes of its arguments, or a text.   Writes: a text, or its parts.
After:  `parse_move(move_text(action, args))` gives the name of the action and every argument but those that have their
        default value. Of two moves of a game, the texts differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from pilgrim_rules.core.ir import Action, Game
from pilgrim_rules.core.values import show, split_arguments

#: A longer text is no move; nobody looks into it.
LONGEST: Final = 1000

_SPELLED = re.compile(r"\s*(\w+)\s*(?:\((.*)\))?\s*", re.DOTALL)
_NAMED = re.compile(r"\s*([^\W\d]\w*)\s*=(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ParsedMove:
    """The parts of the text of a move: the name of its action, arguments by position, and arguments by name."""

    action: str
    given: tuple[str, ...] = ()
    named: dict[str, str] = field(default_factory=dict)


def join_move(action: str, arguments: Iterable[str]) -> str:
    """Return the text of a move from the texts of its arguments."""
    shown = ", ".join(arguments)
    return f"{action}({shown})" if shown else action


def move_text(action: Action, args: Sequence[int]) -> str:
    """Return the text of a move. An argument that has its default value is left out; those behind it are named."""
    printed: list[str] = []
    left_out = False
    for param, arg in zip(action.params, args, strict=True):
        if arg == param.default:
            left_out = True
        else:
            printed.append(f"{param.name}={show(param.type, arg)}" if left_out else show(param.type, arg))
    return join_move(action.name, printed)


def move_text_in(game: Game, move: tuple[str, Sequence[int]]) -> str:
    """Return the text of a move that is given by the name of its action."""
    name, args = move
    return move_text(next(each for each in game.actions if each.name == name), args)


def action_name(text: str) -> str:
    """Return the name of the action in the text of a move."""
    return text.partition("(")[0].strip()


def parse_move(text: str) -> ParsedMove:
    """Return the parts of a text; ValueError if it is not spelled like a move."""
    spelled = _SPELLED.fullmatch(text)
    if spelled is None:
        raise ValueError(f"a move is spelled like `drop(e)`, not `{text[:40]}`")
    action, inside = spelled.groups()
    given: list[str] = []
    named: dict[str, str] = {}
    for part in split_arguments(inside or ""):
        match = _NAMED.fullmatch(part)
        if match is None:
            if named:
                raise ValueError(f"`{part}` follows a named argument; name it as well")
            given.append(part)
        elif match[1] in named:
            raise ValueError(f"`{match[1]}` is given twice")
        else:
            named[match[1]] = match[2].strip()
    return ParsedMove(action, tuple(given), named)
