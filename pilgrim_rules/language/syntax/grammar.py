"""Grammar: the parser of the language.

Reads:  rules.lark, or the tables made of it in an earlier run or for a wheel.   Writes: a parser that calls the builder at hand.
After:  the parser is the same either way; tables of another grammar or of another lark are never used.

Making the tables takes most of a second, reading them a tenth of it. They are kept as JSON: nothing in them is run.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache as once
from functools import partial
from hashlib import sha256
from importlib import resources
from threading import Lock
from typing import Any

import lark
from lark.grammar import Rule
from lark.indenter import Indenter
from lark.lexer import TerminalDef

from pilgrim_rules.language.syntax.build_rules import BuildRules
from pilgrim_rules.language.syntax.quick_parser import IN_WORDS, QuickParser, Unexpected
from pilgrim_rules.util import text_cache

_SUFFIX = ".grammar.json"
SHIPPED = "rules.tables.json"  #: the tables in a wheel, beside the grammar: a line that says of what, and the tables


class _Blocks(Indenter):
    """Turns indentation into tokens; layout has already checked it."""

    NL_type = "_NL"
    OPEN_PAREN_types: list[str] = []  # noqa: RUF012  (the base class wants a list)
    CLOSE_PAREN_types: list[str] = []  # noqa: RUF012  (the same)
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 4

    def process(self, stream: Iterator[lark.Token]) -> Iterator[lark.Token]:
        """Refuse words that stand together: the lexer would take `actionup` for `action up`."""
        return super().process(_apart(stream))  # type: ignore[no-any-return, no-untyped-call]  # lark leaves its types out


def _apart(stream: Iterator[lark.Token]) -> Iterator[lark.Token]:
    before = None
    for token in stream:
        if before is not None and before.end_pos == token.start_pos and {before[-1:], token[:1]} <= IN_WORDS:
            raise lark.UnexpectedToken(before, set())  # type: ignore[no-untyped-call]  # the same
        yield token
        before = token


class _Delegate:
    """Stands in for the builder of the file at hand, so that the parser's tables are made once."""

    target: BuildRules

    def __getattr__(self, name: str) -> object:
        if name.startswith("__") or not hasattr(BuildRules, name):
            raise AttributeError(name)
        return partial(self._call, name)

    def _call(self, name: str, children: list[object]) -> object:
        return getattr(self.target, name)(children)


_delegate = _Delegate()
_in_use = Lock()


@contextmanager
def parsing(builder: BuildRules) -> Iterator[lark.Lark]:
    """Lend the parser, which builds with this builder; to one thread at a time, since it remembers where it is."""
    with _in_use:
        _delegate.target = builder
        yield _parser()


def parsed(parser: lark.Lark, text: str) -> object:
    """Return what the builder makes of a declaration; where anything is unexpected lark reads it again, and says what."""
    quick = _quick_parser()
    if quick is not None:
        with suppress(Unexpected):
            return quick.parse(text, _delegate.target)
    return parser.parse(text)


@once
def _quick_parser() -> QuickParser | None:
    """Return the parser of texts without mistakes; None with a lark that has other parts than we know."""
    try:
        return QuickParser(_parser(), _method, _Blocks.NL_type, _Blocks.INDENT_type, _Blocks.DEDENT_type)
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def _method(callback: partial[object]) -> object:
    """Return the builder's function that a callback of the parser calls; TypeError if it calls something else."""
    if callback.func != _delegate._call:  # noqa: SLF001  (our own)
        raise TypeError("a production that nothing is built of")
    return getattr(BuildRules, callback.args[0])


@once
def _parser() -> lark.Lark:
    grammar, key = _grammar()
    kept = _shipped(key) or text_cache.read(key, _SUFFIX)
    if kept is not None:
        return _read(kept)
    made = _made(grammar)
    text_cache.write(key, _tables(made), _SUFFIX)
    return made


def tables_to_ship() -> str:
    """Return the tables as a wheel holds them."""
    grammar, key = _grammar()
    return f"{key}\n{_tables(_made(grammar))}"


def _grammar() -> tuple[str, str]:
    """Return the grammar, and what tells its tables from others."""
    grammar = resources.files("pilgrim_rules.language.syntax").joinpath("rules.lark").read_text(encoding="utf-8")
    return grammar, sha256(f"{lark.__version__}\n{grammar}".encode()).hexdigest()[:32]


def _shipped(key: str) -> str | None:
    """Return the tables that came with the library, if they are of this grammar and this lark."""
    try:
        text = resources.files("pilgrim_rules.language.syntax").joinpath(SHIPPED).read_text(encoding="utf-8")
    except OSError:  # a checkout in which nothing was installed has none
        return None
    made_of, _, tables = text.partition("\n")
    return tables if made_of == key else None


def _made(grammar: str) -> lark.Lark:
    return lark.Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        postlex=_Blocks(),
        transformer=_delegate,
        keep_all_tokens=True,
        maybe_placeholders=False,
    )


def _tables(made: lark.Lark) -> str:
    data, memo = made.memo_serialize([TerminalDef, Rule])
    data["options"] |= {"postlex": None, "transformer": None}
    return json.dumps({"data": data, "memo": memo}, separators=(",", ":"))


def _read(kept: str) -> lark.Lark:
    tables = json.loads(kept, object_pairs_hook=_with_numbers)
    tables["data"]["options"] |= {"postlex": _Blocks(), "transformer": _delegate}
    return lark.Lark.load(tables)


def _with_numbers(pairs: list[tuple[str, Any]]) -> dict[str | int, Any]:
    """Return a table whose keys were numbers before JSON made them texts."""
    return {int(key) if key.isdecimal() else key: value for key, value in pairs}
