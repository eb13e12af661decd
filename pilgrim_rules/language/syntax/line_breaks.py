"""Line breaks: where a line that is too long is broken, and how a long comment goes on.

Reads:  the words of a line, and how much room there is.   Writes: the words of each of its lines; lines of a comment.
After:  the layout pass joins the lines again to what they were. A line is as wide as allowed or has no place to break it.

Of all ways to break a line the cheapest is taken: few lines first, then breaks between large parts (`implies` before `or`
before `and`, outside brackets before inside), then full lines before short ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from pilgrim_rules.language.syntax.layout import continues
from pilgrim_rules.language.syntax.spacing import CLOSING, OPENING, SpacedWord, spaced

_LINE = 10  #: what a further line costs
_DEEPER = 12  #: what a break costs more for each bracket around it
_BODY = 5  #: and behind the colon of a quantifier
_TOO_LONG = 1000  #: what a line costs that is wider than allowed, and as much more as it is wider
#: What a break before a word costs. Words that cannot begin a line stand here only for breaks inside brackets.
_BEFORE = {
    "cites": 0, "because": 0, "refused": 0, "under": 0, "using": 0, "implies": 1, "or": 2, "and": 3, "else": 3, "if": 3, "where": 4,
    "for": 4, "+": 6, "-": 6, "==": 8, "!=": 8, "<": 8, "<=": 8, ">": 8, ">=": 8, "*": 9, "div": 9, "mod": 9,
}  # fmt: skip
_AFTER_COMMA = 5
_AFTER_COLON = 2
_BINDERS = frozenset({"ALL", "SOME", "NONE_OF", "COUNT", "SUM", "MAX", "MIN", "UNIQUE", "FIRST", "BEST"})


def broken(
    line: Sequence[SpacedWord], before: SpacedWord | None, opened: int, room: int, further: int
) -> list[list[SpacedWord]]:
    """Return the lines of a line: the first has `room`, the others have `further`.

    before   the word that the line continues
    opened   how many brackets are open where it begins
    """
    costs = _break_costs(line, opened)
    cheapest: list[tuple[int, int]] = [(0, len(line))] * (len(line) + 1)  # of the words from here on: cost, first break
    for start in range(len(line) - 1, -1, -1):
        tries = []
        for end in [*(at for at in costs if at > start), len(line)]:
            width = len(spaced(line[start:end], line[start - 1] if start else before))
            over = width - (further if start else room)
            cost = cheapest[end][0] + (0 if end == len(line) else _LINE + costs[end])
            tries.append((cost + (_TOO_LONG + over if over > 0 else 0), -end))
        cost, end = min(tries)
        cheapest[start] = (cost, -end)
    lines = []
    start = 0
    while start < len(line):
        end = cheapest[start][1]
        lines.append(list(line[start:end]))
        start = end
    return lines


def _break_costs(line: Sequence[SpacedWord], opened: int) -> dict[int, int]:
    """Return what a break before each word costs; words before which no line can be broken are left out."""
    costs: dict[int, int] = {}
    bodies = [0]  # the colons of quantifiers before a word, for each open bracket
    binding = False  # whether it stands between a quantifier and its colon
    depth = opened
    for at, word in enumerate(line):
        last = line[at - 1] if at else None
        cost = None if last is None else _cost(word, last)
        if cost is not None and (depth > 0 or last is None or last.text == "," or _continues(word)):
            costs[at] = cost + _DEEPER * depth + _BODY * (sum(bodies) + binding)
        if word.text in OPENING:
            bodies.append(0)
            depth += 1
        elif word.text in CLOSING:
            bodies = bodies[:-1] or [0]
            depth -= 1
        elif word.kind in _BINDERS:
            binding = True
        elif word.text == ":" and binding:
            bodies[-1] += 1
            binding = False
    return costs


def _continues(word: SpacedWord) -> bool:
    """Return whether a word may begin a line that continues another; `refused` may be a name as well."""
    return word.kind == "REFUSED" or continues(word.text)


def _cost(word: SpacedWord, last: SpacedWord) -> int | None:
    """Return what a break between two words costs by what they are; None if it would not read well."""
    if last.text == ",":
        return _AFTER_COMMA
    if last.text == ":":
        return _AFTER_COLON
    if last.text in OPENING or (word.text == "-" and not last.ends_value):
        return None
    return _BEFORE.get(word.text)


def wrapped(comment: str, room: int) -> tuple[str, str]:
    """Return what of a comment fits on a line, with its marks, and the words that do not."""
    if len(comment) <= room:
        return comment, ""
    marks, words = _parts(comment)
    line = marks
    while words and (line == marks or len(line) + 1 + len(words[0]) <= room):
        line += ("" if line == marks else " ") + words.pop(0)
    return line, " ".join(words)


def lines_of(comment: str, room: int, *, even: bool) -> list[str]:
    """Return the lines of a comment, as few as there is room for: full ones, or lines about as long as each other."""
    lines = []
    rest = comment
    while rest:
        line, words = wrapped(rest, room)
        lines.append(line)
        rest = joined(line, words, "") if words else ""
    if even:
        narrower = (lines_of(comment, width, even=False) for width in range(1, room))
        return next((found for found in narrower if len(found) == len(lines)), lines)
    return lines


def joined(above: str, words: str, comment: str) -> str:
    """Return a comment with words put before it; `above` has its marks, should it be empty."""
    marks, rest = _parts(comment or above)
    return marks + " ".join([words, *(rest if comment else ())])


def go_together(above: str, below: str) -> bool:
    """Tell whether two comments, one below the other, are one running text: not a rule, a list, or an empty line."""
    marks, words = _parts(below)
    return marks == _parts(above)[0] and bool(words) and words[0][0] not in "-*=+|0123456789"


def _parts(comment: str) -> tuple[str, list[str]]:
    """Return the marks of a comment, with the blanks behind them, and its words."""
    words = comment.lstrip("#")
    marks = comment[: len(comment) - len(words.lstrip())]
    return marks, words.split()
