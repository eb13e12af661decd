"""The closest name to a misspelt one.

Reads:  a name and the names that could be meant.   Writes: one of them, or None.
After:  the same question always has the same answer, whatever the order of the candidates.
"""

from __future__ import annotations

from collections.abc import Iterable

_LIKE_ENOUGH = 0.6
_LONGEST_NAME = 80  # beyond these a suggestion is not worth its time
_MOST_CANDIDATES = 5000


def closest(name: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate most like the name, if any is like it; the first in alphabetical order among equals."""
    from difflib import SequenceMatcher  # noqa: PLC0415  (takes time to import, and most names are right)

    if len(name) > _LONGEST_NAME:
        return None
    folded = name.casefold()
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(folded)
    best: str | None = None
    best_ratio = _LIKE_ENOUGH
    for candidate in sorted(set(candidates) - {name})[:_MOST_CANDIDATES]:
        matcher.set_seq1(candidate.casefold())
        # The two cheap upper bounds spare nearly all exact comparisons.
        if matcher.real_quick_ratio() <= best_ratio or matcher.quick_ratio() <= best_ratio:
            continue
        if (ratio := matcher.ratio()) > best_ratio:
            best, best_ratio = candidate, ratio
    return best


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    """Return the help line with the closest candidate, if there is one."""
    near = closest(name, candidates)
    return None if near is None else f"did you mean `{near}`?"
