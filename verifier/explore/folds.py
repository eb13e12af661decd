"""Folds: quantifiers, aggregates, choices and loops over finite domains, as Python loops over whole batches.

Reads:  core expressions with binders.   Writes: lines of a generated function.
After:  each value of a domain is one round of a plain loop; a domain that differs from row to row (the neighbours of a
        place that the state names) is walked by position, with the rows that have no such position left out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import assert_never

from pilgrim_rules.core import loops
from pilgrim_rules.core.bounds import rounds
from pilgrim_rules.core.ir import Binder, Expr, Fold, FoldOp, Pick, Type, Unique
from pilgrim_rules.core.operators import FOLDS, fold_table
from verifier.explore.generated_module import GeneratedModule
from verifier.explore.operators import OPERATORS, as_number, as_truth, choose, joined, negated
from verifier.explore.source_text import LARGEST, TRUE, Scope, Value, Writer, clamped, number, truth


class Folds(ABC):
    """Writes the code of everything that has binders."""

    def __init__(self, module: GeneratedModule, out: Writer) -> None:
        self.module = module
        self.out = out

    @abstractmethod
    def value(self, expr: Expr, scope: Scope) -> Value:
        """Return the value of the expression."""

    @abstractmethod
    def flat(self, codes: Sequence[Value], types: tuple[Type, ...]) -> Value:
        """Return the number of a cell of a row-major table."""

    @abstractmethod
    def constant(self, values: tuple[int, ...], at: Value, type_: Type | None = None) -> Value:
        """Return an entry of a constant table."""

    @abstractmethod
    def narrow(self, scope: Scope, test: Value) -> Scope:
        """Return the scope for those rows only in which the test holds."""

    @contextmanager
    def each(self, binder: Binder, scope: Scope, *, ordered: bool = True) -> Iterator[tuple[Scope, Value]]:
        """Open the loop over a binder; give the scope of a round and the rows that take part in it."""
        type_ = binder.type
        if binder.among is not None and (binder.start is None or not ordered):
            with self._among(binder, scope, ordered=ordered) as found:
                yield found
        elif binder.start is not None and ordered:
            start = self.out.keep(clamped(self.value(binder.start, scope), type_))
            related = self._relation(binder, scope)
            round_ = self.out.fresh()
            with self.out.block(f"for {round_} in range({type_.size}):"):
                text = f"(({start.text} - {type_.lo} + {round_}) % {type_.size} + {type_.lo})"
                item = self.out.keep(Value(text, start.rows, type_.lo, type_.hi))
                inside = scope.bind(binder.name, item)
                yield inside, related(item)
        else:
            name = self.out.fresh()
            steps = (
                f"{type_.hi}, {type_.lo - 1}, -1" if binder.descending and ordered else f"{type_.lo}, {type_.hi + 1}"
            )
            with self.out.block(f"for {name} in range({steps}):"):
                yield scope.bind(binder.name, Value(name, rows=False, lo=type_.lo, hi=type_.hi)), TRUE

    def _relation(self, binder: Binder, scope: Scope) -> Callable[[Value], Value]:
        """Return the test whether a value belongs to the relation of the binder; its place is asked for once."""
        if binder.among is None:
            return lambda _: TRUE
        table, index = binder.among
        constant = self.module.declared.constants[table]
        codes = [self.out.keep(self.value(each, scope)) for each in index]

        def test(item: Value) -> Value:
            return as_truth(self.constant(constant.values, self.flat([*codes, item], constant.index), constant.type))

        return test

    @contextmanager
    def _among(self, binder: Binder, scope: Scope, *, ordered: bool) -> Iterator[tuple[Scope, Value]]:
        assert binder.among is not None
        table, index = binder.among
        constant, type_ = self.module.declared.constants[table], binder.type
        at = self.out.keep(self.flat([self.value(each, scope) for each in index], constant.index[:-1]))
        members = loops.members(constant, binder if ordered else replace(binder, descending=False))
        if not at.rows:
            name = self.out.fresh()
            with self.out.block(f"for {name} in {self.module.tuple_of(members)}[{at.text}]:"):
                yield scope.bind(binder.name, Value(name, rows=False, lo=type_.lo, hi=type_.hi)), TRUE
            return
        most = max(map(len, members))
        items = [
            self.module.array_of([(*each, *[type_.lo] * most)[place] for each in members]) for place in range(most)
        ]
        there = [self.module.array_of([place < len(each) for each in members], truth=True) for place in range(most)]
        item, here = self.out.fresh(), self.out.fresh()
        pairs = ", ".join(f"({one}, {other})" for one, other in zip(items, there, strict=True))
        with self.out.block(f"for {item}, {here} in ({pairs}{',' if most == 1 else ''}):"):
            found = self.out.keep(Value(f"{item}[{at.text}]", rows=True, lo=type_.lo, hi=type_.hi))
            yield scope.bind(binder.name, found), self.out.keep(truth(f"{here}[{at.text}]", rows=True))

    @contextmanager
    def rounds(
        self,
        binders: Sequence[Binder],
        where: Expr | None,
        scope: Scope,
        *,
        ordered: bool,
        checks: bool,
        going_on: Value | None = None,
    ) -> Iterator[tuple[Scope, Value]]:
        """Open the loops over the binders; give the scope of a round and the rows for which `where` holds.

        checks     something inside can find a contradiction, so that it matters which rows are asked at all.
        going_on   the rows for which the answer is still open; the others are not asked any more.
        """
        with ExitStack() as stack:
            asked: list[Value] = []
            for binder in binders:
                scope, taking_part = stack.enter_context(self.each(binder, scope, ordered=ordered))
                if taking_part.rows:
                    asked.append(taking_part)
                elif taking_part.known is None:
                    stack.enter_context(self.out.block(f"if {taking_part.text}:"))
            if going_on is not None:
                scope = self.narrow(scope, going_on)
            if where is not None:
                test = as_truth(self.value(where, self.narrow(scope, _all(asked)) if asked and checks else scope))
                if test.rows:
                    asked.append(test)
                elif test.known is None:
                    stack.enter_context(self.out.block(f"if {test.text}:"))
                elif not test.known:
                    stack.enter_context(self.out.block("if False:"))
            test = self.out.keep(_all(asked))
            yield self.narrow(scope, test) if test.rows and checks else scope, test

    def fold(self, expr: Fold, scope: Scope) -> Value:
        """Return the value of a quantifier or aggregate. The order of the rounds matters only if one can contradict."""
        result = self.out.fresh()
        self.out.line(f"{result} = {_FIRST[expr.op]}")
        checks = self.module.checks(expr)
        going_on = None
        if checks and (decides := FOLDS[expr.op].decides) is not None:
            so_far = truth(result, rows=True)
            going_on = negated(so_far) if decides else so_far
        with self.rounds(
            expr.binders, expr.where, scope, ordered=checks, checks=checks, going_on=going_on
        ) as (inside, test):  # fmt: skip
            body = self.value(expr.body, inside)
            self.out.line(f"{result} = {self._folded(expr, result, test, body)}")
        lo, hi = FOLDS[expr.op].interval((body.lo, body.hi), *rounds(expr.binders, expr.where))
        found = Value(result, test.rows or body.rows, lo, hi, truth=FOLDS[expr.op].kind == "bool")
        return self._or_default(expr, found, scope) if FOLDS[expr.op].empty is None else found

    def _or_default(self, expr: Fold, found: Value, scope: Scope) -> Value:
        """Return what was found, or the default where nothing was."""
        nothing = _FIRST[expr.op]
        if expr.default is None:  # something always satisfies `where`; rows that do not ask still need a value
            return choose(truth(f"({found.text} == {nothing})", rows=found.rows), number(found.lo), found)
        empty = self.out.keep(truth(f"({found.text} == {nothing})", rows=found.rows))
        if found.rows:
            asked = self.narrow(scope, empty) if self.module.checks(expr.default) else scope
            return choose(empty, as_number(self.value(expr.default, asked)), found)
        with self.out.block(f"if {empty.text}:"):
            other = as_number(self.value(expr.default, scope))
            self.out.line(f"{found.text} = {other.text}")
        return replace(choose(empty, other, found), text=found.text)

    def _folded(self, expr: Fold, result: str, test: Value, body: Value) -> str:
        match expr.op:
            case "all":
                body = as_truth(body)
                return f"{result} & {body.text}" if test is TRUE else f"{result} & ({negated(test).text} | {body.text})"
            case "some":
                body = as_truth(body)
                return f"{result} | {body.text}" if test is TRUE else f"{result} | ({test.text} & {body.text})"
            case "count":
                return f"{result} + {test.text}"
            case "sum":
                body = as_number(body)
                return f"{result} + {body.text if test is TRUE else choose(test, body, number(0)).text}"
            case "max" | "min":
                body, name = as_number(body), Value(result, rows=body.rows or test.rows, lo=body.lo, hi=body.hi)
                best = OPERATORS[expr.op](name, body)
                return best.text if test is TRUE else choose(test, best, name).text
            case _:
                assert_never(expr.op)

    def pick(self, expr: Pick, scope: Scope) -> Value:
        """Return the first or best value of a domain."""
        result, found = self.out.fresh(), self.out.fresh()
        best = [self.out.fresh() for _ in expr.keys]
        nothing, checks = expr.type.hi, self.module.checks(expr)
        self.out.line(" = ".join([result, *best, str(nothing)]))
        self.out.line(f"{found} = False")
        with self.rounds((expr.binder,), expr.where, scope, ordered=True, checks=checks) as (inside, test):
            item = as_number(inside.names[expr.binder.name])
            keys = [self.out.keep(as_number(self.value(key.value, inside))) for key in expr.keys]
            rows = test.rows or item.rows or any(key.rows for key in keys)
            better = self._better(expr, keys, best)
            take = self._taken(test, truth(found, rows=rows), better)
            chosen = Value(result, rows, nothing, nothing)
            self.out.line(f"{result} = {choose(take, item, chosen).text}")
            for name, key in zip(best, keys, strict=True):
                self.out.line(f"{name} = {choose(take, key, replace(chosen, text=name)).text}")
            self.out.line(f"{found} = {found} | {test.text}")
        type_ = expr.binder.type
        return Value(result, rows, min(type_.lo, nothing), max(type_.hi, nothing))

    def _taken(self, test: Value, found: Value, better: Value | None) -> Value:
        new = negated(found)
        fresh = new if better is None else joined([new, better], decides=True)
        return self.out.keep(fresh if test is TRUE else joined([test, fresh], decides=False))

    def _better(self, expr: Pick, keys: list[Value], best: list[str]) -> Value | None:
        """Return whether the keys come before the best ones so far, the first difference deciding."""
        text = ""
        for key, value, name in reversed(list(zip(expr.keys, keys, best, strict=True))):
            before = f"({value.text} {'>' if key.descending else '<'} {name})"
            text = f"({before} | (({value.text} == {name}) & {text}))" if text else before
        return truth(text, rows=any(value.rows for value in keys)) if text else None

    def unique(self, expr: Unique, scope: Scope) -> Value:
        """Return whether no two rounds that satisfy `where` agree on all keys."""
        codes, asked = self.out.fresh(), self.out.fresh()
        self.out.line(f"{codes}, {asked} = [], []")
        checks = self.module.checks(expr)
        with self.rounds(expr.binders, expr.where, scope, ordered=False, checks=checks) as (inside, test):
            code = number(0)
            for key in expr.keys:
                value = as_number(self.value(key, inside))
                offset = OPERATORS["-"](value, number(value.lo))
                code = OPERATORS["+"](OPERATORS["*"](code, number(value.hi - value.lo + 1)), offset)
            self.out.line(f"{codes}.append({code.text})")
            self.out.line(f"{asked}.append({test.text})")
        if code.rows or test.rows:
            return truth(f"distinct({codes}, {asked}, {scope.states['now']})", rows=True)
        return truth(f"(len(set({codes})) == len({codes}))", rows=False)


#: What a fold has found before its first round.
_FIRST: Mapping[FoldOp, str] = fold_table(
    "explore folds",
    {"all": "True", "some": "False", "count": "0", "sum": "0", "max": str(-LARGEST), "min": str(LARGEST)},
)


def _all(tests: list[Value]) -> Value:
    return joined(tests, decides=False) if tests else TRUE
