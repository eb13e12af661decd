"""`python -m verifier.soak`: what `make soak` runs."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import click

from pilgrim_rules.cli.options import Reporting
from pilgrim_rules.util import atomic_write
from pilgrim_rules.util.interrupts import terminable
from verifier.soak.plan import SoakTask, plan
from verifier.soak.report import is_another_reading, page
from verifier.soak.run import SoakProgress, run, totals

_FOLDER = click.Path(file_okay=False, path_type=Path)


class _Soak(Reporting):
    """A command of its own, which leaves with its exit code."""

    def invoke(self, ctx: click.Context) -> NoReturn:
        """Run it; a mistake in what is asked for is shown like any other."""
        ctx.exit(super().invoke(ctx))


@click.command(cls=_Soak)
@click.option(
    "--games", type=click.IntRange(min=1), default=1_000_000, show_default=True, help="Number of games of each game."
)
@click.option(
    "--states",
    type=click.IntRange(min=1),
    default=100_000,
    show_default=True,
    help="Total number of states to compare.",
)
@click.option(
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    default=600.0,
    show_default=True,
    help="Time limit in minutes.",
)
@click.option("--only", multiple=True, metavar="GAME", help="Only this game. May be given several times.")
@click.option(
    "--players",
    multiple=True,
    type=click.IntRange(min=1),
    metavar="N",
    help="Only the part of the run for this number of players. May be given several times.",
)
@click.option(
    "--jobs", "-j", type=click.IntRange(min=1, max=256), default=1, show_default=True, help="Number of processes."
)
@click.option(
    "--folder",
    type=_FOLDER,
    default=Path(".pilgrim/soak"),
    show_default=True,
    help="Folder of the results; a later run continues them.",
)
@click.option("--report", type=click.Path(dir_okay=False, path_type=Path), help="Write the report page to this file.")
def main(
    *,
    games: int,
    states: int,
    minutes: float,
    only: tuple[str, ...],
    players: tuple[int, ...],
    jobs: int,
    folder: Path,
    report: Path | None,
) -> int:
    """Play and compare for hours, in pieces: stop it at any time, and start it again to go on.

    Exit code 1: something is wrong; 2: there is no such game; 3: there is more to do; 130: interrupted.
    """

    def report_progress(task: SoakTask, done: SoakProgress) -> None:
        click.echo(f"{task.name}: {done.count:,} of {task.target:,}, {len(done.wrong)} findings")

    with terminable():
        found, stopped = run(plan(games, states, only, players), folder, minutes, report_progress, jobs)
    if report is not None:
        report.parent.mkdir(parents=True, exist_ok=True)
        atomic_write.write(report, page(found, only))
    done = all(count >= target for _, target, count in totals(found))
    wrong = any(not is_another_reading(task, text) for task, each in found.items() for text in each.wrong)
    return 130 if stopped else 1 if wrong else 0 if done else 3


if __name__ == "__main__":
    main()
