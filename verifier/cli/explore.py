"""`pilgrim explore`: every state that can be reached, for instances small enough."""

from __future__ import annotations

from typing import Any

import click

from pilgrim_rules.cli.exits import Exit
from pilgrim_rules.cli.options import Instance, Reporting, format_option, instance_options
from pilgrim_rules.cli.output import counted, show_json, show_plain
from pilgrim_rules.core.ir import Game
from pilgrim_rules.engine.layout import Position
from pilgrim_rules.loading import read_game
from verifier.cli.show import bar, show_play
from verifier.examples import arranged
from verifier.explore.findings import Exploration
from verifier.explore.search import explore as search
from verifier.ground import Ground

MEGABYTE = 1 << 20


@click.command(cls=Reporting)
@click.argument("game")
@click.option(
    "--max-states",
    type=click.IntRange(min=1),
    default=50_000_000,
    show_default=True,
    help="States after which to stop.",
)
@click.option(
    "--memory", type=click.IntRange(min=1), default=2048, show_default=True, metavar="MB", help="Memory for states."
)
@click.option("--claims/--no-claims", default=True, help="Ask the claims of every state and step.")
@click.option("--audits", is_flag=True, help="Ask the audits too; slow.")
@click.option("--ghosts/--no-ghosts", default=True, help="With the variables that only claims read.")
@click.option("--first", is_flag=True, help="Stop at the first thing that is wrong.")
@click.option("--from", "example", metavar="EXAMPLE", help="Begin in the position that an example arranges.")
@instance_options
@format_option
def explore(
    game: str,
    *,
    max_states: int,
    memory: int,
    claims: bool,
    audits: bool,
    ghosts: bool,
    first: bool,
    example: str | None,
    instance: Instance,
    as_json: bool,
) -> Exit:
    """Visit every state of GAME that can be reached, and check the claims in each.

    A search that closes is a proof for this instance, or for what can follow the position given with --from. Exit code
    1: something is wrong; 3: the budget ended before.
    """
    core = read_game(game, **instance.words())
    start = None if example is None else _position(core, example)
    with bar(core.name) as tell:
        found = search(
            core,
            max_states=max_states,
            max_bytes=memory * MEGABYTE,
            check=claims,
            audits=audits,
            ghosts=ghosts,
            stop_at_finding=first,
            start=start,
            progress=lambda told: tell(f"level {told.depth}", told.states, told.states + told.frontier),
        )
    whole = start is None
    if as_json:
        show_json(data(found))
    else:
        show(found, whole=whole)
    return code(found, whole=whole)


def _position(core: Game, name: str) -> Position:
    """Return the position that an example arranges."""
    for example in core.examples:
        if example.name == name:
            return arranged(Ground.of(core), example)[0]
    raise click.BadParameter(
        f"{core.name} has no example `{name}` for {counted(core.players, 'player')}", param_hint="'--from'"
    )


def code(found: Exploration, *, whole: bool = True) -> Exit:
    """Return the exit code of a search, of the whole game or of what can follow a position."""
    if found.findings or (whole and found.closed and found.unreached):
        return Exit.REFUTED
    return Exit.OK if found.closed else Exit.UNSETTLED


def show(found: Exploration, *, whole: bool = True) -> None:
    """Print what a search has found and how far it came; of the whole game also what never happens in it."""
    for each in found.findings:
        show_plain(f"✗ {each.kind} {each.name}: {each.says} ({counted(each.times, 'time')})")
        show_play(each.moves)
    for name in found.unreached if whole else ():
        show_plain(f"{'✗' if found.closed else '?'} reachable {name}: no state visited satisfies it")
    for name, times in found.actions.items() if whole else ():
        if found.closed and not times:
            show_plain(f"∅ {name} never happens")
    how = "closed: every reachable state was visited" if found.closed else f"not settled: {found.reason}"
    show_plain(
        f"{found.game}: {counted(found.states, 'state')}, {counted(found.transitions, 'step')}, "
        f"{counted(found.depth, 'level')}, {found.finished:,} over; {found.seconds:.2f} s; {how}"
    )


def data(found: Exploration) -> dict[str, Any]:
    """Return a search as plain data."""
    findings = [
        {"kind": each.kind, "name": each.name, "says": each.says, "times": each.times, "play": each.moves}
        for each in found.findings
    ]
    return {
        "game": found.game,
        "verdict": found.verdict,
        "reason": found.reason,
        "states": found.states,
        "steps": found.transitions,
        "levels": list(found.levels),
        "over": found.finished,
        "findings": findings,
        "witnesses": {each.name: [step.text for step in each.play] for each in found.witnesses},
        "unreached": list(found.unreached),
        "actions": dict(found.actions),
        "seconds": round(found.seconds, 3),
    }
