"""Formulas that the verifier asks about without anyone writing them, as core expressions.

Reads:  stages and actions of a core game.   Writes: core formulas over one state.
After:  a formula says in the language of the rules what its obligation claims; no solver is involved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import combinations

from pilgrim_rules.core import derived
from pilgrim_rules.core.automata import automaton_decides
from pilgrim_rules.core.definedness import all_defined, guard_defined
from pilgrim_rules.core.ir import (
    BOOL,
    Action,
    Apply,
    Binder,
    Bound,
    Call,
    Expr,
    Fold,
    Game,
    Given,
    Let,
    Lit,
    Read,
    Require,
    ScoreSheet,
    Stage,
)
from pilgrim_rules.core.rule_walk import score_expressions, stage_expressions
from pilgrim_rules.core.smart_constructors import applied
from pilgrim_rules.core.walk import substitute
from verifier.claims.obligations import Obligation

TRUE = Lit(1, BOOL)
FALSE = Lit(0, BOOL)


def conj(parts: Iterable[Expr]) -> Expr:
    """Return the conjunction; true if there is nothing."""
    kept = tuple(part for part in parts if part != TRUE)
    return TRUE if not kept else kept[0] if len(kept) == 1 else Apply("and", kept, BOOL)


def disj(parts: Iterable[Expr]) -> Expr:
    """Return the disjunction; false if there is nothing."""
    kept = tuple(parts)
    return FALSE if not kept else kept[0] if len(kept) == 1 else Apply("or", kept, BOOL)


def negation(part: Expr) -> Expr:
    """Return the negation."""
    return Apply("not", (part,), BOOL)


def implies(given: Expr, then: Expr) -> Expr:
    """Return the implication."""
    return Apply("implies", (given, then), BOOL)


def stage_is(game: Game, code: int) -> Expr:
    """Return that the game is in a stage."""
    return Apply("==", (Read("stage", (), game.stage), Lit(code, game.stage)), BOOL)


def guarded(action: Action, body: Expr, *, assumed: bool) -> Expr:
    """Return that the requirements hold and so does the body; if `assumed`, that the body holds wherever they do."""
    for line in reversed(action.guard):
        match line:
            case Require(test=test):
                body = implies(test, body) if assumed else conj((test, body))
            case Given(name=name, value=value):
                body = Let(name, value, body, BOOL)
    return body


def parameters(action: Action) -> tuple[Binder, ...]:
    """Return the parameters of an action as binders."""
    return tuple(Binder(param.name, param.type) for param in action.params)


def some(binders: tuple[Binder, ...], body: Expr) -> Expr:
    """Return that some choice satisfies the body."""
    return Fold("some", binders, None, body, None, BOOL) if binders else body


def every(binders: tuple[Binder, ...], body: Expr) -> Expr:
    """Return that every choice satisfies the body."""
    return Fold("all", binders, None, body, None, BOOL) if binders else body


def possible(action: Action, body: Expr = TRUE) -> Expr:
    """Return that some arguments satisfy the requirements (and the body), the stage left aside."""
    return some(parameters(action), guarded(action, body, assumed=False))


def asked_of(action: Action) -> Expr:
    """Return `possible(action)`, as rules ask it."""
    return Call(f"{derived.POSSIBLE}{action.name}", (), BOOL)


def assuming(formula: Expr, known: Mapping[Expr, Expr]) -> Expr:
    """Return a formula in which questions below connectives have answers: the same where these are right."""
    match formula:
        case Call():
            return known.get(formula, formula)
        case Apply(op="and" | "or" | "not" | "implies" as op, args=args):
            return applied(op, [assuming(each, known) for each in args], BOOL)
        case Let(body=body):
            return replace(formula, body=assuming(body, known))
        case _:  # it may well depend on them, but only what is said at the top matters
            return formula


def in_its_stages(game: Game, action: Action) -> Expr:
    """Return that the game is in one of the action's stages."""
    return disj(stage_is(game, code) for code in action.stages)


def actions_in(game: Game, stage: Stage) -> tuple[Action, ...]:
    """Return the actions that may happen in a stage."""
    return tuple(action for action in game.actions if stage.code in action.stages)


def conjuncts(formula: Expr) -> tuple[Expr, ...]:
    """Return formulas that hold together exactly if this one does; each is as small as it can be made."""
    match formula:
        case Apply(op="and", args=args):
            return tuple(part for arg in args for part in conjuncts(arg))
        case Apply(op="implies", args=(given, then)):
            return tuple(implies(given, part) for part in conjuncts(then))
        case Fold(op="all", body=body):
            return tuple(replace(formula, body=part) for part in conjuncts(body))
        case _:  # it has no conjuncts
            return (formula,)


# ------------------------------------------------------------------------------------------------------- whole claims


def decider_known(game: Game, stage: Stage) -> Expr:
    """Return that in this stage some player is to decide."""
    assert stage.by is not None, "only a player's stage has a decider"
    by = stage.by
    return implies(stage_is(game, stage.code), Apply("<=", (by, Lit(game.player.hi, game.player)), BOOL))


