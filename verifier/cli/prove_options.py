"""`pilgrim prove GAME --each-option`: the game under every single other option of its rulings.

Reads:  the words of the command.   Writes: a line an option as soon as it is known, and the file of what was found.
After:  what was found is kept after every option, so that a run that is stopped loses nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.output import counted, show_plain
from pilgrim_rules.cli.progress import progress_bar
from pilgrim_rules.core.ir import Game
from pilgrim_rules.evidence.options import OptionResult, other_options, path_of, print_of, read_options, write_options
from pilgrim_rules.evidence.record import Verdict
from pilgrim_rules.language.instances import with_rulings
from verifier.claims.obligations import Kind
from verifier.cli.printing import worst_exit_code
from verifier.prove.companions import companions_of
from verifier.prove.run import Report, verify
from verifier.rulings.each_option import prove_each_option


def show_each_option(name: str, games: Iterable[Game], folder: Path | None, asked: dict[str, Any]) -> Exit:
    """Prove a game under each other option, for one number of players after the other."""
    codes: list[Exit] = []
    for game in games:
        codes.append(_show_for(name, game, folder, asked))
        if codes[-1] is Exit.INTERRUPTED:
            return Exit.INTERRUPTED
    return worst_exit_code(codes)


def _show_for(name: str, game: Game, folder: Path | None, asked: dict[str, Any]) -> Exit:
    """Prove a game under each other option; an option of which a file in `folder` knows all is left out."""
    every = other_options(game)
    path = None if folder is None else path_of(folder, game.name)
    wanted = [each for each in every if path is None or not _is_known(path, game, each)]
    title = f"{game.name}, {counted(game.players, 'player')}"
    show_plain(f"{title}: {counted(len(every), 'other option')}, {len(wanted)} to prove", err=True)
    found: list[OptionResult] = []
    words = {key: asked[key] for key in ("jobs", "budget", "confirm", "cache")}
    recipes = companions_of(name, game)
    with progress_bar(f"{title}, options", always=True) as tell:

        def prove(read_again: Game, kinds: Collection[Kind]) -> Report:
            return verify(
                read_again,
                kinds=kinds,
                beside=recipes,
                progress=lambda record, _done, _total: tell(record.name, len(found), len(wanted)),
                **words,
            )

        for each in prove_each_option(game, wanted, prove):
            found.append(each)
            tell(f"{each.ruling} = {each.option}", len(found), len(wanted))
            if path is not None:
                write_options(path, game, found)
            show_plain(f"{title}, {_line(each)}")
            if each.resting:
                show_plain(f"    {counted(each.resting, 'obligation')} rest on these:")
            for left in each.open:
                show_plain(f"    {left.name}: {left.verdict}" + (f", in {left.moves} moves" if left.moves else ""))
    if len(found) < len(wanted):
        return Exit.INTERRUPTED
    if any(left.verdict == Verdict.REFUTED for each in found for left in each.open):
        return Exit.REFUTED
    return Exit.OK if all(each.complete for each in found) else Exit.UNSETTLED


def _line(found: OptionResult) -> str:
    count = f"{found.proved:,} of {found.asked:,} proved, {found.again:,} of them as by default"
    return f"{found.ruling} = {found.option}: {'✓' if found.complete else '✗'} {count}"


def _is_known(path: Path, game: Game, option: tuple[str, str]) -> bool:
    """Return whether a file says what came of an option, for the rules as they are read under it today."""
    data = read_options(path)
    if data.get("players") != game.players:
        return False
    kept = next((each for each in data["options"] if (each["ruling"], each["option"]) == option), None)
    return kept is not None and kept["rules"] == print_of(with_rulings(game, (option,), keep=False))
