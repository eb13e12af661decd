"""Module: the Python source of a whole game.

Reads:  a core game.   Writes: the text of a module; `pilgrim compile --emit python` prints it.
After:  the module needs nothing but the functions `fail`, `twice`, `bad` and `ask`, which its loader puts in its namespace.

For action number i it has `legal{i}` (legal arguments, stages left aside), `allowed{i}`, `apply{i}` and for chance
`weight{i}`; for other declarations `def{i}`, `claim{i}`, `by{i}` (stage), `ranking{i}`, `score` and `rank`; each name is a
list that the tables at the end give by number. A state is a `bytes` object laid out as `layout` says.
"""

from __future__ import annotations

from pilgrim_rules.core.ir import Action, Claim, Expr, Game, Given, Parameter, Require, ScoreSheet
from pilgrim_rules.core.walk import free_names, statement_expressions
from pilgrim_rules.engine.codegen.drawing import write_network
from pilgrim_rules.engine.codegen.expressions import Coder
from pilgrim_rules.engine.codegen.known import tabulated
from pilgrim_rules.engine.codegen.operators import negated
from pilgrim_rules.engine.codegen.ranges import range_of
from pilgrim_rules.engine.codegen.search import write_search
from pilgrim_rules.engine.codegen.sites import Sites
from pilgrim_rules.engine.codegen.snippets import ATOM, Scope, tuple_of
from pilgrim_rules.engine.codegen.statements import WORK, Scribe
from pilgrim_rules.engine.codegen.writer import plain
from pilgrim_rules.engine.layout import layout
from pilgrim_rules.engine.scene import World


def source(game: Game) -> str:
    """Return the source of the game's module."""
    author = _Author(game)
    author.write()
    return author.text()


