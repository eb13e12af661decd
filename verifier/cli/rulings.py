"""`pilgrim readings`: how often the options of a ruling make a difference in random play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from pilgrim_rules.api.game import Game, load
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import InstanceOptions, Reporting, format_option, instance_options
from pilgrim_rules.cli.output import show_json, show_plain
from pilgrim_rules.cli.progress import progress_bar, progress_option
from verifier.rulings import measured_store
from verifier.rulings.measure import RandomGame, RulingImpact, chosen_option, random_games, ruling_impact

FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command(cls=Reporting)
@click.argument("game")
@click.option("--games", type=click.IntRange(min=1), default=20, show_default=True, help="Number of games.")
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed. The same seed plays the same games.")
@click.option("--only", multiple=True, metavar="RULING", help="Only this ruling. May be given several times.")
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
    games: int,
    seed: int,
    only: tuple[str, ...],
    write: Path | None,
    renew: Path | None,
    instance: InstanceOptions,
    as_json: bool,
) -> Exit:
    """Play GAME at random and say, for each option of each ruling, in how many games it makes a difference.

    The games are played under the rulings that hold, and again under the other option. The swing is the largest difference in a
    player's points if the same moves are made under both, as long as both allow them.
    """
    words = instance.words()
    base = load(game, **words)
    _known(base, only)
    if renew is not None:
        return _refresh(renew, base)
    played = random_games(base, games, seed)
    with progress_bar(base.name) as tell:
        count = sum(len(each.options) - 1 for each in base.core.rulings if not only or each.name in only)
        found: list[RulingImpact] = []
        for each in _measured(game, words, base, played, only):
            found.append(each)
            tell(each.ruling, len(found), count)
    written = [] if write is None else _written(write, base, seed, played, found)
    if as_json:
        show_json([asdict(each) for each in found])
        return Exit.OK
    for each in sorted(found, key=lambda one: (-one.bites, -one.parted)):
        swing = f", a swing of {each.swing} points" if each.swing else ""
        show_plain(f"{each.bites:>5}/{each.games}  {each.ruling} = {each.option}{_where(each)}{swing}")
    if written:
        show_plain(f"{len(written)} files written to {write}")
    return Exit.OK


def _measured(
    game: str, words: dict[str, Any], base: Game, played: Sequence[RandomGame], only: Sequence[str]
) -> Iterator[RulingImpact]:
    for ruling in base.core.rulings:
        for option, _ in ruling.options:
            if option != chosen_option(base.core, ruling) and (not only or ruling.name in only):
                chosen = {**(words["rulings"] or {}), ruling.name: option}
                yield ruling_impact(base, load(game, **{**words, "rulings": chosen}), ruling.name, option, played)


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
