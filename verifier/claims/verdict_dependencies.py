"""Dependencies: what a verdict speaks of, and what a proof rests on.

Reads:  obligations, and the records of one run with the cores of their proofs.   Writes: names as `Fingerprints.named`
        spells them; the records, as far as what they rest on lets them stand.
After:  while everything named is unchanged, a verdict stands, as far as what it takes for granted stands. Whatever is still
        called proved rests on proved things only. Invariants may rest on each other in a circle: all of them are assumed
        before a step and proved after it, which is one induction for the whole circle.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pilgrim_rules.core.footprint import Footprint, Footprints
from pilgrim_rules.core.ir import Game
from pilgrim_rules.core.rule_walk import action_expressions, score_expressions, stage_expressions
from pilgrim_rules.evidence.dependencies import PLAYED_KINDS, claims_in, rests_on
from pilgrim_rules.evidence.merge_bounds import is_limit
from pilgrim_rules.evidence.record import PROOFS, Record, Verdict
from verifier.claims.obligations import Obligation

#: Labels of a core that name a step of a path, or an invariant that nobody has written.
WIDE = ("range:", "strengthening:")


#: How a reason begins that a proof is none because of what it takes for granted, and that it is one if that holds.
RESTS, GIVEN = "the argument rests on", "if"


def verdict_dependencies(obligation: Obligation, verdict: Verdict, core: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the goal and of everything that the argument rests on."""
    found = [] if obligation.action is None else [f"action {obligation.action}"]
    match obligation.kind:
        case "example":
            found.append(f"example {obligation.subject}")
        case "decreases" | "defined" if obligation.subject is not None:
            found.append(f"ranking {obligation.subject}")
        case "no_ties":
            found.append("score")
        case "symmetry":
            found.append(f"symmetry {obligation.subject}")
            what, _, name = str(obligation.line).partition(".")
            found += (
                [f"{ {'claim': 'claim', 'terminates': 'ranking'}[what] } {name}"]
                if what in ("claim", "terminates")
                else []
            )
        case "defined" if obligation.action is None and obligation.stage is None:
            found.append("score")
        case _ if obligation.subject is not None:  # the subject of every other kind is a claim
            found.append(f"claim {obligation.subject}")
        case _:  # it is about an action or a stage
            pass
    if obligation.kind == "initially":
        found.append("start")
    if obligation.kind in ("sight", "no_leak"):
        found.append("public")
    # A proof rests on its core. Whatever is not proved may be, once anything else in the rules has changed.
    weak = verdict not in (Verdict.PROVED, Verdict.LIMITED)
    if obligation.kind in PLAYED_KINDS or obligation.stage is not None or weak or is_wide(core):
        found.append("rules")
    return tuple(dict.fromkeys((*found, *claims_in(core))))


def footprint_of(footprints: Footprints, obligation: Obligation, core: Sequence[str] = ()) -> Footprint:
    """Return what the goal, the action and the claims of the argument look at."""
    game, declared = footprints.game, footprints.declared
    exprs = [declared.claims[name.removeprefix("claim ")].formula for name in claims_in(core)]
    if obligation.subject in declared.claims:
        exprs.append(declared.claims[obligation.subject].formula)
    if obligation.action is not None:
        exprs += action_expressions(declared.actions[obligation.action])
    if obligation.stage is not None:
        exprs += [part for each in game.actions if obligation.stage in each.stages for part in action_expressions(each)]
    if obligation.kind == "initially":
        exprs += [variable.initial for variable in game.variables]
    if obligation.kind in ("decreases", "defined"):
        exprs += [part for each in game.rankings if each.name == obligation.subject for part in each.parts]
    if obligation.stage is not None:
        exprs += stage_expressions(declared.stages[obligation.stage])
    if obligation.kind in ("sight", "no_leak"):
        exprs += [variable.seen.test for variable in game.variables if variable.seen is not None]
        exprs += [definition.body for definition in game.defs if definition.public]
        exprs += [stage.by for stage in game.stages if stage.by is not None]
    if obligation.kind == "symmetry":  # of all rules, and whatever is claimed
        exprs += [expr for each in game.actions for expr in action_expressions(each)]
        exprs += [expr for each in game.stages for expr in stage_expressions(each)]
        exprs += [*(each.formula for each in game.claims), *(part for each in game.rankings for part in each.parts)]
    if obligation.kind in ("no_ties", "defined", "symmetry") and game.score is not None:
        exprs += score_expressions(game.score)
    found = footprints.joint(exprs)
    return replace(found, constants=frozenset(declared.constants)) if is_wide(core) else found


