"""Measured rulings: what `readings` has measured, kept in a folder with a play for each ruling that made a difference.

Reads:  a game, what was measured, and the games it was measured in.   Writes: `measured.json`, and records to replay.
After:  each record leads to a position in which two readings of the rules part; no fewer moves led to one in any game. What
        was measured carries the fingerprint of play, so that a reader can tell whether it is about the current rules.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeAlias

from pilgrim_rules.api.game import Game
from pilgrim_rules.api.trace import Record, Trace
from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.core.ghosts import without_ghosts
from pilgrim_rules.core.ir import Game as Core
from pilgrim_rules.semantics.step import AUTO
from pilgrim_rules.util import atomic_write
from verifier.rulings.measure import RandomGame, RulingImpact

FORMAT = "pilgrim-rules/findings/1"
MEASURED = "measured.json"
#: Moves shown of those that only one reading allows.
SHOWN = 3

Data: TypeAlias = dict[str, Any]


def play_fingerprint_of(core: Core) -> str:
    """Return the fingerprint of play, in which claims and ghosts take no part."""
    return Fingerprints(without_ghosts(core)).rules


def write(
    folder: Path, game: Game, seed: int, games: Sequence[RandomGame], found: Sequence[RulingImpact]
) -> list[Path]:
    """Write what was measured, and a record for each ruling that made a difference; return the files.

    What was measured before in the same games of the same rules stays, for rulings that were not measured now.
    """
    folder.mkdir(parents=True, exist_ok=True)
    kept = _kept(folder, game, seed, len(games))
    rulings = [
        _ruling(ruling.name, [each for each in found if each.ruling == ruling.name]) or kept.get(ruling.name)
        for ruling in game.core.rulings
    ]
    data: Data = {
        "format": FORMAT,
        "game": game.instance,
        "rules": play_fingerprint_of(game.core),
        "seed": seed,
        "games": len(games),
        "decisions": sum(each.decisions for each in games),
        "rulings": [each for each in rulings if each is not None],
    }
    paths = [folder / MEASURED]
    atomic_write.write(paths[0], json.dumps(data, indent=1, ensure_ascii=False) + "\n")
    by_number = {each.number: each for each in games}
    for each in data["rulings"]:
        first = each["first"]
        if first is not None:
            paths.append(folder / each["record"])
            _record(game, by_number[first["game"]].moves[: first["moves"]], paths[-1])
    return paths


def _kept(folder: Path, game: Game, seed: int, games: int) -> dict[str, Data]:
    """Return what the folder holds that is about the same games of the same rules, by ruling."""
    try:
        data = read(folder)
    except ValueError:
        return {}
    measured = (data["game"], data["rules"], data["seed"], data["games"])
    if measured != (game.instance, play_fingerprint_of(game.core), seed, games):
        return {}
    return {each["name"]: each for each in data["rulings"]}


def _ruling(name: str, found: Sequence[RulingImpact]) -> Data | None:
    if not found:
        return None
    parted = [each for each in found if each.first is not None]
    least = min(parted, key=lambda each: each.first.moves if each.first else 0, default=None)
    return {
        "name": name,
        "read": any(each.read for each in found),
        "bites": max(each.bites for each in found),
        "parted": max(each.parted for each in found),
        "options": {each.option: {"bites": each.bites, "parted": each.parted} for each in found},
        "option": None if least is None else least.option,
        "first": None if least is None or least.first is None else _first(asdict(least.first)),
        "record": None if least is None else f"{name}.json",
    }


def _first(parting: Data) -> Data:
    return {**parting, **{side: list(parting[side][:SHOWN]) for side in ("here", "there")}}


def _record(game: Game, moves: Sequence[str], path: Path) -> None:
    trace = Trace.start(game)
    trace.play(*moves)
    atomic_write.write(path, trace.to_json(indent=None) + "\n")


def read(folder: Path) -> Data:
    """Return what was measured; ValueError if the folder holds nothing of the kind."""
    try:
        data = json.loads((folder / MEASURED).read_text("utf-8"))
    except OSError as problem:
        raise ValueError(f"cannot read `{folder / MEASURED}`: {problem.strerror}") from None
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or data.get("format") != FORMAT or not _is_well_formed(data):
        raise ValueError(f"`{folder / MEASURED}` holds no findings")
    return data


def _is_well_formed(data: Data) -> bool:
    """Tell whether the rules and the records of findings are named; a record lies in the folder itself."""
    rulings = data.get("rulings")
    return isinstance(data.get("rules"), str) and isinstance(rulings, list) and all(map(_has_record, rulings))


def _has_record(ruling: object) -> bool:
    record = ruling.get("record", 0) if isinstance(ruling, dict) else 0
    return record is None or (isinstance(record, str) and record == Path(record).name)


def refresh(folder: Path, game: Game) -> list[Path]:
    """Write each record again with the fingerprint of the rules as they are; ValueError if play has changed since."""
    data = read(folder)
    if data["rules"] != play_fingerprint_of(game.core):
        raise ValueError("the rules of play have changed since; measure again")
    paths = [folder / each["record"] for each in data["rulings"] if each["record"]]
    for path in paths:
        _record(game, [str(step.move) for step in Record.load(path).steps if step.by != AUTO], path)
    return paths
