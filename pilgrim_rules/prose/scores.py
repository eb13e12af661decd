"""The score in English: how each line is counted, and who wins.

Reads:  a core game.   Writes: sentences, spoken to the player who counts.
After:  points are told in whole points, as we read the rules; what a ruling leaves out says so. A term in braces wins
        over what is generated: `score_trails` for the line "Trails", `score_ties` for what decides a tie.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from pilgrim_rules.core.ir import Apply, Bound, Expr, Game, Lit, ScoreLine
from pilgrim_rules.prose import words
from pilgrim_rules.prose.english import as_played
from pilgrim_rules.prose.expressions import ranked, say_expr
from pilgrim_rules.prose.voice import Voice, templates_of

__all__ = ["line_term", "say_order", "say_score_line", "score_terms"]

TIES: Final = "score_ties"  #: the term that says who wins, and who wins a tie


def say_score_line(game: Game, line: ScoreLine) -> str:
    """Return how one line of the score is counted, spoken to the player who counts."""
    value = as_played(game, line.value)
    if (told := templates_of(game).get(line_term(line))) is not None:
        return words.sentence(told.strip("{}"))
    if isinstance(value, Lit):
        return (
            "Nothing, as we read the rules." if value.value == 0 else words.sentence(say_expr(value, _counting(game)))
        )
    per = 1 if game.score is None else game.score.per
    match value:
        case Apply(op="*", args=(Lit(value=factor), whole) | (whole, Lit(value=factor))) if factor == per:
            return words.sentence(say_expr(whole, _counting(game)))
        case _:  # it counts in parts of a point
            part = words.FRACTIONS.get(per, f"one {per}th of ") if per > 1 else ""
            return words.sentence(f"{part}{say_expr(value, _counting(game))}")


def line_term(line: ScoreLine) -> str:
    """Return the name of the term that says how a line is counted: `score_day_laborers` for "Day laborers"."""
    return f"score_{'_'.join(re.findall('[a-z0-9]+', line.label.lower()))}"


def score_terms(game: Game) -> frozenset[str]:
    """Return the names of the terms that the words of a score may have."""
    return frozenset() if game.score is None else frozenset({TIES, *map(line_term, game.score.lines)})


def say_order(game: Game) -> str:
    """Return how players are ranked, as a sentence; empty if they are not."""
    if game.score is None or not game.score.keys:
        return ""
    if (told := templates_of(game).get(TIES)) is not None:
        return words.sentence(told.strip("{}"))
    ties = "" if game.score.total else "; players who agree on all of this share the victory"
    played = [replace(key, value=as_played(game, key.value)) for key in game.score.keys[1:]]
    first, rest = game.score.keys[0], [key for key in played if not isinstance(key.value, Lit)]
    whole = "the " + ("highest" if first.descending else "lowest") + " score"
    said = [whole if _is_total(first.value, game.score.lines) else ranked((first,), _counting(game))]
    said += [ranked((key,), _counting(game)) for key in rest]
    return words.sentence(f"you win with {', then '.join(said)}{ties}")


def _is_total(value: Expr, lines: tuple[ScoreLine, ...]) -> bool:
    """Tell whether a key is the sum of all lines of the score."""
    parts: list[Expr] = []
    while isinstance(value, Apply) and value.op == "+" and len(parts) < len(lines) - 1:
        value, last = value.args
        parts.insert(0, last)
    return [value, *parts] == [line.value for line in lines]


def _counting(game: Game) -> Voice:
    """Return the voice that speaks to the player whose points are counted."""
    voice = Voice.from_game(game)
    return voice if game.score is None else voice.to(Bound(game.score.player, game.player), frozenset())
