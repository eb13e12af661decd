"""Shrink: a long play that shows a problem becomes a short one.

Reads:  a play.   Writes: a play that shows the same problem, found by leaving out stretches of moves.
After:  no single decision can be left out, unless the number of tries ran out before.
"""

from __future__ import annotations

from random import Random

from pilgrim_rules.engine.moves import Coded
from verifier.fuzz import checks
from verifier.fuzz.player import crash
from verifier.fuzz.subject import Broken, Play, Problem, Subject

TRIES = 600


def shrink(subject: Subject, problem: Problem, play: Play, tries: int = TRIES) -> tuple[Problem, Play]:
    """Return a shorter play with the same problem, and the problem as it shows there."""
    first = replayed(subject, play, problem)
    if first is None:
        return problem, play  # it showed only once; better long than lost
    problem, best = first
    size = max(1, len(best) // 2)
    while size and tries > 0:
        at, shorter = 0, False
        while at < len(best) and tries > 0:
            tries -= 1
            found = replayed(subject, (*best[:at], *best[at + size :]), problem)
            if found is not None and len(found[1]) < len(best):
                problem, best, shorter = *found, True
            else:
                at += size
        if not shorter or size > 1:
            size //= 2
    return problem, best


def replayed(subject: Subject, play: Play, wanted: Problem) -> tuple[Problem, Play] | None:
    """Make the moves of a play that are legal, and what must happen in between; return where the problem shows.

    What happens by itself is made when it is due, whether or not it is in the play.
    """
    state, made = subject.code.start, list[Coded]()
    waiting = [coded for coded in play if subject.core.actions[coded[0]].kind != "auto"]
    try:
        checks.start(subject)
        while True:
            options = [coded for coded, _ in subject.options(state)]
            _look(subject, state, options, wanted)
            if not options:
                return None
            if subject.core.actions[options[0][0]].kind == "auto":
                chosen = options[0]
            else:
                legal = set(options)
                while waiting and waiting[0] not in legal:
                    waiting.pop(0)
                if not waiting:
                    return None
                chosen = waiting.pop(0)
            made.append(chosen)
            after = subject.make(state, chosen)
            checks.step(subject, state, chosen, after)
            checks.state(subject, chosen, after)
            state = after
    except Broken as found:
        return _same(found.problem, wanted, made)
    except Exception as error:  # noqa: BLE001  (a crash is a problem like any other)
        return _same(crash(subject, error), wanted, made)


def _look(subject: Subject, state: bytes, options: list[Coded], wanted: Problem) -> None:
    """Ask the checks that are not asked of every state, if one of them has failed."""
    if ".agreement." in wanted.name and options:
        random = Random(0)  # noqa: S311  (not for secrets)
        checks.form(subject, state)
        for chosen in options:
            checks.evaluator(subject, state, chosen, random)
            checks.refusal(subject, state, chosen, frozenset(options))


def _same(found: Problem, wanted: Problem, made: list[Coded]) -> tuple[Problem, Play] | None:
    """Return the play if it shows what is wanted; the action that shows it may be another."""
    return (found, tuple(made)) if found.name.split("/")[0] == wanted.name.split("/")[0] else None
