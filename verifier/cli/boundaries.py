"""`pilgrim boundaries`: where each rule is just allowed and just refused, and whether it still is."""

from __future__ import annotations

from typing import Any

import click

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import InstanceOptions, Reporting, format_option, instance_options
from pilgrim_rules.cli.output import counted, show_json, show_plain
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.language import find_game
from verifier.cli.every_instance import every_instance
from verifier.mutate.find_boundaries import find_boundaries
from verifier.play.boundaries import read_boundaries, shifted, write_boundaries

SECONDS = 60.0


@click.command(cls=Reporting)
@click.argument("game")
@click.option("--write", is_flag=True, help="Look for more boundaries, and keep them in the folder of the game.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0),
    default=SECONDS,
    show_default=True,
    help="How long --write looks, a table.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed of --write.")
@instance_options
@format_option
def boundaries(game: str, *, write: bool, seconds: float, seed: int, instance: InstanceOptions, as_json: bool) -> Exit:
    """Ask again where each rule of GAME is just allowed and just refused; --write looks for such positions first.

    Kept are a position and a move for each action, argument, player and limit of a requirement, as far as play and examples
    show them. After an edit they tell where a rule became stricter or laxer. Exit code 1: some move is allowed that was
    not, or refused.
    """
    folder = find_game.find(game)[0].parent
    data: list[dict[str, Any]] = []
    wrong = 0
    for each in every_instance(game, instance, all_rulings=False):
        core = each.loaded.game
        if write:
            kept = read_boundaries(folder, core.players)
            write_boundaries(folder, core.players, find_boundaries(core, seconds=seconds, seed=seed, kept=kept))
        kept = read_boundaries(folder, core.players)
        found = list(shifted(compiled(core, ghosts=True), kept))
        wrong += len(found)
        shows = sum(len(one.about) for one in kept)
        allowed = sum(one.allowed for one in kept)
        data.append(
            {
                "players": core.players,
                "boundaries": len(kept),
                "shown": shows,
                "shifted": [{"move": one.says, "about": list(one.boundary.about)} for one in found],
            }
        )
        if not as_json:
            for one in found:
                show_plain(f"✗ {one.says}")
            what = f"{counted(allowed, 'move')} allowed, {len(kept) - allowed:,} refused, which show {shows:,} things"
            show_plain(f"{core.name}, {core.players} players: {what}; {len(found)} elsewhere now")
    if as_json:
        show_json({"game": game, "tables": data})
    return Exit.REFUTED if wrong else Exit.OK
