"""Records: one thing that is known of a game, whoever has found it, and the same as plain data.

Reads:  nothing; data that may have been read from a file.   Writes: `Record`s; plain data for files and programs.
After:  `from_data(to_data(record)) == record`, except for the place and whether it was cached; data that are no record are a
        `BadRecord` that says why. Unknown never looks like anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Literal, TypeAlias, get_args

Source: TypeAlias = Literal["proof", "search", "fuzz"]
Confirmed: TypeAlias = Literal["", "agrees", "no answer", "disagrees"]
Data: TypeAlias = dict[str, Any]


class Verdict(StrEnum):
    """What is known of an obligation, strongest first."""

    PROVED = "proved"  #: discharged for every state and every admitted value of the data
    LIMITED = "proved within limits"  #: discharged under a bound that is printed
    CONDITIONAL = "proved if"  #: it rests on something that was not looked at; no file keeps this word
    TESTED = "tested"  #: looked at in play or in a part of the states, and nothing was wrong
    VACUOUS = "vacuous"  #: true, but for the wrong reason: it says nothing, or can never matter
    NOT_EXERCISED = "not exercised"  #: played, but what it speaks of never came about
    NOT_SETTLED = "not settled"  #: no answer; the reason is printed
    NOT_INDUCTIVE = (
        "not inductive"  #: a step from a state that satisfies all invariants breaks it; no play to it is known
    )
    REFUTED = "refuted"  #: a play from the start shows it, and the engine has replayed the play


#: The method of a proof that needs invariants which nobody has written: the author is shown what to add.
STRENGTHENED = "induction with a strengthening"
#: What counts as a proof, and what nobody need look at.
PROOFS = (Verdict.PROVED, Verdict.LIMITED)
FINE = (*PROOFS, Verdict.TESTED)
_WEAKEST_LAST: tuple[Verdict, ...] = tuple(Verdict)


def weakest(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the weakest of some verdicts; nothing at all is proved."""
    return max(verdicts, key=_WEAKEST_LAST.index, default=Verdict.PROVED)


#: How something was settled, by the beginning of the method; whatever asks a solver counts as induction.
_WAYS = {
    "simplification": "simplification",
    "evaluation": "evaluation",
    "kept state": "evaluation",
    "exhaustive search": "search",
    "search": "search",
    "play": "play",
    "longer play": "play",
    "recorded play": "play",
    "random play": "play",
    "random state": "play",
    "bounded search": "play",
}


def way(method: str) -> str:
    """Return how something was settled, in one word: simplification, induction, evaluation, search or play."""
    return _WAYS.get(method, "induction")


class BadRecord(Exception):
    """This is no record; the message says why."""


@dataclass(frozen=True, slots=True)
class ClaimSpan:
    """Where a claim is written: the file, its first and last character; lines and columns once somebody has the text."""

    file: str
    start: int
    end: int
    line: int = 0
    column: int = 0
    last_line: int = 0
    end_column: int = 0


@dataclass(frozen=True, slots=True)
class ShownStep:
    """A state or a step that shows something, as the engine spells it."""

    before: Mapping[str, tuple[int, ...]]
    move: str | None = None
    after: Mapping[str, tuple[int, ...]] | None = None


@dataclass(frozen=True, slots=True)
class FailureExplanation:
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
class Record:
    """What is known of an obligation, or of a claim as a whole.

    name         `<game>.<kind>.<claim>/<part>`; the part is an action, a stage or `initially`.
    kind         of the obligation, or of the claim.   source     which part of the verifier says so.
    method       how: `induction`, `evaluation`, `play`, `exhaustive search` …
    reason       why it is not proved, or what is wrong; empty if there is nothing to say.
    bounds       limits and assumptions.
    core         labels of what a proof needed: `require:KEY`, `invariant:NAME`, `law:NAME`, `table:NAME`, `range`.
    play         moves from the start that show a refutation or a witness.
    picture      the states of a counterexample to induction.
    explanation  what exactly is wrong there, or at the end of the play.
    about        fingerprints of everything it speaks of, by name; for another text it is stale.
    tools        versions of everything that was used; for others it is stale.
    confirmed    what the second solver says; empty if it was not asked.
    place        where the claim is written in the current text; no file keeps it.
    seconds      of the processor, however busy the machine was.
    """

    name: str
    kind: str
    sentence: str
    verdict: Verdict
    method: str
    source: Source = "proof"
    reason: str = ""
    bounds: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    core: tuple[str, ...] = ()
    play: tuple[str, ...] = ()
    picture: ShownStep | None = None
    explanation: FailureExplanation | None = None
    about: Mapping[str, str] = field(default_factory=dict)
    tools: Mapping[str, str] = field(default_factory=dict)
    confirmed: Confirmed = ""
    seconds: float = 0.0
    rlimit: int = 0
    queries: int = 0
    cached: bool = field(default=False, compare=False)
    place: ClaimSpan | None = field(default=None, compare=False)

    @property
    def claim(self) -> str:
        """What it is a part of, by its full name."""
        return self.name.partition("/")[0]

    @property
    def part(self) -> str:
        """The action or stage that it is about; empty if it is about the whole claim."""
        return self.name.partition("/")[2]

    @property
    def subject(self) -> str:
        """The claim of the author that it is about, by its own name; empty if nobody has claimed it."""
        if self.kind == "falsifiable":
            return self.part
        return self.claim.split(".", 2)[2] if self.claim.count(".") > 1 else ""

    @property
    def key(self) -> tuple[str, str]:
        """What there is one record of in an instance: a name, and who speaks of it."""
        return self.name, self.source

    @property
    def alarm(self) -> bool:
        """Whether two accounts that must agree do not."""
        return self.confirmed == "disagrees"

    def is_fresh(self, today: Mapping[str, str]) -> bool:
        """Return whether everything it speaks of is as it was; a record about nothing is never fresh."""
        return bool(self.about) and self.about.items() <= today.items()

    def says_the_same(self, other: Record) -> bool:
        """Return whether only the effort differs."""
        return self == replace(other, seconds=self.seconds, rlimit=self.rlimit, queries=self.queries)


