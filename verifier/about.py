"""About: what a verdict speaks of, so that evidence can be seen to be old.

Reads:  an obligation, its verdict and the core of its proof.   Writes: names as `Fingerprints.named` spells them.
After:  while everything named is unchanged, the verdict stands, as far as what it takes for granted stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pilgrim_rules.core.walk import action_expressions
from verifier.obligations import Kind, Obligation
from verifier.survey import Survey
from verifier.verdict import Verdict

#: What is found by playing: any change of the rules may spoil the play.
PLAYED: frozenset[Kind] = frozenset({"can_happen", "can_refuse", "triggered", "reachable", "sight", "audit"})
#: Labels of a core that name a claim.
CLAIMS = ("invariant", "conserved", "law")
#: Labels of a core that name a step of a path, or an invariant that nobody has written.
WIDE = ("range:", "strengthening:")


def about(obligation: Obligation, verdict: Verdict, core: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the goal and of everything that the argument rests on."""
    found = [] if obligation.action is None else [f"action {obligation.action}"]
    match obligation.kind:
        case "example":
            found.append(f"example {obligation.subject}")
        case "decreases":
            found.append(f"ranking {obligation.subject}")
        case "no_ties":
            found.append("score")
        case _ if obligation.subject is not None:
            found.append(f"claim {obligation.subject}")
        case _:
            pass
    if obligation.kind == "initially":
        found.append("start")
    # A proof rests on its core. Whatever is not proved may be, once anything else in the rules has changed.
    weak = verdict not in (Verdict.PROVED, Verdict.LIMITED)
    if obligation.kind in PLAYED or obligation.stage is not None or weak or is_wide(core):
        found.append("rules")
    return tuple(dict.fromkeys((*found, *claims_in(core))))


def looks_at(survey: Survey, obligation: Obligation, core: Sequence[str]) -> frozenset[str]:
    """Return the constants that the goal, the action and the claims of the argument look at."""
    game, world = survey.game, survey.world
    exprs = [world.claims[name.removeprefix("claim ")].formula for name in claims_in(core)]
    if obligation.subject in world.claims:
        exprs.append(world.claims[obligation.subject].formula)
    if obligation.action is not None:
        exprs += action_expressions(world.actions[obligation.action])
    if obligation.stage is not None:
        exprs += [part for each in game.actions if obligation.stage in each.stages for part in action_expressions(each)]
    if obligation.kind == "initially":
        exprs += [variable.initial for variable in game.variables]
    if obligation.kind == "decreases":
        exprs += [part for each in game.rankings if each.name == obligation.subject for part in each.parts]
    if obligation.kind == "no_ties" and game.score is not None:
        exprs += [key.value for key in game.score.keys]
    if is_wide(core):
        return frozenset(world.constants)
    return survey.footprints(exprs).constants


def is_wide(core: Iterable[str]) -> bool:
    """Return whether a proof speaks of steps other than the obligation's own, and so of every action there is."""
    return any(label.startswith(WIDE) for label in core)


def claims_in(core: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the claims in a core, sorted."""
    labels = (label.partition(":") for label in core)
    return tuple(sorted({f"claim {name}" for kind, _, name in labels if kind in CLAIMS}))
