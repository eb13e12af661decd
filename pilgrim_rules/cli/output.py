"""Printing for people and for programs.

Reads:  diagnostics and plain data.   Writes: text, or one JSON document.
After:  nothing is coloured where NO_COLOR is set or the output is no terminal.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import click

from pilgrim_rules.diagnostics.bag import Diagnostic
from pilgrim_rules.diagnostics.source import SourceFile
from pilgrim_rules.semantics.errors import IllegalMove, RulesGameError

_spoken = threading.Event()


def note_output() -> None:
    """Note that whoever waits has been told something."""
    _spoken.set()


def has_spoken() -> bool:
    """Return whether this process has told anything yet."""
    return _spoken.is_set()


def show_json(document: Any) -> None:
    """Print one JSON document; the same data gives the same bytes."""
    note_output()
    click.echo(json.dumps(document, indent=2, ensure_ascii=False))


def show_mistakes(
    found: Sequence[Diagnostic], sources: Mapping[str, SourceFile], *, as_json: bool = False, err: bool = False
) -> None:
    """Print diagnostics: frames for people (to standard error if `err`), or a JSON document on standard output."""
    from pilgrim_rules.diagnostics import frames  # noqa: PLC0415  (nothing to frame in a run without mistakes)

    if as_json:
        show_json({"diagnostics": [frames.to_json(one, sources) for one in found]})
    elif found:
        colour = frames.wants_colour(sys.stderr if err else sys.stdout)
        click.echo(frames.frames(found, sources, colour=colour) + "\n", err=err)


def show_problem(problem: RulesGameError, *, as_json: bool = False) -> None:
    """Print what went wrong in a play: to standard error, or as a JSON document on standard output."""
    reasons = problem.refusals if isinstance(problem, IllegalMove) else ()
    if as_json:
        refusals = [{"says": each.says, "clauses": list(each.clauses), "page": each.page} for each in reasons]
        show_json({"error": type(problem).__name__, "says": str(problem), "refusals": refusals})
    elif isinstance(problem, IllegalMove):
        show_plain(f"`{problem.move}` is not allowed:", err=True)
        for reason in reasons:
            show_plain(f"  {reason}", err=True)
    else:
        show_plain(str(problem), err=True)


def show_plain(text: str, *, err: bool = False) -> None:
    """Print a line that may hold text of the user: nothing in it moves the cursor."""
    note_output()
    click.echo(
        "".join(char if char.isprintable() or char == "\n" else "\N{REPLACEMENT CHARACTER}" for char in text), err=err
    )


def counted(number: int, thing: str) -> str:
    """Return a number with its noun: `1 error`, `2 errors`."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"