# ----------------------------------------------------------------------------------------------------------- plain data

_TEXTS = ("name", "kind", "sentence", "method", "source", "reason", "confirmed")
_LISTS = ("bounds", "clauses", "core", "play")
_NUMBERS: dict[str, type] = {"seconds": float, "rlimit": int, "queries": int}
_TABLES = ("about", "tools")
_ALWAYS = ("name", "kind", "sentence", "verdict", "method", "source")
_EXPLAINED = ("where", "values", "changed")
_WORDS: dict[str, tuple[str, ...]] = {
    "source": get_args(Source),
    "verdict": tuple(map(str, Verdict)),
    "confirmed": get_args(Confirmed),
}


def to_data(record: Record) -> Data:
    """Return a record as plain data; what is empty is left out."""
    picture, explanation = record.picture, record.explanation
    made: Data = {
        **{name: getattr(record, name) for name in (*_TEXTS, *_NUMBERS)},
        "verdict": str(record.verdict),
        **{name: list(getattr(record, name)) for name in _LISTS},
        **{name: dict(sorted(getattr(record, name).items())) for name in _TABLES},
        "picture": None
        if picture is None
        else {"before": _position(picture.before), "move": picture.move, "after": _position(picture.after)},
        "explanation": None
        if explanation is None
        else {"false": explanation.false, **{name: list(getattr(explanation, name)) for name in _EXPLAINED}},
    }
    return {name: value for name, value in made.items() if name in _ALWAYS or value not in (None, "", [], {}, 0)}


def from_data(data: Mapping[str, Any]) -> Record:
    """Return the record that the data describe."""
    what = f"the record `{data.get('name')}`"
    known = {*_TEXTS, *_LISTS, *_NUMBERS, *_TABLES, "verdict", "picture", "explanation"}
    if unknown := set(data) - known:
        raise BadRecord(f"{what} has `{min(unknown)}`, which means nothing here")
    for name in (*_TEXTS, "verdict"):
        value = data.get(name, None if name in _ALWAYS else "")
        if not isinstance(value, str) or value not in _WORDS.get(name, (value,)):
            raise BadRecord(f"{what} has no `{name}` that is known")
    for name in _NUMBERS:
        number = data.get(name, 0)
        if isinstance(number, bool) or not isinstance(number, int | float) or not number >= 0:
            raise BadRecord(f"`{name}` of {what} is a number")
    fields: Data = {
        **{name: data.get(name, "") for name in _TEXTS},
        **{name: _list(data, name, what) for name in _LISTS},
        **{name: kind(data.get(name, 0)) for name, kind in _NUMBERS.items()},
        **{name: _table(data, name, what) for name in _TABLES},
    }
    return Record(
        **fields,
        verdict=Verdict(data["verdict"]),
        picture=_read_picture(data.get("picture"), what),
        explanation=_read_explanation(data.get("explanation"), what),
    )


def _list(data: Mapping[str, Any], name: str, what: str) -> tuple[str, ...]:
    found = data.get(name, [])
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise BadRecord(f"`{name}` of {what} is a list of texts")
    return tuple(found)


def _table(data: Mapping[str, Any], name: str, what: str) -> dict[str, str]:
    found = data.get(name, {})
    if not isinstance(found, dict) or not all(isinstance(each, str) for each in found.values()):
        raise BadRecord(f"`{name}` of {what} is an object of texts")
    return found


def _position(position: Mapping[str, tuple[int, ...]] | None) -> Data | None:
    return None if position is None else {name: list(codes) for name, codes in position.items()}


def _read_picture(data: Any, what: str) -> ShownStep | None:
    if data is None:
        return None
    try:
        before, after = (
            {str(k): tuple(map(int, v)) for k, v in (data[at] or {}).items()} for at in ("before", "after")
        )
        return ShownStep(before, data["move"], None if data["after"] is None else after)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise BadRecord(f"`picture` of {what} is a state, a move and a state") from None


def _read_explanation(data: Any, what: str) -> FailureExplanation | None:
    if data is None:
        return None
    if not isinstance(data, dict) or not isinstance(data.get("false", ""), str) or set(data) - {"false", *_EXPLAINED}:
        raise BadRecord(f"`explanation` of {what} says what is false, where, with which values, and what has changed")
    return FailureExplanation(data.get("false", ""), *(_list(data, name, what) for name in _EXPLAINED))
