"""`pilgrim obligations`, `prove` and `cores`: what is to be proved, what is, and what the proofs rest on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import shorten
from typing import Any

import click

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import InstanceOptions, Reporting, format_option, instance_options
from pilgrim_rules.cli.output import counted, show_json, show_plain
from pilgrim_rules.cli.progress import progress_bar, progress_option
from pilgrim_rules.core.ir import Game
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.language import find_game
from pilgrim_rules.language.load import load_rules, read_game, read_games
from pilgrim_rules.prose.given_away import given_away
from pilgrim_rules.semantics.observation import has_secrets
from pilgrim_rules.util.collection import with_rare_collection
from verifier.claims.obligations import obligations as obligations_of
from verifier.cli.cluster_option import cluster_option, executor_at
from verifier.cli.every_instance import Asked, every_instance, told_left_out
from verifier.cli.outputs import Outputs, output_options
from verifier.cli.printing import show_outcome, worst_exit_code
from verifier.prove import recipe_file
from verifier.prove.companions import companions_of
from verifier.prove.run import BUDGET, Report, names_of, verify, wanted
from verifier.report.run_result import run_result
from verifier.report.terminal_text import headline


def proving(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of whatever proves."""
    for option in (
        click.option(
            "--all-rulings", is_flag=True, help="Prove for every option of every ruling, not only the chosen ones."
        ),
        click.option("--confirm/--no-confirm", default=True, help="Check each proof with a second solver."),
        click.option("--cache/--no-cache", default=True, help="Use verdicts of earlier runs that are still valid."),
        click.option(
            "--audit",
            type=click.IntRange(min=0),
            default=0,
            metavar="N",
            help="Prove N verdicts from the cache again, chosen at random.",
        ),
        click.option(
            "--budget",
            type=click.IntRange(min=1),
            default=BUDGET,
            show_default=True,
            help="Maximum number of solver steps in a query; the same on every machine.",
        ),
        click.option(
            "--jobs",
            "-j",
            type=click.IntRange(min=1, max=256),
            help="Number of processes (default: one for each core).",
        ),
        cluster_option,
        only_option,
    ):
        command = option(command)
    return command


only_option = click.option(
    "--only",
    "names",
    multiple=True,
    metavar="PATTERN",
    help="Only obligations or claims with this name; * and ? match.",
)


@click.command(cls=Reporting)
@click.argument("game")
@only_option
@instance_options
@format_option
def obligations(game: str, *, names: tuple[str, ...], instance: InstanceOptions, as_json: bool) -> Exit:
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


all_options = click.option(
    "--all-options", is_flag=True, help="Prove for every choice of the set-up, not only the chosen ones."
)


@click.command(cls=Reporting)
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--verbose", "-v", is_flag=True, help="Also print what is proved.")
@click.option("--explain", metavar="CLAIM", help="Prove one claim or obligation, and explain its queries in words.")
@click.option(
    "--each-option",
    is_flag=True,
    help="Prove one game under every other option of its rulings.",
)
@all_options
@click.option("--write-recipes", is_flag=True, help="Keep in the folder of the game how expensive proofs were found.")
@proving
@progress_option
@output_options
@instance_options
@format_option
def prove(
    games: tuple[str, ...],
    *,
    verbose: bool,
    explain: str | None,
    each_option: bool,
    all_options: bool,
    write_recipes: bool,
    outputs: Outputs,
    instance: InstanceOptions,
    as_json: bool,
    **asked: Any,
) -> Exit:
    """Prove what is claimed of each GAME, for every number of players; without one, of all games that can be named.

    Exit code 0: all is proved. 1: something is refuted. 3: something is not settled, or rests on what was not looked at.
    4: two solvers disagree.
    """
    named = games or find_game.names()
    if explain is not None:
        if len(named) != 1:
            raise click.UsageError("--explain is about a claim of one game: name the game")
        return show_explained(read_game(named[0], **instance.words()), explain, asked)
    if each_option:
        from verifier.cli.prove_options import show_each_option  # noqa: PLC0415  (seldom asked for)

        if len(named) != 1:
            raise click.UsageError("--each-option is about one game: name the game")
        every = read_games(named[0], **instance.words())
        if outputs.evidence is not None and len(every) > 1:
            raise click.UsageError("evidence of --each-option is of one number of players: name it with --players")
        outputs.prepare(every[0].name)
        return show_each_option(named[0], every, outputs.evidence, asked)
    outcomes, codes = [], []
    for name in named:
        for each in matching(name, instance, asked, strict=len(named) == 1, all_options=all_options):
            loaded = each.loaded
            outputs.prepare(loaded.game.name)
            near = companions_of(name, loaded.game)
            report = run(loaded.game, beside=near, keep_queries=outputs.queries is not None, **asked)
            found = run_result(loaded, report, edition=instance.edition, map=instance.map)
            outcomes.append(found)
            codes += [report.exit_code, Exit.UNSETTLED if each.left_out else Exit.OK]
            if not as_json:
                show_outcome(found, verbose=verbose, whole=len(named) == 1)
                if verbose and has_secrets(loaded.game):
                    show_plain("what the rules give away:")
                    for told in given_away(loaded.game):
                        show_plain(f"    {told.says}{''.join(f' {clause}' for clause in told.clauses)}")
            if each.left_out:
                show_plain(f"{headline(found)}: {told_left_out(each)}", err=True)
            outputs.keep(found, report, each.part)
            if write_recipes:
                folder = find_game.find(name)[0].parent
                recipe_file.update_recipes(folder, report.recipes, {each.name for each in obligations_of(loaded.game)})
            if found.interrupted:
                break
        if outcomes and outcomes[-1].interrupted:
            break
    if as_json:
        show_json({"reports": [each.data() for each in outcomes]})
    outputs.finish(outcomes)
    return Exit.INTERRUPTED if any(each.interrupted for each in outcomes) else worst_exit_code(codes)


