"""If ruled otherwise: what a rule would say under another option of a ruling.

Reads:  a core game, a rule, a ruling and one of its options.   Writes: the sentences that go and that come.
After:  the difference is that of two readings of the rules: what the ruling decides, directly or through tables that are
        computed from it, is put in, and both texts are said, those of definitions that look there included. The rules
        are read again only where more than the lines that look at the ruling depends on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from pilgrim_rules.core import ir, rule_walk, walk
from pilgrim_rules.core.ir import Call, Expr, Lit, Lookup
from pilgrim_rules.core.rulings import choices_of
from pilgrim_rules.language import instances
from pilgrim_rules.language.other_rules import rules_under
from pilgrim_rules.language.static_rulings import static_rulings
from pilgrim_rules.prose import say_action, say_def
from pilgrim_rules.prose.apply_rulings import settled

__all__ = ["RulingDiff", "ruling_diff"]


@dataclass(frozen=True, slots=True)
class RulingDiff:
    """What changes: sentences that are said only now, and those that would be said instead."""

    gone: tuple[str, ...]
    come: tuple[str, ...]


def ruling_diff(game: ir.Game, action: ir.Action, ruling: ir.Ruling, option: str) -> RulingDiff:
    """Return what an option changes in a rule and in the definitions it uses, compared with the ruling's own option."""
    if game.origin is not None and ruling.name not in static_rulings(game.origin):
        tables = frozenset({ruling.name})
        numbers = {name: at for at, (name, _) in enumerate(ruling.options)}
        usual, other = (
            _Reading.of(game, action.name, {ruling.name: numbers[each]}) for each in (ruling.default, option)
        )
    else:
        games = (
            instances.with_rulings(game, ((ruling.name, ruling.default),)),
            rules_under(game, ruling.name, option),
        )
        tables = _other_tables(*games)
        usual, other = (_Reading.of(each, action.name, _values(each, tables)) for each in games)
    now, then = usual.said(tables, other), other.said(tables, usual)
    return RulingDiff(
        gone=tuple(text for text in now if text not in then), come=tuple(text for text in then if text not in now)
    )


def _other_tables(one: ir.Game, other: ir.Game) -> frozenset[str]:
    """Return the tables of either reading that are not the same in the other."""
    here, there = ({each.name: each.values for each in game.constants} for game in (one, other))
    return frozenset(name for name in {*here, *there} if here.get(name) != there.get(name))


def _values(game: ir.Game, tables: frozenset[str]) -> dict[str, int]:
    plain = (each for each in game.constants if each.name in tables and not each.index)
    return {each.name: each.values[0] - each.type.lo for each in plain}


@dataclass(frozen=True)
class _Reading:
    """A rule in one of the two readings: the game, the rule if it has it, and the tables that are put in."""

    game: ir.Game
    action: ir.Action | None
    values: Mapping[str, int]

    @classmethod
    def of(cls, game: ir.Game, name: str, values: Mapping[str, int]) -> _Reading:
        return cls(game, next((each for each in game.actions if each.name == name), None), values)

    @cached_property
    def choices(self) -> dict[str, int]:
        return {**choices_of(self.game), **self.values}

    @cached_property
    def settled(self) -> Mapping[str, Lit]:
        return settled(self.game, self.choices)

    def said(self, tables: frozenset[str], other: _Reading) -> dict[str, None]:
        """Return the sentences of the rule, and of the definitions it uses, that look at some tables.

        The rule itself is said if it looks there, if a definition is settled in one of the readings alone, or if only one of
        them has the rule.
        """
        if self.action is None:
            return {}
        looks = [part for expr in rule_walk.action_expressions(self.action) for part in walk.subexpressions(expr)]
        settled_once = {
            name for name in {*self.settled, *other.settled} if self.settled.get(name) != other.settled.get(name)
        }
        whole = other.action is None or any(
            part.table in tables
            if isinstance(part, Lookup)
            else isinstance(part, Call) and part.definition in settled_once
            for part in looks
        )
        steps = _steps(self.game, self.action, self.choices) if whole else {}
        return {**steps, **self._definitions(tables)}

    def _definitions(self, tables: frozenset[str]) -> dict[str, None]:
        """Return the definitions, used by the rule directly or not, that look at the tables."""
        assert self.action is not None, "it has been asked"
        defs = {definition.name: definition for definition in self.game.defs}
        seen: dict[str, None] = {}
        stack = list(rule_walk.action_expressions(self.action))
        while stack:
            for part in walk.subexpressions(stack.pop()):
                if isinstance(part, Call) and part.definition not in seen:
                    seen[part.definition] = None
                    stack.append(defs[part.definition].body)
        return {
            say_def(self.game, defs[name], self.choices): None for name in seen if _looks_at(defs[name].body, tables)
        }


def _steps(game: ir.Game, action: ir.Action, choices: Mapping[str, int]) -> dict[str, None]:
    made = say_action(game, action, choices)
    return {step.text: None for section in made.sections for step in section.steps}


def _looks_at(expr: Expr, tables: frozenset[str]) -> bool:
    return any(isinstance(part, Lookup) and part.table in tables for part in walk.subexpressions(expr))
