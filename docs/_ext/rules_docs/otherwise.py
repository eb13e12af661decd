"""If ruled otherwise: what a rule would say under another option of a ruling.

Reads:  a core game, a rule, a ruling and two of its options.   Writes: the sentences that go and that come.
After:  the difference is computed: the ruling is put in as a constant, what it decides is decided, and both texts are
        said, those of definitions that look the ruling up included.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pilgrim_rules.core import ir, walk
from pilgrim_rules.core.ir import Expr, Lookup
from pilgrim_rules.prose import say_action, say_def
from pilgrim_rules.prose.decided import choices_of, decided, deciding, option_number

__all__ = ["Otherwise", "otherwise"]


@dataclass(frozen=True, slots=True)
class Otherwise:
    """What changes: sentences that are said only now, and those that would be said instead."""

    gone: tuple[str, ...]
    come: tuple[str, ...]


def otherwise(game: ir.Game, action: ir.Action, ruling: ir.Ruling, option: str) -> Otherwise:
    """Return what an option changes in a rule and in the definitions it uses, compared with the ruling's own option."""
    now, then = (
        {**_steps(game, action, ruling, each), **_definitions(game, action, ruling, each)}
        for each in (ruling.default, option)
    )
    return Otherwise(
        gone=tuple(text for text in now if text not in then), come=tuple(text for text in then if text not in now)
    )


def _steps(game: ir.Game, action: ir.Action, ruling: ir.Ruling, option: str) -> dict[str, None]:
    """Return the steps of a rule with the ruling decided; nothing if it does not look the ruling up itself."""
    if not any(_looks_up(expr, ruling.name) for expr in walk.action_expressions(action)):
        return {}
    made = say_action(game, decided(action, {**choices_of(game), ruling.name: option_number(ruling, option)}))
    return {step.text: None for section in made.sections for step in section.steps}


def _definitions(game: ir.Game, action: ir.Action, ruling: ir.Ruling, option: str) -> dict[str, None]:
    """Return the definitions, used by the rule directly or not, that look the ruling up, with the ruling decided."""
    defs = {definition.name: definition for definition in game.defs}
    seen: dict[str, None] = {}
    stack = list(walk.action_expressions(action))
    while stack:
        for part in walk.subexpressions(stack.pop()):
            if isinstance(part, ir.Call) and part.definition not in seen:
                seen[part.definition] = None
                stack.append(defs[part.definition].body)
    change = deciding({ruling.name: option_number(ruling, option)})
    return {
        say_def(game, replace(defs[name], body=change(defs[name].body))): None
        for name in seen
        if _looks_up(defs[name].body, ruling.name)
    }


def _looks_up(expr: Expr, ruling: str) -> bool:
    return any(isinstance(part, Lookup) and part.table == ruling for part in walk.subexpressions(expr))
