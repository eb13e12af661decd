"""`pilgrim explore`: every state that can be reached, for instances small enough."""

from __future__ import annotations

from typing import Any

import click

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import InstanceOptions, Reporting, format_option, instance_options
from pilgrim_rules.cli.output import counted, show_json, show_plain
from pilgrim_rules.cli.progress import progress_bar, progress_option
from pilgrim_rules.core.ir import Game
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.evidence.record import PROOFS
from pilgrim_rules.examples import CompiledReadings
from pilgrim_rules.examples.run import arranged
from pilgrim_rules.language.load import read_game
from pilgrim_rules.semantics.state_layout import Position
from verifier.cli.cluster_option import cluster_option, executor_at
from verifier.cli.printing import show_play
from verifier.explore.native_search import PARTS
from verifier.explore.search import explore as search
from verifier.explore.search_result import Exploration
from verifier.explore.state_packing import NeedsCap
from verifier.prove.run import verify_with_lemmas

MEGABYTE = 1 << 20


def named_numbers(context: click.Context, option: click.Parameter, pairs: tuple[str, ...]) -> dict[str, int]:
    """Return what each name is given: `coins=6`."""
    found: dict[str, int] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not value.isdecimal():
            raise click.BadParameter(f"`{pair}` is not of the form NAME=N", context, option)
        found[name] = int(value)
    return found


@click.command(cls=Reporting)
@click.argument("game")
@click.option(
    "--max-states",
    type=click.IntRange(min=1),
    default=50_000_000,
    show_default=True,
    help="Maximum number of states.",
)
@click.option(
    "--memory",
    type=click.IntRange(min=1),
    default=2048,
    show_default=True,
    metavar="MB",
    help="Memory limit for states.",
)
@click.option(
    "--jobs", "-j", type=click.IntRange(min=1, max=64), default=PARTS, show_default=True, help="Number of threads."
)
@click.option("--claims/--no-claims", default=True, help="Check the claims in every state and step.")
@click.option("--audits", is_flag=True, help="Also check the audits.")
@click.option("--secrecy", is_flag=True, help="Also compare all states that look alike to a player.")
@click.option(
    "--symmetry",
    is_flag=True,
    help="Prove the declared symmetries, and keep one of all states that are the same up to them.",
)
@click.option("--ghosts/--no-ghosts", default=True, help="Include ghost variables, which only claims read.")
@click.option("--first", is_flag=True, help="Stop at the first failure.")
@click.option("--from", "example", metavar="EXAMPLE", help="Start from the position of an example.")
@click.option(
    "--cap",
    "caps",
    metavar="NAME=N",
    multiple=True,
    callback=named_numbers,
    help="Upper bound for a counter that has none in the rules. May be given several times.",
)
@cluster_option
@progress_option
@instance_options
@format_option
def explore(
    game: str,
    *,
    max_states: int,
    memory: int,
    jobs: int,
    claims: bool,
    audits: bool,
    secrecy: bool,
    symmetry: bool,
    ghosts: bool,
    first: bool,
    example: str | None,
    caps: dict[str, int],
    cluster: str | None,
    instance: InstanceOptions,
    as_json: bool,
) -> Exit:
    """Visit every state of GAME that can be reached, and check the claims in each.

    A search that closes is a proof for this instance, or for what can follow the position given with --from. Exit code
    1: something is wrong; 3: the budget ended before.
    """
    core = read_game(game, **instance.words())
    start = None if example is None else _position(core, example)
    _must_cap(core, caps)
    if symmetry and (start is not None or audits or cluster is not None):
        raise click.UsageError("--symmetry goes with neither --from nor --audits nor --cluster")
    proved = proved_symmetries(core, jobs) if symmetry else ()
    with executor_at(cluster) as executor, progress_bar(core.name) as tell:
        found = search(
            core,
            max_states=max_states,
            max_bytes=memory * MEGABYTE,
            parts=jobs if executor is None else executor.size,
            executor=executor,
            check=claims,
            audits=audits,
            secrecy=max_states if secrecy else 0,
            ghosts=ghosts,
            stop_at_finding=first,
            start=start,
            caps=caps,
            symmetries=proved,
            progress=lambda told: tell(f"level {told.depth}", told.states, told.states + told.frontier),
        )
    whole = start is None
    if as_json:
        show_json(data(found))
    else:
        show(found, whole=whole)
    return code(found, whole=whole)


