"""`pilgrim readings`: how often the options of a ruling make a difference in random play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from pilgrim_rules.cli.exits import Exit
from pilgrim_rules.cli.options import Instance, Reporting, format_option, instance_options
from pilgrim_rules.cli.output import show_json, show_plain
from pilgrim_rules.engine.game import Game, load
from verifier import findings
from verifier.cli.show import bar
from verifier.readings import Bite, Played, bite, held, random_games

FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command(cls=Reporting)
@click.argument("game")
@click.option("--games", type=click.IntRange(min=1), default=20, show_default=True, help="How many.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed plays the same games.")
@click.option("--only", multiple=True, metavar="RULING", help="Only this ruling; may be given several times.")
@click.option("--write", type=FOLDER, help="Keep what was measured here, with a record for each ruling that matters.")
@click.option("--renew", type=FOLDER, help="Measure nothing; mark the records kept here as of the rules of today.")
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
    instance: Instance,
    as_json: bool,
) -> Exit:
    """Play GAME at random and say, for each option of each ruling, in how many games it makes a difference.

    The games are played under the rulings that hold, and again under the other option.
    """
    words = instance.words()
    base = load(game, **words)
    _known(base, only)
    if renew is not None:
        return _renew(renew, base)
    played = random_games(base, games, seed)
    with bar(base.name) as tell:
        count = sum(len(each.options) - 1 for each in base.core.rulings if not only or each.name in only)
        found: list[Bite] = []
        for each in _measured(game, words, base, played, only):
            found.append(each)
            tell(each.ruling, len(found), count)
    written = [] if write is None else _written(write, base, seed, played, found)
    if as_json:
        show_json([asdict(each) for each in found])
        return Exit.OK
    for each in sorted(found, key=lambda one: (-one.bites, -one.parted)):
        show_plain(f"{each.bites:>5}/{each.games}  {each.ruling} = {each.option}{_where(each)}")
    if written:
        show_plain(f"{len(written)} files written to {write}")
    return Exit.OK


def _measured(
    game: str, words: dict[str, Any], base: Game, played: Sequence[Played], only: Sequence[str]
) -> Iterator[Bite]:
    for ruling in base.core.rulings:
        for option, _ in ruling.options:
            if option != held(base.core, ruling) and (not only or ruling.name in only):
                chosen = {**(words["rulings"] or {}), ruling.name: option}
                yield bite(base, load(game, **{**words, "rulings": chosen}), ruling.name, option, played)


def _where(found: Bite) -> str:
    if found.first is None:
        return ""
    first = found.first
    share = f"{found.parted} of {found.decisions} decisions"
    return f"   in {share}, first in game {first.game} after {first.moves} moves ({first.what})"


def _written(folder: Path, base: Game, seed: int, played: Sequence[Played], found: Sequence[Bite]) -> list[Path]:
    try:
        return findings.write(folder, base, seed, played, found)
    except OSError as problem:
        raise click.ClickException(f"cannot write to `{folder}`: {problem.strerror}") from None


def _renew(folder: Path, base: Game) -> Exit:
    try:
        paths = findings.renew(folder, base)
    except ValueError as problem:
        raise click.ClickException(str(problem)) from None
    show_plain(f"{len(paths)} records are of the rules of today")
    return Exit.OK


def _known(base: Game, only: tuple[str, ...]) -> None:
    names = {each.name for each in base.core.rulings}
    for name in only:
        if name not in names:
            raise click.UsageError(f"`{base.name}` has no ruling `{name}`")
