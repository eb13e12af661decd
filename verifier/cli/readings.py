"""`pilgrim readings`: how often the options of a ruling make a difference in random play."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Any

import click

from pilgrim_rules.cli.exits import Exit
from pilgrim_rules.cli.options import Instance, Reporting, format_option, instance_options
from pilgrim_rules.cli.output import show_json, show_plain
from pilgrim_rules.engine.game import Game, load
from verifier.cli.show import bar
from verifier.readings import Bite, bites, random_games


@click.command(cls=Reporting)
@click.argument("game")
@click.option("--games", type=click.IntRange(min=1), default=20, show_default=True, help="How many.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed plays the same games.")
@click.option("--only", multiple=True, metavar="RULING", help="Only this ruling; may be given several times.")
@instance_options
@format_option
def readings(game: str, *, games: int, seed: int, only: tuple[str, ...], instance: Instance, as_json: bool) -> Exit:
    """Play GAME at random and say, for each option of each ruling, in how many games it makes a difference.

    The games are played under the rulings that hold, and again under the other option until something differs.
    """
    words = instance.words()
    base = load(game, **words)
    _known(base, only)
    played = random_games(base, games, seed)
    found: list[Bite] = []
    count = sum(len(each.options) - 1 for each in base.core.rulings if not only or each.name in only)
    with bar(base.name) as tell:
        for bite in bites(base, partial(_load, game, words), played, only):
            found.append(bite)
            tell(bite.ruling, len(found), count)
    if as_json:
        show_json([asdict(each) for each in found])
        return Exit.OK
    for each in sorted(found, key=lambda bite: -bite.bites):
        where = "" if each.game is None else f"   first in game {each.game}, after {each.moves} moves ({each.what})"
        show_plain(f"{each.bites:>5}/{each.games}  {each.ruling} = {each.option}{where}")
    return Exit.OK


def _load(game: str, words: dict[str, Any], choice: dict[str, str]) -> Game:
    return load(game, **{**words, "rulings": {**(words["rulings"] or {}), **choice}})


def _known(base: Game, only: tuple[str, ...]) -> None:
    names = {each.name for each in base.core.rulings}
    for name in only:
        if name not in names:
            raise click.UsageError(f"`{base.name}` has no ruling `{name}`")
