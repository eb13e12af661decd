"""Expressions: a core expression as Python source.

Reads:  simplified core expressions and the scope they stand in.
Writes: the text of a Python expression, and before it the lines that it needs (loops, names for values).
After:  the text has the value that `evaluate` gives, as a number; Booleans are 0 and 1, or False and True.

Lines that belong to an argument that may not be evaluated (behind `and`, `or`, a condition) are written inside an `if`,
so that a value is only ever asked for where it exists.
"""

from __future__ import annotations

from functools import reduce
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
    When,
)
from pilgrim_rules.core.walk import subexpressions
from pilgrim_rules.engine.codegen import folds
from pilgrim_rules.engine.codegen.ranges import Range, bounds, inside, range_of
from pilgrim_rules.engine.codegen.simplify import Simplifier
from pilgrim_rules.engine.codegen.sites import Sites
from pilgrim_rules.engine.codegen.snippets import (
    ADD,
    AND,
    ATOM,
    BITS,
    CHOICE,
    COMPARE,
    MUL,
    NOT,
    OR,
    Code,
    Scope,
    plus,
    tuple_of,
)
from pilgrim_rules.engine.codegen.tables import Tables
from pilgrim_rules.engine.codegen.writer import Writer, plain
from pilgrim_rules.engine.layout import Layout, steps_of
from pilgrim_rules.engine.scene import World


