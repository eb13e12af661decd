"""Lint: generated sentences that nobody would say.

Reads:  generated text, and the labels of a game, which are names and may look like anything.   Writes: problems.
After:  each problem names the kind of mistake and quotes the place. A sentence without problems may still be clumsy; one
        with a problem is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from pilgrim_rules.core.ir import Action, Game, Require
from pilgrim_rules.prose import words
from pilgrim_rules.prose.claims import say_claim
from pilgrim_rules.prose.costs import SaidCost
from pilgrim_rules.prose.english import EnglishRule, say_def
from pilgrim_rules.prose.moves import action_title
from pilgrim_rules.prose.scores import say_order, say_score_line
from pilgrim_rules.prose.summaries import sentence_text, sentences

__all__ = ["TextProblem", "lint", "lint_costs", "lint_game_text", "lint_rule", "lint_titles", "lint_told", "names_of"]

MOST_COST_WORDS = 22


class TextProblem(NamedTuple):
    """What is wrong with a sentence: the kind of mistake, the words, and the whole sentence."""

    kind: str
    words: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: “{self.words}” in “{self.text}”"


PATTERNS: Final = (
    ("digits compared with digits", re.compile(r"(?:^|, |\(|\b(?:if|or|that|then|otherwise) )\d+ (?:is|are)(?: not| at least| at most| less than| more than)? \d+\b")),
    ("a noun of one letter", re.compile(r"(?<![\w“'’(/-])[b-hj-z](?:'s)?(?![\w'’”)/-])")),
    ("a word twice", re.compile(r"\b(?!had\b|that\b|is\b)(\w+) \1\b|\bthat that\b|,,", re.IGNORECASE)),
    ("a verb that does not agree", re.compile(r"(?<!to )(?<!of )(?<!for )(?<!from )(?<!by )(?<!than )\byou (?:is|has|was|does|\w{2,}[^su'’ ]s)\b(?<!always)(?<!sometimes)(?<!perhaps)")),
    ("an identifier", re.compile(r"\b[a-z]+_[a-z_]+\b")),
    ("a constant as a condition", re.compile(r"“(?:true|false)” (?:holds|does not hold)")),
)  # fmt: skip
#: Words that make a clause of a text; any other word with the ending of a verb counts as well.
_VERB = re.compile(
    r"^(?:If .*, )?You \w+|\b(?:be|is|are|has|have|can|may|must|was|were|do|does|take|let|call|choose|pay|hold|become|rise|fall|say|nothing)\b"
    r"|\b\w{2,}(?:s|ed)\b",
    re.IGNORECASE,
)


def lint(text: str, names: frozenset[str] = frozenset(), *, clause: bool = True) -> Iterator[TextProblem]:
    """Yield what is wrong with a text; `clause` asks for a verb, which headings and amounts do not have."""
    for kind, pattern in PATTERNS:
        for found in pattern.finditer(text):
            if found.group().removesuffix("'s") not in names and not _quoted(text, found.start()):
                yield TextProblem(kind, found.group(), text)
    if clause and not _VERB.search(text):
        yield TextProblem("a sentence without a verb", text, text)


def _quoted(text: str, at: int) -> bool:
    """Tell whether a place stands inside quotes: there the words of an author are shown as they are."""
    return text.count("“", 0, at) > text.count("”", 0, at) or text.count("`", 0, at) % 2 == 1


def names_of(game: Game) -> frozenset[str]:
    """Return the labels of a game: a player may be called `x`, a place `b`."""
    types = [each.type for each in game.variables] + [kind for each in game.variables for kind in each.index]
    types += [each.type for each in game.constants] + [kind for each in game.constants for kind in each.index]
    labels = {label for type_ in (*types, game.player, game.stage) for label in type_.labels}
    return frozenset(word for label in labels for word in (label, *words.label(label).split()))


def lint_rule(rule: EnglishRule, names: frozenset[str]) -> list[TextProblem]:
    """Return what is wrong with the English of a rule."""
    found: list[TextProblem] = []
    for section in rule.sections:
        for step in section.steps:
            clause = section.kind != "pay" and not step.text.endswith(":")
            found += lint(step.text, names, clause=clause)
    return found


def lint_told(action: Action, names: frozenset[str]) -> list[TextProblem]:
    """Return what is wrong with what the author says of a rule: its title, its summary, and why it is refused.

    Authors may name a thing by a letter, and put what is written in a file between back-ticks.
    """
    told = (sentence_text(each) for each in sentences(action))
    refusals = (line.says or "" for line in action.guard if isinstance(line, Require))
    texts = (action_title(action), *told, *refusals)
    return [problem for text in texts for problem in lint(text, names, clause=False)]


def lint_titles(games: Iterable[Game]) -> list[TextProblem]:
    """Return the titles that are made of the names of actions, in a game whose author has written others.

    A single word is a title as it is; `take_stone` is "Take stone" until somebody writes what people say. The games are one
    game at several tables: an action of two of them is looked at once.
    """
    actions = list({action.name: action for game in games for action in game.actions}.values())
    if not any(action.title for action in actions):
        return []
    made = [action_title(action) for action in actions if not action.title]
    return [TextProblem("a title made of a name", title, title) for title in made if " " in title]


def lint_costs(costs: Iterable[SaidCost], names: frozenset[str]) -> list[TextProblem]:
    """Return what is wrong with the costs of a rule as its page shows them; what is too long is read by nobody."""
    texts = [text for cost in costs for text in (cost.what, cost.when)]
    found = [problem for text in texts for problem in lint(text, names, clause=False)]
    long = (text for text in texts if len(text.split()) > MOST_COST_WORDS)
    return [*found, *(TextProblem("a cost that is too long to be read", text, text) for text in long)]


def lint_game_text(game: Game) -> list[TextProblem]:
    """Return what is wrong with the generated text of a game that is not the text of a rule: definitions, claims, score."""
    names = names_of(game)
    texts: Iterable[str] = (
        *(say_def(game, each) for each in game.defs if each.name.isidentifier()),
        *(say_claim(game, each) for each in game.claims),
        *(() if game.score is None else (say_score_line(game, line) for line in game.score.lines)),
        say_order(game),
    )
    return [problem for text in texts for problem in lint(text, names, clause=False)]
