"""`pilgrim mutate`: rules with a small mistake in them, and what notices it."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import click

from pilgrim_rules.cli.exits import Exit
from pilgrim_rules.cli.options import Instance, Reporting, format_option, instance_options
from pilgrim_rules.cli.output import counted, show_json, show_plain
from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.core.ir import Game
from pilgrim_rules.loading import load_rules
from verifier.cli.show import bar
from verifier.fuzz.store import write
from verifier.mutate import store
from verifier.mutate.campaign import run as campaign
from verifier.mutate.court import GAMES, LONGEST, READINGS, STATES
from verifier.mutate.mutants import Mistake, mistakes
from verifier.mutate.proofs import by_proofs
from verifier.mutate.report import MutationReport, Outcome
from verifier.mutate.tables import seatings

SIGNS = {"killed": "✓", "recorded": "~", "survived": "✗", "equivalent": "="}
_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command(cls=Reporting)
@click.argument("game")
@click.option("--sample", type=click.IntRange(min=1), metavar="N", help="So many mutants; all if left out.")
@click.option("--seed", type=int, default=0, show_default=True, help="Draws the sample.")
@click.option(
    "--only",
    multiple=True,
    metavar="PATTERN",
    help="Mutants whose name matches, such as `give.*`, or that belong to a clause.",
)
@click.option("--jobs", "-j", type=click.IntRange(min=1, max=256), default=1, show_default=True, help="Processes.")
@click.option("--states", type=click.IntRange(min=0), default=STATES, show_default=True, help="States to search.")
@click.option("--games", type=click.IntRange(min=0), default=GAMES, show_default=True, help="Games of random play.")
@click.option("--longest", type=click.IntRange(min=1), default=LONGEST, show_default=True, help="Steps of one game.")
@click.option(
    "--readings", type=click.IntRange(min=0), default=READINGS, show_default=True, help="Other options of rulings."
)
@click.option("--proofs", is_flag=True, help="Prove again what may have changed; slow.")
@click.option("--file", type=_FILE, help="Keep the outcomes here, and go on with them.")
@click.option("--reasons", type=_FILE, help="TOML that says why some mutants may survive.")
@click.option(
    "--evidence", type=click.Path(file_okay=False, path_type=Path), help="Write the report for the documents."
)
@click.option("--at-least", type=click.FloatRange(0, 100), metavar="PERCENT", help="Fail if fewer are killed.")
@click.option("--verbose", "-v", is_flag=True, help="Show the mutants that were killed, too.")
@instance_options
@format_option
def mutate(
    game: str,
    *,
    sample: int | None,
    seed: int,
    only: tuple[str, ...],
    jobs: int,
    states: int,
    games: int,
    longest: int,
    readings: int,
    proofs: bool,
    file: Path | None,
    reasons: Path | None,
    evidence: Path | None,
    at_least: float | None,
    verbose: bool,
    instance: Instance,
    as_json: bool,
) -> Exit:
    """Make small mistakes in the rules of GAME, one at a time, and see whether anything notices.

    Examples, search or play, and proofs if asked for, are tried on each mutant. Exit code 1: fewer than --at-least are
    killed; 130: interrupted, and --file keeps what was judged.
    """
    try:
        known = store.reasons(reasons)
    except store.BadReasons as problem:
        raise click.ClickException(str(problem)) from None
    tables = seatings(game, instance.words())
    with bar(tables[0].name) as tell:
        found = campaign(
            tables,
            limit=sample,
            seed=seed,
            jobs=jobs,
            max_states=states,
            plays=games,
            longest=longest,
            readings=readings,
            others={"proofs": by_proofs} if proofs else None,
            only=(lambda mistake: wanted(mistake, only)) if only else None,
            file=file,
            reasons=known,
            progress=lambda outcome, number, whole: tell(outcome.name, number, whole),
        )
    if evidence is not None:
        _write(evidence / f"{found.game}.mutants.json", data(found, tables, game, instance))
    if as_json:
        show_json(data(found, tables, game, instance))
    else:
        show(found, verbose=verbose)
    return code(found, at_least)


def wanted(mistake: Mistake, patterns: tuple[str, ...]) -> bool:
    """Return whether a mistake is asked for: by its name, its line, its kind or a clause."""
    texts = (mistake.name, mistake.key, mistake.kind, *mistake.clauses)
    return any(fnmatchcase(text, pattern) for pattern in patterns for text in texts)


def code(found: MutationReport, at_least: float | None) -> Exit:
    """Return the exit code of a campaign."""
    if found.interrupted:
        return Exit.INTERRUPTED
    return Exit.REFUTED if at_least is not None and 100 * found.score < at_least else Exit.OK


def show(found: MutationReport, *, verbose: bool) -> None:
    """Print what was not noticed, how many mutants of each clause were killed, and the score."""
    for each in found.outcomes:
        if verbose or each.fate in ("recorded", "survived"):
            show_plain(_line(each))
    show_plain("\nkilled / not, by clause:")
    for clause, (killed, survived) in found.by_clause().items():
        show_plain(f"  {clause or '(no clause)':<24} {killed:>4} / {survived}")
    killers = ", ".join(f"{times:,} by {name}" for name, times in found.by_killer().items())
    equal = len(found.of("equivalent"))
    show_plain(
        f"\n{found.game}: {counted(len(found.outcomes), 'mutant')} of {found.possible:,}, seed {found.seed}: "
        f"{found.score:.1%} killed ({found.score_with_records:.1%} with recorded games); {killers}; "
        f"{equal:,} equivalent; {found.seconds:.0f} s"
    )


def _line(each: Outcome) -> str:
    why = f"  [{each.reason}]" if each.reason else ""
    return f"{SIGNS[each.fate]} {each.name}: {each.says}{why}"


def data(found: MutationReport, tables: Sequence[Game], name: str, instance: Instance) -> dict[str, Any]:
    """Return a report as plain data, with the line of each mutant and what its death rests on."""
    sources = load_rules(name, **{**instance.words(), "players": tables[0].players}).bag.sources
    spans = {mistake.name: mistake.span for mistake in mistakes(tables[0])}
    prints = {game.players: Fingerprints(game).named() for game in tables}
    plain = found.data()
    for each, outcome in zip(plain["mutants"], found.outcomes, strict=True):
        if outcome.fate == "killed":
            examples = (f"example {outcome.example}",) if outcome.example else ()
            named = ("rules", *examples, *(f"claim {claim}" for claim in outcome.claims))
            each["rests_on"] = {part: prints[outcome.players][part] for part in named}
        span = spans.get(each["name"])
        if span is not None and span.file in sources:
            each["place"] = {"file": Path(span.file).name, "line": sources[span.file].position(span.start)[0]}
    return plain


def _write(path: Path, plain: dict[str, Any]) -> None:
    try:
        write(path, plain)
    except OSError as problem:
        raise click.ClickException(f"cannot write `{path}`: {problem.strerror}") from None
    show_plain(f"mutants in {path}", err=True)
