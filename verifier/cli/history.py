"""`pilgrim history`: keep what the rules of a game mean, so that pages can say what has changed since."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date as calendar_date
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import Reporting
from pilgrim_rules.cli.output import counted, show_plain
from pilgrim_rules.evidence.history import BadHistory, Change, changes, read_history, version_of, write_history
from pilgrim_rules.language.load import load_rules
from verifier.cli.compare import at_revision, date_of

FOLDER = "docs/history"
_SAYS = {"when": "who or when", "needs": "what it needs", "does": "what it does"}


@click.command(cls=Reporting)
@click.argument("game")
@click.option(
    "--as", "name", metavar="VERSION", help="Keep the rules under this name; without it, only tell what has changed."
)
@click.option(
    "--at", "revision", metavar="REVISION", help="The game as git knows it at this revision (default: as it is)."
)
@click.option("--date", metavar="DATE", help="Date of the version (default: today).")
@click.option("--renamed", multiple=True, metavar="OLD=NEW", help="A rule that changed and has another name since.")
@click.option("--players", type=click.IntRange(min=1), help="Number of players of a new history (default: the fewest).")
@click.option(
    "--history",
    "folder",
    type=click.Path(path_type=Path),
    default=Path(FOLDER),
    show_default=True,
    help="Folder of the files.",
)
def history(
    game: str, *, name: str | None, revision: str | None, date: str | None, renamed: tuple[str, ...],
    players: int | None, folder: Path,
) -> Exit:  # fmt: skip
    """Tell what rules of GAME mean something else than in the last version of its history, and keep them as a version.

    Only meaning counts: comments, citations and local names change nothing. `docs/history/GAME.json` is what pages read to tell
    the history of each rule.
    """
    given = _renamed(renamed)
    try:
        with TemporaryDirectory() as place:
            where = at_revision(game, revision, Path(place)) if revision else game
            head = load_rules(where, players=players)
            path = folder / f"{head.game.name}.json"
            kept = read_history(path)
            if kept.players and players not in (None, kept.players):
                raise click.UsageError(f"{path} is about {kept.players} players")
            wanted = kept.players or head.game.players
            loaded = head if head.game.players == wanted else load_rules(where, players=wanted)
            made = version_of(loaded.game, loaded.inventory, name or "", date or _date(game, revision), given)
    except BadHistory as problem:
        raise click.UsageError(str(problem)) from None
    unknown = [new for new in given if new not in made.rules]
    if unknown:
        raise click.UsageError(f"`{game}` has no rule `{unknown[0]}`")
    before = [each for each in kept.versions if each.name != name]
    if before:
        found = changes(before[-1], made)
        show_plain(f"{counted(len(found), 'rule')} changed since {before[-1].name}.")
        for each in found:
            show_plain(f"  {say_change(each)}")
    if name:
        write_history(path, type(kept)(wanted, kept.versions).with_version(made))
        show_plain(f"{path}: {name}, {counted(len(made.rules), 'rule')}")
    return Exit.OK


def say_change(change: Change) -> str:
    """Return a change on one line."""
    told = [f"called {change.former} before"] if change.former else []
    told += [", ".join(_SAYS[part] for part in change.parts)] if change.parts else []
    return f"{change.kind} {change.rule}" + (f" ({'; '.join(told)})" if told else "")


def _date(game: str, revision: str | None) -> str:
    """Return the date of a revision; without one, today."""
    return date_of(game, revision) if revision else calendar_date.today().isoformat()  # noqa: DTZ011  (the day of whoever keeps it)


def _renamed(given: tuple[str, ...]) -> Mapping[str, str]:
    """Return the new name of each rule with its old one."""
    found: dict[str, str] = {}
    for each in given:
        old, equals, new = each.partition("=")
        if not (old and equals and new):
            raise click.UsageError(f"`{each}` is no renaming: write OLD=NEW")
        found[new] = old
    return found
