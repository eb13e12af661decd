"""Hints: what an earlier run knew of an obligation, and this one may begin with.

Reads:  what the cache has kept.   Writes: `Hints`, as data and back.
After:  a hint is never evidence: a recipe is followed by asking the solver again, a witness is evaluated again.
"""

from __future__ import annotations

from base64 import b85decode, b85encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from zlib import compress, decompress
from zlib import error as ZlibError  # noqa: N812  (it is a class, and its name says too little)

from pilgrim_rules.core.ir import Game
from pilgrim_rules.core.move_text import move_text_in
from pilgrim_rules.semantics.reference import Args
from verifier.smt.strategy.recipes import NONE, Recipe, recipe_from


@dataclass(frozen=True, slots=True)
class Witness:
    """A state in which a line of the rules matters; it refuses `action` with these arguments, or applies.

    seen_in  where the state comes from: `random play`.
    """

    seen_in: str
    state: bytes
    action: str | None = None
    args: Args = ()

    def sentence(self, game: Game, where: str) -> str:
        """Return what is seen, and where."""
        if self.action is None:
            return f"it applies in {where}"
        return f"`{move_text_in(game, (self.action, self.args))}` is refused because of it in {where}"

    def data(self) -> list[Any]:
        """Return the witness as data."""
        return [self.seen_in, b85encode(compress(self.state)).decode(), self.action, list(self.args)]


@dataclass(frozen=True, slots=True)
class Hints:
    """How it was proved, or in which state it showed."""

    recipe: Recipe = NONE
    witness: Witness | None = None

    def data(self) -> dict[str, Any]:
        """Return the hints as data, what there is of them."""
        recipe = {"recipe": self.recipe.data()} if self.recipe.steps else {}
        return recipe | ({} if self.witness is None else {"witness": self.witness.data()})


NO_HINTS = Hints()


def hints_from(data: Mapping[str, Any]) -> Hints:
    """Return the hints that data describe; what describes nothing is no hint."""
    return Hints(recipe_from(data.get("recipe")), _witness(data.get("witness")))


def _witness(data: object) -> Witness | None:
    try:
        assert isinstance(data, list)
        seen_in, state, action, args = data
        code = tuple(int(each) for each in args)
        return Witness(str(seen_in), decompress(b85decode(state)), None if action is None else str(action), code)
    except (AssertionError, TypeError, ValueError, ZlibError):
        return None
