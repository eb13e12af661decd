"""`pilgrim perft`: how many plays there are, for whoever implements the same rules."""

from __future__ import annotations

import click

from pilgrim_rules.api.game import Game, State, load
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import InstanceOptions, Reporting, format_option, instance_options
from pilgrim_rules.cli.output import counted, show_json
from pilgrim_rules.examples.positions import position
from pilgrim_rules.language.load import read_game


@click.command(cls=Reporting)
@click.argument("game")
@click.argument("depth", type=click.IntRange(min=0))
@click.option("--from", "example", metavar="EXAMPLE", help="Begin in the position that an example arranges.")
@instance_options
@format_option
def perft(game: str, depth: int, *, example: str | None, instance: InstanceOptions, as_json: bool) -> Exit:
    """Count the plays of GAME with 1, 2, … DEPTH decisions.

    A decision is a player's move or an outcome of chance; what happens by itself is none, and belongs to the decision before it.
    A play that ends earlier is not counted. Two right implementations of the rules agree on every line.
    """
    rules = load(game, **instance.words())
    start = None if example is None else _arranged(rules, game, example, instance)
    counts = []
    for each in range(1, depth + 1):
        counts.append(rules.perft(each, start=start))
        if not as_json:
            click.echo(f"{each:>3}  {counts[-1]:,}")
    if as_json:
        show_json({"game": rules.name, "rules": rules.fingerprint, "from": example, "plays": counts})
    return Exit.OK


def _arranged(rules: Game, game: str, name: str, instance: InstanceOptions) -> State:
    """Return the state that an example arranges."""
    core = read_game(game, **instance.words())
    found = position(rules, core, name)
    if found is None:
        said = f"{core.name} has no example `{name}` for {counted(core.players, 'player')}"
        raise click.BadParameter(said, param_hint="'--from'")
    return found
