"""SMT-LIB: a game as functions over states, for any solver.

Reads:  a core game.   Writes: definitions and no question: `init`, for each action whether it is allowed and what it leads to, for each claim
        what it says. Whoever reads it adds what is to be asked.
After:  the steps are those of the game. `(step s t)` holds if some action leads from one state to the other; `(typed s)` says that
        every cell lies in its range, and holds no information outside its table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, assert_never

from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.footprint import values_of
from pilgrim_rules.core.ir import Action, Assign, Branch, Define, Expr, Game, Given, Loop, Stmt, Variable
from pilgrim_rules.core.rule_walk import statement_expressions
from pilgrim_rules.export.names import Names, labels
from pilgrim_rules.export.rewrite import guard
from pilgrim_rules.export.smt2_expressions import HELPERS, Expressions, Scope, both, bounded, call, number
from pilgrim_rules.semantics.reference import Reference

_RESERVED: Final = """
    a at b s t v abs and as assert check-sat const declare-const declare-fun define-fun distinct div exists false forall greatest init is ite least
    let match mod not or par pop push select State state step store true typed xor Array Bool Int Real String
    """.split()  # noqa: SIM905  (as they stand in the standard)


def smt2(game: Game) -> str:
    """Return the definitions."""
    return _Script(game).text()


class _Script:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.names = Names(_RESERVED)
        self.say = Expressions(Declarations(game), self.names)
        self.setters = {name: self.names.fresh(f"with_{name}") for name in self.say.fields}

    def text(self) -> str:
        fields = [(self.say.fields[each.name], _sort(each)) for each in self.game.variables]
        record = " ".join(f"({name} {sort})" for name, sort in fields)
        setters = []
        for each, (name, sort) in zip(self.game.variables, fields, strict=True):
            kept = " ".join("v" if other == name else f"({other} s)" for other, _ in fields)
            setters.append(f"(define-fun {self.setters[each.name]} ((s State) (v {sort})) State (state {kept}))")
        steps = [self._action(action) for action in self.game.actions]
        claims = self._claims()
        parts = [
            *(f"; {line}" for line in (self.game.title, *labels(self.game))),
            "(set-logic ALL)",
            f"(declare-datatypes ((State 0)) (((state {record}))))",
            *setters,
            HELPERS,
            self._start(),
            self._typed(),
            *self.say.functions,
            f"(define-fun step ((s State) (t State)) Bool\n  (or false {' '.join(steps)}))",
            *claims,
        ]
        return "\n".join(parts) + "\n"

    # ---------------------------------------------------------------------------------------------------------- states

    def _start(self) -> str:
        position = Reference.from_game(self.game).start()
        parts = []
        for each in self.game.variables:
            values = position[each.name]
            text = number(values[0])
            if each.index:
                text = "((as const (Array Int Int)) 0)"
                for at, value in enumerate(values):
                    text = f"(store {text} {at} {number(value)})" if value else text
            parts.append(text)
        return f"(define-fun init () State (state {' '.join(parts)}))"

    def _typed(self) -> str:
        tests = []
        for each in self.game.variables:
            whole, type_ = f"({self.say.fields[each.name]} s)", each.type
            cells = list(values_of(each.index))
            places = [f"(select {whole} {at})" for at in range(len(cells))] if each.index else [whole]
            end = "" if type_.is_open else f" {number(type_.hi)}"
            tests += [f"(<= {number(type_.lo)} {place}{end})" for place in places]
            if each.index:
                own = "((as const (Array Int Int)) 0)"
                for at in range(len(cells)):
                    own = f"(store {own} {at} (select {whole} {at}))"
                tests.append(f"(= {whole} {own})")
        return f"(define-fun typed ((s State)) Bool\n  {both(tests)})"

    # ----------------------------------------------------------------------------------------------------------- steps

    def _action(self, action: Action) -> str:
        """Define `NAME_allowed` and `NAME`; return that the action leads from `s` to `t`, with some arguments."""
        say = self.say
        own = {param.name: self.names.fresh(param.name) for param in action.params}
        heads = " ".join(["(s State)", *(f"({each} Int)" for each in own.values())])
        scope = Scope({"now": "s", "old": "s"}, own)
        stage = f"({say.fields['stage']} s)"
        time = [f"(= {stage} {code})" for code in action.stages]
        tests = [time[0] if len(time) == 1 else f"(or {' '.join(time)})"]
        tests += [
            f"(<= {number(param.type.lo)} {own[param.name]} {number(bounded(param.type).hi)})"
            for param in action.params
        ]
        tests.append(say.truth(guard(action), scope))
        allowed, name = self.names.fresh(f"{action.name}_allowed"), self.names.fresh(action.name)
        given = []
        for line in action.guard:
            if isinstance(line, Given):
                one = self.names.fresh(line.name)
                given.append((one, say.code(line.value, scope)))
                scope = scope.bind(line.name, one)
        body = self._block(action.body, scope, "s", waits=False)
        for one, value in reversed(given):
            body = f"(let (({one} {value})) {body})"
        say.functions.append(f"(define-fun {allowed} ({heads}) Bool {both(tests)})")
        say.functions.append(f"(define-fun {name} ({heads}) State\n  {body})")
        calls = []
        for codes in values_of(param.type for param in action.params):
            args = [number(code) for code in codes]
            calls.append(f"\n    (and {call(allowed, 's', *args)} (= t {call(name, 's', *args)}))")
        return "".join(calls)

    def _block(self, block: Sequence[Stmt], scope: Scope, at: str, *, waits: bool) -> str:
        """Return the state after statements that begin in the state `at`; with `waits`, what is read stays as in the scope."""
        say, made = self.say, []
        for stmt in block:
            match stmt:
                case Define(name=name, value=value):
                    own = self.names.fresh(name)
                    made.append((own, say.code(value, scope)))
                    scope = scope.bind(name, own)
                    continue
                case Assign():
                    after = self._assigned(stmt, scope, at)
                case Branch(test=test, then=then, other=other):
                    yes, no = (self._block(part, scope, at, waits=waits) for part in (then, other))
                    after = f"(ite {say.truth(test, scope)} {yes} {no})"
                case Loop():
                    after = self._loop(stmt, scope, at, waits=waits)
                case _:
                    assert_never(stmt)
            at = self.names.fresh("s")
            made.append((at, after))
            scope = scope if waits else replace(scope, states={**scope.states, "now": at})
        text = at
        for own, term in reversed(made):
            text = f"(let (({own} {term})) {text})"
        return text

    def _assigned(self, stmt: Assign, scope: Scope, at: str) -> str:
        say, variable = self.say, self.say.declared.variables[stmt.variable]
        whole = f"({say.fields[stmt.variable]} {at})"
        value = say.code(stmt.value, scope)
        place = say.place(variable.index, [say.code(each, scope) for each in stmt.index])
        if stmt.mode == "add":
            value = f"(+ {f'(select {whole} {place})' if stmt.index else whole} {value})"
        return f"({self.setters[stmt.variable]} {at} {f'(store {whole} {place} {value})' if stmt.index else value})"

    def _loop(self, loop: Loop, scope: Scope, at: str, *, waits: bool) -> str:
        """Return the state after a loop: one call of a function for each round."""
        say, binder = self.say, loop.binder
        waits = waits or loop.simultaneous
        parts: list[Expr] = [*statement_expressions(loop.body), *([] if loop.where is None else [loop.where])]
        parts += [] if binder.among is None else binder.among[1]

        def one(own: Scope) -> str:
            value, written = own.names[binder.name], own.names["written so far"]
            settled = own  # what it ranges over is asked before the first round
            inner = own if waits else replace(own, states={**own.states, "now": written})
            tests = say.among(binder, value, settled)
            tests += [] if loop.where is None else [say.truth(loop.where, inner)]
            body = self._block(loop.body, inner, written, waits=waits)
            return f"(ite {both(tests)} {body} {written})" if tests else body

        make = say.lift("round", "State", parts, scope, {"written so far": "State", binder.name: "Int"}, one)
        for value in say.order(binder, scope):
            at = make(at, value)
        return at

    # --------------------------------------------------------------------------------------------------- what is claimed

    def _claims(self) -> list[str]:
        found = []
        for claim in self.game.claims:
            match claim.kind:
                case "invariant" | "conserved" | "reachable":
                    heads, scope = "(s State)", Scope({"now": "s"})
                case "step":
                    heads, scope = "(s State) (t State)", Scope({"now": "s", "next": "t"})
                case "law":
                    heads, scope = "", Scope({})
                case "audit" | "contract":
                    continue  # about networks; about the arguments of a move
                case _:
                    assert_never(claim.kind)
            before = len(self.say.functions)
            formula = self.say.truth(claim.formula, scope)
            found += self.say.functions[before:]
            del self.say.functions[before:]
            found.append(f"(define-fun {self.names.fresh(claim.name)} ({heads}) Bool {formula}) ; {claim.kind}")
        return found


def _sort(each: Variable) -> str:
    return "(Array Int Int)" if each.index else "Int"
