"""Expressions: a core expression as Python text over whole batches of states.

Reads:  core expressions.   Writes: lines of a generated function, and the `Value` that stands for the expression.
After:  for every row that asks, the value is the evaluator's; rows that do not ask get some value inside the bounds.

Nothing here is lazy from row to row: both branches of a condition are computed and one is chosen. That is exact because
reading is total: places outside a table, which only rows that do not ask can name, are moved inside (`clamped`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import assert_never

from pilgrim_rules.core.footprint import reads
from pilgrim_rules.core.ir import (
    Apply,
    AskNetwork,
    Bound,
    Call,
    Checked,
    Cond,
    Def,
    Expr,
    Fold,
    Let,
    Lit,
    Lookup,
    Operator,
    Pick,
    Read,
    Type,
    Unique,
    When,
)
from pilgrim_rules.semantics.state_layout import steps_of
from verifier.explore.folds import Folds
from verifier.explore.generated_module import GeneratedModule, Site
from verifier.explore.operators import OPERATORS, as_number, as_truth, choose, joined, negated, shaped
from verifier.explore.source_text import FALSE, TRUE, NotVectorised, Scope, Value, Writer, clamped, number, truth

WHEN: tuple[When, ...] = ("now", "old", "next")


class Expressions(Folds):
    """Writes the code of expressions into one function."""

    def __init__(self, module: GeneratedModule, out: Writer, action: str = "") -> None:
        super().__init__(module, out)
        self.action = action

    def value(self, expr: Expr, scope: Scope) -> Value:
        """Return the value of the expression; a literal, if it can have one value only."""
        return self._settled(self._value(expr, scope))

    def _value(self, expr: Expr, scope: Scope) -> Value:
        match expr:
            case Lit(value=code, type=type_):
                return self._literal(code, type_)
            case Bound(name=name):
                return scope.names[name]
            case Read(variable=variable, index=index, when=when):
                types = self.module.declared.variables[variable].index
                at = self.flat([self.value(each, scope) for each in index], types)
                return self.read(variable, at, scope.states[when], expr.type, again=scope.frozen or when != "now")
            case Lookup(table=table, index=index):
                constant = self.module.declared.constants[table]
                at = self.flat([self.value(each, scope) for each in index], constant.index)
                return self.constant(constant.values, at, constant.type)
            case Apply(op="and", args=args):
                return self._connective(args, scope, decides=False)
            case Apply(op="or", args=args):
                return self._connective(args, scope, decides=True)
            case Apply(op="implies", args=(given, then)):
                return self._connective((Apply("not", (given,), expr.type), then), scope, decides=True)
            case Apply(op=op, args=args):
                return self.operate(op, [self.value(each, scope) for each in args])
            case Cond():
                return self._cond(expr, scope)
            case Let(name=name, value=value, body=body):
                return self.value(body, scope.bind(name, self.out.keep(self.value(value, scope))))
            case Checked():
                return self._checked(expr, scope)
            case Fold():
                return self.fold(expr, scope)
            case Unique():
                return self.unique(expr, scope)
            case Pick():
                return self.pick(expr, scope)
            case Call(definition=name, args=args):
                return self._call(name, [self.value(each, scope) for each in args], scope)
            case AskNetwork():
                raise NotVectorised
            case _:
                assert_never(expr)

    def read(self, variable: str, at: Value, states: str, type_: Type | None = None, *, again: bool = False) -> Value:
        """Return a cell of a state variable, the cell being given by its number; without a type, as a plain number."""
        packing = self.module.packing
        if variable in packing.fixed:
            return self.constant(packing.fixed[variable], at, type_)
        cells = packing.cells[variable]
        word, shift = self.place(variable, at)
        found = f"gather({states}, {word.text})" if word.rows else f"{states}[{word.text}]"
        text = f"({found} & {cells.mask})" if shift.known == 0 else f"({found} >> {shift.text} & {cells.mask})"
        lo, hi = cells.variable.type.lo, cells.variable.type.hi
        if type_ is not None and type_.kind == "bool":
            value = truth(f"({text} != 0)", rows=True)
        else:
            value = Value(text if lo == 0 else f"({text} + {lo})", rows=True, lo=lo, hi=hi)
        return self.out.keep(value, again=True) if again else value

    def place(self, variable: str, at: Value) -> tuple[Value, Value]:
        """Return the word and the shift of a cell, the cell being given by its number."""
        cells = self.module.packing.cells[variable]
        if at.known is not None:
            return number(cells.words[at.known]), number(cells.shifts[at.known])
        if cells.in_one_word:
            shift = f"({cells.shifts[0]} + {at.text} * {cells.width})"
            return number(cells.words[0]), Value(shift, at.rows, 0, 63)
        kept = self.out.keep(at)
        return self.constant(cells.words, kept), self.constant(cells.shifts, kept)

    def constant(self, values: tuple[int, ...], at: Value, type_: Type | None = None) -> Value:
        """Return an entry of a constant table."""
        if at.known is not None:
            return self._literal(values[at.known], type_)
        is_truth = type_ is not None and type_.kind == "bool"
        if at.rows:
            text = f"{self.module.array_of(values, truth=is_truth)}[{at.text}]"
        else:
            text = f"{self.module.tuple_of([bool(value) for value in values] if is_truth else values)}[{at.text}]"
        return self._settled(Value(text, at.rows, min(values), max(values), truth=is_truth))

    def flat(self, codes: Sequence[Value], types: tuple[Type, ...]) -> Value:
        """Return the number of a cell of a row-major table."""
        at = number(0)
        for code, type_, step in zip(codes, types, steps_of(types), strict=True):
            offset = self.operate("-", [clamped(code, type_), number(type_.lo)])
            at = self.operate("+", [at, self.operate("*", [offset, number(step)])])
        return at

    def _literal(self, code: int, type_: Type | None) -> Value:
        if type_ is not None and type_.kind == "bool":
            return TRUE if code else FALSE
        return number(code)

    def _settled(self, value: Value) -> Value:
        """Return a literal if the bounds leave only one value."""
        if value.known is None:
            return value
        return (TRUE if value.known else FALSE) if value.truth else number(value.known)

    def operate(self, op: Operator, args: Sequence[Value]) -> Value:
        """Return an operator applied to values."""
        return self._settled(OPERATORS[op](*args))

    def _connective(self, args: Sequence[Expr], scope: Scope, *, decides: bool) -> Value:
        """Return the conjunction (`decides` false) or disjunction (`decides` true) of the arguments."""
        found: list[Value] = []
        for at, arg in enumerate(args):
            value, rest = as_truth(self.value(arg, scope)), args[at + 1 :]
            if value.known is not None:
                if bool(value.known) is decides:
                    return TRUE if decides else FALSE
            elif value.rows or not rest:
                found.append(value)
                if rest and self.module.checks(*rest):
                    found[-1] = value = self.out.keep(value)
                    scope = self.narrow(scope, negated(value) if decides else value)
            else:  # known once for all rows: do the rest only if it matters
                result = self.out.fresh()
                self.out.line(f"{result} = {decides}")
                with self.out.block(f"if not {value.text}:" if decides else f"if {value.text}:"):
                    inner = self._connective(rest, scope, decides=decides)
                    self.out.line(f"{result} = {inner.text}")
                found.append(truth(result, rows=inner.rows))
                break
        if not found:
            return FALSE if decides else TRUE
        return joined(found, decides=decides)

    def _cond(self, expr: Cond, scope: Scope) -> Value:
        test = self.out.keep(as_truth(self.value(expr.test, scope)))
        if test.known is not None:
            return self.value(expr.then if test.known else expr.other, scope)
        if test.rows:
            yes = no = scope
            if self.module.checks(expr.then, expr.other):
                yes, no = self.narrow(scope, test), self.narrow(scope, negated(test))
            then, other = (shaped(self.value(*each), expr.type) for each in ((expr.then, yes), (expr.other, no)))
            return choose(test, then, other)
        result = self.out.fresh()
        with self.out.block(f"if {test.text}:"):
            then = shaped(self.value(expr.then, scope), expr.type)
            self.out.line(f"{result} = {then.text}")
        with self.out.block("else:"):
            other = shaped(self.value(expr.other, scope), expr.type)
            self.out.line(f"{result} = {other.text}")
        return replace(choose(test, then, other), text=result)

    def narrow(self, scope: Scope, test: Value) -> Scope:
        """Return the scope for those rows only in which the test holds."""
        live = test if scope.live is None else truth(f"({scope.live.text} & {test.text})", rows=True)
        return replace(scope, live=self.out.keep(live))

    def _checked(self, expr: Checked, scope: Scope) -> Value:
        value = self.out.keep(self.value(expr.value, scope))
        test = self.outside(value, expr.type, scope)
        if test is None:
            return value
        with self.complaint(test, scope, Site(self.action, "", expr.type.name)):
            pass
        return clamped(value, expr.type)

    def outside(self, value: Value, type_: Type, scope: Scope) -> str | None:
        """Return the test for live rows whose value lies outside the type; None if there can be none."""
        sides: list[str] = []
        if value.lo < type_.lo:
            sides.append(f"({value.text} < {type_.lo})")
        if value.hi > type_.hi:
            sides.append(f"({value.text} > {type_.hi})")
        text = " | ".join(sides)
        return (text if scope.live is None else f"({text}) & {scope.live.text}") if sides else None

    @contextmanager
    def complaint(self, test: str, scope: Scope, site: Site) -> Iterator[str]:
        """Write the lines that record a contradiction in the rows for which the test holds; give their name.

        What is written inside runs only if there are such rows.
        """
        rows = self.out.fresh()
        self.out.line(f"{rows} = {test}")
        with self.out.block(f"if any_of({rows}):"):
            self.out.line(f"wrong = note(wrong, {rows}, {self.module.site(site)}, {scope.states['now']})")
            yield rows

    def _call(self, name: str, args: list[Value], scope: Scope) -> Value:
        called = self.module.declared.defs[name]
        given = [clamped(arg, param.type) for arg, param in zip(args, called.params, strict=True)]
        if self.module.checks(called.body):  # a contradiction is recorded by the function that runs the effects
            inside = replace(scope, names={})
            for arg, param in zip(given, called.params, strict=True):
                inside = inside.bind(param.name, self.out.keep(arg))
            return self.value(called.body, inside)
        function, result = self._function(name, tuple(arg.rows for arg in given))
        if result.known is not None:
            return result
        states = [scope.states.get(when, "None") for when in WHEN] if self._reads_states(called) else []
        text = f"{function}({', '.join([*states, *(as_number(arg).text for arg in given)])})"
        return replace(result, text=text)

    def _reads_states(self, called: Def) -> bool:
        return not reads((called.body,), self.module.declared.defs) <= self.module.packing.fixed.keys()

    def _function(self, name: str, rows: tuple[bool, ...]) -> tuple[str, Value]:
        """Return the function of a definition whose arguments are known row by row, or once, as `rows` says."""
        calls = self.module.calls
        if (name, rows) not in calls:
            called = self.module.declared.defs[name]
            out = Writer("v")
            params = [f"a{at}" for at in range(len(rows))]
            names = {
                param.name: Value(text, each, param.type.lo, param.type.hi)
                for param, text, each in zip(called.params, params, rows, strict=True)
            }
            scope = Scope(names, {when: when for when in WHEN})
            result = Expressions(self.module, out).value(called.body, scope)
            out.line(f"return {result.text}")
            function = f"f{len(calls)}"
            states = WHEN if self._reads_states(called) else ()
            self.module.define(function, ", ".join([*states, *params]), out, pure=not (states or any(rows)))
            calls[name, rows] = (function, result)
        return calls[name, rows]
