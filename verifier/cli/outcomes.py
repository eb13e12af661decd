"""`pilgrim readings --outcomes`: how whole games end under the options of a ruling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from pilgrim_rules.api.game import Game
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.output import show_json, show_plain
from pilgrim_rules.cli.progress import progress_bar
from verifier.rulings.measure import can_part
from verifier.rulings.outcomes import OutcomeChange, by_swing, outcome_change, play_out, write_outcomes


def show_outcomes(
    base: Game,
    others: Sequence[tuple[str, str, Callable[[], Game]]],
    games: int,
    policy: str,
    seed: int,
    write: Path | None,
    *,
    as_json: bool,
) -> Exit:
    """Measure, print and write; an option that no rule looks at is not played."""
    found: list[OutcomeChange] = []
    try:
        ours = play_out(base, games, policy, seed)
    except ValueError as problem:
        raise click.UsageError(str(problem)) from None
    with progress_bar(base.name) as tell:
        for done, (ruling, option, load) in enumerate(others, 1):
            other = load()
            if can_part(base, other, ruling):
                found.append(outcome_change(ruling, option, ours, play_out(other, games, policy, seed)))
            tell(ruling, done, len(others))
    if write is not None:
        try:
            path = write_outcomes(write, base, found, games=games, policy=policy, seed=seed)
        except OSError as problem:
            raise click.ClickException(f"cannot write to `{write}`: {problem.strerror}") from None
    if as_json:
        show_json([asdict(each) for each in by_swing(found)])
        return Exit.OK
    for each in by_swing(found):
        show_plain(_line(each))
    show_plain(f"{games:,} games under each reading; {len(others) - len(found)} options change no rule of this game")
    if write is not None:
        show_plain(f"written to {path}")
    return Exit.OK


def _line(each: OutcomeChange) -> str:
    points = ", ".join(f"{player} {one}" for player, one in each.points.items())
    left = f", {each.unfinished:,} games without an end" if each.unfinished else ""
    winner = f"{each.other_winner.mean:.1%} ± {each.other_winner.error:.1%}"
    return f"{each.ruling} = {each.option}   points {points}; somebody else wins {winner}{left}"
