"""Actions: rules as written -> core actions.

Reads:  actions, guards, effects and stages, through the checker.   Writes: `ir.Action`s and `ir.Effect`s, stages.
After:  a guard is a list of requirements and names in text order, its shared parts expanded; costs stand at its end and
        their payments at the start of the body; each action knows the stages it may happen in.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pilgrim_rules.core import ir
from pilgrim_rules.core.walk import writes
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.lowering.figures import Figures
from pilgrim_rules.lowering.purses import Purses, total
from pilgrim_rules.lowering.statements import Keys, Names, Statements, opened
from pilgrim_rules.names.order import rule_order
from pilgrim_rules.syntax import ast
from pilgrim_rules.types.constant import value_of
from pilgrim_rules.types.declare import stage_codes
from pilgrim_rules.types.fit import narrowed
from pilgrim_rules.types.program import POISON, POISONED, Program, StageInfo, conjunction, lit, number, optional
from pilgrim_rules.types.scope import CONSTANT, EFFECT, GUARD, PLAY, Scope
from pilgrim_rules.types.tables import Tables

_KIND_OF_STAGE = {"action": "player", "auto": "auto", "chance": "chance"}


@dataclass(slots=True)
class Actions:
    """The lowering of rules."""

    tables: Tables
    purses: Purses
    figures: Figures
    effects: list[ir.Effect] = field(default_factory=list)
    elsewhere: set[int] = field(default_factory=set)  #: stages of actions left out in this instance

    @property
    def _program(self) -> Program:
        return self.tables.program

    def run(self) -> None:
        """Lower all rules, those that others use first."""
        self._deciders()
        self.purses.check_all()
        for name in rule_order(self._program.symbols, self._program.bag):
            match self._program.symbols.rules[name]:
                case ast.Action() as action:
                    self._action(action)
                case ast.Guard() as guard:
                    self._guard_alone(guard)
                case ast.Effect() as effect:
                    self._effect_alone(effect)

    # stages --------------------------------------------------------------------------------------------------------

    def _deciders(self) -> None:
        for info in self._program.stages.values():
            if info.node.by is not None and info.by is None:
                by = self.tables.check.expr(info.node.by, Scope(PLAY), optional(self._program.player))
                info.by = self.tables.check.fit(by, optional(self._program.player), info.node.by.span)

    def _during(self, node: ast.Action) -> tuple[tuple[int, ...], dict[str, StageInfo]]:
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

    def _agree(self, node: ast.Action, stages: tuple[int, ...]) -> ir.Expr | None:
        """Check that stage and action are of one kind and name the same decider; return the decider."""
        infos = list(dict.fromkeys(self._info(code).name for code in stages))
        wanted = _KIND_OF_STAGE[node.kind]
        player = optional(self._program.player)
        by = (
            None
            if node.by is None
            else self.tables.check.fit(self.tables.check.expr(node.by, Scope(PLAY), player), player, node.by.span)
        )
        for name in infos:
            info = self._program.stages[name]
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

    # actions -------------------------------------------------------------------------------------------------------

    def _action(self, node: ast.Action) -> None:
        program = self._program
        if node.only is not None:
            test = self.tables.check.boolean(node.only, Scope(CONSTANT))
            if test.type != POISON and not value_of(test, program, node.only.span):
                program.broken.add(node.name.text)
                self.elsewhere.update(self._during(node)[0])
                return
        stages, carried = self._during(node)
        decider = self._agree(node, stages)
        params, scope = self.tables.parameters(node.params, Scope(GUARD))
        if node.kind == "auto" and params:
            program.bag.add(
                codes.PR413,
                f"`{node.name.text}` decides nothing, so it takes no arguments",
                node.params[0].span,
                help="a `chance` has arguments that chance decides",
            )
        names = Names({param.name for param in params})
        guard: list[ir.GuardLine] = []
        for name, info in carried.items():
            assert info.carries is not None, "only stages that carry a value bind a name"
            shift = info.first - info.carries.lo
            value = _carried(ir.Read("stage", (), program.stage), shift, info.carries)
            guard.append(ir.Given(names.fresh(name), value))
            scope = scope.bind(name, ir.Bound(name, info.carries))
        keys = Keys(node.name.text)
        lines, scope = self._lines(node.lines, scope, keys, names)
        guard += lines
        weight = self._weight(node, scope)
        place = self.figures.place(node.place, scope)
        costs, payments = self._costs(node, scope, decider, keys, names)
        guard += costs
        inner = Scope(EFFECT, scope.names, scope.facts).forget(writes(tuple(payments)))
        statements = Statements(self.tables, self.purses, _player(decider, program))
        body, _ = statements.block(node.body, inner, keys, names)
        made = ir.Action(
            node.name.text, node.kind, params, stages, tuple(guard), (*payments, *body), weight, node.prose, program.note(node),
            place,
        )  # fmt: skip
        program.actions[made.name] = made
        program.defs[f"possible.{made.name}"] = _possible(made)

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
        self, nodes: tuple[ast.GuardLine, ...], scope: Scope, keys: Keys, names: Names
    ) -> tuple[list[ir.GuardLine], Scope]:
        check = self.tables.check
        made: list[ir.GuardLine] = []
        for node in nodes:
            clauses = self._program.clauses(node.cites)
            match node:
                case ast.RequireLine(test=test, says=says):
                    core = check.boolean(test, scope)
                    made.append(ir.Require(core, keys.next("require"), says, clauses, span=node.span))
                    scope = check.learn(core, scope)
                case ast.LetLine():
                    lines, scope = self._let(node, scope, keys, names, clauses)
                    made += lines
                case ast.CheckLine():
                    made += self._expand(node, scope, names, clauses)
        return made, scope

    def _let(
        self, node: ast.LetLine, scope: Scope, keys: Keys, names: Names, clauses: tuple[str, ...]
    ) -> tuple[list[ir.GuardLine], Scope]:
        check = self.tables.check
        value = check.expr(node.value, scope)
        check.shadowing(node.name, scope)
        name = names.fresh(node.name.text)
        if not node.has_else or value.type == POISON:
            bound = POISONED if value.type == POISON else ir.Bound(name, value.type)
            return [ir.Given(name, value)], scope.bind(node.name.text, bound)
        if value.type.kind != "optional":
            self._program.bag.add(
                codes.PR301, "this is never `none`, so there is nothing else", node.value.span, help="drop `else`"
            )
            return [], scope.bind(node.name.text, POISONED)
        test = ir.Apply("!=", (ir.Bound(name, value.type), ir.Lit(value.type.hi, value.type)), ir.BOOL)
        there = ir.Require(test, keys.next("require"), node.says, clauses, defines=name, span=node.span)
        inner = scope.know({value: ir.Bound(name, value.type.parts[0])})
        return [ir.Given(name, value), there], inner.bind(node.name.text, ir.Bound(name, value.type.parts[0]))

    def _expand(self, node: ast.CheckLine, scope: Scope, names: Names, clauses: tuple[str, ...]) -> list[ir.GuardLine]:
        """Return the lines of a shared guard; they cite what the guard and the line that asks for it cite."""
        guard = self._program.symbols.rules.get(node.name.text)
        if not isinstance(guard, ast.Guard):
            guards = [name for name, each in self._program.symbols.rules.items() if isinstance(each, ast.Guard)]
            self._program.unknown(node.name, guards, "guard")
            return []
        params, _ = self.tables.parameters(guard.params, Scope(GUARD))
        args = self.tables.check.arguments(guard.name.text, params, node.args, node.span, scope)
        if args is None:
            return []
        made: list[ir.GuardLine] = []
        inner = Scope(GUARD)
        for param, arg in zip(params, args, strict=True):
            if isinstance(arg, ir.Lit | ir.Bound):
                inner = inner.bind(param.name, arg)
                continue
            fresh = names.fresh(param.name)
            made.append(ir.Given(fresh, arg))
            inner = inner.bind(param.name, ir.Bound(fresh, param.type))
        with opened(node, len(guard.lines), names, self._program) as possible:
            lines = self._lines(guard.lines, inner, Keys(guard.name.text), names)[0] if possible else []
        more = (*self._program.clauses(guard.cites), *clauses)
        return [*made, *(_citing(line, more) for line in lines)]

    def _costs(
        self, node: ast.Action, scope: Scope, decider: ir.Expr | None, keys: Keys, names: Names
    ) -> tuple[list[ir.GuardLine], list[ir.Stmt]]:
        payer = _player(decider, self._program)
        if not node.costs:
            return [], []
        if payer is None or node.kind != "action":
            help_ = "say whose it is: `move 1 from store[p] to bank`"
            what = "only what a player decides can cost something"
            self._program.bag.add(codes.PR415, what, node.costs[0].span, help=help_)
            return [], []
        check = self.tables.check
        guard: list[ir.GuardLine] = []
        payments: list[ir.Stmt] = []
        sums: dict[str, list[tuple[ir.Expr, tuple[str, ...]]]] = {}
        for line in node.costs:
            clauses = self._program.clauses(line.cites)
            when = None if line.when is None else check.boolean(line.when, scope)
            inner = scope if when is None else check.learn(when, scope)
            amount = check.integer(line.payment.amount, inner)
            if amount.type == POISON:
                continue
            if when is not None:
                amount = ir.Cond(when, amount, lit(0), number(min(0, amount.type.lo), max(0, amount.type.hi)))
            if not isinstance(amount, ir.Lit):
                name = names.fresh("cost")
                guard.append(ir.Given(name, amount))
                amount = ir.Bound(name, amount.type)
            for purse, test in self.purses.chosen(line.payment, inner):
                part = (
                    amount
                    if test is None
                    else ir.Cond(
                        conjunction(*_both(when, test)), amount, lit(0), number(min(0, amount.type.lo), amount.type.hi)
                    )
                )
                sums.setdefault(purse.name.text, []).append((part, clauses))
            steps = self.purses.pay(line.payment, amount, payer, inner, keys.next("pay"), clauses, names.fresh)
            payments += steps if when is None else [ir.Branch(when, tuple(steps), ())]
        for purse_name, parts in sums.items():
            purse = self._program.symbols.purses[purse_name]
            wanted = total([part for part, _ in parts])
            test = ir.Apply("<=", (wanted, self.purses.held(purse, payer)), ir.BOOL)
            cited = tuple(dict.fromkeys(clause for _, clauses in parts for clause in clauses))
            says = f"not enough {purse_name.replace('_', ' ')}"
            guard.append(ir.Require(test, f"{node.name.text}.cost.{purse_name}", says, cited, span=node.costs[0].span))
        return guard, payments

    # shared parts on their own -------------------------------------------------------------------------------------

    def _guard_alone(self, node: ast.Guard) -> None:
        params, scope = self.tables.parameters(node.params, Scope(GUARD))
        self._program.clauses(node.cites)
        names = Names({param.name for param in params})
        self._lines(node.lines, scope, Keys(node.name.text), names)
        if names.full:
            self._program.overgrown.add(node.name.text)

    def _effect_alone(self, node: ast.Effect) -> None:
        params, scope = self.tables.parameters(node.params, Scope(EFFECT))
        statements = Statements(self.tables, self.purses, self._only_decider())
        names = Names({param.name for param in params})
        body, _ = statements.block(node.body, scope, Keys(node.name.text), names)
        if names.full:
            self._program.overgrown.add(node.name.text)
        self.effects.append(ir.Effect(node.name.text, params, body, self._program.note(node)))

    def _only_decider(self) -> ir.Expr | None:
        """Return who pays in an effect on its own: whoever decides, if that is the same player in every stage."""
        deciders = {info.by for info in self._program.stages.values() if info.by is not None}
        return _player(next(iter(deciders)), self._program) if len(deciders) == 1 else None


def _player(decider: ir.Expr | None, program: Program) -> ir.Expr | None:
    """Return the decider as a player; in a stage of players there is always one, which is a claim of its own."""
    if decider is None or decider.type.kind != "optional":
        return decider
    return narrowed(decider, program.player)


def _carried(stage: ir.Expr, shift: int, type_: ir.Type) -> ir.Expr:
    """Return the value a stage carries; the bounds say of any other stage what is never asked of it."""
    plain = ir.Apply("-", (stage, lit(shift)), number(stage.type.lo - shift, stage.type.hi - shift))
    lifted = ir.Apply("max", (plain, lit(type_.lo)), number(type_.lo, max(plain.type.hi, type_.lo)))
    return ir.Apply("min", (lifted, lit(type_.hi)), type_)


def _citing(line: ir.GuardLine, clauses: tuple[str, ...]) -> ir.GuardLine:
    """Return a line that cites further clauses, if it is a requirement."""
    if isinstance(line, ir.Given):
        return line
    return replace(line, clauses=tuple(dict.fromkeys((*line.clauses, *clauses))))


def _both(when: ir.Expr | None, test: ir.Expr) -> tuple[ir.Expr, ...]:
    return (test,) if when is None else (when, test)


def _possible(action: ir.Action) -> ir.Def:
    """Return the definition that some arguments satisfy the guard of an action."""
    tests: list[ir.Expr] = []
    for line in reversed(action.guard):
        if isinstance(line, ir.Given):
            tests = [ir.Let(line.name, line.value, conjunction(*tests), ir.BOOL)]
        else:
            tests.insert(0, line.test)
    body = conjunction(*tests)
    if action.params:
        binders = tuple(ir.Binder(param.name, param.type) for param in action.params)
        body = ir.Fold("some", binders, None, body, None, ir.BOOL)
    return ir.Def(f"possible.{action.name}", (), body)
