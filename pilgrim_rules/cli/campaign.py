"""`pilgrim campaign`: several games in a row, in the terminal, with their result."""

from __future__ import annotations

from secrets import randbelow

import click
from rich.console import Console

from pilgrim_rules.api.campaign import campaign as load_campaign
from pilgrim_rules.api.game import State
from pilgrim_rules.api.trace import Trace
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import InstanceOptions, Reporting, instance_options
from pilgrim_rules.cli.seats import SEATS, Robots, parse_seats
from pilgrim_rules.cli.terminal_play import Session
from pilgrim_rules.semantics.errors import Contradiction


@click.command(cls=Reporting)
@click.argument("game")
@click.argument("name", required=False)
@click.option(
    "--seat",
    "given",
    multiple=True,
    metavar="PLAYER=SEAT",
    help=f"Who plays: {', '.join(SEATS)} (default: human).",
)
@click.option("--seed", type=int, help="Random seed of the first game (default: drawn); the others follow.")
@instance_options
def campaign(
    game: str, name: str | None, *, given: tuple[str, ...], seed: int | None, instance: InstanceOptions
) -> Exit:
    """Play the games of a campaign of GAME in the terminal, one after the other, and say what they come to."""
    words = instance.words()
    words.pop("players")
    try:
        found = load_campaign(game, name, **words)
    except ValueError as problem:
        raise click.UsageError(str(problem)) from None
    seed = randbelow(1 << 32) if seed is None else seed
    console = Console(highlight=False)
    ends: list[State] = []
    for number, loaded in enumerate(found.games):
        seats = parse_seats(loaded, given)
        chosen = ", ".join(f"{key} = {each}" for key, each in (loaded.instance["options"] or {}).items())
        console.print(f"{found.title}, game {number + 1} of {len(found.games)} · {chosen} · seed {seed + number}")
        session = Session(Trace.start(loaded, seed + number), seats, Robots(seed + number), console, console.input)
        try:
            session.run()
        except Contradiction as problem:
            console.print(f"the rules contradict themselves: {problem}", markup=False, style="red")
            return Exit.REFUTED
        except KeyboardInterrupt:
            console.print()
            return Exit.INTERRUPTED
        if not session.trace.state.over:
            return Exit.INTERRUPTED
        ends.append(session.trace.state)
        console.print(f"result: {found.result(ends[-1])}")
    outcome = found.outcome(ends)
    told = "" if outcome.rank is None else f": {outcome.rank}"
    console.print(f"{found.title}: {', '.join(map(str, outcome.results))}, in all {outcome.total}{told}", markup=False)
    return Exit.OK
