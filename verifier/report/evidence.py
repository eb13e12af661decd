"""Evidence: what the verifier found, as JSON: the only contract between verification and documents.

Reads:  a report.   Writes: a file that `evidence.schema.json` beside this module describes.
After:  a file is replaced as a whole or not at all. Merging replaces records of the same name, instance and source; every
        other record stays, among them what exploration and fuzzing have found.
"""

from __future__ import annotations

import json
import os
import platform
import tempfile
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeAlias

from verifier.verdict import Picture, Record, Verdict

SCHEMA = "pilgrim-rules/evidence/1"
SCHEMA_FILE = Path(__file__).with_name("evidence.schema.json")

Entry: TypeAlias = dict[str, Any]


class BadEvidence(Exception):
    """The file is no evidence that this version can read; the message says why."""


def tools() -> dict[str, str]:
    """Return the versions of everything a verdict depends on."""
    found = {"python": platform.python_version()}
    for name, package in (("pilgrim-rules", "pilgrim-rules"), ("z3", "z3-solver"), ("cvc5", "cvc5")):
        try:
            found[name] = version(package)
        except PackageNotFoundError:  # a checkout that is not installed, or a solver that is not there
            continue
    return found


def entry(record: Record, instance: Mapping[str, object], source: str = "proof") -> Entry:
    """Return a record as JSON data; what is empty is left out."""
    data: Entry = {
        "name": record.name,
        "kind": record.kind,
        "claim": record.claim,
        "sentence": record.sentence,
        "verdict": str(record.verdict),
        "source": source,
        "instance": dict(instance),
        "method": record.method,
        "reason": record.reason,
        "bounds": list(record.bounds),
        "clauses": list(record.clauses),
        "core": list(record.core),
        "play": list(record.play),
        "picture": None if record.picture is None else _picture(record.picture),
        "fingerprints": dict(record.fingerprints),
        "confirmed": record.confirmed,
        "seconds": record.seconds,
        "rlimit": record.rlimit,
        "queries": record.queries,
        "place": None if record.place is None else dict(zip(("file", "start", "end"), record.place, strict=True)),
    }
    always = ("name", "kind", "claim", "sentence", "verdict", "source", "instance", "method", "fingerprints")
    return {key: value for key, value in data.items() if key in always or value not in (None, "", [], 0, 0.0)}


def record_of(data: object) -> Record | None:
    """Return the record that `entry` has written; None if this is none."""
    try:
        assert isinstance(data, dict)
        picture, place = data.get("picture"), data.get("place")
        return Record(
            name=str(data["name"]),
            kind=data["kind"],
            claim=str(data["claim"]),
            sentence=str(data["sentence"]),
            verdict=Verdict(data["verdict"]),
            method=str(data["method"]),
            reason=str(data.get("reason", "")),
            bounds=tuple(data.get("bounds", ())),
            clauses=tuple(data.get("clauses", ())),
            core=tuple(data.get("core", ())),
            play=tuple(data.get("play", ())),
            picture=None if picture is None else _read_picture(picture),
            fingerprints=dict(data["fingerprints"]),
            confirmed=str(data.get("confirmed", "")),
            seconds=float(data.get("seconds", 0.0)),
            rlimit=int(data.get("rlimit", 0)),
            queries=int(data.get("queries", 0)),
            place=None if place is None else (str(place["file"]), int(place["start"]), int(place["end"])),
        )
    except (AssertionError, AttributeError, KeyError, TypeError, ValueError):
        return None


def document(game: str, entries: Iterable[Entry]) -> Entry:
    """Return a whole evidence file."""
    return {"schema": SCHEMA, "game": game, "tools": tools(), "records": list(entries)}


def read(path: Path) -> Entry:
    """Return an evidence file; an empty one if there is none."""
    if not path.exists():
        return {"schema": SCHEMA, "game": "", "tools": {}, "records": []}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BadEvidence(f"`{path}` cannot be read: {error}") from error
    if not isinstance(data, dict) or data.get("schema") != SCHEMA or not isinstance(data.get("records"), list):
        raise BadEvidence(f"`{path}` is not evidence of the form `{SCHEMA}`")
    if not all(isinstance(each, dict) and isinstance(each.get("name"), str) for each in data["records"]):
        raise BadEvidence(f"`{path}` has a record without a name")
    return data


def merged(old: Entry, game: str, entries: Iterable[Entry]) -> Entry:
    """Return the evidence with some records new; records of other games do not belong together."""
    if old["records"] and old["game"] != game:
        raise BadEvidence(f"this is evidence of `{old['game']}`, not of `{game}`")
    kept = {_key(each): each for each in old["records"]}
    kept |= {_key(each): each for each in entries}
    return document(game, (kept[key] for key in sorted(kept)))


def write(path: Path, data: Entry) -> None:
    """Write a file as a whole: a reader sees the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=path.name, dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(data, file, indent=1, ensure_ascii=False)
            file.write("\n")
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _key(data: Entry) -> tuple[str, str, str]:
    instance = json.dumps(data.get("instance", {}), sort_keys=True)
    return str(data["name"]), instance, str(data.get("source", "proof"))


def _picture(picture: Picture) -> Entry:
    after = None if picture.after is None else {name: list(codes) for name, codes in picture.after.items()}
    before = {name: list(codes) for name, codes in picture.before.items()}
    return {"before": before, "move": picture.move, "after": after}


def _read_picture(data: Entry) -> Picture:
    after = None if data["after"] is None else {str(name): tuple(codes) for name, codes in data["after"].items()}
    return Picture({str(name): tuple(codes) for name, codes in data["before"].items()}, data["move"], after)
