"""`pilgrim evidence`: whether what is recorded in a folder speaks of the current rules, and of all of them.

Reads:  a folder of evidence, and the games it is of.   Writes: a line a game.
After:  exit code 3 if a record is stale, or if there is none of an obligation and `--without` does not name its number of
        players; with `--strict` also if another version of the prover has made it.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import Reporting, format_option
from pilgrim_rules.cli.output import show_json, show_plain
from pilgrim_rules.core.ir import Game
from pilgrim_rules.evidence import files
from pilgrim_rules.evidence.staleness import Staleness, staleness
from pilgrim_rules.language.load import read_games
from pilgrim_rules.util import processes
from verifier.claims.obligations import obligations


@click.command(cls=Reporting)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--strict", is_flag=True, help="Refuse evidence that another version of the prover has made.")
@click.option(
    "--without",
    "missing",
    multiple=True,
    metavar="GAME=PLAYERS",
    help="Accept that there is none for this number of players.",
)
@format_option
def evidence(folder: Path, games: tuple[str, ...], *, strict: bool, missing: tuple[str, ...], as_json: bool) -> Exit:
    """Say of the evidence in FOLDER what is stale (made for another text of the rules, or by another prover) or missing.

    Exit code 0: all of it counts. 3: something is stale, or an obligation has no record: a run was stopped, looked at a
    part, or is older than the obligation.
    """
    if not folder.is_dir():  # a device is neither file nor folder
        raise click.BadParameter(f"`{folder}` is not a folder", param_hint="FOLDER")
    names = games or files.games_in(folder)
    if not names:
        raise click.ClickException(f"`{folder}` holds no evidence")
    try:
        found = list(processes.in_order(partial(_asked, folder), names, size=partial(_size, folder)))
    except files.BadEvidence as problem:
        raise click.ClickException(str(problem)) from None
    if as_json:
        rows = [
            {"game": each.game, "records": each.records, "stale": each.stale, "other_code": each.other_code,
             "missing": list(each.missing), "without": each.without}
            for each in found
        ]  # fmt: skip
        show_json({"evidence": rows})
    else:
        for each in found:
            show_plain(each.told())
    gaps = {f"{each.game}={players}" for each in found for players in each.without}
    if filled := sorted({each for each in missing if each.partition("=")[0] in names} - gaps):
        raise click.ClickException(f"there is evidence for {', '.join(filled)}; leave `--without` out")
    bad = any(each.stale or each.missing or (strict and each.other_code) for each in found)
    return Exit.UNSETTLED if bad or not gaps <= {*missing} else Exit.OK


def _asked(folder: Path, name: str) -> Staleness:
    """Judge what is recorded of a game, which may be given as a file or a folder: evidence knows it by its own name."""
    games = read_games(name)
    known = games[0].name
    return staleness(files.read(files.file_of(folder, known), known), games, _obligation_names)


def _size(folder: Path, name: str) -> int:
    """Return how much is recorded of a game."""
    file = files.file_of(folder, name)
    return file.stat().st_size if file.is_file() else 0


def _obligation_names(game: Game) -> list[str]:
    """Return what a whole run has a record of; an audit is asked of play alone."""
    return [each.name for each in obligations(game) if each.kind != "audit"]
