"""Calls: definitions and the functions of the language.

Reads:  surface calls, the program, the scope.   Writes: core calls.
After:  every argument lies in the type of its parameter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pilgrim_rules.core import derived, ir
from pilgrim_rules.core.at_time import moved, primed
from pilgrim_rules.core.automata import is_automaton
from pilgrim_rules.core.forms import expand_form
from pilgrim_rules.core.operators import QUESTIONS, result_range
from pilgrim_rules.core.smart_constructors import FALSE, equals, number, optional
from pilgrim_rules.core.sub_turns import DEPTH, is_stack
from pilgrim_rules.core.walk import subexpressions
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.language.check.graph_questions import GraphQuestions
from pilgrim_rules.language.check.program_info import POISON, POISONED
from pilgrim_rules.language.check.scope import Scope
from pilgrim_rules.language.syntax import ast

#: Built-in functions whose value is that of a state, whatever they are given.
_OF_THE_STATE = frozenset({"top", "bottom", "asked", "interrupted"})


@dataclass(slots=True)
class Calls(GraphQuestions):
    """The checker of calls."""

    def call(self, node: ast.Call, scope: Scope, want: ir.Type | None) -> ir.Expr:
        """Return an applied definition, stage or function."""
        name = node.name.text
        definition = self.program.defs.get(name)
        if definition is not None:
            args = self.arguments(name, definition.params, node.args, node.span, scope)
            readable = self.readable(node.name, scope)
            made = ir.Call(name, args, definition.body.type) if args is not None and readable else POISONED
            return self._after(made, node, scope)
        if name in self.program.stages:
            return self._stage(node, scope)
        network = self.network(node)
        if network is not None and name in QUESTIONS:
            return self.ask(node, network, scope)
        if network is not None and name not in self.program.broken:
            self.program.unknown(node.name, QUESTIONS, "question to a network", codes.PR510)
            return POISONED
        special = self._functions().get(name)
        if special is not None:
            return self._after(special(node, scope, want), node, scope)
        if name not in self.program.broken:
            if name in self.program.symbols.rules:
                self.program.bag.add(codes.PR208, f"`{name}` is a rule, not a definition", node.name.span)
            else:
                self.program.unknown(node.name, (*self.program.defs, *self._functions()), "definition")
        return POISONED

    def _functions(self) -> dict[str, Callable[[ast.Call, Scope, ir.Type | None], ir.Expr]]:
        return {
            "min": self._extreme, "max": self._extreme, "next": self._neighbour, "previous": self._neighbour,
            "seats_after": self._seats, "seats_after_or_at": self._seats, "ord": self._ord, "leads": self.leads,
            "beside": self.beside, "opposite": self.opposite, "distance": self.distance, "connected": self.connected, "reach": self.reach, "degree": self.degree,
            "between": self.between, "possible": self._possible,
            "score": self._score, "rank": self._standing, "winner": self._standing,
            "asked": self._asked, "interrupted": self._interrupted, "automaton": self._automaton,
            "count": self._count, "top": self._end_of_zone, "bottom": self._end_of_zone, "position": self._position,
            "due": self._due, "coming": self._coming,
        }  # fmt: skip

    def _after(self, made: ir.Expr, node: ast.Call, scope: Scope) -> ir.Expr:
        """Return an applied definition, if it is primed as asked of the state after the step, of arguments before it."""
        if not node.primed or made.type == POISON:
            return made
        if not scope.may.next:
            what = f"`{node.name.text}'` has no meaning in {scope.may.place}"
            help_ = "only `step` claims look at the next state"
            self.program.bag.add(codes.PR409, what, node.span, help=help_)
            return POISONED
        if isinstance(made, ir.Call):
            return primed(made, self.program.defs) if self.can_open(made, node.span) else POISONED
        if any(isinstance(part, ir.Read) and part.when == "next" for part in subexpressions(made)):
            return made  # of zones, which are read as they are then
        name = node.name.text
        if name not in _OF_THE_STATE:
            what, help_ = f"`{name}` does not look at the state, so it is the same after a step", "drop the prime"
        elif any(isinstance(arg, ast.Index) for arg in node.args):
            what = f"`{name}'` wants a zone without an index"
            help_ = f"say it with a definition: `def f(p: Player) = {name}(hand[p])`, and `f'(turn)`"
        else:
            return moved(made, "next", self.program.defs) if self.can_open(made, node.span) else POISONED
        self.program.bag.add(codes.PR409, what, node.name.span, help=help_)
        return POISONED

    def arguments(
        self, name: str, params: tuple[ir.Parameter, ...], args: tuple[ast.Arg, ...], span: Span, scope: Scope
    ) -> tuple[ir.Expr, ...] | None:
        """Return the arguments in the order of the parameters, by place or by name; None after an error."""
        given: dict[str, ast.Expr] = {}
        for at, arg in enumerate(args):
            word = arg.name.text if isinstance(arg, ast.NamedArg) else params[at].name if at < len(params) else ""
            if word not in {param.name for param in params}:
                if isinstance(arg, ast.NamedArg):
                    self.program.unknown(arg.name, [param.name for param in params], f"parameter of `{name}`")
                    return None
                break
            if word in given:
                self.program.bag.add(codes.PR304, f"`{word}` is given twice", arg.span)
                return None
            given[word] = arg.value if isinstance(arg, ast.NamedArg) else arg
        needed = sum(param.default is None for param in params)
        if len(args) > len(params) or any(param.name not in given and param.default is None for param in params):
            counted = f"{needed}" if needed == len(params) else f"{needed} to {len(params)}"
            plural = "argument" if counted == "1" else "arguments"
            self.program.bag.add(codes.PR304, f"`{name}` takes {counted} {plural}, not {len(args)}", span)
            return None
        found: list[ir.Expr] = []
        for param in params:
            node = given.get(param.name)
            if node is None:
                assert param.default is not None, "parameters without default have been found"
                found.append(ir.Lit(param.default, param.type))
            else:
                found.append(self.fitted(node, scope, param.type))
        return None if any(each.type == POISON for each in found) else tuple(found)

    # functions of numbers, enums and players -----------------------------------------------------------------------

    def _plain(self, node: ast.Call, count: int) -> tuple[ast.Expr, ...] | None:
        args = tuple(arg for arg in node.args if not isinstance(arg, ast.NamedArg))
        if len(args) != len(node.args) or len(args) != count:
            plural = "argument" if count == 1 else "arguments"
            self.program.bag.add(
                codes.PR304, f"`{node.name.text}` takes {count} {plural}, not {len(node.args)}", node.span
            )
            return None
        return args

    def _extreme(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        args = tuple(self.integer(arg, scope) for arg in node.args if not isinstance(arg, ast.NamedArg))
        if len(args) < 2:  # noqa: PLR2004  (two or more)
            self.program.bag.add(codes.PR304, f"`{node.name.text}` takes two or more arguments", node.span)
            return POISONED
        if any(arg.type == POISON for arg in args):
            return POISONED
        op: ir.Operator = "max" if node.name.text == "max" else "min"
        return ir.Apply(op, args, number(*result_range(op, args)))

    def _automaton(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        """`automaton(p)`: whether a policy decides for a player."""
        args = self._plain(node, 1)
        player = optional(self.program.player)
        value = POISONED if args is None else self.coerce(self.expr(args[0], scope, player), player, args[0].span)
        return POISONED if value.type == POISON else is_automaton(value, self.program.automata)

    def _enum_value(self, node: ast.Expr, scope: Scope, want: ir.Type | None) -> ir.Expr:
        value = self.expr(node, scope, want)
        if value.type.kind != "enum" and value.type != POISON:
            self.coerce(value, value.type.parts[0], node.span) if value.type.kind == "optional" else self._wrong(
                value, "an enum", node.span
            )
            return POISONED
        return value

    def _neighbour(self, node: ast.Call, scope: Scope, want: ir.Type | None) -> ir.Expr:
        """`next(x)` and `previous(x)`: the label after and before, going round."""
        args = self._plain(node, 1)
        value = POISONED if args is None else self._enum_value(args[0], scope, want)
        if value.type == POISON:
            return POISONED
        return expand_form("next" if node.name.text == "next" else "previous", (value,), value.type, value.type)

    def _seats(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        """`seats_after(a, b)`: 1 to n, b == a counts n; `seats_after_or_at(a, b)`: 0 to n - 1."""
        args = self._plain(node, 2)
        if args is None:
            return POISONED
        start, end = (self.fitted(arg, scope, self.program.player) for arg in args)
        player = self.program.player
        if node.name.text == "seats_after":
            return expand_form("seats_after", (start, end), player, number(1, player.size))
        return expand_form("seats_after_or_at", (start, end), player, number(0, player.size - 1))

    def _ord(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        """`ord(x)`: the place of a label in its enum, from 0."""
        args = self._plain(node, 1)
        value = POISONED if args is None else self._enum_value(args[0], scope, None)
        return POISONED if value.type == POISON else expand_form("ord", (value,), value.type, number(0, value.type.hi))

    def _stage(self, node: ast.Call, scope: Scope) -> ir.Expr:
        info = self.program.stages[node.name.text]
        if info.carries is None:
            self.program.bag.add(codes.PR304, f"the stage `{info.name}` carries no value", node.span)
            return POISONED
        args = self._plain(node, 1)
        value = POISONED if args is None else self.fitted(args[0], scope, info.carries)
        if value.type == POISON:
            return POISONED
        return expand_form("stage", (value,), info.carries, self.program.stage, info.name)

    # what is derived from actions and from the score ---------------------------------------------------------------

    def _possible(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        """`possible(a)`: some arguments satisfy all requirements and costs; `possible(a(x))`: these do. Any stage.

        `possible(g(x))` of a shared guard: these satisfy its requirements; also in effects.
        """
        args = self._plain(node, 1)
        asked = None if args is None else args[0]
        of_guard = isinstance(asked, ast.Call) and isinstance(
            self.program.symbols.rules.get(asked.name.text), ast.Guard
        )
        if not (scope.may.possible or (of_guard and scope.may.guards)):
            self.program.bag.add(
                codes.PR409,
                f"`possible` has no meaning in {scope.may.place}",
                node.span,
                help="ask it in a requirement or a claim",
            )
            return POISONED
        if asked is None:
            return POISONED
        word = asked.name if isinstance(asked, ast.Call) else ast.Word(getattr(asked, "text", "…"), span=asked.span)
        if word.text not in self.program.symbols.rules or not isinstance(asked, ast.Call | ast.Name):
            self.program.unknown(word, self.program.symbols.rules, "action", codes.PR207)
            return POISONED
        if word.text in self.program.other_actions:
            return FALSE
        guard = self.program.guards.get(word.text)
        if guard is not None and isinstance(asked, ast.Call):
            given = self.arguments(guard.name, guard.params, asked.args, asked.span, scope)
            return POISONED if given is None else ir.Call(f"{derived.HOLDS}{guard.name}", given, ir.BOOL)
        action = self.program.actions.get(word.text)
        if action is None:
            return POISONED
        if isinstance(asked, ast.Name):
            return self._when_made(ir.Call(f"{derived.POSSIBLE}{action.name}", (), ir.BOOL), action, scope)
        given = self.arguments(action.name, action.params, asked.args, asked.span, scope)
        if given is None:
            return POISONED
        return self._when_made(ir.Call(f"{derived.POSSIBLE_MOVE}{action.name}", given, ir.BOOL), action, scope)

    def _when_made(self, asked: ir.Expr, action: ir.Action, scope: Scope) -> ir.Expr:
        """Return that a move is possible; in an example, in the stage that the game is in."""
        if not scope.may.stage_counts:
            return asked
        stage = self.program.stage
        tests = tuple(
            ir.Apply("==", (ir.Read("stage", (), stage), ir.Lit(code, stage)), ir.BOOL) for code in action.stages
        )
        return ir.Apply("and", (tests[0] if len(tests) == 1 else ir.Apply("or", tests, ir.BOOL), asked), ir.BOOL)

    def _score(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        """`score(p)`: the points of a player; `score(p, "Trails")`: those of one line."""
        sheet = self.program.symbols.score
        if sheet is None:
            help_ = "say how points are counted: `score of p` and its lines"
            self.program.bag.add(codes.PR509, "this game keeps no score", node.span, help=help_)
            return POISONED
        name = derived.POINTS
        args = node.args
        if len(args) == 2:  # noqa: PLR2004  (a player and a line)
            line = args[1]
            if not isinstance(line, ast.Text):
                help_ = 'write its label: `score(p, "Trails")`'
                self.program.bag.add(codes.PR509, "this is no line of the score", line.span, help=help_)
                return POISONED
            labels = [each.label.text for each in sheet.lines]
            if line.text not in labels:
                self.program.unknown(ast.Word(line.text, span=line.span), labels, "line of the score", codes.PR509)
                return POISONED
            name, args = derived.line_name(labels.index(line.text)), args[:1]
        return self._of_player(name, node, args, scope)

    def _standing(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        """`rank(p)`: 1 to n, 1 for whom nobody beats; `winner(p)`: the game is over, and nobody beats p."""
        if self.program.symbols.score is None and self.program.symbols.rank is None:
            help_ = "say how players are ranked: `rank p by …`"
            self.program.bag.add(codes.PR509, "this game ranks nobody", node.span, help=help_)
            return POISONED
        name = derived.RANK if node.name.text == "rank" else derived.WINNER
        return self._of_player(name, node, node.args, scope)

    def _asked(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        """`asked(poll)`: who is asked next; optional."""
        args = self._plain(node, 1)
        if args is None:
            return POISONED
        name = args[0].text if isinstance(args[0], ast.Name) else "…"
        info = self.program.stages.get(name)
        if info is None or not info.node.poll or info.node.by is None:
            polls = [each for each, stage in self.program.stages.items() if stage.node.poll]
            self.program.unknown(ast.Word(name, span=args[0].span), polls, "poll", codes.PR206)
            return POISONED
        return self.expr(info.node.by, Scope(scope.may), optional(self.program.player))

    def _interrupted(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        """`interrupted(stage)`: a sub-turn is under way that goes back to this stage, now or after others."""
        args = self._plain(node, 1)
        if args is None:
            return POISONED
        name = args[0].text if isinstance(args[0], ast.Name) else "…"
        info = self.program.stages.get(name)
        if info is None:
            if name in scope.names:
                what = f"`{name}` is a value, and `interrupted` takes the name of a stage"
                self.program.bag.add(codes.PR206, what, args[0].span, help="write it for each stage by its name")
            else:
                self.program.unknown(ast.Word(name, span=args[0].span), self.program.stages, "stage", codes.PR206)
            return POISONED
        cells = [each for each in self.program.variables if is_stack(each) and each != DEPTH]
        if not cells:
            return FALSE  # without sub-turns nothing is interrupted, which a module cannot know
        found = [self.read(ast.Name(each, span=node.span), (), scope) for each in cells]
        if any(each.type == POISON for each in found):
            return POISONED
        tests = tuple(equals(each, ir.Lit(code, each.type)) for each in found for code in info.codes)
        return tests[0] if len(tests) == 1 else ir.Apply("or", tests, ir.BOOL)

    def _of_player(self, name: str, node: ast.Call, args: tuple[ast.Arg, ...], scope: Scope) -> ir.Expr:
        definition = self.program.defs.get(name)
        if definition is None:
            return POISONED  # a mistake in the score, which has been reported
        given = self.arguments(node.name.text, definition.params, args, node.span, scope)
        readable = self.readable(node.name, scope, name)
        return ir.Call(name, given, definition.body.type) if given is not None and readable else POISONED
