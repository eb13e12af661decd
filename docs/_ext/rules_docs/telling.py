"""Tellings: worked examples run by the engine while the pages are built, with the position at each step.

Reads:  a playable game and one of its examples.   Writes: `Moment`s.
After:  an example that the rules of today do not bear out says where it stops; nothing of it is made up. What is said
        of another reading of the rulebook was tried under that reading.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby, takewhile

from pilgrim_rules.core import ir
from pilgrim_rules.engine.game import Game
from pilgrim_rules.engine.moves import Move
from pilgrim_rules.engine.state import State
from rules_docs.reading import Reading, Under, changed

__all__ = ["SIGNS", "Moment", "arranged", "reading", "tell"]

SIGNS = {True: "✓", False: "✗"}  #: whether a step came out as written


@dataclass(frozen=True, slots=True)
class Moment:
    """One step of an example: the position before it and after it, and whether it came out as written.

    Of lines that arrange something, one after the other, each has the position before and after all of them.

    move   the move that is made or refused.
    holds  whether the move was legal, the refusal happened, the expectation held.
    """

    step: ir.ExampleStep
    before: State
    after: State
    move: Move | None = None
    holds: bool = True


def reading(game: Game, example: ir.Example) -> Under:
    """Return the reading that an example is told under: our own, unless it speaks of others only."""
    named = [changed(game.core, step.under) for step in example.steps if isinstance(step, ir.Expect)]
    return () if () in named or not named else named[0]


def tell(game: Game, example: ir.Example) -> tuple[Moment, ...]:
    """Run an example; it stops at a move that is not legal. An expectation of another reading is tried under that."""
    main = reading(game, example)
    named = [changed(game.core, step.under) for step in example.steps if isinstance(step, ir.Expect)]
    told = {under: tuple(_told(Reading(game, under), game, example)) for under in dict.fromkeys((main, *named))}

    def judged(at: int, moment: Moment) -> Moment:
        if not isinstance(moment.step, ir.Expect):
            return moment
        found = told[changed(game.core, moment.step.under)]
        return replace(moment, holds=at < len(found) and found[at].holds)

    return tuple(judged(at, moment) for at, moment in enumerate(told[main]))


def arranged(game: Game, example: ir.Example) -> State:
    """Return the position that an example begins with, after what it arranges and what happens by itself."""
    played = Reading(game, reading(game, example))
    first = takewhile(lambda step: isinstance(step, ir.Arrange), example.steps)
    return played.settled(played.arranged(played.start(), (step for step in first if isinstance(step, ir.Arrange))))


def _told(played: Reading, game: Game, example: ir.Example) -> Iterator[Moment]:
    state = played.start()
    for arranging, steps in groupby(example.steps, lambda step: isinstance(step, ir.Arrange)):
        group = tuple(steps)
        if arranging:
            after = played.arranged(state, (step for step in group if isinstance(step, ir.Arrange)))
            yield from (Moment(step, state, after) for step in group)
            state = after
            continue
        for step in group:
            moment = _moment(played, game, state, step)
            yield moment
            if not moment.holds and isinstance(step, ir.Make):
                return
            state = moment.after


def _moment(played: Reading, game: Game, state: State, step: ir.ExampleStep) -> Moment:
    match step:
        case ir.Make(action=name, args=args, by=by):
            state, move = played.settled(state), _move(game, name, args)
            if played.why_not(state, name, args) or by not in (None, played.by(state)):
                return Moment(step, state, state, move, holds=False)
            return Moment(step, state, played.play(state, name, args), move)
        case ir.Refuse(action=name, args=args, clauses=clauses):
            state, move = played.settled(state), _move(game, name, args)
            reasons = played.why_not(state, name, args)
            cited = {clause for reason in reasons for clause in reason.clauses}
            return Moment(step, state, state, move, holds=bool(reasons) and cited.issuperset(clauses))
        case ir.Expect(formula=formula):
            return Moment(step, state, state, holds=bool(played.value(state, formula)))
        case ir.Arrange():
            return Moment(step, state, played.arranged(state, (step,)))


def _move(game: Game, name: str, args: tuple[int, ...]) -> Move:
    return game.runner.book.move((game.actions.index(name), args))
