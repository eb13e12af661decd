"""The reference: what a game allows and does, by the evaluator alone.

Reads:  a core game and positions.   Writes: legal arguments, next positions, verdicts of claims, scores.
After:  nothing is changed. This is what compiled code and proofs are tested against; it is never used for speed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.ir import Action, Arrange, Claim, Example, Game, Given, Require, Stage
from pilgrim_rules.semantics.effects import Cells, perform
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.evaluate import evaluate, ranking_key
from pilgrim_rules.semantics.state_layout import Position

Args = tuple[int, ...]


@dataclass(frozen=True)
class Reference:
    """A game, played by the evaluator."""

    declared: Declarations

    @classmethod
    def from_game(cls, game: Game) -> Reference:
        """Return the reference of a game."""
        return cls(Declarations(game))

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.declared.game

    def start(self) -> Cells:
        """Return the position at the start; chance and autos are still to come."""
        position: Cells = {}
        for variable in self.game.variables:
            domains = (range(type_.lo, type_.hi + 1) for type_ in variable.index)
            position[variable.name] = [
                evaluate(variable.initial, Environment(self.declared, {}, dict(zip(variable.over, index, strict=True))))
                for index in product(*domains)
            ]
        return position

    def arranged(self, example: Example) -> Cells:
        """Return the position that an example arranges before anything happens in it."""
        position = self.start()
        for step in example.steps:
            if not isinstance(step, Arrange):
                break
            position = perform(step.body, self.declared, position, {})
        return position

    def stage(self, position: Position) -> Stage:
        """Return the stage of the game."""
        return self.declared.stages[position["stage"][0]]

    def by(self, position: Position) -> int | None:
        """Return who decides now; None if nobody does (or the stage's expression is none)."""
        by = self.stage(position).by
        if by is None:
            return None
        player = evaluate(by, Environment(self.declared, position, {}))
        return player if player <= self.game.player.hi else None

    def is_automatic(self, position: Position) -> bool:
        """Return whether what happens now happens by itself: in an `auto` stage, or where an automaton is to decide."""
        return self.stage(position).kind == "auto" or self.by(position) in self.game.automata

    def legal(self, position: Position, action: Action) -> Iterator[Args]:
        """Yield the arguments with which the action is allowed now, in ascending order."""
        for args in product(*(range(param.type.lo, param.type.hi + 1) for param in action.params)):
            if self.allowed(position, action, args):
                yield args

    def allowed(self, position: Position, action: Action, args: Args) -> bool:
        """Return whether the action is allowed with these arguments now."""
        return position["stage"][0] in action.stages and self.guard(position, action, args) is not None

    def guard(self, position: Position, action: Action, args: Args) -> Environment | None:
        """Return the env with the names of the guard, or None at the first requirement that fails."""
        env = self._called(position, action, args)
        for line in action.guard:
            match line:
                case Require(test=test):
                    if not evaluate(test, env):
                        return None
                case Given(name=name, value=value):
                    env = env.bind(name, evaluate(value, env))
        return env

    def apply(self, position: Position, action: Action, args: Args) -> Cells:
        """Return the position after a legal action; `Contradiction` if it contradicts the rules."""
        env = self.guard(position, action, args)
        assert env is not None, "apply a legal action only"
        return perform(action.body, self.declared, position, dict(env.names))

    def weight(self, position: Position, action: Action, args: Args) -> int:
        """Return the weight of an outcome of a chance action."""
        env = self.guard(position, action, args)
        assert env is not None, "weigh a legal outcome only"
        return 1 if action.weight is None else evaluate(action.weight, env)

    def holds(self, claim: Claim, position: Position, after: Position | None = None) -> bool:
        """Return whether the claim's formula is true here; a step claim needs the position after the step as well."""
        return bool(evaluate(claim.formula, Environment(self.declared, position, {}, next=after)))

    def value(self, definition: str, position: Position, args: Args) -> int:
        """Return the value of a definition."""
        found = self.declared.defs[definition]
        names = {param.name: arg for param, arg in zip(found.params, args, strict=True)}
        return evaluate(found.body, Environment(self.declared, position, names))

    def score(self, position: Position, player: int) -> tuple[int, ...]:
        """Return the value of each score line, in the sheet's units."""
        sheet = self.game.score
        assert sheet is not None, "the game keeps no score"
        env = Environment(self.declared, position, {sheet.player: player})
        return tuple(evaluate(line.value, env) for line in sheet.lines)

    def rank(self, position: Position, player: int) -> tuple[int, ...]:
        """Return the player's ranking key; the smallest is first."""
        sheet = self.game.score
        assert sheet is not None, "the game keeps no score"
        return ranking_key(sheet.keys, Environment(self.declared, position, {sheet.player: player}))

    def _called(self, position: Position, action: Action, args: Args) -> Environment:
        names = {param.name: arg for param, arg in zip(action.params, args, strict=True)}
        return Environment(self.declared, position, names)
