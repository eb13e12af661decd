"""`pilgrim fuzz`: many random games, each step checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pilgrim_rules.api.game import load
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import InstanceOptions, Reporting, format_option, instance_options
from pilgrim_rules.cli.output import counted, show_json, show_plain
from pilgrim_rules.cli.progress import progress_bar, progress_option
from pilgrim_rules.core.ir import Game as Core
from pilgrim_rules.language.load import load_rules
from verifier.cli.cluster_option import cluster_option, executor_at
from verifier.cli.outputs import Outputs
from verifier.fuzz.campaign import run as campaign
from verifier.fuzz.look_further import look_further
from verifier.fuzz.player import LONGEST
from verifier.fuzz.report import CampaignReport
from verifier.fuzz.unseen import Unseen, unseen_in
from verifier.prove.companions import companions_of
from verifier.prove.run import Report
from verifier.report.run_result import run_result

#: Of what was never seen, this many names are printed.
LISTED = 12

GAMES = 20_000
#: What can only be a bug of ours: two accounts of one play differ, or the engine fails.
OURS = ("agreement", "crash")


@click.command(cls=Reporting)
@click.argument("game")
@click.option(
    "--games", type=click.IntRange(min=1), help=f"Number of games (default: {GAMES:,}, unless --minutes is given)."
)
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), help="Time limit in minutes.")
@click.option(
    "--jobs", "-j", type=click.IntRange(min=1, max=256), default=1, show_default=True, help="Number of processes."
)
@cluster_option
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed. The same seed plays the same games.")
@click.option(
    "--guided/--even", default=True, help="Prefer actions not seen yet, or choose every move with the same probability."
)
@click.option(
    "--random-rulings", "--rulings", "rulings", is_flag=True, help="Choose the options of all rulings at random."
)
@click.option("--random-options", "options", is_flag=True, help="Choose the options of the set-up at random.")
@click.option(
    "--random-edition",
    "--data",
    "data",
    is_flag=True,
    help="Choose other values at random for data that are only assumed.",
)
@click.option(
    "--mcts",
    "thought",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Choose every move by tree search, with N games tried in thought.",
)
@click.option(
    "--further",
    type=click.IntRange(min=0),
    default=0,
    metavar="GAMES",
    help="Look for the rest in this many more games, recorded plays and examples.",
)
@click.option(
    "--longest",
    type=click.IntRange(min=1),
    default=LONGEST,
    show_default=True,
    help="Maximum number of steps in a game.",
)
@click.option(
    "--file",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Keep the campaign in this file, and continue it.",
)
@click.option(
    "--save",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write each failure as a record for `pilgrim replay`.",
)
@click.option(
    "--evidence",
    type=click.Path(file_okay=False, path_type=Path),
    help="Add the result to the evidence in this folder.",
)
@progress_option
@instance_options
@format_option
def fuzz(
    game: str,
    *,
    games: int | None,
    minutes: float | None,
    cluster: str | None,
    further: int,
    save: Path | None,
    evidence: Path | None,
    instance: InstanceOptions,
    as_json: bool,
    **asked: Any,
) -> Exit:
    """Play GAME at random and look for contradictions, broken claims and disagreeing accounts.

    Most games are played natively, with all claims checked after every step; some are looked at thoroughly. A failure is shrunk to a
    minimal play and printed as an `example` to paste into the rules; the next run begins with it.
    """
    if evidence is not None and (asked["rulings"] or asked["options"] or asked["data"]):
        raise click.UsageError("--evidence is of one reading of the rules; leave it out where others are drawn")
    outputs = Outputs(evidence)
    games = GAMES if games is None and minutes is None else games
    with executor_at(cluster) as executor, progress_bar(f"{game}, play", always=True) as tell:
        loaded = load(game, **instance.words(), ghosts=True)
        outputs.prepare(loaded.name)
        asked["jobs"] = asked["jobs"] if executor is None else executor.size
        found = campaign(
            loaded.core,
            games=games,
            minutes=minutes,
            executor=executor,
            instance=loaded.instance,
            remember=True,
            progress=lambda tally: tell(counted(len(tally.failures), "failure"), tally.games, games or tally.games),
            **asked,
        )
        varies = asked["rulings"] or asked["options"] or asked["data"]
        unseen = unseen_in(found, loaded.core, of_one_reading=not varies, values=further > 0 or asked["thought"] > 0)
        if further and not found.interrupted:
            plays = companions_of(game, loaded.core).plays
            more = look_further(loaded.core, found.tally.coverage, plays, games=further, seed=asked["seed"])
            unseen = unseen.without(more.found)
    saved = _save(found, save)
    if evidence is not None:
        nothing, rules = Report(loaded.name, ()), load_rules(game, **instance.words())
        outputs.keep(run_result(rules, nothing, None, found, edition=instance.edition, map=instance.map), nothing)
    if as_json:
        show_json(data(found, loaded.core) | unseen.to_json())
    else:
        show_campaign(found, unseen)
        for path in saved:
            show_plain(f"saved in {path}")
    return Exit.INTERRUPTED if found.interrupted else code(found)


def _save(found: CampaignReport, folder: Path | None) -> list[Path]:
    if folder is None:
        return []
    try:
        return [failure.save(folder) for failure in found.failures]
    except OSError as problem:
        raise click.ClickException(f"cannot write to `{folder}`: {problem.strerror}") from None


def code(found: CampaignReport) -> Exit:
    """Return the exit code of a campaign."""
    names = [failure.name for failure in found.failures]
    if any(name.removeprefix(f"{found.game}.").startswith(OURS) for name in names):
        return Exit.DISAGREEMENT
    return Exit.REFUTED if names else Exit.OK


def show_campaign(found: CampaignReport, unseen: Unseen | None = None) -> None:
    """Print what a campaign has found, and what it has not seen."""
    for failure in found.failures:
        show_plain(f"✗ {failure.name}: {failure.says} ({counted(found.tally.times[failure.name], 'time')})\n")
        show_plain(failure.example)
    for title, names in () if unseen is None else unseen.by_title():
        more = f", and {len(names) - LISTED:,} more (`--format json` has all)" if len(names) > LISTED else ""
        show_plain(f"{title}: {', '.join(names[:LISTED])}{more}")
    tally = found.tally
    drawn = sorted(name for name in tally.rulings)
    if len({name.partition(" = ")[0] for name in drawn}) < len(drawn):
        shown = ", ".join(f"{name} ({tally.rulings[name]:,})" for name in drawn)
        show_plain(f"games under each option: {shown}")
    ended = f"{tally.over:,} to the end" if tally.over < tally.games else "all to the end"
    show_plain(
        f"{found.game}: {counted(tally.games, 'game')} played, {ended}, {counted(tally.steps, 'step')} checked "
        f"({found.mean_length:,.0f} a game, {found.branching:.1f} moves to choose from), "
        f"seed {found.seed}; {counted(len(found.failures), 'failure')}"
    )


def data(found: CampaignReport, game: Core | None = None) -> dict[str, Any]:
    """Return a campaign as plain data; with the game, also what is known of each action and requirement."""
    tally = found.tally
    failures = [
        {
            "name": each.name,
            "says": each.says,
            "times": tally.times[each.name],
            "moves": each.moves,
            "example": each.example,
        }
        for each in found.failures
    ]
    return {
        "game": found.game,
        "seed": found.seed,
        "games": tally.games,
        "over": tally.over,
        "steps": tally.steps,
        "interrupted": found.interrupted,
        "failures": failures,
        "never_made": found.never_made,
        "never_refused": found.never_refused,
        "never_run": found.never_run,
        "length": {"mean": round(found.mean_length, 2), "longest": tally.longest},
        "branching": {"mean": round(found.branching, 2), "widest": tally.widest},
        "rulings": dict(sorted(tally.rulings.items())),
        **({} if game is None else _covered(found, game)),
    }


def _covered(found: CampaignReport, game: Core) -> dict[str, Any]:
    """Return how often each action was made, and each requirement met, refused a move, and refused it alone."""
    words = ("met", "refused", "alone")
    return {
        "actions": {action.name: found.tally.coverage.actions[action.name] for action in game.actions},
        "requirements": {
            key: dict(zip(words, counts, strict=True)) for key, counts in found.by_requirement(game).items()
        },
    }
