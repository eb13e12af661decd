"""Entries: one thing that is known of a game, whoever has found it.

Reads:  nothing.   Writes: plain data for files and programs, and entries from such data.
After:  `entry_of(plain(entry), entry.about) == entry`; data that are no entry are a `BadEntry` that says why.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias, get_args

Source: TypeAlias = Literal["proof", "search", "fuzz", "mutation"]
#: What is known, strongest first; the last two are of mistakes made on purpose.
Finding: TypeAlias = Literal[
    "proved", "proved within limits", "tested", "vacuous", "not settled", "not inductive", "refuted", "caught", "survived",
]  # fmt: skip
Confirmed: TypeAlias = Literal["", "agrees", "no answer", "disagrees"]


class BadEntry(Exception):
    """This is no entry; the message says why."""


@dataclass(frozen=True, slots=True)
class Account:
    """Why something is false in a state or of a step.

    false    the smallest part that is false, as the rules would say it.
    where    the values of the names in it: `p = red`.
    values   what it reads: `store[red, stone] = 7`.
    changed  what the step has changed: `store[red, stone]: 6 → 7`.
    """

    false: str = ""
    where: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of an obligation, or of a claim as a whole.

    kind      of the obligation, or of the claim.     claim      what it is a part of.
    source    which part of the verifier says so.     method     how.
    reason    why it is not proved, or what is wrong. bounds     limits and assumptions.
    core      what a proof needed.                    rests      claims that it takes for granted.
    about     fingerprints of everything it speaks of, by name.
    play      moves that show it.                     account    what exactly is wrong at their end.
    confirmed what the second solver says.            tools      with which versions this was found.
    place     where the claim is written: file, line, column, last line, column after the end; for programs only.
    """

    name: str
    kind: str
    claim: str
    source: Source
    verdict: Finding
    method: str
    sentence: str
    about: Mapping[str, str]
    tools: Mapping[str, str]
    reason: str = ""
    bounds: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    core: tuple[str, ...] = ()
    rests: tuple[str, ...] = ()
    play: tuple[str, ...] = ()
    account: Account | None = None
    confirmed: Confirmed = ""
    seconds: float = 0.0
    rlimit: int = 0
    queries: int = 0
    place: tuple[str, int, int, int, int] | None = field(default=None, compare=False)

    @property
    def key(self) -> tuple[str, str]:
        """What there is one entry of: a name, and who speaks of it."""
        return self.name, self.source

    def is_fresh(self, today: Mapping[str, str]) -> bool:
        """Return whether everything it speaks of is as it was; an entry about nothing is never fresh."""
        return bool(self.about) and self.about.items() <= today.items()

    def says_the_same(self, other: Entry) -> bool:
        """Return whether only the effort differs."""
        return self == replace(other, seconds=self.seconds, rlimit=self.rlimit, queries=self.queries)


_ALWAYS = ("name", "kind", "claim", "source", "verdict", "method", "sentence")
_LISTS = ("bounds", "clauses", "core", "rests", "play")
_NUMBERS = ("seconds", "rlimit", "queries")
_PLACE = ("file", "line", "column", "last_line", "end_column")
_ACCOUNT = ("where", "values", "changed")
_WORDS: dict[str, tuple[str, ...]] = {
    "source": get_args(Source),
    "verdict": get_args(Finding),
    "confirmed": get_args(Confirmed),
}


def plain(entry: Entry, *, place: bool = False) -> dict[str, Any]:
    """Return an entry as plain data; what is empty is left out, and the place too unless it is asked for."""
    account, where = entry.account, entry.place if place else None
    made: dict[str, Any] = {
        **{name: getattr(entry, name) for name in (*_ALWAYS, "reason")},
        **{name: list(getattr(entry, name)) for name in _LISTS},
        "account": None
        if account is None
        else {"false": account.false, **{name: list(getattr(account, name)) for name in _ACCOUNT}},
        "confirmed": entry.confirmed,
        **{name: getattr(entry, name) for name in _NUMBERS},
        "place": None if where is None else dict(zip(_PLACE, where, strict=True)),
        "about": sorted(entry.about),
        "tools": dict(entry.tools),
    }
    return {name: value for name, value in made.items() if name in _ALWAYS or value not in (None, "", [], {}, 0)}


def entry_of(data: Mapping[str, Any], prints: Mapping[str, str]) -> Entry:
    """Return the entry that the data describe; `prints` are the fingerprints of what it may speak of."""
    named = f"the record `{data.get('name')}`"
    unknown = set(data) - {*_ALWAYS, "reason", *_LISTS, *_NUMBERS, "account", "confirmed", "about", "tools"}
    if unknown:
        raise BadEntry(f"{named} has `{min(unknown)}`, which means nothing here")
    for name in (*_ALWAYS, "reason", "confirmed"):
        value = data.get(name, None if name in _ALWAYS else "")
        if not isinstance(value, str) or value not in _WORDS.get(name, (value,)):
            raise BadEntry(f"{named} has no `{name}` that is known")
    for name in _NUMBERS:
        number = data.get(name, 0)
        if isinstance(number, bool) or not isinstance(number, int | float) or not number >= 0:
            raise BadEntry(f"`{name}` of {named} is a number")
    names, tools = _list(data, "about", named), data.get("tools", {})
    if not isinstance(tools, dict) or not all(isinstance(each, str) for each in tools.values()):
        raise BadEntry(f"`tools` of {named} are names with versions")
    if missing := [each for each in names if each not in prints]:
        raise BadEntry(f"{named} is about `{missing[0]}`, which has no fingerprint")
    words: dict[str, Any] = {name: data[name] for name in _ALWAYS}
    lists: dict[str, Any] = {name: _list(data, name, named) for name in _LISTS}
    return Entry(
        **words,
        **lists,
        about={name: prints[name] for name in names},
        tools=tools,
        reason=data.get("reason", ""),
        account=_account(data.get("account"), named),
        confirmed=data.get("confirmed", ""),
        seconds=float(data.get("seconds", 0.0)),
        rlimit=int(data.get("rlimit", 0)),
        queries=int(data.get("queries", 0)),
    )


def _list(data: Mapping[str, Any], name: str, named: str) -> tuple[str, ...]:
    found = data.get(name, [])
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise BadEntry(f"`{name}` of {named} is a list of texts")
    return tuple(found)


def _account(data: object, named: str) -> Account | None:
    if data is None:
        return None
    if not isinstance(data, dict) or not isinstance(data.get("false", ""), str) or set(data) - {"false", *_ACCOUNT}:
        raise BadEntry(f"`account` of {named} says what is false, where, with which values, and what has changed")
    return Account(data.get("false", ""), *(_list(data, name, named) for name in _ACCOUNT))
