"""Changes: what a step has changed, in words.

Reads:  two states of a play.   Writes: sentences, one for each cell.
After:  what only claims read is left out, and so is where play stands.
"""

from __future__ import annotations

from itertools import product

from pilgrim_rules.api.game import State
from pilgrim_rules.core import ir, sub_turns
from pilgrim_rules.core.values import show as show_value
from pilgrim_rules.prose import Voice, say_expr, words

__all__ = ["changes_in_words"]


def changes_in_words(game: ir.Game, before: State, after: State) -> list[str]:
    """Return what a step has changed, a sentence for each cell."""
    voice = Voice.from_game(game)
    old, new = (state.game.layout.decode(state.data) for state in (before, after))
    told: list[str] = []
    for variable in game.variables:
        where = sub_turns.goes_with_the_stage(variable.name) or variable.type.name == game.stage.name
        if variable.ghost or where or old[variable.name] == new[variable.name]:
            continue
        domains = (range(type_.lo, type_.hi + 1) for type_ in variable.index)
        for codes, was, now in zip(product(*domains), old[variable.name], new[variable.name], strict=True):
            if was != now:
                index = tuple(ir.Lit(code, type_) for code, type_ in zip(codes, variable.index, strict=True))
                told.append(_change(ir.Read(variable.name, index, variable.type), was, now, voice))
    return told


def _change(cell: ir.Read, was: int, now: int, voice: Voice) -> str:
    if cell.type.kind == "bool":
        return words.sentence(say_expr(cell if now else ir.Apply("not", (cell,), ir.BOOL), voice))
    values = (words.label(show_value(cell.type, code)) for code in (was, now))
    return words.sentence(f"{say_expr(cell, voice)}: {' → '.join(values)}")
