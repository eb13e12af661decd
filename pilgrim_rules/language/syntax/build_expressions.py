"""Build: grammar reductions -> surface syntax tree, expressions and types (`build_rules` has the declarations).

Reads:  what lark hands over when a production is complete: tokens and nodes already built.   Writes: `ast` nodes.
After:  nothing of lark is left. The parser calls these methods as it goes, so no tree is built twice and depth of
        nesting costs no recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Literal, TypeVar

from lark import Token

from pilgrim_rules.core.ir import Operator
from pilgrim_rules.core.operators import operator_table
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.language.syntax import ast

Kids = list[Any]
T = TypeVar("T")

# Tokens that carry meaning of their own; all others only hold the sentence together.
_KEPT = frozenset({
    "NAME", "INT", "STRING", "CLAUSE", "PRIMED", "CLAIM", "ACTION", "AUTO", "CHANCE", "NOBODY", "STATE", "GHOST",
    "PUBLIC", "PRIVATE", "HIDDEN", "SECRET", "SECRETLY", "SEEN", "DEFAULT", "REFUSED", "ONCE", "TOTAL", "EXAMPLE", "WITNESS", "DESC", "ASC", "BOTH", "ASSIGN",
    "GIVES", "IMPLIES", "OR", "AND", "NOT", "COMPARE", "PLUS", "MINUS", "STAR", "DIV", "MOD", "ALL", "SOME", "NONE_OF",
    "COUNT", "SUM", "MAX", "MIN", "UNIQUE", "FIRST", "BEST", "SUB", "POLL", "ORDERED", "NOTHING",
})  # fmt: skip

#: How each operator of the core is written.
SPELLED: Mapping[Operator, Literal["infix", "prefix", "call"]] = operator_table("grammar", {
    "+": "infix", "-": "infix", "*": "infix", "div": "infix", "mod": "infix", "min": "call", "max": "call",
    "==": "infix", "!=": "infix", "<": "infix", "<=": "infix", ">": "infix", ">=": "infix",
    "and": "infix", "or": "infix", "implies": "infix", "not": "prefix",
})  # fmt: skip
_INFIX: dict[str, Operator] = {op: op for op, form in SPELLED.items() if form == "infix"}


class Group(tuple[Any, ...]):  # noqa: SLOT001  (a tuple of any length has no slots)
    """Several nodes that a production hands up together, such as arguments or clauses, with the place of them all."""

    span: Span
    kind: str


def production(method: Callable[[Any, Span, Kids], T]) -> Callable[[Any, Kids], T]:
    """Give a building method the place of the whole production and only the children that matter."""

    @wraps(method)
    def build(self: BuildExpressions, children: Kids) -> T:
        kids = []
        start = end = -1
        offset = self.offset
        for child in children:
            if child.__class__ is Token:
                kind = child.type
                if kind in _KEPT:
                    kids.append(child)
                elif kind[0] == "_":
                    continue
                first, last = offset + child.start_pos, offset + child.end_pos  # type: ignore[operator]  # set by the lexer
            else:
                span = child.span
                first, last = span.start, span.end
                kids.append(child)
            if start < 0:
                start = first
            if last > end:  # noqa: PLR1730  (a call takes longer)
                end = last
        return method(self, Span(self.file, start, end), kids)

    return build


def group(kind: str) -> Callable[[Any, Kids], Group]:
    """Return a production that hands up its children as they are."""

    @production
    def build(self: BuildExpressions, span: Span, kids: Kids) -> Group:
        items = Group(self.word(kid) if isinstance(kid, Token) else kid for kid in kids)
        items.span, items.kind = span, kind
        return items

    return build


def only(kids: Kids, *kinds: type) -> Any:
    """Return the one child of these kinds, or None."""
    return next((kid for kid in kids if isinstance(kid, kinds) and not isinstance(kid, Group)), None)


def grouped(kids: Kids, kind: str) -> Any:
    """Return the items of the group of this kind, or nothing."""
    return next((tuple(kid) for kid in kids if isinstance(kid, Group) and kid.kind == kind), ())


def single(kids: Kids, kind: str) -> Any:
    """Return the one item of the group of this kind, or None."""
    items = grouped(kids, kind)
    return items[0] if items else None


def tokens(kids: Kids, *types: str) -> list[Token]:
    """Return the tokens of these types."""
    return [kid for kid in kids if isinstance(kid, Token) and kid.type in types]


def nodes(kids: Kids) -> Kids:
    """Return the children that are nodes."""
    return [kid for kid in kids if not isinstance(kid, (Token, Group))]


def _as_tuple(kids: Kids) -> tuple[Any, ...]:
    return tuple(kids)  # inside the class `tuple` is a production


def unquote(token: str) -> str:
    """Return the words of a quoted text."""
    return token[1:-1].replace('\\"', '"').replace("\\\\", "\\")


class BuildExpressions:
    """The productions of expressions, types and domains."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.offset = 0

    def word(self, token: Token) -> ast.Word:
        """Return the name that a token spells."""
        start = self.offset + token.start_pos  # type: ignore[operator]  # set by the lexer
        return ast.Word(str(token), span=Span(self.file, start, start + len(token)))

    def text(self, token: Token) -> ast.Text:
        """Return the quoted text of a token."""
        start = self.offset + token.start_pos  # type: ignore[operator]  # set by the lexer
        return ast.Text(unquote(token), span=Span(self.file, start, start + len(token)))

    names = group("names")
    cites = group("cites")
    args = group("args")
    keys = group("keys")
    binders = group("binders")
    where = group("where")
    default = group("default")

    # types ---------------------------------------------------------------------------------------------------------

    @production
    def type_name(self, span: Span, kids: Kids) -> ast.TypeName:
        return ast.TypeName(str(kids[0]), span=span)

    @production
    def range(self, span: Span, kids: Kids) -> ast.RangeType:
        return ast.RangeType(kids[0], kids[1], span=span)

    @production
    def open_range(self, span: Span, kids: Kids) -> ast.RangeType:
        return ast.RangeType(kids[0], None, span=span)

    @production
    def optional(self, span: Span, kids: Kids) -> ast.OptionalType:
        return ast.OptionalType(kids[0], span=span)

    @production
    def pair(self, span: Span, kids: Kids) -> ast.PairType:
        left, right = nodes(kids)
        return ast.PairType(left, right, span=span)

    @production
    def type_paren(self, _span: Span, kids: Kids) -> ast.TypeExpr:
        inner: ast.TypeExpr = kids[0]
        return inner

    @production
    def negative(self, span: Span, kids: Kids) -> ast.Number:
        return ast.Number(-int(kids[-1]), span=span)

    # domains -------------------------------------------------------------------------------------------------------

    @production
    def domain_type(self, span: Span, kids: Kids) -> ast.TypeDomain:
        return ast.TypeDomain(kids[0], span=span)

    @production
    def domain_down(self, span: Span, kids: Kids) -> ast.TypeDomain:
        return ast.TypeDomain(kids[0], descending=True, span=span)

    @production
    def domain_call(self, span: Span, kids: Kids) -> ast.CallDomain:
        return ast.CallDomain(self.word(kids[0]), grouped(kids, "args"), span=span)

    @production
    def domain_zone(self, span: Span, kids: Kids) -> ast.ZoneDomain:
        return ast.ZoneDomain(self.word(kids[0]), grouped(kids, "args"), span=span)

    @production
    def domain_set(self, span: Span, kids: Kids) -> ast.SetDomain:
        return ast.SetDomain(_as_tuple(kids), span=span)

    @production
    def domain_turn(self, span: Span, kids: Kids) -> ast.TurnDomain:
        return ast.TurnDomain(kids[0], span=span)

    @production
    def binder(self, span: Span, kids: Kids) -> ast.Binder:
        return ast.Binder(self.word(kids[0]), kids[1], span=span)

    # expressions ---------------------------------------------------------------------------------------------------

    @production
    def name(self, span: Span, kids: Kids) -> ast.Name:
        return ast.Name(str(kids[0]), span=span)

    @production
    def primed(self, span: Span, kids: Kids) -> ast.Name:
        return ast.Name(str(kids[0])[:-1], primed=True, span=span)

    @production
    def number(self, span: Span, kids: Kids) -> ast.Number:
        return ast.Number(int(kids[0][:30]), span=span)

    @production
    def call(self, span: Span, kids: Kids) -> ast.Call:
        word, primed = self.word(kids[0]), kids[0].type == "PRIMED"
        if primed:
            word = ast.Word(word.text[:-1], span=Span(self.file, word.span.start, word.span.end - 1))
        return ast.Call(word, grouped(kids, "args"), primed=primed, span=span)

    @production
    def quoted_arg(self, _span: Span, kids: Kids) -> ast.Text:
        return self.text(kids[0])

    @production
    def named_arg(self, span: Span, kids: Kids) -> ast.NamedArg:
        return ast.NamedArg(self.word(kids[0]), nodes(kids)[0], span=span)

    @production
    def index_of(self, span: Span, kids: Kids) -> ast.Index:
        return ast.Index(kids[0], grouped(kids, "args"), span=span)

    @production
    def attribute(self, span: Span, kids: Kids) -> ast.Attribute:
        return ast.Attribute(kids[0], self.word(kids[1]), span=span)

    @production
    def part(self, span: Span, kids: Kids) -> ast.PairPart:
        return ast.PairPart(kids[0], int(kids[1][:9]), span=span)

    @production
    def paren(self, _span: Span, kids: Kids) -> ast.Expr:
        inner: ast.Expr = kids[0]
        return inner

    @production
    def tuple(self, span: Span, kids: Kids) -> ast.Tuple:
        return ast.Tuple(_as_tuple(kids), span=span)

    @production
    def list(self, span: Span, kids: Kids) -> ast.Listing:
        return ast.Listing(_as_tuple(kids), span=span)

    @production
    def unary(self, span: Span, kids: Kids) -> ast.Unary:
        return ast.Unary("not" if kids[0] == "not" else "-", kids[1], span=span)

    @production
    def binary(self, span: Span, kids: Kids) -> ast.Binary:
        return ast.Binary(_INFIX[str(kids[1])], kids[0], kids[2], span=span)

    @production
    def old(self, span: Span, kids: Kids) -> ast.Old:
        return ast.Old(kids[0], span=span)

    @production
    def the(self, span: Span, kids: Kids) -> ast.The:
        return ast.The(kids[0], span=span)

    @production
    def is_test(self, span: Span, kids: Kids) -> ast.IsTest:
        return ast.IsTest(kids[0], self.word(kids[-1]), negated=bool(tokens(kids, "NOT")), span=span)

    @production
    def in_test(self, span: Span, kids: Kids) -> ast.InTest:
        return ast.InTest(kids[0], kids[-1], negated=bool(tokens(kids, "NOT")), span=span)

    @production
    def ternary(self, span: Span, kids: Kids) -> ast.Ternary:
        return ast.Ternary(kids[0], kids[1], kids[2], span=span)

    @production
    def quantifier(self, span: Span, kids: Kids) -> ast.Quantifier:
        op = {"ALL": "all", "SOME": "some", "NONE_OF": "none"}[kids[0].type]
        return ast.Quantifier(op, grouped(kids, "binders"), single(kids, "where"), kids[-1], span=span)  # type: ignore[arg-type]  # one of the three

    @production
    def count(self, span: Span, kids: Kids) -> ast.Aggregate:
        return ast.Aggregate("count", None, grouped(kids, "binders"), single(kids, "where"), None, span=span)

    @production
    def fold(self, span: Span, kids: Kids) -> ast.Aggregate:
        where, default = single(kids, "where"), single(kids, "default")
        return ast.Aggregate(kids[0].type.lower(), kids[1], grouped(kids, "binders"), where, default, span=span)

    @production
    def unique(self, span: Span, kids: Kids) -> ast.Unique:
        return ast.Unique(kids[1], grouped(kids, "binders"), single(kids, "where"), span=span)

    @production
    def first(self, span: Span, kids: Kids) -> ast.Pick:
        return ast.Pick(kids[1], single(kids, "where"), (), span=span)

    @production
    def best(self, span: Span, kids: Kids) -> ast.Pick:
        return ast.Pick(kids[1], single(kids, "where"), grouped(kids, "keys"), span=span)

    @production
    def key(self, span: Span, kids: Kids) -> ast.Key:
        return ast.Key(kids[0], descending=kids[1].type == "DESC", span=span)
