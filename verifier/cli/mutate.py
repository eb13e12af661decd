"""`pilgrim mutate`: rules with a small mistake in them, and what notices it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import click

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import InstanceOptions, Reporting, format_option, instance_options
from pilgrim_rules.cli.output import counted, show_json, show_plain
from pilgrim_rules.cli.progress import progress_bar, progress_option
from pilgrim_rules.core.fingerprint import fingerprints_of
from pilgrim_rules.core.ir import Game
from pilgrim_rules.evidence import mutant_results
from pilgrim_rules.evidence.mutant_results import MutantResult
from pilgrim_rules.language.load import load_rules, read_games
from pilgrim_rules.util import atomic_write
from verifier.cli.cluster_option import cluster_option, executor_at
from verifier.mutate.campaign import run as campaign
from verifier.mutate.detectors import by_proofs
from verifier.mutate.human_mistakes import HUMAN_KINDS
from verifier.mutate.judge import GAMES, LONGEST, READINGS, STATES
from verifier.mutate.mistake import Mistake
from verifier.mutate.mutants import mistakes
from verifier.mutate.report import BadReasons, MutationReport, read_reasons

SIGNS = {"killed": "✓", "recorded": "~", "survived": "✗", "equivalent": "="}
LEGEND = (
    "signs: ✓ killed: a check fails   ~ recorded: only a recorded game comes out otherwise   ✗ survived: nothing noticed it   "
    "= equivalent: the same game"
)
_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command(cls=Reporting)
@click.argument("game")
@click.option("--sample", type=click.IntRange(min=1), metavar="N", help="Number of mutants (default: all).")
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed of the sample.")
@click.option(
    "--only",
    multiple=True,
    metavar="PATTERN",
    help="Only mutants whose name or clause matches, such as `give.*`.",
)
@click.option(
    "--kind",
    type=click.Choice(("slips", "human", "all")),
    default="slips",
    show_default=True,
    help="Slips of one sign, or mistakes that people make.",
)
@click.option(
    "--jobs", "-j", type=click.IntRange(min=1, max=256), default=1, show_default=True, help="Number of processes."
)
@click.option(
    "--states",
    type=click.IntRange(min=0),
    default=STATES,
    show_default=True,
    help="Maximum number of states to search.",
)
@click.option("--games", type=click.IntRange(min=0), default=GAMES, show_default=True, help="Number of random games.")
@click.option(
    "--longest",
    type=click.IntRange(min=1),
    default=LONGEST,
    show_default=True,
    help="Maximum number of steps in a game.",
)
@click.option(
    "--readings",
    type=click.IntRange(min=0),
    default=READINGS,
    show_default=True,
    help="Number of other options of rulings to try.",
)
@click.option("--proofs", is_flag=True, help="Also run the proofs that may have changed (slow).")
@click.option("--file", type=_FILE, help="Keep the results in this file, and continue it.")
@click.option("--reasons", type=_FILE, help="TOML file with reasons why some mutants may survive.")
@click.option(
    "--evidence",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write the report for the rulebook into this folder.",
)
@click.option(
    "--at-least", type=click.FloatRange(0, 100), metavar="PERCENT", help="Exit code 1 if a smaller share is killed."
)
@click.option("--verbose", "-v", is_flag=True, help="Also print the mutants that were killed.")
@cluster_option
@progress_option
@instance_options
@format_option
def mutate(
    game: str,
    *,
    sample: int | None,
    seed: int,
    only: tuple[str, ...],
    kind: str,
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
    cluster: str | None,
    instance: InstanceOptions,
    as_json: bool,
) -> Exit:
    """Change the rules of GAME in small ways, one at a time, and see whether a check fails.

    Examples, search or play, and proofs if asked for, are tried on each mutant. Exit code 1: fewer than --at-least are
    killed; 130: interrupted, and --file keeps what was judged.
    """
    try:
        known = read_reasons(reasons)
    except BadReasons as problem:
        raise click.ClickException(str(problem)) from None
    tables = read_games(game, **instance.words())[::-1]  # the most players first
    with executor_at(cluster) as executor, progress_bar(tables[0].name) as tell:
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
            only=lambda mistake: _is_of(mistake, kind) and (not only or wanted(mistake, only)),
            file=file,
            reasons=known,
            executor=executor,
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


def _is_of(mistake: Mistake, kind: str) -> bool:
    return kind == "all" or (mistake.kind in HUMAN_KINDS) == (kind == "human")


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
    show_plain(f"\n{LEGEND}\n\nkilled / not, by kind:")
    for kind, (killed, survived) in sorted(found.by_kind().items()):
        show_plain(f"  {kind:<24} {killed:>4} / {survived}")
    show_plain("\nkilled / not, by clause:")
    for clause, (killed, survived) in found.by_clause().items():
        show_plain(f"  {clause or '(no clause)':<24} {killed:>4} / {survived}")
    detectors = ", ".join(f"{times:,} by {name}" for name, times in found.by_detector().items())
    equal = len(found.with_fate("equivalent"))
    show_plain(
        f"\n{found.game}: {counted(len(found.outcomes), 'mutant')} of {found.possible:,}, seed {found.seed}: "
        f"{found.score:.1%} killed ({found.score_with_records:.1%} with recorded games); {detectors}; "
        f"{equal:,} equivalent; {found.seconds:.0f} s"
    )


def _line(each: MutantResult) -> str:
    why = f"  [{each.reason}]" if each.reason else ""
    return f"{SIGNS[each.fate]} {each.name}: {each.says}{why}"


def data(found: MutationReport, tables: Sequence[Game], name: str, instance: InstanceOptions) -> dict[str, Any]:
    """Return a report as plain data, with the line of each mutant and what its death rests on."""
    sources = load_rules(name, **{**instance.words(), "players": tables[0].players}).bag.sources
    spans = {mistake.name: mistake.span for mistake in mistakes(tables[0])}
    prints = {game.players: fingerprints_of(game).named() for game in tables}
    plain = replace(found, outcomes=tuple(_with_fingerprints(each, prints) for each in found.outcomes)).data()
    for each in plain["mutants"]:
        span = spans.get(each["name"])
        if span is not None and span.file in sources:
            each["place"] = {"file": Path(span.file).name, "line": sources[span.file].position(span.start)[0]}
    return plain


def _with_fingerprints(result: MutantResult, prints: Mapping[int, Mapping[str, str]]) -> MutantResult:
    """Return a result with the fingerprints of what the death of the mutant rests on."""
    if result.fate != "killed":
        return result
    examples = (f"example {result.example}",) if result.example else ()
    named = ("rules", *examples, *(f"claim {claim}" for claim in result.claims))
    return replace(result, rests_on={part: prints[result.players][part] for part in named})


def _write(path: Path, plain: dict[str, Any]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write.write(path, mutant_results.to_text(plain))
    except OSError as problem:
        raise click.ClickException(f"cannot write `{path}`: {problem.strerror}") from None
    show_plain(f"mutants in {path}", err=True)
