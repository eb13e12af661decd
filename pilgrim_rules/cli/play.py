"""`pilgrim play`: a game in the terminal, against people or robots."""

from __future__ import annotations

from pathlib import Path
from secrets import randbelow

import click
from rich.console import Console

from pilgrim_rules.api.game import Game, load
from pilgrim_rules.api.trace import Trace
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import InstanceOptions, Reporting, instance_options
from pilgrim_rules.cli.seats import SEATS, Robots, parse_seats
from pilgrim_rules.cli.terminal_play import Session
from pilgrim_rules.engine.wasm.types import Unprintable
from pilgrim_rules.semantics.errors import Contradiction
from pilgrim_rules.util import atomic_write


@click.command(cls=Reporting)
@click.argument("game")
@click.option(
    "--seat",
    "given",
    multiple=True,
    metavar="PLAYER=SEAT",
    help=f"Who plays: {', '.join(SEATS)} (default: human).",
)
@click.option("--seed", type=int, help="Random seed (default: drawn). The same seed and moves give the same game.")
@click.option(
    "--html",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Write a page that plays the game in a browser, and end.",
)
@instance_options
def play(game: str, *, given: tuple[str, ...], seed: int | None, html: Path | None, instance: InstanceOptions) -> Exit:
    """Play GAME in the terminal.

    Type the number of a move, or the move itself. `why MOVE` says why a move is not allowed; `help` lists the other
    commands. You are shown only what the player to move may see. A seat `mcts:1s` thinks for a
    second before each move, `mcts:500` plays 500 games in thought. Exit code 1: the rules contradicted themselves.
    """
    loaded = load(game, **instance.words())
    if html is not None:
        _write_page(loaded, html)
        return Exit.OK
    seats = parse_seats(loaded, given)
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
    return Exit.REFUTED if session.contradicted else Exit.OK


def _write_page(game: Game, path: Path) -> None:
    from pilgrim_rules.play_pages.playable import page  # noqa: PLC0415  (only for a page)

    try:
        atomic_write.write(path, page(game))
    except Unprintable as problem:
        raise click.UsageError(f"{game.title} cannot be written as WebAssembly: {problem}") from None
    except OSError as problem:
        raise click.UsageError(f"cannot write `{path}`: {problem.strerror}") from None
