"""Program: a whole game as cell code.

Reads:  a core game.   Writes: `Program`.
After:  no name or text of the spec is in it but plain names.

For action number i there are `legal{i}` (legal arguments, stages left aside), `allowed{i}`, `apply{i}` and for chance
`weight{i}`; for other declarations `d{i}`, `claim{i}`, `by{i}` (stage), `ranking{i}`, `score` and `rank`. A state is laid out
as `layout` says.
"""

from __future__ import annotations

from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.ir import Action, Def, Expr, Game, Given, Parameter, Require, ScoreSheet, When
from pilgrim_rules.core.rule_walk import statement_expressions
from pilgrim_rules.core.walk import free_names
from pilgrim_rules.engine.cells.cell_code import WORK, Copy, Function, NetworkCode, Program, Return
from pilgrim_rules.engine.cells.cell_values import ONE, ZERO, minus, negation
from pilgrim_rules.engine.cells.cell_walk import may_stop
from pilgrim_rules.engine.cells.error_sites import Sites
from pilgrim_rules.engine.lower.builder import plain
from pilgrim_rules.engine.lower.expressions import Expressions
from pilgrim_rules.engine.lower.functions import number, numbers, parameters
from pilgrim_rules.engine.lower.lowering import Lowering, Scope
from pilgrim_rules.engine.lower.networks import network_code
from pilgrim_rules.engine.lower.search import search
from pilgrim_rules.engine.lower.statements import Statements
from pilgrim_rules.semantics.state_layout import layout
from pilgrim_rules.semantics.tabulate import tabulated
from pilgrim_rules.util.identity_cache import cache_by_identity

_STATES: dict[When, str] = {"now": "s", "old": "o", "next": "n"}


@cache_by_identity(2)  # a game that is played is often printed in two languages
def lowered(game: Game) -> Program:
    """Return the game as cell code."""
    return _Lowering(game).run()


