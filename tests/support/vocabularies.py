"""Vocabularies of random games: which types, variables and tables there are."""

from __future__ import annotations

from dataclasses import dataclass

from pilgrim_rules.core.ir import BOOL, Bound, Constant, Lit, Type, Variable
from tests.support.core_builder import both, enum, maybe, none, number, table, var


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a random game speaks of.

    indexable  types of bound names, parameters and indices
    ranged     types that binders go over; `values` those that are compared; `numbers` of which the first is small
    relations  tables of truth, each with the types of its index; the last is the one that a binder may go over
    written    the variables that effects write
    guarded    a variable, and the one that may be none and is its index only behind a test
    hides      whether bound names may hide each other
    """

    player: Type
    stage: Type
    variables: tuple[Variable, ...]
    constants: tuple[Constant, ...]
    indexable: tuple[Type, ...]
    ranged: tuple[Type, ...]
    values: tuple[Type, ...]
    numbers: tuple[Type, ...]
    relations: tuple[tuple[str, Type], ...]
    written: frozenset[str]
    guarded: tuple[Variable, Variable]
    most_params: int
    hides: bool


def _large() -> Vocabulary:
    """Many types, some with large domains: for what handles one state at a time."""
    player, stage = enum("Player", "red", "blue", "green"), enum("Stage", "acting", "rolling", "over")
    place, small, wide, huge = enum("Place", "n", "e", "s", "w"), number(-2, 3), number(-5, 400), number(0, 70_000)
    route, some, byte = both(player, number(1, 2)), maybe(place), number(0, 255)
    many = number(0, 299)  # a domain too large to be written out
    row = var("row", small, Lit(0, small), place)
    last = var("last", some, none(some))
    variables = (
        var("stage", stage, Lit(0, stage)),
        var("flag", BOOL, Lit(0, BOOL)),
        var("active", player, Lit(0, player)),
        var("at", place, Lit(1, place), player),
        last,
        row,
        var("small", small, Lit(0, small), place, small),
        var("wide", wide, Lit(7, wide), route),
        var("huge", huge, Bound("i0", huge), BOOL),
        var("route", route, Lit(0, route), some),
        var("many", byte, Lit(0, byte), many),
    )
    constants = (
        table("leads", BOOL, (place, place), lambda a, b: b == (a + 1) % 4),
        table("near", BOOL, (many,), lambda a: a % 7 == 3),
        table("beside", some, (place, player), lambda a, p: (a * 3 + p) % 5),
        table("price", small, (small,), lambda a: 1 - a),
        table("whose", player, (place,), lambda a: a % 3),
        table("home", place, (player,), lambda p: 3 - p),
        table("rule", BOOL, (), lambda: True),
    )
    indexable = (BOOL, player, place, small, route, some)
    return Vocabulary(
        player,
        stage,
        variables,
        constants,
        indexable,
        ranged=(BOOL, player, place, small, route),
        values=(*indexable, stage, wide, huge),
        numbers=(small, wide, huge),
        relations=(("leads", place, place), ("near", many)),
        written=frozenset(each.name for each in variables[1:]),
        guarded=(row, last),
        most_params=3,
        hides=True,
    )


def _small() -> Vocabulary:
    """Few states: for what searches them all. There is a variable of one value, and one that never changes."""
    player, stage = enum("Player", "red", "blue"), enum("Stage", "playing", "waiting", "over")
    cell, small, one = number(1, 3), number(-1, 4), number(7, 7)
    some, wide = maybe(cell), number(0, 20)
    row, mark = var("row", small, Lit(-1, small), cell), var("mark", some, Lit(1, some))
    variables = (
        var("stage", stage, Lit(0, stage)),
        var("a", small, Lit(-1, small)),
        row,
        var("grid", number(0, 5), Lit(0, number(0, 5)), cell, player),
        var("long", number(0, 9), Lit(0, number(0, 9)), wide),
        mark,
        var("flag", BOOL, Lit(0, BOOL), player),
        var("one", one, Lit(7, one)),
        var("still", small, Lit(-1, small), cell),
    )
    price = number(-3, 3)
    return Vocabulary(
        player,
        stage,
        variables,
        constants=(
            table("near", BOOL, (cell, cell), lambda a, b: (a * 5 + b * 3) % 7 < 4),
            table("price", price, (cell, player), lambda a, b: (a * 3 + b * 5) % 7 - 3),
        ),
        indexable=(BOOL, player, cell, some),
        ranged=(BOOL, player, cell),
        values=(BOOL, player, cell, some, stage, small),
        numbers=(small, price, number(0, 5), number(0, 9), one),
        relations=(("near", cell, cell),),
        written=frozenset({"stage", "a", "row", "grid", "long", "mark", "flag", "one"}),
        guarded=(row, mark),
        most_params=2,
        hides=False,
    )


LARGE = _large()
SMALL = _small()