class Coder:
    """Writes expressions of one game."""

    def __init__(self, world: World, layout: Layout, sites: Sites) -> None:
        self.world = world
        self.layout = layout
        self.sites = sites
        self.writer = Writer()
        self.tables = Tables(world)
        self.simplify = Simplifier(world)
        self._def_numbers = {each.name: at for at, each in enumerate(world.game.defs)}
        self._def_whens: dict[str, tuple[When, ...]] = {}

    def expr(self, expr: Expr, scope: Scope) -> Code:
        """Return the code of an expression as the game has it."""
        return self.code(self.simplify(expr), scope)

    def bounds(self, expr: Expr, scope: Scope) -> Range:
        """Return the range of an expression."""
        return bounds(expr, scope.ranges, self.world)

    def code(self, expr: Expr, scope: Scope) -> Code:
        """Return the code of a simplified expression; lines it needs are written before."""
        match expr:
            case Lit(value=value):
                return Code(repr(value), ATOM if value >= 0 else ADD)
            case Bound(name=name):
                return Code(scope.names[name])
            case Read(variable=variable, index=index, when=when):
                return self._read(variable, index, scope.state(when), scope)
            case Lookup(table=table, index=index):
                constant = self.world.constants[table]
                at = self.place(constant.index, index, 0, 1, scope)
                return Code(f"{self.tables.constant(table)}[{at.text}]")
            case Apply():
                return self._apply(expr, scope)
            case Cond():
                return self._cond(expr, scope)
            case Let(name=name, value=value_, body=body):
                span = self.bounds(value_, scope)
                local = self.named(self.code(value_, scope), name)
                return self.code(body, scope.bind(name, local, span))
            case Checked():
                return self._checked(expr, scope)
            case Fold():
                return folds.fold(self, expr, scope)
            case Unique():
                return folds.unique(self, expr, scope)
            case Pick():
                return folds.pick(self, expr, scope)
            case Call(definition=name, args=args):
                states = [scope.state(when) for when in self.def_states(name)]
                values = [self.code(each, scope).text for each in args]
                return Code(f"{self.def_name(name)}({', '.join([*states, *values])})")
            case AskNetwork():
                return self._ask(expr, scope)
            case _:
                assert_never(expr)

    def _ask(self, expr: AskNetwork, scope: Scope) -> Code:
        """Return the question to the graph of the state, which the loader's `ask` draws; `none` is the last code."""
        number = next(at for at, each in enumerate(self.world.game.networks) if each.name == expr.network)
        index, *nodes = (
            tuple_of([self.code(part, scope).text for part in parts]) for parts in (expr.index, *expr.nodes)
        )
        asked = ", ".join([str(number), repr(expr.question), scope.state("now"), index, *nodes])
        return Code(f"ask({expr.type.hi}, {asked})")

    # --------------------------------------------------------------------------------------------------------- pieces

    def named(self, code: Code, hint: str = "") -> str:
        """Return a name or number with the value of the code; writes a line unless it is one already."""
        if code.is_simple:
            return code.text
        local = self.writer.name(hint)
        self.writer.line(f"{local} = {code.text}")
        return local

    def place(self, types: tuple[Type, ...], index: tuple[Expr, ...], offset: int, width: int, scope: Scope) -> Code:
        """Return where a cell of a row-major table lies, counted from `offset` in steps of `width`."""
        terms: list[str] = []
        for type_, step, each in zip(types, steps_of(types), index, strict=True):
            offset -= type_.lo * step * width
            if isinstance(each, Lit):
                offset += each.value * step * width
            elif step * width == 1:
                terms.append(self.code(each, scope).within(ADD))
            else:
                terms.append(f"{self.code(each, scope).within(ATOM)} * {step * width}")
        if offset or not terms:
            terms.append(str(offset))
        return Code(reduce(plus, terms), ADD)

    def def_name(self, name: str) -> str:
        """Return the Python name of a definition."""
        return f"d{self._def_numbers[name]}_{plain(name)}"

    def def_states(self, name: str) -> tuple[When, ...]:
        """Return which states a definition looks at, itself or through others; the present one always comes first."""
        if name not in self._def_whens:
            found: set[When] = set()
            for node in subexpressions(self.world.defs[name].body):
                if isinstance(node, Read):
                    found.add(node.when)
                elif isinstance(node, Call):
                    found.update(self.def_states(node.definition))
            self._def_whens[name] = ("now", *sorted(found - {"now"}))
        return self._def_whens[name]

    def raw(self, state: str, at: Code, width: int) -> Code:
        """Return the number stored at a place."""
        if width == 1:
            return Code(f"{state}[{at.text}]")
        if not at.is_simple:
            at = Code(self.named(at))
        rest = (f"{state}[{self.after(at, byte)}] << {8 * byte}" for byte in range(1, width))
        return Code(" | ".join((f"{state}[{at.text}]", *rest)), BITS)

    @staticmethod
    def after(at: Code, byte: int) -> str:
        """Return the place some bytes after a simple place."""
        return str(int(at.text) + byte) if at.text.isdecimal() else f"{at.text} + {byte}"

    def _read(self, variable: str, index: tuple[Expr, ...], state: str, scope: Scope) -> Code:
        field = self.layout.by_name[variable]
        at = self.place(field.variable.index, index, field.offset, field.width, scope)
        raw = self.raw(state, at, field.width)
        lo = field.variable.type.lo
        if lo == 0:
            return raw
        return Code(plus(raw.within(ADD), str(lo)), ADD)

    def _checked(self, expr: Checked, scope: Scope) -> Code:
        code = self.code(expr.value, scope)
        if inside(self.bounds(expr.value, scope), range_of(expr.type)):
            return code
        local = self.named(code)
        with self.writer.block(f"if not {expr.type.lo} <= {local} <= {expr.type.hi}:"):
            self.writer.line(f"bad({self.sites.checked(expr)}, {local})")
        return Code(local)

    # ------------------------------------------------------------------------------------------------------ operators

    def _apply(self, expr: Apply, scope: Scope) -> Code:
        match expr.op:
            case "and" | "or":
                return self._connective(expr.op, expr.args, scope, [])
            case "implies":
                raise AssertionError("simplified expressions have `or` instead")
            case "not":
                return Code(f"not {self.code(expr.args[0], scope).within(NOT)}", NOT)
            case "min" | "max":
                return self._extreme(expr.op, [self.code(each, scope) for each in expr.args])
            case _:
                return self._binary(expr, scope)

    def _binary(self, expr: Apply, scope: Scope) -> Code:
        args = [self.code(each, scope) for each in expr.args]
        level = {"*": MUL, "div": MUL, "mod": MUL, "+": ADD, "-": ADD}.get(expr.op, COMPARE)
        sign = {"div": "//", "mod": "%"}.get(expr.op, expr.op)
        # A comparison inside a comparison would chain; only `+` does not mind what stands right of it.
        left = args[0].within(level if level != COMPARE else BITS)
        right = args[1].within(level if sign == "+" else level - 1)
        return Code(f"{left} {sign} {right}", level)

    @staticmethod
    def _extreme(op: str, args: list[Code]) -> Code:
        if len(args) == 2 and all(each.is_simple for each in args):  # noqa: PLR2004  (two names: no call needed)
            left, right = args[0].text, args[1].text
            return Code(f"{left} if {left} {'<' if op == 'min' else '>'} {right} else {right}", CHOICE)
        return Code(f"{op}({', '.join(each.text for each in args)})")

    def _connective(self, op: str, args: tuple[Expr, ...], scope: Scope, texts: list[str]) -> Code:
        """Write the arguments as one expression as far as they need no lines; from there on inside an `if`."""
        level = AND if op == "and" else OR
        for at, arg in enumerate(args):
            with self.writer.aside() as lines:
                code = self.code(arg, scope)
            if lines and texts:
                local = self.writer.name()
                self.writer.line(f"{local} = {f' {op} '.join(texts)}")
                with self.writer.block(f"if {local}:" if op == "and" else f"if not {local}:"):
                    self.writer.paste(lines)
                    rest = self._connective(op, args[at + 1 :], scope, [code.within(level)])
                    self.writer.line(f"{local} = {rest.text}")
                return Code(local)
            self.writer.paste(lines)  # nothing is asked before the first argument: its lines may stand here
            texts = [*texts, code.within(level)]
        return Code(f" {op} ".join(texts), level)

    def _cond(self, expr: Cond, scope: Scope) -> Code:
        test = self.code(expr.test, scope)
        with self.writer.aside() as then_lines:
            then = self.code(expr.then, scope)
        with self.writer.aside() as other_lines:
            other = self.code(expr.other, scope)
        if not then_lines and not other_lines:
            return Code(f"{then.within(OR)} if {test.within(OR)} else {other.within(CHOICE)}", CHOICE)
        local = self.writer.name()
        with self.writer.block(f"if {test.text}:"):
            self.writer.paste(then_lines)
            self.writer.line(f"{local} = {then.text}")
        with self.writer.block("else:"):
            self.writer.paste(other_lines)
            self.writer.line(f"{local} = {other.text}")
        return Code(local)
