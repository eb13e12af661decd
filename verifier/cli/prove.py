"""`pilgrim obligations`, `prove` and `cores`: what is to be proved, what is, and what the proofs rest on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from pilgrim_rules import specs
from pilgrim_rules.cli.exits import Exit
from pilgrim_rules.cli.options import Instance, Reporting, format_option, instance_options
from pilgrim_rules.cli.output import counted, show_json, show_plain
from pilgrim_rules.core.ir import Game, Require
from pilgrim_rules.loading import read_game
from verifier.cli.show import FINE, bar, gravest, report_data, show_report
from verifier.obligations import obligations as obligations_of
from verifier.prove import BUDGET, Report, verify, wanted


def proving(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of whatever proves."""
    for option in (
        click.option("--all-rulings", is_flag=True, help="For every option of every ruling, not only the one chosen."),
        click.option("--confirm/--no-confirm", default=True, help="Ask a second solver about each proof."),
        click.option(
            "--budget",
            type=click.IntRange(min=1),
            default=BUDGET,
            show_default=True,
            help="Solver steps for one query; the same on every machine.",
        ),
        click.option("--jobs", "-j", type=click.IntRange(min=1, max=256), help="Processes; one a core if not given."),
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
@proving
@instance_options
@format_option
def prove(games: tuple[str, ...], *, verbose: bool, instance: Instance, as_json: bool, **asked: Any) -> Exit:
    """Prove what is claimed of each GAME; without one, of all games that can be named.

    Exit code 0: all is proved. 1: something is refuted. 3: something is not settled. 4: two solvers disagree.
    """
    reports = []
    for name in games or specs.names():
        reports.append(run(read_game(name, **instance.words()), **asked))
        if not as_json:
            show_report(reports[-1], verbose=verbose)
        if reports[-1].interrupted:
            break
    if as_json:
        show_json({"reports": [report_data(report) for report in reports]})
    return Exit.INTERRUPTED if reports[-1].interrupted else gravest([report.exit_code for report in reports])


@click.command(cls=Reporting)
@click.argument("game")
@proving
@instance_options
@format_option
def cores(game: str, *, instance: Instance, as_json: bool, **asked: Any) -> Exit:
    """Show which lines of the rules each proof rests on, and which requirements no proof needs.

    A core names requirements (with their clauses), other claims, laws and tables. A requirement in no core can be changed
    without any proof noticing.
    """
    core = read_game(game, **instance.words())
    report = run(core, **asked)
    needed = {record.name: _spelled(record.core, _clauses(core)) for record in report.records if record.core}
    used = {label for record in report.records for label in record.core}
    idle = {key: clauses for key, clauses in _clauses(core).items() if f"require:{key}" not in used}
    if as_json:
        show_json({"game": core.name, "cores": needed, "idle": {key: list(clauses) for key, clauses in idle.items()}})
    else:
        for name, labels in needed.items():
            show_plain(f"{name}\n    {', '.join(labels)}")
        show_plain(f"{counted(len(idle), 'requirement')} in no core" + (":" if idle else ""))
        for key, clauses in idle.items():
            show_plain(f"    {key}" + (f" ({', '.join(clauses)})" if clauses else ""))
    unproved = any(record.verdict not in FINE for record in report.records)
    return gravest([report.exit_code]) if unproved else Exit.OK


def run(
    core: Game, *, names: tuple[str, ...], jobs: int | None, budget: int, confirm: bool, all_rulings: bool
) -> Report:
    """Prove, with progress on a terminal."""
    with bar(core.name) as tell:
        return verify(
            core,
            names=names or None,
            jobs=jobs,
            budget=budget,
            confirm=confirm,
            all_rulings=all_rulings,
            progress=lambda record, done, total: tell(record.name, done, total),
        )


def _clauses(core: Game) -> dict[str, tuple[str, ...]]:
    """Return the clauses of every requirement, by its identity in the text."""
    return {line.key: line.clauses for action in core.actions for line in action.guard if isinstance(line, Require)}


def _spelled(labels: tuple[str, ...], clauses: dict[str, tuple[str, ...]]) -> list[str]:
    """Return the labels of a core, a requirement with the clauses it comes from."""
    found = []
    for label in labels:
        cited = clauses.get(label.removeprefix("require:"), ())
        found.append(f"{label} ({', '.join(cited)})" if cited else label)
    return found
