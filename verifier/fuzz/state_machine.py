"""Machine: a hypothesis state machine that plays a game and checks everything on the way.

Reads:  a core game.   Writes: a `RuleBasedStateMachine` class; its `TestCase` runs under pytest or unittest.
After:  a failing run has been shrunk by hypothesis; it raises `RuleBroken`, whose text ends with an `example` to paste.

    TestNim = machine(read_game("nim")).TestCase
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from pilgrim_rules.core.ir import Game
from pilgrim_rules.semantics.moves import Coded
from pilgrim_rules.walk.random_source import RandomSource
from verifier.fuzz import checks
from verifier.fuzz.failure import FuzzFailure, failure
from verifier.fuzz.game_under_test import GameUnderTest, ProblemFound


class RuleBroken(AssertionError):
    """A play breaks something that must hold."""

    def __init__(self, found: FuzzFailure, saved: Path | None) -> None:
        self.failure = found
        super().__init__(f"{found}" + (f"\nThe play is in {saved}." if saved else ""))


def machine(game: Game, *, save_to: Path | None = None) -> type[RuleBasedStateMachine]:
    """Return a state machine that plays the game; a failing play is also written into the folder `save_to`."""
    subject = GameUnderTest(game)

    class Playing(RuleBasedStateMachine):
        """Plays one move a step."""

        def __init__(self) -> None:
            super().__init__()
            self.state = subject.code.start
            self.play: list[Coded] = []
            self.options: list[Coded] = []
            self.sound = True
            self._run_checks(lambda: checks.start(subject))
            self._arrive()

        @rule(data=st.data(), seed=st.integers(0, 2**16))
        def act(self, data: st.DataObject, seed: int) -> None:
            """Make a legal move, and look at the state before it; when the game is over, nothing happens any more."""
            if not self.options:
                return
            shown = {subject.move(coded): coded for coded in self.options}
            chosen = shown[data.draw(st.sampled_from(list(shown)), label="move")]
            self._run_checks(lambda: self._check_thoroughly(chosen, RandomSource(seed)))
            self._make(chosen)
            self._arrive()

        def _arrive(self) -> None:
            """Let happen what happens by itself."""
            while True:
                self._run_checks(self._list)
                if not self.options or subject.core.actions[self.options[0][0]].kind != "auto":
                    return
                self._make(self.options[0])

        def _list(self) -> None:
            self.options = [coded for coded, _ in subject.options(self.state)]

        def _check_thoroughly(self, chosen: Coded, random: RandomSource) -> None:
            offered = frozenset(self.options)
            checks.form(subject, self.state)
            checks.evaluator(subject, self.state, chosen, random)
            checks.refusal(subject, self.state, chosen, offered)
            for number in subject.runner.row(self.state).actions:
                checks.refusal(subject, self.state, (number, checks.draw_args(subject, number, random)), offered)

        def _make(self, chosen: Coded) -> None:
            before, self.play = self.state, [*self.play, chosen]

            def make() -> None:
                self.state = subject.make(before, chosen)
                checks.step(subject, before, chosen, self.state)
                checks.state(subject, chosen, self.state)

            self._run_checks(make)

        def _run_checks(self, run: Callable[[], None]) -> None:
            """Run checks; what is broken is raised with the play that shows it."""
            try:
                run()
            except ProblemFound as broken:
                self.sound = False
                found = failure(subject, broken.problem, tuple(self.play))
                raise RuleBroken(found, None if save_to is None else found.save(save_to)) from None

        def teardown(self) -> None:
            """Write the play down, read it and make it again."""
            if self.sound:
                self._run_checks(lambda: checks.replay(subject, tuple(self.play)))

    Playing.__name__ = Playing.__qualname__ = f"Playing_{game.name}"
    return Playing
