"""Each option: a game proved under every single other option of its rulings.

Reads:  a game.   Writes: for each option that is not chosen, how many obligations are proved when the rules are read again under
        it, and which are not; all of it as a file.
After:  what is called proved is proved of the rules as they are read under that option, all other rulings as they were. A
        verdict of the default reading is used again only where everything it rests on is the same under the option. What
        was not run is said not to be; a file knows for which rules it was made.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.core.ir import Game
from pilgrim_rules.core.rulings import chosen
from pilgrim_rules.evidence.record import PROOFS, Record
from pilgrim_rules.language.instances import with_rulings
from pilgrim_rules.util import atomic_write
from verifier.claims.obligations import Kind
from verifier.claims.verdict_dependencies import RESTS
from verifier.prove.run import Report

FORMAT = "pilgrim-rules/options/1"
#: What is asked of every reading: that nothing goes wrong. That each line makes a difference is asked of the default reading.
ASKED: frozenset[Kind] = frozenset(
    {
        "law", "range", "defined", "one_side", "one_auto", "no_dead_end", "weights", "initially", "kept", "follows", "step",
        "decreases", "no_ties", "sight", "no_leak", "symmetry",
    }
)  # fmt: skip
#: Lines of a reason that are kept.
LINES = 3


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

    rules   the fingerprint of the game under it.       again    verdicts that were used from another reading.
    open    what is not proved for a reason of its own. resting  how many others are not proved because they rest on that.
    """

    ruling: str
    option: str
    rules: str
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


def prove_each_option(
    game: Game, wanted: Iterable[tuple[str, str]], prove: Callable[[Game, Collection[Kind]], Report]
) -> Iterator[OptionResult]:
    """Prove the game under options, one at a time; `prove` is told the game read again, and what to prove of it."""
    for ruling, option in wanted:
        read_again = with_rulings(game, ((ruling, option),), keep=False)
        report = prove(read_again, ASKED)
        yield _result(ruling, option, read_again, report.records)
        if report.interrupted:
            return


def _result(ruling: str, option: str, game: Game, records: tuple[Record, ...]) -> OptionResult:
    left = [each for each in records if each.verdict not in PROOFS]
    causes = [each for each in left if not each.reason.startswith(RESTS)]
    return OptionResult(
        ruling,
        option,
        Fingerprints(game).whole,
        len(records),
        len(records) - len(left),
        sum(each.cached for each in records),
        tuple(
            OpenObligation(each.name, str(each.verdict), "\n".join(each.reason.splitlines()[:LINES]), len(each.play))
            for each in causes
        ),
        len(left) - len(causes),
    )


# ----------------------------------------------------------------------------------------------------------------- file


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
