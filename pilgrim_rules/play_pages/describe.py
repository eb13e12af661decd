"""Description: everything that a page must know of a game besides the rules, which are in it as a WebAssembly module.

Reads:  a game; positions to open; where pages speak of its rules and clauses.   Writes: data, as JSON can hold it.
After:  whatever the page shows or says is in the data or is asked of the module.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from math import prod
from typing import Any

from pilgrim_rules.api.policies import WORLDS, veiled_variables
from pilgrim_rules.core.footprint import reads
from pilgrim_rules.core.ir import Action, Require, Type, Variable
from pilgrim_rules.core.rule_walk import layer_expressions
from pilgrim_rules.engine.cells.cell_code import Program
from pilgrim_rules.engine.kernels import tree as kernel
from pilgrim_rules.engine.lower.program import lowered
from pilgrim_rules.engine.rules import Rules
from pilgrim_rules.engine.tree_search import Search, exploration, room_for_habits, room_for_moves
from pilgrim_rules.engine.wasm.module import WasmModule, module
from pilgrim_rules.figures.layer_items import undrawn_variables
from pilgrim_rules.play_pages.animation import tells_progress
from pilgrim_rules.play_pages.drawn_figures import drawn_figure, drawn_layer, places_of
from pilgrim_rules.play_pages.page_game import (
    changing_layers,
    invariants,
    layer_name,
    page_game,
    place_name,
    refusal_name,
    requirements,
    shown_parts,
    sight_name,
    sound_name,
)
from pilgrim_rules.play_pages.positions import Position
from pilgrim_rules.prose import say_requirements
from pilgrim_rules.prose.moves import action_title, spoken_parameter, value_words
from pilgrim_rules.prose.words import label, words
from pilgrim_rules.semantics.state_layout import layout

_MANY = 1000  #: values of a type that are spelled one by one; more are numbers


def description(rules: Rules, positions: Iterable[Position] = ()) -> dict[str, Any]:
    """Return the game as a page needs it; `Unprintable` if it cannot be written as WebAssembly."""
    return _Description(rules).whole(positions)


class _Types:
    """How the values of types are spelled, each type once."""

    def __init__(self) -> None:
        self.values: list[list[str]] = []
        self._numbers: dict[Type, int] = {}

    def number(self, type_: Type) -> int:
        """Return the number of a type."""
        if type_ not in self._numbers:
            self._numbers[type_] = len(self.values)
            self.values.append([value_words(type_, code) for code in range(type_.lo, type_.hi + 1)])
        return self._numbers[type_]


class _Description:
    def __init__(self, rules: Rules) -> None:
        self.rules, self.core = rules, rules.core
        self.types = _Types()
        self.clauses: dict[str, str] = {}  #: the page of each that refuses something

    def whole(self, positions: Iterable[Position]) -> dict[str, Any]:
        from pilgrim_rules.engine.machines.wasm_machine import assemble  # noqa: PLC0415  (needs an extra)

        rules, core = self.rules, self.core
        asked = page_game(core)
        program = lowered(asked)
        names = dict(zip((each.name for each in asked.defs), program.groups["DEFS"], strict=True))
        finds = dict(zip((each.name for each in asked.actions), program.groups["LEGAL"], strict=True))
        made = _module_of(asked, program, len(core.defs), len(core.actions))
        number = {action.name: at for at, action in enumerate(asked.actions)}
        undrawn = undrawn_variables(rules)
        veiled = [variable for variable in core.variables if variable.seen is not None]
        return {
            "name": core.name,
            "title": core.title,
            "rules": rules.fingerprint[:12],
            "players": [player.replace("_", " ") for player in rules.players],
            "people": len(rules.people),
            "module": b64encode(assemble(made.text)).decode(),
            "free": made.free,
            "bits": made.packing.bits,
            "size": rules.layout.size,
            "start": b64encode(rules.code.start).decode(),
            "room": room_for_moves(rules.code),
            "stages": {stage.code: label(stage.name) for stage in core.stages},
            "stage": rules.layout.by_name["stage"].offset,
            "actions": [
                self._action(action, made.packing.fields[at], names.get) for at, action in enumerate(core.actions)
            ],
            "score": [] if core.score is None else [line.label for line in core.score.lines],
            "per": 1 if core.score is None else core.score.per,
            "variables": [
                self._variable(each, names.get)
                for each in core.variables
                if each.name != "stage" and not each.ghost and (each in undrawn or each in veiled)
            ],
            "cells": [
                [
                    each.offset,
                    each.width,
                    prod(index.size for index in each.variable.index),
                    str(each.variable.type.size),
                ]
                for each in rules.layout.fields
            ],
            "veiled": [self._variable(each, names.get) for each in veiled],
            "holds": [names[sound_name(each)] for each in invariants(core)] if veiled else [],
            "worlds": WORLDS,
            "figures": [drawn_figure(rules, figure) for figure in core.figures],
            "layers": self._layers(made, number, finds),
            "items": 8 * max([1, *(_most_items(figure.layers[at].binders) for figure, at in changing_layers(core))]),
            "tree": {
                "node": kernel.NODE,
                "deepest": kernel.DEEPEST,
                "habits": room_for_habits(),
                "enough": Search().enough,
                "explore": exploration(Search()),
            },
            "types": self.types.values,
            "clauses": self.clauses,
            "positions": [list(each) for each in positions],
        }

    def _layers(
        self, made: WasmModule, number: Mapping[str, int], finds: Mapping[str, str | None]
    ) -> list[dict[str, Any]]:
        core, secret = self.core, veiled_variables(self.core)
        defs = {each.name: each for each in core.defs}
        found = []
        for figure, at in changing_layers(core):
            layer, name = figure.layers[at], layer_name(figure, at)
            data = drawn_layer(self.rules, figure, layer) | {
                "figure": core.figures.index(figure),
                "find": finds[name],
                "fields": made.packing.fields[number[name]][len(layer.binders) :],
                "secret": not secret.isdisjoint(reads(layer_expressions(layer), defs)),
                "headline": tells_progress(layer),
            }
            if layer.value is not None and layer.kind != "pieces":
                data["type"] = self.types.number(shown_parts(layer)[-1].type)
            data["places"] = self.types.number(figure.canvas.type)
            found.append(data)
        return found

    def _action(
        self, action: Action, fields: tuple[tuple[int, int, int], ...], name_of: Callable[[str], str | None]
    ) -> dict[str, Any]:
        found: dict[str, Any] = {
            "name": action.name,
            "title": action_title(action),
            "kind": action.kind,
            "doc": action.note.doc,
            "stages": list(action.stages),
            "params": [
                {
                    "name": words(param.name),
                    **spoken_parameter(param)._asdict(),
                    "type": self.types.number(param.type),
                    "shift": shift,
                    "bits": bits,
                    "lo": lo,
                    "usual": None if param.default is None else param.default - lo,
                    "secret": param.seen is not None,
                    "at": places_of(self.rules, param) if action.place is None else {},
                }
                for param, (lo, shift, bits) in zip(action.params, fields, strict=True)
            ],
        }
        if action.kind == "action":
            said = say_requirements(self.core, action)
            found["why"] = name_of(refusal_name(action))
            found["requires"] = [self._refusal(line, said[line.key]) for line in requirements(action)]
        if action.kind == "action" and action.place is not None:
            type_ = action.place.type.parts[0] if action.place.type.kind == "optional" else action.place.type
            found["place"] = name_of(place_name(action))
            found["placed"] = {
                at: [figure.canvas.type.lo, figure.canvas.type.hi]
                for at, figure in enumerate(self.core.figures)
                if type_.kind == figure.canvas.type.kind and type_.name == figure.canvas.type.name
            }
        return found

    def _refusal(self, line: Require, said: str) -> dict[str, Any]:
        for clause in line.clauses:
            self.clauses[clause] = self.rules.pages.get(clause, "")
        return {"says": line.says or f"required: {said}", "clauses": list(line.clauses)}

    def _variable(self, variable: Variable, name_of: Callable[[str], str | None]) -> dict[str, Any]:
        field = self.rules.layout.by_name[variable.name]
        return {
            "name": words(variable.name),
            "doc": variable.note.doc,
            "offset": field.offset,
            "width": field.width,
            "type": self.types.number(variable.type) if variable.type.size <= _MANY else None,
            "lo": variable.type.lo,
            "size": min(variable.type.size, 1 << 31),
            "truth": variable.type.kind == "bool",
            "index": [self.types.number(each) for each in variable.index],
            "first": [each.lo for each in variable.index],
            "players": bool(variable.index) and variable.index[0] == self.core.player,
            "seen": None if variable.seen is None else name_of(sight_name(variable)),
        }


def _module_of(asked: Any, program: Program, defs: int, actions: int) -> WasmModule:
    """Return the module, with the functions that only a page asks."""
    wanted = [*program.groups["DEFS"][defs:], *program.groups["LEGAL"][actions:]]
    return module(asked, program, layout(asked), {}, exported=[name for name in wanted if name is not None])


def _most_items(binders: Iterable[Any]) -> int:
    return prod(binder.type.size for binder in binders)
