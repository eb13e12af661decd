"""`pilgrim games`: the games that can be given by name."""

from __future__ import annotations

import click

from pilgrim_rules import specs
from pilgrim_rules.cli.exits import Exit
from pilgrim_rules.cli.options import Reporting, format_option
from pilgrim_rules.cli.output import show_json


@click.command(cls=Reporting)
@format_option
def games(*, as_json: bool) -> Exit:
    """List the games that can be named, and where their rules are.

    Besides the shipped games these are the games in the folders that PILGRIM_SPEC names.
    """
    found = {name: specs.find(name) for name in specs.names()}
    if as_json:
        show_json({"games": [{"name": name, "files": list(map(str, files))} for name, files in found.items()]})
    else:
        width = max(map(len, found), default=0)
        for name, files in found.items():
            place = files[0] if len(files) == 1 else files[0].parent
            click.echo(f"{name:{width}}  {place}")
    return Exit.OK
