"""Folds: quantifiers, aggregates, choices and the domains they range over.

Reads:  surface quantifiers, the program, the scope.   Writes: core folds with binders.
After:  each binder ranges over a whole finite type; what the text restricts further has become a `where`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from pilgrim_rules.core import ir
from pilgrim_rules.core.bounds import folded, range_of, rounds
from pilgrim_rules.core.forms import expand_form
from pilgrim_rules.core.operators import FOLDS
from pilgrim_rules.core.smart_constructors import FALSE, conjunction, lit, number, optional
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.language.check.program_info import MAX_NUMBER, MAX_TYPE, POISON, POISONED, ZoneInfo
from pilgrim_rules.language.check.scope import Scope
from pilgrim_rules.language.check.zones import ZoneValues
from pilgrim_rules.language.syntax import ast

FoldNode = ast.InTest | ast.Quantifier | ast.Aggregate | ast.Unique | ast.Pick


@dataclass(slots=True)
class Folds(ZoneValues):
    """The checker of quantifiers."""

    def fold(self, node: FoldNode, scope: Scope) -> ir.Expr:
        """Return the core fold of a quantifier, aggregate, choice or membership test."""
        match node:
            case ast.InTest():
                return self._in_test(node, scope)
            case ast.Quantifier(op=op):
                binders, where, inner = self.over(node.binders, node.where, scope)
                body = self.boolean(node.body, inner)
                if op == "none":
                    some = ir.Fold("some", binders, where, body, None, ir.BOOL)
                    return expand_form("none_of", (some,), ir.BOOL, ir.BOOL)
                return ir.Fold(op, binders, where, body, None, ir.BOOL)
            case ast.Aggregate():
                return self._aggregate(node, scope)
            case ast.Unique():
                binders, where, inner = self.over(node.binders, node.where, scope)
                keys = node.key.items if isinstance(node.key, ast.Tuple) else (node.key,)
                return ir.Unique(binders, where, tuple(self.expr(key, inner) for key in keys))
            case ast.Pick():
                return self._pick(node, scope)
            case _:
                assert_never(node)

    def over(
        self, nodes: tuple[ast.Binder, ...], where: ast.Expr | None, scope: Scope
    ) -> tuple[tuple[ir.Binder, ...], ir.Expr | None, Scope]:
        """Return binders, what restricts them, and the scope inside."""
        binders: list[ir.Binder] = []
        tests: list[ir.Expr] = []
        inner = scope
        for node in nodes:
            binder, test = self.binder(node, inner)
            binders.append(binder)
            inner = inner.bind(node.name.text, ir.Bound(node.name.text, binder.type))
            if test is not None:
                tests.append(test)
                inner = self.learn(test, inner)
        if where is not None:
            tests.append(self.boolean(where, inner))
            inner = self.learn(tests[-1], inner)
        return tuple(binders), conjunction(*tests) if tests else None, inner

    def binder(self, node: ast.Binder, scope: Scope) -> tuple[ir.Binder, ir.Expr | None]:
        """Return a binder and the test that its domain adds to it."""
        self.shadowing(node.name, scope)
        name = node.name.text
        zone = self._zone_domain(node.domain)
        if zone is not None:
            info, args = zone
            test = self.in_zone(ir.Bound(name, info.pieces), info, args, node.domain, scope)
            return ir.Binder(name, info.pieces), None if test.type == POISON else test
        match node.domain:
            case ast.ZoneDomain(name=word):
                self.program.unknown(word, self.program.zones, "zone")
                return ir.Binder(name, POISON), None
            case ast.TypeDomain(type=type_, descending=descending):
                return ir.Binder(name, self._enumerable(type_), descending=descending), None
            case ast.TurnDomain(start=start):
                player = self.program.player
                return ir.Binder(name, player, self.fitted(start, scope, player)), None
            case ast.SetDomain(items=items):
                return self._listed(name, items, node.domain.span, scope)
            case ast.CallDomain():
                return self._called(name, node.domain, scope)
            case _:
                assert_never(node.domain)

    def _zone_domain(self, node: ast.Domain) -> tuple[ZoneInfo, tuple[ast.Arg, ...]] | None:
        """Return the zone that a domain names, and its index; None if it names none."""
        match node:
            case ast.ZoneDomain(name=ast.Word(text=name), args=args) if name in self.program.zones:
                return self.program.zones[name], args
            case ast.TypeDomain(type=ast.TypeName(name=name), descending=False) if name in self.program.zones:
                return self.program.zones[name], ()
            case _:  # anything else is no zone
                return None

    def shadowing(self, word: ast.Word, scope: Scope) -> None:
        """Report a local name that hides another name."""
        text = word.text
        hidden = (
            "a name bound around it" if text in scope.names
            else "a variable" if text in self.program.variables
            else "a constant" if text in self.program.constants
            else "a word of the language" if text in ("true", "false", "none", "players", "stage")
            else f"a label of `{self.program.labels[text][0].name}`" if text in self.program.labels
            else None
        )  # fmt: skip
        if hidden is not None:
            self.program.bag.add(codes.PR203, f"`{text}` hides {hidden}", word.span, help="choose another name")

    def _enumerable(self, node: ast.TypeExpr) -> ir.Type:
        type_ = self.declare.type(node)
        if type_.size > MAX_TYPE:
            self.program.bag.add(codes.PR303, f"{type_.size} values are too many to go through", node.span)
            return POISON
        return type_

    def _listed(
        self, name: str, items: tuple[ast.Expr, ...], span: Span, scope: Scope
    ) -> tuple[ir.Binder, ir.Expr | None]:
        """Return the binder of `x in {a, b}`: the type of the values, and the test that it is one of them."""
        seats = any(isinstance(item, ast.Name) and item.text in self.program.player.labels for item in items)
        player = self.program.player if seats else None
        present = tuple(item for item in items if not self._nobody_of(item, scope, player))
        if not present:
            return ir.Binder(name, self.program.player), FALSE
        items = present
        values = [self.expr(item, scope) for item in items]
        type_ = next((value.type for value in values if value.type != POISON), POISON)
        values = [self.expr(item, scope, type_) for item in items]
        if type_.kind == "int":
            type_ = number(min(each.type.lo for each in values), max(each.type.hi for each in values))
        bound = ir.Bound(name, type_)
        listed = tuple(self.coerce(value, type_, span) for value in values)
        return ir.Binder(name, type_), expand_form("in", (bound, *listed), type_, ir.BOOL)

    def _nobody_of(self, item: ast.Expr, scope: Scope, type_: ir.Type | None) -> bool:
        """Tell whether an item of a set is a player who does not play; another type may have the label, too."""
        if not isinstance(item, ast.Name) or (type_ is None and item.text in self.program.labels):
            return False
        return self.absent(item, scope, type_)

    def _called(self, name: str, node: ast.CallDomain, scope: Scope) -> tuple[ir.Binder, ir.Expr | None]:
        """Return the binder of `x in around(h)` or of `x in f(a)` for a test f with one more parameter."""
        if node.name.text == "around" and "around" not in self.program.defs:
            found = self.around(node, scope)
            return (
                (ir.Binder(name, POISON), None) if found is None else (ir.Binder(name, found[0], among=found[1]), None)
            )
        definition = self.program.defs.get(node.name.text)
        if definition is None:
            self.program.unknown(node.name, ("around", *self.program.defs), "definition")
            return ir.Binder(name, POISON), None
        if not definition.params or definition.body.type != ir.BOOL:
            help_ = "a domain is made of a definition that says yes or no to its last parameter"
            self.program.bag.add(codes.PR301, f"`{node.name.text}` is no domain", node.name.span, help=help_)
            return ir.Binder(name, POISON), None
        type_ = definition.params[-1].type
        args = self.arguments(node.name.text, definition.params[:-1], node.args, node.span, scope)
        if args is None or not self.readable(node.name, scope):
            return ir.Binder(name, POISON), None
        return ir.Binder(name, type_), ir.Call(definition.name, (*args, ir.Bound(name, type_)), ir.BOOL)

    def around(self, node: ast.CallDomain, scope: Scope) -> tuple[ir.Type, tuple[str, tuple[ir.Expr, ...]]] | None:
        """Return the neighbours of a node; see `Maps`."""
        raise NotImplementedError

    def arguments(
        self, name: str, params: tuple[ir.Parameter, ...], args: tuple[ast.Arg, ...], span: Span, scope: Scope
    ) -> tuple[ir.Expr, ...] | None:
        """Return the arguments of a call; see `Calls`."""
        raise NotImplementedError

    def _in_test(self, node: ast.InTest, scope: Scope) -> ir.Expr:
        domain = node.domain
        if isinstance(domain, ast.TypeDomain) and isinstance(domain.type, ast.TypeName):
            stages = self._stage_codes(domain.type.name)
            if stages is not None:
                value = self.fitted(node.value, scope, self.program.stage)
                codes_ = tuple(ir.Lit(code, value.type) for code in stages)
                test = expand_form("in_stages", (value, *codes_), value.type, ir.BOOL, domain.type.name)
                return self._signed(test, node)
        zone = self._zone_domain(domain)
        if zone is not None:
            info, args = zone
            test = self.in_zone(self.expr(node.value, scope, info.pieces), info, args, node, scope)
            return FALSE if test.type == POISON else self._signed(test, node)
        value = self.expr(node.value, scope)
        if value.type == POISON:
            return FALSE
        match domain:
            case ast.ZoneDomain(name=word):
                self.program.unknown(word, self.program.zones, "zone")
                return FALSE
            case ast.TypeDomain(type=type_):
                test = self.member_test("in_type", value, self.declare.type(type_, may_be_open=True), node.span)
            case ast.SetDomain(items=items):
                here = [item for item in items if not self.absent(item, scope, value.type)]
                listed = tuple(self._listed_value(value, item, scope) for item in here)
                test = expand_form("in", (value, *listed), value.type, ir.BOOL)
            case ast.CallDomain() | ast.TurnDomain():
                binder, test_ = self.binder(
                    ast.Binder(ast.Word("its value", span=node.span), domain, span=node.span), scope
                )
                inside = self.coerce(value, binder.type, node.value.span)
                if binder.among is not None:
                    table, index = binder.among
                    test_ = ir.Lookup(table, (*index, inside), ir.BOOL)
                if isinstance(test_, ir.Call):
                    test_ = ir.Call(test_.definition, (*test_.args[:-1], inside), ir.BOOL)
                test = test_ if test_ is not None else ir.Lit(1, ir.BOOL)
        return self._signed(test, node)

    def _listed_value(self, value: ir.Expr, item: ast.Expr, scope: Scope) -> ir.Expr:
        inner = value.type.parts[0] if value.type.kind == "optional" else value.type
        other = self.expr(item, scope, value.type if isinstance(item, ast.Name) and item.text == "none" else inner)
        if value.type.kind != "int":
            other = self.coerce(other, value.type, item.span)
        elif other.type.kind != "int":
            self.coerce(other, value.type, item.span)
        return other

    def _signed(self, test: ir.Expr, node: ast.InTest) -> ir.Expr:
        return ir.Apply("not", (test,), ir.BOOL) if node.negated else test

    def _stage_codes(self, name: str) -> tuple[int, ...] | None:
        if name in self.program.stagesets:
            return self.program.stagesets[name]
        if name in self.program.stages and name not in self.program.types:
            return tuple(self.program.stages[name].codes)
        return None

    def _aggregate(self, node: ast.Aggregate, scope: Scope) -> ir.Expr:
        binders, where, inner = self.over(node.binders, node.where, scope)
        counted = rounds(binders, where)
        many = counted[1]
        if many > MAX_NUMBER:
            self.program.bag.add(codes.PR303, f"{many:,} combinations are too many to go through", node.span)
            return POISONED
        if node.body is None:
            return ir.Fold("count", binders, where, lit(1), None, number(0, many))
        body = self.integer(node.body, inner)
        if body.type == POISON:
            return POISONED
        default = self.integer(node.default, scope) if node.default is not None else None
        if node.default is not None and FOLDS[node.op].empty is not None:
            what = f"the {node.op} of nothing is {FOLDS[node.op].empty}, so `else` is never reached"
            self.program.bag.add(codes.PR301, what, node.default.span, help="leave it out")
            return POISONED
        lo, hi = folded(node.op, range_of(body.type), counted, None if default is None else range_of(default.type))
        if max(abs(lo), abs(hi)) > MAX_NUMBER and not self.endless(body):
            help_ = "give what it is made of a smaller range"
            self.program.bag.add(codes.PR314, f"this sum can grow beyond {MAX_NUMBER:,}", node.span, help=help_)
            return POISONED
        if default is None and FOLDS[node.op].empty is None and counted[0] == 0:
            help_ = f"say what it is then: `{node.op} of … else 0`"
            self.program.bag.add(codes.PR310, f"there may be nothing to take the {node.op} of", node.span, help=help_)
            return POISONED
        return ir.Fold(node.op, binders, where, body, default, number(lo, hi))

    def _pick(self, node: ast.Pick, scope: Scope) -> ir.Expr:
        binders, where, inner = self.over((node.binder,), node.where, scope)
        binder = binders[0]
        keys = tuple(ir.Key(self.integer(key.value, inner), key.descending) for key in node.keys)
        if binder.type == POISON:
            return POISONED
        sure = rounds(binders, where)[0] > 0
        if binder.type.kind == "optional" and not sure:
            self.program.bag.add(codes.PR313, "a choice that may fail cannot range over optional values", node.span)
            return POISONED
        return ir.Pick(binder, where, keys, binder.type if sure else optional(binder.type))
