"""Examples: worked examples and witnesses -> the core.

Reads:  `example` and `witness` declarations, through the checker.   Writes: `ir.Example`s of this instance.
After:  every move has its argument codes; an example that speaks of another instance is left out.
"""

from __future__ import annotations

from dataclasses import dataclass

from pilgrim_rules.core import ir
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.lowering.purses import Purses
from pilgrim_rules.lowering.statements import Keys, Names, Statements
from pilgrim_rules.syntax import ast
from pilgrim_rules.types.constant import value_of
from pilgrim_rules.types.program import Program
from pilgrim_rules.types.scope import ARRANGE, EXAMPLE, MOVE, Scope
from pilgrim_rules.types.tables import Tables


@dataclass(slots=True)
class Examples:
    """The lowering of examples."""

    tables: Tables
    purses: Purses

    @property
    def _program(self) -> Program:
        return self.tables.program

    def run(self) -> tuple[ir.Example, ...]:
        """Return the examples of this instance."""
        return tuple(self._example(node) for node in self._program.symbols.examples.values() if self._concerns(node))

    def _concerns(self, node: ast.Example) -> bool:
        """Tell whether the example speaks of this instance: of its number of players, and of its parameters."""
        for line in node.lines:
            known = self._instance(line)
            if known is None or not isinstance(line, ast.GivenLine):
                continue
            if not isinstance(line.value, ast.Number):
                self._program.bag.add(codes.PR311, "an instance is given by a number", line.value.span)
            elif line.value.value != known:
                return False
        return True

    def _instance(self, line: ast.ExampleLine) -> int | None:
        """Return the number that `given players == n`, or a parameter in its place, must be; None of other lines."""
        if not isinstance(line, ast.GivenLine) or line.place.args:
            return None
        if line.place.name.text == "players":
            return self._program.player.size
        constant = self._program.constants.get(line.place.name.text)
        return constant.values[0] if constant and not constant.index and constant.type.kind == "int" else None

    def _example(self, node: ast.Example) -> ir.Example:
        steps: list[ir.ExampleStep] = []
        keys, names = Keys(node.name.text), Names()
        statements = Statements(self.tables, self.purses)
        for line in node.lines:
            match line:
                case ast.GivenLine() if self._instance(line) is not None:
                    continue
                case ast.GivenLine() | ast.GivenDo():
                    if node.witness:
                        help_ = "make it an `example`, or play to the position"
                        self._program.bag.add(codes.PR504, "a witness is played from the start", line.span, help=help_)
                        continue
                    steps += self._arrange(line, statements, keys, names)
                case ast.WhenMove(move=move, by=by):
                    args = self._move(move)
                    if args is not None:
                        steps.append(ir.Make(move.action.text, args, self._player(by), span=line.span))
                case ast.RefuseLine(move=move, because=because):
                    args = self._move(move)
                    if args is not None:
                        steps.append(ir.Refuse(move.action.text, args, self._program.clauses(because), span=line.span))
                case ast.ExpectLine(formula=formula, under=under):
                    test = self.tables.check.boolean(formula, Scope(EXAMPLE))
                    steps.append(ir.Expect(test, self._under(under), span=line.span))
        return ir.Example(node.name.text, tuple(steps), node.witness, self._program.note(node))

    def _arrange(
        self, line: ast.GivenLine | ast.GivenDo, statements: Statements, keys: Keys, names: Names
    ) -> list[ir.ExampleStep]:
        if isinstance(line, ast.GivenDo):
            body = tuple(statements.run(line.run, Scope(ARRANGE), names))
        else:
            variable = self._program.variables.get(line.place.name.text)
            ghost = variable is not None and variable.ghost
            assign = ast.Assign(line.place, "=", line.value, ghost=ghost, span=line.span)
            body, _ = statements.block((ast.Line((assign,), (), span=line.span),), Scope(ARRANGE), keys, names)
        return [ir.Arrange(body, span=line.span)] if body else []

    def _move(self, move: ast.MoveRef) -> tuple[int, ...] | None:
        action = self._program.actions.get(move.action.text)
        if action is None:
            self._program.unknown(move.action, self._program.actions, "action", codes.PR207)
            return None
        args = self.tables.check.arguments(action.name, action.params, move.args, move.span, Scope(MOVE))
        if args is None:
            return None
        found = [value_of(arg, self._program, move.span) for arg in args]
        return None if None in found else tuple(code for code in found if code is not None)

    def _player(self, word: ast.Word | None) -> int | None:
        """Return the code of the player who is said to decide."""
        player = self._program.player
        if word is None:
            return None
        if word.text not in player.labels:
            self._program.unknown(word, player.labels, "player")
            return None
        return player.lo + player.labels.index(word.text)

    def _under(self, choices: tuple[tuple[ast.Word, ast.Word], ...]) -> tuple[tuple[str, str], ...]:
        for ruling, option in choices:
            source = self._program.symbols.values.get(ruling.text)
            if not isinstance(source, ast.Ruling):
                rulings = [name for name, each in self._program.symbols.values.items() if isinstance(each, ast.Ruling)]
                self._program.unknown(ruling, rulings, "ruling", codes.PR505)
            elif option.text not in {each.name.text for each in source.options}:
                self._program.unknown(option, [each.name.text for each in source.options], "option", codes.PR505)
        return tuple((ruling.text, option.text) for ruling, option in choices)
