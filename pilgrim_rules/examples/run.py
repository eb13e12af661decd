"""Running an example: what its lines say, tried by the rules.

Reads:  readings of a game, and one of its examples.   Writes: what came of every line, in each reading it is run in.
After:  an example agrees only if every move was legal and for who was said to decide, every refusal happened for the
        clauses named, every expectation held, and every position, arranged or come by, satisfies every invariant of
        the reading. After a move that cannot be made nothing is tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from pilgrim_rules.core.ir import Action, Arrange, Example, ExampleStep, Expect, Game, Make, Options, Refuse
from pilgrim_rules.core.rulings import reading_of_line, readings_of
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.examples.compiled_readings import CompiledReading, CompiledReadings
from pilgrim_rules.semantics.effects import Cells, perform
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.errors import Contradiction, Refusal
from pilgrim_rules.semantics.evaluate import evaluate
from pilgrim_rules.semantics.moves import Move, MoveBook
from pilgrim_rules.semantics.reference import Args
from pilgrim_rules.semantics.refusal import refusals
from pilgrim_rules.semantics.why_false import said_of_conjuncts

#: Autos that may follow one move; more is a loop of the rules, not an example.
MOST_AUTOS = 1000


@dataclass(frozen=True, slots=True)
class StepResult:
    """What came of one line.

    before, after  the positions around it; before a move or a refusal, what happens by itself has happened.
    move           that is made or refused.            refusals  why it is not allowed; empty if it is.
    played         the move and whatever happened by itself around it.
    wrong          what is not as written; empty if nothing is.
    allowed        the move that should have been refused.     broken  the invariant that is false afterwards.
    """

    line: ExampleStep
    before: Cells
    after: Cells
    move: Move | None = None
    refusals: tuple[Refusal, ...] = ()
    played: tuple[str, ...] = ()
    wrong: str = ""
    allowed: str = ""
    broken: str = ""


@dataclass(frozen=True, slots=True)
class ReadingResult:
    """An example in one reading. A problem that no line has, such as a mistake in the rules of the reading, is in `wrong`."""

    example: Example
    under: Options
    steps: tuple[StepResult, ...]
    wrong: str = ""

    @property
    def problem(self) -> StepResult | None:
        """The first line that does not come out as written."""
        return next((step for step in self.steps if step.wrong), None)

    @property
    def says(self) -> str:
        """What is wrong, and in which reading; empty if nothing is."""
        problem = self.problem
        wrong = self.wrong or ("" if problem is None else problem.wrong)
        first, *more = wrong.split("\n")
        return "\n".join((f"{first}{said_under(self.under)}", *more)) if wrong else ""

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves that were made, as far as all is as written, those included that happen by themselves."""
        problem = self.problem
        end = len(self.steps) if problem is None else self.steps.index(problem) + 1
        return tuple(move for step in self.steps[:end] for move in step.played)


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """An example in all its readings; the first is the one that lines without `under` are about, if there are any."""

    runs: tuple[ReadingResult, ...]

    @property
    def wrong(self) -> str:
        """What is wrong in the first reading in which something is; empty if nothing is."""
        return next((run.says for run in self.runs if run.says), "")

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves of the run that is wrong, or of the first."""
        return next((run.moves for run in self.runs if run.says), self.runs[0].moves)


# ------------------------------------------------------------------------------------------------------------- readings


def said_under(options: Options) -> str:
    """Return a reading in words, to be put behind a sentence; nothing for the default."""
    return f" under {', '.join(f'{name} = {option}' for name, option in options)}" if options else ""


def lines_in(game: Game, example: Example, under: Options) -> tuple[ExampleStep, ...]:
    """Return the lines that are run in a reading: what is arranged, moves that name no reading, and those about it."""

    def run(line: ExampleStep) -> bool:
        match line:
            case Arrange():
                return True
            case Make(under=()):
                return True
            case Make() | Refuse() | Expect():
                return reading_of_line(game, example, line) == under
            case _:
                assert_never(line)

    return tuple(line for line in example.steps if run(line))


# ------------------------------------------------------------------------------------------------------------------ run


def run_example(readings: CompiledReadings, example: Example) -> ExampleResult:
    """Run an example in every reading that it is about."""
    return ExampleResult(tuple(_run(readings, example, under) for under in readings_of(readings.game, example)))


def _run(readings: CompiledReadings, example: Example, under: Options) -> ReadingResult:
    try:
        reading = readings.with_options(under)
    except RulesError as mistakes:
        return ReadingResult(example, under, (), f"the rules cannot be read: {mistakes}")
    if reading.game is readings.game:
        return run_reading(reading, example, under)
    there = next((each for each in reading.game.examples if each.name == example.name), None)
    if there is None:
        return ReadingResult(example, under, (), "the example is not about this game")
    return run_reading(reading, there, under)


def run_reading(
    reading: CompiledReading,
    example: Example,
    under: Options = (),
    *,
    arranged: Cells | None = None,
    claims: bool = True,
) -> ReadingResult:
    """Run an example in one reading of its game.

    arranged  the position after what is given first, if that is known to be sound: it is not arranged again.
    claims    ask the invariants of what is given and after each move.
    """
    lines = lines_in(reading.game, example, under)
    if arranged is not None:
        lines = lines[first_claim(lines) :]
    return ReadingResult(example, under, tuple(_Running(reading, claims=claims).run(lines, arranged)))


def first_claim(lines: Sequence[ExampleStep]) -> int:
    """Return the place of the first line that arranges nothing."""
    return next((at for at, line in enumerate(lines) if not isinstance(line, Arrange)), len(lines))


def arranged(reading: CompiledReading, example: Example) -> Cells:
    """Return the position that an example arranges before anything happens in it."""
    position = reading.start()
    for line in example.steps[: first_claim(example.steps)]:
        assert isinstance(line, Arrange), "only what is arranged stands before"
        position = perform(line.body, reading.reference.declared, position, {})
    return position


def settled(reading: CompiledReading, position: Cells) -> Cells:
    """Return the position after what happens by itself; `Contradiction` or `Stuck` if that comes to no end."""
    return _Running(reading, claims=False).autos(position)[0]


def _unsound(line: ExampleStep, position: Cells, broken: str) -> StepResult:
    return StepResult(line, position, position, wrong=f"the position that is given breaks `{broken}`", broken=broken)


class Stuck(Exception):
    """What happens by itself is not one thing after the other, or never ends."""


class _Running:
    """Runs lines by the rules of one reading."""

    def __init__(self, reading: CompiledReading, *, claims: bool) -> None:
        self.reading, self.claims = reading, claims
        self.reference = reading.reference
        self.actions = reading.reference.declared.actions
        self.book = MoveBook(reading.game)
        self.numbers = {action.name: at for at, action in enumerate(reading.game.actions)}

    def run(self, lines: Sequence[ExampleStep], given: Cells | None) -> Iterator[StepResult]:
        """Yield what comes of each line, from the start or from a position that is known to be sound."""
        position = self.reading.start() if given is None else dict(given)
        begun = given is not None  # whether the position has been seen to be sound
        for at, line in enumerate(lines):
            unsound = "" if begun or not isinstance(line, Make) else self._unsound(position)
            begun = begun or isinstance(line, Make)
            result = _unsound(line, position, unsound) if unsound else self._line(line, position)
            position = result.after
            if not begun and at + 1 == len(lines) and not result.wrong and (unsound := self._unsound(position)):
                result = _unsound(line, position, unsound)
            yield result
            if result.wrong and isinstance(line, Arrange | Make):
                return

    def _line(self, line: ExampleStep, position: Cells) -> StepResult:
        try:
            match line:
                case Arrange(body=body):
                    after = perform(body, self.reference.declared, position, {})
                    return StepResult(line, position, after)
                case Make():
                    return self._make(line, *self.autos(position))
                case Refuse():
                    return self._refuse(line, *self.autos(position))
                case Expect():
                    return self._expect(line, position)
                case _:
                    assert_never(line)
        except (Contradiction, Stuck) as wrong:
            return StepResult(line, position, position, wrong=str(wrong))

    def _make(self, line: Make, position: Cells, before: tuple[str, ...]) -> StepResult:
        action, move = self.actions[line.action], self._move(line.action, line.args)
        result = StepResult(line, position, position, move, played=before)
        if line.by is not None and line.by != self.reference.by(position):
            return replace(result, wrong=f"`{move}` is not for {self.reading.game.player.labels[line.by]} to decide")
        why = self._refusals(position, action, line.args)
        if why:
            return replace(result, refusals=why, wrong=f"`{move}` is not allowed: " + "; ".join(map(str, why)))
        steps = [(str(move), self.reading.apply(position, action, line.args))]
        steps += self._automatic(steps[0][1])
        after = steps[-1][1]
        result = replace(result, after=after, played=(*before, *(name for name, _ in steps)))
        changed = frozenset(name for name, codes in after.items() if codes != position[name])
        return self._with_invariants_checked(result, steps, changed)

    def _refuse(self, line: Refuse, position: Cells, before: tuple[str, ...]) -> StepResult:
        move = self._move(line.action, line.args)
        why = self._refusals(position, self.actions[line.action], line.args)
        result = StepResult(line, position, position, move, why, before)
        if not why:
            return replace(result, wrong=f"`{move}` is allowed, but should be refused", allowed=str(move))
        cited = {clause for refusal in why for clause in refusal.clauses}
        missing = [clause for clause in line.clauses if clause not in cited]
        if missing:
            return replace(result, wrong=f"`{move}` is refused, but not because of {', '.join(missing)}")
        return result

    def _expect(self, line: Expect, position: Cells) -> StepResult:
        env = Environment(self.reference.declared, position, {})
        result = StepResult(line, position, position)
        if evaluate(line.formula, env):
            return result
        return replace(result, wrong="\n".join(said_of_conjuncts(line.formula, env)))

    def autos(self, position: Cells) -> tuple[Cells, tuple[str, ...]]:
        """Let everything happen that happens by itself; return the position then, and what happened."""
        steps = list(self._automatic(position))
        return (steps[-1][1] if steps else position), tuple(name for name, _ in steps)

    def _automatic(self, position: Cells) -> Iterator[tuple[str, Cells]]:
        """Yield what happens by itself, each with the position it leads to."""
        reference = self.reference
        for _ in range(MOST_AUTOS):
            stage = reference.stage(position)
            if not reference.is_automatic(position):
                return
            ready = [
                (action, args)
                for action in self.reading.game.actions
                if action.kind == "auto" and stage.code in action.stages
                for args in reference.legal(position, action)
            ]
            if len(ready) != 1:
                raise Stuck(f"in `{stage.name}` {len(ready)} things can happen by themselves")
            action, args = ready[0]
            position = self.reading.apply(position, action, args)
            yield str(self._move(action.name, args)), position
        raise Stuck("things go on happening by themselves without end")

    def _unsound(self, position: Cells) -> str:
        """Return an invariant that a position breaks that is given; nothing if there is none."""
        return (self.reading.broken(position) if self.claims else None) or ""

    def _with_invariants_checked(
        self, result: StepResult, steps: list[tuple[str, Cells]], changed: frozenset[str]
    ) -> StepResult:
        """Return the result of a move; wrong if an invariant is false then that looks at something it has changed."""
        broken = self.reading.broken(result.after, changed) if self.claims else None
        if broken is None:
            return result
        # The one to blame is the first after which it stays false.
        at = len(steps) - 1
        while at > 0 and self.reading.is_broken(broken, steps[at - 1][1]):
            at -= 1
        first, who = steps[0][0], steps[at][0]
        said = f"`{who}` breaks" if at == 0 else f"after `{first}`, `{who}` happens by itself and breaks"
        return replace(result, wrong=f"{said} `{broken}`", broken=broken)

    def _refusals(self, position: Cells, action: Action, args: Args) -> tuple[Refusal, ...]:
        return tuple(refusals(self.reference.declared, position, action, args, {}))

    def _move(self, action: str, args: Args) -> Move:
        return self.book.move((self.numbers[action], args))
