"""`pilgrim moves`: what may be played after some moves."""

from __future__ import annotations

from typing import Any

import click

from pilgrim_rules.api.game import State, load
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import InstanceOptions, Reporting, format_option, instance_options
from pilgrim_rules.cli.output import show_json


@click.command(cls=Reporting)
@click.argument("game")
@click.argument("played", nargs=-1, metavar="[MOVE]...")
@click.option("--seed", type=int, help="Random seed for chance. Without it, outcomes of chance are moves too.")
@instance_options
@format_option
def moves(game: str, played: tuple[str, ...], *, seed: int | None, instance: InstanceOptions, as_json: bool) -> Exit:
    """List the legal moves of GAME after each MOVE has been played.

    A move is written like `drop(e)`. One that is not allowed ends with every reason and exit code 1.
    """
    state = load(game, **instance.words()).start(seed).play(*played)
    if as_json:
        show_json(_form(state))
    elif state.over:
        click.echo(f"the game is over; {' and '.join(state.winners()) or 'nobody'} won")
    else:
        odds = dict(state.outcomes())
        for move in state.moves():
            click.echo(f"{move}  {odds[move]}" if odds else str(move))
    return Exit.OK


def _form(state: State) -> dict[str, Any]:
    return {
        "to_move": state.to_move,
        "stage": state.stage,
        "over": state.over,
        "state": state.fingerprint,
        "moves": [str(move) for move in state.moves()],
        "odds": {str(move): str(odds) for move, odds in state.outcomes()},
        "scores": {player: str(score.total) for player, score in state.scores().items()},
        "winners": state.winners(),
    }
