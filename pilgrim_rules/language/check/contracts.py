"""Contracts: what an action does, said apart from how -> claims about its steps.

Reads:  contracts and the lowered actions, through the checker.   Writes: claims of the kind `contract`.
After:  each says something of every step that its action makes. With `changes only`, whatever the action writes and no
        line names is claimed to stay as it is; a cell that several lines name changes by the sum of their amounts. A zone
        stands for the pieces that lie there: which they are, and for amounts how many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import prod
from typing import assert_never

from pilgrim_rules.core import ir
from pilgrim_rules.core.footprint import writes
from pilgrim_rules.core.smart_constructors import (
    FALSE,
    TRUE,
    arithmetic,
    conjunction,
    connected,
    equals,
    lit,
    number,
    optional,
)
from pilgrim_rules.core.sub_turns import goes_with_the_stage
from pilgrim_rules.core.walk import substitute
from pilgrim_rules.core.zones import COUNT, LEFT, PLACE, POSITION, ROLLING, SOURCE, TARGET
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.language.check.constant import value_of
from pilgrim_rules.language.check.data_and_state import DataAndState
from pilgrim_rules.language.check.program_info import POISON, ProgramInfo, ZoneInfo
from pilgrim_rules.language.check.scope import CONSTANT, STEP, Scope
from pilgrim_rules.language.check.stages import StageTable
from pilgrim_rules.language.check.zone_tables import tables_of
from pilgrim_rules.language.syntax import ast

ANY = "_"  #: in an index: all values
FRAME = "frame"  #: the part of a contract that says what stays as it is
_BEFORE_AND_AFTER: tuple[ir.When, ...] = ("now", "next")
_PLACE = "a place"  #: stands for where a piece lies, in the test whether that is a named zone


@dataclass(frozen=True, slots=True)
class _Change:
    """What a line says of the cells of one variable: that those which match change by an amount, or somehow.

    Of a variable that says of each piece where it is, `matches` asks whether a place is of the zone that was named.
    """

    variable: ir.Variable
    matches: ir.Expr
    amount: ir.Expr | None
    line: ast.ContractLine


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a contract: its name, what it claims, and the lines it comes from."""

    name: str
    formula: ir.Expr
    lines: tuple[ast.ContractLine, ...]


