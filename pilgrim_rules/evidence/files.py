"""Evidence of a game in one file: the only contract between verification and documents.

Reads:  records of a run, and the file with those of earlier runs.   Writes: a compressed file of JSON; `evidence.schema.json`
        beside this module describes it.
After:  `from_text(to_text(evidence)) == evidence`, times left aside. A file is replaced as a whole or not at all. Of the
        instance that was looked at, earlier records stay if they speak of the very text that the rules have now; other
        instances stay as they are, unless their rulings are no more. Whoever finds the same again changes nothing: the times are those of the run that
        found it first.

Everything is written once: the words of an obligation, a clause list, a play, a fingerprint. What is found alike in several
instances is one line that names them, so a hundred readings of the same rules cost little more than one.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from pilgrim_rules.evidence.compact import FORMAT, decode, encode
from pilgrim_rules.evidence.merge_bounds import is_limit
from pilgrim_rules.evidence.record import BadRecord, Record, Verdict
from pilgrim_rules.util import atomic_write

SCHEMA_FILE = Path(__file__).with_name("evidence.schema.json")
#: How the file of a game ends.
SUFFIX = ".json.gz"


class BadEvidence(Exception):
    """The file is no evidence that this version can read; the message says which and why."""


@dataclass(frozen=True, slots=True, order=True)
class Instance:
    """What was fixed when the game was loaded: players, rulings, files other than the usual ones, and options."""

    players: int
    rulings: tuple[tuple[str, str], ...] = ()
    edition: str = ""
    map: str = ""
    options: tuple[tuple[str, str], ...] = ()

    def is_outdated_by(self, other: Instance) -> bool:
        """Return whether its rules are no more: for as many players there are other rulings or options now."""
        mine, now = ({name for name, _ in (*each.rulings, *each.options)} for each in (self, other))
        return self.players == other.players and mine != now


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that is known of a game, instance by instance."""

    game: str
    instances: Mapping[Instance, tuple[Record, ...]] = field(default_factory=dict)

    def updated(
        self, instance: Instance, found: Iterable[Record], today: Mapping[str, str], order: Iterable[str]
    ) -> Evidence:
        """Return the evidence with the records of a run.

        today  the fingerprints of the rules as they are: earlier records that speak of another text are dropped.
        order  names of obligations or claims, in the order in which they are to be listed.
        """
        kept = {record.key: record for record in self.instances.get(instance, ()) if record.is_fresh(today)}
        for record in map(_kept, found):
            before = kept.get(record.key)
            kept[record.key] = before if before is not None and record.says_the_same(before) else record
        places = {name: at for at, name in enumerate(order)}
        last = len(places)
        listed = sorted(
            kept.values(), key=lambda each: (places.get(each.name, places.get(each.claim, last)), *each.key)
        )
        others = {each: records for each, records in self.instances.items() if not each.is_outdated_by(instance)}
        return replace(self, instances={**others, instance: tuple(listed)})


def _kept(record: Record) -> Record:
    """Return what is kept of a record: whole states are for whoever runs the verifier, not for a file.

    A proof that rests on something its run has not looked at is kept as a proof: whoever reads the file sees whether
    what it rests on is proved there (`judged.Part.standing`).
    """
    if record.verdict is Verdict.CONDITIONAL:
        limited = any(map(is_limit, record.bounds))
        _, _, reason = record.reason.partition("\n")
        record = replace(record, verdict=Verdict.LIMITED if limited else Verdict.PROVED, reason=reason)
    return replace(record, picture=None, core=tuple(sorted(record.core)), seconds=round(record.seconds, 2))


def file_of(folder: Path, game: str) -> Path:
    """Return where the evidence of a game is kept in a folder of evidence."""
    return folder / f"{game}{SUFFIX}"


def games_in(folder: Path) -> tuple[str, ...]:
    """Return the games of which a folder has evidence."""
    return tuple(sorted(path.name.removesuffix(SUFFIX) for path in folder.glob(f"*{SUFFIX}")))


def read_text(path: Path) -> str:
    """Return the JSON of a file; `BadEvidence` if it cannot be read."""
    try:
        return gzip.decompress(path.read_bytes()).decode()
    except (EOFError, UnicodeDecodeError, gzip.BadGzipFile, zlib.error) as problem:
        raise BadEvidence(f"`{path}` is damaged: {problem}; remove it to start again") from None
    except OSError as problem:
        raise BadEvidence(f"`{path}` cannot be read: {problem.strerror}") from None


def read(path: Path, game: str | None = None) -> Evidence:
    """Return the evidence of a game, or of whatever game the file is of; nothing if there is no file."""
    if not path.exists():
        return Evidence(game or path.name.removesuffix(SUFFIX))
    text = read_text(path)
    try:
        found = from_text(text)
    except BadRecord as problem:
        raise BadEvidence(f"`{path}` is not evidence of the form `{FORMAT}`: {problem}") from None
    except ValueError as problem:  # not JSON
        raise BadEvidence(f"`{path}` is damaged: {problem}; remove it to start again") from None
    if game is not None and found.game != game:
        raise BadEvidence(f"`{path}` is evidence of `{found.game}`, not of `{game}`")
    return found


def write(path: Path, evidence: Evidence) -> None:
    """Write a file as a whole: whoever reads it sees the old one or the new one."""
    text = to_text(evidence)
    try:
        if path.exists() and _holds(path, text):
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write.write(path, gzip.compress(text.encode(), mtime=0))
    except OSError as problem:
        raise BadEvidence(f"`{path}` cannot be written: {problem.strerror}") from None


def _holds(path: Path, text: str) -> bool:
    """Return whether a file has the same text: other versions of zlib compress it to other bytes."""
    try:
        return read_text(path) == text
    except BadEvidence:
        return False


def to_text(evidence: Evidence) -> str:
    """Return the evidence as JSON, an obligation a line, so that a difference between two files can be read."""
    instances = sorted(evidence.instances)
    heads = [(each.players, dict(each.rulings), each.edition, each.map, dict(each.options)) for each in instances]
    data = encode(evidence.game, heads, [evidence.instances[each] for each in instances])
    parts = []
    for name, value in data.items():
        if isinstance(value, list | dict) and value:
            inner = ",\n".join(_lines(value))
            opening, closing = "[]" if isinstance(value, list) else "{}"
            parts.append(f"{_text(name)}: {opening}\n{inner}\n{closing}")
        else:
            parts.append(f"{_text(name)}: {_text(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def from_text(text: str) -> Evidence:
    """Return the evidence that a text describes; `BadRecord` if it describes none, ValueError if it is no JSON."""
    game, heads, records = decode(json.loads(text))
    found: dict[Instance, tuple[Record, ...]] = {}
    for (players, rulings, edition, map_, options), each in zip(heads, records, strict=True):
        instance = Instance(players, tuple(rulings.items()), edition, map_, tuple(options.items()))
        if instance in found:
            raise BadRecord(f"an instance for {players} players is there twice")
        found[instance] = tuple(each)
    return Evidence(game, found)


def _lines(value: list[object] | dict[str, object]) -> Iterable[str]:
    if isinstance(value, list):
        return map(_text, value)
    return (f"{_text(name)}: {_text(each)}" for name, each in value.items())


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
