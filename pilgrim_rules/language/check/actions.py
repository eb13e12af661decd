"""Actions: rules as written -> core actions.

Reads:  actions, guards, effects and stages, through the checker.   Writes: `ir.Action`s and `ir.Effect`s, stages.
After:  a guard is a list of requirements and names in text order, its shared parts expanded; costs stand at its end and
        their payments at the start of the body; each action knows the stages it may happen in.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import prod

from pilgrim_rules.core import derived, ir
from pilgrim_rules.core.expand import Expansion, expand_action, expand_effect
from pilgrim_rules.core.expand_game import effects_run
from pilgrim_rules.core.footprint import writes
from pilgrim_rules.core.forms import expand_form, narrowed
from pilgrim_rules.core.smart_constructors import lit
from pilgrim_rules.core.walk import conjuncts, free_names
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.language.check.chosen import choices_hold, chosen_type, open_choices
from pilgrim_rules.language.check.constant import value_of
from pilgrim_rules.language.check.costs import Costs
from pilgrim_rules.language.check.data_and_state import DataAndState
from pilgrim_rules.language.check.figures import Figures
from pilgrim_rules.language.check.payments import Purses
from pilgrim_rules.language.check.program_info import POISON, POISONED, ProgramInfo
from pilgrim_rules.language.check.scope import CONSTANT, EFFECT, GUARD, Scope
from pilgrim_rules.language.check.sight import Sights
from pilgrim_rules.language.check.stages import StageTable
from pilgrim_rules.language.check.statements import LineKeys, Statements
from pilgrim_rules.language.names.order import rule_order
from pilgrim_rules.language.syntax import ast

_MOST_CANDIDATES = 10_000_000  # more takes longer than anybody waits for a list of moves
_KIND_OF_STAGE = {"action": "player", "auto": "auto", "chance": "chance"}


@dataclass(slots=True)
class Actions:
    """The lowering of rules."""

    tables: DataAndState
    purses: Purses
    figures: Figures
    stages: StageTable

    @property
    def _program(self) -> ProgramInfo:
        return self.tables.program

    def run(self) -> None:
        """Lower all rules, those that others use first."""
        self.stages.deciders()
        self.purses.declare_all()
        for name in rule_order(self._program.symbols, self._program.bag):
            match self._program.symbols.rules[name]:
                case ast.Action() as action:
                    self._action(action)
                case ast.Guard() as guard:
                    self._guard_alone(guard)
                case ast.Effect() as effect:
                    self._effect_alone(effect)

    # actions -------------------------------------------------------------------------------------------------------

    def _action(self, node: ast.Action) -> None:
        program = self._program
        if node.only is not None:
            test = self.tables.check.boolean(node.only, Scope(CONSTANT))
            if test.type != POISON and not value_of(test, program, node.only.span):
                program.other_actions[node.name.text] = node
                self.stages.elsewhere.update(self.stages.during(node)[0])
                return
        named, carried = self.stages.during(node)
        decider = self.stages.agree(node, named)
        stages = self.stages.present(node, named)
        if named and not stages:
            program.other_actions[node.name.text] = node
            self.stages.elsewhere.update(named)
            return
        chosen, opened = node.params, open_choices(node.params)
        types = {each.name.text: chosen_type(self.tables, each) for each in opened if each.chosen is not None}
        node = replace(node, params=opened)
        params, scope = self.tables.parameters(node.params, Scope(GUARD), may_be_open=False, types=types)
        if node.kind == "auto" and params:
            program.bag.add(
                codes.PR413,
                f"`{node.name.text}` decides nothing, so it takes no arguments",
                node.params[0].span,
                help="a `chance` has arguments that chance decides",
            )
        costs = Costs(self.tables, self.purses, node, keys := LineKeys(node.name.text))
        params, scope = costs.choices(params, scope)
        sights = Sights(self.tables)
        params = sights.arguments(node.params, params, scope, stages if node.kind == "action" else ())
        guard: list[ir.WrittenGuardLine] = []
        for name, info in carried.items():
            assert info.carries is not None, "only stages that carry a value bind a name"
            stage = ir.Read("stage", (), program.stage)
            guard.append(ir.Given(name, expand_form("carried", (stage,), info.carries, info.carries, info.name)))
            scope = scope.bind(name, ir.Bound(name, info.carries))
        guard += choices_hold(self.tables, chosen, scope, keys)
        lines, scope = self._lines(node.lines, scope, keys)
        guard += lines
        weight = self._weight(node, scope)
        reveals = sights.reveals(node.reveals, scope, keys)
        place = self.figures.place(node.place, scope)
        payer = _player(decider, program)
        charged = costs.lower(scope, payer)
        _, payments = Expansion(program.shared).costs(node.name.text, charged)
        inner = scope.allow(EFFECT).forget(writes(tuple(payments)))
        body, _ = Statements(self.tables, self.purses, payer).block(node.body, inner, keys)
        made = ir.Action(
            node.name.text, node.kind, params, stages, (), (), weight, program.note(node), place, reveals,
            summary=self._summary(node, body), title=_title(node.name.text, program),
            written=ir.Written(tuple(guard), charged, body, self.stages.seat(node, stages)),
        )  # fmt: skip
        made = expand_action(made, program.shared)
        if (tried := _candidates(made)) > _MOST_CANDIDATES:
            what = f"to find the moves of `{made.name}`, {tried:,} choices of arguments would be tried"
            help_ = f"{_MOST_CANDIDATES:,} is the limit; take fewer or smaller arguments, or say with `require` what one is equal to"
            program.bag.add(codes.PR420, what, node.name.span, help=help_)
        program.actions[made.name] = made
        program.define(derived.possible(made))
        program.define(derived.possible_move(made))

    def _summary(self, node: ast.Action, body: Iterable[ir.WrittenStmt]) -> tuple[ir.SummaryLine, ...]:
        """Return the lines of an action, then those of the effects that it runs; none if it has none of its own."""
        program, lines = self._program, list(node.summary)
        waiting, seen = list(effects_run(body)) if lines else [], set[str]()
        while waiting:
            name = waiting.pop(0)
            rule = program.symbols.rules.get(name)
            if name not in seen and isinstance(rule, ast.Effect):
                lines += rule.summary
                waiting += effects_run(program.effects[name].lines) if name in program.effects else ()
            seen.add(name)
        told: dict[str, ir.SummaryLine] = {}
        for each in lines:
            told.setdefault(each.text.text, ir.SummaryLine(each.text.text, program.clauses(each.cites)))
        return tuple(told.values())

    def _weight(self, node: ast.Action, scope: Scope) -> ir.Expr | None:
        if node.kind == "chance":
            return lit(1) if node.weight is None else self.tables.check.integer(node.weight, scope)
        if node.weight is not None:
            self._program.bag.add(
                codes.PR411,
                f"only a `chance` has a weight, and `{node.name.text}` is an `{node.kind}`",
                node.weight.span,
            )
        return None

    def _lines(
        self, nodes: tuple[ast.GuardLine, ...], scope: Scope, keys: LineKeys
    ) -> tuple[list[ir.WrittenGuardLine], Scope]:
        check = self.tables.check
        made: list[ir.WrittenGuardLine] = []
        for node in nodes:
            clauses = self._program.clauses(node.cites)
            match node:
                case ast.RequireLine(test=test, says=says):
                    core = check.boolean(test, scope)
                    made.append(ir.Require(core, keys.next("require"), says, clauses, span=node.span))
                    scope = check.learn(core, scope)
                case ast.LetLine():
                    lines, scope = self._let(node, scope, keys, clauses)
                    made += lines
                case ast.CheckLine():
                    check_line = self._check(node, scope, keys, clauses)
                    made += [] if check_line is None else [check_line]
        return made, scope

    def _let(
        self, node: ast.LetLine, scope: Scope, keys: LineKeys, clauses: tuple[str, ...]
    ) -> tuple[list[ir.WrittenGuardLine], Scope]:
        check = self.tables.check
        value = check.expr(node.value, scope)
        check.shadowing(node.name, scope)
        name = node.name.text
        if not node.has_else or value.type == POISON:
            bound = POISONED if value.type == POISON else ir.Bound(name, value.type)
            return [ir.Given(name, value)], scope.bind(node.name.text, bound)
        if value.type.kind != "optional":
            self._program.bag.add(
                codes.PR301, "this is never `none`, so there is nothing else", node.value.span, help="drop `else`"
            )
            return [], scope.bind(node.name.text, POISONED)
        test = expand_form("is_some", (ir.Bound(name, value.type),), value.type, ir.BOOL)
        there = ir.Require(test, keys.next("require"), node.says, clauses, defines=name, span=node.span)
        inner = scope.know({value: ir.Bound(name, value.type.parts[0])})
        return [ir.Given(name, value), there], inner.bind(node.name.text, ir.Bound(name, value.type.parts[0]))

    def _check(
        self, node: ast.CheckLine, scope: Scope, keys: LineKeys, clauses: tuple[str, ...]
    ) -> ir.CheckGuard | None:
        """Return the line that checks a shared guard; None after an error."""
        program = self._program
        if not isinstance(program.symbols.rules.get(node.name.text), ast.Guard):
            guards = [name for name, each in program.symbols.rules.items() if isinstance(each, ast.Guard)]
            program.unknown(node.name, guards, "guard")
            return None
        guard = program.guards.get(node.name.text)
        if guard is None:  # it checks itself, which has been said
            return None
        args = self.tables.check.arguments(guard.name, guard.params, node.args, node.span, scope)
        if args is None or not program.grow(keys.owner, node.name, node.span):
            return None
        return ir.CheckGuard(guard.name, args, keys.next("check"), clauses, span=node.span)

    # shared parts on their own -------------------------------------------------------------------------------------

    def _guard_alone(self, node: ast.Guard) -> None:
        params, scope = self.tables.parameters(node.params, Scope(GUARD))
        lines, _ = self._lines(node.lines, scope, LineKeys(node.name.text))
        made = ir.Guard(node.name.text, params, tuple(lines), self._program.note(node))
        self._program.guards[made.name] = made
        self._program.define(derived.holds(made, self._program.shared))
        self._program.measure_rule(node.name.text, len(node.lines))

    def _effect_alone(self, node: ast.Effect) -> None:
        program = self._program
        params, scope = self.tables.parameters(node.params, Scope(EFFECT))
        statements = Statements(self.tables, self.purses, self._only_decider())
        lines, _ = statements.block(node.body, scope, LineKeys(node.name.text))
        made = ir.Effect(node.name.text, params, (), program.note(node), lines=lines)
        program.effects[made.name] = expand_effect(made, program.shared)
        program.measure_rule(made.name, len(node.body))

    def _only_decider(self) -> ir.Expr | None:
        """Return who pays in an effect on its own: whoever decides, if that is the same player in every stage."""
        deciders = {info.by for info in self._program.stages.values() if info.by is not None}
        return _player(next(iter(deciders)), self._program) if len(deciders) == 1 else None


def _player(decider: ir.Expr | None, program: ProgramInfo) -> ir.Expr | None:
    """Return the decider as a player; in a stage of players there is always one, which is a claim of its own."""
    if decider is None or decider.type.kind != "optional":
        return decider
    return narrowed(decider, program.player)


def _candidates(action: ir.Action) -> int:
    """Return how many choices of arguments have to be tried: requirements may say what an argument is."""
    free = {param.name: param.type.size for param in action.params}
    for line in action.guard:
        for test in conjuncts(line.test) if isinstance(line, ir.Require) else ():
            match test:
                case ir.Apply(op="==", args=(ir.Bound(name=name), value)) if name in free and name not in free_names(
                    value
                ):
                    del free[name]
                case ir.Apply(op="==", args=(value, ir.Bound(name=name))) if name in free and name not in free_names(
                    value
                ):
                    del free[name]
                case _:  # it leaves the search to the rest
                    pass
    return prod(free.values())


def _title(name: str, program: ProgramInfo) -> str:
    """Return what a term in braces calls an action: `term give "{Give alms}"`; empty if there is none."""
    hint = program.symbols.terms.get(name)
    return hint.text[1:-1] if hint is not None and hint.text.startswith("{") and hint.text.endswith("}") else ""