@dataclass(slots=True)
class Contracts:
    """The lowering of contracts."""

    tables: DataAndState
    stages: StageTable

    @property
    def _program(self) -> ProgramInfo:
        return self.tables.program

    def claims(self, lemmas: frozenset[str]) -> tuple[ir.Claim, ...]:
        """Return what the contracts claim in this reading, by means of the lemmas that are claimed in it."""
        nodes = [node for node in self._program.symbols.claims.values() if isinstance(node, ast.Contract)]
        return tuple(claim for node in nodes for claim in self._contract(node, lemmas))

    def _contract(self, node: ast.Contract, lemmas: frozenset[str]) -> Iterator[ir.Claim]:
        program, name = self._program, node.of.text
        rule = program.symbols.rules.get(name)
        if not isinstance(rule, ast.Action):
            actions = [each for each, rule in program.symbols.rules.items() if isinstance(rule, ast.Action)]
            program.unknown(node.of, actions, "action")
            return
        if name not in program.actions:  # an action of other readings, or one that was refused
            return
        when = None if node.when is None else self.tables.check.boolean(node.when, Scope(CONSTANT))
        if when is not None and when.type != POISON and value_of(when, program, node.name.span) == 0:
            return
        action = program.actions[name]
        scope = Scope(STEP)
        for param in action.params:
            scope = scope.bind(param.name, ir.Bound(param.name, param.type))
        for carried, info in self.stages.during(rule)[1].items():
            if info.carries is not None:
                scope = scope.bind(carried, ir.Bound(carried, info.carries))
        using = tuple(word.text for word in node.using if word.text in lemmas)
        for part in self._parts(node, action, scope):
            cites = program.clauses((*node.cites, *(word for line in part.lines for word in line.cites)))
            note = ir.Note(node.doc, tuple(dict.fromkeys(cites)), part.lines[0].span)
            words = "; ".join(dict.fromkeys(map(self._written, part.lines)))
            called = f"{node.name.text}.{part.name}"
            yield ir.Claim(called, "contract", part.formula, using, note, when=when, action=name, words=words)

    def _written(self, line: ast.ContractLine) -> str:
        """Return a line as its author wrote it, without the clauses that it cites."""
        source = self._program.bag.sources.get(line.span.file)
        text = "" if source is None else source.text[line.span.start : line.span.end]
        code = (part.partition("#")[0] for part in text.splitlines())
        return " ".join(" ".join(code).split()).partition(" cites ")[0]

    def _parts(self, node: ast.Contract, action: ir.Action, scope: Scope) -> Iterator[_Part]:
        """Yield each part of a contract."""
        changes: list[_Change] = []
        framed: ast.ChangesOnly | None = None
        ensured = 0
        for line in node.lines:
            match line:
                case ast.ChangesOnly(cells=cells):
                    framed = framed or line
                    changes += [change for cell in cells for change in self._named(cell, line, scope)]
                case ast.Amount():
                    changes += self._amounts(line, scope)
                case ast.Ensures(formula=formula):
                    ensured += 1
                    yield _Part(f"ensures_{ensured}", self.tables.check.boolean(formula, scope), (line,))
                case _:
                    assert_never(line)
        exact = sorted((each for each in changes if each.amount is not None), key=lambda each: each.variable.name)
        for name, group in groupby(exact, key=lambda each: each.variable.name):
            lines = list(group)
            yield _Part(name, _by_amounts(lines), tuple(dict.fromkeys(each.line for each in lines)))
        if framed is not None:
            yield _Part(FRAME, self._frame(action, changes), (framed,))

    def _named(self, cell: ast.AssignTarget, line: ast.ContractLine, scope: Scope) -> list[_Change]:
        """Return that the cells which match may change; nothing after a mistake."""
        zone = self._program.zones.get(cell.name.text)
        if zone is not None and not zone.kinds:
            return self._in_zone(cell, zone, line, scope)
        variable = self._variable(cell)
        if variable is None:
            return []
        tests = self._tests(cell, variable, scope)
        return [] if tests is None else [_Change(variable, conjunction(*tests), None, line)]

    def _in_zone(self, cell: ast.AssignTarget, zone: ZoneInfo, line: ast.ContractLine, scope: Scope) -> list[_Change]:
        """Return that pieces may come to a zone, leave it, and move in it; nothing after a mistake."""
        place = ir.Bound(_PLACE, zone.place)
        if not cell.args or [arg.text for arg in cell.args if isinstance(arg, ast.Name)] == [ANY]:
            named = connected("or", [equals(place, ir.Lit(code, zone.place)) for code in zone.codes])
        else:
            found = self.tables.check.zone(zone.name, cell.args, cell, scope)
            if found is None:
                return []
            named = equals(place, found.place)
        tables = tables_of(self._program, zone)
        changes = [_Change(tables.place, named, None, line)]
        if tables.count is not None:
            counted = substitute(named, {_PLACE: _cell(tables.count)[0]})
            changes.append(_Change(tables.count, counted, None, line))
        if tables.position is not None:
            changes.append(_Change(tables.position, named, None, line))
        return changes

    def _variable(self, cell: ast.AssignTarget) -> ir.Variable | None:
        program, name = self._program, cell.name.text
        variable = program.variables.get(name)
        if variable is None:
            program.unknown(cell.name, program.variables, "variable")
        elif variable.ghost:
            what = f"`{name}` is a ghost, which no action changes in play"
            program.bag.add(codes.PR514, what, cell.span, help="contracts speak of what is played with")
        elif len(cell.args) != len(variable.index) and cell.args:
            what = f"`{name}` has {len(variable.index)} indices, and here are {len(cell.args)}"
            program.bag.add(codes.PR304, what, cell.span, help=f"`{ANY}` stands for all values of one")
        else:
            return variable
        return None

    def _tests(self, cell: ast.AssignTarget, variable: ir.Variable, scope: Scope) -> list[ir.Expr] | None:
        """Return when a cell, whose index has names that no text can spell, is the one that the author named."""
        tests: list[ir.Expr] = []
        for arg, bound in zip(cell.args, _cell(variable), strict=bool(cell.args)):
            if isinstance(arg, ast.NamedArg):
                self._program.bag.add(codes.PR514, "an index has no name", arg.span)
                return None
            if isinstance(arg, ast.Name) and arg.text == ANY:
                continue
            found = self.tables.check.expr(arg, scope, bound.type)
            want = (
                optional(bound.type) if found.type.kind == "optional" and bound.type.kind != "optional" else bound.type
            )
            index = self.tables.check.coerce(found, want, arg.span)
            if index.type == POISON:
                return None
            tests.append(equals(bound, index))
        return tests

    def _amounts(self, line: ast.Amount, scope: Scope) -> Iterator[_Change]:
        check = self.tables.check
        binders, where, inner = check.over(line.binders, line.where, scope)
        amount = check.integer(line.amount, inner)
        if amount.type == POISON:
            return
        paid = arithmetic("-", lit(0), amount)
        sides = ((line.cell, amount if line.gains else paid), *(() if line.to is None else ((line.to, amount),)))
        for cell, change in sides:
            for found in self._named(cell, line, inner):
                if cell.name.text in self._program.zones and not found.variable.name.startswith(COUNT):
                    test = conjunction(*(() if where is None else (where,)), found.matches)
                    yield replace(found, matches=_some(binders, test))  # no amount says which pieces they are
                    continue
                if found.variable.type.kind != "int":
                    what = f"`{found.variable.name}` holds no number, so it gains and pays nothing"
                    self._program.bag.add(codes.PR514, what, cell.span, help="say with `ensures` what it becomes")
                    continue
                test = conjunction(*(() if where is None else (where,)), found.matches)
                yield _Change(found.variable, _some(binders, test), _sum(binders, test, change), line)

    def _frame(self, action: ir.Action, changes: Sequence[_Change]) -> ir.Expr:
        """Return that whatever the action writes stays as it is, where no line says otherwise."""
        kept: list[ir.Expr] = []
        for variable in self._program.variables.values():
            if variable.ghost or variable.name not in writes(action.body):
                continue
            stands_for = "stage" if _is_of_the_stage(variable.name) else variable.name
            named = [each.matches for each in changes if each.variable.name == stands_for]
            free = connected("or", named) if named else FALSE
            if named and variable.name.startswith((PLACE, POSITION)):
                free = self._moves_in(free, variable)
            if free != TRUE:
                same = equals(_read(variable, "next"), _read(variable, "now"))
                kept.append(_all(variable, connected("or", [free, same])))
        return conjunction(*kept)

    def _moves_in(self, named: ir.Expr, variable: ir.Variable) -> ir.Expr:
        """Return that a piece goes from a named zone to a named zone, or has its position in one."""
        table = self._program.variables[PLACE + variable.index[0].name]
        where = ir.Read(table.name, _cell(variable), table.type)
        ends = [substitute(named, {_PLACE: replace(where, when=when)}) for when in _BEFORE_AND_AFTER]
        return connected("and" if variable == table else "or", ends)


