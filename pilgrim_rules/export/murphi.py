"""Murphi: a game as a model for Rumur or CMurphi.

Reads:  a core game.   Writes: the text of a model.
After:  a rule of the model is an action of the game with its arguments, so the checker finds as many states as `pilgrim explore`. A value
        that leaves its range is an error of the model, as it is a contradiction of the rules.

What the rules read of the state before an action, or before a loop that writes all at once, is copied to variables of the model, which
are undefined between rules and so make no state of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, assert_never

from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.footprint import footprint, writes
from pilgrim_rules.core.ir import (
    Action,
    Assign,
    Branch,
    Define,
    Game,
    Given,
    Loop,
    Stmt,
    Variable,
)
from pilgrim_rules.core.rule_walk import assignments, statement_expressions
from pilgrim_rules.export.murphi_expressions import HELPERS, NUMBER, Expressions, Scope, number, values
from pilgrim_rules.export.murphi_functions import Lines, body_of, indented, loop, variable, when
from pilgrim_rules.export.names import Names, labels
from pilgrim_rules.export.rewrite import guard

MOST: Final = 1 << 40  #: the largest number that an expression may have
_RESERVED: Final = """
    alias array assert assume begin boolean by case clear const cover div do else elsif end endalias endexists endfor endforall endfunction
    endif endprocedure endrecord endrule endruleset endstartstate endswitch endwhile enum error exists false for forall function if in
    interleaved invariant isundefined liveness multiset none of procedure process program property put record return rule ruleset scalarset
    startstate switch symmetry then to traceuntil true type undefine union until var while int number quotient remainder least greatest a b
    """.split()  # noqa: SIM905  (as they stand in the manual)


def murphi(game: Game) -> str:
    """Return the model."""
    return _Model(game).text()


class _Model:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.defs = {each.name: each for each in game.defs}
        loops = [each for action in game.actions for each in _at_once(action.body)]
        copied = frozenset[str]().union(*(writes((each,)) & self._reads((each,)) for each in loops))
        self.names = Names(_RESERVED)
        self.say = Expressions(Declarations(game), self.names, copied, body_of)
        self.old: dict[str, None] = {}  # variables that some action reads as they were before it

    def text(self) -> str:
        rules = [self._rule(action) for action in self.game.actions]
        start = self._start()
        claims = [
            f'invariant "{claim.name}" {self.say.truth(claim.formula, Scope())};'
            for claim in self.game.claims
            if claim.kind in ("invariant", "conserved")
        ]
        copies = [(self.say.was[name], name) for name in sorted(self.say.copied)]
        copies += [(self.say.old[name], name) for name in self.old]
        parts = [
            "\n".join(f"-- {line}" for line in (self.game.title, *labels(self.game))),
            f"type {NUMBER}: {number(-MOST)}..{number(MOST)};",
            "var\n" + "\n".join(f"  {self.say.variables[each.name]}: {_shape(each)};" for each in self.game.variables),
            "\n".join(f"var {copy}: {_shape(self._variable(name))};" for copy, name in copies),
            HELPERS,
            *self.say.functions,
            start,
            *rules,
            *claims,
        ]
        return "\n\n".join(part for part in parts if part) + "\n"

    def _variable(self, name: str) -> Variable:
        return self.say.declared.variables[name]

    def _reads(self, block: tuple[Stmt, ...]) -> frozenset[str]:
        found = footprint(statement_expressions(block), self.defs).reads
        return frozenset(name for name, at in found if at == "now")

    def _start(self) -> str:
        lines: Lines = []
        for each in self.game.variables:
            own = {name: self.names.fresh(name) for name in each.over}
            place = self.say.variables[each.name] + "".join(f"[{own[name]}]" for name in each.over)
            set_: Lines = [f"{place} := {self.say.code(each.initial, Scope(own))};"]
            for name, type_ in reversed(list(zip(each.over, each.index, strict=True))):
                set_ = [f"for {own[name]}: {values(type_)} do", *indented(set_), "endfor;"]
            lines += set_
        return "\n".join(["startstate", "begin", *indented(lines), "endstartstate;"])

    # ---------------------------------------------------------------------------------------------------------- rules

    def _rule(self, action: Action) -> str:
        own = {param.name: self.names.fresh(param.name) for param in action.params}
        scope = Scope(own)
        allowed = self.say.truth(guard(action), scope)
        local: Lines = []
        lines: Lines = []
        for line in action.guard:
            if isinstance(line, Given):
                name = variable(self.say, local, line.name)
                lines.append(f"{name} := {self.say.code(line.value, scope)};")
                scope = scope.bind(line.name, name)
        old = [name for name, at in footprint(statement_expressions(action.body), self.defs).reads if at == "old"]
        self.old |= dict.fromkeys(sorted(old))
        lines += [f"{self.say.old[name]} := {self.say.variables[name]};" for name in sorted(old)]
        lines += self._block(action.body, scope, local, None)
        lines += [f"undefine {self.say.old[name]};" for name in sorted(old)]
        stages = " | ".join(f"{self.say.variables['stage']} = {code}" for code in action.stages)
        kept = [f"var {each};" for each in local]
        rule = [
            f'rule "{action.name}"',
            f"  ({stages}) & {allowed}",
            "==>",
            *kept,
            "begin",
            *indented(lines),
            "endrule;",
        ]
        if own:
            ranges = "; ".join(f"{own[param.name]}: {values(param.type)}" for param in action.params)
            rule = [f"ruleset {ranges} do", *indented(rule), "endruleset;"]
        return "\n".join(rule)

    def _block(self, block: Sequence[Stmt], scope: Scope, local: Lines, sums: dict[str, str] | None) -> Lines:
        """Return statements as lines; `sums` are the variables that collect what a loop adds, if it writes all at once."""
        say, lines = self.say, []
        for stmt in block:
            match stmt:
                case Define(name=name, value=value):
                    own = variable(say, local, name)
                    lines.append(f"{own} := {say.code(value, scope)};")
                    scope = scope.bind(name, own)
                case Assign(variable=name, index=index, mode=mode, value=value):
                    at = "".join(f"[{say.code(each, scope)}]" for each in index)
                    place = (say.variables[name] if mode == "set" or sums is None else sums[name]) + at
                    plus = f"{place} + " if mode == "add" else ""
                    lines.append(f"{place} := {plus}{say.code(value, scope)};")
                case Branch(test=test, then=then, other=other):
                    lines += [f"if {say.truth(test, scope)} then", *indented(self._block(then, scope, local, sums))]
                    lines += ["else", *indented(self._block(other, scope, local, sums))] if other else []
                    lines.append("endif;")
                case Loop(simultaneous=True) if sums is None:
                    lines += self._at_once(stmt, scope, local)
                case Loop():
                    lines += self._loop(stmt, scope, local, sums)
                case _:
                    assert_never(stmt)
        return lines

    def _loop(self, stmt: Loop, scope: Scope, local: Lines, sums: dict[str, str] | None) -> Lines:
        def body(inner: Scope) -> Lines:
            tests = [] if stmt.where is None else [self.say.truth(stmt.where, inner)]
            return when(tests, self._block(stmt.body, inner, local, sums))

        return loop(self.say, local, stmt.binder, scope, body)

    def _at_once(self, stmt: Loop, scope: Scope, local: Lines) -> Lines:
        """Return a loop that reads what was there when it began; what it adds is added at its end."""
        say = self.say
        read = sorted(self._reads((stmt,)) & say.copied)
        names = dict.fromkeys(each.variable for each in assignments((stmt,)) if each.mode == "add")
        added = [self._variable(name) for name in names]
        sums = {each.name: variable(say, local, f"plus_{each.name}", _shape(each, NUMBER)) for each in added}
        lines = [f"{say.was[name]} := {say.variables[name]};" for name in read]
        for each in added:
            lines += self._cells(each, partial(_emptied, sums[each.name]))
        lines += self._loop(stmt, Scope(scope.names, before_loop=True), local, sums)
        for each in added:
            lines += self._cells(each, partial(_increased, say.variables[each.name], sums[each.name]))
        return [*lines, *(f"undefine {say.was[name]};" for name in read)]

    def _cells(self, each: Variable, line: Callable[[str], str]) -> Lines:
        """Return the same line for every cell of a variable, given its index."""
        own = [self.names.fresh("at") for _ in each.index]
        lines: Lines = [line("".join(f"[{name}]" for name in own))]
        for name, type_ in reversed(list(zip(own, each.index, strict=True))):
            lines = [f"for {name}: {values(type_)} do", *indented(lines), "endfor;"]
        return lines


def _at_once(block: Sequence[Stmt]) -> Iterator[Loop]:
    """Yield the outermost loops that write all at once."""
    for stmt in block:
        match stmt:
            case Loop(simultaneous=True):
                yield stmt
            case Loop(body=body):
                yield from _at_once(body)
            case Branch(then=then, other=other):
                yield from _at_once((*then, *other))
            case Assign() | Define():
                pass
            case _:
                assert_never(stmt)


def _emptied(sum_: str, at: str) -> str:
    return f"{sum_}{at} := 0;"


def _increased(own: str, sum_: str, at: str) -> str:
    return f"{own}{at} := {own}{at} + {sum_}{at};"


def _shape(each: Variable, cell: str = "") -> str:
    """Return the type of a variable of the model."""
    shape = cell or values(each.type)
    for type_ in reversed(each.index):
        shape = f"array [{values(type_)}] of {shape}"
    return shape
