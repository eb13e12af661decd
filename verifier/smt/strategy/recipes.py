"""Recipes: how an obligation was proved, so that the next run begins there.

Reads:  what a run wrote down.   Writes: `Recipe`, as data and back.
After:  a recipe is never evidence. It says in which way and with which hypotheses to ask first; the query is asked again, and
        where it is not answered as before, every other way is tried. Whatever cannot be read is no recipe.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from verifier.smt.strategy.encoding_options import Options

_ALL = "a"


@dataclass(frozen=True, slots=True)
class Step:
    """How one part of a goal was proved.

    part     its number; None if the goal was proved as a whole.   split   by the cases of which unknowns, if by any.
    ways     the options, a letter for each; `a` if it was found with all that the way begins with, and not with the labels alone.
    spent    the resources that it took.
    labels   what the solver needed.                                written_out  as in `Options`.
    how      what it is called in a report; not kept.
    """

    part: int | None
    ways: str
    written_out: int
    split: int | None
    spent: int
    labels: tuple[str, ...]
    how: str = ""

    @classmethod
    def of(cls, options: Options, labels: tuple[str, ...], spent: int, split: int | None = None) -> Self:
        """Return the step that succeeded with these options."""
        flags = {"l": options.lean, "w": options.wide, "d": options.deep, "e": options.eager, "p": options.partition}
        ways = "".join(letter for letter, chosen in flags.items() if chosen)
        return cls(options.part, ways, options.written_out, split, spent, labels)

    @property
    def with_all(self) -> bool:
        """Whether the labels alone do not show the solver the way."""
        return _ALL in self.ways

    def asked_with_all(self) -> Self:
        """Return the step, with a note that the labels alone did not do."""
        return self if self.with_all else replace(self, ways=self.ways + _ALL)

    def options(self, plain: Options) -> Options:
        """Return the options with which to ask again."""
        return replace(
            plain,
            part=self.part,
            written_out=self.written_out,
            lean="l" in self.ways,
            wide="w" in self.ways,
            deep="d" in self.ways,
            eager="e" in self.ways,
            partition="p" in self.ways,
        )


@dataclass(frozen=True, slots=True)
class Recipe:
    """The steps of a proof, at most one for each part.

    how     they are called in a report.       wasted  the resources that went into attempts which came to nothing.
    """

    how: str = ""
    steps: tuple[Step, ...] = ()
    wasted: int = 0

    def step(self, part: int | None) -> Step | None:
        """Return how a part was proved."""
        return next((each for each in self.steps if each.part == part), None)

    @property
    def by_parts(self) -> bool:
        """Whether the goal was split."""
        return any(each.part is not None for each in self.steps)

    @property
    def spent(self) -> int:
        """The resources that the proof itself took."""
        return sum(each.spent for each in self.steps)

    def data(self) -> dict[str, Any]:
        """Return the recipe as data."""
        steps = [[each.part, each.ways, each.written_out, each.split, each.spent, *each.labels] for each in self.steps]
        return {"how": self.how, "wasted": self.wasted, "steps": steps}


NONE = Recipe()


def recipe_from(data: object) -> Recipe:
    """Return the recipe that data describe; none if they describe nothing."""
    try:
        assert isinstance(data, Mapping)
        steps = tuple(_step(*each) for each in data["steps"])
        return Recipe(str(data["how"]), steps, int(data["wasted"]))
    except (AssertionError, KeyError, TypeError, ValueError):
        return NONE


def _step(part: object, ways: object, written_out: object, split: object, spent: object, *labels: object) -> Step:
    def number(value: object) -> int | None:
        return None if value is None else int(str(value))

    return Step(number(part), str(ways), int(str(written_out)), number(split), int(str(spent)), tuple(map(str, labels)))
