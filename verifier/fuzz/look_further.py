"""Look further: where else something shows that the games of a campaign have not shown.

Reads:  a core game, and what was not seen of it: actions, requirements, lines of effects, values; recorded plays; examples.
Writes: for each that is found, where: games that were led to it, a recorded play, an example, an example of another reading.
After:  whatever is given back was seen by the evaluator or by the compiled game, move by move. What an example shows is so in the
        position that it arranges, which need not be reachable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod

from pilgrim_rules.core.footprint import values_of
from pilgrim_rules.core.ir import Action, Example, Game, Make, Refuse
from pilgrim_rules.core.rule_walk import assignments
from pilgrim_rules.core.rulings import readings_of
from pilgrim_rules.engine.probes import refusal_probe, with_probes
from pilgrim_rules.engine.python.compile import Compiled, compiled
from pilgrim_rules.examples import CompiledReadings, run_example
from pilgrim_rules.semantics.errors import STOPS, RulesGameError
from pilgrim_rules.semantics.moves import Coded, MoveBook
from pilgrim_rules.semantics.reference import Args
from pilgrim_rules.semantics.state_layout import Position
from pilgrim_rules.walk.random_source import RandomSource
from pilgrim_rules.walk.random_walk import random_arguments
from verifier.fuzz.play_coverage import COUNTER, LineCoverage, PlayCoverage, requirements, value_key
from verifier.play.hunt import Hunter
from verifier.play.replay import first_failing

#: Games of a turn of a policy; games that are looked at move by move; arguments of an action that are tried, at most.
TURN, CLOSELY, TRIED = 128, 512, 4096

Plays = Iterable[tuple[str, Sequence[str]]]  #: recorded plays: a name, and moves as people write them


@dataclass(slots=True)
class Further:
    """What was looked for, and where it was found: by the name of an action, the key of a requirement or a line, or a value."""

    game: Game
    missing: set[str]
    games: int = 0
    found: dict[str, str] = field(default_factory=dict)

    def note(self, key: str, where: str) -> None:
        """Note where something shows, if it was looked for and not found yet."""
        if key in self.missing:
            self.missing.discard(key)
            self.found[key] = where


def look_further(game: Game, seen: PlayCoverage, plays: Plays = (), *, games: int, seed: int = 0) -> Further:
    """Look in further games, in recorded plays and in examples for what a campaign has not seen."""
    missing = {*seen.never_made(game), *seen.never_refused(game), *seen.never_run(game), *seen.never_chosen(game)}
    look = _Look(Further(game, missing))
    look.in_led_games(games, seed)
    for name, moves in plays:
        look.in_recorded_play(name, moves)
    look.in_examples()
    return look.further


@dataclass
class _Look:
    further: Further

    @cached_property
    def _lines(self) -> LineCoverage:
        return LineCoverage(self.further.game)

    @cached_property
    def _counted(self) -> Compiled:
        """The game with a counter beside every line, and without claims."""
        return compiled(replace(self._lines.counted, claims=(), rankings=(), examples=()))

    def in_led_games(self, games: int, seed: int) -> None:
        """Play natively, with the actions in question chosen more often, until requirements refuse."""
        further, game = self.further, self.further.game
        probes = {
            f"{key} {action.name}": (key, action)
            for action in game.actions
            for key in requirements(action)
            if key in further.missing
        }
        formulas = {name: refusal_probe(game, action, key) for name, (key, action) in probes.items()}
        code = compiled(with_probes(game, formulas), ghosts=True)
        wanted = {action.name for _, action in probes.values()} | (
            {each.name for each in game.actions} & further.missing
        )
        hunter, names = Hunter(code, favour=wanted, seed=seed), list(probes)
        while further.games < games:
            policy = further.games // TURN % hunter.policies
            ignored = [at for at, name in enumerate(names) if probes[name][0] not in further.missing]
            turn = hunter.turn(policy, seed + further.games, min(TURN, games - further.games), ignored=ignored)
            for caught in turn.caught:
                if caught.claim is not None:
                    self._refused_after(*probes[caught.claim], caught.play)
            for action, times in zip(game.actions, turn.used, strict=True):
                if times:
                    further.note(action.name, "games led to it")
            further.games += turn.games
        spacing = max(1, games // CLOSELY)
        for number in range(0, games, spacing):
            try:
                self._closely(hunter.game_with(number // TURN % hunter.policies, seed + number, 1, 0), "further games")
            except STOPS:
                continue  # a failure of its own

    def _refused_after(self, key: str, action: Action, play: Sequence[Coded]) -> None:
        """Note a requirement that refuses a move after a play, as the evaluator sees it."""
        code = compiled(self.further.game, ghosts=True)
        state = code.start
        for number, args in play:
            state = code.apply_of[number](state, *args)
        position = code.layout.decode(state)
        if any(first_failing(code.reference.declared, position, action, args) == key for args in _arguments(action)):
            self.further.note(key, "games led to it")

    def _closely(self, play: Sequence[Coded], where: str) -> None:
        """Make the moves of a play again, and note its actions, values and lines."""
        further, code = self.further, self._counted
        state = code.start
        for number, args in play:
            action = further.game.actions[number]
            further.note(action.name, where)
            for param, arg in zip(action.params, args, strict=True):
                further.note(value_key(action, param.name, arg), where)
            state = code.apply_of[number](state, *args)
        for key, times in zip(self._lines.keys, code.layout.decode(state)[COUNTER], strict=False):
            if times:
                further.note(key, where)

    def in_recorded_play(self, name: str, moves: Sequence[str]) -> None:
        """Make the moves of a recorded play again, if all of them are legal."""
        code, book = compiled(self.further.game, ghosts=True), MoveBook(self.further.game)
        state, play = code.start, list[Coded]()
        for text in moves:
            try:
                number, args = book.codes(text)
                if args not in code.candidates(state, number):
                    return
                state = code.apply_of[number](state, *args)
            except RulesGameError:
                return
            play.append((number, args))
        self._closely(play, f"recorded play `{name}`")

    def in_examples(self) -> None:
        """Note what examples show, first those of the reading at hand, then those of others."""
        readings = CompiledReadings.from_game(self.further.game)
        for elsewhere in (False, True):
            for example in self.further.game.examples:
                if any(bool(under) == elsewhere for under in readings_of(readings.game, example)) and self._may(
                    example
                ):
                    self._in_example(readings, example, elsewhere=elsewhere)

    def _may(self, example: Example) -> bool:
        """Return whether an example speaks of an action of which something is still to be seen."""
        lines = (line for line in example.steps if isinstance(line, Make | Refuse))
        actions = {each.name: each for each in self.further.game.actions}
        return bool(example.elsewhere) or any(
            line.action not in actions or self._wanted(actions[line.action]) for line in lines
        )

    def _wanted(self, action: Action) -> bool:
        keys = {*requirements(action), *(line.key for line in assignments(action.body))}
        return action.name in self.further.missing or not self.further.missing.isdisjoint(keys)

    def _in_example(self, readings: CompiledReadings, example: Example, *, elsewhere: bool) -> None:
        for run in run_example(readings, example).runs:
            if bool(run.under) != elsewhere or run.says:
                continue
            under = "".join(f", under `{name} = {option}`" for name, option in run.under)
            for step in run.steps:
                for reason in step.refusals if isinstance(step.line, Refuse) else ():
                    if reason.kind == "requirement":
                        self.further.note(reason.key, f"example `{example.name}`{under}")
                if isinstance(step.line, Make):
                    for key in (step.line.action, *(() if elsewhere else self._lines_of(step.line, step.before))):
                        self.further.note(key, f"example `{example.name}`{under}")

    def _lines_of(self, move: Make, position: Position) -> Sequence[str]:
        """Return the lines that run when a move of an example is made, if one of them is wanted."""
        names = [each.name for each in self.further.game.actions]
        number = names.index(move.action)
        return self._lines.run(position, number, move.args) if self._wanted(self.further.game.actions[number]) else ()


def _arguments(action: Action) -> Iterator[Args]:
    """Yield all arguments of an action, or some if there are very many."""
    types = [param.type for param in action.params]
    if prod(type_.size for type_ in types) <= TRIED:
        yield from values_of(types)
    else:
        random = RandomSource(0)
        yield from (random_arguments(types, random) for _ in range(TRIED))
