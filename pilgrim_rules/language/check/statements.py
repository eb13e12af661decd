"""Statements: what an action does -> the lines of the core.

Reads:  surface statements, through the checker.   Writes: `ir.WrittenStmt`s.
After:  every line is checked and typed; what it stands for is another pass (`core/expand.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import assert_never

from pilgrim_rules.core import ir
from pilgrim_rules.core.at_time import old
from pilgrim_rules.core.expand import expand_lines, pays
from pilgrim_rules.core.forms import expand_form
from pilgrim_rules.core.rule_walk import assignments
from pilgrim_rules.core.smart_constructors import number
from pilgrim_rules.core.walk import subexpressions
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.language.check.blocks import block_of
from pilgrim_rules.language.check.data_and_state import DataAndState
from pilgrim_rules.language.check.payments import Purses
from pilgrim_rules.language.check.program_info import POISON, negative
from pilgrim_rules.language.check.scope import ARRANGE, GHOSTLY, Scope
from pilgrim_rules.language.check.texts import text_line
from pilgrim_rules.language.check.written import written_variables
from pilgrim_rules.language.check.zone_lines import ZoneLines
from pilgrim_rules.language.syntax import ast

MOST_IN_ORDER = 16  #: a sequential loop is unrolled in proofs
MOST_LINES = 5_000  #: of one rule, those of the guards and effects it uses included
MOST_DEEP = 32  #: guards or effects that use each other


@dataclass(slots=True)
class LineKeys:
    """Identities of the lines of one declaration, in text order."""

    owner: str
    count: dict[str, int] = field(default_factory=dict)

    def next(self, kind: str) -> str:
        """Return the identity of the next line of a kind."""
        self.count[kind] = self.count.get(kind, 0) + 1
        return f"{self.owner}.{kind}.{self.count[kind]}"


@dataclass(slots=True)
class Statements:
    """The lowering of effects."""

    tables: DataAndState
    purses: Purses
    payer: ir.Expr | None = None  #: who decides, for `pay`

    def block(
        self, nodes: tuple[ast.Stmt, ...], scope: Scope, keys: LineKeys
    ) -> tuple[tuple[ir.WrittenStmt, ...], Scope]:
        """Return the lines of a block, and the scope behind it (without its own names)."""
        made: list[ir.WrittenStmt] = []
        inner = scope
        for node in nodes:
            match node:
                case ast.StmtLine(parts=parts, cites=cites):
                    clauses = self.tables.program.clauses(cites)
                    for part in parts:
                        stmts, inner = self._simple(part, inner, keys, clauses)
                        made += stmts
                case ast.IfStmt():
                    stmts, inner = self._if(node, inner, keys)
                    made += stmts
                case ast.ForStmt():
                    stmts, inner = self._for(node, inner, keys)
                    made += stmts
                case _:
                    assert_never(node)
        return tuple(made), replace(inner, names=scope.names)

    def inner(self, nodes: tuple[ast.Stmt, ...], scope: Scope, owner: str) -> tuple[ir.WrittenStmt, ...]:
        """Return the lines that a line stands for; they belong to it."""
        return self.block(nodes, scope, LineKeys(owner))[0]

    def _if(self, node: ast.IfStmt, scope: Scope, keys: LineKeys) -> tuple[list[ir.WrittenStmt], Scope]:
        check = self.tables.check
        test = check.boolean(node.test, scope)
        key = keys.next("if")
        then, _ = self.block(node.then, check.learn(test, scope, held=True), keys)
        other, _ = self.block(node.other, check.learn(test, scope, held=False), keys)
        return [ir.IfLine(test, then, other, key, span=node.span)], scope.forget(
            written_variables((*then, *other), self.tables.program)
        )

    def _for(self, node: ast.ForStmt, scope: Scope, keys: LineKeys) -> tuple[list[ir.WrittenStmt], Scope]:
        check = self.tables.check
        first, *rest = node.binders
        if rest:  # one loop in the other
            node = replace(node, binders=(first,), where=None, body=(replace(node, binders=tuple(rest)),))
        (binder,), where, inner = check.over(node.binders, node.where, scope)
        in_order = binder.start is not None or binder.descending or binder.type.kind == "int"
        if in_order and binder.type.size > MOST_IN_ORDER and binder.type != POISON:
            help_ = "go over an enum, which is done for all its values at once"
            what = f"one after the other over {binder.type.size} values; {MOST_IN_ORDER} is the most"
            check.program.bag.add(codes.PR408, what, first.span, help=help_)
        entry = inner.forget(_written_names(node, check.program.variables)) if in_order else inner
        body, _ = self.block(node.body, entry, keys)
        if not in_order:
            self._once(binder, self._expanded(body))
        made = ir.ForLine(binder, where, body, simultaneous=not in_order, span=node.span)
        return [made], scope.forget(written_variables(body, self.tables.program))

    def _expanded(self, lines: tuple[ir.WrittenStmt, ...]) -> tuple[ir.Stmt, ...]:
        return expand_lines(lines, (), self.tables.program.shared)

    def _once(self, binder: ir.Binder, body: tuple[ir.Stmt, ...]) -> None:
        """Report a cell that a loop over all values at once would set for several of them."""
        modes: dict[str, str] = {}
        for stmt in assignments(body):
            mixed = modes.setdefault(stmt.variable, stmt.mode) != stmt.mode
            own = any(
                isinstance(part, ir.Bound) and part.name == binder.name
                for index in stmt.index
                for part in subexpressions(index)
            )
            if mixed or (stmt.mode == "set" and not own):
                what = "set and added to" if mixed else f"set for every `{binder.name.split('~')[0]}`"
                help_ = "all values are done at once: index it by the loop's name, or only add to it"
                self.tables.program.bag.add(
                    codes.PR407, f"one cell of `{stmt.variable}` is {what}", stmt.span, help=help_
                )

    # simple statements ---------------------------------------------------------------------------------------------

    def _simple(
        self, node: ast.Simple, scope: Scope, keys: LineKeys, clauses: tuple[str, ...]
    ) -> tuple[list[ir.WrittenStmt], Scope]:
        made = self._made(node, scope, keys, clauses)
        match made:
            case [ir.Define(name=name, value=value)]:
                return made, scope.bind(name, ir.Bound(name, value.type))
            case _:  # whatever else is written
                return made, scope.forget(written_variables(tuple(made), self.tables.program))

    def _made(self, node: ast.Simple, scope: Scope, keys: LineKeys, clauses: tuple[str, ...]) -> list[ir.WrittenStmt]:
        check = self.tables.check
        match node:
            case ast.Assign():
                return self._assign(node, scope, keys, clauses)
            case ast.TransferStmt():
                zones = ZoneLines(self, scope, keys, clauses)
                return zones.move(node) if zones.about(node.source) else self._move(node, scope, keys, clauses)
            case ast.DrawStmt() | ast.RollStmt():
                return ZoneLines(self, scope, keys, clauses).chance(node)
            case ast.TextStmt():
                return text_line(check, scope, node, keys.next("do"), clauses)
            case ast.ClampStmt():
                return self._clamp(node, scope, keys, clauses)
            case ast.PayStmt(payment=payment):
                if self.payer is None:
                    check.program.bag.add(codes.PR415, "nobody decides here, so nobody can pay", node.span)
                    return []
                made = self.purses.payment(payment, self.payer, scope, keys.next("pay"), clauses)
                return [] if made is None else [made]
            case ast.ResetStmt():
                return self._reset(node, scope, keys, clauses)
            case ast.CallStage():
                return self._call(node, scope, keys, clauses)
            case ast.AskPoll() | ast.AnswerPoll():
                return self._poll(node, scope, keys, clauses)
            case ast.ReturnStage(to=to):
                if not self._sub_turns(node):
                    return []
                there = None if to is None else check.fitted(to, scope, check.program.stage)
                return [ir.ReturnStage(there, keys.next("do"), clauses, span=node.span)]
            case ast.LetStmt(name=name, value=value):
                check.shadowing(name, scope)
                return [ir.Define(name.text, check.expr(value, scope))]
            case ast.RunStmt():
                run = self.run(node, scope, keys, clauses)
                return [] if run is None else [run]
            case _:
                assert_never(node)

    def run(self, node: ast.RunStmt, scope: Scope, keys: LineKeys, clauses: tuple[str, ...]) -> ir.RunEffect | None:
        """Return the line that runs a named effect; None after an error."""
        program = self.tables.program
        rule = program.symbols.rules.get(node.name.text)
        if not isinstance(rule, ast.Effect):
            if rule is None:
                effects = [name for name, each in program.symbols.rules.items() if isinstance(each, ast.Effect)]
                program.unknown(node.name, effects, "effect")
            else:
                program.bag.add(codes.PR208, f"`{node.name.text}` is no effect", node.name.span)
            return None
        effect = program.effects.get(node.name.text)
        if effect is None:  # it could not be read, or it runs itself, which has been said
            return None
        args = self.tables.check.arguments(effect.name, effect.params, node.args, node.span, scope)
        if args is None or not program.grow(keys.owner, node.name, node.span):
            return None
        if self.payer is None and pays(effect.lines, program.effects):
            program.bag.add(codes.PR415, "nobody decides here, so nobody can pay", node.span)
            return None
        return ir.RunEffect(effect.name, args, keys.next("run"), clauses, span=node.span)

    def place(self, node: ast.AssignTarget, scope: Scope) -> tuple[ir.Variable, tuple[ir.Expr, ...]] | None:
        """Return the cell that a statement writes; None after an error."""
        program = self.tables.program
        variable = program.variables.get(node.name.text)
        if variable is None:
            known = (
                node.name.text in program.constants or node.name.text in program.defs or node.name.text in scope.names
            )
            if known:
                help_ = "only what a `state` block declares changes in play"
                program.bag.add(codes.PR401, f"`{node.name.text}` is not a state variable", node.name.span, help=help_)
            else:
                program.unknown(node.name, program.variables, "variable")
            return None
        index = self.tables.check.indices(node.args, variable.index, variable.name, node.span, scope)
        return None if index is None else (variable, index)

    def _assign(self, node: ast.Assign, scope: Scope, keys: LineKeys, clauses: tuple[str, ...]) -> list[ir.WrittenStmt]:
        check = self.tables.check
        inner = scope.allow(GHOSTLY) if node.ghost else scope
        place = self.place(node.place, inner)
        key = keys.next("do")
        if place is None:
            return []
        variable, index = place
        if variable.ghost != node.ghost and not scope.may.ghost:
            what = "is a ghost" if variable.ghost else "is no ghost"
            help_ = "write `ghost` before the line" if variable.ghost else "drop `ghost`"
            check.program.bag.add(codes.PR403, f"`{variable.name}` {what}", node.place.span, help=help_)
        if variable.name in check.program.zones and scope.may != ARRANGE:
            what = f"this makes or loses pieces of `{variable.name}`, which is a zone"
            help_ = "write `move … from … to …`: what comes to one zone leaves another"
            check.program.bag.add(codes.PR433, what, node.span, help=help_)
        if node.op != "=":
            value = check.integer(node.value, inner)
            if variable.type.kind != "int":
                check.program.bag.add(
                    codes.PR301, f"`{variable.name}` is `{variable.type.name}`, not a number", node.place.span
                )
                return []
            value = negative(value) if node.op == "-=" else value
            return [ir.Assign(variable.name, index, "add", value, key, clauses, span=node.span)]
        value = check.expr(node.value, inner, variable.type)
        if not value.type.kind == variable.type.kind == "int":
            value = check.coerce(value, variable.type, node.value.span)
        if value.type == POISON:
            return []
        return [ir.Assign(variable.name, index, "set", value, key, clauses, span=node.span)]

    def _move(
        self, node: ast.TransferStmt, scope: Scope, keys: LineKeys, clauses: tuple[str, ...]
    ) -> list[ir.WrittenStmt]:
        check = self.tables.check
        amount = check.integer(node.amount, scope)
        source, target = self.place(node.source, scope), self.place(node.target, scope)
        key = keys.next("do")
        if source is None or target is None or amount.type == POISON:
            return []
        places = ((source[0], node.source), (target[0], node.target))
        if not all(self._counts(variable, at, scope) for variable, at in places):
            return []
        read, write = (ir.Read(variable.name, index, variable.type) for variable, index in (source, target))
        return [ir.Transfer(amount, read, write, node.up_to, key, clauses, span=node.span)]

    def _counts(self, variable: ir.Variable, node: ast.AssignTarget, scope: Scope) -> bool:
        """Tell whether a variable of play holds numbers, so that they can be moved, raised or lowered."""
        bag = self.tables.program.bag
        if variable.type.kind != "int":
            bag.add(codes.PR301, f"`{variable.name}` is `{variable.type.name}`, not a number", node.span)
        elif variable.ghost and not scope.may.ghost:
            help_ = f"write `ghost {variable.name} += …`, and leave what is no ghost alone"
            bag.add(codes.PR403, f"`{variable.name}` is a ghost", node.span, help=help_)
        else:
            return True
        return False

    def _reset(
        self, node: ast.ResetStmt, scope: Scope, keys: LineKeys, clauses: tuple[str, ...]
    ) -> list[ir.WrittenStmt]:
        program = self.tables.program
        block = block_of(program, node.name.text)
        if block is None:
            self.place(ast.AssignTarget(node.name, (), span=node.name.span), scope)
            return []
        ghost = next((variable.name for variable in block if variable.ghost and not scope.may.ghost), None)
        if ghost is not None:
            program.bag.add(codes.PR403, f"`{ghost}` is a ghost", node.name.span, help="set it with a `ghost` line")
            return []
        names = tuple(variable.name for variable in block)
        given = tuple(keys.next("do") for _ in names)
        return [ir.ResetBlock(node.name.text, names, given, clauses, span=node.span)]

    def _sub_turns(self, node: ast.CallStage | ast.ReturnStage) -> bool:
        """Tell whether the game has sub-turns; report it if not."""
        if any(info.node.sub for info in self.tables.program.stages.values()):
            return True
        help_ = "mark the stages of a sub-turn in the table of stages: `sub posting by active`"
        self.tables.program.bag.add(codes.PR418, "this game has no sub-turns", node.span, help=help_)
        return False

    def _call(
        self, node: ast.CallStage, scope: Scope, keys: LineKeys, clauses: tuple[str, ...]
    ) -> list[ir.WrittenStmt]:
        program, check = self.tables.program, self.tables.check
        if not self._sub_turns(node):
            return []
        stage = node.stage
        named = stage.text if isinstance(stage, ast.Name) else stage.name.text if isinstance(stage, ast.Call) else ""
        info = program.stages.get(named)
        if info is None or not info.node.sub:
            subs = [name for name, each in program.stages.items() if each.node.sub]
            if info is None:
                program.unknown(ast.Word(named or "…", span=stage.span), subs, "sub-turn", codes.PR206)
            else:
                help_ = f"mark it in the table of stages: `sub {named}`"
                program.bag.add(codes.PR418, f"`{named}` is no sub-turn", stage.span, help=help_)
            return []
        goal = check.fitted(stage, scope, program.stage)
        then = None if node.then is None else check.fitted(node.then, scope, program.stage)
        return [ir.CallStage(goal, then, keys.next("do"), clauses, span=node.span)]

    def _poll(
        self, node: ast.AskPoll | ast.AnswerPoll, scope: Scope, keys: LineKeys, clauses: tuple[str, ...]
    ) -> list[ir.WrittenStmt]:
        program, check = self.tables.program, self.tables.check
        name = node.poll.text
        info = program.stages.get(name)
        if info is None or not info.node.poll:
            polls = [each for each, stage in program.stages.items() if stage.node.poll]
            program.unknown(node.poll, polls, "poll", codes.PR206)
            return []
        if info.by is None or info.by.type == POISON:
            return []  # who is asked could not be read, which has been said
        if isinstance(node, ast.AnswerPoll):
            who = ir.Checked(old(info.by, program.defs), program.player, span=node.span)  # else nobody answers
            return [ir.AnswerPoll(name, who, info.by, keys.next("do"), clauses, span=node.span)]
        stage = ir.Lit(info.first, program.stage)
        then = None if node.then is None else check.fitted(node.then, scope, program.stage)
        return [ir.AskPoll(name, stage, info.by, then, keys.next("do"), clauses, span=node.span)]

    def _clamp(
        self, node: ast.ClampStmt, scope: Scope, keys: LineKeys, clauses: tuple[str, ...]
    ) -> list[ir.WrittenStmt]:
        check = self.tables.check
        place = self.place(node.place, scope)
        amount, limit = check.integer(node.amount, scope), check.integer(node.limit, scope)
        key = keys.next("do")
        if place is None or POISON in (amount.type, limit.type):
            return []
        variable, index = place
        if not self._counts(variable, node.place, scope):
            return []
        now = ir.Read(variable.name, index, variable.type)
        value = _clamped(now, amount, limit, up=node.op == "raise")
        return [ir.Assign(variable.name, index, "set", value, key, clauses, span=node.span)]


def _clamped(now: ir.Expr, amount: ir.Expr, limit: ir.Expr, *, up: bool) -> ir.Expr:
    """Return the value moved by an amount, not beyond the limit, and never the other way."""
    near, far = (min, max) if up else (max, min)
    change = (amount.type.lo, amount.type.hi) if up else (-amount.type.hi, -amount.type.lo)
    ends = zip((now.type.lo, now.type.hi), change, (limit.type.lo, limit.type.hi), strict=True)
    type_ = number(*(far(here, near(here + by, end)) for here, by, end in ends))
    return expand_form("raised" if up else "lowered", (now, amount, limit), now.type, type_)


def _written_names(node: ast.ForStmt, variables: dict[str, ir.Variable]) -> frozenset[str]:
    """Return the variables that a loop's body writes, as far as its own text shows; through effects: all."""
    found: set[str] = set()
    stack: list[ast.Stmt] = list(node.body)
    while stack:
        stmt = stack.pop()
        match stmt:
            case ast.StmtLine(parts=parts):
                for part in parts:
                    match part:
                        case ast.Assign(place=place) | ast.ClampStmt(place=place):
                            found.add(place.name.text)
                        case ast.TransferStmt(source=source) if source.name.text not in variables:
                            return frozenset(variables)  # a piece is moved between zones
                        case ast.TransferStmt(source=source, target=target):
                            found |= {source.name.text, target.name.text}
                        case (
                            ast.RunStmt() | ast.DrawStmt() | ast.RollStmt() | ast.TextStmt() | ast.PayStmt() | ast.ResetStmt() | ast.CallStage() | ast.ReturnStage() | ast.AskPoll()
                            | ast.AnswerPoll()
                        ):  # fmt: skip
                            return frozenset(variables)
                        case ast.LetStmt():
                            pass
            case ast.IfStmt(then=then, other=other):
                stack += [*then, *other]
            case ast.ForStmt(body=body):
                stack += body
    return frozenset(found)
