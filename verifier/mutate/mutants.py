"""Mutants: a game with one small mistake in it, for every mistake that can be made.

Reads:  a core game.   Writes: `Mistake`s, each of which makes a `Mutant` when it is asked to.
After:  the mistake is made wherever the line was expanded; a mutant obeys the rules of the core, or it is none.

    drop       a requirement, or a line of the effects, is missing
    negate     a requirement, or the test of a branch, is the other way round
    change     a constant, an operator, an enum value or a variable in a line or a definition is another
    double     a line of the effects happens twice
    decider    always the same player decides in a stage
    stage      an action may happen in one stage less
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal, TypeAlias

from pilgrim_rules.core.ir import (
    BOOL,
    Action,
    Apply,
    Assign,
    Branch,
    Call,
    Def,
    Expr,
    Game,
    Lit,
    Require,
    Stage,
    Stmt,
)  # fmt: skip
from pilgrim_rules.core.validate import InternalError, validate
from pilgrim_rules.core.walk import action_expressions, assignments, subexpressions
from pilgrim_rules.source import Span
from verifier.mutate.changes import changes
from verifier.mutate.edits import branches, edit_action, edit_assignments, edit_block, edit_requirements

MutantKind: TypeAlias = Literal["drop", "negate", "change", "double", "decider", "stage"]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake that can be made.

    key      of the line; the name of the definition, stage or action where there is none.
    words    what is different.
    make     the game with the mistake in it.
    span     the line, or the declaration.
    """

    kind: MutantKind
    key: str
    words: str
    clauses: tuple[str, ...]
    make: Callable[[], Game] = field(compare=False, repr=False)
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def name(self) -> str:
        """Stable while the line is: its key, the kind of the mistake, and its words."""
        return f"{self.key} {self.kind}: {self.words}"


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
    """Make a mistake; None if the result is not a game, or the same game."""
    changed = mistake.make()
    if changed == game:
        return None
    try:
        validate(replace(changed, examples=()))  # they are as they were
    except InternalError:
        return None
    pairs = zip(game.actions, changed.actions, strict=True)
    altered = {new.name for old, new in zip(game.defs, changed.defs, strict=True) if old is not new and old != new}
    different = [new.name for old, new in pairs if (old is not new and old != new) or uses(new, altered, game)]
    return Mutant(mistake, changed, tuple(different), frozenset(altered))


def _all(game: Game) -> Iterator[Mistake]:
    done: set[str] = set()
    for action in game.actions:
        for line in action.guard:
            if isinstance(line, Require) and line.key not in done:
                done.add(line.key)
                yield from _of_requirement(game, line)
        for stmt in assignments(action.body):
            if stmt.key not in done:
                done.add(stmt.key)
                yield from _of_assignment(game, stmt)
        for number, branch in enumerate(branches(action.body)):
            yield from _of_branch(game, action, number, branch)
        yield from _of_stages(game, action)
    for stage in game.stages:
        yield from _of_decider(game, stage)
    used = called((expr for action in game.actions for expr in action_expressions(action)), game)
    for definition in game.defs:
        if definition.name in used and "." not in definition.name:  # otherwise it is made from an action
            yield from _of_definition(game, definition)


# ---------------------------------------------------------------------------------------------------------- the mistakes


def _of_requirement(game: Game, line: Require) -> Iterator[Mistake]:
    edit, mistake = partial(edit_requirements, game, line.key), partial(Mistake, span=line.span)
    if line.defines is None:  # otherwise what it defines would have no value
        yield mistake("drop", line.key, "the requirement is missing", line.clauses, partial(edit, lambda _: None))
        if not _is_equation(line.test):
            opposite = partial(edit, lambda each: replace(each, test=_not(each.test)))
            yield mistake("negate", line.key, "the requirement is negated", line.clauses, opposite)
    for words in _words(line.test, game):

        def changed(each: Require, words: str = words) -> Require:
            return replace(each, test=_changed(each.test, words, game))

        yield mistake("change", line.key, words, line.clauses, partial(edit, changed))