class _Lowering:
    def __init__(self, game: Game) -> None:
        self._game = game
        self._lower: Lowering = Expressions(Declarations(tabulated(game)), layout(game), Sites(game))
        self._functions: dict[str, Function] = {}

    def run(self) -> Program:
        game = self._game
        groups: dict[str, tuple[str | None, ...]] = {"DEFS": tuple(map(self._definition, game.defs))}
        own = [f"{at}_{plain(action.name)}" for at, action in enumerate(game.actions)]
        groups["LEGAL"] = tuple(
            self._add(search(self._lower, action, f"legal{name}"))
            for action, name in zip(game.actions, own, strict=True)
        )
        groups["ALLOWED"] = tuple(map(self._allowed, game.actions, own))
        groups["APPLY"] = tuple(map(self._apply, game.actions, own))
        groups["WEIGHT"] = tuple(map(self._weight, game.actions, own))
        groups["CLAIMS"] = tuple(
            None  # which speaks of arguments, and is asked as a line of effects
            if claim.kind == "contract"
            else self._number(f"claim{at}_{plain(claim.name)}", claim.formula, Scope({}, next="n"), ("s", "n"))
            for at, claim in enumerate(game.claims)
        )
        groups["BY"] = tuple(
            None if stage.by is None else self._number(f"by{at}_{plain(stage.name)}", stage.by, Scope({}), ("s",))
            for at, stage in enumerate(game.stages)
        )
        groups["RANKINGS"] = tuple(
            self._add(numbers(self._lower, f"ranking{at}_{plain(each.name)}", (), each.parts))
            for at, each in enumerate(game.rankings)
        )
        if game.score is not None:
            groups["SCORE"] = self._score(game.score)
        networks: list[NetworkCode] = []
        for at, network in enumerate(game.networks):
            code, functions = network_code(self._lower, network, at)
            networks.append(code)
            list(map(self._add, functions))
        tables = self._lower.tables
        return Program(plain(game.name), self._functions, tables.numbers, tables.rows, groups, tuple(networks))

    def _add(self, function: Function) -> str:
        self._functions[function.name] = function
        return function.name

    def _number(self, name: str, expr: Expr, scope: Scope, states: tuple[str, ...]) -> str:
        return self._add(number(self._lower, name, (), expr, scope, states))

    # ---------------------------------------------------------------------------------------------------- declarations

    def _definition(self, definition: Def) -> str:
        lower = self._lower
        scope = Scope({}, old="o", next="n")
        states = tuple(_STATES[when] for when in lower.def_states(definition.name))
        made = number(lower, lower.def_name(definition.name), definition.params, definition.body, scope, states)
        end = made.body[-1]
        assert isinstance(end, Return)
        lower.def_ranges[definition.name] = end.values[0].range
        if may_stop(made.body, lower.partial):
            lower.partial.add(made.name)
        return self._add(made)

    def _allowed(self, action: Action, own: str) -> str:
        """Add the guard in the order of the text, for arguments that are known."""
        lower, builder = self._lower, self._lower.builder
        scope, params = parameters(lower, action.params, Scope({}))
        with builder.function() as body:
            for line in action.guard:
                match line:
                    case Given(name=name, value=value):
                        scope = scope.bind(name, builder.named(lower.expr(value, scope), name))
                    case Require(test=test, key=key):
                        holds = lower.expr(test, scope)
                        builder.when(negation(holds), (Return((ZERO,)),), note=plain(key))
                        builder.learn(holds, held=True)
            builder.add(Return((ONE,)))
        return self._add(Function(f"allowed{own}", ("s",), params, tuple(body), "number", builder.take_arrays()))

    def _apply(self, action: Action, own: str) -> str:
        lower, builder = self._lower, self._lower.builder
        scope, params = parameters(lower, action.params, Scope({}, old="s"))
        with builder.function() as body:
            self._learn_guard(action, scope)
            scope = self._givens(action, tuple(statement_expressions(action.body)), scope)
            builder.add(Copy(WORK, "s"))
            Statements(lower).block(action.body, Scope(scope.names, now=WORK, old="s"))
            builder.add(Return())
        return self._add(Function(f"apply{own}", ("s",), params, tuple(body), "state", builder.take_arrays()))

    def _learn_guard(self, action: Action, scope: Scope) -> None:
        """From here on the guard is known to hold: only legal moves are made."""
        lower, builder = self._lower, self._lower.builder
        with lower.tables.trial():
            for line in action.guard:
                with builder.aside():
                    value = lower.expr(line.value if isinstance(line, Given) else line.test, scope)
                match line:
                    case Given(name=name):
                        scope = scope.bind(name, value)
                    case Require():
                        builder.learn(value, held=True)
        builder.take_arrays()

    def _weight(self, action: Action, own: str) -> str | None:
        if action.weight is None:
            return None
        lower, builder = self._lower, self._lower.builder
        scope, params = parameters(lower, action.params, Scope({}))
        with builder.function() as body:
            scope = self._givens(action, (action.weight,), scope)
            builder.add(Return((lower.expr(action.weight, scope),)))
        return self._add(Function(f"weight{own}", ("s",), params, tuple(body), "number", builder.take_arrays()))

    def _givens(self, action: Action, users: tuple[Expr, ...], scope: Scope) -> Scope:
        """Add the names of a guard that the expressions need, themselves or for one another."""
        lower = self._lower
        lines = [line for line in action.guard if isinstance(line, Given)]
        needed = frozenset().union(*map(free_names, users))
        for line in reversed(lines):
            if line.name in needed:
                needed |= free_names(line.value)
        for line in lines:
            if line.name in needed:
                scope = scope.bind(line.name, lower.builder.named(lower.expr(line.value, scope), line.name))
        return scope

    def _score(self, sheet: ScoreSheet) -> tuple[str, str]:
        lower, builder = self._lower, self._lower.builder
        player = (Parameter(sheet.player, self._game.player),)
        parts = numbers(lower, "score", player, tuple(line.value for line in sheet.lines))
        scope, params = parameters(lower, player, Scope({}))
        with builder.function() as body:
            values = [lower.expr(key.value, scope) for key in sheet.keys]
            signed = [minus(ZERO, v) if key.descending else v for v, key in zip(values, sheet.keys, strict=True)]
            builder.add(Return(tuple(signed)))
        rank = Function("rank", ("s",), params, tuple(body), "numbers", builder.take_arrays())
        return self._add(parts), self._add(rank)
