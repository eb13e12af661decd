"""`pilgrim vectors`: games with which an implementation in any language can be checked."""

from __future__ import annotations

import json
from typing import Any

import click

from pilgrim_rules.api.game import load
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import InstanceOptions, Reporting, instance_options
from pilgrim_rules.examples.vectors import games_from_examples, head, random_games
from pilgrim_rules.language.load import read_game


@click.command(cls=Reporting)
@click.argument("game")
@click.option("-n", "--number", type=click.IntRange(min=1), default=100, show_default=True, help="Number of games.")
@click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    help="Random seed of the first game; each further game uses the next number.",
)
@click.option(
    "--longest",
    type=click.IntRange(min=1),
    default=10_000,
    show_default=True,
    help="Maximum number of decisions in a game.",
)
@click.option(
    "--examples/--no-examples",
    default=True,
    show_default=True,
    help="Also play on from the position of each worked example.",
)
@instance_options
def vectors(game: str, *, number: int, seed: int, longest: int, examples: bool, instance: InstanceOptions) -> Exit:
    """Write games of GAME with which an implementation in any language can be checked.

    The first line says which game it is and how it starts. Each further line is a game: at each step who decides, every move that is offered,
    some that are refused and by which clauses, the move that is made, what it changes, a hash of the state after it and of what each player
    sees; at the end the score sheets, the winners, and that nothing is offered any more.
    """
    loaded = load(game, **instance.words())
    _line(head(loaded))
    for each in random_games(loaded, range(seed, seed + number), longest):
        _line(each)
    if examples:
        for each in games_from_examples(loaded, read_game(game, **instance.words()), seed):
            _line(each)
    return Exit.OK


def _line(data: dict[str, Any]) -> None:
    click.echo(json.dumps(data, ensure_ascii=False))