def _of_assignment(game: Game, line: Assign) -> Iterator[Mistake]:
    if any(variable.ghost for variable in game.variables if variable.name == line.variable):
        return  # ghosts cannot change play; a mistake in one is a mistake in a claim
    edit, mistake = partial(edit_assignments, game, line.key), partial(Mistake, span=line.span)
    yield mistake("drop", line.key, "the effect is missing", line.clauses, partial(edit, lambda _: ()))
    if line.mode == "add":
        yield mistake(
            "double", line.key, "the effect happens twice", line.clauses, partial(edit, lambda each: (each, each))
        )
    for words in _words(line.value, game):

        def changed(each: Assign, words: str = words) -> tuple[Stmt, ...]:
            return (replace(each, value=_changed(each.value, words, game)),)

        yield mistake("change", line.key, words, line.clauses, partial(edit, changed))
    for at, index in enumerate(line.index):
        for words in _words(index, game):

            def moved(each: Assign, at: int = at, words: str = words) -> tuple[Stmt, ...]:
                other = _changed(each.index[at], words, game)
                return (replace(each, index=(*each.index[:at], other, *each.index[at + 1 :])),)

            yield mistake("change", line.key, f"index {words}", line.clauses, partial(edit, moved))


def _of_branch(game: Game, action: Action, number: int, branch: Branch) -> Iterator[Mistake]:
    """Yield the mistakes in the test of a branch; it has no key and is known by its number in the action."""
    key = f"{action.name}.if.{number + 1}"
    inside = list(assignments((branch,)))
    clauses = tuple(dict.fromkeys(clause for stmt in inside for clause in stmt.clauses))
    span = inside[0].span if inside else action.note.span

    def with_test(test: Expr) -> Game:
        def edited(stmt: Stmt) -> tuple[Stmt, ...]:
            return (replace(branch, test=test),) if stmt is branch else (stmt,)

        return edit_action(game, action.name, lambda each: replace(each, body=edit_block(each.body, edited)))

    if not _is_equation(branch.test):
        opposite = partial(with_test, _not(branch.test))
        yield Mistake("negate", key, "the condition is negated", clauses, opposite, span)
    for words, changed in _numbered(branch.test, game):
        yield Mistake("change", key, words, clauses, partial(with_test, changed), span)


def _of_stages(game: Game, action: Action) -> Iterator[Mistake]:
    names = {stage.code: stage.name for stage in game.stages}
    for code in action.stages if len(action.stages) > 1 else ():

        def fewer(each: Action, code: int = code) -> Action:
            return replace(each, stages=tuple(other for other in each.stages if other != code))

        words = f"never during `{names[code]}`"
        edited = partial(edit_action, game, action.name, fewer)
        yield Mistake("stage", action.name, words, action.note.clauses, edited, action.note.span)


def _of_decider(game: Game, stage: Stage) -> Iterator[Mistake]:
    if stage.by is None or game.players == 1:
        return
    always = Lit(game.player.lo, game.player)
    words = f"always `{game.player.labels[0]}` decides"

    def changed() -> Game:
        stages = tuple(replace(each, by=always) if each.code == stage.code else each for each in game.stages)
        return replace(game, stages=stages)

    yield Mistake("decider", stage.name, words, stage.note.clauses, changed, stage.note.span)


def _of_definition(game: Game, definition: Def) -> Iterator[Mistake]:
    for words, body in _numbered(definition.body, game):

        def changed(body: Expr = body) -> Game:
            defs = tuple(replace(each, body=body) if each.name == definition.name else each for each in game.defs)
            return replace(game, defs=defs)

        yield Mistake("change", definition.name, words, definition.note.clauses, changed, definition.note.span)


# ----------------------------------------------------------------------------------------------------------------- helpers


def _words(expr: Expr, game: Game) -> list[str]:
    return [words for words, _ in _numbered(expr, game)]


def _changed(expr: Expr, words: str, game: Game) -> Expr:
    """Return the expression with the change of these words; as it is, if it has no such place."""
    return next((changed for each, changed in _numbered(expr, game) if each == words), expr)


def _numbered(expr: Expr, game: Game) -> Iterator[tuple[str, Expr]]:
    """Yield the changes of an expression; where two have the same words, the later ones are numbered."""
    variables = {variable.name: variable for variable in game.variables}
    seen: dict[str, int] = {}
    for words, changed in changes(expr, variables):
        seen[words] = seen.get(words, 0) + 1
        yield (words if seen[words] == 1 else f"{words} ({seen[words]})"), changed


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


def _is_equation(test: Expr) -> bool:
    """Return whether negating the test is the same as changing its sign, which is tried anyway."""
    return isinstance(test, Apply) and test.op in ("==", "!=")


def _not(test: Expr) -> Expr:
    return Apply("not", (test,), BOOL)
