"""`pilgrim check`: every mistake in the rules of the games named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import click

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import Reporting, format_option
from pilgrim_rules.cli.output import counted, show_json, show_mistakes, show_plain
from pilgrim_rules.cli.progress import progress_bar, progress_option
from pilgrim_rules.diagnostics import frames
from pilgrim_rules.diagnostics.bag import Diagnostic, RulesError
from pilgrim_rules.diagnostics.source import SourceFile
from pilgrim_rules.language import find_game, load
from pilgrim_rules.util import processes


@click.command(cls=Reporting)
@click.argument("games", nargs=-1, metavar="[GAME]...")
@progress_option
@format_option
def check(games: tuple[str, ...], *, as_json: bool) -> Exit:
    """Find the mistakes in the rules of each GAME; without one, in all games that can be named.

    Warnings do not change the exit code.
    """
    named = games or find_game.names()
    reports = [(game, *found) for game, found in zip(named, _found_in(named), strict=True)]
    if as_json:
        found = [{"game": game, **frames.to_json(one, sources)} for game, many, sources in reports for one in many]
        show_json({"games": [game for game, _, _ in reports], "diagnostics": found})
    else:
        for game, many, sources in reports:
            show_mistakes(many, sources)
            show_plain(f"{game}: {_summary(many)}")
    errors = any(one.code.severity == "error" for _, many, _ in reports for one in many)
    return Exit.BAD_INPUT if errors else Exit.OK


_Found: TypeAlias = tuple[tuple[Diagnostic, ...], dict[str, SourceFile]]


def _found_in(games: Sequence[str]) -> list[_Found]:
    """Return what there is to say about each game; several are checked on all cores."""
    found = []
    with progress_bar(f"{games[0]}, check" if len(games) == 1 else "check") as tell:
        for game, each in zip(games, processes.in_order(_mistakes, games, size=_size), strict=True):
            found.append(each)
            tell(game, len(found), len(games))
    return found


def _size(game: str) -> int:
    """Return how much there is to read of a game; nothing of one that cannot be found."""
    try:
        return sum(path.stat().st_size for path in find_game.find(game))
    except (OSError, RulesError):
        return 0


def _mistakes(game: str) -> _Found:
    """Return what there is to say about a game; one that cannot be found is a mistake like any other."""
    try:
        bag = load.check(game)
    except RulesError as error:
        return error.diagnostics, error.sources
    return tuple(bag), bag.sources


def _summary(found: tuple[Diagnostic, ...]) -> str:
    errors = sum(one.code.severity == "error" for one in found)
    parts = [
        counted(number, thing) for number, thing in ((errors, "error"), (len(found) - errors, "warning")) if number
    ]
    return ", ".join(parts) or "no mistakes"
