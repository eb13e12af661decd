"""`pilgrim compare`: what a change of the rules changes in play."""

from __future__ import annotations

import io
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from pilgrim_rules.api.game import load
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import Reporting, format_option
from pilgrim_rules.cli.output import counted, show_json, show_plain
from pilgrim_rules.cli.progress import progress_bar, progress_option
from pilgrim_rules.language import find_game
from pilgrim_rules.language.load import read_game
from verifier.cli.printing import show_play
from verifier.play.lockstep import Comparison, Lockstep
from verifier.prove.run import BUDGET
from verifier.prove.same_meaning import Sameness, same_meaning
from verifier.rulings.same_effects import with_effects

GAMES = 200
NAMED = 12  #: changed declarations that are named
NOTHING_PROVED = Sameness((), ())
_FILES = ("edition", "map", "preset")


@click.command(cls=Reporting)
@click.argument("old")
@click.argument("new")
@click.option("--players", type=click.IntRange(min=1), help="Number of players (default: the fewest).")
@click.option("--games", type=click.IntRange(min=0), default=GAMES, show_default=True, help="Number of random games.")
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed of the games.")
@click.option(
    "--budget",
    type=click.IntRange(min=0),
    default=BUDGET,
    show_default=True,
    help="Maximum number of solver steps in a query; 0: no proofs.",
)
@click.option("--draw", is_flag=True, help="Draw the position of each difference.")
@progress_option
@format_option
def compare(
    old: str, new: str, *, players: int | None, games: int, seed: int, budget: int, draw: bool, as_json: bool
) -> Exit:
    """Tell in what the game NEW differs from OLD: moves that became legal or illegal, effects, odds, scores, winners.

    OLD and NEW are games, files or folders. `GAME@REVISION` is the game as git knows it; `GAME:last_stick=loses`, `GAME:preset=NAME`,
    `GAME:edition=FILE` is another reading or edition, several with commas. Rules that mean the same are equal in every position, by
    their text or because a solver shows it; the others are played side by side, from the worked examples and from the start. Exit
    code 1 if they differ.
    """
    with _named(old, players) as before, _named(new, players) as after:
        both = Lockstep(load(**before), load(**after))
        proved = NOTHING_PROVED
        if not both.found.declared.is_equal:
            with progress_bar(f"{old}, {new}") as tell:
                proved = _by_solver(both, budget) if budget else proved
        is_equal = both.found.declared.is_equal_if(proved.proved)
        if not is_equal:
            with progress_bar(f"{old}, {new}, play") as tell:
                tell("examples", 0, games)
                both.from_examples(read_game(**before))
                for number in both.from_start(games, seed):
                    tell("play", number, games)
        found = both.found
        if as_json:
            show_json(_data(found, proved))
        else:
            _show(found, proved, both, before, draw=draw)
    return Exit.OK if is_equal or not found.differences else Exit.REFUTED


def _by_solver(both: Lockstep, budget: int) -> Sameness:
    """Return which definitions and actions a solver proves to be equal: first guards, then effects."""
    old, new = both.old.core, both.new.core
    return with_effects(old, new, same_meaning(old, new, budget=budget), budget=budget)


@contextmanager
def _named(text: str, players: int | None) -> Iterator[dict[str, Any]]:
    """Give the words with which the game is loaded that a text names."""
    name, _, choices = text.partition(":") if not Path(text).exists() else (text, "", "")
    words: dict[str, Any] = {"players": players}
    rulings: dict[str, str] = {}
    for choice in filter(None, choices.split(",")):
        key, equals, value = choice.partition("=")
        if not equals:
            raise click.UsageError(
                f"`{choice}` in `{text}` is no choice: write RULING=OPTION, preset=, edition= or map="
            )
        if key in _FILES:
            words[key] = value
        else:
            rulings[key] = value
    known, at, revision = name.partition("@")
    with TemporaryDirectory() as folder:
        path = at_revision(known, revision, Path(folder)) if at else name
        yield {**words, "name": path, "rulings": rulings or None}


def at_revision(name: str, revision: str, folder: Path) -> str:
    """Write the game as a revision of its repository has it; return where."""
    files = find_game.find(name)
    here = files[0].parent if files[0].name == find_game.HEAD else files[0]
    root = here.parent
    if revision.startswith("-"):
        raise click.UsageError(f"`{revision}` is no revision")
    wanted = [here.name, *([find_game.LIB] if (root / find_game.LIB).is_dir() else [])]
    for paths in (wanted, wanted[:1]):  # an old revision may have no modules
        words = ["git", "-C", str(root), "archive", revision, "--", *paths]
        made = subprocess.run(words, capture_output=True, check=False)  # noqa: S603  (a list; the revision is no option)
        if made.returncode == 0:
            break
    else:
        raise click.UsageError(
            f"git does not know `{name}` at `{revision}`: {made.stderr.decode(errors='replace').strip()}"
        )
    with tarfile.open(fileobj=io.BytesIO(made.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return str(folder / here.name)


def date_of(name: str, revision: str) -> str:
    """Return the day on which a revision of a game's repository was made."""
    root = find_game.find(name)[0].parent
    words = ["git", "-C", str(root), "log", "-1", "--format=%cs", "--end-of-options", revision]
    made = subprocess.run(words, capture_output=True, check=False, text=True)  # noqa: S603  (a list; the revision is no option)
    return made.stdout.strip()


def _show(found: Comparison, proved: Sameness, both: Lockstep, before: dict[str, Any], *, draw: bool) -> None:
    known = found.declared
    for title, names in (("changed", known.changed), ("new", known.added), ("gone", known.removed)):
        listed = [name for name in names if name != "rules"]
        if listed:
            show_plain(
                f"{title}: {', '.join(listed[:NAMED])}"
                + (f" and {len(listed) - NAMED:,} more" if len(listed) > NAMED else "")
            )
    actions = sum(name.startswith("action ") for name in known.same)
    if proved.proved:
        show_plain(f"proved equal in every state, by solver: {', '.join(proved.proved)}")
    if known.is_equal_if(proved.proved):
        show_plain(f"Proved equal: the start, the score and {counted(actions, 'action')} mean the same.")
        return
    show_plain(f"{counted(actions, 'action')} the same in every position: they mean the same.\n")
    starts = dict(_starts(both, before)) if draw else {}
    for each in sorted(found.differences.values(), key=lambda one: (len(one.moves), one.kind, one.says)):
        show_plain(f"≠ {each.kind}: {each.says}")
        if each.clauses:
            show_plain(f"    clauses: {', '.join(each.clauses)}")
        show_plain(f"    {f'in the position of the example `{each.example}`' if each.example else 'from the start'}:")
        show_play(each.moves)
        if draw:
            state = starts.get(each.example, both.old.start()).play(*each.moves[:-1])
            show_plain(state.ascii())
    met = f"{counted(found.games, 'game')} and {counted(found.positions, 'position')} compared"
    if found.differences:
        show_plain(f"{counted(len(found.differences), 'difference')} found; {met}")
    else:
        show_plain(f"No difference found; {met}. That is no proof that there is none.")


def _starts(both: Lockstep, before: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    from pilgrim_rules.examples.positions import positions  # noqa: PLC0415  (only to draw)

    yield from positions(both.old, read_game(**before))


def _data(found: Comparison, proved: Sameness) -> dict[str, Any]:
    return {
        "equal": found.declared.is_equal_if(proved.proved),
        "proved": proved.proved,
        "declared": asdict(found.declared),
        "differences": [asdict(each) for each in found.differences.values()],
        "games": found.games,
        "positions": found.positions,
    }
