"""View: what one player may see of a state.

Reads:  a state and a player.   Writes: the same answers as the state, with `?` for what the player may not see.
After:  nothing of a private or hidden cell can be told from a view.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pilgrim_rules.core.ir import Variable
from pilgrim_rules.engine import cells, plain, stateform
from pilgrim_rules.engine.cells import HIDDEN, Seen, Table
from pilgrim_rules.engine.evaluate import evaluate
from pilgrim_rules.engine.plain import Value
from pilgrim_rules.engine.scene import Scene

if TYPE_CHECKING:
    from typing import Unpack

    from pilgrim_rules.engine.state import State
    from pilgrim_rules.figures.looks import Looks, Picture

__all__ = ["HIDDEN", "View"]


class View:
    """What a player may see; `view["hand", "red"]` is the value, or `?`."""

    __slots__ = ("_player", "_state", "player")

    def __init__(self, state: State, player: str | None) -> None:
        self.player = player
        self._state = state
        try:
            self._player = None if player is None else plain.code(state.game.core.player, player)
        except ValueError as problem:
            raise KeyError(str(problem)) from None

    def __getitem__(self, key: str | tuple[object, ...]) -> Value | Table:
        """Return a variable by its name, as the state does, with `?` for what may not be seen."""
        name, *index = key if isinstance(key, tuple) else (key,)
        game = self._state.game
        field = game.layout.by_name.get(str(name))
        seen = None if field is None else self.seen(field.variable)
        return cells.look(game.layout, self._state.data, str(name), tuple(index), seen)

    def to_json(self, *, indent: int | None = None) -> str:
        """Return the view as JSON; it has the form of a state, with `?` for what may not be seen and no generator."""
        return stateform.dumps(stateform.form(self._state, self), indent)

    def svg(self, **looks: Unpack[Looks]) -> Picture:
        """Return a picture of what may be seen, as `State.svg` does of everything."""
        from pilgrim_rules.figures import draw  # noqa: PLC0415  (whoever plays without pictures does not need it)

        return draw(self._state, viewer=self, **looks)

    def _repr_svg_(self) -> str:
        return self.svg()

    def seen(self, variable: Variable) -> Seen | None:
        """Return which cells of a variable may be seen; None: all of them."""
        if variable.sight == "open":
            return None
        game = self._state.game
        if variable.until is not None:
            position = game.layout.decode(self._state.data)
            if evaluate(variable.until, Scene(game.world, position, {})):
                return None
        player = self._player
        return lambda index: variable.sight == "private" and player is not None and index[0] == player
