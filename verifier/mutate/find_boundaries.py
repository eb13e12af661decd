"""Find boundaries: for each rule positions in which it is just allowed, and just refused, and in which its effects happen, met in play and examples.

Reads:  a core game.   Writes: `Boundary` records.
After:  wherever a sample of play met it, there is an allowed move for each action, each value of each argument, each player who decides
        and each limit of a requirement, one by which each line of an effect runs, and a refused one for each requirement, and for the same again.
        One position may show several. What an allowed move does is kept with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic

from pilgrim_rules.core.ir import Action, Apply, Expr, Game, Given, Require
from pilgrim_rules.core.rule_walk import assignments
from pilgrim_rules.core.values import show
from pilgrim_rules.core.walk import conjuncts
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.errors import STOPS, Contradiction
from pilgrim_rules.semantics.evaluate import evaluate
from pilgrim_rules.semantics.reference import Args
from pilgrim_rules.semantics.state_layout import Position
from pilgrim_rules.walk.random_source import RandomSource
from pilgrim_rules.walk.random_walk import random_arguments
from verifier.fuzz.play_coverage import LineCoverage
from verifier.mutate.prepared_examples import PreparedExamples
from verifier.mutate.sample import Sample
from verifier.play.boundaries import Boundary, cells_of, effect_of, points_of, shifted, state_of

#: Guided games of the sample and their longest; moves noted in a state; arguments tried that are refused; moves whose limits are asked.
GAMES, LONGEST, MOVES, TRIED, LOOKED_AT = 12, 1200, 24, 8, 4
MOST_VALUES = 64  #: an argument with more is not looked at value by value


def find_boundaries(
    game: Game, *, seconds: float, seed: int = 0, kept: Sequence[Boundary] = ()
) -> tuple[Boundary, ...]:
    """Return the boundaries that examples and some games show in the time, after those that are kept and still where they were."""
    until = monotonic() + seconds
    prepared = PreparedExamples.from_game(game).prepared
    sample = Sample.from_play(game, games=GAMES, longest=LONGEST, examples=prepared, seed=seed)
    finder = _Finder(sample, RandomSource(seed))
    finder.go_on_from(kept)
    states = [state for play in sample.plays for state in play.states]
    told = sum(len(play.states) for play in sample.plays if play.example)
    rest = RandomSource(seed).sample(states[told:], len(states) - told)
    for look in (finder.look_at_moves, finder.look_at_effects, finder.look_at_limits):  # what is quick to see first
        for state in (*states[:told], *rest):
            if monotonic() > until:
                break
            look(state)
    return tuple(finder.found)


@dataclass(slots=True)
class _Finder:
    sample: Sample
    random: RandomSource
    found: list[Boundary] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    start: Position = field(init=False)
    lines: LineCoverage = field(init=False)
    numbers: dict[str, int] = field(init=False)
    lines_of: list[frozenset[str]] = field(init=False)  #: the keys of the lines of effects, by number of the action

    def __post_init__(self) -> None:
        game = self.sample.subject.core
        self.start = self.sample.subject.code.reference.start()
        self.lines, self.numbers = LineCoverage(game), {each.name: at for at, each in enumerate(game.actions)}
        self.lines_of = [frozenset(stmt.key for stmt in assignments(each.body)) for each in game.actions]

    def go_on_from(self, kept: Sequence[Boundary]) -> None:
        """Take over what is kept and is still so; what is kept of effects and points is looked at again."""
        code = self.sample.subject.code
        gone = {id(each.boundary) for each in shifted(code, kept)}
        for each in kept:
            state = state_of(code, each, self.start)
            if state is not None and id(each) not in gone:
                self.seen.update(each.about)
                effect = effect_of(code, state, each.action, each.args) if each.allowed else None
                self.found.append(replace(each, effect=effect, points=points_of(code, state)))

    def look_at_moves(self, state: bytes) -> None:
        """Note the moves that a state allows, and that no state before has shown."""
        for action, legal, who in self._options(state):
            for args in self._some(legal):
                about = [f"{action.name} allowed", *(f"{action.name} {each}" for each in _values(action, args, who))]
                self._note(state, action, args, "", about)

    def _options(self, state: bytes, *, chance: bool = False) -> Iterator[tuple[Action, list[Args], str]]:
        """Yield the actions of the stage, their legal arguments, and who decides."""
        code, game = self.sample.subject.code, self.sample.subject.core
        stage, by = code.stage(state), code.by(state)
        who = "" if by is None else show(game.player, by)
        for action in game.actions:
            if stage.code in action.stages and (chance or action.kind != "chance"):
                try:
                    yield action, code.legal(state, action.name), who
                except Contradiction:
                    continue  # an obligation of its own

    def look_at_effects(self, state: bytes) -> None:
        """Note the moves by which lines of effects run that no move before has shown."""
        position = None
        for action, legal, _ in self._options(state, chance=True):
            number = self.numbers[action.name]
            if all(f"{key} runs" in self.seen for key in self.lines_of[number]):
                continue
            position = position or self.sample.subject.code.layout.decode(state)
            for args in self._some(legal)[:LOOKED_AT]:
                about = [f"{key} runs" for key in self.lines.run(position, number, args)]
                self._note(state, action, args, "", about)

    def look_at_limits(self, state: bytes) -> None:
        """Note the limits at which moves are allowed here, and the lines that refuse others."""
        position = self.sample.subject.code.layout.decode(state)
        for action, legal, who in self._options(state):
            try:
                for args in self._some(legal)[:LOOKED_AT]:
                    self._note(state, action, args, "", self._limits(action, args, position))
                for args in self._near(action, legal):
                    line = self._refused_by(action, args, position)
                    if line is not None:
                        limit = [f"{line.key} past its limit"] if self._is_past(line, action, args, position) else []
                        about = [
                            f"{line.key} refuses",
                            *(f"{line.key} refuses {each}" for each in _values(action, args, who)),
                        ]
                        self._note(state, action, args, line.key, [*about, *limit])
            except Contradiction:
                continue

    def _note(self, state: bytes, action: Action, args: Args, line: str, about: list[str]) -> None:
        new = [each for each in about if each not in self.seen]
        if new:
            self.seen.update(new)
            code = self.sample.subject.code
            try:
                effect = effect_of(code, state, action.name, args) if not line else None
            except STOPS:
                return  # an obligation of its own
            self.found.append(
                Boundary(
                    action.name,
                    args,
                    line,
                    tuple(new),
                    cells_of(code, state, self.start),
                    effect,
                    points_of(code, state),
                )
            )

    def _limits(self, action: Action, args: Args, position: Position) -> list[str]:
        about: list[str] = []
        env = self._env(action, args, position)
        for line in action.guard:
            match line:
                case Given(name=name, value=value):
                    env = env.bind(name, evaluate(value, env))
                case Require(test=test, key=key):
                    about += [
                        f"{key} at its limit ({number})"
                        for number, part in enumerate(conjuncts(test), 1)
                        if _slack(part, env) == 0
                    ]
        return about

    def _refused_by(self, action: Action, args: Args, position: Position) -> Require | None:
        env = self._env(action, args, position)
        for line in action.guard:
            match line:
                case Given(name=name, value=value):
                    env = env.bind(name, evaluate(value, env))
                case Require(test=test):
                    if not evaluate(test, env):
                        return line
        return None

    def _is_past(self, line: Require, action: Action, args: Args, position: Position) -> bool:
        """Return whether a comparison of a requirement fails by one."""
        env = self._env(action, args, position)
        for each in action.guard:
            if isinstance(each, Given):
                env = env.bind(each.name, evaluate(each.value, env))
            elif each is line:
                break
        return any(_slack(part, env) == -1 for part in conjuncts(line.test))

    def _env(self, action: Action, args: Args, position: Position) -> Environment:
        names = {param.name: arg for param, arg in zip(action.params, args, strict=True)}
        return Environment(self.sample.subject.reference.declared, position, names)

    def _some(self, legal: list[Args]) -> list[Args]:
        return legal if len(legal) <= MOVES else self.random.sample(legal, MOVES)

    def _near(self, action: Action, legal: list[Args]) -> Iterator[Args]:
        """Yield arguments that are not legal: of a legal move all but one, or any."""
        known, types = set(legal), [param.type for param in action.params]
        tried = [random_arguments(types, self.random) for _ in range(TRIED if types else 1)]
        for args in self.random.sample(legal, min(len(legal), 2)):
            for place, type_ in enumerate(types):
                code = self.random.between(type_.lo, type_.hi)
                tried.append((*args[:place], code, *args[place + 1 :]))
        yield from (args for args in dict.fromkeys(tried) if args not in known)


def _values(action: Action, args: Args, who: str) -> Iterator[str]:
    for param, arg in zip(action.params, args, strict=True):
        if param.type.size <= MOST_VALUES:
            yield f"{param.name} = {show(param.type, arg)}"
    if who:
        yield f"by {who}"


def _slack(test: Expr, env: Environment) -> int | None:
    """Return how far a comparison is from its limit: 0 just holds, -1 just fails; None if it is no comparison."""
    match test:
        case Apply(op="<=" | ">=" | "<" | ">" as op, args=(left, right)) if left.type.kind == "int":
            try:
                low, high = evaluate(left, env), evaluate(right, env)
            except Contradiction:
                return None
            return {"<=": high - low, ">=": low - high, "<": high - low - 1, ">": low - high - 1}[op]
        case _:  # no limit
            return None
