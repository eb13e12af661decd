"""Cores: which guarantees rest on which clauses of the rulebook.

Reads:  records of proofs, each with the labels that its argument needed.   Writes: for each clause, the lines of the rules
        that cite it, and the guarantees whose proofs need such a line.
After:  a line is a requirement, an invariant, a law or a table. What an action does is part of every proof about it and is
        not listed. A clause is idle if no proof needs any of the lines that cite it: whoever changes it will not hear
        from a proof.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from pilgrim_rules.core.ir import Game, Require
from pilgrim_rules.evidence.record import PROOFS, Record


@dataclass(frozen=True, slots=True)
class Support:
    """A clause: for each line that cites it, the claims whose proofs need that line."""

    clause: str
    lines: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def is_idle(self) -> bool:
        """Whether no proof needs the clause."""
        return not any(self.lines.values())


def supports(game: Game, records: Iterable[Record], order: Iterable[str] = ()) -> tuple[Support, ...]:
    """Return every clause that a line cites, in the order given, those that are not in it last."""
    needing: dict[str, dict[str, None]] = {}
    for record in records:
        if record.verdict in PROOFS:
            for label in record.core:
                needing.setdefault(label, {})[record.claim.removeprefix(f"{game.name}.")] = None
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for label, clauses in _cited(game):
        for clause in clauses:
            found.setdefault(clause, {})[_plain(label)] = tuple(needing.get(label, ()))
    places = {clause: at for at, clause in enumerate(order)}
    in_order = sorted(found, key=lambda clause: places.get(clause, len(places)))  # stable: else as they are cited
    return tuple(Support(clause, found[clause]) for clause in in_order)


def _cited(game: Game) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the labels that a core may have, each with its clauses; a requirement that actions share once."""
    seen: set[str] = set()
    for action in game.actions:
        for line in action.guard:
            if isinstance(line, Require) and line.key not in seen:
                seen.add(line.key)
                yield f"require:{line.key}", line.clauses
    for claim in game.claims:
        if claim.kind in ("invariant", "conserved", "law"):
            yield f"{claim.kind}:{claim.name}", claim.note.clauses
    for constant in game.constants:
        yield f"table:{constant.name}", constant.note.clauses


def _plain(label: str) -> str:
    """Return a label as people know it: a requirement by its key, anything else with its kind."""
    kind, _, name = label.partition(":")
    return name if kind == "require" else f"{kind} {name}"
