"""`pilgrim play`: a game in the terminal, against people or robots."""

from __future__ import annotations

from secrets import randbelow

import click
from rich.console import Console

from pilgrim_rules.cli.exits import Exit
from pilgrim_rules.cli.options import Instance, Reporting, instance_options
from pilgrim_rules.cli.seats import SEATS, Robots, seated
from pilgrim_rules.cli.session import Session
from pilgrim_rules.engine.errors import Contradiction
from pilgrim_rules.engine.game import load
from pilgrim_rules.engine.trace import Trace


@click.command(cls=Reporting)
@click.argument("game")
@click.option(
    "--seat",
    "given",
    multiple=True,
    metavar="PLAYER=SEAT",
    help=f"Who plays: {', '.join(SEATS)}; may be given for each player. A person, if not given.",
)
@click.option("--seed", type=int, help="Of chance and of the robots; the same seed gives the same game.")
@instance_options
def play(game: str, *, given: tuple[str, ...], seed: int | None, instance: Instance) -> Exit:
    """Play GAME in the terminal.

    Type the number of a move or the move itself; `why MOVE` says why a move is not allowed; `help` lists the rest.
    """
    loaded = load(game, **instance.words())
    seats = seated(loaded.players, given)
    seed = randbelow(1 << 32) if seed is None else seed
    console = Console(highlight=False)
    console.print(
        f"{loaded.title} · {', '.join(f'{player}: {seat}' for player, seat in seats.items())} · seed {seed} · `help`",
        markup=False,
    )
    session = Session(Trace.start(loaded, seed), seats, Robots(seed), console, console.input)
    try:
        session.run()
    except Contradiction as problem:
        console.print(f"the rules contradict themselves: {problem}", markup=False, style="red")
        return Exit.REFUTED
    except KeyboardInterrupt:
        console.print()
        return Exit.INTERRUPTED
    return Exit.OK
