"""`pilgrim replay`: a recorded game, made again step by step."""

from __future__ import annotations

from pathlib import Path

import click

from pilgrim_rules.api.game import load_instance
from pilgrim_rules.api.trace import Trace
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import Reporting, format_option
from pilgrim_rules.cli.output import counted, show_json, show_plain, show_problem
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.semantics import python_values
from pilgrim_rules.semantics.errors import BadTrace, StaleTrace
from pilgrim_rules.util import atomic_write


@click.command(cls=Reporting)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path))
@click.option("--stale", is_flag=True, help="Replay a record of other rules than those loaded, as far as possible.")
@click.option("--itf", is_flag=True, help="Print the play in the Informal Trace Format, for other viewers.")
@click.option(
    "--html",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Write the play as an HTML page.",
)
@click.option("--claim", help="With --html: mark the steps after which this claim is false.")
@click.option("--quiet", "-q", is_flag=True, help="Check the record, but do not print the steps.")
@format_option
def replay(
    file: Path, *, stale: bool, itf: bool, html: Path | None, claim: str | None, quiet: bool, as_json: bool
) -> Exit:
    """Check the recorded game in FILE against the current rules, and show what each step changed.

    A file that is no record, or one of other rules, is bad input (2); a record with an illegal step ends with 1.
    """
    record = Trace.load(file)
    try:
        # A claim may speak of variables that only claims read.
        game = None if claim is None else load_instance(record.instance, ghosts=True)
        trace = record.replay(game, stale_ok=stale)
    except StaleTrace as problem:
        raise StaleTrace(f"{problem}; `--stale` replays it as far as it goes") from None
    except BadTrace as problem:
        show_problem(problem, as_json=as_json)
        return Exit.REFUTED
    if html is not None:
        _write_page(trace, html, claim)
    if itf:
        click.echo(trace.to_itf())
    elif as_json:
        final = trace.states[-1]
        scores = {player: str(score.total) for player, score in final.scores().items()}
        show_json({"game": trace.game.name, "steps": len(trace), "over": final.over, "scores": scores})
    else:
        if not quiet and html is None:
            _steps(trace)
        _end(trace)
    return Exit.OK


def _write_page(trace: Trace, path: Path, claim: str | None) -> None:
    from pilgrim_rules.play_pages.viewer import page  # noqa: PLC0415  (only for a page)

    if claim is not None and claim not in trace.game.declared.claims:
        hint = did_you_mean(claim, trace.game.declared.claims)
        raise click.UsageError(f"the game has no claim `{claim}`" + (f"; {hint}" if hint else ""))
    try:
        atomic_write.write(path, page(trace, claim=claim))
    except OSError as problem:
        raise click.UsageError(f"cannot write `{path}`: {problem.strerror}") from None


def _steps(trace: Trace) -> None:
    for number, (before, step, after) in enumerate(trace, 1):
        show_plain(f"{number:>4}  {step}")
        for cell, (old, new) in before.diff(after).items():
            show_plain(f"          {cell}: {python_values.text(old)} → {python_values.text(new)}")


def _end(trace: Trace) -> None:
    final = trace.states[-1]
    winners = " and ".join(final.winners()) or "nobody"
    how = f"the game is over, {winners} won" if final.over else f"{final.to_move} to move"
    show_plain(f"{trace.game.title}: {counted(len(trace), 'step')}, each legal; {how}")
    if trace.game.core.score is not None:
        show_plain("  ".join(f"{player} {score.total}" for player, score in final.scores().items()))
