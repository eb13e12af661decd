"""`pilgrim coverage`: how much of the rulebook the rules cite."""

from __future__ import annotations

import click

from pilgrim_rules.clauses.coverage import coverage as compare
from pilgrim_rules.clauses.coverage import to_json, to_text
from pilgrim_rules.clauses.trace import trace
from pilgrim_rules.cli.exits import Exit
from pilgrim_rules.cli.options import Instance, Reporting, format_option, instance_options
from pilgrim_rules.cli.output import show_json
from pilgrim_rules.loading import load_rules, read_game


@click.command(cls=Reporting)
@click.argument("game")
@click.option("--open/--no-open", "open_list", default=True, help="List the open clauses with their words.")
@instance_options
@format_option
def coverage(game: str, *, open_list: bool, instance: Instance, as_json: bool) -> Exit:
    """Show, for each section of the rulebook of GAME, how many clauses are traced, waived and open."""
    loaded = load_rules(game, **instance.words())
    if loaded.inventory is None:
        raise click.UsageError(f"`{loaded.game.name}` names no clauses: its `game` declaration has no line `clauses`")
    games = [loaded.game]
    if instance.players is None:  # examples may be of one number of players only
        games += [read_game(game, **{**instance.words(), "players": each}) for each in loaded.game.seats[1:]]
    found = compare(loaded.game, loaded.inventory, *games[1:])
    if as_json:
        show_json(to_json(found, trace(*games)))
    else:
        click.echo(to_text(found, loaded.inventory, open_list=open_list))
    return Exit.OK
