"""Dispatch: the functions of the game that kernels call, as WebAssembly.

Reads:  a program, the game's stages and actions, how moves are packed.   Writes: text of functions.
After:  `$kind`, `$by`, `$moves`, `$apply`, `$weight`, `$score_to`, `$rank_to` and `$check` do what `kernels/primitives.py` says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pilgrim_rules.core.ir import Game, StageKind
from pilgrim_rules.engine.cells.cell_code import Function, Program
from pilgrim_rules.engine.wasm.packing import MovePacking
from pilgrim_rules.engine.wasm.state_words import state_words
from pilgrim_rules.engine.wasm.translate import Signature
from pilgrim_rules.engine.wasm.types import Stored, type_of
from pilgrim_rules.engine.wasm.values import result_types
from pilgrim_rules.semantics.state_layout import StateLayout

KINDS: tuple[StageKind, ...] = ("player", "auto", "chance", "nobody")  #: by the number that `$kind` gives
SIGNATURES = {
    "kind": Signature(("i32",), "i32"),
    "by": Signature(("i32",), "i32"),
    "moves": Signature(("i32", "i32"), "i32"),
    "apply": Signature(("i32", "i32", "i64"), ""),
    "weight": Signature(("i32", "i64"), "i64"),
    "score_to": Signature(("i32", "i32", "i32"), ""),
    "rank_to": Signature(("i32", "i32", "i32"), ""),
    "check": Signature(("i32", "i32", "i32"), "i32"),
    "note": Signature(("i32",) * 6, ""),
    "pack": Signature(("i32", "i32"), ""),
    "unpack": Signature(("i32", "i32"), ""),
    "stop": Signature(("i32", "i64", "i64", "i64"), ""),
}


def dispatch(
    game: Game, program: Program, layout: StateLayout, packing: MovePacking, checks: Mapping[int, Sequence[int]]
) -> Iterator[str]:
    """Yield the functions; `checks` are the claims, by number, that a step by each action can make false."""
    found = _Dispatch(game, program, layout, packing)
    yield found.kind()
    yield found.by()
    yield found.moves()
    yield found.apply()
    yield found.weight()
    yield found.numbers_to("score_to", "score")
    yield found.numbers_to("rank_to", "rank")
    for number in sorted({number for numbers in checks.values() for number in numbers if number >= len(game.claims)}):
        yield found.descends(number)
    yield found.check(checks)
    yield found.note(checks)
    yield from state_words(game, layout).functions()


class _Dispatch:
    def __init__(self, game: Game, program: Program, layout: StateLayout, packing: MovePacking) -> None:
        self._game = game
        self._program = program
        self._packing = packing
        field = layout.by_name["stage"]
        self._stage = f"local.get $state {Stored(field.width).load(field.offset)}"
        self._stages = {stage.code: (number, stage) for number, stage in enumerate(game.stages)}
        self._codes = range(field.variable.type.size)

    def kind(self) -> str:
        """Return the function that gives the kind of a stage."""
        cases = [self._kind(code) for code in self._codes]
        return _function("kind", "(param $state i32) (result i32)", [_switch(self._stage, cases)])

    def _kind(self, code: int) -> str:
        if code not in self._stages:
            return f"i32.const {len(KINDS) - 1} return"
        stage, lines = self._stages[code][1], []
        if stage.by is not None:
            lines = [
                f"local.get $state call $by i32.const {each} i32.eq if i32.const {KINDS.index('auto')} return end"
                for each in self._game.automata
            ]
        return "\n".join([*lines, f"i32.const {KINDS.index(stage.kind)} return"])

    def by(self) -> str:
        """Return the function that gives the player who decides."""
        nobody = f"i32.const {self._game.player.size}"
        cases = []
        for code in self._codes:
            number, _ = self._stages.get(code, (None, None))
            name = None if number is None else self._program.groups["BY"][number]
            cases.append(f"{nobody} return" if name is None else f"local.get $state call ${name} return")
        return _function("by", "(param $state i32) (result i32)", [_switch(self._stage, cases)])

    def moves(self) -> str:
        """Return the function that lists moves."""
        cases = []
        for code in self._codes:
            calls = [
                f"local.get $state local.get $out call ${name} local.set $out"
                for action, name in zip(self._game.actions, self._program.groups["LEGAL"], strict=True)
                if code in action.stages
            ]
            cases.append("\n".join([*calls, "local.get $out return"]))
        return _function("moves", "(param $state i32) (param $out i32) (result i32)", [_switch(self._stage, cases)])

    def apply(self) -> str:
        """Return the function that makes a move."""
        cases = []
        for number, name in enumerate(self._program.groups["APPLY"]):
            assert name is not None
            args = self._arguments(number, self._program.functions[name])
            cases.append(f"local.get $state local.get $to {args} call ${name} return")
        params = "(param $state i32) (param $to i32) (param $move i64)"
        return _function("apply", params, [_switch(self._action(), cases)])

    def weight(self) -> str:
        """Return the function that weighs an outcome of chance."""
        cases = []
        for number, name in enumerate(self._program.groups["WEIGHT"]):
            if name is None:
                cases.append("i64.const 1 return")
                continue
            function = self._program.functions[name]
            wide = "" if result_types(function) == ("i64",) else "i64.extend_i32_s "
            cases.append(f"local.get $state {self._arguments(number, function)} call ${name} {wide}return")
        params = "(param $state i32) (param $move i64) (result i64)"
        return _function("weight", params, [_switch(self._action(), cases)])

    def numbers_to(self, name: str, called: str) -> str:
        """Return the function that writes what a function with several results gives."""
        params = "(param $state i32) (param $player i32) (param $to i32)"
        if called not in self._program.functions:
            return _function(name, params, [])
        types = result_types(self._program.functions[called])
        lines = [f"(local $r{at} {type_})" for at, type_ in enumerate(types)]
        lines.append(f"local.get $state local.get $player call ${called}")
        lines += [f"local.set $r{at}" for at in reversed(range(len(types)))]
        for at, type_ in enumerate(types):
            wide = "" if type_ == "i64" else " i64.extend_i32_s"
            lines.append(f"local.get $to local.get $r{at}{wide} i64.store offset={8 * at}")
        return _function(name, params, lines)

    def _asked(self, checks: Mapping[int, Sequence[int]]) -> range:
        """Return the numbers for which claims are asked: those of the actions, and what kernels add to them."""
        return range(max([len(self._game.actions), *(number + 1 for number in checks)]))

    def check(self, checks: Mapping[int, Sequence[int]]) -> str:
        """Return the function that asks the claims which a step can make false."""
        cases = []
        for action in self._asked(checks):
            lines = [
                f"{self._claim(number)} i32.eqz if i32.const {number + 1} return end"
                for number in checks.get(action, ())
            ]
            cases.append("\n".join([*lines, "i32.const 0 return"]))
        params = "(param $before i32) (param $after i32) (param $action i32) (result i32)"
        return _function("check", params, [_switch("local.get $action", cases)])

    def note(self, checks: Mapping[int, Sequence[int]]) -> str:
        """Return the function that writes down which claims a step makes false."""
        cases = []
        for action in self._asked(checks):
            lines = []
            for number in checks.get(action, ()):
                write = "local.get $met local.get {} i32.store offset={}"
                lines.append(f"local.get $met i32.load offset={8 * number} i32.eqz if {self._claim(number)} i32.eqz if")
                lines.append(f"{write.format('$game', 8 * number)} {write.format('$step', 8 * number + 4)} end end")
            cases.append("\n".join([*lines, "return"]))
        names = ("before", "after", "action", "met", "game", "step")
        params = " ".join(f"(param ${name} i32)" for name in names)
        return _function("note", params, [_switch("local.get $action", cases)])

    def _descent(self, number: int) -> str:
        return f"$descends{number - len(self._game.claims)}"

    def descends(self, number: int) -> str:
        """Return the function that says whether a step makes the numbers of a ranking smaller, the first that changes deciding."""
        name = self._program.groups["RANKINGS"][number - len(self._game.claims)]
        assert name is not None
        types = result_types(self._program.functions[name])
        lines = [f"(local ${state}{at} {type_})" for state in "ba" for at, type_ in enumerate(types)]
        for state, local in (("before", "b"), ("after", "a")):
            lines.append(f"local.get ${state} call ${name}")
            lines += [f"local.set ${local}{at}" for at in reversed(range(len(types)))]
        for at, type_ in enumerate(types):
            pair = f"local.get $a{at} local.get $b{at} {type_}"
            lines.append(f"{pair}.lt_s if i32.const 1 return end {pair}.gt_s if i32.const 0 return end")
        lines.append("i32.const 0 return")
        return _function(self._descent(number)[1:], "(param $before i32) (param $after i32) (result i32)", lines)

    def _claim(self, number: int) -> str:
        """Return the question whether a claim holds after a step."""
        if number >= len(self._game.claims):
            return f"local.get $before local.get $after call {self._descent(number)}"
        first = "$before" if self._game.claims[number].kind == "step" else "$after"
        return f"local.get {first} local.get $after call ${self._program.groups['CLAIMS'][number]}"

    def _action(self) -> str:
        return f"local.get $move i64.const {self._packing.bits} i64.shr_u i32.wrap_i64"

    def _arguments(self, number: int, function: Function) -> str:
        """Return the arguments of a packed move, taken apart."""
        found = []
        for param, (lo, shift, bits) in zip(function.params, self._packing.fields[number], strict=True):
            text = f"local.get $move i64.const {shift} i64.shr_u i64.const {(1 << bits) - 1} i64.and"
            if type_of(param.range) == "i32":
                text += " i32.wrap_i64"
            found.append(f"{text} {type_of(param.range)}.const {lo} {type_of(param.range)}.add" if lo else text)
        return " ".join(found)


def _function(name: str, head: str, lines: list[str]) -> str:
    end = ["unreachable"] if "(result" in head and lines else []
    return "\n".join([f"(func ${name} {head}", *lines, *end, ")"])


def _switch(number: str, cases: list[str]) -> str:
    """Return code that runs the case with a number; each case returns."""
    if not cases:
        return ""
    labels = [f"$case{at}" for at in range(len(cases))]
    lines = [f"block {label}" for label in reversed(labels)]
    lines.append(f"{number} br_table {' '.join(labels)} {labels[-1]}")
    for case in cases:
        lines += ["end", case]
    return "\n".join(lines)
