"""Encode: core expressions to terms, in a scope.

Reads:  checked core expressions.   Writes: terms; quantifiers become unknowns or universals of the query.
After:  in every well-typed state in which the expression has a value, the term has that value. Where it has none (an
        index that short-circuiting keeps from being asked), the term has the value of one fixed total reading: a cell
        outside its table holds some code of its type, a quotient by a divisor that is not positive is 0. So every
        definition asserted beside a term is true of some interpretation, whether the term matters or not.

A Boolean is encoded for the place it stands in. `polarity` is +1 where the formula is asserted, -1 where its negation is, and
0 where both matter (below `==`, in a condition, in a count). That decides whether `all` becomes a universal or an
unknown that breaks it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import cycle, islice
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
    Operator,
    Pick,
    Read,
    Unique,
)
from pilgrim_rules.core.operators import operator_table
from verifier.smt.encode import choice, folds, quantifiers
from verifier.smt.encode.context import Context
from verifier.smt.encode.encoded_states import Delayed, Scope
from verifier.smt.terms.polarity import Polarity, Unsupported, flip
from verifier.smt.terms.terms import Arena, Term


@dataclass(slots=True)
class Encoder(Context):
    """Encodes the expressions of one game into one query."""

    # ------------------------------------------------------------------------------------------------------ Booleans

    def truth(self, expr: Expr, scope: Scope, polarity: Polarity) -> Term:
        """Return a Boolean expression as a formula for a place of this polarity."""
        arena = self.arena
        match expr:
            case Apply(op=op, args=args) if op in CONNECTIVES:
                connect, polarities = CONNECTIVES[op]
                signs = [polarity if same else flip(polarity) for same in islice(cycle(polarities), len(args))]
                terms: list[Term] = []
                for each, at in zip(args, signs, strict=True):
                    terms.append(self.truth(each, scope, at))
                    if len(terms) < len(args) and terms[-1].literal and bool(terms[-1].value) == (op == "or"):
                        return arena.truth(op != "and")  # known before play: what follows is not asked, nor encoded
                return connect(arena, terms)
            case Cond(test=test, then=then, other=other):
                chosen = self.truth(test, scope, 0)
                if chosen.literal:
                    return self.truth(then if chosen.value else other, scope, polarity)
                return arena.ite(chosen, self.truth(then, scope, polarity), self.truth(other, scope, polarity))
            case Let(name=name, value=value, body=body):
                return self.truth(body, scope.bind({name: self.meaning(value, scope)}), polarity)
            case Bound(name=name):
                meaning = scope.names[name]
                if isinstance(meaning, Delayed):
                    return self.truth(meaning.expr, meaning.scope, polarity)
                return arena.as_bool(meaning)
            case Call():
                return arena.as_bool(
                    self._called(expr, scope, lambda body, inner: self.truth(body, inner, polarity), polarity)
                )
            case Fold(op="all" | "some"):
                return self.remembered(
                    expr, scope, polarity, lambda: quantifiers.quantifier(self, expr, scope, polarity)
                )
            case Unique():
                return self.remembered(expr, scope, polarity, lambda: quantifiers.unique(self, expr, scope, polarity))
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
                return scope.state(when).read(self.footprints.declared.variables[name], terms)
            case Lookup(table=table, index=index):
                terms = tuple(self.code(each, scope) for each in index)
                return self.constants.lookup(self.footprints.declared.constants[table], terms)
            case Checked(value=inner):
                return self.value(inner, scope)
            case Pick():
                return self.remembered(expr, scope, 0, lambda: choice.pick(self, expr, scope))
            case Fold(op="count" | "sum" | "max" | "min"):
                return self.remembered(expr, scope, 0, lambda: folds.aggregate(self, expr, scope))
            case Apply(op=op, args=args) if op in TERMS:
                return TERMS[op](arena, [self.value(each, scope) for each in args])
            case Apply() | Fold() | Unique():
                return self.truth(expr, scope, 0)
            case Cond(test=test, then=then, other=other):
                chosen = self.truth(test, scope, 0)
                if chosen.literal:
                    return self.value(then if chosen.value else other, scope)
                return arena.ite(chosen, *_alike(arena, self.value(then, scope), self.value(other, scope)))
            case Let(name=name, value=given, body=body):
                return self.value(body, scope.bind({name: self.meaning(given, scope)}))
            case Bound(name=name):
                meaning = scope.names[name]
                if not isinstance(meaning, Delayed):
                    return meaning
                inner, around = meaning.expr, meaning.scope
                return self.remembered(inner, around, 0, lambda: self.value(inner, around))
            case Call():
                return self._called(expr, scope, self.value, 0)
            case AskNetwork():
                raise Unsupported("it asks a network, which only audits of visited states do")
            case _:
                assert_never(expr)

    # ----------------------------------------------------------------------------------------------------- internals

    def _called(self, expr: Call, scope: Scope, encode: Callable[[Expr, Scope], Term], polarity: Polarity) -> Term:
        definition = self.footprints.declared.defs[expr.definition]
        names = {param.name: self.meaning(arg, scope) for param, arg in zip(definition.params, expr.args, strict=True)}
        inner = Scope(names, scope.now, scope.old, scope.next)
        return self.remembered(definition.body, inner, polarity, lambda: encode(definition.body, inner))


def _alike(arena: Arena, left: Term, right: Term) -> tuple[Term, Term]:
    """Return both as codes, unless both are Boolean."""
    return (left, right) if left.sort == right.sort else (arena.as_int(left), arena.as_int(right))


def _on_codes(make: Callable[..., Term]) -> Callable[[Arena, list[Term]], Term]:
    return lambda arena, args: make(arena, *map(arena.as_int, args))


def _extreme(before: Callable[[Arena, Term, Term], Term]) -> Callable[[Arena, list[Term]], Term]:
    def chosen(arena: Arena, *args: Term) -> Term:
        return reduce(lambda best, each: arena.ite(before(arena, best, each), best, each), args)

    return _on_codes(chosen)


#: How a connective is put together, and for each argument whether its sign is that of the whole (repeated).
CONNECTIVES: Mapping[Operator, tuple[Callable[[Arena, list[Term]], Term], tuple[bool, ...]]] = operator_table(
    "smt connectives",
    {
        "and": (lambda arena, args: arena.conj(*args), (True,)),
        "or": (lambda arena, args: arena.disj(*args), (True,)),
        "not": (lambda arena, args: arena.neg(*args), (False,)),
        "implies": (lambda arena, args: arena.implies(*args), (False, True)),
    },
    groups=("connective",),
)
TERMS: Mapping[Operator, Callable[[Arena, list[Term]], Term]] = operator_table(
    "smt terms",
    {
        "+": _on_codes(Arena.add),
        "-": _on_codes(Arena.sub),
        "*": _on_codes(Arena.mul),
        "div": _on_codes(Arena.div),
        "mod": _on_codes(Arena.mod),
        "min": _extreme(Arena.le),
        "max": _extreme(lambda arena, left, right: arena.le(right, left)),
        "==": lambda arena, args: arena.eq(*_alike(arena, *args)),
        "!=": lambda arena, args: arena.neg(arena.eq(*_alike(arena, *args))),
        "<": _on_codes(Arena.lt),
        "<=": _on_codes(Arena.le),
        ">": _on_codes(lambda arena, left, right: arena.lt(right, left)),
        ">=": _on_codes(lambda arena, left, right: arena.le(right, left)),
    },
    groups=("arithmetic", "order", "equality"),
)
