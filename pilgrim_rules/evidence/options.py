"""What is proved under every single other option of the rulings of a game, as a file.

Reads:  what came of options.   Writes: one file a game, in the folder `options` of a folder of evidence.
After:  a file names every option once: with what came of it, or as one that was not run. Each result knows for which rules it
        was made, those read under the option and those of the default reading, and by which code.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.core.ir import Game
from pilgrim_rules.core.rulings import chosen
from pilgrim_rules.util import atomic_write

FORMAT = "pilgrim-rules/options/2"


@dataclass(frozen=True, slots=True)
class OpenObligation:
    """An obligation that is not proved under an option."""

    name: str
    verdict: str
    reason: str
    moves: int = 0  #: of the play that refutes it


@dataclass(frozen=True, slots=True)
class OptionResult:
    """What came of one option.

    rules    the fingerprint of the game under it.       usual  that of the default reading.
    code     the hash of the code that decided.          again  verdicts that were used from another reading.
    open     what is not proved for a reason of its own.
    resting  how many others are not proved because they rest on that.
    """

    ruling: str
    option: str
    rules: str
    usual: str
    code: str
    asked: int
    proved: int
    again: int
    open: tuple[OpenObligation, ...] = ()
    resting: int = 0

    @property
    def complete(self) -> bool:
        """Whether all is proved."""
        return self.asked == self.proved


def other_options(game: Game) -> tuple[tuple[str, str], ...]:
    """Return every option of every ruling that is not chosen."""
    now = dict(chosen(game))
    return tuple(
        (ruling.name, option) for ruling in game.rulings for option, _ in ruling.options if option != now[ruling.name]
    )


def print_of(game: Game) -> str:
    """Return the fingerprint of what is asked of every reading: play and claims. Examples are run under readings of their own."""
    return Fingerprints(replace(game, examples=())).whole


def path_of(folder: Path, game: str) -> Path:
    """Return the file of a game in a folder of evidence."""
    return folder / "options" / f"{game}.json"


def read_options(path: Path) -> dict[str, Any]:
    """Return what a file says; nothing if there is none, or it is of another format."""
    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) and data.get("format") == FORMAT else {}


def result_of(data: Mapping[str, Any]) -> OptionResult:
    """Return a result as it was written."""
    return OptionResult(**{**data, "open": tuple(OpenObligation(**each) for each in data["open"])})


def write_options(path: Path, game: Game, results: Iterable[OptionResult]) -> None:
    """Write what was found; of other options what an earlier run has found for the same number of players stays."""
    now = {(each.ruling, each.option): asdict(each) for each in results}
    before = read_options(path)
    every = other_options(game)
    if before.get("players") == game.players:
        for each in before.get("options", []):
            now.setdefault((each["ruling"], each["option"]), each)
    data = {
        "format": FORMAT,
        "game": game.name,
        "players": game.players,
        "options": [now[each] for each in every if each in now],
        "not_run": [f"{ruling} = {option}" for ruling, option in every if (ruling, option) not in now],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_write.write(path, json.dumps(data, indent=1, ensure_ascii=False) + "\n")
