"""Games written out in a test, in the rules language."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent

from pilgrim_rules.core.ir import Game
from pilgrim_rules.evidence.record import Record
from pilgrim_rules.language.load import read_game
from verifier.prove.run import Report, verify, verify_with_lemmas


def game(text: str, players: int | None = None) -> Game:
    """Return the game that a text describes."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "small.rules"
        path.write_text(dedent(text), "utf-8")
        return read_game(str(path), players=players)


def proved(game: Game, *names: str, **options) -> Report:
    """Settle obligations in this process, with nothing remembered."""
    words = {"jobs": 1, "cache": False, "confirm": False, **options}
    return verify(game, names=names or None, **words)


def proved_with_lemmas(game: Game, *names: str) -> Report:
    """Settle obligations with everything that their proofs rest on."""
    return verify_with_lemmas(game, names, jobs=1, cache=False, confirm=False)


def record(game: Game, name: str, **options) -> Record:
    """Return what is found of one obligation, with everything that its proof rests on."""
    words = {"jobs": 1, "cache": False, "confirm": False, **options}
    report = verify_with_lemmas(game, (name,), **words)
    return next(each for each in report.records if name in (each.name, each.name.partition(".")[2]))
