"""Values: names, cells of tables, columns, pairs and their parts.

Reads:  surface expressions, the program, the scope.   Writes: core reads and lookups.
After:  what is read may be read at its place, and every index lies inside its table.
"""

from __future__ import annotations

from dataclasses import dataclass

from pilgrim_rules.core import ir
from pilgrim_rules.core.forms import expand_form
from pilgrim_rules.core.smart_constructors import FALSE, TRUE, lit, number, pair
from pilgrim_rules.core.values import pair as pair_code
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.language.check.checker import Checker
from pilgrim_rules.language.check.program_info import POISON, POISONED, ZoneInfo
from pilgrim_rules.language.check.scope import Scope
from pilgrim_rules.language.syntax import ast

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
            people = self.program.people
            return expand_form("players", (), number(1, people), number(people, people))
        if text in self.program.variables:
            return self.read(node, (), scope)
        if text in self.program.constants:
            return self._lookup(text, (), node, scope)
        if text in self.program.defs:
            self.program.bag.add(codes.PR208, f"`{text}` is a definition", node.span, help=f"apply it: `{text}(…)`")
            return POISONED
        if text == "seats" and text not in self.program.labels:
            return lit(self.program.player.size)
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
        nobody = inner is not None and self.absent(node, scope, inner)
        owners = [] if nobody else self.program.labels.get(text, [])
        if len(owners) == 1:
            return ir.Lit(owners[0].labels.index(text), owners[0])
        if owners:
            said = " and ".join(f"`{owner.name}`" for owner in owners)
            self.program.bag.add(
                codes.PR212, f"`{text}` is a label of {said}", node.span, help="compare it with a value of one of them"
            )
        elif text in self.program.absent and scope.dead:
            return ir.Lit(self.program.player.lo, self.program.player)
        elif text in self.program.absent:
            what = f"`{text}` does not play with {self.program.player.size} players"
            help_ = f"compare with it (nobody is `{text}` then), or ask before: `if players > {self._seat(text)}`"
            self.program.bag.add(codes.PR201, what, node.span, help=help_)
        elif text not in self.program.broken and not self.program.unsure:
            near = inner.labels if inner is not None and inner.kind == "enum" else tuple(self.program.labels)
            known = (*scope.names, *self.program.variables, *self.program.constants, *self.program.defs, *near)
            self.program.unknown(node, known)
        return POISONED

    def _seat(self, player: str) -> int:
        """Return how many seats there are before that of an absent player."""
        return self.program.player.size + self.program.absent.index(player)

    def absent(self, node: ast.Expr, scope: Scope, with_type: ir.Type | None = None) -> bool:
        """Tell whether a name is that of a player who does not play in this instance, so that nobody is that player.

        A label of another type may have the same name; then the type of what it is compared with decides.
        """
        if not isinstance(node, ast.Name) or node.text not in self.program.absent:
            return False
        if any(node.text in names for names in (scope.names, self.program.variables, self.program.constants)):
            return False
        if with_type is None or with_type == POISON:
            return True
        inner = with_type.parts[0] if with_type.kind == "optional" else with_type
        return (
            inner.kind == "enum"
            and node.text not in inner.labels
            and set(self.program.player.labels) <= set(inner.labels)
        )

    def read(self, node: ast.Name, index: tuple[ir.Expr, ...], scope: Scope) -> ir.Expr:
        """Return the value of a state variable, if it may be read here."""
        variable = self.program.variables.get(node.text)
        may = scope.may
        if variable is None:
            if node.text in self.program.defs and node.primed:
                asked = f"ask it behind its brackets: `{node.text}'()`"
                self.program.bag.add(codes.PR208, f"`{node.text}` is no variable", node.span, help=asked)
            else:
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

    def readable(self, word: ast.Word, scope: Scope, definition: str | None = None) -> bool:
        """Tell whether a definition (of the name, if no other is meant) reads only what may be read here; report it if not."""
        may = scope.may
        if (definition or word.text) in self.program.networked and not may.network:
            self.only_looked_at(f"`{word.text}` asks a network, and {may.place} cannot", word.span)
            return False
        for name in sorted(self.program.reads[definition or word.text]):
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

    def only_looked_at(self, what: str, span: Span) -> None:
        """Report a question to a network where play or a proof would need the answer."""
        help_ = "ask it in an `audit`, a score or an example; what play needs is kept in the state"
        self.program.bag.add(codes.PR502, what, span, help=help_)

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
        zone = self.program.zones.get(base.text)
        if zone is not None and not zone.kinds:
            return self.place(zone, node.args, node, scope)
        table = self.program.variables.get(base.text) or self.program.constants.get(base.text)
        if table is None:
            known = (*self.program.variables, *self.program.constants)
            if f"{base.text}.1" in scope.names:
                what, help_ = f"`{base.text}` is a choice of several", f"the first of them is `{base.text}.1`"
                self.program.bag.add(codes.PR312, what, base.span, help=help_)
            elif base.text in self.program.defs:
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

    def place(self, info: ZoneInfo, args: tuple[ast.Arg, ...], node: ast.Node, scope: Scope) -> ir.Expr:
        """Return the place that a zone of pieces stands for."""
        types = () if info.index is None else (info.index,)
        index = self.indices(args, types, info.name, node.span, scope)
        if index is None or POISON in (*types, info.pieces):
            return POISONED
        if info.index is None:
            return ir.Lit(info.first, info.place)
        return expand_form("zone", index, info.index, info.place, info.name)

    def _column(self, node: ast.Attribute, args: tuple[ast.Arg, ...], scope: Scope) -> ir.Expr:
        base = self.expr(node.base, scope)
        type_ = base.type
        if type_ == POISON:
            return POISONED
        if type_.kind == "optional":
            self.coerce(base, type_.parts[0], node.base.span)
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

    def _part(self, node: ast.PairPart, scope: Scope) -> ir.Expr:
        if isinstance(node.base, ast.Name) and f"{node.base.text}.{node.number}" in scope.names:
            return scope.names[f"{node.base.text}.{node.number}"]  # one of several that were chosen
        base = self.expr(node.base, scope)
        if base.type == POISON:
            return POISONED
        if base.type.kind != "pair" or node.number not in (1, 2):
            if base.type.kind == "optional":
                self.coerce(base, base.type.parts[0], node.base.span)
            else:
                self.program.bag.add(
                    codes.PR307,
                    f"`{base.type.name}` has no part {node.number}",
                    node.span,
                    help="a pair has parts 1 and 2",
                )
            return POISONED
        at = node.number - 1
        return expand_form("second" if at else "first", (base,), base.type, base.type.parts[at])

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
        return expand_form("pair", (left, right), type_, type_)

    def _member(self, node: ast.Expr, scope: Scope, want: ir.Type | None) -> ir.Expr:
        return self.expr(node, scope) if want is None else self.fitted(node, scope, want)
