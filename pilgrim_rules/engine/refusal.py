"""Refusals: why a move is not allowed, every reason with the clause of the rulebook it rests on.

Reads:  a position and a move.   Writes: a list of `Refusal`, empty exactly for legal moves.
After:  nothing is changed. Lines of a guard that use a value which does not exist here are listed as not asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pilgrim_rules.core.ir import Action, Expr, Given, Require
from pilgrim_rules.core.walk import free_names
from pilgrim_rules.engine.evaluate import evaluate
from pilgrim_rules.engine.layout import Position
from pilgrim_rules.engine.reference import Args
from pilgrim_rules.engine.scene import NotPositive, OutsideTable, Scene, World
from pilgrim_rules.source import Span

RefusalKind = Literal["stage", "requirement", "not asked", "weight"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason why a move is not allowed.

    kind     `stage`: not the time for it; `requirement`: it does not hold; `not asked`: it cannot be asked, because
             it speaks of something that an earlier reason says does not exist; `weight`: chance never does it
    says     the reason in words
    clauses  the clauses of the rulebook it rests on
    page     the page of the first of them, where the game's inventory knows it
    key      identity of the line in the rules
    """

    kind: RefusalKind
    says: str
    clauses: tuple[str, ...] = ()
    page: str | None = None
    key: str = ""
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def clause(self) -> str | None:
        """The first clause, if the line cites any."""
        return self.clauses[0] if self.clauses else None

    def __str__(self) -> str:
        page = () if self.page is None else (f"p. {self.page}",)
        place = ", ".join((*self.clauses, *page))
        return f"{self.says} ({place})" if place else self.says


def refusals(world: World, position: Position, action: Action, args: Args, pages: Mapping[str, str]) -> list[Refusal]:
    """Return every reason why the action is not allowed with these arguments now."""
    found: list[Refusal] = []
    stage = world.stages[position["stage"][0]]
    if stage.code not in action.stages:
        when = ", ".join(f"`{world.stages[code].name}`" for code in action.stages)
        found.append(Refusal("stage", f"`{action.name}` belongs to {when}; now it is `{stage.name}`"))
    names = {param.name: arg for param, arg in zip(action.params, args, strict=True)}
    scene = Scene(world, position, names)
    missing: set[str] = set()
    for line in action.guard:
        match line:
            case Given(name=name, value=value):
                result = _ask(value, missing, scene, excused=bool(found))
                if result is None:
                    missing.add(name)
                else:
                    scene = scene.bind(name, result)
            case Require(test=test, defines=defines):
                result = _ask(test, missing, scene, excused=bool(found))
                if not result:
                    found.append(_refusal(world, action, line, pages, asked=result is not None))
                    missing |= {defines} if defines else set()
    if not found and action.weight is not None and evaluate(action.weight, scene) == 0:
        found.append(Refusal("weight", "chance never brings it about"))
    return found


def _ask(expr: Expr, missing: set[str], scene: Scene, *, excused: bool) -> int | None:
    """Return the value of a line; None if it has none, which only an earlier refusal excuses."""
    if missing & free_names(expr):
        return None
    try:
        return evaluate(expr, scene)
    except (OutsideTable, NotPositive):
        if not excused:
            raise
        return None


def _refusal(world: World, action: Action, line: Require, pages: Mapping[str, str], *, asked: bool) -> Refusal:
    """Return the refusal in the words of the rules, or else in words made from what is required."""
    words = line.says or world.required(action.name)[line.key]
    lead = "not asked: " if not asked else "" if line.says else "required: "
    page = next((pages[clause] for clause in line.clauses if clause in pages), None)
    return Refusal("requirement" if asked else "not asked", lead + words, line.clauses, page, line.key, line.span)
