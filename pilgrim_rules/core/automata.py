"""Automata: seats that own pieces like players, and decide by a policy that the rules write down.

Reads:  who decides in a stage, and which players are automata.   Writes: tests, and the requirement that keeps decisions apart.
After:  in a stage of players an `action` needs somebody who decides, and an `auto` an automaton; so where an automaton is to
        decide, exactly its policy can happen, in every back end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pilgrim_rules.core.ir import BOOL, Action, ActionKind, Apply, Expr, Game, Lit, Read, Require, Stage, Type
from pilgrim_rules.core.smart_constructors import conjunction
from pilgrim_rules.diagnostics.source import Span

SEAT = "seat"  #: the last part of the key of the requirement


def is_automaton(player: Expr, automata: Sequence[int]) -> Expr:
    """Return that a player, or whoever decides if anybody does, is an automaton."""
    tests = [Apply("==", (player, Lit(code, player.type)), BOOL) for code in automata]
    if not tests:
        return Lit(0, BOOL)
    return tests[0] if len(tests) == 1 else Apply("or", tuple(tests), BOOL)


def automaton_decides(game: Game, stage: Stage) -> Expr | None:
    """Return that an automaton is to decide in the stage; None if none can."""
    return None if stage.by is None or not game.automata else is_automaton(stage.by, game.automata)


def seat_line(
    name: str, kind: ActionKind, deciders: Iterable[tuple[int, Expr]], automata: Sequence[int], stage: Type, span: Span
) -> Require | None:
    """Return the requirement about who decides; None if it would say nothing.

    deciders  the stages of players in which the action may happen, and who decides in each.
    """
    by_decider: dict[Expr, list[int]] = {}
    for code, decider in deciders:
        by_decider.setdefault(decider, []).append(code)
    if not automata or not by_decider or kind == "chance":
        return None
    tests = []
    for decider, codes in by_decider.items():
        is_ = is_automaton(decider, automata)
        wanted = is_ if kind == "auto" else Apply("not", (is_,), BOOL)
        here = [Apply("==", (Read("stage", (), stage), Lit(code, stage)), BOOL) for code in codes]
        given = here[0] if len(here) == 1 else Apply("or", tuple(here), BOOL)
        tests.append(wanted if len(by_decider) == 1 and kind != "auto" else Apply("implies", (given, wanted), BOOL))
    says = "only an automaton does this" if kind == "auto" else "an automaton decides by its policy"
    return Require(conjunction(*tests), f"{name}.{SEAT}", says, span=span)


def is_seat_line(action: Action, line: object) -> bool:
    """Tell whether a line of the guard is the requirement about who decides."""
    return isinstance(line, Require) and line.key == f"{action.name}.{SEAT}"
