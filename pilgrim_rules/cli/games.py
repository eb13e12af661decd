"""`pilgrim games`: the games that can be given by name."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import Reporting, format_option
from pilgrim_rules.cli.output import show_json
from pilgrim_rules.language import find_game


@click.command(cls=Reporting)
@click.option(
    "--figures",
    is_flag=True,
    help="Print a table: clauses, rulings, claims, what is proved, games played, mistakes caught.",
)
@click.option(
    "--evidence",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("docs/evidence"),
    show_default=True,
    metavar="FOLDER",
    help="Where the verdicts of the table are recorded.",
)
@format_option
def games(*, figures: bool, evidence: Path, as_json: bool) -> Exit:
    """List the games that can be named, and where their rules are.

    Besides the shipped games these are the games in the folders that PILGRIM_SPEC names.
    """
    if figures:
        return _figures(evidence, as_json=as_json)
    found = {name: find_game.find(name) for name in find_game.names()}
    if as_json:
        show_json({"games": [{"name": name, "files": list(map(str, files))} for name, files in found.items()]})
    else:
        width = max(map(len, found), default=0)
        for name, files in found.items():
            place = files[0].parent if files[0].name == find_game.HEAD or len(files) > 1 else files[0]
            click.echo(f"{name:{width}}  {place}")
    return Exit.OK


def _figures(evidence: Path, *, as_json: bool) -> Exit:
    from pilgrim_rules.cli.game_figures import figures_of, table  # noqa: PLC0415  (it loads every game)
    from pilgrim_rules.evidence.files import BadEvidence  # noqa: PLC0415  (the same)
    from pilgrim_rules.evidence.mutant_results import BadMutants  # noqa: PLC0415  (the same)

    try:
        rows = [figures_of(name, evidence) for name in find_game.names()]
    except (BadEvidence, BadMutants) as problem:
        raise click.ClickException(str(problem)) from None
    if as_json:
        show_json({"games": [asdict(row) for row in rows]})
    else:
        click.echo(table(rows))
    return Exit.OK
