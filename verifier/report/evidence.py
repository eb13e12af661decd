"""Evidence: what is known of a game, in one file: the only contract between verification and documents.

Reads:  entries of a run, and the file with those of earlier runs.   Writes: a file; `evidence.schema.json` beside this
        module describes it.
After:  a file is replaced as a whole or not at all. Of the instance that was looked at, earlier entries stay if they
        speak of the very text that the rules have now; other instances stay as they are. Whoever finds the same
        again changes nothing: the times are those of the run that found it first.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pilgrim_rules import files
from verifier.report.entry import BadEntry, Entry, entry_of, plain

FORMAT = "pilgrim-rules/evidence/1"
SCHEMA_FILE = Path(__file__).with_name("evidence.schema.json")


class BadEvidence(Exception):
    """The file is no evidence that this version can read; the message says which and why."""


@dataclass(frozen=True, slots=True, order=True)
class Instance:
    """What was fixed when the game was loaded: players, the option of each ruling, files other than the usual ones."""

    players: int
    rulings: tuple[tuple[str, str], ...] = ()
    edition: str = ""
    map: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that is known of a game, instance by instance."""

    game: str
    instances: Mapping[Instance, tuple[Entry, ...]] = field(default_factory=dict)

    def updated(
        self, instance: Instance, found: Iterable[Entry], today: Mapping[str, str], order: Iterable[str]
    ) -> Evidence:
        """Return the evidence with the entries of a run.

        today  the fingerprints of the rules as they are: earlier entries that speak of another text are dropped.
        order  names of obligations or claims, in the order in which they are to be listed.
        """
        kept = {entry.key: entry for entry in self.instances.get(instance, ()) if entry.is_fresh(today)}
        for entry in found:
            before = kept.get(entry.key)
            kept[entry.key] = before if before is not None and entry.says_the_same(before) else entry
        places = {name: at for at, name in enumerate(order)}
        last = len(places)
        listed = sorted(
            kept.values(), key=lambda each: (places.get(each.name, places.get(each.claim, last)), *each.key)
        )
        return replace(self, instances={**self.instances, instance: tuple(listed)})


# ---------------------------------------------------------------------------------------------------------------- files


def read(path: Path, game: str) -> Evidence:
    """Return the evidence of a game; nothing if there is no file."""
    try:
        data = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return Evidence(game)
    except OSError as problem:
        raise BadEvidence(f"`{path}` cannot be read: {problem.strerror}") from None
    except ValueError as problem:  # not UTF-8, or not JSON
        raise BadEvidence(f"`{path}` is damaged: {problem}; remove it to begin anew") from None
    try:
        found = _evidence(data)
    except BadEntry as problem:
        raise BadEvidence(f"`{path}` is not evidence of the form `{FORMAT}`: {problem}") from None
    if found.game != game:
        raise BadEvidence(f"`{path}` is evidence of `{found.game}`, not of `{game}`")
    return found


def write(path: Path, evidence: Evidence) -> None:
    """Write a file as a whole: whoever reads it sees the old one or the new one."""
    text = to_json(evidence)
    try:
        if path.exists() and path.read_bytes() == text.encode():
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write(path, text)
    except OSError as problem:
        raise BadEvidence(f"`{path}` cannot be written: {problem.strerror}") from None


def to_json(evidence: Evidence) -> str:
    """Return the evidence as JSON, an entry a line, so that a difference between two files can be read."""
    shown = ",\n".join(_instance_text(*each) for each in sorted(evidence.instances.items()))
    head = f'"format": {_text(FORMAT)},\n"game": {_text(evidence.game)}'
    return f'{{\n{head},\n"instances": [\n{shown}\n]\n}}\n'


def _instance_text(instance: Instance, entries: tuple[Entry, ...]) -> str:
    head = _text(instance_data(instance))
    prints: dict[str, str] = {}
    for entry in entries:
        prints.update(entry.about)
    shown = ",\n".join(f"{_text(name)}: {_text(prints[name])}" for name in sorted(prints))
    listed = ",\n".join(_text(plain(entry)) for entry in entries)
    return f'{head[:-1]},\n"fingerprints": {{\n{shown}\n}},\n"records": [\n{listed}\n]}}'


def _text(data: object) -> str:
    return json.dumps(data, ensure_ascii=False)


def instance_data(instance: Instance) -> dict[str, Any]:
    """Return an instance as plain data; what is usual is left out."""
    files = {"edition": instance.edition, "map": instance.map}
    return {
        "players": instance.players,
        "rulings": dict(instance.rulings),
        **{name: value for name, value in files.items() if value},
    }


# -------------------------------------------------------------------------------------------------------------- reading


def _evidence(data: Any) -> Evidence:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadEntry("the format is another one")
    if set(data) != {"format", "game", "instances"} or not isinstance(data["game"], str):
        raise BadEntry("it has a format, a game and instances")
    found: dict[Instance, tuple[Entry, ...]] = {}
    for each in _objects(data["instances"], "`instances`"):
        instance = _instance(each)
        if instance in found:
            raise BadEntry(f"an instance for {instance.players} players is there twice")
        prints = _texts(each.get("fingerprints"), "`fingerprints`")
        found[instance] = tuple(entry_of(one, prints) for one in _objects(each.get("records"), "`records`"))
    return Evidence(data["game"], found)


def _instance(data: dict[str, Any]) -> Instance:
    unknown = set(data) - {"players", "rulings", "edition", "map", "fingerprints", "records"}
    if unknown:
        raise BadEntry(f"an instance has no `{min(unknown)}`")
    players, files = data.get("players"), [data.get(name, "") for name in ("edition", "map")]
    if not isinstance(players, int) or isinstance(players, bool) or players < 1:
        raise BadEntry("`players` is a number of players")
    if not all(isinstance(each, str) for each in files):
        raise BadEntry("`edition` and `map` are names of files")
    return Instance(players, tuple(_texts(data.get("rulings"), "`rulings`").items()), *files)


def _objects(data: object, what: str) -> list[dict[str, Any]]:
    if not isinstance(data, list) or not all(isinstance(each, dict) for each in data):
        raise BadEntry(f"{what} is a list of objects")
    return data


def _texts(data: object, what: str) -> dict[str, str]:
    if not isinstance(data, dict) or not all(isinstance(each, str) for each in data.values()):
        raise BadEntry(f"{what} is an object of texts")
    return data
