"""If ruled otherwise: what a rule would say under another option of a ruling.

Reads:  a core game, a rule, a ruling and one of its options.   Writes: the sentences that go and that come.
After:  the difference is that of two readings of the rules: what the ruling decides, directly or through tables that are
        computed from it, is put in, and both texts are said, those of definitions that look there included. The rules
        are read again only where more than the lines that look at the ruling depends on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pilgrim_rules.core import ir, rule_walk, walk
from pilgrim_rules.core.ir import Expr, Lookup
from pilgrim_rules.core.rulings import choices_of
from pilgrim_rules.language import instances
from pilgrim_rules.language.other_rules import rules_under
from pilgrim_rules.language.static_rulings import static_rulings
from pilgrim_rules.prose import say_action, say_def
from pilgrim_rules.prose.apply_rulings import deciding

__all__ = ["RulingDiff", "ruling_diff"]


@dataclass(frozen=True, slots=True)
class RulingDiff:
    """What changes: sentences that are said only now, and those that would be said instead."""

    gone: tuple[str, ...]
    come: tuple[str, ...]


def ruling_diff(game: ir.Game, action: ir.Action, ruling: ir.Ruling, option: str) -> RulingDiff:
    """Return what an option changes in a rule and in the definitions it uses, compared with the ruling's own option."""
    if game.origin is not None and ruling.name not in static_rulings(game.origin):
        numbers = {name: at for at, (name, _) in enumerate(ruling.options)}
        tables = frozenset({ruling.name})
        now, then = (_said(game, action, tables, {ruling.name: numbers[each]}) for each in (ruling.default, option))
    else:
        usual = instances.with_rulings(game, ((ruling.name, ruling.default),))
        other = rules_under(game, ruling.name, option)
        now, then = _sentences(usual, action.name, other), _sentences(other, action.name, usual)
    return RulingDiff(
        gone=tuple(text for text in now if text not in then), come=tuple(text for text in then if text not in now)
    )


def _sentences(game: ir.Game, name: str, other: ir.Game) -> dict[str, None]:
    """Return what a reading says of a rule, as far as it looks at something in which another reading differs."""
    action = next((each for each in game.actions if each.name == name), None)
    if action is None:
        return {}
    there = {each.name: each.values for each in other.constants}
    tables = {each.name for each in game.constants if there.get(each.name) != each.values}
    values = {
        each.name: each.values[0] - each.type.lo for each in game.constants if each.name in tables and not each.index
    }
    same = any(each.name == name for each in other.actions)
    return _said(game, action, frozenset(tables), values, whole=not same)


def _said(
    game: ir.Game, action: ir.Action, tables: frozenset[str], values: Mapping[str, int], *, whole: bool = False
) -> dict[str, None]:
    """Return the sentences of a rule, and of the definitions it uses, that look at some tables."""
    return {
        **_steps(game, action, None if whole else tables, values),
        **_definitions(game, action, tables, values),
    }


def _steps(
    game: ir.Game, action: ir.Action, tables: frozenset[str] | None, values: Mapping[str, int]
) -> dict[str, None]:
    """Return the steps of a rule; nothing if it does not look at the tables itself. Without tables, all of them."""
    if tables is not None and not any(_looks_at(expr, tables) for expr in rule_walk.action_expressions(action)):
        return {}
    made = say_action(game, action, {**choices_of(game), **values})
    return {step.text: None for section in made.sections for step in section.steps}


def _definitions(
    game: ir.Game, action: ir.Action, tables: frozenset[str], values: Mapping[str, int]
) -> dict[str, None]:
    """Return the definitions, used by the rule directly or not, that look at the tables."""
    defs = {definition.name: definition for definition in game.defs}
    seen: dict[str, None] = {}
    stack = list(rule_walk.action_expressions(action))
    while stack:
        for part in walk.subexpressions(stack.pop()):
            if isinstance(part, ir.Call) and part.definition not in seen:
                seen[part.definition] = None
                stack.append(defs[part.definition].body)
    change = deciding(values)
    return {
        say_def(game, replace(defs[name], body=change(defs[name].body))): None
        for name in seen
        if _looks_at(defs[name].body, tables)
    }


def _looks_at(expr: Expr, tables: frozenset[str]) -> bool:
    return any(isinstance(part, Lookup) and part.table in tables for part in walk.subexpressions(expr))
