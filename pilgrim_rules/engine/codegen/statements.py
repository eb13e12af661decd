"""Statements: effects as Python source, writing into a `bytearray`.

Reads:  statements and the scope they stand in.   Writes: lines that change the working state `w`.
After:  the working state is what `effects.perform` gives, or one of `fail`, `twice`, `bad` was called, which raise.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import assert_never

from pilgrim_rules.core.ir import Apply, Assign, Bound, Branch, Define, Expr, Lit, Loop, Stmt
from pilgrim_rules.core.walk import assignments
from pilgrim_rules.engine.codegen import folds
from pilgrim_rules.engine.codegen.expressions import Coder
from pilgrim_rules.engine.codegen.ranges import Range, inside, range_of
from pilgrim_rules.engine.codegen.snippets import ADD, MUL, Code, Scope, plus
from pilgrim_rules.engine.layout import Field

WORK = "w"  #: the Python name of the working state
_ANYTHING: Range = (-(10**18), 10**18)  #: nothing is known of a number


@dataclass(frozen=True, slots=True)
class _Ledger:
    """The dictionaries of a simultaneous loop that may write a cell more than once.

    For each variable: `sets` and `adds` by place, and `last`, the line that added last to a place.
    """

    names: dict[str, tuple[str, str, str]]


class Scribe:
    """Writes the statements of one game."""

    def __init__(self, coder: Coder) -> None:
        self._coder = coder
        self._writer = coder.writer

    def block(self, block: tuple[Stmt, ...], scope: Scope, ledger: _Ledger | None = None) -> None:
        """Write statements; with a ledger, inside a simultaneous loop that keeps one."""
        coder = self._coder
        for stmt in block:
            match stmt:
                case Assign():
                    self._assign(stmt, scope, ledger)
                case Define(name=name, value=value):
                    value = coder.simplify(value)
                    span = coder.bounds(value, scope)
                    code = coder.code(value, scope)
                    scope = scope.bind(name, coder.named(code, name), span)
                case Branch(test=test, then=then, other=other):
                    with self._writer.block(f"if {coder.expr(test, scope).text}:"):
                        self.block(then, scope, ledger)
                    if other:
                        with self._writer.block("else:"):
                            self.block(other, scope, ledger)
                case Loop(simultaneous=True) if scope.now == WORK:
                    self._together(stmt, scope)
                case Loop():
                    self._loop(stmt, scope, ledger)
                case _:
                    assert_never(stmt)

    # ----------------------------------------------------------------------------------------------------------- loops

    def _loop(self, stmt: Loop, scope: Scope, ledger: _Ledger | None) -> None:
        simplified = self._coder.simplify.binder(stmt.binder)
        with folds.loop(self._coder, simplified, scope) as inner:
            if stmt.where is None:
                self.block(stmt.body, inner, ledger)
            else:
                with self._writer.block(f"if {self._coder.expr(stmt.where, inner).text}:"):
                    self.block(stmt.body, inner, ledger)

    def _together(self, stmt: Loop, scope: Scope) -> None:
        """Write a simultaneous loop: it reads a copy of the working state."""
        start = self._writer.name("start")
        with self._writer.aside() as lines:
            self._rounds(stmt, replace(scope, now=start))
        if any(start in text for _, text in lines):
            self._writer.line(f"{start} = bytes({WORK})")
        self._writer.paste(lines)

    def _rounds(self, stmt: Loop, scope: Scope) -> None:
        """Write the rounds of a simultaneous loop, in a scope that reads the state at its start."""
        if _writes_each_cell_once(stmt):
            self._loop(stmt, scope, None)
            return
        ledger = _Ledger({})
        for variable in dict.fromkeys(each.variable for each in assignments((stmt,))):
            names = (self._writer.name("sets"), self._writer.name("adds"), self._writer.name("last"))
            ledger.names[variable] = names
            self._writer.line(f"{names[0]}, {names[1]}, {names[2]} = {{}}, {{}}, {{}}")
        self._loop(stmt, scope, ledger)
        for variable, names in ledger.names.items():
            self._post(self._coder.layout.by_name[variable], names)

    def _post(self, field: Field, names: tuple[str, str, str]) -> None:
        """Write what a ledger holds for one variable into the working state."""
        sets, adds, last = names
        place, value = self._writer.name("at"), self._writer.name("value")
        with self._writer.block(f"for {place}, {value} in {sets}.items():"):
            self._store(field, Code(place), Code(value))
        with self._writer.block(f"for {place}, {value} in {adds}.items():"):
            self._writer.line(f"{value} += {self._coder.raw(WORK, Code(place), field.width).text}")
            self._check(field, Code(place), value, f"{last}[{place}]", _ANYTHING, raw=True)
            self._store(field, Code(place), Code(value), raw=True)

    # ----------------------------------------------------------------------------------------------------- assignments

    def _assign(self, stmt: Assign, scope: Scope, ledger: _Ledger | None) -> None:
        coder = self._coder
        field = coder.layout.by_name[stmt.variable]
        type_ = field.variable.type
        index = tuple(coder.simplify(each) for each in stmt.index)
        value = coder.simplify(stmt.value)
        span = coder.bounds(value, scope)
        at = coder.place(field.variable.index, index, field.offset, field.width, scope)
        site = str(coder.sites.assign(stmt))
        if ledger is not None:
            self._enter(stmt, Code(coder.named(at)), Code(coder.named(coder.code(value, scope))), span, ledger)
            return
        if stmt.mode == "add":
            at = Code(coder.named(at))
            # In raw numbers: what the type counts from is in the cell already.
            local = self._writer.name()
            self._writer.line(f"{local} = {self._sum(coder.raw(WORK, at, field.width), value, scope)}")
            self._check(field, at, local, site, (span[0], type_.size - 1 + span[1]), raw=True)
            self._store(field, at, Code(local), raw=True)
            return
        code = coder.code(value, scope)
        if not inside(span, range_of(type_)):
            at, code = Code(coder.named(at)), Code(coder.named(code))
            self._check(field, at, code.text, site, span, raw=False)
        self._store(field, at, code)

    def _sum(self, raw: Code, value: Expr, scope: Scope) -> str:
        match value:
            case Apply(op="-", args=(Lit(value=0), less)):
                return f"{raw.within(ADD)} - {self._coder.code(less, scope).within(MUL)}"
            case _:
                return plus(raw.within(ADD), self._coder.code(value, scope).within(ADD))

    def _enter(self, stmt: Assign, at: Code, value: Code, span: Range, ledger: _Ledger) -> None:
        """Write an assignment into the ledger of its loop."""
        field = self._coder.layout.by_name[stmt.variable]
        sets, adds, last = ledger.names[stmt.variable]
        site = str(self._coder.sites.assign(stmt))
        both = f"{at.text} in {sets} or {at.text} in {adds}" if stmt.mode == "set" else f"{at.text} in {sets}"
        with self._writer.block(f"if {both}:"):
            self._writer.line(f"twice({site}, {at.text})")
        if stmt.mode == "set":
            if not inside(span, range_of(field.variable.type)):
                self._check(field, at, value.text, site, span, raw=False)
            self._writer.line(f"{sets}[{at.text}] = {value.text}")
        else:
            self._writer.line(f"{adds}[{at.text}] = {adds}.get({at.text}, 0) + {value.text}")
            self._writer.line(f"{last}[{at.text}] = {site}")

    def _check(self, field: Field, at: Code, local: str, site: str, span: Range, *, raw: bool) -> None:
        """Write the question whether a cell can hold a value between `span`; raw values are counted from the lowest."""
        type_ = field.variable.type
        lo, hi = (0, type_.hi - type_.lo) if raw else (type_.lo, type_.hi)
        value = local if not raw or type_.lo == 0 else plus(local, str(type_.lo))
        tests = [f"{local} < {lo}"] * (span[0] < lo) + [f"{local} > {hi}"] * (span[1] > hi)
        if tests:
            with self._writer.block(f"if {' or '.join(tests)}:"):
                self._writer.line(f"fail({site}, {at.text}, {value})")

    def _store(self, field: Field, at: Code, value: Code, *, raw: bool = False) -> None:
        lo = 0 if raw else field.variable.type.lo
        if lo:
            value = Code(plus(value.within(ADD), str(-lo)), ADD)
        if field.width == 1:
            self._writer.line(f"{WORK}[{at.text}] = {value.text}")
            return
        if not at.is_simple:
            at = Code(self._coder.named(at))
        end = self._coder.after(at, field.width)
        self._writer.line(f"{WORK}[{at.text}:{end}] = ({value.text}).to_bytes({field.width}, 'little')")


def _writes_each_cell_once(loop: Loop) -> bool:
    """Return whether the text shows that no two assignments of the loop write the same cell.

    So it is if each variable is written by one line, whose index names the variable of every loop around it.
    """
    lines = Counter(each.variable for each in assignments((loop,)))
    return max(lines.values(), default=0) <= 1 and _names_every_loop((loop,), frozenset())


def _names_every_loop(block: tuple[Stmt, ...], around: frozenset[str]) -> bool:
    for stmt in block:
        match stmt:
            case Assign(index=index):
                if not around <= {each.name for each in index if isinstance(each, Bound)}:
                    return False
            case Define(name=name):
                if name in around:  # the name means something else from here on
                    return False
            case Branch(then=then, other=other):
                if not (_names_every_loop(then, around) and _names_every_loop(other, around)):
                    return False
            case Loop(binder=binder, body=body):
                if binder.name in around or not _names_every_loop(body, around | {binder.name}):
                    return False
            case _:
                assert_never(stmt)
    return True
