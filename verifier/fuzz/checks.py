"""Checks: what is asked of every state and step of a play.

Reads:  states of a game under test.   Writes: nothing; `ProblemFound` is raised where something is wrong.
After:  quick checks cost little and are asked everywhere. Thorough ones compare accounts that must agree: the list of
        moves with what is accepted and with the reasons for refusal, the compiled game with the evaluator, a state with
        its JSON, the rules' own counters with the networks (audits), a play with its replay.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from pilgrim_rules.api.game import State
from pilgrim_rules.api.trace import Record, Trace
from pilgrim_rules.engine.autoplay import Log
from pilgrim_rules.semantics.errors import Contradiction, Refusal, RulesGameError
from pilgrim_rules.semantics.moves import Coded
from pilgrim_rules.semantics.refusal import refusals
from pilgrim_rules.walk.random_source import RandomSource
from pilgrim_rules.walk.random_walk import random_arguments
from verifier.fuzz.game_under_test import GameUnderTest, Play, Problem, ProblemFound
from verifier.play.worlds_alike import told_by

#: The evaluator lists all arguments of an action only if there are at most this many; otherwise it is asked about some.
LISTED = 200


def start(subject: GameUnderTest) -> None:
    """Ask the invariants of the start."""
    for claim, name in subject.of_states:
        if not subject.code.holds(claim, subject.code.start):
            raise ProblemFound(Problem(f"{name}/initially", f"`{claim}` is false"))


def state(subject: GameUnderTest, coded: Coded, after: bytes, only: str | None = None) -> None:
    """Ask the invariants and audits of the state after a move, or one of them; those that it cannot change were asked before."""
    holds = subject.code.holds
    for claim, name in subject.touched[coded[0]]:
        if only in (None, claim) and not holds(claim, after):
            raise ProblemFound(Problem(f"{name}/{subject.core.actions[coded[0]].name}", f"`{claim}` is false"))


def step(subject: GameUnderTest, before: bytes, coded: Coded, after: bytes, only: str | None = None) -> None:
    """Ask the claims about steps, or one of them."""
    code, game = subject.code, subject.core
    action = game.actions[coded[0]].name
    for claim in subject.of_steps:
        if only in (None, claim) and not code.holds(claim, before, after):
            raise ProblemFound(Problem(f"{game.name}.step.{claim}/{action}", f"`{claim}` is false of this step"))
    for ranking in game.rankings:
        if only not in (None, ranking.name):
            continue
        old, new = code.ranking(ranking.name, before), code.ranking(ranking.name, after)
        if not new < old:
            says = f"`{ranking.name}` goes from {old} to {new}"
            raise ProblemFound(Problem(f"{game.name}.terminates.{ranking.name}/{action}", says))


def refusal(subject: GameUnderTest, at: bytes, coded: Coded, offered: frozenset[Coded]) -> list[Refusal]:
    """Ask why a move is not allowed, compare the answer with the moves offered, and return it."""
    number, args = coded
    position = subject.code.layout.decode(at)
    reasons = refusals(subject.game.declared, position, subject.core.actions[number], args, {})
    allowed, shown = subject.runner.allows(at, coded), subject.move(coded)
    if allowed != (coded in offered):
        raise _disagree(
            subject, "moves", f"`{shown}` is {'accepted' if allowed else 'refused'}, unlike the list of moves"
        )
    if allowed == bool(reasons):
        raise _disagree(
            subject, "why_not", f"`{shown}` is {'accepted' if allowed else 'refused'}, the reasons are {reasons}"
        )
    return reasons


def form(subject: GameUnderTest, at: bytes) -> None:
    """Write the state as JSON and read it again."""
    written = subject.state(at).to_json()
    if subject.game.state_from_json(written).data != at:
        raise _disagree(subject, "json", "reading the JSON of the state gives another state")


def evaluator(subject: GameUnderTest, at: bytes, chosen: Coded, random: RandomSource) -> None:
    """Compare the compiled game with the evaluator: one move, and the arguments of one action."""
    code, reference = subject.code, subject.reference
    position = code.layout.decode(at)
    number, args = chosen
    action = subject.core.actions[number]
    if _result(lambda: code.apply_of[number](at, *args)) != _result(
        lambda: code.layout.encode(reference.apply(position, action, args))
    ):
        raise _disagree(subject, "evaluator", f"`{subject.move(chosen)}` leads elsewhere by the evaluator")
    number = random.pick(subject.runner.row(at).actions)
    action = subject.core.actions[number]
    listed = set(code.candidates(at, number))
    if prod(param.type.size for param in action.params) <= LISTED:
        asked: Iterable[tuple[int, ...]] = set(reference.legal(position, action)) ^ listed
    else:
        asked = random.sample(sorted(listed), 3) + [draw_args(subject, number, random) for _ in range(5)]
    for each in asked:
        if reference.allowed(position, action, each) != (each in listed):
            raise _disagree(
                subject, "evaluator", f"`{subject.move((number, each))}` is legal by one of the accounts only"
            )


def replay(subject: GameUnderTest, play: Play) -> None:
    """Write the play as a trace, read it and make it again."""
    trace = record(subject, play)
    try:
        again = Record.from_json(trace.to_json(indent=None)).replay(subject.game)
    except RulesGameError as problem:
        raise _disagree(subject, "replay", str(problem)) from None
    if again.state != trace.state:
        raise _disagree(subject, "replay", "the replay ends in another state")


def secrecy(subject: GameUnderTest, play: Play, random: RandomSource, players: Iterable[int]) -> None:
    """Follow worlds that look to a player like the one that was played: what is legal and what follows tells nothing of them."""
    for player in players:
        told = told_by(subject.game, play, player, random)
        if told is not None:
            raise ProblemFound(Problem(f"{subject.core.name}.{told.kind}/{told.action}", told.says))


def confirm(subject: GameUnderTest, problem: Problem, play: Play, claim: str | None) -> None:
    """Make a play by the evaluator alone: its moves are legal, and its last one breaks the claim, if the problem is one."""
    reference, game = subject.reference, subject.reference.game
    position = before = reference.start()
    contradicted = False
    for number, args in play:
        action = game.actions[number]
        if contradicted or position["stage"][0] not in action.stages or not reference.allowed(position, action, args):
            raise _disagree(subject, "evaluator", f"`{subject.move((number, args))}` is not legal by the evaluator")
        try:
            before, position = position, reference.apply(position, action, args)
        except Contradiction:
            contradicted = True
    kinds = {each.name: each for each in game.claims}
    if claim in kinds and not contradicted and play:
        found = kinds[claim]
        held = reference.holds(found, before, position) if found.kind == "step" else reference.holds(found, position)
        if held:
            raise _disagree(subject, "evaluator", f"`{claim}` holds by the evaluator, but not by the compiled game")
    if any(kind in problem.name for kind in (".range/", ".contract.")) and not contradicted:
        raise _disagree(subject, "evaluator", f"{problem.says}, but not by the evaluator")


def record(subject: GameUnderTest, play: Play) -> Trace:
    """Return a play as a trace."""
    data = subject.code.start
    log: Log = []
    for coded in play:
        data = subject.code.apply_of[coded[0]](data, *coded[1])
        log.append((coded, data, None))
    trace = Trace(subject.state(subject.code.start))
    trace.steps = list(subject.runner.steps(subject.code.start, log))
    trace.states += [State(subject.game, data) for _, data, _ in log]
    trace.at = len(log)
    return trace


def draw_args(subject: GameUnderTest, number: int, random: RandomSource) -> tuple[int, ...]:
    """Return any arguments of an action, legal or not."""
    return random_arguments([param.type for param in subject.core.actions[number].params], random)


def _result(run: object) -> object:
    assert callable(run)
    try:
        return run()
    except Contradiction as found:
        return found.breach.says


def _disagree(subject: GameUnderTest, what: str, says: str) -> ProblemFound:
    return ProblemFound(Problem(f"{subject.core.name}.agreement.{what}", says))
