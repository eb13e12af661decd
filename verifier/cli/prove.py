"""`pilgrim obligations`, `prove` and `cores`: what is to be proved, what is, and what the proofs rest on."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import shorten
from typing import Any

import click

from pilgrim_rules import specs
from pilgrim_rules.cli.exits import Exit
from pilgrim_rules.cli.options import Instance, Reporting, format_option, instance_options
from pilgrim_rules.cli.output import counted, show_json, show_plain
from pilgrim_rules.core.ir import Game
from pilgrim_rules.diagnostics.suggest import did_you_mean
from pilgrim_rules.loading import load_rules, read_game
from verifier.beside import beside
from verifier.cli.clusters import cluster_option, executor_at
from verifier.cli.outputs import Outputs, output_options
from verifier.cli.show import bar, gravest, show_outcome
from verifier.obligations import obligations as obligations_of
from verifier.prove import BUDGET, Report, names_of, verify, wanted
from verifier.report.outcome import outcome


def proving(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of whatever proves."""
    for option in (
        click.option("--all-rulings", is_flag=True, help="For every option of every ruling, not only the one chosen."),
        click.option("--confirm/--no-confirm", default=True, help="Ask a second solver about each proof."),
        click.option("--cache/--no-cache", default=True, help="Use verdicts of earlier runs that still stand."),
        click.option(
            "--audit",
            type=click.IntRange(min=0),
            default=0,
            metavar="N",
            help="Prove N of the verdicts from the cache again, picked at random.",
        ),
        click.option(
            "--budget",
            type=click.IntRange(min=1),
            default=BUDGET,
            show_default=True,
            help="Solver steps for one query; the same on every machine.",
        ),
        click.option("--jobs", "-j", type=click.IntRange(min=1, max=256), help="Processes; one a core if not given."),
        cluster_option,
        only_option,
    ):
        command = option(command)
    return command


only_option = click.option(
    "--only", "names", multiple=True, metavar="PATTERN", help="Only obligations or claims of this name; * and ? match."
)


@click.command(cls=Reporting)
@click.argument("game")
@only_option
@instance_options
@format_option
def obligations(game: str, *, names: tuple[str, ...], instance: Instance, as_json: bool) -> Exit:
    """List everything that is claimed of GAME, by its author or by the language itself."""
    core = read_game(game, **instance.words())
    found = [each for each in obligations_of(core) if wanted(each, names or None)]
    if as_json:
        rows = [
            {"name": each.name, "kind": each.kind, "sentence": each.sentence, "clauses": each.clauses} for each in found
        ]
        show_json({"game": core.name, "obligations": rows})
    else:
        for each in found:
            show_plain(f"{each.name}\n    {each.sentence}")
        show_plain(counted(len(found), "obligation"))
    return Exit.OK


@click.command(cls=Reporting)
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--verbose", "-v", is_flag=True, help="Show what is proved, too.")
@click.option(
    "--explain", metavar="CLAIM", help="Show the queries of one claim or obligation in words, and prove only that."
)
@proving
@output_options
@instance_options
@format_option
def prove(
    games: tuple[str, ...],
    *,
    verbose: bool,
    explain: str | None,
    outputs: Outputs,
    instance: Instance,
    as_json: bool,
    **asked: Any,
) -> Exit:
    """Prove what is claimed of each GAME; without one, of all games that can be named.

    Exit code 0: all is proved. 1: something is refuted. 3: something is not settled. 4: two solvers disagree.
    """
    named = games or specs.names()
    if explain is not None:
        if len(named) != 1:
            raise click.UsageError("--explain is about a claim of one game: name the game")
        return show_explained(read_game(named[0], **instance.words()), explain, asked)
    outcomes, codes = [], []
    for name in named:
        loaded = load_rules(name, **instance.words())
        if len(named) == 1:
            must_match(loaded.game, asked["names"])
        outputs.prepare(loaded.game.name)
        near = beside(name, loaded.game, instance.words())
        report = run(loaded.game, beside=near, keep_queries=outputs.queries is not None, **asked)
        found = outcome(loaded, report, edition=instance.edition, map=instance.map)
        outcomes.append(found)
        codes.append(report.exit_code)
        if not as_json:
            show_outcome(found, verbose=verbose, whole=len(named) == 1)
        outputs.keep(found, report)
        if found.interrupted:
            break
    if as_json:
        show_json({"reports": [each.data() for each in outcomes]})
    outputs.finish(outcomes)
    return Exit.INTERRUPTED if any(each.interrupted for each in outcomes) else gravest(codes)