def proved_symmetries(core: Game, jobs: int) -> tuple[str, ...]:
    """Return the names of the symmetries of a game that are proved, with all that their proofs rest on; of the others, say so."""
    if not core.symmetries:
        raise click.UsageError(f"{core.name} declares no symmetry")
    report = verify_with_lemmas(core, [f"{core.name}.symmetry.*"], jobs=jobs)
    broken = {
        name: record
        for record in report.records
        if record.kind == "symmetry" and record.verdict not in PROOFS
        for name in (record.claim.rpartition(".")[2],)
    }
    for name, record in broken.items():
        show_plain(f"symmetry {name} is not used: `{record.part}` is {record.verdict}")
    return tuple(each.name for each in core.symmetries if each.name not in broken)


def _must_cap(core: Game, caps: dict[str, int]) -> None:
    """Refuse to search a counter without upper end unless somebody says how far, and a cap of anything else."""
    endless = {variable.name for variable in core.variables if variable.type.is_open}
    for name in caps.keys() - endless:
        help_ = did_you_mean(name, endless)
        what = f"`{name}` is no counter without upper end{f'; {help_}' if help_ else ''}"
        raise click.BadParameter(what, param_hint="'--cap'")
    missing = sorted(endless - caps.keys())
    if missing:
        raise click.UsageError(f"{NeedsCap(tuple(missing))}, such as --cap {missing[0]}=9")


def _position(core: Game, name: str) -> Position:
    """Return the position that an example arranges."""
    for example in core.examples:
        if example.name == name:
            return arranged(CompiledReadings.from_game(core).reading(core), example)
    raise click.BadParameter(
        f"{core.name} has no example `{name}` for {counted(core.players, 'player')}", param_hint="'--from'"
    )


def code(found: Exploration, *, whole: bool = True) -> Exit:
    """Return the exit code of a search, of the whole game or of what can follow a position."""
    if found.findings or (whole and found.closed and found.unreached):
        return Exit.REFUTED
    return Exit.OK if found.closed else Exit.UNSETTLED


def show(found: Exploration, *, whole: bool = True, proved: frozenset[str] = frozenset(), verdict: str = "") -> None:
    """Print what a search has found and how far it came; of the whole game also what never happens in it.

    proved   what need not be met by the search, as a proof or a play shows that it can be.
    verdict  what proofs say of the game, beside a search that ends early.
    """
    for each in found.findings:
        show_plain(f"✗ {each.kind} {each.name}: {each.says} ({counted(each.times, 'time')})")
        show_play(each.moves)
    for name in found.unreached if whole else ():
        if name in proved and not found.closed:
            continue
        show_plain(f"{'✗' if found.closed else '?'} reachable {name}: no state visited satisfies it")
    for name, times in found.actions.items() if whole else ():
        if found.closed and not times:
            show_plain(f"∅ {name} never happens")
    how = "closed: every reachable state was visited" if found.closed else f"not settled: {found.reason}"
    if verdict and not found.closed and not found.findings:
        how = f"the search stopped before it had seen all ({found.reason}), and found nothing wrong; {verdict}"
    orbits = "" if found.stand_for is None else f" up to symmetry ({found.stand_for:,} in all)"
    show_plain(
        f"{found.game}: {counted(found.states, 'state')}{orbits}, {counted(found.transitions, 'step')}, "
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
        **({} if found.stand_for is None else {"stand_for": found.stand_for}),
        "steps": found.transitions,
        "levels": list(found.levels),
        "over": found.finished,
        "findings": findings,
        "witnesses": {each.name: [step.text for step in each.play] for each in found.witnesses},
        "unreached": list(found.unreached),
        "actions": dict(found.actions),
        "seconds": round(found.seconds, 3),
    }
