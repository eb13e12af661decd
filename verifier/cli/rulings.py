"""`pilgrim readings`: how often the options of a ruling make a difference in play, and how much."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import click

from pilgrim_rules.api.game import Game, load
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import InstanceOptions, Reporting, format_option, instance_options
from pilgrim_rules.cli.output import show_json, show_plain
from pilgrim_rules.cli.progress import progress_bar, progress_option
from verifier.rulings import measured_store
from verifier.rulings.measure import RandomGame, RulingImpact, chosen_option, random_games, ruling_impact

FOLDER = click.Path(file_okay=False, path_type=Path)
#: Games if nothing is said: to look at every position of, and to compare the ends of.
GAMES, WHOLE_GAMES = 20, 1000

#: A ruling, another option of it, and how to load the game under that.
OtherReading: TypeAlias = tuple[str, str, Callable[[], Game]]


@click.command(cls=Reporting)
@click.argument("game")
@click.option(
    "--games", type=click.IntRange(min=1), help=f"Number of games [default: {GAMES}; {WHOLE_GAMES} with --outcomes]."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed. The same seed plays the same games.")
@click.option("--only", multiple=True, metavar="RULING", help="Only this ruling. May be given several times.")
@click.option("--outcomes", is_flag=True, help="Play whole games under both readings, and compare how they end.")
@click.option(
    "--policy",
    default="greedy",
    show_default=True,
    metavar="POLICY",
    help="How players choose in them: random, greedy, swarm or mcts:N.",
)
@click.option(
    "--write", type=FOLDER, help="Write the result into this folder, with a record for each ruling that matters."
)
@click.option(
    "--renew", type=FOLDER, help="Measure nothing; mark the records in this folder as valid for the current rules."
)
@progress_option
@instance_options
@format_option
def readings(
    game: str,
    *,
    games: int | None,
    seed: int,
    only: tuple[str, ...],
    outcomes: bool,
    policy: str,
    write: Path | None,
    renew: Path | None,
    instance: InstanceOptions,
    as_json: bool,
) -> Exit:
    """Play GAME at random and say, for each option of each ruling, in how many games it makes a difference.

    The games are played under the rulings that hold, and every position is looked at again under the other option. With
    --outcomes whole games with the same seeds are played under both, each by its own legal moves; what differs is told as a
    mean with half the width of its 95 % confidence interval.
    """
    words = instance.words()
    base = load(game, **words)
    _known(base, only)
    if renew is not None:
        return _refresh(renew, base)
    others = _others(game, words, base, only)
    if outcomes:
        from verifier.cli.outcomes import show_outcomes  # noqa: PLC0415  (needs NumPy)

        return show_outcomes(base, others, games or WHOLE_GAMES, policy, seed, write, as_json=as_json)
    played = random_games(base, games or GAMES, seed)
    found: list[RulingImpact] = []
    with progress_bar(base.name) as tell:
        for ruling, option, other in others:
            found.append(ruling_impact(base, other(), ruling, option, played))
            tell(ruling, len(found), len(others))
    written = [] if write is None else _written(write, base, seed, played, found)
    if as_json:
        show_json([asdict(each) for each in found])
        return Exit.OK
    for each in sorted(found, key=lambda one: (-one.bites, -one.parted)):
        show_plain(f"{each.bites:>5}/{each.games}  {each.ruling} = {each.option}{_where(each)}")
    if written:
        show_plain(f"{len(written)} files written to {write}")
    return Exit.OK


def _others(game: str, words: dict[str, Any], base: Game, only: Sequence[str]) -> list[OtherReading]:
    """Return every option that is not chosen, and how to load the game under it."""
    return [
        (
            ruling.name,
            option,
            partial(load, game, **{**words, "rulings": {**(words["rulings"] or {}), ruling.name: option}}),
        )
        for ruling in base.core.rulings
        for option, _ in ruling.options
        if option != chosen_option(base.core, ruling) and (not only or ruling.name in only)
    ]


def _where(found: RulingImpact) -> str:
    if found.first is None:
        return ""
    first = found.first
    share = f"{found.parted} of {found.decisions} decisions"
    return f"   in {share}, first in game {first.game} after {first.moves} moves ({first.what})"


def _written(
    folder: Path, base: Game, seed: int, played: Sequence[RandomGame], found: Sequence[RulingImpact]
) -> list[Path]:
    try:
        return measured_store.write(folder, base, seed, played, found)
    except OSError as problem:
        raise click.ClickException(f"cannot write to `{folder}`: {problem.strerror}") from None


def _refresh(folder: Path, base: Game) -> Exit:
    try:
        paths = measured_store.refresh(folder, base)
    except ValueError as problem:
        raise click.ClickException(str(problem)) from None
    show_plain(f"{len(paths)} records are valid for the current rules")
    return Exit.OK


def _known(base: Game, only: tuple[str, ...]) -> None:
    names = {each.name for each in base.core.rulings}
    for name in only:
        if name not in names:
            raise click.UsageError(f"`{base.name}` has no ruling `{name}`")
