"""How rules hang together: what a rule reads and writes, which rules may follow it, which claims it must preserve.

Reads:  a core game.   Writes: `Connections`.
After:  everything is computed from the effects; nothing is typed in by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pilgrim_rules.core import footprint, ir, rule_walk, walk
from pilgrim_rules.core.symmetry import symmetry_parts
from pilgrim_rules.util.identity_cache import cache_by_identity

__all__ = ["Connections", "concerned", "connect", "parts_of_proofs"]

PRESERVED = frozenset({"invariant", "conserved", "step"})


@dataclass(frozen=True, slots=True)
class Connections:
    """What one rule touches.

    followers  rules of a stage that this rule can lead to or stay in, whose requirements read something it writes.
    preserves  claims that look at something it writes.     audits  the same of audits, through networks too.
    rulings    rulings it depends on.              options  of the set-up that it depends on.
    """

    reads: tuple[str, ...]
    writes: tuple[str, ...]
    followers: tuple[str, ...]
    preserves: tuple[str, ...]
    audits: tuple[str, ...]
    rulings: tuple[str, ...]
    options: tuple[str, ...]


def connect(game: ir.Game, action: ir.Action) -> Connections:
    """Return what the rule touches."""
    defs = {definition.name: definition for definition in game.defs}
    order = [variable.name for variable in game.variables]
    read = footprint.reads(rule_walk.action_expressions(action), defs)
    written = footprint.writes(action.body)
    stages = _next_stages(game, action)
    followers = [
        other.name
        for other in game.actions
        if stages & set(other.stages)
        and (_guard_reads(other, defs) & written or not set(other.stages) & set(action.stages))
    ]
    claims = [claim.name for claim in game.claims if _is_kept(claim) and _looked_at(claim, defs) & written]
    return Connections(
        reads=tuple(name for name in order if name in read),
        writes=tuple(name for name in order if name in written),
        followers=tuple(followers),
        preserves=tuple(claims),
        audits=tuple(_audits(game, defs, written)),
        rulings=looked_up(game, action, game.rulings),
        options=looked_up(game, action, game.options),
    )


@cache_by_identity(16)
def concerned(game: ir.Game) -> Mapping[str, tuple[str, ...]]:
    """Return which rules depend on each ruling and each option, in the order of the game."""
    found: dict[str, list[str]] = {}
    for action in game.actions:
        for name in looked_up(game, action, (*game.rulings, *game.options)):
            found.setdefault(name, []).append(action.name)
    return {name: tuple(rules) for name, rules in found.items()}


def _audits(game: ir.Game, defs: dict[str, ir.Def], written: frozenset[str]) -> Iterator[str]:
    """Yield the audits that look at something that is written."""
    networks = {network.name: network for network in game.networks}
    for claim in game.claims:
        if claim.kind == "audit" and footprint.reads((claim.formula,), defs, networks) & written:
            yield claim.name


def parts_of_proofs(game: ir.Game) -> dict[str, tuple[str, ...]]:
    """Return the parts that the proof of each claim must have: the start, and every rule that may break it.

    A claim about steps has no start; all steps that change nothing it looks at are one part. What follows from other
    claims has one part.
    """
    defs = {definition.name: definition for definition in game.defs}
    written = {action.name: footprint.writes(action.body) for action in game.actions}
    found = {ranking.name: tuple(written) for ranking in game.rankings}
    found |= {symmetry.name: symmetry_parts(game) for symmetry in game.symmetries}
    for claim in game.claims:
        if claim.kind in PRESERVED:
            looked_at = _looked_at(claim, defs)
            rules = tuple(name for name, writes in written.items() if writes & looked_at)
            first = ("initially",) if claim.kind != "step" else ("otherwise",) if len(rules) < len(written) else ()
            found[claim.name] = ("follows",) if claim.follows else (*first, *rules)
        elif claim.kind == "contract":
            found[claim.name] = (claim.action,)
    return found


def _is_kept(claim: ir.Claim) -> bool:
    """Tell whether each rule must preserve a claim; what follows from other claims is proved from them alone."""
    return claim.kind in PRESERVED and not claim.follows


def _looked_at(claim: ir.Claim, defs: dict[str, ir.Def]) -> frozenset[str]:
    """Return what may change whether a claim holds: all that it reads; of a claim about steps, what it reads afterwards."""
    if claim.kind != "step":
        return footprint.reads((claim.formula,), defs)
    parts = walk.subexpressions(claim.formula)
    return frozenset(part.variable for part in parts if isinstance(part, ir.Read) and part.when == "next")


def looked_up(game: ir.Game, action: ir.Action, decisions: tuple[ir.Ruling, ...]) -> tuple[str, ...]:
    """Return those decisions whose constants the rule looks up, through definitions too."""
    defs = {definition.name: definition for definition in game.defs}
    found: set[str] = set()
    seen: set[str] = set()
    stack = list(rule_walk.action_expressions(action))
    while stack:
        for node in walk.subexpressions(stack.pop()):
            if isinstance(node, ir.Lookup):
                found.add(node.table)
            elif isinstance(node, ir.Call) and node.definition not in seen:
                seen.add(node.definition)
                stack.append(defs[node.definition].body)
    return tuple(ruling.name for ruling in decisions if ruling.name in found)


def _next_stages(game: ir.Game, action: ir.Action) -> set[int]:
    """Return the stages in which the game can be after the rule."""
    after = set(action.stages)
    for stmt in rule_walk.assignments(action.body):
        if stmt.variable == "stage":
            if not isinstance(stmt.value, ir.Lit):
                return {stage.code for stage in game.stages}
            after.add(stmt.value.value)
    return after


def _guard_reads(action: ir.Action, defs: dict[str, ir.Def]) -> frozenset[str]:
    return footprint.reads(
        tuple(line.test if isinstance(line, ir.Require) else line.value for line in action.guard), defs
    )
