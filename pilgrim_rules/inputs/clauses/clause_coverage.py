"""How much of the rulebook the rules cover: per section, and the list of what is open.

Reads:  the trace of a game and its inventory.   Writes: `Coverage`, as text and as plain data.
After:  every clause is in exactly one of: traced, waived, open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pilgrim_rules.core.ir import Game
from pilgrim_rules.inputs.clauses.citations import KINDS, Citation, Kind, trace
from pilgrim_rules.inputs.clauses.inventory import Citable, Inventory
from pilgrim_rules.inputs.clauses.records import Clause

_WIDTH = 44  # of the first column


@dataclass(frozen=True, slots=True)
class CoverageSection:
    """A section of the rulebook, or a further list of the inventory such as its gaps.

    by_kind  how many clauses are cited by at least one line of the kind; a clause may count in several.
    named    those among the traced that only lines cite which name things: a stage, a type, a term. Nothing plays them.
    waived   clause and reason.
    """

    name: str
    total: int
    traced: tuple[str, ...]
    by_kind: dict[Kind, int]
    named: tuple[str, ...]
    waived: tuple[tuple[str, str], ...]
    open: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClauseCoverage:
    """Sections in rulebook order, then gaps, worked examples, implied invariants and differences."""

    sections: tuple[CoverageSection, ...]
    lists: tuple[CoverageSection, ...]

    @property
    def is_complete(self) -> bool:
        """Whether nothing is open: no clause, gap, worked example, implied invariant or difference."""
        return not any(part.open for part in (*self.sections, *self.lists))

    @property
    def whole(self) -> CoverageSection:
        """All sections of the rulebook together."""
        return CoverageSection(
            "all clauses",
            sum(part.total for part in self.sections),
            tuple(id_ for part in self.sections for id_ in part.traced),
            {kind: sum(part.by_kind[kind] for part in self.sections) for kind in KINDS},
            tuple(id_ for part in self.sections for id_ in part.named),
            tuple(entry for part in self.sections for entry in part.waived),
            tuple(id_ for part in self.sections for id_ in part.open),
        )


def coverage(game: Game, inventory: Inventory, *others: Game) -> ClauseCoverage:
    """Compare what the rulebook says with what the rules cite, in this or in other instances of the game."""
    cited = trace(game, *others)
    waived = inventory.waived()
    by_section: dict[str, list[Clause]] = {}
    for clause in inventory.clauses:
        by_section.setdefault(clause.section, []).append(clause)
    lists: tuple[tuple[str, Sequence[Citable]], ...] = (
        ("Gaps", inventory.gaps),
        ("Worked examples", inventory.examples),
        ("Implied invariants", inventory.guarantees),
        ("Differences of editions", inventory.differences),
    )
    return ClauseCoverage(
        tuple(_section(name, clauses, cited, waived) for name, clauses in by_section.items()),
        tuple(_section(name, records, cited, waived) for name, records in lists if records),
    )


def _section(
    name: str, records: Iterable[Citable], cited: Mapping[str, tuple[Citation, ...]], waived: Mapping[str, str]
) -> CoverageSection:
    ids = [record.id for record in records]
    traced = tuple(id_ for id_ in ids if id_ in cited)
    by_kind = {kind: sum(any(line.kind == kind for line in cited[id_]) for id_ in traced) for kind in KINDS}
    rest = [id_ for id_ in ids if id_ not in cited]
    return CoverageSection(
        name,
        len(ids),
        traced,
        by_kind,
        tuple(id_ for id_ in traced if all(line.only_names for line in cited[id_])),
        tuple((id_, waived[id_]) for id_ in rest if id_ in waived),
        tuple(id_ for id_ in rest if id_ not in waived),
    )


def to_text(found: ClauseCoverage, inventory: Inventory, *, open_list: bool = True) -> str:
    """Return the table, and under it what is open with its words."""
    lines = [_row("section", ("clauses", "traced", *KINDS, "named", "waived", "open"))]
    for group in (found.sections, (found.whole,), found.lists):
        lines += [_counts(part) for part in group]
        lines += [""] if group else []
    lines.pop()
    if open_list:
        for part in (*found.sections, *found.lists):
            if part.open:
                lines += ["", f"open in {part.name}"]
                lines += [f"  {id_:<12} {inventory.describe(id_)}" for id_ in part.open]
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class CardCoverage:
    """The rows of a table whose texts are written with them."""

    table: str
    total: int
    cited: tuple[str, ...]  #: rows whose text names the clause it comes from
    nothing: tuple[str, ...]  #: rows that do nothing


def cards(game: Game) -> tuple[CardCoverage, ...]:
    """Return how many rows of each table have a text. The checker has seen to it that none is missing."""
    found: list[CardCoverage] = []
    for table in dict.fromkeys(text.of for text in game.texts):
        texts = [text for text in game.texts if text.of == table]
        cited = tuple(text.row for text in texts if text.note.clauses)
        nothing = tuple(text.row for text in texts if not text.effect and not text.changes)
        found.append(CardCoverage(table, len(texts), cited, nothing))
    return tuple(found)


def cards_to_text(game: Game) -> str:
    """Return a line for each table whose rows have texts."""
    return "\n".join(
        f"{each.table}: {each.total} cards, {len(each.cited)} cite a clause, {len(each.nothing)} say `nothing`"
        for each in cards(game)
    )


def _counts(part: CoverageSection) -> str:
    kinds = (part.by_kind[kind] for kind in KINDS)
    return _row(part.name, (part.total, len(part.traced), *kinds, len(part.named), len(part.waived), len(part.open)))


def _row(name: str, cells: Iterable[object]) -> str:
    short = name if len(name) <= _WIDTH else name[: _WIDTH - 1] + "…"
    return f"{short:<{_WIDTH}}" + "".join(f"{cell!s:>10}" for cell in cells)


def to_json(found: ClauseCoverage, cited: Mapping[str, tuple[Citation, ...]]) -> dict[str, object]:
    """Return plain data: the sections, the lists, and where each clause is cited."""
    return {
        "sections": [_section_json(part) for part in found.sections],
        "lists": [_section_json(part) for part in found.lists],
        "all": _section_json(found.whole),
        "citations": {
            clause: [{"kind": line.kind, "part": line.part, "item": line.item} for line in lines]
            for clause, lines in cited.items()
        },
    }


def _section_json(part: CoverageSection) -> dict[str, object]:
    return {
        "name": part.name,
        "clauses": part.total,
        "traced": list(part.traced),
        "by_kind": dict(part.by_kind),
        "named": list(part.named),
        "waived": [{"clause": clause, "reason": reason} for clause, reason in part.waived],
        "open": list(part.open),
    }
