"""`pilgrim compile`: the code that the engine runs."""

from __future__ import annotations

import click

from pilgrim_rules.cli.exits import Exit
from pilgrim_rules.cli.options import Instance, Reporting, instance_options
from pilgrim_rules.engine.game import load


@click.command("compile", cls=Reporting)
@click.argument("game")
@click.option("--emit", type=click.Choice(["python"]), default="python", show_default=True, help="The target language.")
@click.option("--ghosts", is_flag=True, help="With the variables that only claims read.")
@instance_options
def compile_(game: str, *, emit: str, ghosts: bool, instance: Instance) -> Exit:
    """Show the source that GAME is compiled to; the engine keeps it in its cache, by fingerprint."""
    del emit  # there is only one so far
    click.echo(load(game, **instance.words(), ghosts=ghosts).code.source, nl=False)
    return Exit.OK
