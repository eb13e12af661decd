"""When a rule is refused: for each of its requirements a small position in which it fails, with the numbers that decide.

Reads:  a book with its samples.   Writes: nodes.
After:  every refusal that is shown was given by the engine while the page was built; requirements that nothing was seen
        to fail are named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from docutils import nodes

from pilgrim_rules.core import ir
from pilgrim_rules.core.values import show as show_value
from pilgrim_rules.core.walk import free_names, subexpressions
from pilgrim_rules.figures.move_places import places
from pilgrim_rules.prose import EnglishRule, Voice, guard_voices, say_expr, words
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.errors import Contradiction
from pilgrim_rules.semantics.evaluate import evaluate
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.model.samples import RefusedSample, refused, requirements
from pilgrim_rules.sphinx_ext.model.wording import say_move
from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.sphinx_ext.nodes.node_builders import details
from pilgrim_rules.sphinx_ext.nodes.picture_files import picture_file

__all__ = ["refusal_block"]

MOST_FACTS = 4


def refusal_block(book: Book, action: ir.Action, english: EnglishRule) -> list[nodes.Node]:
    """Return each refusal as a line that can be opened."""
    found = (
        refused(book.playable, book.example_steps, book.samples, action.name)
        if action.name in book.samples.refusals
        else {}
    )
    if not found:
        return []
    steps = [step for section in english.sections for step in section.steps]
    numbers = {step.key: step.number for step in steps if step.key is not None and step.number is not None}
    lines = {line.key: line for line in action.guard if isinstance(line, ir.Require)}
    voices = guard_voices(book.game, action)
    shown = [
        _refusal(book, action, line, found[key], numbers.get(key), voices[key])
        for key, line in lines.items()
        if key in found
    ]
    return [
        node_builders.heading("When it is refused"),
        node_builders.box("rules-refusals", *shown),
        *_never(book, action, numbers, found),
    ]


def _never(
    book: Book, action: ir.Action, numbers: Mapping[str, int], found: Mapping[str, RefusedSample]
) -> list[nodes.Node]:
    """Return which requirements nothing was seen to fail."""
    never = sorted(numbers[key] for key in requirements(book.game, action) - found.keys() if key in numbers)
    said = words.join([str(number) for number in never])
    text = f"In the plays and examples that were looked at, nothing was refused because of {said}."
    return [node_builders.para(text, css="rules-says")] if never else []


def _refusal(
    book: Book,
    action: ir.Action,
    line: ir.Require,
    tried: RefusedSample,
    number: int | None,
    voice: Voice,
) -> nodes.Node:
    reason = next(reason for reason in tried.reasons if reason.key == line.key)
    says = line.says or (
        words.sentence(say_expr(line.test, voice)).rstrip(".") if number is None else "it does not hold"
    )
    summary: list[node_builders.Inline] = (
        [node_builders.inline("rules-number", str(number)), " "] if number is not None else []
    )
    summary += [words.sentence(says.replace("`", "")).rstrip(".")]
    known = [clause for clause in reason.clauses if book.inventory.find(clause)]
    if known:
        summary += [" ", node_builders.inline("rules-facts", ", ".join(known))]
    who = tried.state.to_move
    code = book.playable.runner.book.codes(tried.move)
    said = say_move(action, code[1])
    body: list[nodes.Node] = [
        node_builders.para(
            words.sentence(f"{who} tries to {said}" if who in book.playable.players else f"Tried: {said}")
        ),
        node_builders.bullets([[fact] for fact in _facts(tried, action, line, code[1], voice)]),
    ]
    if known:
        body.append(node_builders.para("Because of ", *node_builders.refs("clause", book.name, known), "."))
    others = [other.says for other in tried.reasons if other.kind == "requirement" and other.key != line.key]
    if others:
        body.append(
            node_builders.para(
                f"Refused as well: {'; '.join(dict.fromkeys(others))}.".replace("`", ""), css="rules-says"
            )
        )
    for figure in tried.state.game.core.figures:
        where = places(tried.state, figure.canvas, moves=False, highlight=(), cross_out=(tried.move,))
        if where.refused:
            label = f"{figure.title}, the place crossed out"
            body.append(picture_file(book.picture_folder, tried.state, figure, label, found=where))
            break
    return details(summary, *body)


def _facts(
    tried: RefusedSample, action: ir.Action, line: ir.Require, args: tuple[int, ...], voice: Voice
) -> Iterator[str]:
    """Yield the values that decide the requirement: those that its comparisons compare."""
    env = _environment(tried, action, line, args)
    told: dict[str, None] = {}
    for part in subexpressions(line.test):
        if isinstance(part, ir.Apply) and part.op in ("==", "!=", "<", "<=", ">", ">="):
            for side in part.args:
                value = None if isinstance(side, ir.Lit | ir.Bound) else _value(side, env)
                # A value that the text knows to be there may be missing where its test has failed.
                if value is not None and side.type.kind != "bool" and side.type.lo <= value <= side.type.hi:
                    shown = words.label(show_value(side.type, value))
                    told[words.sentence(f"{say_expr(side, voice)}: {shown}")] = None
    yield from list(told)[:MOST_FACTS]


def _environment(tried: RefusedSample, action: ir.Action, line: ir.Require, args: tuple[int, ...]) -> Environment:
    """Return what the requirement sees."""
    game = tried.state.game
    names = {param.name: arg for param, arg in zip(action.params, args, strict=True)}
    env = Environment(game.declared, game.layout.decode(tried.state.data), names)
    for each in action.guard:
        if each is line or (isinstance(each, ir.Require) and each.key == line.key):
            break
        if isinstance(each, ir.Given):
            value = _value(each.value, env)
            env = env if value is None else env.bind(each.name, value)
    return env


def _value(expr: ir.Expr, env: Environment) -> int | None:
    """Return a value; None if it speaks of something that is not there."""
    if not free_names(expr) <= env.names.keys():
        return None
    try:
        return evaluate(expr, env)
    except Contradiction:
        return None
