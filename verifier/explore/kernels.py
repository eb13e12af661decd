"""Kernels: each action as one generated function that makes it in every state of a batch, with all its arguments.

Reads:  actions and claims of a core game.   Writes: functions of the generated program.
After:  `kernel(states, rows, out)` calls `out(move, rows, states, wrong)` once for each argument tuple that is legal in
        some state, with the legal rows and the states after the move; `wrong` is None or says, row by row, where the
        rules contradict themselves. Claims become functions from states to Booleans.

Arguments are plain loops. A requirement is asked in the outermost loop that binds what it needs, and the batch shrinks
to the rows that satisfy it before the next argument is tried.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod

from pilgrim_rules.core.ir import BOOL, Action, Apply, Expr, Given, Lit, Read
from pilgrim_rules.core.rule_walk import statement_expressions
from pilgrim_rules.core.walk import free_names, subexpressions
from verifier.explore.effects import Effects, WriteTarget
from verifier.explore.expressions import Expressions
from verifier.explore.generated_module import WEIGHT, GeneratedModule, Site
from verifier.explore.operators import OPERATORS, as_number, as_truth
from verifier.explore.source_text import NotVectorised, Scope, Value, Writer, number, truth


@dataclass(frozen=True, slots=True)
class MoveNumbers:
    """The numbers of an action's moves: `first`, and one more for each next argument tuple, the last changing fastest."""

    action: Action
    first: int

    @property
    def count(self) -> int:
        """How many argument tuples the action has."""
        return prod(param.type.size for param in self.action.params)

    def args(self, move: int) -> tuple[int, ...]:
        """Return the arguments of a move."""
        rest, found = move - self.first, []
        for param in reversed(self.action.params):
            rest, code = divmod(rest, param.type.size)
            found.append(code + param.type.lo)
        return tuple(reversed(found))

    def number(self, args: tuple[int, ...]) -> int:
        """Return the number of the move with these arguments."""
        at = 0
        for param, arg in zip(self.action.params, args, strict=True):
            at = at * param.type.size + arg - param.type.lo
        return self.first + at


def kernel(module: GeneratedModule, moves: MoveNumbers, name: str) -> None:
    """Add the kernel of an action to the program."""
    _Kernel(module, moves).write(name)


class _Kernel(Effects):
    def __init__(self, module: GeneratedModule, moves: MoveNumbers) -> None:
        super().__init__(module, Writer("v"), moves.action.name)
        self.moves = moves
        self.lines = _by_depth(moves.action)

    def write(self, name: str) -> None:
        """Write the whole function. A guard that can contradict the rules is asked in the order of its text, row by row."""
        if self.module.checks(*(_expression(line) for lines in self.lines for line in lines)):
            raise NotVectorised
        self._level(0, Scope({}, {"now": "now"}), "rows", number(self.moves.first))
        self.module.define(name, "now, rows, out", self.out)

    def _level(self, depth: int, scope: Scope, rows: str, move: Value) -> None:
        """Ask what can be asked once `depth` arguments are bound, then bind the next one."""
        way_out = "return" if depth == 0 else "continue"
        scope, test = self._ask(self.lines[depth], scope, way_out)
        chosen = None
        if test is not None:
            chosen = self.out.fresh()
            self.out.line(f"{chosen} = chosen({scope.states['now']}, {test.text})")
            scope, rows = self._shrink(chosen, scope, rows, depth)
        params = self.moves.action.params
        if depth == len(params):
            self._effects(scope, rows, move, chosen)
            return
        param, name = params[depth], self.out.fresh()
        item = Value(name, rows=False, lo=param.type.lo, hi=param.type.hi)
        with self.out.block(f"for {name} in range({param.type.lo}, {param.type.hi + 1}):"):
            step = prod(later.type.size for later in params[depth + 1 :])
            offset = OPERATORS["*"](OPERATORS["-"](item, number(param.type.lo)), number(step))
            self._level(depth + 1, scope.bind(param.name, item), rows, OPERATORS["+"](move, offset))

    def _ask(self, lines: list[Expr | Given], scope: Scope, way_out: str) -> tuple[Scope, Value | None]:
        """Write the requirements of one depth; return the scope with what is given, and the rows that satisfy all."""
        result: Value | None = None
        for line in lines:
            if isinstance(line, Given):
                scope = scope.bind(line.name, self.out.keep(self.value(line.value, scope)))
                continue
            asked = as_truth(self.value(line, scope))
            if asked.rows:
                result = self.out.keep(asked if result is None else OPERATORS["and"](result, asked))
                asked = truth(f"any_of({result.text})", rows=False)
            if not asked.known:
                with self.out.block(f"if not {asked.text}:"):
                    self.out.line(way_out)
        return scope, result

    def _shrink(self, chosen: str, scope: Scope, rows: str, depth: int) -> tuple[Scope, str]:
        """Write the lines that keep only the chosen rows; return their scope and their numbers."""
        states, fewer = self.out.fresh(), self.out.fresh()
        self.out.line(f"{states} = only({scope.states['now']}, {chosen})")
        self.out.line(f"{fewer} = only({rows}, {chosen})")
        names = dict(scope.names)
        for name in names.keys() & self._used_after(depth):
            if names[name].rows:
                names[name] = self.out.keep(replace(names[name], text=f"only({names[name].text}, {chosen})"))
        return Scope(names, {"now": states}), fewer

    def _used_after(self, depth: int) -> frozenset[str]:
        action = self.moves.action
        later = [_expression(line) for lines in self.lines[depth + 1 :] for line in lines]
        weight = () if action.weight is None else (action.weight,)
        return frozenset().union(*map(free_names, [*later, *weight, *statement_expressions(action.body)]))

    def _effects(self, scope: Scope, rows: str, move: Value, chosen: str | None) -> None:
        """Write the effects. A copy of the states is needed unless choosing rows has made one, or `old` is read."""
        before, states, body = scope.states["now"], self.out.fresh(), self.moves.action.body
        copied = chosen is not None and not any(map(_reads_old, statement_expressions(body)))
        self.out.line(f"{states} = {before}.copy()" + (f" if {chosen} is None else {before}" if copied else ""))
        self.out.line("wrong = None")
        self._check_weights(scope)
        self.run(body, Scope(scope.names, {"now": states, "old": before}, frozen=False), WriteTarget(states))
        self.out.line(f"out({move.text}, {rows}, {states}, wrong)")

    def _check_weights(self, scope: Scope) -> None:
        """Write the check that no outcome of chance weighs less than nothing."""
        if self.moves.action.weight is not None:
            weight = self.out.keep(as_number(self.value(self.moves.action.weight, scope)))
            if weight.lo < 0:
                with self.complaint(f"({weight.text} < 0)", scope, Site(self.action, "", WEIGHT)):
                    pass


