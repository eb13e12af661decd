"""Mutants: a game with one small mistake in it, for every mistake that can be made.

Reads:  a core game.   Writes: `Mistake`s, each of which makes a `Mutant` when it is asked to.
After:  the mistake is made wherever the line was expanded; a mutant obeys the rules of the core, or it is none.

    drop       a requirement, or a line of the effects, is missing
    negate     a requirement, or the test of a branch, is the other way round
    change     a constant, an operator, an enum value or a variable in a line or a definition is another
    double     a line of the effects happens twice
    decider    always the same player decides in a stage
    stage      an action may happen in one stage less
    secrecy    something is not told that an action reveals, or nobody sees a variable that some see

Those that people make have kinds of their own, see `human_mistakes`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from pilgrim_rules.core.derived import derive_again, is_derived
from pilgrim_rules.core.expand_game import without_lines
from pilgrim_rules.core.footprint import Footprints
from pilgrim_rules.core.ir import (
    Action,
    Call,
    Def,
    Expr,
    Game,
    Lit,
    Stage,
)  # fmt: skip
from pilgrim_rules.core.mark_partial import mark_partial
from pilgrim_rules.core.rule_walk import action_expressions
from pilgrim_rules.core.smart_constructors import FALSE
from pilgrim_rules.core.validate import InternalError, validate
from pilgrim_rules.core.walk import subexpressions
from verifier.mutate.changes import numbered
from verifier.mutate.edits import edit_action
from verifier.mutate.human_mistakes import HumanMistakes
from verifier.mutate.line_mistakes import LineMistakes
from verifier.mutate.mistake import Mistake


@dataclass(frozen=True, slots=True)
class Mutant:
    """A game with a mistake. `actions` are those that can behave differently; `defs` the definitions with the mistake."""

    mistake: Mistake
    game: Game
    actions: tuple[str, ...]
    defs: frozenset[str] = frozenset()


def mistakes(game: Game) -> Iterator[Mistake]:
    """Yield every mistake that can be made, in the order of the rules, each once."""
    seen: set[str] = set()
    for mistake in _all(game):
        if mistake.name not in seen:
            seen.add(mistake.name)
            yield mistake


def mutant(game: Game, mistake: Mistake) -> Mutant | None:
    """Make a mistake; None if the result is not a game, or the same game. Its examples are those of the game, so it has none."""
    changed = replace(mistake.make(), origin=None)  # its rules say something else
    if changed == game:
        return None
    changed = replace(changed, examples=())  # these are as they were, and long to fingerprint
    try:
        validate(without_lines(changed))
    except InternalError:
        return None
    changed = mark_partial(changed)
    pairs = zip(game.actions, changed.actions, strict=True)
    altered = {new.name for old, new in zip(game.defs, changed.defs, strict=True) if old is not new and old != new}
    tables = {new.name for old, new in zip(game.constants, changed.constants, strict=True) if old is not new}
    if tables:
        footprints = Footprints.from_game(game)
        altered |= {each.name for each in game.defs if footprints.footprint(each.body).constants & tables}
    different = [new.name for old, new in pairs if (old is not new and old != new) or uses(new, altered, game)]
    if tables:
        looking = [each.name for each in game.actions if footprints.joint(action_expressions(each)).constants & tables]
        different += [name for name in looking if name not in different]
    return Mutant(mistake, changed, tuple(different), frozenset(altered))


def in_reading(made: Mutant, game: Game, other: Game) -> Game:
    """Return another reading of a game with the same mistake in it, made wherever the same line is there."""
    if other is game:
        return made.game
    try:
        actions = _transplanted(game.actions, made.game.actions, other.actions)
        defs = _transplanted(game.defs, made.game.defs, other.defs)
        stages = _transplanted(game.stages, made.game.stages, other.stages)
    except _OtherText:
        same = next((each for each in mistakes(other) if each.name == made.mistake.name), None)
        again = None if same is None else mutant(other, same)
        return other if again is None else again.game
    return replace(other, actions=actions, defs=defs, stages=stages, origin=None)


class _OtherText(Exception):
    """What has the mistake is another text in the other reading."""


Part = TypeVar("Part", Action, Def, Stage)


def _transplanted(old: tuple[Part, ...], new: tuple[Part, ...], there: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return the parts of another reading with what was changed from `old` to `new`."""
    changed = {was.name: (was, now) for was, now in zip(old, new, strict=True) if was is not now}
    if any(each.name in changed and changed[each.name][0] != each for each in there):
        raise _OtherText
    return tuple(changed[each.name][1] if each.name in changed else each for each in there)


