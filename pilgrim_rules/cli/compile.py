"""`pilgrim compile`: the code that the engine runs."""

from __future__ import annotations

import click

from pilgrim_rules.api.game import load
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import InstanceOptions, Reporting, instance_options


@click.command("compile", cls=Reporting)
@click.argument("game")
@click.option("--emit", type=click.Choice(["python"]), default="python", show_default=True, help="The target language.")
@click.option("--ghosts", is_flag=True, help="Include ghost variables, which only claims read.")
@instance_options
def compile_(game: str, *, emit: str, ghosts: bool, instance: InstanceOptions) -> Exit:
    """Show the source that GAME is compiled to; the engine keeps it in its cache, by fingerprint."""
    del emit  # there is only one so far
    click.echo(load(game, **instance.words(), ghosts=ghosts).code.source, nl=False)
    return Exit.OK
