"""Strategies: plays and states of a game, for tests written with hypothesis.

Reads:  a game, as `pilgrim_rules.load` gives it.   Writes: hypothesis strategies.
After:  what is drawn shrinks: plays to shorter ones and to earlier moves, states to ones that differ little from the
        start.

    @given(plays(pr.load("nim")))
    def test_somebody_wins(play):
        ...
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from pilgrim_rules.api.game import Game, State
from pilgrim_rules.api.trace import Trace
from pilgrim_rules.walk.random_source import RandomSource

#: Decisions of a play, if nobody asks for more.
DECISIONS = 60
#: Cells that a random state draws one by one; larger states begin with a seed.
CELLS = 64


class GeneratedPlay(Trace):
    """A play that prints as the moves that were decided, so that a failing test can be read."""

    @property
    def decisions(self) -> list[str]:
        """The moves of players and chance."""
        return [str(step.move) for step in self.steps if step.by != "auto"]

    def __repr__(self) -> str:
        return f"<Play of {self.game.name}: {', '.join(self.decisions) or 'nothing yet'}>"


@st.composite
def _plays(draw: DrawFn, game: Game, decisions: int, *, to_the_end: bool) -> GeneratedPlay:
    play = GeneratedPlay.start(game)
    assert isinstance(play, GeneratedPlay)
    count = decisions if to_the_end else draw(st.integers(0, decisions), label="decisions")
    for _ in range(count):
        moves = play.state.moves()
        if not moves or play.state.over:
            break
        play.play(draw(st.sampled_from(moves), label="move"))
    return play


def plays(game: Game, *, decisions: int = DECISIONS, to_the_end: bool = False) -> SearchStrategy[GeneratedPlay]:
    """Return random legal plays from the start: of any length, or until the game is over (or the limit is reached)."""
    return _plays(game, decisions, to_the_end=to_the_end)


def states(game: Game, *, decisions: int = DECISIONS) -> SearchStrategy[State]:
    """Return states that random legal play reaches."""
    return plays(game, decisions=decisions).map(lambda play: play.state)


@st.composite
def _random_states(draw: DrawFn, game: Game) -> State:
    layout = game.layout
    drawn = [each.variable.type.drawn for each in layout.fields for _ in range(each.count)]
    ranges = [(each[0], each[-1]) for each in drawn]
    codes = layout.decode_flat(game.code.start)
    if len(ranges) <= CELLS:
        codes = [draw(st.integers(lo, hi)) for lo, hi in ranges]
    else:
        if draw(st.booleans(), label="from a seed"):
            random = RandomSource(draw(st.integers(0, 2**32 - 1), label="seed"))
            codes = [random.between(lo, hi) for lo, hi in ranges]
        for at in draw(st.lists(st.integers(0, len(ranges) - 1), max_size=20), label="cells"):
            codes[at] = draw(st.integers(*ranges[at]))
    return game.state_from_bytes(layout.encode_flat(codes))


def random_states(game: Game) -> SearchStrategy[State]:
    """Return well-typed states, reachable or not: every cell has a value of its type, and nothing else is promised."""
    return _random_states(game)
