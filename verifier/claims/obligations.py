"""Obligations: everything that is claimed of a game, as a list of named claims.

Reads:  a core game.   Writes: `Obligation` records; readable without knowing any solver.
After:  proof, exploration and fuzzing attack the same list, and the evidence has one record for each entry. Names are
        stable: they consist of the names of the game, the claim and the action or stage.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pilgrim_rules.core.automata import is_seat_line
from pilgrim_rules.core.definedness import all_defined, guard_defined
from pilgrim_rules.core.derived import asked_action
from pilgrim_rules.core.footprint import Footprints, writes
from pilgrim_rules.core.ir import Action, Call, Claim, Game, Require, Stage
from pilgrim_rules.core.rule_walk import assignments, score_expressions, stage_expressions
from pilgrim_rules.core.symmetry import BY, SCORE, START, symmetry_parts
from pilgrim_rules.core.zones import is_draw
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.evidence.dependencies import OTHERWISE
from pilgrim_rules.semantics.observation import has_secrets
from pilgrim_rules.util.identity_cache import cache_by_identity
from verifier.claims.implication_premises import triggers

Kind: TypeAlias = Literal[
    "law", "range", "defined", "one_side", "one_auto", "no_dead_end", "policy_covers", "weights", "can_happen", "can_refuse",
    "falsifiable", "triggered", "initially", "kept", "follows", "step", "decreases", "reachable", "example", "no_ties", "sight", "no_leak", "symmetry", "audit",
]  # fmt: skip

INITIALLY = "initially"
FOLLOWS = "follows"


@dataclass(frozen=True, slots=True)
class Obligation:
    """One claim about a game.

    name     stable, such as `pilgrim.invariant.resource_cap/drop`.
    claim    the part of the name before the slash: what the author (or the language) claims as a whole.
    subject  the name of the claim, ranking or example, if it is about one.
    action   the action it is about, if any.         stage  the code of the stage it is about, if any.
    line     the requirement it is about, by its key; of several implications in one claim, the number.
    """

    name: str
    kind: Kind
    claim: str
    sentence: str
    subject: str | None = None
    action: str | None = None
    stage: int | None = None
    clauses: tuple[str, ...] = ()
    span: Span | None = None
    line: str | None = None


@cache_by_identity(8)
def obligations(game: Game) -> tuple[Obligation, ...]:
    """Return everything that is claimed of the game, laws first, then what each action and stage must do."""
    footprints = Footprints.from_game(game)
    return (
        *_laws(game),
        *_actions(game),
        *_defined(game),
        *_requirements(game, footprints),
        *_stages(game),
        *_claims(game, footprints),
        *_rankings(game),
        *_goals(game),
        *_sight(game, footprints),
        *_no_leak(game),
        *_symmetries(game),
    )


def _laws(game: Game) -> Iterator[Obligation]:
    for claim in game.claims:
        if claim.kind == "law":
            name = f"{game.name}.law.{claim.name}"
            says = f"The data obey the law `{claim.name}`{_doc(claim)}"
            yield Obligation(name, "law", name, says, claim.name, clauses=claim.note.clauses, span=claim.note.span)


def _actions(game: Game) -> Iterator[Obligation]:
    for action in game.actions:
        clauses = _clauses(action)
        span = action.note.span
        if action.body:
            name = f"{game.name}.range"
            says = f"Nothing that `{action.name}` writes leaves its range."
            yield Obligation(f"{name}/{action.name}", "range", name, says, None, action.name, None, clauses, span)
        name = f"{game.name}.can_happen"
        says = f"`{action.name}` can happen: some play from the start uses it."
        yield Obligation(f"{name}/{action.name}", "can_happen", name, says, None, action.name, None, clauses, span)
        if action.kind == "chance" and action.weight is not None:
            name = f"{game.name}.weights"
            says = f"No outcome of `{action.name}` has a weight below zero."
            yield Obligation(f"{name}/{action.name}", "weights", name, says, None, action.name, None, clauses, span)


def _defined(game: Game) -> Iterator[Obligation]:
    """Yield that every value exists that is asked for, where that is not evident; effects are part of `range`."""
    claim = f"{game.name}.defined"
    defs = {each.name: each for each in game.defs}
    for action in game.actions:
        if guard_defined(action, defs) is not None:
            says = f"Every value exists that the requirements of `{action.name}` ask for."
            yield Obligation(
                f"{claim}/{action.name}", "defined", claim, says, None, action.name, None, _clauses(action),
                action.note.span,
            )  # fmt: skip
    for stage in game.stages:
        if all_defined(stage_expressions(stage), defs) is not None:
            says = f"Every value exists that is asked for to know who decides in `{stage.name}`."
            note = stage.note
            name = f"{claim}/stage.{stage.name}"
            yield Obligation(name, "defined", claim, says, None, None, stage.code, note.clauses, note.span)
    for ranking in game.rankings:
        if all_defined(ranking.parts, defs) is not None:
            says = f"Every value exists that `{ranking.name}` asks for."
            name = f"{claim}/terminates.{ranking.name}"
            yield Obligation(
                name, "defined", claim, says, ranking.name, clauses=ranking.note.clauses, span=ranking.note.span
            )
    if game.score is not None and all_defined(score_expressions(game.score), defs) is not None:
        note = game.score.note
        says = "Every value exists that the score asks for."
        yield Obligation(f"{claim}/score", "defined", claim, says, clauses=note.clauses, span=note.span)


def _requirements(game: Game, footprints: Footprints) -> Iterator[Obligation]:
    """Yield that each requirement can be the reason for a refusal.

    A line that several actions share counts once: it may be idle in some of them. Not asked about are a line that looks
    neither at the state nor at arguments, because the instance and the rulings decide it, and the `else` of a `let` and that
    what is drawn is there, because the language wants them.
    """
    claim = f"{game.name}.can_refuse"
    seen: set[str] = set()
    for action in game.actions:
        for line in action.guard:
            if (
                isinstance(line, Require)
                and line.key not in seen
                and not (is_seat_line(action, line) or is_draw(action))
            ):
                seen.add(line.key)
                if line.defines is None and (footprints.footprint(line.test).variables or footprints.free(line.test)):
                    says = f"`{line.key}` can fail where everything required before it holds."
                    yield Obligation(
                        f"{claim}/{line.key}", "can_refuse", claim, says, None, action.name, None,
                        line.clauses, line.span, line.key,
                    )  # fmt: skip


def _stages(game: Game) -> Iterator[Obligation]:
    for stage in game.stages:
        match stage.kind:
            case "player":
                says = f"In `{stage.name}` exactly one player is to decide."
                yield _of_stage(game, stage, "one_side", says)
                says = f"In `{stage.name}` the player to decide has a legal move{_because(stage)}."
                yield _of_stage(game, stage, "no_dead_end", says)
                yield from _policy(game, stage)
            case "auto":
                yield _of_stage(game, stage, "one_auto", f"In `{stage.name}` at most one thing happens by itself.")
                says = f"In `{stage.name}` something happens by itself{_because(stage)}."
                yield _of_stage(game, stage, "no_dead_end", says)
            case "chance":
                says = f"In `{stage.name}` some outcome has a weight above zero."
                yield _of_stage(game, stage, "no_dead_end", says)
            case "nobody":
                pass


def _policy(game: Game, stage: Stage) -> Iterator[Obligation]:
    """Yield that the policy of an automaton says what it does, or that none ever has to decide here; and says one thing only."""
    if not game.automata:
        return
    policy = [action for action in game.actions if action.kind == "auto" and stage.code in action.stages]
    told = "has a policy for what it does" if policy else "never has to decide"
    yield _of_stage(game, stage, "policy_covers", f"In `{stage.name}` an automaton {told}.")
    if policy:
        says = f"In `{stage.name}` an automaton does at most one thing."
        yield _of_stage(game, stage, "one_auto", says)


def _because(stage: Stage) -> str:
    """Return which actions are said to be always possible in the stage."""
    named = [asked_action(test.definition) for test in stage.always if isinstance(test, Call)]
    return f": always {' or '.join(f'`{name}`' for name in dict.fromkeys(named))}" if named else ""


def _of_stage(game: Game, stage: Stage, kind: Kind, says: str) -> Obligation:
    claim = f"{game.name}.{kind}"
    note = stage.note
    return Obligation(f"{claim}/{stage.name}", kind, claim, says, None, None, stage.code, note.clauses, note.span)


def _claims(game: Game, footprints: Footprints) -> Iterator[Obligation]:
    for claim in game.claims:
        name = f"{game.name}.{claim.kind}.{claim.name}"
        note = claim.note
        match claim.kind:
            case "invariant" | "conserved":
                falsifiable = f"{game.name}.falsifiable"
                yield Obligation(
                    f"{falsifiable}/{claim.name}", "falsifiable", falsifiable,
                    f"`{claim.name}` says something: some well-typed state breaks it.",
                    claim.name, clauses=note.clauses, span=note.span,
                )  # fmt: skip
                yield from _triggered(game, claim, footprints)
                if claim.follows:
                    says = f"`{claim.name}` holds wherever {_named(claim.using)} do{_doc(claim)}"
                    yield Obligation(
                        f"{name}/{FOLLOWS}", "follows", name, says, claim.name, clauses=note.clauses, span=note.span
                    )
                    continue
                says = f"`{claim.name}` holds at the start{_doc(claim)}"
                yield Obligation(
                    f"{name}/{INITIALLY}", "initially", name, says, claim.name, clauses=note.clauses, span=note.span
                )
                for action in affecting(game, claim, footprints):
                    says = f"`{action.name}` keeps `{claim.name}`{_doc(claim)}"
                    clauses = tuple(dict.fromkeys((*note.clauses, *_clauses(action))))
                    yield Obligation(
                        f"{name}/{action.name}", "kept", name, says, claim.name, action.name, None, clauses, note.span
                    )
            case "step":
                changing = [action for action in game.actions if changes(action, claim, footprints)]
                for action in changing:
                    says = f"Every `{action.name}` satisfies `{claim.name}`{_doc(claim)}"
                    yield Obligation(
                        f"{name}/{action.name}",
                        "step",
                        name,
                        says,
                        claim.name,
                        action.name,
                        None,
                        note.clauses,
                        note.span,
                    )
                if len(changing) < len(game.actions):
                    says = f"A step that changes nothing `{claim.name}` looks at afterwards satisfies it{_doc(claim)}"
                    yield Obligation(
                        f"{name}/{OTHERWISE}", "step", name, says, claim.name, clauses=note.clauses, span=note.span
                    )
            case "contract":
                says = f"Every `{claim.action}` keeps its contract `{claim.name}`{_doc(claim)}"
                yield Obligation(
                    f"{name}/{claim.action}",
                    "step",
                    name,
                    says,
                    claim.name,
                    claim.action,
                    None,
                    note.clauses,
                    note.span,
                )
            case "reachable":
                says = f"Some play reaches `{claim.name}`{_doc(claim)}"
                yield Obligation(name, "reachable", name, says, claim.name, clauses=note.clauses, span=note.span)
            case "audit":
                says = f"`{claim.name}` holds in every state that is visited{_doc(claim)}"
                yield Obligation(name, "audit", name, says, claim.name, clauses=note.clauses, span=note.span)
            case "law":
                pass


def _triggered(game: Game, claim: Claim, footprints: Footprints) -> Iterator[Obligation]:
    """Yield that each implication in an invariant applies somewhere."""
    found = triggers(claim.formula, footprints)
    for number, _ in enumerate(found, 1):
        part = claim.name if len(found) == 1 else f"{claim.name}.{number}"
        which = "What" if len(found) == 1 else f"In implication {number}, what"
        says = f"{which} `{claim.name}` presupposes can come about."
        name = f"{game.name}.triggered"
        yield Obligation(
            f"{name}/{part}", "triggered", name, says, claim.name,
            clauses=claim.note.clauses, span=claim.note.span, line=str(number),
        )  # fmt: skip


def affecting(game: Game, claim: Claim, footprints: Footprints) -> tuple[Action, ...]:
    """Return the actions that can change the truth of a claim: those that write something it reads."""
    looked_at = footprints.footprint(claim.formula).variables
    return tuple(action for action in game.actions if writes(action.body) & looked_at)


def changes(action: Action, claim: Claim, footprints: Footprints) -> bool:
    """Return whether an action writes something that a claim about steps looks at after the step."""
    looked_at = {name for name, when in footprints.footprint(claim.formula).reads if when == "next"}
    return not looked_at.isdisjoint(writes(action.body))


def _rankings(game: Game) -> Iterator[Obligation]:
    for ranking in game.rankings:
        claim = f"{game.name}.terminates.{ranking.name}"
        for action in game.actions:
            says = f"`{action.name}` brings the end nearer: `{ranking.name}` falls."
            yield Obligation(
                f"{claim}/{action.name}", "decreases", claim, says, ranking.name, action.name, None,
                ranking.note.clauses, ranking.note.span,
            )  # fmt: skip


def _goals(game: Game) -> Iterator[Obligation]:
    for example in game.examples:
        name = f"{game.name}.example.{example.name}"
        what = "witness" if example.witness else "example"
        note = example.note
        yield Obligation(
            name, "example", name, f"The {what} `{example.name}` comes out as written.", example.name,
            clauses=note.clauses, span=note.span,
        )  # fmt: skip
    if game.score is not None and game.score.total:
        name = f"{game.name}.rank.total"
        note = game.score.note
        yield Obligation(name, "no_ties", name, "No two players can tie.", clauses=note.clauses, span=note.span)


def _sight(game: Game, footprints: Footprints) -> Iterator[Obligation]:
    """Yield that what is legal, and what happens by itself, does not depend on what somebody does not see."""
    unseen = {variable.name for variable in game.variables if variable.seen is not None and not variable.ghost}
    claim = f"{game.name}.sight"
    for action in game.actions:
        asked = [line.test if isinstance(line, Require) else line.value for line in action.guard]
        if action.kind == "chance" or not footprints.joint(asked).variables & unseen:
            continue
        says = (
            f"Whether `{action.name}` is legal, and why not, depends only on what the player to decide can see."
            if action.kind == "action"
            else f"Whether `{action.name}` happens by itself depends only on what everybody can see."
        )
        yield Obligation(
            f"{claim}/{action.name}", "sight", claim, says, None, action.name, None,
            _clauses(action), action.note.span,
        )  # fmt: skip


def _no_leak(game: Game) -> Iterator[Obligation]:
    """Yield, for each action, that nobody learns from it what the rules do not give away."""
    if not has_secrets(game):
        return
    claim = f"{game.name}.no_leak"
    for action in game.actions:
        if action.body:
            says = f"What a player sees after `{action.name}` depends only on what that player saw before, and on the move as seen."
            yield Obligation(
                f"{claim}/{action.name}", "no_leak", claim, says, None, action.name, None,
                _clauses(action), action.note.span,
            )  # fmt: skip


def _symmetries(game: Game) -> Iterator[Obligation]:
    """Yield, for each declared symmetry, that everything about the game is the same after it."""
    actions = {action.name for action in game.actions}
    said = {START: "The start", BY: "Who decides", SCORE: "The score"}
    for symmetry in game.symmetries:
        claim = f"{game.name}.symmetry.{symmetry.name}"
        for part in symmetry_parts(game):
            what = said.get(part, f"`{part.rpartition('.')[2]}`")
            yield Obligation(
                f"{claim}/{part}", "symmetry", claim, f"{what} is the same after `{symmetry.name}`.", symmetry.name,
                part if part in actions else None, None, symmetry.note.clauses, symmetry.note.span, part,
            )  # fmt: skip


def _clauses(action: Action) -> tuple[str, ...]:
    """Return the clauses that an action cites, its own first, then line by line."""
    cited = [*action.note.clauses]
    for line in action.guard:
        if isinstance(line, Require):
            cited += line.clauses
    for stmt in assignments(action.body):
        cited += stmt.clauses
    return tuple(dict.fromkeys(cited))


def _named(names: tuple[str, ...]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def _doc(claim: Claim) -> str:
    first = claim.note.doc.strip().split("\n\n")[0].replace("\n", " ")
    return f": {first}" if first else "."
