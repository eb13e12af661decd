"""`pilgrim editions`: in what the editions of a rulebook differ."""

from __future__ import annotations

from dataclasses import asdict

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import Reporting, format_option
from pilgrim_rules.cli.output import show_json
from pilgrim_rules.language.editions import Difference, compare_editions


@click.command(cls=Reporting)
@click.argument("game")
@format_option
def editions(game: str, *, as_json: bool) -> Exit:
    """Show the rulings, data and clauses in which the editions of GAME differ."""
    found = compare_editions(game)
    if as_json:
        names = [{"name": each.name, "title": each.title} for each in found.editions]
        parts = {part: [asdict(each) for each in getattr(found, part)] for part in ("rulings", "data", "clauses")}
        show_json({"editions": names, **parts})
    elif not found.editions:
        click.echo("the rules declare no editions")
    else:
        titles = [each.title for each in found.editions]
        for what, rows in (("ruling", found.rulings), ("data", found.data), ("clause", found.clauses)):
            if rows:
                Console().print(_table(what, titles, rows))
        if not (found.rulings or found.data or found.clauses):
            click.echo("the editions do not differ")
    return Exit.OK


def _table(what: str, titles: list[str], rows: tuple[Difference, ...]) -> Table:
    table = Table(what, *titles)
    for row in rows:
        table.add_row(escape(row.what), *(escape(said) or "-" for said in row.said))
    return table
