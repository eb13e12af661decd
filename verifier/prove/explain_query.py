"""Explain: a query in words, for whoever edits the rules.

Reads:  an obligation and the settler that settles it.   Writes: lines of text: what is assumed, what the action writes, which
        hypotheses were used and where, what is to be shown, and the verdict.
After:  everything said of the query was read off the query itself, after it was asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from textwrap import dedent

from pilgrim_rules.core.footprint import writes
from pilgrim_rules.core.ir import Action, Claim, Game, Given, Require, Type, Written
from pilgrim_rules.core.show import show_item
from pilgrim_rules.core.show_expr import show
from pilgrim_rules.core.slicing import sliced
from pilgrim_rules.core.values import show as show_value
from pilgrim_rules.evidence.record import Record
from verifier.claims import formulas
from verifier.claims.obligations import Obligation, affecting
from verifier.prove.settle import Settler
from verifier.smt.encode.query import Universal
from verifier.smt.solve.z3_solver import Solver
from verifier.smt.strategy.build_query import Task
from verifier.smt.strategy.encoding_options import Options
from verifier.smt.strategy.refine import Refinement
from verifier.smt.strategy.relevance import Hypothesis
from verifier.smt.strategy.two_worlds import build
from verifier.smt.terms.polarity import Unsupported
from verifier.smt.terms.terms import Term

#: Instances of one hypothesis that are listed.
LISTED = 8
#: What is settled without a query of this form, and how.
OTHERWISE = {
    "law": "It speaks of the data alone, and is evaluated.",
    "example": "It is played by the evaluator, move by move, and every expectation is asked where it stands.",
    "audit": "It is not proved: it is asked of every state that search or play visits.",
    "can_refuse": "A state of random play that shows it is looked for; then a state that satisfies every invariant.",
    "triggered": "A state of random play that shows it is looked for; then a state that satisfies every invariant.",
}


def explained(settler: Settler, obligation: Obligation) -> tuple[list[str], Record | None]:
    """Return an obligation in words, and how it comes out; nothing comes of an audit, which is not proved."""
    record = None if obligation.kind == "audit" else settler.settle(obligation).record
    verdict = () if record is None else _section("verdict", _verdict(record))
    return [*_question_lines(settler, obligation), *verdict], record


def _question_lines(settler: Settler, obligation: Obligation) -> Iterator[str]:
    yield obligation.name
    yield f"    {obligation.sentence}"
    if obligation.clauses:
        yield f"    clauses: {', '.join(obligation.clauses)}"
    if obligation.kind in OTHERWISE:
        yield f"    {OTHERWISE[obligation.kind]}"
    else:
        yield from _query(settler, obligation)


def introduced(game: Game, settler: Settler, found: Sequence[Obligation]) -> Iterator[str]:
    """Yield what a claim of the author asks for as a whole, if all these obligations belong to one."""
    names = {each.subject for each in found if each.kind in ("initially", "kept")}
    claim = next((each for each in game.claims if names == {each.name}), None)
    if claim is None or len(found) == 1:
        return
    keeping = [each.name for each in affecting(game, claim, settler.footprints)]
    rest = [each.name for each in game.actions if each.name not in keeping]
    yield f"{claim.kind} {claim.name}: {show(claim.formula)}"
    yield f"    It is to hold at the start, and {_named(keeping)} must keep it."
    if rest:
        yield f"    {_named(rest)} write{'s' if len(rest) == 1 else ''} nothing that it reads."
    yield ""


# ----------------------------------------------------------------------------------------------------------- the query


def _query(settler: Settler, obligation: Obligation) -> Iterator[str]:
    """Ask once, and say what was asked."""
    ladder = settler.ladder
    try:
        task = build(settler.footprints, obligation, Options(settler.symbolic))
    except Unsupported as reason:
        yield f"    It has no query: {reason}."
        return
    with Solver(ladder.budget) as solver:
        Refinement(task, ladder.oracle, ladder.good, solver).settle()
    game = settler.game
    action = None if obligation.action is None else settler.footprints.declared.actions[obligation.action]
    if action is not None and obligation.kind in ("range", "kept", "step", "decreases", "sight", "no_leak"):
        yield from _section("the action is made, so", _guard(game, action))
    yield from _section("assumed", _assumed(settler, obligation, task))
    if action is not None and obligation.kind in ("range", "kept", "step", "decreases", "no_leak"):
        looked_at = None if obligation.kind == "range" else task.looks_at
        yield from _section("the action writes", _written(settler, action, looked_at))
    yield from _section("to be shown", _goal(settler, obligation))


def _guard(game: Game, action: Action) -> Iterator[str]:
    stages = " or ".join(show_value(game.stage, code) for code in action.stages)
    yield f"the stage is {stages}"
    for line in action.guard:
        match line:
            case Require(test=test, clauses=clauses, key=key):
                yield f"{show(test)}   ({', '.join((key, *clauses))})"
            case Given(name=name, value=value):
                yield f"{name} stands for {show(value)}"
    if action.weight is not None:
        yield f"{show(action.weight)} > 0   (its weight)"


def _assumed(settler: Settler, obligation: Obligation, task: Task) -> Iterator[str]:
    yield "every value lies in its type"
    claims = settler.footprints.declared.claims
    own = settler.footprints.declared.claims.get(obligation.subject or "")
    for hypothesis in task.hypotheses:
        if hypothesis.used and hypothesis.name in claims:
            claim = claims[hypothesis.name]
            why = _why(claim, own, obligation)
            yield f"{claim.kind} {claim.name}: {show(claim.formula)}   ({why})"
            yield from (f"    {where}" for where in _where(settler, hypothesis, task.query.universals))
    unused = [each.name for each in task.hypotheses if not each.used and each.name in claims]
    if unused:
        yield f"{len(unused)} more {'claim was' if len(unused) == 1 else 'claims were'} not needed: {_some(unused)}"
    if obligation.kind in ("kept", "step", "decreases") and obligation.action is not None:
        yield f"nothing that `{obligation.action}` writes leaves its range   (an obligation of its own)"


def _why(claim: Claim, own: Claim | None, obligation: Obligation) -> str:
    if claim is own and obligation.kind == "kept":
        return "the claim itself, before the step"
    if obligation.kind == "follows" and claim.kind != "law":
        return "named by `follows from`"
    if own is not None and claim.name in own.using:
        return "named by `using`"
    return "a law of a table in use" if claim.kind == "law" else "a state that came in question broke it"


def _where(settler: Settler, hypothesis: Hypothesis, universals: Iterable[Universal]) -> Iterator[str]:
    """Yield at which terms the universals of a hypothesis were instantiated."""
    for universal in universals:
        if universal.origin == hypothesis.label and universal.done:
            places = [
                ", ".join(
                    f"{slot.name.partition('!')[0]} = {_term(settler, term, slot.type)}"
                    for slot, term in zip(universal.slots, terms, strict=True)
                )
                for terms in universal.done
            ]
            yield f"at {_some(sorted(set(places)), '; ')}"


def _written(settler: Settler, action: Action, looked_at: frozenset[str] | None) -> Iterator[str]:
    body = action.body if looked_at is None else sliced(action.body, looked_at, settler.footprints)
    told = show_item(replace(action, guard=(), weight=None, body=body, written=Written()), settler.game)
    yield from dedent("\n".join(told.splitlines()[2:])).splitlines()  # without its head, and `do`
    idle = sorted(writes(action.body) - writes(body))
    if idle:
        yield f"what it writes to {_named(idle)} does not matter here"


def _goal(settler: Settler, obligation: Obligation) -> Iterator[str]:
    claims = settler.footprints.declared.claims
    match obligation.kind:
        case "range":
            yield "each value that is written lies in the type of its variable, and no cell is set twice"
        case "kept":
            yield f"afterwards: {show(claims[str(obligation.subject)].formula)}"
        case "initially":
            yield f"at the start: {show(claims[str(obligation.subject)].formula)}"
        case "step":
            yield f"of the step (x' is x after it): {show(claims[str(obligation.subject)].formula)}"
        case "decreases":
            ranking = next(each for each in settler.game.rankings if each.name == obligation.subject)
            yield f"afterwards ({', '.join(map(show, ranking.parts))}) is smaller, the first difference counting"
        case "sight":
            yield "in two states that look the same to the player, each requirement holds in both or in neither"
        case "no_leak":
            yield "after two moves that look the same to a player, from states that do, the states still look the same"
        case "symmetry":
            yield f"the same holds of the image of everything by `{obligation.subject}`"
        case "can_happen" | "reachable":
            yield f"that this is not excluded: not ({show(formulas.static(settler.game, obligation))})"
        case "falsifiable":
            yield f"that some state breaks it: {show(formulas.static(settler.game, obligation))}"
        case _:  # a formula of one state, which `static` has
            yield show(formulas.static(settler.game, obligation))


def _verdict(record: Record) -> Iterator[str]:
    asked = "1 query" if record.queries == 1 else f"{record.queries} queries"
    yield f"{record.verdict} ({record.method}); {asked}, {record.rlimit:,} solver steps, {record.seconds:.2f} s"
    yield from record.reason.splitlines()
    if record.core:
        yield f"it needed: {', '.join(sorted(record.core))}"
    if record.bounds:
        yield f"for: {'; '.join(record.bounds)}"
    if record.confirmed:
        yield f"the second solver: {record.confirmed}"
    yield from (f"{number:>3}  {move}" for number, move in enumerate(record.play, 1))


# --------------------------------------------------------------------------------------------------------------- words


def _term(settler: Settler, term: Term, type_: Type) -> str:
    """Return a term as the rules would say it."""
    if term.op == "num":
        return show_value(type_, term.value) if type_.lo <= term.value <= type_.hi else str(term.value)
    if term.op not in ("const", "app"):
        return "something computed"
    name = term.name.partition("!")[0]
    declared = settler.footprints.declared.variables.get(name) or settler.footprints.declared.constants.get(name)
    index = () if declared is None else declared.index
    inner = ", ".join(_term(settler, arg, kind) for arg, kind in zip(term.args, index, strict=False))
    return f"{name}[{inner}]" if inner else name


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    yield f"  {title}"
    yield from (f"    {line}" for line in lines)


def _named(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "nothing"


def _some(names: Sequence[str], comma: str = ", ") -> str:
    more = f"{comma}and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return comma.join(names[:LISTED]) + more
