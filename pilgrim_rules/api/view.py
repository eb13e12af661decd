"""View: what one player may see of a state.

Reads:  a state and a player.   Writes: the same answers as the state, with `?` for what the player may not see.
After:  a view tells cells that the player sees, what is computed of them, public definitions, who decides, and to whoever decides
        what is legal and why not. That these tell nothing else is what `sight` and `no_leak` prove of the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from pilgrim_rules.api import state_json
from pilgrim_rules.api.looks import Looks, SeenStep
from pilgrim_rules.api.pictured import Pictured
from pilgrim_rules.api.scores import Score, score
from pilgrim_rules.api.view_sample import sample_states
from pilgrim_rules.core.ir import Def, Expr
from pilgrim_rules.engine.rules import Rules, StateLike, ask
from pilgrim_rules.semantics import python_values
from pilgrim_rules.semantics.cells import HIDDEN, Table, read_cells
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.errors import Refusal
from pilgrim_rules.semantics.evaluate import evaluate
from pilgrim_rules.semantics.moves import Move
from pilgrim_rules.semantics.python_values import Value
from pilgrim_rules.semantics.refusal import refusals
from pilgrim_rules.semantics.visibility import HiddenCell, MaskedCells, Observer

__all__ = ["HIDDEN", "View"]
MOST_SHOWN: Final = 20  #: moves in a notebook


class View(Pictured):
    """What a player may see; `view["hand", "red"]` is the value, or `?`."""

    __slots__ = ("_state", "observer", "player")

    def __init__(self, state: StateLike, player: str | None) -> None:
        self.player = player
        self._state = state
        try:
            self.observer = Observer(None if player is None else python_values.code(state.game.core.player, player))
        except ValueError as problem:
            raise KeyError(str(problem)) from None

    def __getitem__(self, key: str | tuple[object, ...]) -> Value | Table:
        """Return a variable by its name, as the state does, with `?` for what may not be seen."""
        name, *index = key if isinstance(key, tuple) else (key,)
        rules, data = self._state.game, self._state.data
        field = rules.layout.by_name.get(str(name))
        visible = None if field is None else self.observer.visible(rules.declared, rules.layout, data, field.variable)
        return read_cells(rules.layout, data, str(name), tuple(index), visible)

    @property
    def stage(self) -> str:
        """The stage of the game."""
        return self._rules.runner.row(self._state.data).stage.name

    @property
    def to_move(self) -> str | None:
        """Who decides: a player's name, `chance`, or None if the game is over."""
        return self._rules.runner.decider(self._state.data)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._rules.runner.row(self._state.data).kind == "nobody"

    def moves(self) -> list[Move]:
        """Return every legal move of the player; none while somebody else decides."""
        return (
            self._rules.runner.moves(self._state.data)
            if self.player is not None and self.player == self.to_move
            else []
        )

    def why_not(self, move: str) -> list[Refusal]:
        """Return every reason why the player may not make a move; whoever is not to move is told only that."""
        rules, data = self._rules, self._state.data
        number, args = rules.runner.book.codes(move)
        if self.player != self.to_move:
            who = "the game is over" if self.to_move is None else f"`{self.to_move}` decides now"
            return [Refusal("stage", who)]
        return refusals(rules.declared, rules.layout.decode(data), rules.core.actions[number], args, rules.pages)

    def seen(self, move: str) -> SeenStep:
        """Return what the player would see of a move that is made now by whoever decides: `discard(?)`."""
        rules = self._rules
        return Looks(rules).step(self._state.data, rules.runner.book.codes(move), self.observer.player)

    def ask(self, definition: str, *arguments: object) -> Value:
        """Return the value of a definition: any value of a public one, of another `?` if it needs what is not seen."""
        code = self._rules.code
        declared = code.reference.declared.defs.get(definition)
        value = ask(code, self._state.data, definition, arguments)
        if declared is None or declared.public:
            return value
        codes = (python_values.code(param.type, each) for param, each in zip(declared.params, arguments, strict=True))
        names = {param.name: each for param, each in zip(declared.params, codes, strict=True)}
        return HIDDEN if self._masked(declared.body, names) is None else value

    def public(self) -> dict[str, Table | Value]:
        """Return every public definition, with its values by their arguments."""
        found: dict[str, Table | Value] = {}
        for definition in self._rules.core.defs:
            if definition.public:
                found[definition.name] = self._public(definition, ())
        return found

    def _public(self, definition: Def, args: tuple[int, ...]) -> Table | Value:
        if len(args) == len(definition.params):
            code = self._rules.code.value(definition.name, self._state.data, *args)
            return python_values.value(definition.body.type, code)
        type_ = definition.params[len(args)].type
        return {
            python_values.value(type_, code): self._public(definition, (*args, code))
            for code in range(type_.lo, type_.hi + 1)
        }

    def scores(self) -> dict[str, Score | str]:
        """Return the score of each player, `?` where it cannot be computed of what is seen."""
        sheet = self._rules.core.score
        found: dict[str, Score | str] = {}
        for player, name in enumerate(self._rules.players):
            lines = () if sheet is None else sheet.lines
            known = all(self._masked(line.value, {sheet.player: player}) is not None for line in lines if sheet)
            found[name] = score(self._rules.code, self._state.data, player) if known else HIDDEN
        return found

    def _masked(self, expr: Expr, names: dict[str, int]) -> int | None:
        """Return the value of an expression computed of what is seen; None if it needs anything else."""
        rules, data = self._rules, self._state.data
        position: dict[str, Sequence[int]] = dict(rules.layout.decode(data))
        for field in rules.layout.fields:
            mask = self.observer.mask(rules.declared, rules.layout, data, field)
            if mask is not None:
                position[field.variable.name] = MaskedCells(position[field.variable.name], mask)
        try:
            return evaluate(expr, Environment(rules.declared, position, names))
        except HiddenCell:
            return None

    def sample(self, seed: int) -> bytes:
        """Return the bytes of a state that looks the same, drawn among all that satisfy the invariants; see `State.resample`."""
        return self.samples((seed,))[0]

    def samples(self, seeds: Sequence[int]) -> list[bytes]:
        """Return for each seed what `sample` returns."""
        if self.observer.player is None:
            raise ValueError("a spectator has no view of his own to be consistent with")
        return sample_states(self._rules, self._state.data, self.observer.player, seeds)

    @property
    def _rules(self) -> Rules:
        return self._state.game

    def to_json(self, *, indent: int | None = None) -> str:
        """Return the view as JSON; it has the form of a state, with `?` for what may not be seen and no generator."""
        form = state_json.form(self._state.game, self._state.data, observer=self.observer)
        return state_json.dumps(form, indent)

    def _seen(self) -> tuple[StateLike, Observer]:
        return self._state, self.observer

    def _repr_html_(self) -> str:
        offered = "".join(f"<li>{move._repr_html_()}</li>" for move in self.moves()[:MOST_SHOWN])
        more = len(self.moves()) - MOST_SHOWN
        rest = f"<li>and {more:,} more</li>" if more > 0 else ""
        return f"<figure>{self.svg()}<figcaption>{escape(self._says())}<ul>{offered}{rest}</ul></figcaption></figure>"

    def __repr__(self) -> str:
        return f"<View of {self._rules.name}: {self._says()}>"

    def _says(self) -> str:
        decides = "over" if self.to_move is None else f"{self.to_move} to move"
        return f"{self.stage}, {decides}, as {self.player or 'a spectator'} sees it"
