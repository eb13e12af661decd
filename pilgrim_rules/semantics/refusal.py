"""Refusals: why a move is not allowed, every reason with the clause of the rulebook it rests on.

Reads:  a position and a move.   Writes: a list of `Refusal`, empty exactly for legal moves.
After:  nothing is changed. Lines of a guard that use a value which does not exist here are listed as not asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.ir import Action, Expr, Given, Require
from pilgrim_rules.core.walk import free_names
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.errors import Contradiction, Refusal
from pilgrim_rules.semantics.evaluate import evaluate
from pilgrim_rules.semantics.reference import Args
from pilgrim_rules.semantics.state_layout import Position


def refusals(
    declared: Declarations, position: Position, action: Action, args: Args, pages: Mapping[str, str]
) -> list[Refusal]:
    """Return every reason why the action is not allowed with these arguments now."""
    found: list[Refusal] = []
    stage = declared.stages[position["stage"][0]]
    if stage.code not in action.stages:
        when = ", ".join(f"`{declared.stages[code].name}`" for code in action.stages)
        found.append(Refusal("stage", f"`{action.name}` belongs to {when}; now it is `{stage.name}`"))
    names = {param.name: arg for param, arg in zip(action.params, args, strict=True)}
    env = Environment(declared, position, names)
    missing: set[str] = set()
    for line in action.guard:
        match line:
            case Given(name=name, value=value):
                result = _ask(value, missing, env, excused=bool(found))
                if result is None:
                    missing.add(name)
                else:
                    env = env.bind(name, result)
            case Require(test=test, defines=defines):
                result = _ask(test, missing, env, excused=bool(found))
                if not result:
                    found.append(_refusal(declared, action, line, pages, asked=result is not None))
                    missing |= {defines} if defines else set()
    if not found and action.weight is not None and evaluate(action.weight, env) == 0:
        found.append(Refusal("weight", "chance never brings it about"))
    return found


def _ask(expr: Expr, missing: set[str], env: Environment, *, excused: bool) -> int | None:
    """Return the value of a line; None if it has none, which only an earlier refusal excuses."""
    if missing & free_names(expr):
        return None
    try:
        return evaluate(expr, env)
    except Contradiction:
        if not excused:
            raise
        return None


def _refusal(
    declared: Declarations, action: Action, line: Require, pages: Mapping[str, str], *, asked: bool
) -> Refusal:
    """Return the refusal in the words of the rules, or else in words made from what is required."""
    words = line.says or _required_in_words(declared, action)[line.key]
    lead = "not asked: " if not asked else "" if line.says else "required: "
    page = next((pages[clause] for clause in line.clauses if clause in pages), None)
    return Refusal("requirement" if asked else "not asked", lead + words, line.clauses, page, line.key, line.span)


#: What the requirements of an action ask for, in words, by game and action: they are said again and again.
_words: WeakKeyDictionary[Declarations, dict[str, Mapping[str, str]]] = WeakKeyDictionary()


def _required_in_words(declared: Declarations, action: Action) -> Mapping[str, str]:
    """Return what the requirements of an action ask for, in words, by their keys."""
    from pilgrim_rules.prose import say_requirements  # noqa: PLC0415  (whoever plays legal moves needs no words)

    known = _words.setdefault(declared, {})
    if action.name not in known:
        known[action.name] = say_requirements(declared.game, action)
    return known[action.name]
