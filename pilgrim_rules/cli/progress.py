"""Progress of long commands: a bar on a terminal, lines elsewhere.

Reads:  what a command says it has done.   Writes: standard error.
After:  the first line is written before the work begins.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from time import monotonic

import click

_ASKED = f"{__name__}.progress"
EVERY = 5.0  #: seconds between two lines of progress


def _ask(context: click.Context, _option: click.Parameter, value: bool) -> None:  # noqa: FBT001  (click calls it)
    context.meta[_ASKED] = value


progress_option = click.option(
    "--progress", is_flag=True, expose_value=False, callback=_ask, help="Show progress also where there is no terminal."
)


def _silent(_now: str, _done: int, _total: int) -> None:
    """Show nothing."""


@contextmanager
def _lines(title: str) -> Iterator[Callable[[str, int, int], None]]:
    """Write a line at once, one every few seconds and one at the end, for a file or the log of a CI service."""
    begun = said = monotonic()
    count = ""
    click.echo(f"{title} …", err=True)

    def update(now: str, done: int, total: int) -> None:
        nonlocal said, count
        count = f"{done:,} of {total:,}, "
        if monotonic() - said >= EVERY:
            said = monotonic()
            click.echo(f"{title}: {count}{said - begun:.0f} s{f', {now}' if now else ''}", err=True)

    yield update
    click.echo(f"{title}: {count}done in {monotonic() - begun:.0f} s", err=True)


@contextmanager
def progress_bar(title: str, *, always: bool = False) -> Iterator[Callable[[str, int, int], None]]:
    """Show progress; tell it what is done, how many, and of how many.

    On a terminal as a bar; elsewhere as lines if they are asked for, and otherwise not at all, unless `always` is said.
    """
    if not sys.stderr.isatty():
        context = click.get_current_context(silent=True)
        asked = always or (context is not None and context.meta.get(_ASKED))
        with _lines(title) if asked else nullcontext(_silent) as update:
            yield update
        return
    from rich.console import Console  # noqa: PLC0415  (only a terminal needs it)
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

        def update(now: str, done: int, total: int) -> None:
            progress.update(task, completed=done, total=total, now=now)

        yield update