def something_possible(game: Game, stage: Stage) -> Expr:
    """Return that in this stage something can happen, or what is said to be always possible; for chance, with a weight."""
    automaton = automaton_decides(game, stage)
    here = stage_is(game, stage.code) if automaton is None else conj((stage_is(game, stage.code), negation(automaton)))
    if stage.always:
        return implies(here, disj(stage.always))
    ways: dict[str, Expr] = {}
    for action in actions_in(game, stage):
        if automaton is not None and action.kind == "auto":
            continue
        body: Expr = TRUE
        if action.weight is not None:
            body = Apply(">", (action.weight, Lit(0, action.weight.type)), BOOL)
        ways[action.name] = possible(action, body)
    # One way may ask whether another is open. If that one is, nothing else counts: so it may take the answer to be no.
    closed = {
        asked_of(action): FALSE for action in actions_in(game, stage) if action.name in ways and not action.weight
    }
    return implies(here, disj(assuming(way, closed) for way in ways.values()))


def policy_covers(game: Game, stage: Stage) -> Expr:
    """Return that an automaton which is to decide in this stage has something to do; without a policy, that none is."""
    automaton = automaton_decides(game, stage)
    assert automaton is not None, "only a stage of players has policies, and only in a game with automata"
    return implies(conj((stage_is(game, stage.code), automaton)), disj(map(possible, autos_in(game, stage))))


def autos_in(game: Game, stage: Stage) -> tuple[Action, ...]:
    """Return what may happen by itself in a stage."""
    return tuple(action for action in actions_in(game, stage) if action.kind == "auto")


def at_most_one(game: Game, stage: Stage) -> Expr:
    """Return that in this stage no two things can happen by themselves, nor one with different arguments."""
    actions = autos_in(game, stage)
    clashes = []
    for first, second in combinations(actions, 2):  # both at once: so each may take it that the other is possible
        both = {asked_of(first): TRUE, asked_of(second): TRUE}
        clashes.append(applied("and", [assuming(possible(each), both) for each in (first, second)], BOOL))
    clashes += [_two_outcomes(action) for action in actions if action.params]
    return implies(stage_is(game, stage.code), negation(disj(clashes)))


def _two_outcomes(action: Action) -> Expr:
    others = {param.name: Bound(f"{param.name}'", param.type) for param in action.params}
    first = guarded(action, TRUE, assumed=False)
    second = substitute(first, dict(others))
    apart = disj(Apply("!=", (Bound(name, other.type), other), BOOL) for name, other in others.items())
    binders = (*parameters(action), *(Binder(other.name, other.type) for other in others.values()))
    return some(binders, conj((apart, first, second)))


def weights_not_negative(game: Game, action: Action) -> Expr:
    """Return that no legal outcome of a chance action has a weight below zero."""
    assert action.weight is not None, "only weighted chance has this claim"
    body = Apply(">=", (action.weight, Lit(0, action.weight.type)), BOOL)
    return implies(in_its_stages(game, action), every(parameters(action), guarded(action, body, assumed=True)))


def can_happen(game: Game, action: Action) -> Expr:
    """Return that the action is possible in one of its stages."""
    return conj((in_its_stages(game, action), possible(action)))


def nobody_ties(game: Game, sheet: ScoreSheet) -> Expr:
    """Return that no two players agree on all ranking keys."""
    mine, theirs = Bound(sheet.player, game.player), Bound(f"{sheet.player}'", game.player)
    same = (Apply("==", (key.value, substitute(key.value, {sheet.player: theirs})), BOOL) for key in sheet.keys)
    body = implies(Apply("<", (mine, theirs), BOOL), negation(conj(same)))
    return every((Binder(mine.name, game.player), Binder(theirs.name, game.player)), body)


def values_exist(game: Game, obligation: Obligation) -> Expr:
    """Return that every value exists that an action, a stage, a ranking or the score asks for."""
    defs = {each.name: each for each in game.defs}
    if obligation.action is not None:
        action = next(each for each in game.actions if each.name == obligation.action)
        wanted = guard_defined(action, defs) or TRUE
        return implies(in_its_stages(game, action), every(parameters(action), wanted))
    if obligation.stage is not None:
        stage = next(each for each in game.stages if each.code == obligation.stage)
        return implies(stage_is(game, stage.code), all_defined(stage_expressions(stage), defs) or TRUE)
    if obligation.subject is not None:
        ranking = next(each for each in game.rankings if each.name == obligation.subject)
        return all_defined(ranking.parts, defs) or TRUE
    assert game.score is not None, "nothing else asks for values"
    player = (Binder(game.score.player, game.player),)
    return every(player, all_defined(score_expressions(game.score), defs) or TRUE)


def static(game: Game, obligation: Obligation) -> Expr:
    """Return what a static obligation claims of one state; for `can_happen` and `reachable`, the opposite."""
    actions = {action.name: action for action in game.actions}
    claims = {claim.name: claim for claim in game.claims}
    stages = {stage.code: stage for stage in game.stages}

    def stage() -> Stage:
        assert obligation.stage is not None
        return stages[obligation.stage]

    match obligation.kind:
        case "defined":
            return values_exist(game, obligation)
        case "one_side":
            return decider_known(game, stage())
        case "one_auto":
            return at_most_one(game, stage())
        case "policy_covers":
            return policy_covers(game, stage())
        case "no_dead_end":
            return something_possible(game, stage())
        case "weights":
            return weights_not_negative(game, actions[str(obligation.action)])
        case "no_ties":
            assert game.score is not None
            return nobody_ties(game, game.score)
        case "can_happen":
            return negation(can_happen(game, actions[str(obligation.action)]))
        case "reachable":
            return negation(claims[str(obligation.subject)].formula)
        case "falsifiable" | "follows":
            return claims[str(obligation.subject)].formula
        case _:
            raise ValueError(f"`{obligation.name}` is not about one state")
