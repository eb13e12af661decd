"""TLA+: a game as a module for TLC.

Reads:  a core game.   Writes: a module, and the configuration that TLC reads beside it.
After:  a state of the module is a state of ours: `Next` has exactly the steps of actions, chance and autos, so TLC finds as many states as
        `pilgrim explore`. Invariants of the rules are invariants of the module, and claims about steps are properties.

The state is one record. Effects are functions from state to state: each line names the state after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, assert_never

from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.footprint import footprint
from pilgrim_rules.core.ir import Action, Assign, Branch, Constant, Define, Expr, Game, Given, Loop, Require, Stmt
from pilgrim_rules.core.rule_walk import statement_expressions
from pilgrim_rules.export.names import Names, labels
from pilgrim_rules.export.tla_expressions import AND, HELPERS, Expressions, Scope, domain, number

STATE: Final = "state"
_RESERVED: Final = """
    ASSUME ASSUMPTION AXIOM CASE CHOOSE CONSTANT CONSTANTS DOMAIN ELSE ENABLED EXCEPT EXTENDS IF IN INSTANCE LET LOCAL MODULE OTHER PROOF
    PROVE RECURSIVE SF_ SUBSET THEN THEOREM UNCHANGED UNION VARIABLE VARIABLES WF_ WITH LAMBDA TRUE FALSE BOOLEAN STRING BY OBVIOUS TAKE
    USE HAVE HIDE PICK QED DEFINE DEFS NEW STATE ACTION TEMPORAL SUFFICES WITNESS LEMMA PROPOSITION COROLLARY OMITTED ONLY
    Int Nat Seq Len Head Tail Append SubSeq SelectSeq Cardinality IsFiniteSet Init Next Spec TypeOK Over state Code Min Max LeastOf
    GreatestOf SumOver SumOf NotAfter FirstBy a b i f m o x v w S otherwise
    """.split()  # noqa: SIM905  (as they stand in the book)


def tla(game: Game) -> str:
    """Return the module."""
    return _Module(game).text()


def tlc_configuration(game: Game) -> str:
    """Return what TLC is to check."""
    module = _Module(game)
    module.text()
    lines = ["SPECIFICATION Spec", "CHECK_DEADLOCK FALSE", "INVARIANT TypeOK"]
    lines += [f"INVARIANT {name}" for name in module.invariants]
    lines += [f"PROPERTY {name}" for name in module.properties]
    return "\n".join(lines) + "\n"


class _Module:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.names = Names(_RESERVED)
        self.name = self.names.fresh(game.name)
        self.expressions = Expressions(Declarations(game), self.names)
        self.invariants: list[str] = []
        self.properties: list[str] = []

    def text(self) -> str:
        claims = self._claims()
        actions = [self._action(action) for action in self.game.actions]
        parts = [
            f"---- MODULE {self.name} ----",
            "\n".join(f"\\* {line}" for line in (self.game.title, *labels(self.game))),
            "EXTENDS Integers, Sequences, FiniteSets\n\nVARIABLE state",
            HELPERS.rstrip(),
            *self._tables(),
            *self._definitions(),
            self._types(),
            self._start(),
            *(text for text, _ in actions),
            self._next([call for _, call in actions]),
            "Spec == Init /\\ [][Next]_state",
            *claims,
            "====",
        ]
        return "\n\n".join(part for part in parts if part) + "\n"

    # --------------------------------------------------------------------------------------------------------- what is

    def _used(self) -> tuple[frozenset[str], frozenset[str]]:
        """Return the constants and definitions that the module needs."""
        exprs: list[Expr] = [variable.initial for variable in self.game.variables]
        for action in self.game.actions:
            exprs += [line.test if isinstance(line, Require) else line.value for line in action.guard]
            exprs += [*statement_expressions(action.body), *([] if action.weight is None else [action.weight])]
        exprs += [claim.formula for claim in self.game.claims if claim.kind in ("invariant", "conserved", "step")]
        found = footprint(exprs, {each.name: each for each in self.game.defs})
        return found.constants | _relations(self.game.actions), found.definitions

    def _tables(self) -> list[str]:
        used, _ = self._used()
        return [self._table(constant) for constant in self.game.constants if constant.name in used]

    def _table(self, constant: Constant) -> str:
        name = self.expressions.operators[f"table {constant.name}"]
        if not constant.index:
            return f"{name} == {number(constant.values[0])}"
        values, params = self.names.fresh(f"{name}_values"), [self.names.fresh("at") for _ in constant.index]
        place = "0"
        for type_, param in zip(constant.index, params, strict=True):
            place = f"({place} * {type_.size} + {param} - {number(type_.lo)})"
        rows = ", ".join(map(number, constant.values))
        return f"{values} == <<{rows}>>\n{name}({', '.join(params)}) == {values}[{place} + 1]"

    def _definitions(self) -> list[str]:
        _, used = self._used()
        found = []
        for definition in self.game.defs:
            if definition.name in used:
                now = self.names.fresh("now")
                old = self.names.fresh("old") if self.expressions.looks_back(definition.name) else ""
                states = [now, old] if old else [now]
                own = {param.name: self.names.fresh(param.name) for param in definition.params}
                say = self.expressions.truth if definition.body.type.kind == "bool" else self.expressions.code
                head = f"{self.expressions.operators[f'def {definition.name}']}({', '.join([*states, *own.values()])})"
                found.append(f"{head} == {say(definition.body, Scope(now, old, names=own))}")
        return found

    def _types(self) -> str:
        lines = []
        for variable in self.game.variables:
            values = domain(variable.type) if not variable.type.is_open else "Nat" if variable.type.lo >= 0 else "Int"
            for type_ in reversed(variable.index):
                values = f"[{domain(type_)} -> {values}]"
            lines.append(f"    /\\ state.{self.expressions.fields[variable.name]} \\in {values}")
        return "\n".join(["TypeOK ==", *lines])

    def _start(self) -> str:
        lines = []
        for variable in self.game.variables:
            own = {name: self.names.fresh(name) for name in variable.over}
            value = self.expressions.code(variable.initial, Scope(STATE, names=own))
            for name, type_ in reversed(list(zip(variable.over, variable.index, strict=True))):
                value = f"[{own[name]} \\in {domain(type_)} |-> {value}]"
            lines.append(f"    {self.expressions.fields[variable.name]} |-> {value}")
        return "Init == state = [\n" + ",\n".join(lines) + "\n    ]"

    # ----------------------------------------------------------------------------------------------------- what is done

    def _next(self, calls: Sequence[str]) -> str:
        over = [str(stage.code) for stage in self.game.stages if stage.kind == "nobody"]
        stage = self.expressions.fields["stage"]
        rest = f"\nOver == state.{stage} \\in {{{', '.join(over)}}}"
        return "Next ==\n" + "\n".join(f"    \\/ {call}" for call in calls) + "\n" + rest

    def _action(self, action: Action) -> tuple[str, str]:
        """Return an action, and how `Next` calls it."""
        name = self.names.fresh(action.name)
        own = {param.name: self.names.fresh(param.name) for param in action.params}
        scope = Scope(STATE, STATE, names=own)
        stages = ", ".join(map(str, action.stages))
        lines = [f"/\\ state.{self.expressions.fields['stage']} \\in {{{stages}}}"]
        for line in action.guard:
            match line:
                case Require(test=test):
                    lines.append(f"/\\ {self.expressions.truth(test, scope)}")
                case Given(name=given, value=value):
                    text, one = self.expressions.code(value, scope), self.names.fresh(given)
                    lines.append(f"/\\ LET {one} == {text} IN")
                    scope = scope.bind(given, one)
        if action.weight is not None:
            lines.append(f"/\\ {self.expressions.code(action.weight, scope)} > 0")
        lines.append(f"/\\ state' = {self._block(action.body, scope, STATE, waits=False)}")
        depth, shown = 1, []
        for text in lines:  # what follows a name stands inside its scope
            shown.append("    " * depth + text)
            depth += text.endswith(" IN")
        head = f"{name}({', '.join(own.values())})" if own else name
        again = [self.names.fresh(param.name) for param in action.params]
        ranges = [f"{one} \\in {domain(param.type)}" for one, param in zip(again, action.params, strict=True)]
        call = f"\\E {', '.join(ranges)} : {name}({', '.join(again)})" if again else name
        return f"{head} ==\n" + "\n".join(shown), call

    def _block(self, block: Sequence[Stmt], scope: Scope, at: str, *, waits: bool) -> str:
        """Return the state after statements that begin in the state `at`; with `waits`, what is read stays as in the scope."""
        say, made = self.expressions, []
        for stmt in block:
            match stmt:
                case Define(name=name, value=value):
                    own = self.names.fresh(name)
                    made.append(f"{own} == {say.code(value, scope)}")
                    scope = scope.bind(name, own)
                    continue
                case Assign(variable=variable, index=index, mode=mode, value=value):
                    place = f".{say.fields[variable]}" + "".join(f"[{say.code(each, scope)}]" for each in index)
                    plus = "@ + " if mode == "add" else ""
                    after = f"[{at} EXCEPT !{place} = {plus}{say.code(value, scope)}]"
                case Branch(test=test, then=then, other=other):
                    yes, no = (self._block(part, scope, at, waits=waits) for part in (then, other))
                    after = f"IF {say.truth(test, scope)} THEN {yes} ELSE {no}"
                case Loop():
                    after = self._loop(stmt, scope, at, waits=waits)
                case _:
                    assert_never(stmt)
            at = self.names.fresh("s")
            made.append(f"{at} == {after}")
            scope = scope if waits else replace(scope, now=at)
        return f"(LET {' '.join(made)} IN {at})" if made else at

    def _loop(self, loop: Loop, scope: Scope, at: str, *, waits: bool) -> str:
        """Return the state after a loop: a recursive operator, round by round in the binder's order."""
        say, binder, fresh = self.expressions, loop.binder, self.names.fresh
        waits = waits or loop.simultaneous
        again, state, rounds, own = fresh("loop"), fresh("s"), fresh("k"), fresh(binder.name)
        made = []
        value = f"{number(binder.type.lo)} + {rounds}"
        if binder.descending:
            value = f"{number(binder.type.hi)} - {rounds}"
        elif binder.start is not None:
            first = fresh("first")
            made.append(f"{first} == {say.code(binder.start, scope)}")
            value = f"{number(binder.type.lo)} + (({first} - {number(binder.type.lo)} + {rounds}) % {binder.type.size})"
        tests = say.conditions(binder, own, scope)  # asked of the state before the first round
        inner = (scope if waits else replace(scope, now=state)).bind(binder.name, own)
        tests += [] if loop.where is None else [say.truth(loop.where, inner)]
        body = self._block(loop.body, inner, state, waits=waits)
        body = f"IF {AND.join(tests)} THEN {body} ELSE {state}" if tests else body
        domain(binder.type)
        step = (
            f"IF {rounds} = {binder.type.size} THEN {state} ELSE LET {own} == {value} IN {again}({body}, {rounds} + 1)"
        )
        made += [f"RECURSIVE {again}(_, _)", f"{again}({state}, {rounds}) == {step}"]
        return f"(LET {' '.join(made)} IN {again}({at}, 0))"

    # --------------------------------------------------------------------------------------------------- what is claimed

    def _claims(self) -> list[str]:
        found = []
        for claim in self.game.claims:
            match claim.kind:
                case "invariant" | "conserved":
                    name = self.names.fresh(claim.name)
                    self.invariants.append(name)
                    found.append(f"{name} == {self.expressions.truth(claim.formula, Scope(STATE))}")
                case "step":
                    name = self.names.fresh(claim.name)
                    self.properties.append(name)
                    formula = self.expressions.truth(claim.formula, Scope(STATE, next="state'"))
                    found.append(f"{name} == [][{formula}]_state")
                case "law" | "reachable" | "audit" | "contract":
                    pass  # about constants; about some play; about networks; about the arguments of a move
                case _:
                    assert_never(claim.kind)
        return found


def _relations(actions: Sequence[Action]) -> frozenset[str]:
    """Return the constant relations that binders of loops range over; those of expressions are in their footprints."""
    found: set[str] = set()
    stack: list[Stmt] = [stmt for action in actions for stmt in action.body]
    while stack:
        match stack.pop():
            case Branch(then=then, other=other):
                stack += [*then, *other]
            case Loop(binder=binder, body=body):
                found |= {binder.among[0]} if binder.among is not None else set()
                stack += body
            case Assign() | Define():
                pass
    return frozenset(found)
