"""Moves in words: what a move does, as a list of moves says it.

Reads:  actions and the codes of arguments.   Writes: text, and the parts that a page puts together itself.
After:  moves of an action that differ are said differently, but for arguments that have their usual value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias, assert_never

from pilgrim_rules.core.ir import Action, Parameter, Type
from pilgrim_rules.core.values import show
from pilgrim_rules.prose import words

#: How an argument is said: a choice to do something or not; a number with its name; a value that speaks for itself.
ArgumentForm: TypeAlias = Literal["choice", "number", "value"]
_SHORT = 2  #: names up to this length are letters, not words


class SpokenParameter(NamedTuple):
    """How the arguments of a parameter are said: `called` is its name in words, or nothing if that is a letter."""

    form: ArgumentForm
    called: str


def action_title(action: Action) -> str:
    """Return what an action is called: as a hint says, or by its name: `build_shrine` is "Build shrine"."""
    said = action.title or words.words(action.name)
    return said[:1].upper() + said[1:]


def spoken_parameter(param: Parameter) -> SpokenParameter:
    """Return how the arguments of a parameter are said."""
    called = words.words(param.name) if len(param.name) > _SHORT else ""
    if param.type.kind == "bool":
        return SpokenParameter("choice", called or param.name)
    return SpokenParameter("number" if param.type.kind == "int" else "value", called)


def value_words(type_: Type, code: int) -> str:
    """Return a value in words."""
    return words.label(show(type_, code))


def say_argument(param: Parameter, said: str) -> str:
    """Return an argument in words, given its value in words."""
    form, called = spoken_parameter(param)
    match form:
        case "choice":
            return called if said == "true" else f"not {called}"
        case "number":
            return f"{called} {said}".strip()
        case "value":
            return f"no {called}".strip() if said == "none" else said
        case _:
            assert_never(form)


def said_arguments(action: Action, args: Sequence[int]) -> list[str]:
    """Return the arguments of a move in words, those left out that have their usual value."""
    return [
        say_argument(param, value_words(param.type, arg))
        for param, arg in zip(action.params, args, strict=True)
        if arg != param.default
    ]


def say_move(action: Action, args: Sequence[int]) -> str:
    """Return a move in words: `buy(b4, true)` of `buy(w: Ware, quickly: bool)` is "Buy: b4, quickly"."""
    said = said_arguments(action, args)
    return f"{action_title(action)}: {', '.join(said)}" if said else action_title(action)
