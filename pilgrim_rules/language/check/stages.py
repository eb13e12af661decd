"""Stages: when an action happens, who decides then, and what is always possible.

Reads:  the table of stages and the stages that actions name, through the checker.   Writes: who decides; what is always possible.
After:  an action stands only in stages of its kind whose decider is its own; a stage in which nothing happens is known.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pilgrim_rules.core import derived, ir
from pilgrim_rules.core.automata import seat_line
from pilgrim_rules.core.smart_constructors import optional
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.language.check.data_and_state import DataAndState
from pilgrim_rules.language.check.declare import stage_codes
from pilgrim_rules.language.check.program_info import POISON, ProgramInfo, StageInfo
from pilgrim_rules.language.check.scope import PLAY, Scope
from pilgrim_rules.language.syntax import ast

_KIND_OF_STAGE = {"action": "player", "auto": "auto", "chance": "chance"}


@dataclass(slots=True)
class StageTable:
    """What the rules say about each stage."""

    tables: DataAndState
    elsewhere: set[int] = field(default_factory=set)  #: stages of actions left out in this instance

    @property
    def _program(self) -> ProgramInfo:
        return self.tables.program

    def deciders(self) -> None:
        """Lower who decides in each stage."""
        for info in self._program.stages.values():
            if info.node.by is not None and info.by is None:
                by = self.tables.check.expr(info.node.by, Scope(PLAY), optional(self._program.player))
                info.by = self.tables.check.coerce(by, optional(self._program.player), info.node.by.span)

    def during(self, node: ast.Action) -> tuple[tuple[int, ...], dict[str, StageInfo]]:
        """Return the stages of an action, and the names that it gives to what they carry."""
        found: list[int] = []
        bound: dict[str, StageInfo] = {}
        for ref in node.during:
            if ref.name.text in self._program.stagesets and ref.value is None:
                found += self._program.stagesets[ref.name.text]
                continue
            stages, name = stage_codes(self._program, ref)
            found += stages
            if name is not None:
                bound[name] = self._program.stages[ref.name.text]
                if len(node.during) > 1:
                    help_ = "name it only where the action happens in no other stage"
                    self._program.bag.add(
                        codes.PR206, f"`{name}` has no value in the other stages", ref.span, help=help_
                    )
        if not node.during:
            wanted = _KIND_OF_STAGE[node.kind]
            fitting = [info for info in self._program.stages.values() if info.node.kind == wanted]
            if len(fitting) == 1:
                found = list(fitting[0].codes)
            else:
                help_ = "add `during` and the stages it may happen in"
                self._program.bag.add(
                    codes.PR405, f"`{node.name.text}` does not say when it happens", node.name.span, help=help_
                )
        return tuple(dict.fromkeys(found)), bound

    def _info(self, code: int) -> StageInfo:
        return next(info for info in self._program.stages.values() if code in info.codes)

    def agree(self, node: ast.Action, stages: tuple[int, ...]) -> ir.Expr | None:
        """Check that stage and action are of one kind and name the same decider; return the decider."""
        infos = list(dict.fromkeys(self._info(code).name for code in stages))
        wanted = _KIND_OF_STAGE[node.kind]
        player = optional(self._program.player)
        by = (
            None
            if node.by is None
            else self.tables.check.coerce(self.tables.check.expr(node.by, Scope(PLAY), player), player, node.by.span)
        )
        for name in infos:
            info = self._program.stages[name]
            if info.node.kind == "player" and node.kind == "auto" and self._has_automata:
                continue  # it acts for an automaton
            if info.node.kind != wanted:
                said = {
                    "player": "a player decides",
                    "auto": "nothing is decided",
                    "chance": "chance decides",
                    "nobody": "the game is over",
                }
                what = f"`{node.name.text}` is of kind `{node.kind}`, but in `{name}` {said[info.node.kind]}"
                related = ((info.node.span, "the stage is declared here"),)
                self._program.bag.add(codes.PR404, what, node.name.span, related=related)
            elif by is not None and info.by is None and wanted == "player":
                info.by = by
            elif (
                by is not None
                and by != info.by
                and by.type != POISON
                and info.by is not None
                and info.by.type != POISON
            ):
                related = ((info.node.span, "the stage is declared here"),)
                at = node.by.span if node.by else node.span
                self._program.bag.add(codes.PR406, f"another player decides in `{name}`", at, related=related)
        deciders = [self._program.stages[name].by for name in infos]
        decider = by if by is not None else next((each for each in deciders if each is not None), None)
        if decider is None and wanted == "player" and infos:
            help_ = "say it in the table of stages: `playing by turn`"
            self._program.bag.add(
                codes.PR406, f"nobody is said to decide on `{node.name.text}`", node.name.span, help=help_
            )
        return decider

    @property
    def _has_automata(self) -> bool:
        """Whether automata play in some instance of the game."""
        game = self._program.symbols.game
        return game is not None and bool(game.automata)

    def present(self, node: ast.Action, stages: tuple[int, ...]) -> tuple[int, ...]:
        """Return those stages of an action that it has in this instance: without automata nobody acts for one."""
        if node.kind != "auto" or self._program.automata or not self._has_automata:
            return stages
        return tuple(code for code in stages if self._info(code).node.kind != "player")

    def seat(self, node: ast.Action, stages: tuple[int, ...]) -> ir.Require | None:
        """Return the requirement that the decider is an automaton, or is none; None if nobody is."""
        deciders = [(code, by) for code in stages if (by := self._info(code).by) is not None and by.type != POISON]
        return seat_line(
            node.name.text, node.kind, deciders, self._program.automata, self._program.stage, node.name.span
        )

    def idle_stages(self) -> None:
        """Warn of stages in which nothing can happen, in this or any other instance of the game; without decider, refuse."""
        here = {code for action in self._program.actions.values() for code in action.stages}
        used = self.elsewhere | here
        for info in self._program.stages.values():
            if info.node.kind == "player" and info.by is None and not here & set(info.codes):
                what = f"nobody is said to decide in `{info.name}`"
                self._program.bag.add(codes.PR406, what, info.node.span, help=f"say who: `{info.name} by turn`")
            elif info.node.kind != "nobody" and not used & set(info.codes):
                help_ = f"let something happen `during {info.name}`, or drop the stage"
                what = f"nothing can happen in the stage `{info.name}`"
                self._program.bag.add(codes.PR414, what, info.node.span, help=help_)

    def always(self) -> None:
        """Lower what is said to be always possible in a stage: that some move, or this move, satisfies its guard."""
        for info in self._program.stages.values():
            if info.node.always and info.node.kind not in ("player", "auto"):
                help_ = "in other stages it is chance that decides, or the game is over"
                what = "only what a player decides or what happens by itself is always possible"
                self._program.bag.add(codes.PR417, what, info.node.always[0].span, help=help_)
                continue
            found = (self._possible(info, ref) for ref in info.node.always)
            info.always = tuple(test for test in found if test is not None)

    def _possible(self, info: StageInfo, ref: ast.MoveRef) -> ir.Expr | None:
        name = ref.action.text
        action = self._program.actions.get(name)
        if action is None:
            if name not in self._program.other_actions:
                self._program.unknown(ref.action, self._program.actions, "action", codes.PR207)
            return None
        if not set(info.codes) <= set(action.stages):
            what = f"`{name}` does not happen during `{info.name}`"
            self._program.bag.add(codes.PR417, what, ref.span, help="name an action of this stage")
            return None
        if not ref.args:
            return ir.Call(f"{derived.POSSIBLE}{name}", (), ir.BOOL)
        args = self.tables.check.arguments(name, action.params, ref.args, ref.span, Scope(PLAY))
        return None if args is None else ir.Call(f"{derived.POSSIBLE_MOVE}{name}", args, ir.BOOL)
