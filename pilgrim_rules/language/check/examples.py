"""Examples: worked examples and witnesses -> the core.

Reads:  `example` and `witness` declarations, through the checker.   Writes: `ir.Example`s of this instance.
After:  every move has its argument codes; an example that speaks of another instance is left out, and so is, in any reading
        but the default, one that is not about that reading. A line about another
        reading may name an action that only that reading has: its words are kept, and it is checked there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import assert_never

from pilgrim_rules.core import ir
from pilgrim_rules.core.expand import expand_lines
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.language.check.constant import value_of
from pilgrim_rules.language.check.data_and_state import DataAndState
from pilgrim_rules.language.check.payments import Purses
from pilgrim_rules.language.check.program_info import ProgramInfo
from pilgrim_rules.language.check.scope import ARRANGE, EXAMPLE, MOVE, Scope
from pilgrim_rules.language.check.statements import LineKeys, Statements
from pilgrim_rules.language.names.readings import Readings
from pilgrim_rules.language.syntax import ast


@dataclass
class Examples:
    """The lowering of examples."""

    tables: DataAndState
    purses: Purses

    @property
    def _program(self) -> ProgramInfo:
        return self.tables.program

    def run(self) -> tuple[ir.Example, ...]:
        """Return the examples of this instance."""
        return tuple(
            self._example(node) for node in self._program.symbols.examples.values() if self._applies_to_instance(node)
        )

    def _applies_to_instance(self, node: ast.Example) -> bool:
        """Tell whether the example speaks of this instance: of its number of players, its parameters, its reading.

        The default reading has all examples, so that whoever looks there knows of them; any other has its own.
        """
        if self._now and self._now not in self._readings.of_example(node):
            return False
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
            return self._program.people
        constant = self._program.constants.get(line.place.name.text)
        return constant.values[0] if constant and not constant.index and constant.type.kind == "int" else None

    def _example(self, node: ast.Example) -> ir.Example:
        steps: list[ir.ExampleStep] = []
        elsewhere: list[tuple[str, ir.Options]] = []
        whole = self._under(node.under)
        keys = LineKeys(node.name.text)
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
                    steps += self._arrange(line, statements, keys)
                case ast.WhenMove(move=move) | ast.RefuseLine(move=move) if (
                    move.action.text in self._program.other_actions
                ):
                    if self._now in self._readings.run_in(node, line):
                        self._absent(move.action)
                    elsewhere.append((self._words(line), self._readings.of_line(node, line)))
                case ast.WhenMove(move=move, by=by, under=under):
                    args, options = self._move(move), self._under(under)
                    if args is not None:
                        steps.append(ir.Make(move.action.text, args, self._player(by), options, span=line.span))
                case ast.RefuseLine(move=move, because=because, under=under):
                    args, options = self._move(move), self._under(under)
                    clauses = self._program.clauses(because)
                    if args is not None:
                        steps.append(ir.Refuse(move.action.text, args, clauses, options, span=line.span))
                case ast.ExpectLine(formula=formula, under=under):
                    test = self.tables.check.boolean(formula, Scope(EXAMPLE))
                    steps.append(ir.Expect(test, self._under(under), span=line.span))
                case _:
                    assert_never(line)
        note = self._program.note(node)
        return ir.Example(node.name.text, tuple(steps), node.witness, note, whole, tuple(elsewhere))

    # readings ------------------------------------------------------------------------------------------------------

    @cached_property
    def _readings(self) -> Readings:
        return Readings.from_symbols(self._program.symbols)

    @cached_property
    def _now(self) -> ir.Options:
        """The options that hold and are not the defaults."""
        constants = self._program.constants
        known = [constants[name] for name in self._readings.rulings if name in constants]
        return self._readings.non_default((each.name, each.type.labels[each.values[0]]) for each in known)

    def _absent(self, word: ast.Word) -> None:
        """Report a move of an action that does not exist in the reading that the line is about."""
        action = self._program.other_actions[word.text]
        if action.only is None:
            help_ = "it is an automaton that does this: say with `given players == …` in which game"
            self._program.bag.add(codes.PR511, f"nobody does `{word.text}` in this game", word.span, help=help_)
            return
        match action.only:
            case ast.Binary(op="==", left=ast.Name(text=ruling), right=ast.Name(text=option)):
                reading = f"{ruling} = {option}"
            case _:  # a test that is not that simple
                reading = "ruling = option"
        help_ = f"say which reading the line is about: `under {reading}`, here or behind the name of the example"
        related = ((action.only.span, "it exists only when this holds"),)
        what = f"there is no action `{word.text}` in this reading of the rules"
        self._program.bag.add(codes.PR511, what, word.span, help=help_, related=related)

    def _words(self, node: ast.Node) -> str:
        """Return the words of a line or an expression, as they are written."""
        source = self._program.bag.sources[node.span.file]
        return " ".join(source.text[node.span.start : node.span.end].split())

    # lines ---------------------------------------------------------------------------------------------------------

    def _arrange(
        self, line: ast.GivenLine | ast.GivenDo, statements: Statements, keys: LineKeys
    ) -> list[ir.ExampleStep]:
        if isinstance(line, ast.GivenDo):
            run = statements.run(line.run, Scope(ARRANGE), keys, ())
            lines: tuple[ir.WrittenStmt, ...] = () if run is None else (run,)
        else:
            variable = self._program.variables.get(line.place.name.text)
            ghost = variable is not None and variable.ghost
            assign = ast.Assign(line.place, "=", line.value, ghost=ghost, span=line.span)
            lines, _ = statements.block((ast.StmtLine((assign,), (), span=line.span),), Scope(ARRANGE), keys)
        body = expand_lines(lines, (), self._program.shared)
        return [ir.Arrange(body, lines=lines, span=line.span)] if body else []

    def _move(self, move: ast.MoveRef) -> tuple[int, ...] | None:
        action = self._program.actions.get(move.action.text)
        if action is None:
            self._program.unknown(move.action, self._program.actions, "action", codes.PR207)
            return None
        args = self.tables.check.arguments(action.name, action.params, move.args, move.span, Scope(MOVE))
        if args is None:
            return None
        found = [value_of(arg, self._program, move.span, looks=True) for arg in args]
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

    def _under(self, choices: ast.Under) -> ir.Options:
        for ruling, option in choices:
            source = self._program.symbols.values.get(ruling.text)
            if not isinstance(source, ast.Ruling):
                rulings = [name for name, each in self._program.symbols.values.items() if isinstance(each, ast.Ruling)]
                self._program.unknown(ruling, rulings, "ruling or option", codes.PR505)
            elif reason := next((each.refused for each in source.refused if each.name.text == option.text), None):
                what = f"option `{option.text}` of ruling `{ruling.text}` is not played"
                self._program.bag.add(codes.PR515, what, option.span, help=reason)
            elif option.text not in {each.name.text for each in source.options}:
                self._program.unknown(option, [each.name.text for each in source.options], "option", codes.PR505)
        return tuple((ruling.text, option.text) for ruling, option in choices)
