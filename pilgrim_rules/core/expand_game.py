"""A whole game with its lines expanded: after some of them have been changed, or without them.

Reads:  a core game.   Writes: a core game.
After:  guards and bodies are what the lines stand for; a rule that has not been changed, and uses nothing that has been,
        is the same object as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pilgrim_rules.core.expand import NamedRules, expand_action, expand_effect, expand_lines
from pilgrim_rules.core.ir import (
    Arrange,
    CheckGuard,
    Example,
    ForLine,
    Game,
    IfLine,
    RunEffect,
    Shorthand,
    Written,
    WrittenGuardLine,
    WrittenStmt,
)


def expand_again(game: Game, changed: frozenset[str] | None = None) -> Game:
    """Return a game some of whose lines have been changed, with guards and bodies as the lines are now.

    changed  the rules whose lines have been: only they and what uses them are made again, and examples stay as they are.
    """
    shared = NamedRules.from_game(game)
    rules = _using(game, changed)
    effects = tuple(expand_effect(each, shared) if each.name in rules else each for each in game.effects)
    actions = tuple(expand_action(each, shared) if each.name in rules else each for each in game.actions)
    if changed is not None:
        return replace(game, effects=effects, actions=actions)
    examples = tuple(_expand_example(example, shared) for example in game.examples)
    return replace(game, effects=effects, actions=actions, examples=examples)


def _using(game: Game, changed: frozenset[str] | None) -> set[str]:
    """Return the rules that use others, directly or not; all, if it is not said which."""
    uses = {each.name: {*effects_run(each.lines)} for each in game.guards}
    uses |= {each.name: {*effects_run(each.lines)} for each in game.effects}
    uses |= {each.name: {*effects_run(each.written.guard), *effects_run(each.written.body)} for each in game.actions}
    found = set(uses) if changed is None else set(changed)
    while more := {name for name, used in uses.items() if not used.isdisjoint(found)} - found:
        found |= more
    return found


def effects_run(lines: Iterable[WrittenStmt | WrittenGuardLine]) -> Iterator[str]:
    """Yield the effects and guards that lines name, also inside conditions and loops."""
    for line in lines:
        match line:
            case RunEffect(effect=name) | CheckGuard(guard=name):
                yield name
            case IfLine(then=then, other=other):
                yield from effects_run((*then, *other))
            case ForLine(body=body) | Shorthand(lines=body):
                yield from effects_run(body)
            case _:  # the others name no rule
                pass


def without_lines(game: Game) -> Game:
    """Return the game as it is played, without the lines it was written in: for whoever changes what they stand for."""
    return replace(
        game,
        effects=tuple(replace(effect, lines=()) for effect in game.effects),
        actions=tuple(replace(action, written=Written()) for action in game.actions),
        examples=tuple(map(_without_lines, game.examples)),
        guards=(),
    )


def _without_lines(example: Example) -> Example:
    steps = (replace(step, lines=()) if isinstance(step, Arrange) else step for step in example.steps)
    return replace(example, steps=tuple(steps))


def _expand_example(example: Example, shared: NamedRules) -> Example:
    steps = [
        replace(step, body=expand_lines(step.lines, (), shared)) if isinstance(step, Arrange) and step.lines else step
        for step in example.steps
    ]
    return replace(example, steps=tuple(steps))
