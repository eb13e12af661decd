"""What the verifier's commands print: outcomes, plays, progress.

Reads:  outcomes.   Writes: text for people.
After:  what is not fine is never left out, and a verdict always stands beside how it was reached.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console

from pilgrim_rules.cli.exits import Exit
from pilgrim_rules.cli.output import show_plain
from verifier.report import text
from verifier.report.outcome import Outcome

#: Codes from the one that wins to the one that loses, where several games are looked at in one run.
GRAVEST_FIRST = (Exit.DISAGREEMENT, Exit.REFUTED, Exit.BAD_INPUT, Exit.UNSETTLED, Exit.OK)


def gravest(codes: Sequence[int]) -> Exit:
    """Return the code that speaks for all of them."""
    return next((code for code in GRAVEST_FIRST if code in codes), Exit.OK)


def show_outcome(outcome: Outcome, *, verbose: bool, whole: bool = True) -> None:
    """Print what was found about one game: everything that is not fine, the claims as a table, and the counts.

    verbose  show what is fine, too.      whole  with the table.
    """
    for line in text.lines(outcome, verbose=verbose):
        show_plain(line)
    if whole and outcome.entries:
        # Elsewhere than in a terminal there is no width to keep to.
        console = Console(width=None if sys.stdout.isatty() else 140)
        console.print(text.table(outcome))
    show_plain(text.summary(outcome))


def show_play(moves: Sequence[str], indent: str = "    ") -> None:
    """Print a play, a move a line."""
    for number, move in enumerate(moves, 1):
        show_plain(f"{indent}{number:>3}  {move}")


@contextmanager
def bar(title: str) -> Iterator[Callable[[str, int, int], None]]:
    """Show progress on a terminal, and nothing elsewhere; tell it what is done, how many, and of how many."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.progress import (  # noqa: PLC0415  (only a terminal needs it)
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[now]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=None, now="")

        def tell(now: str, done: int, total: int) -> None:
            progress.update(task, completed=done, total=total, now=now)

        yield tell
