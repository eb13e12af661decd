"""Pinned: a proof says for which values it holds, where the rules were read with them.

Reads:  a game and the records of a run.   Writes: the records, with the values among their bounds.
After:  a proof that depends on assumed data which tables, types, actions or claims were computed from names the values it
        was made with, and is one within limits. A run about all rulings names the options that were not varied.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from pilgrim_rules.core.footprint import Footprints
from pilgrim_rules.core.ir import Constant, Game
from pilgrim_rules.core.values import show
from pilgrim_rules.evidence.record import Record, Verdict, way
from verifier.claims.obligations import Obligation, obligations
from verifier.claims.verdict_dependencies import footprint_of, is_argued, is_wide

#: Longer tables are not written out.
SHORT = 8
_EVERYTHING = "*"


def with_pins(game: Game, records: Iterable[Record], *, all_rulings: bool) -> tuple[Record, ...]:
    """Return the records with the values that they depend on and that no proof has varied."""
    constants = {each.name: each for each in game.constants}
    data = [pin for pin in game.pinned if constants[pin.name].source not in ("ruling", "option")]
    rulings = [pin for pin in game.pinned if constants[pin.name].source == "ruling"] if all_rulings else []
    if not data and not rulings:
        return tuple(records)
    asked = {each.name: each for each in obligations(game)}
    footprints = Footprints.from_game(game)

    @cache
    def names(name: str, core: tuple[str, ...]) -> frozenset[str]:
        return _spoken_of(footprints, asked[name], core)

    def pinned(record: Record) -> Record:
        options = tuple(f"for {_said(constants[pin.name])}" for pin in rulings)
        argued = is_argued(record) and way(record.method) != "play" and record.kind != "law"
        spoken = names(record.name, record.core) if argued and data else frozenset[str]()
        limits = tuple(f"only for {_said(constants[pin.name])}" for pin in data if _concerns(pin.users, spoken))
        verdict = Verdict.LIMITED if limits and record.verdict is Verdict.PROVED else record.verdict
        return replace(record, verdict=verdict, bounds=(*record.bounds, *options, *limits))

    return tuple(map(pinned, records))


def _concerns(users: tuple[str, ...], spoken: frozenset[str]) -> bool:
    return bool(spoken) and (_EVERYTHING in users or _EVERYTHING in spoken or not spoken.isdisjoint(users))


def _spoken_of(footprints: Footprints, obligation: Obligation, core: tuple[str, ...]) -> frozenset[str]:
    """Return the names of the declarations that an argument speaks of; `*` if of all steps."""
    if is_wide(core):
        return frozenset({_EVERYTHING})
    found = footprint_of(footprints, obligation, core)
    labels = {label.partition(":")[2] for label in core}
    own = {obligation.action or "", obligation.subject or ""}
    own |= {"stages"} if obligation.stage is not None else set()
    own |= {"score", "rank"} if obligation.kind == "no_ties" else set()
    tables = {part for name in found.constants for part in (name, name.partition(".")[0])}
    return frozenset({*found.variables, *tables, *found.definitions, *found.networks, *labels, *own, obligation.kind})


def _said(constant: Constant) -> str:
    """Return a constant with its value, or that it is as the edition has it."""
    if constant.index and len(constant.values) > SHORT:
        return f"`{constant.name}` as in this edition"
    values = [show(constant.type, code) for code in constant.values]
    said = f"[{', '.join(values)}]" if constant.index else values[0]
    return f"`{constant.name}` = {said}"
