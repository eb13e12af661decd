"""Encode: core expressions to terms, in a scope.

Reads:  checked core expressions.   Writes: terms; quantifiers become unknowns or universals of the query.
After:  in every well-typed state in which the expression has a value, the term has that value. Where it has none (an
        index that short-circuiting keeps from being asked), the term has the value of one fixed total reading: a cell
        outside its table holds some code of its type, a quotient by a divisor that is not positive is 0. So every
        definition asserted beside a term is true of some interpretation, whether the term matters or not.

A Boolean is encoded for the place it stands in. `sign` is +1 where the formula is asserted, -1 where its negation is, and
0 where both matter (below `==`, in a condition, in a count). That decides whether `all` becomes a universal or an
unknown that breaks it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import assert_never

from pilgrim_rules.core.ir import (
    Apply,
    AskNetwork,
    Bound,
    Call,
    Checked,
    Cond,
    Expr,
    Fold,
    Let,
    Lit,
    Lookup,
    Pick,
    Read,
    Type,
    Unique,
)
from verifier.smt import folds, picks, quantifiers
from verifier.smt.constants import Constants
from verifier.smt.query import OpaqueSum, Query, Unknown
from verifier.smt.sign import Sign, Unsupported, flip
from verifier.smt.states import Delayed, Meaning, Scope
from verifier.smt.terms import Arena, Term
from verifier.survey import Survey


@dataclass(slots=True)
class Encoder:
    """Encodes the expressions of one game into one query."""

    survey: Survey
    query: Query
    constants: Constants
    spell_out: bool = False  #: write every fold out: for concrete states and small worlds only
    written_out: int = 4  #: up to this many values a universal is written out at once
    fixed: Mapping[Hashable, int] = field(default_factory=dict)  #: values of unknowns in a case split, by key
    rewritten: dict[object, tuple[Expr, object]] = field(default_factory=dict)
    numbers: dict[tuple[object, ...], tuple[Expr, OpaqueSum]] = field(default_factory=dict)
    _known: dict[tuple[object, ...], tuple[Expr, Term]] = field(default_factory=dict)
    _met: set[Hashable] = field(default_factory=set)

    @property
    def arena(self) -> Arena:
        """Where terms are made."""
        return self.query.arena

    def unknown(self, name: str, type_: Type, key: Hashable) -> Term:
        """Return an unknown value of the type. The key tells where it comes from, so that a case split can fix it."""
        if self.query.generation:
            return self.arena.fresh(name, "Int", type_.lo, type_.hi)
        if key in self.fixed and key in self._met:
            raise Unsupported("a case split met its unknown twice")
        self._met.add(key)
        if key in self.fixed:
            return self.arena.num(self.fixed[key])
        term = self.arena.fresh(name, "Int", type_.lo, type_.hi)
        self.query.skolems.append(Unknown(term, type_, key))
        return term

    # ------------------------------------------------------------------------------------------------------ Booleans

    def truth(self, expr: Expr, scope: Scope, sign: Sign) -> Term:
        """Return a Boolean expression as a formula for a place of this sign."""
        arena = self.arena
        match expr:
            case Apply(op="and", args=args):
                return arena.conj(*(self.truth(each, scope, sign) for each in args))
            case Apply(op="or", args=args):
                return arena.disj(*(self.truth(each, scope, sign) for each in args))
            case Apply(op="not", args=(inner,)):
                return arena.neg(self.truth(inner, scope, flip(sign)))
            case Apply(op="implies", args=(given, then)):
                return arena.implies(self.truth(given, scope, flip(sign)), self.truth(then, scope, sign))
            case Cond(test=test, then=then, other=other):
                choice = self.truth(test, scope, 0)
                return arena.ite(choice, self.truth(then, scope, sign), self.truth(other, scope, sign))
            case Let(name=name, value=value, body=body):
                return self.truth(body, scope.bind({name: self.meaning(value, scope)}), sign)
            case Bound(name=name):
                meaning = scope.names[name]
                if isinstance(meaning, Delayed):
                    return self.truth(meaning.expr, meaning.scope, sign)
                return arena.as_bool(meaning)
            case Call():
                return arena.as_bool(self._called(expr, scope, lambda body, inner: self.truth(body, inner, sign), sign))
            case Fold(op="all" | "some"):
                return self._remembered(expr, scope, sign, lambda: quantifiers.quantifier(self, expr, scope, sign))
            case Unique():
                return self._remembered(expr, scope, sign, lambda: quantifiers.unique(self, expr, scope, sign))
            case Lit() | Read() | Lookup() | Apply() | Checked() | Pick() | Fold():
                return arena.as_bool(self.value(expr, scope))
            case AskNetwork():
                raise Unsupported("it asks a network, which only audits of visited states do")
            case _:
                assert_never(expr)

    # -------------------------------------------------------------------------------------------------------- values

    def value(self, expr: Expr, scope: Scope) -> Term:
        """Return an expression as a term: Boolean if its type is, otherwise the integer code."""
        arena = self.arena
        match expr:
            case Lit(value=value, type=type_):
                return arena.truth(bool(value)) if type_.kind == "bool" else arena.num(value)
            case Read(variable=name, index=index, when=when):
                terms = tuple(self.code(each, scope) for each in index)
                return scope.state(when).read(self.survey.world.variables[name], terms)
            case Lookup(table=table, index=index):
                terms = tuple(self.code(each, scope) for each in index)
                return self.constants.lookup(self.survey.world.constants[table], terms)
            case Checked(value=inner):
                return self.value(inner, scope)
            case Pick():
                return self._remembered(expr, scope, 0, lambda: picks.pick(self, expr, scope))
            case Fold(op="count" | "sum" | "max" | "min"):
                return self._remembered(expr, scope, 0, lambda: folds.aggregate(self, expr, scope))
            case Apply(op="+" | "-" | "*" | "div" | "mod" | "min" | "max" | "==" | "!=" | "<" | "<=" | ">" | ">="):
                return self._operation(expr, scope)
            case Apply() | Fold() | Unique():
                return self.truth(expr, scope, 0)
            case Cond(test=test, then=then, other=other):
                choice = self.truth(test, scope, 0)
                if choice.literal:
                    return self.value(then if choice.value else other, scope)
                return arena.ite(choice, *self._alike(self.value(then, scope), self.value(other, scope)))
            case Let(name=name, value=given, body=body):
                return self.value(body, scope.bind({name: self.meaning(given, scope)}))
            case Bound(name=name):
                meaning = scope.names[name]
                if not isinstance(meaning, Delayed):
                    return meaning
                inner, around = meaning.expr, meaning.scope
                return self._remembered(inner, around, 0, lambda: self.value(inner, around))
            case Call():
                return self._called(expr, scope, self.value, 0)
            case AskNetwork():
                raise Unsupported("it asks a network, which only audits of visited states do")
            case _:
                assert_never(expr)

    def code(self, expr: Expr, scope: Scope) -> Term:
        """Return an expression as an integer term, a Boolean as 0 or 1."""
        return self.arena.as_int(self.value(expr, scope))

    def meaning(self, expr: Expr, scope: Scope) -> Meaning:
        """Return what a name bound to the expression stands for: Booleans are encoded where they are used."""
        return Delayed(expr, scope) if expr.type.kind == "bool" else self.value(expr, scope)

    # ----------------------------------------------------------------------------------------------------- internals

    def _operation(self, expr: Apply, scope: Scope) -> Term:
        arena = self.arena
        if expr.op in ("==", "!="):
            same = arena.eq(*self._alike(*(self.value(each, scope) for each in expr.args)))
            return same if expr.op == "==" else arena.neg(same)
        return OPERATIONS[expr.op](arena, [self.code(each, scope) for each in expr.args])

    def _alike(self, left: Term, right: Term) -> tuple[Term, Term]:
        """Return both as codes, unless both are Boolean."""
        if left.sort == right.sort:
            return left, right
        return self.arena.as_int(left), self.arena.as_int(right)

    def _called(self, expr: Call, scope: Scope, encode: Callable[[Expr, Scope], Term], sign: Sign) -> Term:
        definition = self.survey.world.defs[expr.definition]
        names = {param.name: self.meaning(arg, scope) for param, arg in zip(definition.params, expr.args, strict=True)}
        inner = Scope(names, scope.now, scope.old, scope.next)
        return self._remembered(definition.body, inner, sign, lambda: encode(definition.body, inner))

    def _remembered(self, expr: Expr, scope: Scope, sign: Sign, encode: Callable[[], Term]) -> Term:
        """Return what the expression was encoded to before: same names, same versions of what it reads, same sign."""
        key = (id(expr), sign, self.names_key(expr, scope), self.versions_key(expr, scope))
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = (expr, encode())
        return known[1]

    def names_key(self, expr: Expr, scope: Scope) -> tuple[object, ...]:
        """Return what tells apart two uses of the expression with different names around."""
        return tuple(scope.names[name] for name in self.survey.free(expr))

    def versions_key(self, expr: Expr, scope: Scope) -> tuple[int, ...]:
        """Return what tells apart two uses of the expression in different states."""
        reads = self.survey.footprint(expr).reads
        return tuple(scope.state(when).versions[name] for name, when in sorted(reads))


OPERATIONS: dict[str, Callable[[Arena, list[Term]], Term]] = {
    "+": lambda arena, args: arena.add(*args),
    "-": lambda arena, args: arena.sub(*args),
    "*": lambda arena, args: arena.mul(*args),
    "div": lambda arena, args: arena.div(*args),
    "mod": lambda arena, args: arena.mod(*args),
    "min": lambda arena, args: _least(arena, args, arena.le),
    "max": lambda arena, args: _least(arena, args, lambda left, right: arena.le(right, left)),
    "<": lambda arena, args: arena.lt(*args),
    "<=": lambda arena, args: arena.le(*args),
    ">": lambda arena, args: arena.lt(args[1], args[0]),
    ">=": lambda arena, args: arena.le(args[1], args[0]),
}


def _least(arena: Arena, args: list[Term], before: Callable[[Term, Term], Term]) -> Term:
    best, *rest = args
    for each in rest:
        best = arena.ite(before(best, each), best, each)
    return best
