"""`pilgrim review`: what a reworded clause of the rulebook asks to be looked at again."""

from __future__ import annotations

import click

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import Reporting, format_option
from pilgrim_rules.cli.output import show_json
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.inputs.clauses.citations import trace
from pilgrim_rules.inputs.clauses.reviews import BadReviews, read_reviews, reviews_file, write_reviews
from pilgrim_rules.language.load import load_rules, read_game


@click.command(cls=Reporting)
@click.argument("game")
@click.option("--accept", multiple=True, metavar="CLAUSE", help="The rules agree with this clause as it reads now.")
@click.option("--accept-all", is_flag=True, help="The rules agree with every clause; begins to keep reviews.")
@format_option
def review(game: str, *, accept: tuple[str, ...], accept_all: bool, as_json: bool) -> Exit:
    """List the clauses of GAME that were reworded since the rules were compared with them, and what cites them.

    The wording that was reviewed is kept as `reviewed.json` beside the clauses. Exit code 1 if something is to be reviewed.
    """
    loaded = load_rules(game)
    inventory = loaded.inventory
    if inventory is None:
        raise click.UsageError(f"`{loaded.game.name}` names no clauses: its `game` declaration has no line `clauses`")
    for clause in accept:
        if inventory.find(clause) is None:
            hint = did_you_mean(clause, inventory.ids())
            raise click.UsageError(f"there is no clause `{clause}`{f'; {hint}' if hint else ''}")
    try:
        reviews = read_reviews(inventory)
        if accept or accept_all:
            reviews = reviews.accepted(inventory, inventory.ids() if accept_all else accept)
            write_reviews(inventory, reviews)
    except BadReviews as problem:
        raise click.UsageError(str(problem)) from None
    found = reviews.to_review(inventory)
    games = [loaded.game, *(read_game(game, players=each) for each in loaded.game.seats[1:])] if found else []
    cited = trace(*games)
    lines = {id_: sorted({f"{each.part} {each.item}" for each in cited.get(id_, ())}) for id_ in found}
    if as_json:
        show_json({"reviews": reviews.kept is not None, "to_review": lines})
    elif reviews.kept is None:
        place = reviews_file(inventory)
        click.echo(f"No reviews are kept: `pilgrim review {game} --accept-all` begins `{place}`.")
    elif not found:
        click.echo(f"All {len(inventory.ids()):,} clauses read as they did when the rules were compared with them.")
    else:
        click.echo(f"{len(found):,} clause{' is' if len(found) == 1 else 's are'} to be reviewed:")
        for id_, items in lines.items():
            click.echo(f"\n{id_}: {inventory.describe(id_)}\n  cited by {', '.join(items) or 'nothing'}")
    return Exit.REFUTED if found else Exit.OK
