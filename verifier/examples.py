"""Examples: worked examples and witnesses, run by the reference evaluator; compiled code answers for the invariants.

Reads:  the ground of a core game, and an example of it.   Writes: what went wrong; the moves that were made.
After:  an example agrees only if every move was legal, every refusal happened for the clauses named, every expectation
        held (under the rulings it names), and the position that was arranged satisfies every invariant. Under the
        rulings in force, so does every position after a move and what follows it by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, assert_never

from pilgrim_rules.core.ir import Arrange, Example, ExampleStep, Expect, Expr, Game, Make, Refuse
from pilgrim_rules.core.show_expr import show
from pilgrim_rules.engine.effects import Cells, perform
from pilgrim_rules.engine.errors import Contradiction
from pilgrim_rules.engine.evaluate import evaluate
from pilgrim_rules.engine.reference import Args
from pilgrim_rules.engine.refusal import refusals
from pilgrim_rules.engine.scene import Scene
from verifier.ground import Ground, Reading
from verifier.play import spell

Under: TypeAlias = tuple[tuple[str, str], ...]

#: Autos that may follow one move; more is a loop of the rules, not an example.
MOST_AUTOS = 1000


class Disagrees(Exception):
    """The example does not come out as written: because of a move that should be refused, or of a broken invariant."""

    def __init__(self, says: str, *, move: str = "", broken: str = "") -> None:
        self.move, self.broken = move, broken
        super().__init__(says)


@dataclass(frozen=True, slots=True)
class Told:
    """How an example came out: the moves made, and what is wrong (empty if nothing is).

    allowed  the move that should have been refused.     broken  the invariant that is false.
    """

    moves: tuple[str, ...]
    wrong: str = ""
    allowed: str = ""
    broken: str = ""


def run(ground: Ground, example: Example) -> Told:
    """Run the example once for each choice of rulings that its expectations name."""
    variants = dict.fromkeys(step.under for step in example.steps if isinstance(step, Expect)) or {(): None}
    moves: tuple[str, ...] = ()
    for under in variants:
        told = Telling(ground.under(ruled(ground.game, under)), under).tell(example.steps)
        moves = moves or told.moves
        if told.wrong:
            return told
    return Told(moves)


def ruled(game: Game, under: Under) -> Game:
    """Return the game with some rulings decided otherwise."""
    rulings = {ruling.name: [name for name, _ in ruling.options] for ruling in game.rulings}
    codes = {name: rulings[name].index(option) for name, option in under}
    constants = tuple(
        replace(each, values=(each.type.lo + codes[each.name],)) if each.name in codes else each
        for each in game.constants
    )
    return replace(game, constants=constants) if codes else game


def arranged(ground: Ground, example: Example, under: Under = ()) -> tuple[Cells, tuple[ExampleStep, ...]]:
    """Return the position that the example arranges before anything happens in it, and the steps that follow."""
    first = next((at for at, step in enumerate(example.steps) if not isinstance(step, Arrange)), len(example.steps))
    reading = ground.under(ruled(ground.game, under))
    position = reading.start()
    for step in example.steps[:first]:
        assert isinstance(step, Arrange), "only what is arranged stands before"
        position = perform(step.body, reading.reference.world, position, {})
    return position, example.steps[first:]


class Telling:
    """Runs the steps of an example by the rules of one reading; `moves` are those that were made.

    claims   ask the invariants of what is given and after each move.
    """

    def __init__(self, reading: Reading, under: Under, *, claims: bool = True) -> None:
        self.claims = claims
        self.reading = reading
        self.reference = reading.reference
        self.under = under
        self.moves: list[str] = []
        self.refused: list[tuple[Cells, str, Args]] = []  #: where, and which move

    def tell(self, steps: Sequence[ExampleStep], arranged: Cells | None = None) -> Told:
        """Run the steps in order, from the start, or from a position that is known to be sound."""
        position = self.reading.start() if arranged is None else dict(arranged)
        begun = arranged is not None
        try:
            for step in steps:
                match step:
                    case Arrange(body=body):
                        position = perform(body, self.reference.world, position, {})
                    case Make(action=action, args=args, by=by):
                        if not begun:
                            self._must_be_sound(position, "the position that is given")
                        begun = True
                        position = self._make(self._autos(position), action, args, by)
                    case Refuse(action=action, args=args, clauses=clauses):
                        self._refuse(self._autos(position), action, args, clauses)
                    case Expect(formula=formula, under=under):
                        if under == self.under:
                            self._expect(position, formula)
                    case _:
                        assert_never(step)
            if not begun:
                self._must_be_sound(position, "the position that is given")
        except Disagrees as wrong:
            return Told(tuple(self.moves), str(wrong), wrong.move, wrong.broken)
        except Contradiction as wrong:
            return Told(tuple(self.moves), str(wrong))
        return Told(tuple(self.moves))

    def _make(self, position: Cells, name: str, args: Args, by: int | None) -> Cells:
        action = self.reference.world.actions[name]
        shown = spell(self.reference.game, (name, args))
        if by is not None and by != self.reference.by(position):
            raise Disagrees(f"`{shown}` is not for {self.reference.game.player.labels[by]} to decide")
        if not self.reference.allowed(position, action, args):
            why = refusals(self.reference.world, position, action, args, {})
            raise Disagrees(f"`{shown}` is not allowed: " + "; ".join(map(str, why)))
        self.moves.append(shown)
        after = self._autos(self.reference.apply(position, action, args))
        if not self.under:  # under another reading nothing is claimed
            changed = frozenset(name for name, codes in after.items() if codes != position[name])
            self._must_be_sound(after, f"`{shown}`", changed)
        return after

    def _autos(self, position: Cells) -> Cells:
        """Let everything happen that happens by itself."""
        reference = self.reference
        for _ in range(MOST_AUTOS):
            if reference.stage(position).kind != "auto":
                return position
            ready = [
                (action, args)
                for action in reference.game.actions
                if action.kind == "auto" and position["stage"][0] in action.stages
                for args in reference.legal(position, action)
            ]
            if len(ready) != 1:
                raise Disagrees(f"in `{reference.stage(position).name}` {len(ready)} things can happen by themselves")
            action, args = ready[0]
            self.moves.append(spell(reference.game, (action.name, args)))
            position = reference.apply(position, action, args)
        raise Disagrees("things go on happening by themselves without end")

    def _refuse(self, position: Cells, name: str, args: Args, clauses: tuple[str, ...]) -> None:
        why = refusals(self.reference.world, position, self.reference.world.actions[name], args, {})
        shown = spell(self.reference.game, (name, args))
        if not why:
            raise Disagrees(f"`{shown}` is allowed, but should be refused", move=shown)
        cited = {clause for refusal in why for clause in refusal.clauses}
        missing = [clause for clause in clauses if clause not in cited]
        if missing:
            raise Disagrees(f"`{shown}` is refused, but not because of {', '.join(missing)}")
        self.refused.append((position, name, args))

    def _expect(self, position: Cells, formula: Expr) -> None:
        if not evaluate(formula, Scene(self.reference.world, position, {})):
            given = f" under {', '.join(f'{name} = {option}' for name, option in self.under)}" if self.under else ""
            raise Disagrees(f"`{show(formula)}` is false{given}")

    def _must_be_sound(self, position: Cells, what: str, changed: frozenset[str] | None = None) -> None:
        """See that the invariants hold; after a move, those that look at something it has changed."""
        broken = self.reading.broken(position, changed) if self.claims else None
        if broken is not None:
            raise Disagrees(f"{what} breaks `{broken}`", broken=broken)
