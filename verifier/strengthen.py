"""Strengthen: settle what is not inductive with invariants that are proposed from play, and show them to the author.

Reads:  an obligation and the step that stands in its way.   Writes: a proof and the invariants it needs, as rules text; or None.
After:  each invariant that is proposed is proved like one of the author's: true at the start, kept by every action. The text
        can be pasted into the rules, and then the claim is proved without any search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from pilgrim_rules.core.ir import Claim, Expr, Game
from pilgrim_rules.core.show_expr import show
from pilgrim_rules.engine.compile import compiled
from pilgrim_rules.engine.evaluate import evaluate
from pilgrim_rules.engine.scene import Scene, World
from verifier.candidates import candidates
from verifier.obligations import Kind, Obligation, affecting
from verifier.play import Visits
from verifier.replay import Failure
from verifier.smt.houdini import Houdini
from verifier.smt.ladder import Ladder, Settled
from verifier.smt.oracle import Oracle
from verifier.smt.refine import Proved
from verifier.survey import Survey
from verifier.verdict import STRENGTHENED

#: The label under which a core names an invariant that was proposed.
LABEL = "strengthening"
#: Candidates that are tried, and steps of all of them together.
MOST, MOST_STEPS = 40, 400
#: What an invariant can help: whatever speaks of all states or steps.
KINDS: frozenset[Kind] = frozenset(
    {"range", "kept", "step", "decreases", "one_side", "one_auto", "no_dead_end", "weights", "no_ties"}
)


@dataclass(frozen=True, slots=True)
class Strengthened:
    """A proof, and the text of the invariants that it needs, ready to paste."""

    settled: Settled
    text: tuple[str, ...]


def strengthened(ladder: Ladder, visits: Visits, obligation: Obligation, failure: Failure) -> Strengthened | None:
    """Return a proof with proposed invariants; None if none of them helps."""
    game, survey = ladder.survey.game, ladder.survey
    initial = survey.footprints(each.initial for each in game.variables)
    if obligation.kind not in KINDS or initial.constants & ladder.symbolic:
        return None  # what holds at the start is seen in play only as far as the data are known
    seen = [visits.compiled.layout.decode(state) for state in visits.came]  # the start among them
    claims = tuple(_chosen(survey, candidates(game, seen), failure))
    if not claims:
        return None
    wider = replace(game, claims=(*game.claims, *claims))
    wide = Survey.of(wider)
    oracle = Oracle(wide, compiled(wider, ghosts=True))
    houdini = Houdini(replace(ladder, survey=wide, oracle=oracle), [each.name for each in claims])
    found = houdini.strengthen(obligation)
    if found is None or not found.needed:
        return None
    formulas = {each.name: each.formula for each in claims}
    text = tuple(_declared(game, obligation, [formulas[name] for name in found.needed]))
    core = (*found.core, *(f"{LABEL}:{line}" for line in text))
    return Strengthened(Settled(Proved(core, found.effort), STRENGTHENED, found.proofs), text)


def _chosen(survey: Survey, proposed: Sequence[Expr], failure: Failure) -> Iterator[Claim]:
    """Yield candidates to try: those that exclude the state which stands in the way first; nothing if none does."""
    scene = Scene(World(survey.game), failure.before, {})
    excluding = [each for each in proposed if not evaluate(each, scene)]
    others = [each for each in proposed if each not in excluding]
    steps = 0
    for number, formula in enumerate((*excluding, *others)[:MOST] if excluding else ()):
        claim = Claim(f"candidate {number}", "invariant", formula)  # a name that rules cannot spell
        steps += len(affecting(survey.game, claim, survey))
        if steps > MOST_STEPS:
            return
        yield claim


def _declared(game: Game, obligation: Obligation, formulas: Sequence[Expr]) -> Iterator[str]:
    """Yield invariants as an author would write them, under names that are free."""
    taken = {each.name for each in game.claims} | {each.name for each in game.variables}
    about = obligation.subject or obligation.action or obligation.kind
    free = (name for number in count(1) if (name := f"{about}_helper_{number}") not in taken)
    for formula, name in zip(formulas, free, strict=False):
        yield f"invariant {name}: {show(formula)}"