@click.command(cls=Reporting)
@click.argument("game")
@proving
@instance_options
@format_option
def cores(game: str, *, instance: Instance, as_json: bool, **asked: Any) -> Exit:
    """Show for each clause of the rulebook the guarantees that rest on it, and the clauses that no proof needs.

    A guarantee rests on a clause if its proof needs a line that cites the clause: a requirement, an invariant, a law or a
    table. A clause that no proof needs can be changed without any proof noticing.
    """
    from verifier.report.cores import supports  # noqa: PLC0415  (of this command alone)

    loaded = load_rules(game, **instance.words())
    core, inventory = loaded.game, loaded.inventory
    report = run(core, beside=beside(game, core, instance.words()), **asked)
    found = supports(core, report.records, () if inventory is None else inventory.ids())
    idle = [each for each in found if each.is_idle]
    if as_json:
        needed = {record.name: list(record.core) for record in report.records if record.core}
        clauses = {each.clause: {line: list(claims) for line, claims in each.lines.items()} for each in found}
        show_json({"game": core.name, "clauses": clauses, "idle": [each.clause for each in idle], "cores": needed})
        return gravest([report.exit_code])
    for each in found:
        if not each.is_idle:
            says = None if inventory is None else inventory.describe(each.clause)
            show_plain(each.clause if says is None else f"{each.clause}: {shorten(says, 100, placeholder=' …')}")
            for line, claims in each.lines.items():
                if claims:
                    show_plain(f"    {line}: {', '.join(claims)}")
    show_plain(f"{counted(len(idle), 'clause')} of {len(found)} that no proof needs" + (":" if idle else ""))
    for each in idle:
        show_plain(f"    {each.clause} ({', '.join(each.lines)})")
    return gravest([report.exit_code])


def show_explained(core: Game, claim: str, asked: dict[str, Any]) -> Exit:
    """Print the queries of a claim in words."""
    from verifier.explain import explained, introduced  # noqa: PLC0415  (loads the solver)
    from verifier.session import Session  # noqa: PLC0415
    from verifier.settings import Settings  # noqa: PLC0415

    must_match(core, (claim,))
    found = [each for each in obligations_of(core) if wanted(each, (claim,))]
    session = Session(core, Settings(asked["budget"], asked["confirm"], asked["all_rulings"]))
    for line in introduced(core, session, found):
        show_plain(line)
    records = []
    for obligation in found:
        lines, record = explained(session, obligation)
        show_plain("\n".join((*lines, "")))
        records += [] if record is None else [record]
    return gravest([Report(core.name, tuple(records)).exit_code])


def must_match(core: Game, names: tuple[str, ...]) -> None:
    """Refuse a pattern that no obligation has: nothing to prove would look like a success."""
    for pattern in names:
        every = obligations_of(core)
        if not any(wanted(each, (pattern,)) for each in every):
            known = {part for each in every for part in (*names_of(each), each.name.rpartition("/")[2])}
            hint = did_you_mean(pattern, known) or "see `pilgrim obligations`"
            raise click.UsageError(f"no obligation of `{core.name}` is called `{pattern}`; {hint}")


def run(core: Game, *, names: tuple[str, ...], cluster: str | None, **asked: Any) -> Report:
    """Prove, with progress on a terminal."""
    with executor_at(cluster) as executor, bar(core.name) as tell:
        return verify(
            core,
            names=names or None,
            executor=executor,
            progress=lambda record, done, total: tell(record.name, done, total),
            **asked,
        )
