"""Progress of long commands: a bar on a terminal, lines elsewhere.

Reads:  what a command says it has done.   Writes: standard error.
After:  whoever starts `pilgrim` reads something within two seconds: the first line of progress, or what the command is doing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Timer
from time import monotonic
from typing import Final

import click

from pilgrim_rules.cli.output import has_spoken, note_output

_ASKED = f"{__name__}.progress"
EVERY = 5.0  #: seconds between two lines of progress


@dataclass(slots=True)
class Patience:
    """Seconds after which somebody who waits wants to know for what; None: nobody waits, this is called by a program."""

    seconds: float | None = None


PATIENCE: Final = Patience()


@contextmanager
def announced(title: str) -> Iterator[None]:
    """Say what is being done if nothing was said for a while."""

    def say() -> None:
        if not has_spoken():
            click.echo(f"{title} …", err=True)

    with _after_a_while(say):
        yield


@contextmanager
def _after_a_while(say: Callable[[], None]) -> Iterator[None]:
    if PATIENCE.seconds is None:
        yield
        return
    timer = Timer(PATIENCE.seconds, say)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _ask(context: click.Context, _option: click.Parameter, value: bool) -> None:  # noqa: FBT001  (click calls it)
    context.meta[_ASKED] = value


progress_option = click.option(
    "--progress", is_flag=True, expose_value=False, callback=_ask, help="Show progress also where there is no terminal."
)


@contextmanager
def _lines(title: str, *, at_once: bool) -> Iterator[Callable[[str, int, int], None]]:
    """Write a line at once or after a while, one every few seconds and one at the end, for a file or the log of a CI service."""
    begun = said = monotonic()
    count, is_shown = "", at_once

    def begin() -> None:
        nonlocal is_shown
        is_shown = True
        click.echo(f"{title} …", err=True)

    def update(now: str, done: int, total: int) -> None:
        nonlocal said, count
        count = f"{done:,} of {total:,}, "
        if is_shown and monotonic() - said >= EVERY:
            said = monotonic()
            click.echo(f"{title}: {count}{said - begun:.0f} s{f', {now}' if now else ''}", err=True)

    if at_once:
        begin()
        yield update
    else:
        with _after_a_while(begin):
            yield update
    if is_shown:
        click.echo(f"{title}: {count}done in {monotonic() - begun:.0f} s", err=True)


@contextmanager
def progress_bar(title: str, *, always: bool = False) -> Iterator[Callable[[str, int, int], None]]:
    """Show progress; tell it what is done, how many, and of how many.

    On a terminal as a bar; elsewhere as lines, at once if they are asked for or `always` is said, otherwise when it takes long.
    """
    note_output()
    if not sys.stderr.isatty():
        context = click.get_current_context(silent=True)
        asked = always or (context is not None and context.meta.get(_ASKED))
        with _lines(title, at_once=bool(asked)) as update:
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