def _all(game: Game) -> Iterator[Mistake]:
    lines = LineMistakes(game)
    for action in game.actions:
        yield from lines.mistakes_in(action)
        yield from _of_stages(game, action)
        yield from _of_reveals(game, action)
    for stage in game.stages:
        yield from _of_decider(game, stage)
    yield from _of_sight(game)
    used = called((expr for action in game.actions for expr in action_expressions(action)), game)
    for definition in game.defs:
        if definition.name in used and not is_derived(definition.name):  # else made from an action
            yield from _of_definition(game, definition)
    yield from HumanMistakes(game).all()


def _of_stages(game: Game, action: Action) -> Iterator[Mistake]:
    names = {stage.code: stage.name for stage in game.stages}
    for code in action.stages if len(action.stages) > 1 else ():

        def fewer(each: Action, code: int = code) -> Action:
            return replace(each, stages=tuple(other for other in each.stages if other != code))

        words = f"never during `{names[code]}`"
        edited = partial(edit_action, game, action.name, fewer)
        yield Mistake("stage", action.name, words, action.note.clauses, edited, action.note.span)


def _of_reveals(game: Game, action: Action) -> Iterator[Mistake]:
    for reveal in action.reveals:

        def untold(each: Action, key: str = reveal.key) -> Action:
            return replace(each, reveals=tuple(other for other in each.reveals if other.key != key))

        edited = partial(edit_action, game, action.name, untold)
        yield Mistake("secrecy", reveal.key, "it is not told", reveal.clauses, edited, reveal.span)


def _of_sight(game: Game) -> Iterator[Mistake]:
    """Yield that nobody sees what some see; what the language makes for itself is left as it is."""
    for variable in game.variables:
        if variable.seen is None or variable.ghost or "." in variable.name or variable.seen.test == FALSE:
            continue

        def unseen(name: str = variable.name) -> Game:
            variables = tuple(
                replace(each, seen=replace(each.seen, test=FALSE)) if each.name == name and each.seen else each
                for each in game.variables
            )
            return derive_again(replace(game, variables=variables))

        note = variable.note
        yield Mistake("secrecy", variable.name, "nobody sees it", note.clauses, unseen, note.span)


def _of_decider(game: Game, stage: Stage) -> Iterator[Mistake]:
    if stage.by is None or game.player.size == 1:
        return
    always = Lit(game.player.lo, game.player)
    words = f"always `{game.player.labels[0]}` decides"

    def changed() -> Game:
        stages = tuple(replace(each, by=always) if each.code == stage.code else each for each in game.stages)
        return replace(game, stages=stages)

    yield Mistake("decider", stage.name, words, stage.note.clauses, changed, stage.note.span)


def _of_definition(game: Game, definition: Def) -> Iterator[Mistake]:
    for words, body in numbered(definition.body, game):

        def changed(body: Expr = body) -> Game:
            defs = tuple(replace(each, body=body) if each.name == definition.name else each for each in game.defs)
            return replace(game, defs=defs)

        yield Mistake("change", definition.name, words, definition.note.clauses, changed, definition.note.span)


# ----------------------------------------------------------------------------------------------------------------- helpers


def uses(action: Action, definitions: Collection[str], game: Game) -> bool:
    """Return whether an action asks one of the definitions, directly or through others."""
    return bool(definitions) and not called(action_expressions(action), game).isdisjoint(definitions)


def called(expressions: Iterable[Expr], game: Game) -> set[str]:
    """Return the definitions that expressions ask, directly or through others."""
    bodies = {definition.name: definition.body for definition in game.defs}
    waiting, seen = list(expressions), set[str]()
    while waiting:
        for node in subexpressions(waiting.pop()):
            if isinstance(node, Call) and node.definition not in seen:
                seen.add(node.definition)
                waiting.append(bodies[node.definition])
    return seen
