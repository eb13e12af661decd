"""State: a position of a game, immutable and hashable; what can be done in it, and what it leads to.

Reads:  a compiled game and the bytes of a state.   Writes: new states; no state ever changes.
After:  `moves()` and `why_not()` agree: the reasons are empty exactly for the moves on the list.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from pilgrim_rules.engine import cells, stateform
from pilgrim_rules.engine.errors import IllegalMove
from pilgrim_rules.engine.moves import Move
from pilgrim_rules.engine.plain import Value
from pilgrim_rules.engine.refusal import Refusal, refusals
from pilgrim_rules.engine.scores import Score, ranking, score
from pilgrim_rules.engine.step import fingerprint
from pilgrim_rules.engine.view import View

if TYPE_CHECKING:
    from typing import Unpack

    from pilgrim_rules.engine.game import Game
    from pilgrim_rules.figures.looks import Looks, Picture

Table: TypeAlias = "dict[Value, Value | Table]"  #: the cells of a variable by their index


class State:
    """A position of a game.

    Two states are equal if they are of the same game and every variable has the same value. `rng`, the state of the
    generator that resolves chance, travels along and takes no part in this: it says what will happen, not what is.
    """

    __slots__ = ("_data", "_game", "_rng")

    def __init__(self, game: Game, data: bytes, rng: int | None = None) -> None:
        self._game = game
        self._data = data
        self._rng = rng

    @property
    def game(self) -> Game:
        """The game it belongs to."""
        return self._game

    @property
    def data(self) -> bytes:
        """The position as bytes; `game.layout` says what lies where."""
        return self._data

    @property
    def rng(self) -> int | None:
        """The generator's state, or None if chance is left to the caller."""
        return self._rng

    # -------------------------------------------------------------------------------------------------------- the turn

    @property
    def to_move(self) -> str | None:
        """Who decides: a player's name, `chance`, or None if the game is over.

        Only a state that was not reached by playing (read from a file, or inside a trace) can also say `auto`.
        """
        return self.game.runner.decider(self.data)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._game.runner.row(self._data).kind == "nobody"

    @property
    def stage(self) -> str:
        """The stage of the game, such as `sowing`."""
        return self._game.runner.row(self._data).stage.name

    def moves(self) -> list[Move]:
        """Return every legal move, in the order of the actions in the rules."""
        runner = self._game.runner
        row = runner.row(self._data)
        if row.kind == "chance":
            return [move for move, _ in self.outcomes()]
        found: list[Move] = []
        try:
            for search, spell in row.searches:
                found += map(spell, search(self._data))
        except (IndexError, ZeroDivisionError):  # NOTE(definedness) in codegen/plan.py
            return [runner.book.move(coded) for coded in runner.candidates(self._data)]
        return found

    def outcomes(self) -> list[tuple[Move, Fraction]]:
        """Return what chance may bring about now, with the probability of each; empty if chance is not to move."""
        runner = self.game.runner
        if runner.row(self.data).kind != "chance":
            return []
        lottery = runner.lottery(self.data)
        total = sum(weight for _, weight in lottery)
        return [(runner.book.move(coded), Fraction(weight, total)) for coded, weight in lottery]

    def play(self, *moves: str) -> State:
        """Return the state after the moves, given as `Move` or as text; what follows by itself has happened too.

        `BadMove` if a text spells no move, `IllegalMove` if it is not allowed, `Contradiction` if the rules
        contradict themselves.
        """
        runner, data, rng = self._game.runner, self._data, self._rng
        for move in moves:
            coded = runner.book.codes(move)
            if not runner.allows(data, coded):
                raise State(self.game, data, rng).illegal(move)
            data, rng = runner.make(data, coded, rng, [])
        return State(self._game, data, rng)

    def why_not(self, move: str) -> list[Refusal]:
        """Return every reason why the move is not allowed now; empty if it is allowed."""
        game = self.game
        number, args = game.runner.book.codes(move)
        return refusals(game.world, game.layout.decode(self.data), game.core.actions[number], args, game.pages)

    def illegal(self, move: str) -> IllegalMove:
        """Return the exception that refuses a move, with every reason."""
        book = self.game.runner.book
        return IllegalMove(str(book.move(book.codes(move))), tuple(self.why_not(move)))

    # ------------------------------------------------------------------------------------------------------- the score

    def scores(self) -> dict[str, Score]:
        """Return the score of each player, with its parts; it is defined in every state."""
        return {name: score(self.game.code, self.data, player) for player, name in enumerate(self.game.players)}

    @property
    def ranking(self) -> list[list[str]]:
        """The players from first to last, tie-breaks applied; those who still tie stand together."""
        return [[self.game.players[player] for player in tied] for tied in ranking(self.game.code, self.data)]

    def winners(self) -> list[str]:
        """Return who has won: several players if they share the victory, nobody before the end."""
        return self.ranking[0] if self.over and self.game.core.score is not None else []

    # ---------------------------------------------------------------------------------------------------- the position

    def __getitem__(self, key: str | tuple[object, ...]) -> Value | Table:
        """Return a variable by the name the rules give it: `state["piety", "red"]`, or a table as a dictionary."""
        name, *index = key if isinstance(key, tuple) else (key,)
        return cells.look(self.game.layout, self.data, str(name), tuple(index))

    def ask(self, definition: str, *arguments: object) -> Value:
        """Return the value of a definition of the rules: `state.ask("standing", "red", "n")`."""
        return cells.ask(self.game.code, self.data, definition, arguments)

    def diff(self, other: State) -> dict[str, tuple[Value, Value]]:
        """Return the cells that differ, `piety[red]`, each with its value here and in the other state."""
        return cells.diff(self.game.layout, self.data, other.data)

    def view(self, player: str | None) -> View:
        """Return what a player may see of the state; None for somebody who only watches."""
        return View(self, player)

    @property
    def fingerprint(self) -> str:
        """A short text that is the same for equal positions, ghosts left aside, on every machine."""
        return fingerprint(self.data[: self.game.layout.plain])

    def to_json(self, *, indent: int | None = None) -> str:
        """Return the state as JSON; `schemas/state.schema.json` describes it."""
        return stateform.dumps(stateform.form(self), indent)

    @staticmethod
    def from_json(text: str) -> State:
        """Return the state that a JSON text describes, loading its game; `BadState` if it describes none."""
        from pilgrim_rules.engine.game import load  # noqa: PLC0415  (games make states, so they come after)

        data = stateform.loads(text)
        return load(**stateform.instance(data)).state_from_json(data)

    def svg(self, **looks: Unpack[Looks]) -> Picture:
        """Return a picture as SVG; `pilgrim_rules.figures.draw` says what can be asked for."""
        from pilgrim_rules.figures import draw  # noqa: PLC0415  (whoever plays without pictures does not need it)

        return draw(self, **looks)

    def ascii(self, figure: str | None = None) -> str:
        """Return the figures of the rules as plain text."""
        from pilgrim_rules.figures import picture_text  # noqa: PLC0415  (the same)

        return picture_text(self, figure=figure)

    def _repr_svg_(self) -> str:
        return self.svg()

    # ----------------------------------------------------------------------------------------------------- being a value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._data == other._data and self._game == other._game

    def __hash__(self) -> int:
        return hash(self._data)

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, memo: Mapping[int, object]) -> State:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return State, (self.game, self.data, self.rng)

    def __repr__(self) -> str:
        return f"<State of {self.game.name}: {self.stage}, {self.to_move or 'over'}, {self.fingerprint}>"
