"""Returns: what a finished play is worth to each player, as numbers.

Reads:  the last state of a play.   Writes: one number a player, in seating order.
After:  returns lie within `bounds`; those for winning add up to nothing, those for points to `constant_sum` if the rules claim one.

Whoever wins alone has 1, which the others pay in equal parts; those who share the victory share it. With two players that
is 1 and -1, or 0 and 0. How much was at stake does not count: a poker hand that wins six chips is worth as much as one that wins one.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from pilgrim_rules.api.game import Game, State
from pilgrim_rules.core import ir
from pilgrim_rules.core.smart_constructors import total
from pilgrim_rules.core.walk import rebuild, substitute
from pilgrim_rules.semantics.state_layout import MOST_STORED

Reward: TypeAlias = Literal["win", "score"]


def returns(state: State, reward: Reward) -> list[float]:
    """Return the worth of a state to each player; before the end, winning is worth nothing yet."""
    if reward == "score":
        return [float(score.total) for score in state.scores().values()]
    players, winners = state.game.players, state.winners()
    if not winners or len(players) == 1:
        return [float(player in winners) for player in players]
    others = len(players) - 1
    share = (len(players) / len(winners) - 1) / others
    return [share if player in winners else -1 / others for player in players]


def bounds(game: Game, reward: Reward) -> tuple[float, float]:
    """Return the least and the greatest that a play can be worth, from the types of the score's lines, which are proved to hold."""
    if reward == "win":
        return (0.0 if len(game.players) == 1 else -1.0 / (len(game.players) - 1)), 1.0
    sheet = game.core.score
    if sheet is None:
        return 0.0, 0.0
    types = [line.value.type for line in sheet.lines]
    least = sum(max(type_.lo, -MOST_STORED) for type_ in types)
    return least / sheet.per, sum(min(type_.hi, MOST_STORED) for type_ in types) / sheet.per


def default_reward(game: Game) -> Reward:
    """Return what a play is judged by if nobody says: its points, if the rules score more than who has won."""
    if len(game.players) == 1:
        return "score"
    if game.core.score is None:
        return "win"
    least, most = bounds(game, "score")
    return "win" if least >= 0 and most <= 1 else "score"


def constant_sum(game: Game, reward: Reward) -> float | None:
    """Return what the returns of all players add up to; None if nothing is known of it.

    Points add up to what an invariant of the rules says: `stage == over implies (sum of score(p) for p in Player) == 0`, or the same in terms
    of what the score's lines are at the end. That it holds is for `pilgrim prove`.
    """
    if game.automata or len(game.players) == 1:  # an automaton wins and loses without being asked
        return None
    if reward == "win":
        return 0.0
    core, sheet = game.core, game.core.score
    ends = [stage.code for stage in core.stages if stage.kind == "nobody"]
    if sheet is None or not ends:
        return None
    sums = [
        {
            found
            for claim in core.claims
            if claim.kind in ("invariant", "conserved")
            for found in _sums(core, claim, end)
        }
        for end in ends
    ]
    common = set.intersection(*sums)
    return min(common) / sheet.per if common else None


def _sums(core: ir.Game, claim: ir.Claim, end: int) -> set[int]:
    """Return what a claim says the points of all players add up to in a last stage; nothing if it says nothing of it."""
    sheet = core.score
    assert sheet is not None, "the caller has asked"
    defs = {each.name: each for each in core.defs}
    match _at(claim.formula, end, defs):
        case ir.Apply(
            op="==",
            args=(
                ir.Fold(op="sum", binders=(ir.Binder(name=name, type=type_, among=None),), where=None, body=body),
                ir.Lit(value=value),
            ),
        ) if type_ == core.player:
            points = total(substitute(line.value, {sheet.player: ir.Bound(name, type_)}) for line in sheet.lines)
            return {value} if _at(points, end, defs) == body else set()
        case _:  # about something else
            return set()


def _at(expr: ir.Expr, stage: int, defs: dict[str, ir.Def]) -> ir.Expr:
    """Return what an expression comes to in a stage: tests of the stage are decided, and the points are spelled out."""
    match expr:
        case ir.Call(definition="score.points", args=args):
            called = defs["score.points"]
            given = {param.name: arg for param, arg in zip(called.params, args, strict=True)}
            return _at(substitute(called.body, given), stage, defs)
        case ir.Apply(op=("==" | "!=") as op, args=(ir.Read(variable="stage", when="now"), ir.Lit(value=value))):
            return ir.Lit(int((value == stage) == (op == "==")), ir.BOOL)
        case _:  # what its parts come to
            found = rebuild(expr, lambda part: _at(part, stage, defs))
    match found:
        case ir.Cond(test=ir.Lit(value=value), then=then, other=other):
            return then if value else other
        case ir.Apply(op="implies", args=(ir.Lit(value=1), rest)):
            return rest
        case _:  # nothing is decided
            return found
