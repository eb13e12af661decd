"""The records of an inventory, as `clauses.toml` spells them.

Reads:  nothing.   Writes: nothing; one class for each kind of record, its fields named as in the file.
After:  the loader knows from a class which fields a record needs, which may be left out, and which words they take.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing the rulebook says. `data` names the unknowns it needs."""

    id: str
    section: str
    kind: str
    text: str
    page: str = ""
    subject: str = ""
    data: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """An example of the rulebook, and whether it agrees with the clauses."""

    id: str
    clauses: tuple[str, ...]
    given: str
    when: str
    then: str
    check: str = ""
    page: str = ""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Data that the text does not give, such as what only a picture shows."""

    id: str
    what: str
    known: str = ""
    suggested: str = ""


@dataclass(frozen=True, slots=True)
class Gap:
    """A place where the text is silent, ambiguous or contradicts itself, with a proposed ruling."""

    id: str
    kind: str
    clauses: tuple[str, ...]
    problem: str
    options: tuple[str, ...]
    ruling: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Guarantee:
    """An invariant that the text implies."""

    id: str
    text: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EditionDifference:
    """A place where two editions of the rulebook differ; `preset` says what the preset of the second makes of it, `because` why."""

    id: str
    section: str
    en: str
    de: str
    severity: str
    ruling: str
    why: str = ""
    page_en: str = ""
    page_de: str = ""
    preset: str = ""
    because: str = ""


@dataclass(frozen=True, slots=True)
class GlossaryTerm:
    """A term in both languages."""

    en: str
    de: str


@dataclass(frozen=True, slots=True)
class Waiver:
    """Clauses that no rule needs to cite, and why."""

    clause: tuple[str, ...]
    reason: str


Record: TypeAlias = Clause | WorkedExample | Unknown | Gap | Guarantee | EditionDifference | GlossaryTerm | Waiver

#: The table in the file for each kind of record.
TABLES: dict[str, type[Record]] = {
    "clause": Clause,
    "example": WorkedExample,
    "unknown": Unknown,
    "gap": Gap,
    "invariant": Guarantee,
    "difference": EditionDifference,
    "term": GlossaryTerm,
    "waiver": Waiver,
}

#: Fields that take one of a few words.
WORDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("clause", "kind"): (
        "choice",
        "component",
        "cost",
        "definition",
        "effect",
        "end",
        "guard",
        "limit",
        "note",
        "order",
        "scoring",
        "setup",
        "trigger",
    ),
    ("gap", "kind"): ("ambiguity", "contradiction", "silence"),
    ("difference", "severity"): ("changes-play", "silent-in-de", "silent-in-en", "wording"),
    ("difference", "preset"): ("taken", "same", "silent", "contradictory", "no rule"),
}