class _Author:
    def __init__(self, game: Game) -> None:
        self._game = game
        self._coder = Coder(World(tabulated(game)), layout(game), Sites(game))
        self._writer = self._coder.writer
        self._names: dict[str, list[str]] = {
            kind: [] for kind in ("LEGAL", "ALLOWED", "APPLY", "WEIGHT", "DEFS", "CLAIMS", "BY", "RANKINGS", "NETWORKS")
        }

    def text(self) -> str:
        head = [
            f"# {plain(self._game.name)}, compiled from its rules. Written by a program: change the rules instead.",
            "",
        ]
        return "\n".join([*head, *self._coder.tables.lines(), ""]) + self._writer.text()

    def write(self) -> None:
        for definition in self._game.defs:
            self._def(definition.name, definition.params, definition.body)
        for number, action in enumerate(self._game.actions):
            self._action(number, action)
        for number, claim in enumerate(self._game.claims):
            self._claim(number, claim)
        for number, stage in enumerate(self._game.stages):
            name = f"by{number}_{plain(stage.name)}"
            if stage.by is not None:
                self._function(f"def {name}(s):", stage.by, Scope({}, {}))
            self._names["BY"].append("None" if stage.by is None else name)
        for number, ranking in enumerate(self._game.rankings):
            name = f"ranking{number}_{plain(ranking.name)}"
            self._tuple(f"def {name}(s):", ranking.parts, Scope({}, {}))
            self._names["RANKINGS"].append(name)
        for number, network in enumerate(self._game.networks):
            self._names["NETWORKS"].append(write_network(self._coder, network, number))
        if self._game.score is not None:
            self._score(self._game.score)
        self._head()
        for table, names in self._names.items():
            self._writer.line(f"{table} = {tuple_of(names)}")

    # ---------------------------------------------------------------------------------------------------- declarations

    def _def(self, name: str, params: tuple[Parameter, ...], body: Expr) -> None:
        states = {"now": "s", "old": "o", "next": "n"}
        scope, locals_ = self._called(params, Scope({}, {}, old="o", next="n"))
        args = [states[when] for when in self._coder.def_states(name)]
        own = self._coder.def_name(name)
        self._function(f"def {own}({', '.join([*args, *locals_])}):", body, scope)
        self._names["DEFS"].append(own)

    def _action(self, number: int, action: Action) -> None:
        own = f"{number}_{plain(action.name)}"
        self._head()
        write_search(self._coder, action, f"def legal{own}(s):")
        self._head()
        scope, params = self._called(action.params, Scope({}, {}))
        with self._writer.block(f"def allowed{own}({', '.join(['s', *params])}):"):
            self._guard(action, scope)
            self._writer.line("return True")
        self._head()
        scope, params = self._called(action.params, Scope({}, {}, old="s"))
        with self._writer.block(f"def apply{own}({', '.join(['s', *params])}):"):
            scope = self._givens(action, tuple(statement_expressions(action.body)), scope)
            self._writer.line(f"{WORK} = bytearray(s)")
            Scribe(self._coder).block(action.body, _working(scope))
            self._writer.line(f"return bytes({WORK})")
        self._names["LEGAL"].append(f"legal{own}")
        self._names["ALLOWED"].append(f"allowed{own}")
        self._names["APPLY"].append(f"apply{own}")
        self._names["WEIGHT"].append("None" if action.weight is None else f"weight{own}")
        if action.weight is not None:
            self._head()
            scope, params = self._called(action.params, Scope({}, {}))
            with self._writer.block(f"def weight{own}({', '.join(['s', *params])}):"):
                scope = self._givens(action, (action.weight,), scope)
                self._writer.line(f"return {self._coder.expr(action.weight, scope).text}")

    def _guard(self, action: Action, scope: Scope) -> None:
        """Write the guard in the order of the text, for arguments that are known."""
        for line in action.guard:
            match line:
                case Given(name=name, value=value):
                    scope = self._given(name, value, scope)
                case Require(test=test, key=key):
                    code = self._coder.code(negated(self._coder.simplify(test)), scope)
                    with self._writer.block(f"if {code.text}:  # {plain(key)}"):
                        self._writer.line("return False")

    def _givens(self, action: Action, users: tuple[Expr, ...], scope: Scope) -> Scope:
        """Write the names of a guard that the expressions need, themselves or for one another."""
        lines = [line for line in action.guard if isinstance(line, Given)]
        needed = frozenset().union(*map(free_names, users))
        for line in reversed(lines):
            if line.name in needed:
                needed |= free_names(line.value)
        for line in lines:
            if line.name in needed:
                scope = self._given(line.name, line.value, scope)
        return scope

    def _given(self, name: str, value: Expr, scope: Scope) -> Scope:
        simple = self._coder.simplify(value)
        span = self._coder.bounds(simple, scope)
        return scope.bind(name, self._coder.named(self._coder.code(simple, scope), name), span)

    def _claim(self, number: int, claim: Claim) -> None:
        name = f"claim{number}_{plain(claim.name)}"
        self._function(f"def {name}(s, n):", claim.formula, Scope({}, {}, next="n"))
        self._names["CLAIMS"].append(name)

    def _score(self, sheet: ScoreSheet) -> None:
        local = self._writer.name(sheet.player)
        scope = Scope({}, {}).bind(sheet.player, local, range_of(self._game.player))
        self._tuple(f"def score(s, {local}):", tuple(line.value for line in sheet.lines), scope)
        keys = tuple(key.value for key in sheet.keys)
        self._head()
        with self._writer.block(f"def rank(s, {local}):"):
            parts = [self._coder.expr(each, scope) for each in keys]
            texts = [
                f"-{part.within(ATOM)}" if key.descending else part.text
                for part, key in zip(parts, sheet.keys, strict=True)
            ]
            self._writer.line(f"return {tuple_of(texts)}")

    # -------------------------------------------------------------------------------------------------------- functions

    def _head(self) -> None:
        self._writer.line("")
        self._writer.line("")

    def _called(self, params: tuple[Parameter, ...], scope: Scope) -> tuple[Scope, list[str]]:
        """Return the scope inside a function, and the Python names of its parameters."""
        names: list[str] = []
        for param in params:
            names.append(self._writer.name(param.name))
            scope = scope.bind(param.name, names[-1], range_of(param.type))
        return scope, names

    def _function(self, head: str, body: Expr, scope: Scope) -> None:
        self._head()
        with self._writer.block(head):
            self._writer.line(f"return {self._coder.expr(body, scope).text}")

    def _tuple(self, head: str, parts: tuple[Expr, ...], scope: Scope) -> None:
        self._head()
        with self._writer.block(head):
            texts = [self._coder.expr(part, scope).text for part in parts]
            self._writer.line(f"return {tuple_of(texts)}")


def _working(scope: Scope) -> Scope:
    return Scope(scope.names, scope.ranges, now=WORK, old="s")
