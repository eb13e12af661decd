"""Summaries: a rule in the words of its author, sentence by sentence.

Reads:  the summary lines of actions.   Writes: sentences, each with its lines and their clauses.
After:  a sentence that its author has broken into lines is one again; each ends as a sentence does.
"""

from __future__ import annotations

from collections import Counter

from pilgrim_rules.core.ir import Action, Game, SummaryLine
from pilgrim_rules.util.identity_cache import cache_by_identity

__all__ = ["common_sentences", "sentence_text", "sentences"]

COMMON = 4  #: rules that say the same sentence: it is no longer about one of them
_ENDS = (".", "!", "?")


def sentences(action: Action) -> list[tuple[SummaryLine, ...]]:
    """Return the sentences of a summary; a long one stands on several lines, of which the last ends with a full stop."""
    found: list[tuple[SummaryLine, ...]] = []
    begun: tuple[SummaryLine, ...] = ()
    for line in action.summary:
        begun = (*begun, line)
        if line.text.endswith(_ENDS):
            found.append(begun)
            begun = ()
    if begun:
        *first, last = begun
        found.append((*first, SummaryLine(f"{last.text}.", last.clauses)))
    return found


def sentence_text(sentence: tuple[SummaryLine, ...]) -> str:
    """Return a sentence on one line."""
    return " ".join(line.text for line in sentence)


@cache_by_identity(16)
def common_sentences(game: Game) -> frozenset[str]:
    """Return what many rules of a game say in the same words besides their first sentence."""
    told = Counter(sentence_text(each) for action in game.actions for each in sentences(action)[1:])
    return frozenset(text for text, times in told.items() if times >= COMMON)