@click.command(cls=Reporting)
@click.argument("game")
@proving
@instance_options
@format_option
def cores(game: str, *, instance: InstanceOptions, as_json: bool, **asked: Any) -> Exit:
    """Show for each clause of the rulebook the guarantees that rest on it, and the clauses that no proof needs.

    A guarantee rests on a clause if its proof needs a line that cites the clause: a requirement, an invariant, a law or a
    table. A clause that no proof needs can be changed without any proof noticing.
    """
    from verifier.report.cores import supports  # noqa: PLC0415  (of this command alone)

    loaded = load_rules(game, **instance.words())
    core, inventory = loaded.game, loaded.inventory
    report = run(core, beside=companions_of(game, core), **asked)
    found = supports(core, report.records, () if inventory is None else inventory.ids())
    idle = [each for each in found if each.is_idle]
    if as_json:
        needed = {record.name: list(record.core) for record in report.records if record.core}
        clauses = {each.clause: {line: list(claims) for line, claims in each.lines.items()} for each in found}
        show_json({"game": core.name, "clauses": clauses, "idle": [each.clause for each in idle], "cores": needed})
        return worst_exit_code([report.exit_code])
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
    return worst_exit_code([report.exit_code])


def show_explained(core: Game, claim: str, asked: dict[str, Any]) -> Exit:
    """Print the queries of a claim in words."""
    from verifier.prove.explain_query import explained, introduced  # noqa: PLC0415  (loads the solver)
    from verifier.prove.settings import ProofSettings  # noqa: PLC0415
    from verifier.prove.settle import Settler  # noqa: PLC0415

    must_match([core], (claim,))
    found = [each for each in obligations_of(core) if wanted(each, (claim,))]
    settler = Settler(core, ProofSettings(asked["budget"], asked["confirm"], asked["all_rulings"]))
    for line in introduced(core, settler, found):
        show_plain(line)
    records = []
    for obligation in found:
        lines, record = explained(settler, obligation)
        show_plain("\n".join((*lines, "")))
        records += [] if record is None else [record]
    return worst_exit_code([Report(core.name, tuple(records)).exit_code])


def matching(
    name: str, instance: InstanceOptions, asked: dict[str, Any], *, strict: bool = True, all_options: bool = False
) -> list[Asked]:
    """Return the instances of a game that have something to prove; if strict, refuse a pattern that matches in none."""
    found = list(every_instance(name, instance, all_rulings=asked["all_rulings"], all_options=all_options))
    if strict:
        must_match([each.loaded.game for each in found], asked["names"])
    names = asked["names"] or None
    return [each for each in found if any(wanted(one, names) for one in obligations_of(each.loaded.game))]


def must_match(games: Sequence[Game], names: tuple[str, ...]) -> None:
    """Refuse a pattern that no obligation has: nothing to prove would look like a success."""
    every = [each for game in games for each in obligations_of(game)] if names else []
    for pattern in names:
        if not any(wanted(each, (pattern,)) for each in every):
            known = {part for each in every for part in (*names_of(each), each.name.rpartition("/")[2])}
            hint = did_you_mean(pattern, known) or "see `pilgrim obligations`"
            raise click.UsageError(f"no obligation of `{games[0].name}` is called `{pattern}`; {hint}")


def run(core: Game, *, names: tuple[str, ...], cluster: str | None, **asked: Any) -> Report:
    """Prove, with progress on a terminal."""
    with executor_at(cluster) as executor, progress_bar(f"{core.name}, proofs") as tell, with_rare_collection():
        return verify(
            core,
            names=names or None,
            executor=executor,
            progress=lambda record, done, total: tell(record.name, done, total),
            **asked,
        )