def _is_of_the_stage(variable: str) -> bool:
    """Tell whether a variable says where play stands, or what chance has still to draw or to throw there."""
    return goes_with_the_stage(variable) or variable.startswith((LEFT, ROLLING, SOURCE, TARGET))


def _cell(variable: ir.Variable) -> tuple[ir.Bound, ...]:
    return tuple(ir.Bound(f"index {at} of {variable.name}", type_) for at, type_ in enumerate(variable.index, 1))


def _read(variable: ir.Variable, when: ir.When) -> ir.Read:
    return ir.Read(variable.name, _cell(variable), variable.type, when)


def _all(variable: ir.Variable, body: ir.Expr) -> ir.Expr:
    binders = tuple(ir.Binder(bound.name, bound.type) for bound in _cell(variable))
    return ir.Fold("all", binders, None, body, None, ir.BOOL) if binders else body


def _some(binders: tuple[ir.Binder, ...], test: ir.Expr) -> ir.Expr:
    return ir.Fold("some", binders, None, test, None, ir.BOOL) if binders else test


def _sum(binders: tuple[ir.Binder, ...], test: ir.Expr, amount: ir.Expr) -> ir.Expr:
    """Return what a line adds to a cell: the amounts of all choices for which the cell is the one it names."""
    once = amount if test == TRUE else ir.Cond(test, amount, lit(0), _with_zero(amount.type))
    if not binders:
        return once
    size = prod(binder.type.size for binder in binders)
    return ir.Fold("sum", binders, None, once, None, number(min(0, once.type.lo * size), max(0, once.type.hi * size)))


def _with_zero(type_: ir.Type) -> ir.Type:
    return number(min(0, type_.lo), max(0, type_.hi))


def _by_amounts(lines: Iterable[_Change]) -> ir.Expr:
    """Return that the cells of one variable which the lines name change by just the sum of their amounts."""
    found = list(lines)
    variable = found[0].variable
    after: ir.Expr = _read(variable, "now")
    for each in found:
        assert each.amount is not None, "only lines with amounts"
        after = arithmetic("+", after, each.amount)
    named = connected("or", [each.matches for each in found])
    exact = equals(_read(variable, "next"), after)
    return _all(variable, exact if named == TRUE else ir.Apply("implies", (named, exact), ir.BOOL))
