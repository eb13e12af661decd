"""The compact form of evidence: records of many instances as data in which everything stands once.

Reads:  records by instance, or such data from a file.   Writes: data, or records.
After:  decoding gives back what was encoded; of records that are found alike in several instances, the effort is that of the
        first. Data of another form are a `BadRecord` that says why.

    rulings       the options of the first instance; the others list only what they choose otherwise
    instances     players, rulings, edition, map, options of the set-up
    ways          instances, source, verdict, method, bounds, the second solver and tools, as many records share them
    fingerprints  of everything records speak of: name, then hash, then the instances that have it
    cites         clauses of an action, claim, ranking or example
    moves, plays  moves by number, plays as numbers of moves; a record names a play and how much of it
    sentences     kinds and sentences of obligations, by number
    cores         what proofs needed, by number
    obligations   one a line: its words, and what was found of it in which instances (see `abbreviate`)

Instances are named like pages to print: `0-2,5`; all of them are left out. What an obligation is about and cites is told from
its name, and written only where that is not all of it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pilgrim_rules.evidence.abbreviate import EFFORT, Abbreviator, spell_out
from pilgrim_rules.evidence.dependencies import PLAYED_KINDS, claims_in
from pilgrim_rules.evidence.record import BadRecord, Data, Record, from_data, to_data

FORMAT = "pilgrim-rules/evidence/3"
#: Of an instance: players, rulings, edition, map, options of the set-up.
Head: TypeAlias = tuple[int, dict[str, str], str, str, dict[str, str]]
_PARTS = (
    "format", "game", "rulings", "instances", "ways", "fingerprints", "cites", "moves", "plays", "sentences", "cores",
    "obligations",
)  # fmt: skip
_WORDS = ("name", "kind", "sentence", "clauses")
_WAY = ("in", "source", "verdict", "method", "bounds", "all_bounds", "confirmed", "tools")


def players_bound(players: int) -> str:
    """Return how a record says for how many players it is: that of its instance is not written."""
    return "1 player" if players == 1 else f"{players} players"


def _record_subject(line: Data, names: Collection[str], source: str) -> set[str]:
    """Return what a record speaks of, as far as the name of its obligation tells; `names` are those there are."""
    claim, _, part = line["name"].partition("/")
    subject = claim.split(".", 2)[2] if claim.count(".") > 1 else part if line["kind"] == "falsifiable" else ""
    told = [f"{what} {subject}" for what in ("claim", "ranking", "example", "symmetry")] if subject else []
    told += [f"action {part.partition('.')[0] if line['kind'] == 'can_refuse' else part}"] if part else []
    told += ["start"] if line["kind"] == "initially" else []
    told += ["rules"] if source != "proof" or line["kind"] in PLAYED_KINDS else []
    return {name for name in told if name in names}


def _clauses(line: Data, cites: dict[str, list[str]], parts: Iterable[Sequence[str]]) -> list[str]:
    """Return what an obligation cites, as far as its name tells: a whole claim cites what its parts do."""
    about = _record_subject(line, cites, "proof")
    own = [cites[name] for name in sorted(about, key=lambda name: (name.startswith("action "), name))]
    return list(dict.fromkeys(clause for each in (*own, *parts) for clause in each))


# -------------------------------------------------------------------------------------------------------------- encoding


def encode(game: str, heads: Sequence[Head], records: Sequence[Sequence[Record]]) -> Data:
    """Return the records of some instances as data."""
    usual = heads[0][1] if heads else {}
    prints: dict[str, dict[str, list[int]]] = {}
    lines: dict[str, _Line] = {}
    for at, found in enumerate(records):
        for record in found:
            for name, text in record.about.items():
                instances = prints.setdefault(name, {}).setdefault(text, [])
                instances += [] if at in instances[-1:] else [at]
            data = to_data(record)
            if record.bounds[:1] == (players_bound(heads[at][0]),):
                data["bounds"] = list(record.bounds[1:])
            else:
                data["all_bounds"] = data.pop("bounds", [])
            words = {name: data.pop(name, []) for name in _WORDS}
            lines.setdefault(json.dumps(words), _Line(words)).add(at, data)
    order = {name: at for at, name in enumerate(_merged([[each.name for each in found] for found in records]))}
    listed = sorted(lines.values(), key=lambda line: order[line.words["name"]])
    tables = _Tables(
        len(heads),
        prints.keys(),
        _cited(listed),
        _Plays.from_plays({record.play for found in records for record in found}),
    )
    parts: dict[str, list[list[str]]] = {}
    for line in listed:
        if "/" in line.words["name"]:
            parts.setdefault(line.words["name"].partition("/")[0], []).append(line.words["clauses"])
    short = Abbreviator(game)
    obligations = [short.line(line.data(tables, parts.get(line.words["name"], ()))) for line in listed]
    return {
        "format": FORMAT,
        "game": game,
        "rulings": usual,
        "instances": [_head(each, usual) for each in heads],
        "ways": tables.ways,
        "fingerprints": {
            name: {text: _ranges(places, len(heads)) for text, places in each.items()}
            for name, each in sorted(prints.items())
        },
        "cites": tables.cites,
        "moves": tables.plays.moves,
        "plays": tables.plays.numbers,
        "sentences": short.sentences,
        "cores": short.cores,
        "obligations": obligations,
    }


@dataclass(slots=True)
class _Tables:
    """What is written once and named by its number."""

    count: int
    names: Collection[str]
    cites: dict[str, list[str]]
    plays: _Plays
    ways: list[Data] = field(default_factory=list)

    def way(self, data: Data) -> int:
        found = {name: data[name] for name in _WAY if name in data and (data[name] != [] or name == "all_bounds")}
        if found not in self.ways:
            self.ways.append(found)
        return self.ways.index(found)


@dataclass(slots=True)
class _Plays:
    """Plays, none of which begins another; each by the numbers of its moves."""

    moves: list[str]
    numbers: list[list[int]]
    places: dict[tuple[str, ...], list[int]]

    @classmethod
    def from_plays(cls, plays: set[tuple[str, ...]]) -> _Plays:
        """Return the plays. Sorted, all that one begins stand right after it, so going backwards one look is enough."""
        kept: list[tuple[str, ...]] = []
        places: dict[tuple[str, ...], list[int]] = {}
        for play in sorted(plays - {()}, reverse=True):
            if not kept or kept[-1][: len(play)] != play:
                kept.append(play)
            places[play] = [len(kept) - 1, len(play)]
        codes = {move: at for at, move in enumerate(sorted({move for play in kept for move in play}))}
        return cls(list(codes), [[codes[move] for move in play] for play in kept], places)


@dataclass(slots=True)
class _Line:
    """An obligation by its words, and what was found of it: alike in some instances, otherwise in others."""

    words: Data
    found: dict[str, tuple[Data, list[int]]] = field(default_factory=dict)

    def add(self, at: int, data: Data) -> None:
        effort = {name: data.pop(name) for name in EFFORT if name in data}
        data["about"] = sorted(data.get("about", ()))
        self.found.setdefault(json.dumps(data, sort_keys=True), ({**data, **effort}, []))[1].append(at)

    def data(self, tables: _Tables, parts: Iterable[list[str]]) -> Data:
        cited = _clauses(self.words, tables.cites, parts)
        made = {name: text for name, text in self.words.items() if name != "clauses"}
        if self.words["clauses"] != cited:
            made["clauses"] = self.words["clauses"]
        made["records"] = [self._record(each, places, tables) for each, places in self.found.values()]
        return made

    def _record(self, data: Data, places: list[int], tables: _Tables) -> Data:
        places_ = {} if len(places) == tables.count else {"in": _ranges(places, tables.count)}
        made: Data = {"way": tables.way({**places_, **data})}
        made |= {name: value for name, value in data.items() if name not in ("about", "play", *_WAY)}
        if set(data["about"]) != _record_subject(self.words, tables.names, data["source"]) | set(
            claims_in(data.get("core", ()))
        ):
            made["about"] = data["about"]
        if play := tuple(data.get("play", ())):
            made["play"] = tables.plays.places[play]
        return made


def _cited(lines: Iterable[_Line]) -> dict[str, list[str]]:
    """Return the clauses of what single obligations are about, as most records give them: an action, a claim, an example."""
    found: dict[str, Counter[tuple[str, ...]]] = {}
    for line in lines:
        claim, _, part = line.words["name"].partition("/")
        match line.words["kind"]:
            case "range" | "can_happen" if part:
                name = f"action {part}"
            case "initially" | "follows" | "law" | "step" | "decreases" | "example" | "audit" | "reachable":
                what = {"decreases": "ranking", "example": "example"}.get(line.words["kind"], "claim")
                name = f"{what} {claim.split('.', 2)[-1]}"
            case _:  # it is about the game as a whole, or about several things
                continue
        times = sum(len(places) for _, places in line.found.values())
        cited: list[str] = line.words["clauses"]
        found.setdefault(name, Counter())[(*cited,)] += times
    usual = {name: list(min(each.items(), key=lambda item: (-item[1], item[0]))[0]) for name, each in found.items()}
    return {name: usual[name] for name in sorted(usual) if usual[name]}


def _head(head: Head, usual: dict[str, str]) -> Data:
    players, rulings, edition, map_, options = head
    made: Data = {"players": players}
    if rulings.keys() != usual.keys():
        made["all_rulings"] = rulings
    elif rulings != usual:
        made["rulings"] = {name: option for name, option in rulings.items() if option != usual[name]}
    return made | {name: each for name, each in (("edition", edition), ("map", map_), ("options", options)) if each}


def _merged(orders: Iterable[Sequence[str]]) -> list[str]:
    """Return all names in one order that agrees with each of the orders as far as they agree."""
    merged: list[str] = []
    for order in sorted(orders, key=len, reverse=True):  # the one that knows most is followed
        places = {name: at for at, name in enumerate(merged)}
        at, waiting = 0, list[tuple[int, str]]()
        for name in dict.fromkeys(order):
            if name in places:
                at = places[name] + 1
            else:
                waiting.append((at, name))
        for place, name in reversed(waiting):
            merged.insert(place, name)
    return merged


def _ranges(numbers: Sequence[int], count: int) -> str:
    """Return numbers in ascending order as text: `0-2,5`; all of them as `*`."""
    if len(numbers) == count:
        return "*"
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][-1] == number - 1:
            parts[-1][1:] = [number]
        else:
            parts.append([number])
    return ",".join("-".join(map(str, part)) for part in parts)


# -------------------------------------------------------------------------------------------------------------- decoding


def decode(data: object) -> tuple[str, list[Head], list[list[Record]]]:
    """Return the game, the instances and their records."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadRecord("the format is another one; run the verifier again")
    if set(data) != set(_PARTS) or not isinstance(data["game"], str):
        raise BadRecord(f"it has {', '.join(_PARTS)}")
    try:
        heads = [_read_head(each, data["rulings"]) for each in data["instances"]]
        return data["game"], heads, _Decoder(data, heads).records()
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        raise BadRecord("a part of it has another form; run the verifier again") from None


