"""Short lines of evidence: what many obligations share is written once.

Reads:  obligations with all their words, or short lines with the tables they point into.   Writes: the other of the two.
After:  spelling out gives back what was abbreviated.

A line is a list: name, sentence, records, and clauses where its name does not tell them.

    name      `.range/lift` is of the game, `/lift` is another part of the claim of the line before
    sentence  its number; it stands with its kind, and `{part}` and `{claim}` in it are those of the name
    record    way, core (its number, -1 for none), effort, an object with the rest; what is empty at the end is left out
    effort    seconds, units of the solver, queries; zeros at the end are left out
"""

from __future__ import annotations

from typing import Any

from pilgrim_rules.evidence.record import BadRecord, Data

EFFORT = ("seconds", "rlimit", "queries")
_WORDS = ("part", "claim")
_VERBATIM = "verbatim"
_NO_CORE = -1


class Abbreviator:
    """Shortens obligations in their order; `sentences` and `cores` are the tables for all of them."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._before = ""
        self._sentences: dict[tuple[str, ...], int] = {}
        self._cores: dict[tuple[str, ...], int] = {}

    @property
    def sentences(self) -> list[list[str]]:
        """The kinds and sentences, by number."""
        return [list(each) for each in self._sentences]

    @property
    def cores(self) -> list[list[str]]:
        """The cores, by number."""
        return [list(each) for each in self._cores]

    def line(self, obligation: Data) -> list[Any]:
        """Return an obligation as a short line."""
        name = obligation["name"]
        claim, slash, part = name.partition("/")
        short = slash + part if slash and claim == self._before else _without(name, self._game)
        self._before = claim
        sentence = _sentence(obligation["kind"], obligation["sentence"], name)
        number = self._sentences.setdefault(sentence, len(self._sentences))
        records = [self._record(each) for each in obligation["records"]]
        return [short, number, records, *([obligation["clauses"]] if "clauses" in obligation else [])]

    def _record(self, record: Data) -> list[Any]:
        core = self._cores.setdefault(tuple(record["core"]), len(self._cores)) if "core" in record else _NO_CORE
        effort = _trimmed([record.get(name, 0) for name in EFFORT], 0)
        rest = {name: value for name, value in record.items() if name not in ("way", "core", *EFFORT)}
        made: list[Any] = [record["way"], core, effort, rest]
        return made if rest else _trimmed(made[:3], []) if effort else _trimmed(made[:2], _NO_CORE)


def spell_out(game: str, sentences: list[list[str]], cores: list[list[str]], lines: list[list[Any]]) -> list[Data]:
    """Return the obligations of short lines, with all their words."""
    found: list[Data] = []
    before = ""
    for short, number, records, *clauses in lines:
        name = before + short if short.startswith("/") else game + short if short.startswith(".") else short
        before = name.partition("/")[0]
        kind, sentence, *verbatim = sentences[_index(number)]
        if not verbatim:
            for word, text in zip(_WORDS, _words(name), strict=True):
                sentence = sentence.replace(f"`{{{word}}}`", f"`{text}`")
        if len(clauses) > 1:
            raise BadRecord("an obligation is its name, its sentence, its records and its clauses")
        words = {"name": name, "kind": kind, "sentence": sentence, **({"clauses": clauses[0]} if clauses else {})}
        found.append(words | {"records": [_spelled_out(each, cores) for each in records]})
    return found


def _spelled_out(record: list[Any], cores: list[list[str]]) -> Data:
    empty: list[Any] = [None, _NO_CORE, [], {}]
    way, core, effort, rest, *more = [*record, *empty[len(record) :]]
    if more or len(effort) > len(EFFORT):
        raise BadRecord(f"a record is a way, a core, its effort ({', '.join(EFFORT)}) and the rest")
    if unknown := set(rest) & {"way", "core", *EFFORT}:
        raise BadRecord(f"a record has no `{min(unknown)}` among the rest")
    made = {"way": _index(way), **({} if core == _NO_CORE else {"core": cores[_index(core)]}), **rest}
    return made | {name: value for name, value in zip(EFFORT, effort, strict=False) if value}


def _trimmed(items: list[Any], empty: Any) -> list[Any]:
    while items and items[-1] == empty:
        items = items[:-1]
    return items


def _sentence(kind: str, sentence: str, name: str) -> tuple[str, ...]:
    """Return the kind and sentence of an obligation with what its name tells left open."""
    if any(f"{{{word}}}" in sentence for word in _WORDS):
        return kind, sentence, _VERBATIM
    for word, text in zip(_WORDS, _words(name), strict=True):
        if text:
            sentence = sentence.replace(f"`{text}`", f"`{{{word}}}`")
    return kind, sentence


def _words(name: str) -> tuple[str, str]:
    """Return the part and the claim that a name names."""
    claim, _, part = name.partition("/")
    return part, claim.split(".", 2)[-1]


def _without(name: str, game: str) -> str:
    return name.removeprefix(game) if name.startswith(f"{game}.") else name


def _index(number: Any) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise BadRecord("numbers point into the tables")
    return number
