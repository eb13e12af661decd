"""Records as plain data, and back.

Reads:  records, or data that may have been read from a file.   Writes: plain data, or records.
After:  `record_of(plain(record)) == record`, whether it was cached left aside; data that are no record give None.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeAlias

from verifier.verdict import Picture, Record, Verdict

Data: TypeAlias = dict[str, Any]


def plain(record: Record) -> Data:
    """Return a record as plain data; what has its default value is left out."""
    made = {
        **{field.name: getattr(record, field.name) for field in fields(Record) if field.name != "cached"},
        "verdict": str(record.verdict),
        "picture": None if record.picture is None else _picture(record.picture),
        "fingerprints": dict(record.fingerprints),
    }
    return {name: _listed(value) for name, value in made.items() if value not in (None, "", (), {}, 0)}


def record_of(data: object) -> Record | None:
    """Return the record that `plain` has written; None if this is none."""
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
            fingerprints=dict(data.get("fingerprints", {})),
            confirmed=str(data.get("confirmed", "")),
            seconds=float(data.get("seconds", 0.0)),
            rlimit=int(data.get("rlimit", 0)),
            queries=int(data.get("queries", 0)),
            place=None if place is None else (str(place[0]), int(place[1]), int(place[2])),
        )
    except (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError):
        return None


def _listed(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _picture(picture: Picture) -> Data:
    return {"before": _position(picture.before), "move": picture.move, "after": _position(picture.after)}


def _position(position: Mapping[str, tuple[int, ...]] | None) -> Data | None:
    return None if position is None else {name: list(codes) for name, codes in position.items()}


def _read_picture(data: Data) -> Picture:
    after = None if data["after"] is None else {str(name): tuple(codes) for name, codes in data["after"].items()}
    return Picture({str(name): tuple(codes) for name, codes in data["before"].items()}, data["move"], after)