def _by_depth(action: Action) -> list[list[Expr | Given]]:
    """Sort the lines of a guard by the number of arguments that must be bound before they can be asked."""
    depth = {param.name: at + 1 for at, param in enumerate(action.params)}
    lines: list[list[Expr | Given]] = [[] for _ in range(len(action.params) + 1)]
    guard: list[Expr | Given] = [line if isinstance(line, Given) else line.test for line in action.guard]
    if action.weight is not None:  # what has no weight never happens
        guard.append(Apply("!=", (action.weight, Lit(0, action.weight.type)), BOOL))
    for line in guard:
        needed = max((depth[name] for name in free_names(_expression(line))), default=0)
        if isinstance(line, Given):
            depth[line.name] = needed
        lines[needed].append(line)
    return lines


def _expression(line: Expr | Given) -> Expr:
    return line.value if isinstance(line, Given) else line


def _reads_old(expr: Expr) -> bool:
    return any(isinstance(node, Read) and node.when == "old" for node in subexpressions(expr))


def predicate(module: GeneratedModule, formula: Expr, name: str) -> None:
    """Add a function that says for each state (and, for a step, the state after it) whether the formula holds."""
    if module.checks(formula):  # only effects record a contradiction
        raise NotVectorised
    out = Writer("v")
    scope = Scope({}, {"now": "now", "next": "after"})
    result = as_truth(Expressions(module, out).value(formula, scope))
    out.line(f"return {result.text}")
    module.define(name, "now, after=None", out)


def measure(module: GeneratedModule, expr: Expr, name: str) -> None:
    """Add a function that gives the number that the expression is in each state."""
    if module.checks(expr):
        raise NotVectorised
    out = Writer("v")
    result = as_number(Expressions(module, out).value(expr, Scope({}, {"now": "now"})))
    out.line(f"return {result.text}")
    module.define(name, "now", out)


def descent(module: GeneratedModule, parts: tuple[Expr, ...], name: str) -> None:
    """Add a function that says for each step whether the tuple of parts becomes lexicographically smaller."""
    if module.checks(*parts):
        raise NotVectorised
    out = Writer("v")
    emitter = Expressions(module, out)
    text = "False"
    for part in reversed(parts):
        before, after = (as_number(emitter.value(part, Scope({}, {"now": states}))) for states in ("now", "after"))
        text = f"(({after.text} < {before.text}) | ({after.text} == {before.text}) & {text})"
    out.line(f"return {text}")
    module.define(name, "now, after", out)
