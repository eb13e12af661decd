"""Values: names, cells of tables, columns, pairs and their parts.

Reads:  surface expressions, the program, the scope.   Writes: core reads and lookups.
After:  what is read may be read at its place, and every index lies inside its table.
"""

from __future__ import annotations

from dataclasses import dataclass

from pilgrim_rules.core import ir
from pilgrim_rules.core.values import pair as pair_code
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.source import Span
from pilgrim_rules.syntax import ast
from pilgrim_rules.types.checker import Checker
from pilgrim_rules.types.program import FALSE, POISON, POISONED, TRUE, lit, number, pair
from pilgrim_rules.types.scope import Scope

_GHOSTS = "ghosts are for claims; keep a state variable if play needs the value"


@dataclass(slots=True)
class Values(Checker):
    """The checker of names, tables and pairs."""

    def name(self, node: ast.Name, scope: Scope, want: ir.Type | None) -> ir.Expr:
        """Return what a name stands for."""
        text = node.text
        if node.primed:
            return self.read(node, (), scope)
        if text in scope.names:
            return scope.names[text]
        if text in ("true", "false"):
            return TRUE if text == "true" else FALSE
        if text == "none":
            return self._none(node, want)
        if text == "players":
            return lit(self.program.player.size)
        if text in self.program.variables:
            return self.read(node, (), scope)
        if text in self.program.constants:
            return self._lookup(text, (), node, scope)
        if text in self.program.defs:
            self.program.bag.add(codes.PR208, f"`{text}` is a definition", node.span, help=f"apply it: `{text}(…)`")
            return POISONED
        return self._label(node, scope, want)

    def _none(self, node: ast.Name, want: ir.Type | None) -> ir.Expr:
        if want is POISON:
            return POISONED
        if want is None or want.kind != "optional":
            self.program.bag.add(
                codes.PR301, "`none` is wanted nowhere here", node.span, help="ask `x is none` of an optional value"
            )
            return POISONED
        return ir.Lit(want.hi, want)

    def _label(self, node: ast.Name, scope: Scope, want: ir.Type | None) -> ir.Expr:
        text = node.text
        inner = want.parts[0] if want is not None and want.kind == "optional" else want
        if inner is not None and inner.kind == "enum" and text in inner.labels:
            return ir.Lit(inner.labels.index(text), inner)
        owners = self.program.labels.get(text, [])
        if len(owners) == 1:
            return ir.Lit(owners[0].labels.index(text), owners[0])
        if owners:
            said = " and ".join(f"`{owner.name}`" for owner in owners)
            self.program.bag.add(
                codes.PR212, f"`{text}` is a label of {said}", node.span, help="compare it with a value of one of them"
            )
        elif text not in self.program.broken and not self.program.unsure:
            near = inner.labels if inner is not None and inner.kind == "enum" else tuple(self.program.labels)
            known = (*scope.names, *self.program.variables, *self.program.constants, *self.program.defs, *near)
            self.program.unknown(node, known)
        return POISONED

    def read(self, node: ast.Name, index: tuple[ir.Expr, ...], scope: Scope) -> ir.Expr:
        """Return the value of a state variable, if it may be read here."""
        variable = self.program.variables.get(node.text)
        may = scope.may
        if variable is None:
            self.program.unknown(node, self.program.variables, "variable")
            return POISONED
        if not may.state:
            code, help_ = may.refusal
            what = f"`{node.text}` changes in play, so {may.place} cannot use it"
            self.program.bag.add(code, what, node.span, help=help_)
            return POISONED
        if variable.ghost and not may.ghost:
            what = f"`{node.text}` is a ghost, so {may.place} cannot read it"
            self.program.bag.add(codes.PR402, what, node.span, help=_GHOSTS)
            return POISONED
        if node.primed and not may.next:
            self.program.bag.add(
                codes.PR409,
                f"`{node.text}'` has no meaning in {may.place}",
                node.span,
                help="only `step` claims look at the next state",
            )
            return POISONED
        if len(index) != len(variable.index):
            self._arity(node.text, len(variable.index), len(index), node.span)
            return POISONED
        return ir.Read(variable.name, index, variable.type, "next" if node.primed else "now")

    def readable(self, word: ast.Word, scope: Scope) -> bool:
        """Tell whether a definition reads only what may be read here; report it if not."""
        may = scope.may
        for name in sorted(self.program.reads[word.text]):
            if not may.state:
                code, help_ = may.refusal
                what = f"`{word.text}` reads `{name}`, which changes in play, so {may.place} cannot use it"
            elif self.program.variables[name].ghost and not may.ghost:
                code, help_ = codes.PR402, _GHOSTS
                what = f"`{word.text}` reads the ghost `{name}`, so {may.place} cannot use it"
            else:
                continue
            self.program.bag.add(code, what, word.span, help=help_)
            return False
        return True

    def _arity(self, name: str, wanted: int, given: int, span: Span) -> None:
        counted = "no index" if wanted == 0 else "1 index" if wanted == 1 else f"{wanted} indices"
        self.program.bag.add(codes.PR304, f"`{name}` takes {counted}, not {given}", span)

    def _lookup(self, name: str, index: tuple[ir.Expr, ...], node: ast.Expr, _scope: Scope) -> ir.Expr:
        constant = self.program.constants[name]
        if len(index) != len(constant.index):
            self._arity(name, len(constant.index), len(index), node.span)
            return POISONED
        type_ = constant.type
        if not index and type_.kind == "int" and not constant.assumed:
            type_ = number(constant.values[0], constant.values[0])  # it is known, so it may bound other numbers
        return ir.Lookup(name, index, type_)

    # tables, columns, parts ----------------------------------------------------------------------------------------

    def indices(
        self, args: tuple[ast.Arg, ...], types: tuple[ir.Type, ...], name: str, span: Span, scope: Scope
    ) -> tuple[ir.Expr, ...] | None:
        """Return index expressions inside a table of these index types; None after an error."""
        if len(args) != len(types):
            self._arity(name, len(types), len(args), span)
            return None
        found = []
        for arg, type_ in zip(args, types, strict=True):
            if isinstance(arg, ast.NamedArg):
                self.program.bag.add(codes.PR304, "an index has no name", arg.span)
                return None
            made = self.fitted(arg, scope, type_, codes.PR305)
            found.append(made)
        return None if any(each.type == POISON for each in found) else tuple(found)

    def _index(self, node: ast.Index, scope: Scope) -> ir.Expr:
        base = node.base
        if isinstance(base, ast.Attribute):
            return self._column(base, node.args, scope)
        if not isinstance(base, ast.Name) or base.text in scope.names:
            self.program.bag.add(codes.PR312, "only variables, parameters and columns have indices", base.span)
            return POISONED
        table = self.program.variables.get(base.text) or self.program.constants.get(base.text)
        if table is None:
            known = (*self.program.variables, *self.program.constants)
            if base.text in self.program.defs:
                self.program.bag.add(
                    codes.PR312, f"`{base.text}` is a definition", base.span, help=f"write `{base.text}(…)`"
                )
            else:
                self.program.unknown(base, known)
            return POISONED
        index = self.indices(node.args, table.index, base.text, node.span, scope)
        if index is None:
            return POISONED
        return (
            self.read(base, index, scope)
            if isinstance(table, ir.Variable)
            else self._lookup(base.text, index, node, scope)
        )

    def _column(self, node: ast.Attribute, args: tuple[ast.Arg, ...], scope: Scope) -> ir.Expr:
        base = self.expr(node.base, scope)
        type_ = base.type
        if type_ == POISON:
            return POISONED
        if type_.kind == "optional":
            self.fit(base, type_.parts[0], node.base.span)
            return POISONED
        table = self.program.columns.get((type_.name, node.name.text))
        if table is None and f"{type_.name}.{node.name.text}" in self.program.broken:
            return POISONED
        if table is None:
            columns = [column for owner, column in self.program.columns if owner == type_.name]
            self.program.unknown(node.name, columns, f"column of `{type_.name}`", codes.PR307)
            return POISONED
        constant = self.program.constants[table]
        index = self.indices(args, constant.index[1:], node.name.text, node.span, scope)
        return POISONED if index is None else ir.Lookup(table, (base, *index), constant.type)

    def _part(self, node: ast.Part, scope: Scope) -> ir.Expr:
        base = self.expr(node.base, scope)
        if base.type == POISON:
            return POISONED
        if base.type.kind != "pair" or node.number not in (1, 2):
            if base.type.kind == "optional":
                self.fit(base, base.type.parts[0], node.base.span)
            else:
                self.program.bag.add(
                    codes.PR307,
                    f"`{base.type.name}` has no part {node.number}",
                    node.span,
                    help="a pair has parts 1 and 2",
                )
            return POISONED
        left, right = base.type.parts
        op: ir.Operator = "div" if node.number == 1 else "mod"
        part = left if node.number == 1 else right
        plain = ir.Apply(op, (base, lit(right.size)), part if part.lo == 0 else number(0, part.size - 1))
        return plain if part.lo == 0 else ir.Apply("+", (plain, lit(part.lo)), part)

    def _tuple(self, node: ast.Tuple, scope: Scope, want: ir.Type | None) -> ir.Expr:
        if len(node.items) != 2:  # noqa: PLR2004  (a pair)
            self.program.bag.add(codes.PR301, "a pair has two parts", node.span)
            return POISONED
        inner = want.parts[0] if want is not None and want.kind == "optional" else want
        wanted = inner.parts if inner is not None and inner.kind == "pair" else (None, None)
        left, right = (self._member(item, scope, type_) for item, type_ in zip(node.items, wanted, strict=True))
        if POISON in (left.type, right.type):
            return POISONED
        type_ = inner if inner is not None and inner.kind == "pair" else pair(left.type, right.type)
        if isinstance(left, ir.Lit) and isinstance(right, ir.Lit):
            return ir.Lit(pair_code(type_, left.value, right.value), type_)
        first, second = type_.parts
        high = _scaled(_moved(left, -first.lo), second.size)
        return ir.Apply("+", (high, _moved(right, -second.lo)), type_)

    def _member(self, node: ast.Expr, scope: Scope, want: ir.Type | None) -> ir.Expr:
        return self.expr(node, scope) if want is None else self.fitted(node, scope, want)


def _moved(expr: ir.Expr, by: int) -> ir.Expr:
    if by == 0:
        return expr
    op: ir.Operator = "+" if by > 0 else "-"
    return ir.Apply(op, (expr, lit(abs(by))), number(expr.type.lo + by, expr.type.hi + by))


def _scaled(expr: ir.Expr, by: int) -> ir.Expr:
    return expr if by == 1 else ir.Apply("*", (expr, lit(by)), number(expr.type.lo * by, expr.type.hi * by))
