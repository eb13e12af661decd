"""Evidence: what the documents know of proofs, one file a game.

Reads:  a report.   Writes: `<folder>/<game>.json`, with one record an obligation.
After:  the same verdicts give the same bytes: no time, no machine.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import click

from pilgrim_rules.engine.game import Game
from verifier.prove import Report
from verifier.verdict import Record

FORMAT = "pilgrim-rules/evidence/1"
TOOLS = ("pilgrim-rules", "z3-solver", "cvc5")
#: Fields that say how and where the run went, not what is true.
RUN = ("cached", "picture", "place", "queries", "rlimit", "seconds")


def write(folder: Path, game: Game, report: Report) -> Path:
    """Write the evidence of a game; return the path."""
    path = folder / f"{report.game}.json"
    document = {
        "format": FORMAT,
        "game": report.game,
        "rules": game.fingerprint,
        "tools": dict(_versions()),
        "records": [_record(record) for record in report.records],
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", "utf-8")
    except OSError as problem:
        raise click.ClickException(f"cannot write `{path}`: {problem.strerror}") from None
    return path


def _record(record: Record) -> dict[str, Any]:
    return {name: value for name, value in asdict(record).items() if name not in RUN and value not in ("", (), None)}


def _versions() -> list[tuple[str, str]]:
    found = []
    for tool in TOOLS:
        try:
            found.append((tool, version(tool)))
        except PackageNotFoundError:  # the second solver may be absent
            continue
    return found
