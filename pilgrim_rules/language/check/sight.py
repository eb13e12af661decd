"""Sight: who sees a cell, an argument of a move, or what is revealed.

Reads:  `private`, `hidden`, `secret`, `seen by` and `reveal` as written, through the checker.   Writes: `ir.Audience`s.
After:  whoever asks who sees something evaluates one test, in which the player who looks has a name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pilgrim_rules.core import ir
from pilgrim_rules.core.smart_constructors import conjunction, connected, equals, optional
from pilgrim_rules.core.walk import substitute
from pilgrim_rules.core.zones import PLACE, POSITION
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.language.check.data_and_state import DataAndState
from pilgrim_rules.language.check.program_info import POISON, StageInfo, ZoneInfo
from pilgrim_rules.language.check.scope import PLAY, Scope
from pilgrim_rules.language.check.statements import LineKeys
from pilgrim_rules.language.syntax import ast

VIEWER = "the viewer"  #: who looks, where the author gives no name; no text can spell it
_NOBODY = ir.Lit(0, ir.BOOL)


@dataclass(frozen=True, slots=True)
class Sights:
    """The lowering of who sees what."""

    tables: DataAndState

    def variables(self) -> tuple[ir.Variable, ...]:
        """Return the variables, each with those who see its cells."""
        made: list[ir.Variable] = []
        for variable in self.tables.program.variables.values():
            node = self.tables.program.symbols.values.get(variable.name)
            sight = node.sight if isinstance(node, ast.Variable) else None
            if sight is None:
                made.append(self._of_zones(variable))
                continue
            scope = Scope(PLAY)
            for name, type_ in zip(variable.over, variable.index, strict=True):
                scope = scope.bind(name, ir.Bound(name, type_)) if name.isidentifier() else scope
            owner = ir.Bound(variable.over[0], variable.index[0]) if variable.index else None
            made.append(replace(variable, seen=self.audience(sight, scope, () if owner is None else (owner,))))
        return tuple(made)

    def _of_zones(self, variable: ir.Variable) -> ir.Variable:
        """Return a table of places or positions with those who see where a piece is: whoever sees into its zone."""
        program = self.tables.program
        for info in program.zones.values():
            if info.kinds or variable.name not in (f"{PLACE}{info.pieces.name}", f"{POSITION}{info.pieces.name}"):
                continue
            zones = [each for each in program.zones.values() if each.place == info.place]
            if all(each.node.sight is None for each in zones):
                return variable
            here = ir.Read(f"{PLACE}{info.pieces.name}", (ir.Bound(variable.over[0], info.pieces),), info.place)
            tests = [self._into(each, here) for each in zones]
            return replace(variable, seen=ir.Audience(VIEWER, connected("or", tests), "seen"))
        return variable

    def _into(self, info: ZoneInfo, here: ir.Expr) -> ir.Expr:
        """Return that a piece lies in a zone of this name which the viewer sees into."""
        sight, word = info.node.sight, info.node.index[0].name if info.node.index else None
        name = "its index" if word is None else word.text
        scope = Scope(PLAY)
        owners: tuple[ir.Expr, ...] = ()
        if info.index is not None:
            owners = (ir.Bound(name, info.index),)
            scope = scope.bind(name, owners[0])
        seen = None if sight is None else self.audience(sight, scope, owners)
        tests: list[ir.Expr] = []
        for at, code in enumerate(info.codes):
            there = equals(here, ir.Lit(code, info.place))
            if seen is None:
                tests.append(there)
                continue
            values: dict[str, ir.Expr] = {seen.viewer: ir.Bound(VIEWER, self.tables.program.player)}
            if info.index is not None:
                values[name] = ir.Lit(info.index.lo + at, info.index)
            tests.append(conjunction(there, substitute(seen.test, values)))
        return connected("or", tests)

    def arguments(
        self, nodes: tuple[ast.Parameter, ...], params: tuple[ir.Parameter, ...], scope: Scope, stages: Iterable[int]
    ) -> tuple[ir.Parameter, ...]:
        """Return the parameters of an action, each with those who see the argument; a secret is the decider's."""
        infos = [info for info in self.tables.program.stages.values() if set(info.codes) & set(stages)]
        poll = next((info.node for info in infos if info.node.secretly), None)
        unsaid = None if poll is None else ast.Sight("secret", span=poll.span)  # in a secret poll everything is
        sights = {node.name.text: node.sight or unsaid for node in nodes}
        if not any(sights.values()):
            return params
        deciders = tuple(self._deciders(tuple(stages)))
        play = replace(scope, may=PLAY)
        return tuple(
            param
            if (sight := sights.get(param.name)) is None
            else replace(param, seen=self.audience(sight, play, deciders))
            for param in params
        )

    def secret_polls(self) -> None:
        """Report secret polls with several answers: by which of them is made everybody would know what was chosen."""
        program = self.tables.program
        for info in program.stages.values():
            answers = [each.name for each in program.actions.values() if set(each.stages) & set(info.codes)]
            if info.node.secretly and len(answers) > 1:
                said = ", ".join(f"`{name}`" for name in answers)
                help_ = "make them one action, in which an argument says what is chosen"
                program.bag.add(
                    codes.PR432,
                    f"a secret poll has one answer, and `{info.name}` has {said}",
                    info.node.span,
                    help=help_,
                )

    def reveals(self, nodes: tuple[ast.RevealLine, ...], scope: Scope, keys: LineKeys) -> tuple[ir.Reveal, ...]:
        """Return what an action gives away."""
        made: list[ir.Reveal] = []
        for node in nodes:
            value = self.tables.check.expr(node.value, scope)
            to = None if node.to is None else self.audience(node.to, scope, ())
            clauses = self.tables.program.clauses(node.cites)
            if value.type != POISON:
                made.append(ir.Reveal(value, to, keys.next("reveal"), clauses, span=node.span))
        return tuple(made)

    def audience(self, node: ast.Sight, scope: Scope, owners: tuple[ir.Expr, ...]) -> ir.Audience:
        """Return who sees something; the owners are those for whom it is private, or whose secret it is."""
        player = self.tables.program.player
        viewer = VIEWER if node.viewer is None else node.viewer.text
        look = ir.Bound(viewer, player)
        match node.word:
            case "hidden":
                test: ir.Expr = _NOBODY
            case "private" | "secret":
                test = connected("or", [self._is(look, owner, node) for owner in owners]) if owners else _NOBODY
            case "seen" if node.viewer is not None and node.who is not None:
                self.tables.check.shadowing(node.viewer, scope)
                test = self.tables.check.boolean(node.who, scope.bind(viewer, look))
            case "seen":
                assert node.who is not None, "by the grammar"
                test = self._is(look, self.tables.check.fitted(node.who, scope, optional(player)), node)
        if node.until is not None:
            test = connected("or", [test, self._until(node.until, scope)])
        return ir.Audience(viewer, test, node.word)

    def _is(self, look: ir.Bound, who: ir.Expr, node: ast.Sight) -> ir.Expr:
        """Return that the viewer is this player; a test in which somebody is named is one already."""
        if who.type in (ir.BOOL, POISON):
            return who
        return equals(self.tables.check.coerce(look, who.type, node.span), who)

    def _until(self, node: ast.Expr, scope: Scope) -> ir.Expr:
        program = self.tables.program
        if isinstance(node, ast.Name) and node.text in program.stages:
            return conjunction(
                equals(ir.Read("stage", (), program.stage), ir.Lit(program.stages[node.text].first, program.stage))
            )
        return self.tables.check.boolean(node, scope)

    def _deciders(self, stages: tuple[int, ...]) -> Iterable[ir.Expr]:
        """Yield who decides in some stages: a player, or where that depends on the stage, tests of the viewer."""
        program = self.tables.program
        infos: list[StageInfo] = [info for info in program.stages.values() if set(info.codes) & set(stages)]
        players = {info.by for info in infos if info.by is not None}
        if len(players) == 1:
            yield from players
            return
        look = ir.Bound(VIEWER, program.player)
        stage = ir.Read("stage", (), program.stage)
        for info in infos:
            if info.by is not None:
                here = connected("or", [equals(stage, ir.Lit(code, program.stage)) for code in info.codes])
                viewer = self.tables.check.coerce(look, info.by.type, info.node.span)
                yield conjunction(here, equals(viewer, info.by))