def start_constants(footprints: Footprints, obligation: Obligation) -> frozenset[str]:
    """Return the constants that the start, or the claim of the obligation, depends on."""
    claim = footprints.declared.claims[str(obligation.subject)]
    return footprints.joint((claim.formula, *(each.initial for each in footprints.game.variables))).constants


def is_wide(core: Iterable[str]) -> bool:
    """Return whether a proof speaks of steps other than the obligation's own, and so of every action there is."""
    return any(label.startswith(WIDE) for label in core)


def standing(game: Game, records: Iterable[Record], every: Iterable[Obligation]) -> tuple[Record, ...]:
    """Return the records as far as what they rest on lets them stand.

    What rests on something that is not proved is not settled. What rests on something that nobody has looked at is proved
    *if* that holds. What rests on something that is proved within limits holds within them.

    every  obligation of the game, so that a claim of which a part was not looked at is known for that.
    """
    kept = {record.name: record for record in records}
    needs = _Needs(game, kept, every)
    while fallen := {name: found for name, record in kept.items() if (found := needs.refused(record, kept))}:
        for name, found in fallen.items():
            reason = f"{RESTS} {needs.said(found)}, which is not proved"
            kept[name] = replace(kept[name], verdict=Verdict.NOT_SETTLED, reason=reason)
    unseen = needs.spread({name: needs.unseen(record) for name, record in kept.items() if is_argued(record)}, kept)
    limits = needs.spread(
        {
            name: {each for each in record.bounds if is_limit(each)}
            for name, record in kept.items()
            if is_argued(record)
        },
        kept,
    )
    return tuple(
        _conditional(_limited(record, limits.get(name, set())), needs.said(unseen.get(name, set())))
        for name, record in kept.items()
    )


class _Needs:
    """What the records of a run rest on, and which records make up each of these things."""

    def __init__(self, game: Game, kept: Mapping[str, Record], every: Iterable[Obligation]) -> None:
        self.game = game
        self.parts: dict[str, list[str]] = {}
        for record in kept.values():
            self.parts.setdefault(record.claim, []).append(record.name)
            self.parts.setdefault(record.name, [record.name])
        self.whole = set(self.parts) - {each.claim for each in every if each.name not in kept}

    def refused(self, record: Record, kept: Mapping[str, Record]) -> list[str]:
        """Return what an argument rests on that is known not to be proved."""
        if not is_argued(record):
            return []
        return [
            need
            for need in rests_on(record)
            if any(kept[name].verdict not in PROOFS for name in self.parts.get(need, ()))
        ]

    def unseen(self, record: Record) -> set[str]:
        """Return what an argument rests on that was not looked at, or not as a whole."""
        return {need for need in rests_on(record) if need not in self.whole}

    def spread(self, found: dict[str, set[str]], kept: Mapping[str, Record]) -> dict[str, set[str]]:
        """Return what is found of each record, with what is found of everything it rests on."""
        changed = True
        while changed:
            changed = False
            for name, own in found.items():
                below = (part for need in rests_on(kept[name]) for part in self.parts.get(need, ()))
                more = set().union(*(found.get(part, set()) for part in below)) - own
                own.update(more)
                changed = changed or bool(more)
        return found

    def said(self, names: Iterable[str]) -> str:
        """Return names for people: `range/give`, the name of the game left out."""
        return ", ".join(f"`{name.removeprefix(self.game.name + '.')}`" for name in sorted(names))


def is_argued(record: Record) -> bool:
    """Return whether a verdict rests on an argument: a proof, or that something is out of reach. A play needs none."""
    if record.verdict is Verdict.REFUTED:
        return record.kind == "reachable" and not record.play
    return record.verdict in (*PROOFS, Verdict.VACUOUS)


def _limited(record: Record, limits: set[str]) -> Record:
    """Say within which limits a proof holds because of what it rests on."""
    more = tuple(sorted(limits - set(record.bounds)))
    if not more:
        return record
    verdict = Verdict.LIMITED if record.verdict is Verdict.PROVED else record.verdict
    return replace(record, verdict=verdict, bounds=(*record.bounds, *more))


def _conditional(record: Record, given: str) -> Record:
    """Say what a proof takes for granted that was not looked at."""
    if not given:
        return record
    if record.verdict in PROOFS:
        reason = "\n".join(filter(None, (f"{GIVEN} {given}, which this run has not looked at", record.reason)))
        return replace(record, verdict=Verdict.CONDITIONAL, reason=reason)
    if record.verdict is Verdict.VACUOUS:
        return replace(record, bounds=(*record.bounds, f"given {given}, which this run has not looked at"))
    return replace(record, verdict=Verdict.NOT_SETTLED, reason=f"{RESTS} {given}, which this run has not looked at")
