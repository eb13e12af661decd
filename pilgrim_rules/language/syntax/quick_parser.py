"""Quick parser: runs lark's tables over a text that has no mistake, several times as fast as lark does.

Reads:  the tables, scanners and callbacks of a parser.   Writes: what a builder makes of a declaration.
After:  the result is the one lark gives. Whatever is unexpected is `Unexpected`, and nothing else is said about it: the caller then asks
        lark, which finds the place and what was expected there.

Most time of lark's goes into tokens that know their line and column, which no builder asks for, and into productions that hand on their only
child: an atom of an expression goes through eleven of them, and here through one step. A builder's method is called as it is, and what a nameless
production hands up is a list and no tree.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from string import ascii_letters, digits
from typing import Any, TypeAlias

from lark import Lark, Token
from lark.lexer import ContextualLexer
from lark.parse_tree_builder import ChildFilterLALR_NoPlaceholders, ExpandSingleChild
from lark.parsers.lalr_analysis import Shift

END = "$END"
#: What words and numbers are made of: two of them that stand together are one word, which is none of the language (`actionup`).
IN_WORDS = frozenset(ascii_letters + digits + "_")

#: What a production does: how many children it takes, its name, which of them count and whether they are lists (None: all), and what
#: builds it (None: they are handed up as a list). Without both, the only child is handed on.
Production: TypeAlias = tuple[int, str, tuple[tuple[int, bool], ...] | None, Callable[[Any, list[Any]], Any] | None]
HAND_ON = (None, None)


class Unexpected(Exception):
    """The text is not what the grammar wants, or is nothing that this parser knows how to read."""


class QuickParser:
    """A parser with the tables of another one, whose post-lexer turns indentation into tokens."""

    def __init__(self, made: Lark, method: Callable[[Any], Any], newline: str, indent: str, dedent: str) -> None:
        """Take over a parser; `method` is the builder's function behind a callback of its own."""
        frontend: Any = made.parser
        table, callbacks = frontend.parser._parse_table, frontend.parser.parser.callbacks  # noqa: SLF001  (lark offers no other way)
        lexer = frontend.lexer.lexer
        if not isinstance(lexer, ContextualLexer):
            raise TypeError("the parser has another kind of lexer")
        self._names = (newline, indent, dedent)
        productions = {rule: _production(rule, build, method) for rule, build in callbacks.items()}
        (self._start,), (self._end,) = table.start_states.values(), table.end_states.values()
        self._actions = {
            state: {kind: to if action is Shift else productions[to] for kind, (action, to) in row.items()}
            for state, row in table.states.items()
        }
        self._goto = {
            state: {name: to for name, (action, to) in row.items() if action is Shift}
            for state, row in table.states.items()
        }
        self._lexers = lexer.lexers
        self._scanners: dict[int, tuple[Any, dict[str, dict[str, str]]]] = {}
        self._chains: dict[tuple[int, int, str], int] = {}
        root: Any = lexer.root_lexer
        ignored, by_name = root.ignore_types, root.terminals_by_name
        self._skip = re.compile("|".join(f"(?:{by_name[name].pattern.to_regexp()})" for name in sorted(ignored)))
        begins_so = [each for name, each in by_name.items() if name not in ignored]
        if any(re.match(each.pattern.to_regexp(), blank) for each in begins_so for blank in " \t\f"):
            raise TypeError("a token may begin with what is ignored")

    def parse(self, text: str, builder: object) -> Any:
        """Return what the builder makes of the text; `Unexpected` if it is not what the grammar wants."""
        newline, indent, dedent = self._names
        skip, scanners = self._skip.match, self._scanners
        states, values, levels = [self._start], list[Any](), [0]
        at, end = 0, len(text)
        while True:
            blank = skip(text, at)
            if blank is not None:
                at = blank.end()
            if at >= end:
                break
            here = states[-1]
            scanner = scanners.get(here) or self._scanner(here)
            found = scanner[0](text, at)
            if found is None:
                raise Unexpected
            kind, value = found.lastgroup, found.group()
            words = scanner[1].get(kind)
            if words is not None:
                kind = words.get(value, kind)
            stop = found.end()
            if stop < end and text[stop] in IN_WORDS and text[stop - 1] in IN_WORDS:
                raise Unexpected
            self._feed(_token(kind, value, at, stop), kind, states, values, builder)
            if kind == newline:
                depth = len(value) - value.rfind("\n") - 1
                if depth > levels[-1]:
                    levels.append(depth)
                    self._feed(_token(indent, value, at, stop), indent, states, values, builder)
                while depth < levels[-1]:
                    levels.pop()
                    self._feed(_token(dedent, value, at, stop), dedent, states, values, builder)
                if depth != levels[-1]:
                    raise Unexpected
            at = stop
        for _ in levels[1:]:
            self._feed(_token(dedent, "", at, at), dedent, states, values, builder)
        self._feed(None, END, states, values, builder)
        return values[-1]

    def _feed(self, token: Token | None, kind: str, states: list[int], values: list[Any], builder: object) -> None:
        """Reduce as often as necessary, then shift the token; at the end of the text, until the whole is read."""
        actions, goto, chains = self._actions, self._goto, self._chains
        while True:
            state = states[-1]
            action = actions[state].get(kind)
            if action is None:
                raise Unexpected
            if action.__class__ is int:
                states.append(action)
                values.append(token)
                return
            size, name, places, build = action
            if places is None and build is None:  # the only child is handed on
                chain = states[-2], state, kind
                to = chains.get(chain)
                if to is None:
                    to = chains[chain] = self._handed_on(*chain)
                states[-1] = to
                continue
            children = values[-size:] if size else []
            if size:
                del states[-size:]
                del values[-size:]
            if places is not None:
                children = _flattened(children, places)
            to = goto[states[-1]][name]
            states.append(to)
            values.append(children if build is None else build(builder, children))
            if kind is END and to == self._end:
                return

    def _handed_on(self, below: int, state: int, kind: str) -> int:
        """Return the state in which something else is to be done than to hand on the only child."""
        while True:
            action = self._actions[state].get(kind)
            if action is None or action.__class__ is int or action[2:] != HAND_ON:
                return state
            state = self._goto[below][action[1]]

    def _scanner(self, state: int) -> tuple[Any, dict[str, dict[str, str]]]:
        """Return the pattern of the tokens that a state expects, and for each of some kinds which texts are words of another kind."""
        lexer: Any = self._lexers[state]
        patterns = lexer.scanner._mres  # noqa: SLF001  (as above)
        if len(patterns) != 1:
            raise Unexpected
        words = {
            kind: {each.pattern.value: each.name for each in callback.scanner.terminals}
            for kind, callback in lexer.callback.items()
        }
        made = patterns[0].match, words
        self._scanners[state] = made
        return made


def _token(kind: str, value: str, start: int, end: int) -> Token:
    """Return a token that knows its place in the text, but not its line."""
    made: Token = str.__new__(Token, value)
    made.type, made.start_pos, made.end_pos = kind, start, end
    return made


def _flattened(children: list[Any], places: tuple[tuple[int, bool], ...]) -> list[Any]:
    """Return the children at some places, and in the place of those that are lists what they hold."""
    found: list[Any] = []
    for place, is_list in places:
        if is_list:
            found = found + children[place] if found else children[place]  # a list that grows at its end is not copied
        else:
            found.append(children[place])
    return found


def _production(rule: Any, build: Any, method: Callable[[Any], Any]) -> Production:
    size, name, places = len(rule.expansion), rule.origin.name, None
    if isinstance(build, ExpandSingleChild):
        if size == 1:
            return size, name, *HAND_ON
        build = build.node_builder
    if isinstance(build, ChildFilterLALR_NoPlaceholders):
        places, build = tuple(build.to_include), build.node_builder
    if not name.startswith("_"):
        return size, name, places, method(build)
    return size, name, places or tuple((place, False) for place in range(size)), None
