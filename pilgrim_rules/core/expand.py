"""Expand: what written lines stand for: requirements and names, assignments, branches and loops.

Reads:  the lines of actions, effects, guards and examples, the purses and the variables.   Writes: guards and bodies.
After:  named effects and guards are put in where they are asked for, costs have become requirements at the end of the guard
        and payments at the start of the body (`core/payments.py`); every name inside one action is defined once. The same
        lines give the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from pilgrim_rules.core import sub_turns
from pilgrim_rules.core.forms import folded, negative, retyped
from pilgrim_rules.core.ir import (
    Action,
    AnswerPoll,
    Apply,
    AskPoll,
    Assign,
    Binder,
    Bound,
    Branch,
    Call,
    CallStage,
    CheckGuard,
    Constant,
    Cost,
    Def,
    Define,
    Effect,
    Expr,
    ForLine,
    Game,
    Given,
    Guard,
    GuardLine,
    IfLine,
    Lit,
    Lookup,
    Loop,
    Parameter,
    Payment,
    Purse,
    Read,
    Require,
    ResetBlock,
    ReturnStage,
    RunEffect,
    Shorthand,
    Stmt,
    Transfer,
    Type,
    Variable,
    Written,
    WrittenGuardLine,
    WrittenStmt,
)
from pilgrim_rules.core.payments import Payments, Values, add_to
from pilgrim_rules.core.smart_constructors import arithmetic
from pilgrim_rules.core.type_order import fits
from pilgrim_rules.core.walk import rebuild_binder, rebuild_written, substitute
from pilgrim_rules.util.fast_dataclass import replace


@dataclass(frozen=True, slots=True)
class NamedRules:
    """What lines may name."""

    effects: Mapping[str, Effect]
    guards: Mapping[str, Guard]
    purses: Mapping[str, Purse]
    variables: Mapping[str, Variable]
    constants: Mapping[str, Constant]
    defs: Mapping[str, Def]

    @classmethod
    def from_game(cls, game: Game) -> NamedRules:
        """Return what the lines of a game may name."""
        return cls(
            {each.name: each for each in game.effects},
            {each.name: each for each in game.guards},
            {each.name: each for each in game.purses},
            {each.name: each for each in game.variables},
            {each.name: each for each in game.constants},
            {each.name: each for each in game.defs},
        )


def expand_action(action: Action, shared: NamedRules) -> Action:
    """Return the action with guard and body as its lines say; as it is, if it was made without lines."""
    written = action.written
    if written == Written():
        return action
    own = [line.name for line in written.guard if isinstance(line, Given)]
    lines = Expansion(shared, {*(param.name for param in action.params), *own})
    guard = lines.guard(written.guard, {}, own=True)
    asked, paid = lines.costs(action.name, written.costs)
    seat = () if written.seat is None else (written.seat,)
    return replace(action, guard=(*seat, *guard, *asked), body=(*paid, *lines.block(written.body, {})))


def expand_effect(effect: Effect, shared: NamedRules) -> Effect:
    """Return the effect with its body as its lines say; as it is, if it was made without lines."""
    return replace(effect, body=expand_lines(effect.lines, effect.params, shared)) if effect.lines else effect


def expand_guard(guard: Guard, shared: NamedRules) -> tuple[GuardLine, ...]:
    """Return what the lines of a shared guard stand for on their own."""
    lines = Expansion(shared, {param.name for param in guard.params})
    return tuple(lines.guard(guard.lines, {}, own=True))


def expand_lines(lines: tuple[WrittenStmt, ...], params: tuple[Parameter, ...], shared: NamedRules) -> tuple[Stmt, ...]:
    """Return what lines stand for on their own."""
    return Expansion(shared, {param.name for param in params}).block(lines, {})


@dataclass(slots=True)
class Expansion:
    """The expansion of the lines of one rule. `taken` are the names that are in use in it."""

    shared: NamedRules
    taken: set[str] = field(default_factory=set)

    @property
    def _payments(self) -> Payments:
        return Payments(self.shared.purses, self._fresh, self._put)

    def costs(self, action: str, costs: Sequence[Cost]) -> tuple[list[GuardLine], list[Stmt]]:
        """Return what the costs of an action require, and their payments."""
        return self._payments.costs(action, costs)

    def _fresh(self, name: str) -> str:
        """Return the name, or the name with a number that nothing else has."""
        made, at = name, 1
        while made in self.taken:
            at += 1
            made = f"{name}~{at}"
        self.taken.add(made)
        return made

    def _all(self, exprs: tuple[Expr, ...], values: Values) -> tuple[Expr, ...]:
        return tuple(self._put(expr, values) for expr in exprs)

    def _put(self, expr: Expr, values: Values) -> Expr:
        """Return an expression with values for its names, literals among them typed and worked out as if written there."""
        if not values:
            return expr
        made = substitute(expr, dict(values))
        return self._literals(made) if any(isinstance(value, Lit) for value in values.values()) else made

    def _literals(self, expr: Expr) -> Expr:
        made = rebuild_written(expr, self._literals)
        match made:
            case Apply(op="+" | "-" | "*" | "div" | "mod", args=(Lit(), Lit()), form=None):
                return folded(made)
            case Apply(op="==" | "!=", args=(left, right), form=None):
                return replace(made, args=(_as_label(left, right.type), _as_label(right, left.type)))
            case Read(variable=name, index=index):
                return replace(made, index=_labels(index, self.shared.variables[name].index))
            case Lookup(table=name, index=index):
                return replace(made, index=_labels(index, self.shared.constants[name].index))
            case Call(definition=name, args=args):
                return replace(made, args=_labels(args, [param.type for param in self.shared.defs[name].params]))
            case _:  # literals stand in it as they are
                return made

    # guards --------------------------------------------------------------------------------------------------------

    def guard(self, lines: Iterable[WrittenGuardLine], values: Values, *, own: bool = False) -> list[GuardLine]:
        """Return requirements and names; those that a rule gives its `own` values are taken as they are."""
        made: list[GuardLine] = []
        for line in lines:
            match line:
                case Require(test=test, defines=defines):
                    defined = None if defines is None else _name(values.get(defines), defines)
                    made.append(replace(line, test=self._put(test, values), defines=defined))
                case Given(name=name, value=value):
                    meant = self._put(value, values)
                    called = name if own else self._fresh(name)
                    made.append(Given(called, meant))
                    values = {**values, name: Bound(called, meant.type)}
                case CheckGuard():
                    made += self._check(line, values)
                case _:
                    assert_never(line)
        return made

    def _check(self, line: CheckGuard, values: Values) -> list[GuardLine]:
        """Return the lines of a guard; they cite what the guard and the line that asks for it cite."""
        guard = self.shared.guards[line.guard]
        made: list[GuardLine] = []
        inner: dict[str, Expr] = {}
        for param, arg in zip(guard.params, self._all(line.args, values), strict=True):
            if isinstance(arg, Lit | Bound):
                inner[param.name] = arg
            else:
                called = self._fresh(param.name)
                made.append(Given(called, arg))
                inner[param.name] = Bound(called, param.type)
        cited = (*guard.note.clauses, *line.clauses)
        return [*made, *(_guard_citing(each, cited) for each in self.guard(guard.lines, inner))]

    # statements ----------------------------------------------------------------------------------------------------

    def block(self, lines: Iterable[WrittenStmt], values: Values) -> tuple[Stmt, ...]:
        """Return the statements that lines stand for."""
        made: list[Stmt] = []
        for line in lines:
            match line:
                case Assign():
                    made.append(self._assign(line, values))
                case Define(name=name, value=value):
                    meant = self._put(value, values)
                    made.append(Define(self._fresh(name), meant))
                    values = {**values, name: Bound(made[-1].name, meant.type)}  # type: ignore[union-attr]  # made here
                case IfLine(test=test, then=then, other=other):
                    branches = self.block(then, values), self.block(other, values)
                    made.append(Branch(self._put(test, values), *branches))
                case ForLine():
                    made.append(self._loop(line, values))
                case RunEffect():
                    made += self._run(line, values)
                case Transfer():
                    made += self._transfer(line, values)
                case Payment():
                    made += self._payments.pay(line, values)
                case ResetBlock(variables=names, keys=keys):
                    made += [self._reset(line, name, key) for name, key in zip(names, keys, strict=True)]
                case CallStage(stage=stage, then=then):
                    after = None if then is None else self._put(then, values)
                    made += sub_turns.call_statements(line, self._put(stage, values), after, self.shared.variables)
                case AskPoll(then=then):
                    after = None if then is None else self._put(then, values)
                    made += sub_turns.ask_statements(line, after, self._fresh("p"), self.shared.variables)
                case AnswerPoll(asked=who):
                    made += sub_turns.answer_statements(line, self._put(who, values), self.shared.variables)
                case ReturnStage(to=to) if to is not None:
                    made += sub_turns.return_to_statements(line, self._put(to, values), self.shared.variables)
                case ReturnStage():
                    made += sub_turns.return_statements(line, self.shared.variables)
                case Shorthand(lines=inner):
                    made += self.block(inner, values)
                case _:
                    assert_never(line)
        return tuple(made)

    def _assign(self, line: Assign, values: Values) -> Assign:
        index, value = self._all(line.index, values), self._put(line.value, values)
        if values:
            variable = self.shared.variables[line.variable]
            index, value = _labels(index, variable.index), _as_label(value, variable.type)
        return replace(line, index=index, value=value)

    def _loop(self, line: ForLine, values: Values) -> Stmt:
        binder = rebuild_binder(line.binder, lambda part: self._put(part, values))
        called = self._fresh(binder.name)
        inner = {**values, binder.name: Bound(called, binder.type)}
        where = None if line.where is None else self._put(line.where, inner)
        body = self.block(line.body, inner)
        return Loop(replace(binder, name=called), where, body, line.simultaneous, span=line.span)

    def _run(self, line: RunEffect, values: Values) -> Iterable[Stmt]:
        """Return the lines of an effect, behind names for its parameters; they cite what the line cites."""
        effect = self.shared.effects[line.effect]
        made: list[Stmt] = []
        inner: dict[str, Expr] = {}
        for param, arg in zip(effect.params, self._all(line.args, values), strict=True):
            if isinstance(arg, Lit):
                inner[param.name] = arg
            else:
                called = self._fresh(param.name)
                made.append(Define(called, arg))
                inner[param.name] = Bound(called, param.type)
        return (*made, *_citing(self.block(effect.lines, inner), line.clauses))

    def _transfer(self, line: Transfer, values: Values) -> Iterable[Stmt]:
        amount, source, target = (self._put(each, values) for each in (line.amount, line.source, line.target))
        made: list[Stmt] = []
        if line.up_to:
            amount = arithmetic("min", amount, source)
        if not isinstance(amount, Lit | Bound):
            made.append(Define(self._fresh("amount"), amount))
            amount = Bound(made[-1].name, amount.type)  # type: ignore[union-attr]  # made here
        halves = ((source, negative(amount), "from"), (target, amount, "to"))
        made += [add_to(cell, value, f"{line.key}.{end}", line) for cell, value, end in halves]
        return made

    def _reset(self, line: ResetBlock, name: str, key: str) -> Stmt:
        """Return the statement after which a variable is as at the start."""
        variable = self.shared.variables[name]
        bound = tuple(Bound(self._fresh(each.name), each.type) for each in cell_names(variable))
        value = substitute(variable.initial, dict(zip(variable.over, bound, strict=True)))
        made: Stmt = Assign(name, bound, "set", value, key, line.clauses, span=line.span)
        for each in reversed(bound):
            made = Loop(Binder(each.name, each.type), None, (made,), simultaneous=True, span=line.span)
        return made


def _as_label(expr: Expr, wanted: Type) -> Expr:
    """Return a label of a part of a union as one of the union, where that is wanted."""
    type_ = wanted.parts[0] if wanted.kind == "optional" else wanted
    fitting = isinstance(expr, Lit) and expr.type.kind == type_.kind == "enum" and fits(expr.type, type_)
    return retyped(expr, type_) if fitting else expr


def _labels(exprs: Iterable[Expr], wanted: Iterable[Type]) -> tuple[Expr, ...]:
    return tuple(_as_label(expr, type_) for expr, type_ in zip(exprs, wanted, strict=True))


def pays(lines: Iterable[WrittenStmt], effects: Mapping[str, Effect]) -> bool:
    """Tell whether somebody pays in these lines, or in an effect that they run."""
    for line in lines:
        match line:
            case Payment():
                return True
            case RunEffect(effect=name):
                found = name in effects and pays(effects[name].lines, effects)
            case IfLine(then=then, other=other):
                found = pays((*then, *other), effects)
            case ForLine(body=body) | Shorthand(lines=body):
                found = pays(body, effects)
            case (
                Assign() | Define() | Transfer() | ResetBlock() | CallStage() | ReturnStage() | AskPoll() | AnswerPoll()
            ):
                found = False
            case _:
                assert_never(line)
        if found:
            return True
    return False


def cell_names(variable: Variable) -> tuple[Bound, ...]:
    """Return names for the index of a cell: the author's, or for a type its first letter."""
    names: list[str] = []
    for name, type_ in zip(variable.over, variable.index, strict=True):
        short = name if name.isidentifier() else type_.name[0].lower() if type_.name[0].isalpha() else "n"
        names.append(short if short not in names else f"{short}~{len(names) + 1}")
    return tuple(Bound(name, type_) for name, type_ in zip(names, variable.index, strict=True))


def _name(value: Expr | None, name: str) -> str:
    return value.name if isinstance(value, Bound) else name


def _guard_citing(line: GuardLine, clauses: tuple[str, ...]) -> GuardLine:
    """Return a line that cites further clauses, if it is a requirement."""
    if isinstance(line, Given):
        return line
    return replace(line, clauses=tuple(dict.fromkeys((*line.clauses, *clauses))))


def _citing(block: tuple[Stmt, ...], clauses: tuple[str, ...]) -> tuple[Stmt, ...]:
    """Return statements that cite further clauses: those of the line that runs an effect, besides the effect's own."""
    return tuple(_stmt_citing(stmt, clauses) for stmt in block) if clauses else block


def _stmt_citing(stmt: Stmt, clauses: tuple[str, ...]) -> Stmt:
    match stmt:
        case Assign():
            return replace(stmt, clauses=tuple(dict.fromkeys((*stmt.clauses, *clauses))))
        case Branch():
            return replace(stmt, then=_citing(stmt.then, clauses), other=_citing(stmt.other, clauses))
        case Loop():
            return replace(stmt, body=_citing(stmt.body, clauses))
        case Define():
            return stmt
        case _:
            assert_never(stmt)
