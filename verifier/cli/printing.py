"""What the verifier's commands print: outcomes and plays.

Reads:  outcomes.   Writes: text for people.
After:  what is not fine is never left out, and a verdict always stands beside how it was reached.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.console import Console

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.output import show_plain
from verifier.report import terminal_text
from verifier.report.run_result import RunResult

#: Codes from the one that wins to the one that loses, where several games are looked at in one run.
GRAVEST_FIRST = (Exit.DISAGREEMENT, Exit.REFUTED, Exit.BAD_INPUT, Exit.UNSETTLED, Exit.OK)


def worst_exit_code(codes: Sequence[int]) -> Exit:
    """Return the code that speaks for all of them."""
    return next((code for code in GRAVEST_FIRST if code in codes), Exit.OK)


def show_outcome(outcome: RunResult, *, verbose: bool, whole: bool = True) -> None:
    """Print what was found about one game: everything that is not fine, the claims as a table, and the counts.

    verbose  show what is fine, too.      whole  with the table.
    """
    for line in terminal_text.lines(outcome, verbose=verbose):
        show_plain(line)
    if whole and outcome.records:
        # Elsewhere than in a terminal there is no width to keep to.
        console = Console(width=None if sys.stdout.isatty() else 140)
        console.print(terminal_text.table(outcome))
    show_plain(terminal_text.summary(outcome))


def show_play(moves: Sequence[str], indent: str = "    ") -> None:
    """Print a play, a move a line."""
    for number, move in enumerate(moves, 1):
        show_plain(f"{indent}{number:>3}  {move}")
