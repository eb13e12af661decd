"""`pilgrim coverage`: how much of the rulebook the rules cite."""

from __future__ import annotations

from dataclasses import asdict

import click

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import InstanceOptions, Reporting, format_option, instance_options
from pilgrim_rules.cli.output import show_json
from pilgrim_rules.inputs.clauses.citations import trace
from pilgrim_rules.inputs.clauses.clause_coverage import cards, cards_to_text, to_json, to_text
from pilgrim_rules.inputs.clauses.clause_coverage import coverage as compare
from pilgrim_rules.language.editions import editions, inventory_of
from pilgrim_rules.language.load import load_rules, read_game


@click.command(cls=Reporting)
@click.argument("game")
@click.option(
    "--open/--no-open", "open_list", default=True, help="List the clauses that are still open, with their text."
)
@click.option(
    "--at-least",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="Exit code 1 if a smaller share of the clauses is traced or waived.",
)
@click.option(
    "--complete",
    is_flag=True,
    help="Exit code 1 if a clause, gap, example, invariant or difference is open.",
)
@instance_options
@format_option
def coverage(
    game: str, *, open_list: bool, at_least: float | None, complete: bool, instance: InstanceOptions, as_json: bool
) -> Exit:
    """Show, for each section of the rulebook of GAME, how many clauses are traced, waived and open.

    A clause counts as `named` if only lines cite it that name something, such as a stage or a type: no rule plays it.

    With `--edition NAME`, of what that edition says.
    """
    loaded = load_rules(game, **instance.words())
    inventory = loaded.inventory
    if inventory is not None and instance.edition in {each.name for each in editions(loaded.game)}:
        inventory = inventory_of(loaded, str(instance.edition))
    if inventory is None:
        raise click.UsageError(f"`{loaded.game.name}` names no clauses: its `game` declaration has no line `clauses`")
    games = [loaded.game]
    if instance.players is None:  # examples may be of one number of players only
        games += [
            read_game(game, **{**instance.words(), "players": each})
            for each in loaded.game.seats
            if each != loaded.game.players
        ]
    found = compare(loaded.game, inventory, *games[1:])
    if as_json:
        show_json(to_json(found, trace(*games)) | {"cards": [asdict(each) for each in cards(loaded.game)]})
    else:
        click.echo(to_text(found, inventory, open_list=open_list))
        if loaded.game.texts:
            click.echo(f"\n{cards_to_text(loaded.game)}")
    whole = found.whole
    reached = 100 * (whole.total - len(whole.open)) / whole.total if whole.total else 100
    missed = at_least is not None and reached < at_least
    return Exit.REFUTED if missed or (complete and not found.is_complete) else Exit.OK