class _Decoder:
    def __init__(self, data: Data, heads: list[Head]) -> None:
        self.heads, self.ways, self.cites = heads, data["ways"], data["cites"]
        self.lines = spell_out(data["game"], data["sentences"], data["cores"], data["obligations"])
        self.plays = [[data["moves"][move] for move in play] for play in data["plays"]]
        self.prints: list[dict[str, str]] = [{} for _ in heads]
        for name, each in data["fingerprints"].items():
            for text, places in each.items():
                for at in _numbers(places, len(heads)):
                    self.prints[at][name] = text
        self.names = data["fingerprints"].keys()

    def records(self) -> list[list[Record]]:
        """Return the records of each instance."""
        found: list[list[Record]] = [[] for _ in self.heads]
        parts: dict[str, list[list[str]]] = {}
        for line in sorted(self.lines, key=lambda line: "/" not in line["name"]):  # stable: parts before wholes
            if "clauses" not in line:
                line["clauses"] = _clauses(line, self.cites, parts.get(line["name"], ()))
            parts.setdefault(line["name"].partition("/")[0], []).append(line["clauses"])
        for line in self.lines:
            words = {name: line[name] for name in _WORDS}
            for each in line["records"]:
                for at in _numbers(self.ways[each["way"]].get("in", "*"), len(self.heads)):
                    found[at].append(from_data({**words, **self._own(words, each, at)}))
        return found

    def _own(self, words: Data, each: Data, at: int) -> Data:
        own = {**self.ways[each["way"]], **{name: value for name, value in each.items() if name != "way"}}
        own.pop("in", None)
        names = own.get("about")
        if names is None:
            names = _record_subject(words, self.names, own["source"]) | set(claims_in(own.get("core", ())))
        if missing := set(names) - self.prints[at].keys():
            raise BadRecord(f"the record `{words['name']}` is about `{min(missing)}`, which has no fingerprint")
        own["about"] = {name: self.prints[at][name] for name in sorted(names)}
        index, length = own.get("play", (0, 0))
        own["play"] = self.plays[index][:length] if length else []
        if "all_bounds" in own:
            own["bounds"] = own.pop("all_bounds")
        else:
            own["bounds"] = [players_bound(self.heads[at][0]), *own.get("bounds", ())]
        return own


def _read_head(data: Data, usual: dict[str, str]) -> Head:
    unknown = set(data) - {"players", "rulings", "all_rulings", "edition", "map", "options"}
    if unknown:
        raise BadRecord(f"an instance has no `{min(unknown)}`")
    players, files = data.get("players"), [data.get(name, "") for name in ("edition", "map")]
    if not isinstance(players, int) or isinstance(players, bool) or players < 1:
        raise BadRecord("`players` is a number of players")
    if not all(isinstance(each, str) for each in files):
        raise BadRecord("`edition` and `map` are names of files")
    rulings = data["all_rulings"] if "all_rulings" in data else {**usual, **data.get("rulings", {})}
    options = data.get("options", {})
    for name, found in (("rulings", rulings), ("options", options)):
        if not isinstance(found, dict) or not all(isinstance(each, str) for each in found.values()):
            raise BadRecord(f"`{name}` is an object of texts")
    return players, rulings, files[0], files[1], options


def _numbers(text: Any, count: int) -> list[int]:
    if text == "*":
        return list(range(count))
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    if any(not 0 <= at < count for at in found):
        raise BadRecord(f"there is no instance `{text}`")
    return found
