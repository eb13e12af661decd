"""What may be done, for somebody who is learning the game: moves under their actions, and a rule in steps.

Reads:  the legal moves of a state, and the rules in English.   Writes: rich renderables.
After:  the numbers before the moves are their places in the list.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from pilgrim_rules.core.ir import Action, Game
from pilgrim_rules.diagnostics.suggest import did_you_mean
from pilgrim_rules.engine.errors import UnknownAction
from pilgrim_rules.engine.moves import Move
from pilgrim_rules.prose.english import say_action


def offers(game: Game, moves: Sequence[Move]) -> Group:
    """Return the moves, numbered, under the action they belong to and the sentence that says what it is."""
    actions = {action.name: action for action in game.actions}
    width = len(str(len(moves)))
    parts: list[RenderableType] = []
    for name, group in groupby(enumerate(moves, 1), key=lambda numbered: numbered[1].action):
        parts.append(Text.assemble((name, "bold"), "  ", (_sentence(game, actions[name]), "dim")))
        texts = [Text(f"{at:>{width}} {move}") for at, move in group]
        parts.append(Padding(Columns(texts, padding=(0, 3)), (0, 0, 0, 2)))
    return Group(*parts)


def rule(game: Game, name: str) -> Text:
    """Return the rule of an action as numbered steps; `UnknownAction` if there is none of that name."""
    action = next((each for each in game.actions if each.name == name), None)
    if action is None:
        near = did_you_mean(name, [each.name for each in game.actions])
        raise UnknownAction(f"the game has no action `{name[:40]}`" + (f"; {near}" if near else ""))
    steps = say_action(game, action)
    text = Text.assemble((steps.title, "bold"), f"\n{_sentence(game, action)}")
    for section in steps.sections:
        text.append(f"\n  {section.title}", style="dim")
        for step in section.steps:
            number = "" if step.number is None else f"{step.number}. "
            cited = f"  [{', '.join(step.clauses)}]" if step.clauses else ""
            text.append(f"\n    {'  ' * step.depth}{number}{step.text}").append(cited, style="dim")
    return text


def _sentence(game: Game, action: Action) -> str:
    """Return what the rules say about an action in a sentence, or what can be said for them."""
    return " ".join(action.note.doc.split()) or say_action(game, action).sentence
