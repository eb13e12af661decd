"""Mistakes: what surprised the parser -> what the author is told.

Reads:  the parser's position and the terminals it would have taken.   Writes: one diagnostic.
After:  the message speaks of the language only; no terminal's name is shown.
"""

from __future__ import annotations

import re

from lark import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.suggest import closest
from pilgrim_rules.source import Span

DECLARATIONS = (
    "action", "audit", "auto", "chance", "conserved", "def", "effect", "enum", "example", "game", "ghost", "graph",
    "guard", "import", "invariant", "law", "network", "param", "preset", "public", "purse", "rank", "reachable", "rows",
    "ruling", "score", "stages", "stageset", "state", "step", "term", "terminates", "type", "witness",
)  # fmt: skip
_SAID = {
    "NAME": "a name", "INT": "a number", "STRING": "a quoted text", "CLAUSE": "a clause id such as `SHR-3`",
    "_NL": "the end of the line", "_INDENT": "an indented block", "_DEDENT": "the end of the block", "$END": "the end",
    "COLON": "`:`", "COMMA": "`,`", "LPAR": "`(`", "RPAR": "`)`", "LSQB": "`[`", "RSQB": "`]`", "EQUAL": "`=`",
    "ASSIGN": "`=`", "GIVES": "`=`", "COMPARE": "a comparison", "DOTDOT": "`..`", "__ANON_0": "`..`",
}  # fmt: skip
_EXPRESSION = frozenset({"NAME", "INT", "NOT", "MINUS", "LPAR"})
_OPERATORS = frozenset({
    "PLUS", "MINUS", "STAR", "DIV", "MOD", "COMPARE", "AND", "OR", "IMPLIES", "IS", "IN", "IF", "DOT", "LSQB", "NOT",
    "QMARK",
})  # fmt: skip
_A_FAMILY = 5  #: so many operators are said as one
_WORD = re.compile(r"[A-Za-z_]\w*")


def explain(mistake: UnexpectedInput, text: str, local: int, place: Span, bag: Bag) -> None:
    """Say what is wrong at offset `local` of a declaration's text, which is `place` in its file."""
    found = _found(text, local)
    span = Span(place.file, place.start, place.start + max(1, len(found)))
    head = text.split("\n", 1)[0]
    if local < len(head) and (word := _WORD.match(head)) and word.group() not in DECLARATIONS and local <= word.end():
        near = closest(word.group(), DECLARATIONS)
        bag.add(
            codes.PR109, f"no declaration begins with `{word.group()}`", Span(place.file, place.start - local, place.start - local + word.end()),
            help=f"did you mean `{near}`?" if near else "a declaration begins with a word such as `state`, `def` or `action`",
        )  # fmt: skip
        return
    if isinstance(mistake, UnexpectedCharacters) and not _WORD.match(found) and not found.isdigit():
        bag.add(codes.PR111, f"`{found}` means nothing here", span, help=_expected(_wanted(mistake)))
        return
    expected = _wanted(mistake)
    token = mistake.token if isinstance(mistake, UnexpectedToken) else None
    if expected == {"CLAUSE"}:
        bag.add(codes.PR115, f"`{found or 'nothing'}` is not a clause id", span, help="a clause id looks like `SHR-3`")
    elif token is not None and token.type == "_INDENT":
        bag.add(codes.PR113, "this line is indented, but the line above opens no block", span)
    elif expected == {"_INDENT"}:
        bag.add(codes.PR112, "an indented block must follow", span)
    elif found and _WORD.fullmatch(found) and "NAME" in expected and not expected >= _EXPRESSION:
        bag.add(
            codes.PR209,
            f"`{found}` is a word of the language and cannot be a name here",
            span,
            help=_expected(expected),
        )
    else:
        what = f"`{found}` is not expected here" if found else "the line ends too early"
        bag.add(codes.PR110, what, span, help=_expected(expected))


def _wanted(mistake: UnexpectedInput) -> set[str]:
    """Return the terminals that the parser would have taken."""
    match mistake:
        case UnexpectedToken():
            return set(mistake.accepts or mistake.expected)
        case UnexpectedCharacters():
            return set(mistake.allowed or ())
        case _:
            return set()


def _found(text: str, at: int) -> str:
    rest = text[at:]
    if not rest or rest[0] == "\n":
        return ""
    word = _WORD.match(rest) or re.match(r"\d+|\.\.|[-+=!<>]=|->|\"[^\"\n]*\"|\S", rest)
    return word.group() if word else ""


def _expected(terminals: set[str]) -> str | None:
    """Return a help text that says what could have stood there."""
    said: list[str] = []
    rest = set(terminals)
    if rest >= _EXPRESSION:
        said.append("an expression")
        rest -= _EXPRESSION | {
            "OLD",
            "THE",
            "PRIMED",
            "ALL",
            "SOME",
            "NONE_OF",
            "COUNT",
            "SUM",
            "MAX",
            "MIN",
            "UNIQUE",
            "FIRST",
            "BEST",
        }
    if len(rest & _OPERATORS) >= _A_FAMILY:
        said.append("an operator")
        rest -= _OPERATORS
    said += sorted(
        _SAID.get(name, f"`{name.lower().strip('_')}`")
        for name in rest
        if not name.startswith("__ANON") or name in _SAID
    )
    said = list(dict.fromkeys(said))
    return f"expected {', '.join(said[:-1])}{' or ' if len(said) > 1 else ''}{said[-1]}" if said else None
