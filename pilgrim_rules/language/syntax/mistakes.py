"""Mistakes: what surprised the parser -> what the author is told.

Reads:  the parser's position and the terminals it would have taken.   Writes: one diagnostic.
After:  the message speaks of the language only; no terminal's name is shown.
"""

from __future__ import annotations

import re

from lark import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.parsers.lalr_interactive_parser import InteractiveParser

from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.codes import Code
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.diagnostics.suggestions import closest

DECLARATIONS = (
    "action", "audit", "auto", "campaign", "chance", "conserved", "contract", "def", "edition", "effect", "enum", "example", "figure", "game", "ghost",
    "graph", "guard", "import", "invariant", "law", "module", "network", "option", "param", "preset", "public", "purse", "rank", "reachable",
    "rows", "ruling", "score", "stages", "stageset", "state", "step", "symmetry", "term", "text", "terminates", "type", "use", "witness", "zones",
)  # fmt: skip
_SAID = {
    "NAME": "a name", "INT": "a number", "STRING": "a quoted text", "CLAUSE": "a clause id such as `SHR-3`",
    "_NL": "the end of the line", "_INDENT": "an indented block", "_DEDENT": "the end of the block", "$END": "the end",
    "COLON": "`:`", "COMMA": "`,`", "SEMICOLON": "`;`", "LPAR": "`(`", "RPAR": "`)`", "LSQB": "`[`", "RSQB": "`]`",
    "LBRACE": "`{`", "RBRACE": "`}`", "EQUAL": "`=`", "ASSIGN": "`=`", "GIVES": "`==`", "COMPARE": "a comparison",
    "DOT": "`.`", "QMARK": "`?`", "SLASH": "`/`", "STAR": "`*`", "PLUS": "`+`", "MINUS": "`-`",
    "BOTH": "`when both are nodes`", "AT_PLACE": "`at`",
}  # fmt: skip
_TYPE = frozenset({"NAME", "INT", "MINUS", "LPAR"})
_EXPRESSION = _TYPE | {
    "NOT", "OLD", "THE", "PRIMED", "ALL", "SOME", "NONE_OF", "COUNT", "SUM", "MAX", "MIN", "UNIQUE", "FIRST", "BEST",
}  # fmt: skip
_OPERATORS = frozenset({
    "PLUS", "MINUS", "STAR", "DIV", "MOD", "COMPARE", "AND", "OR", "IMPLIES", "IS", "IN", "IF", "DOT", "LSQB", "NOT",
    "QMARK",
})  # fmt: skip
_A_FAMILY = 5  #: this many operators are said as one
_MOST_SAID = 6  #: a longer list of what was expected helps nobody
#: What people write who have just written another language.
_HABITS = {
    "&": "and", "&&": "and", "|": "or", "||": "or", "!": "not", "%": "mod", "/": "div", "//": "div", "=>": "implies",
    "<>": "!=", "≠": "!=", "=/=": "!=", "≤": "<=", "=<": "<=", "≥": ">=", "×": "*", "−": "-", "–": "-", "→": "->",
    "elif": "else if", "elsif": "else if", "elseif": "else if", "“": '"', "”": '"', "„": '"', "'": '"', "++": "+= 1", "...": "..",
}  # fmt: skip
#: What other languages have and this one has not, with what it has instead.
_WITHOUT = dict.fromkeys(
    ("while", "repeat", "loop"),
    "every loop goes through a finite domain: `for k in 1..8: …`; what goes on until something happens is an `auto` in a stage of its own",
) | dict.fromkeys(("break", "continue"), "say with `where` for which values a loop does something") | dict.fromkeys(
    ("shuffle",), "what is drawn is decided when it is drawn, each piece as likely as any other: a deck needs no order",
)  # fmt: skip
#: Words that begin a line inside a declaration, and are taken for the head of one.
_INSIDE = dict.fromkeys(("automaton", "players", "clauses"), "such a line stands indented under `game`") | {
    "zone": "one begins with `zones of c in …`", "variables": "one begins with `state`", "rule": "one begins with `action`",
    "function": "one begins with `def`", "const": "one begins with `param`", "constant": "one begins with `param`",
}  # fmt: skip
#: What is easily written, up to the word that surprises the parser, and what was meant.
_MEANT = tuple(
    (re.compile(pattern), help_)
    for pattern, help_ in (
        (r"\([^()]* (hidden|private)$", "an argument is `secret`, or `seen by` whoever sees it"),
        (r"\bordered (hidden|private|seen)$", "who sees into a zone is said before `ordered`"),
        (
            r": [^()]* (secret|visible)$",
            "a variable is `private`, `hidden` or `seen by …`; only the argument of a move is `secret`",
        ),
        (
            r"\bprivate to$",
            "`private` is seen by the player of the first index; anybody else is named with `seen by …`",
        ),
        (r"^\s+changes (?!only)\w+$", "write `changes only …`: whatever else the action writes stays as it is"),
        (r"^\s+players \d+( \w+)?$", "write both ends: `players 2..2`"),
        (r": \w+\??\[$", "an index stands behind the name: `hand[1..3] : Card`"),
        (r"^enum \w+$", "the labels follow in the same line: `enum Card: ace, king`"),
        (
            r": (list|set|array|map|dict) of$",
            "things lie in a zone (`zones of c in Card`), or are marked in a table (`held[Card] : bool`)",
        ),
        (r"^\s+require .*,$", "tests are joined with `and`; what a player is told stands behind `else`"),
        (r"^\s+(else )?if .* then$", "a colon ends the test: `if …: …`"),
        (
            r"^(invariant|step|audit|reachable|law) \w+ ([<>=!]=?|is|in|and|or)$",
            "a claim has a name: `invariant few: …`",
        ),
        (r"^\s+during .* by$", "`by` stands in a line of its own; mostly the stage says who decides"),
        (r" -- .* ->$| -> .* --$", "a line has one kind of arrow: begin another for the rest"),
        (
            r"^\s+for .*: (for|if) \w+$",
            "several names stand in one line, `for p in Player, c in Card where …: …`; what is longer is a block",
        ),
        (r"^rank by \w+$", "give the player a name: `rank p by score desc`"),
        (r"^(public )?def \w+ ->$", "a definition without arguments has empty brackets: `def name() -> …`"),
    )
)
_GOES_ON = frozenset({"and", "or", "implies"})  #: words that cannot begin a line
_OF_EACH = re.compile(r"\b(all|some|none of) [^:]+ in [^:]+:$")
_INDEXED = re.compile(
    r"([A-Za-z_][A-Za-z0-9_]*)(\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\]|\([^()]*(?:\([^()]*\)[^()]*)*\))$"
)
_IN_ROUND = re.compile(r"\bin \(([^()]*)$")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FOREIGN = re.compile(r"\w+")
_SIGN = re.compile(r"[0-9]+|\.\.\.?|[-+=!<>]=|=/=|=>|=<|<>|->|--|\+\+|&&|\|\||//|\"[^\"\n]*\"|\S")


def explain(mistake: UnexpectedInput, text: str, at: int, chunk: Span, bag: Bag) -> None:
    """Say what is wrong at an offset of the text of a declaration, which begins where `chunk` does."""
    word = at + len(text[at:]) - len(text[at:].lstrip(" "))
    at = word if text[word : word + 1].strip() else at  # where nothing follows, the line ends too early
    found = _found(text, at)
    expected = wanted(mistake)
    token = mistake.token if isinstance(mistake, UnexpectedToken) else None
    head = _WORD.match(text)
    first = text[text.rfind("\n", 0, at) + 1 :].split(maxsplit=1)[0] if found else ""

    def say(code: Code, message: str, start: int, length: int, help_: str | None) -> None:
        begin = chunk.start + start
        bag.add(code, message, Span(chunk.file, begin, begin + max(1, length)), help=help_)

    if head is not None and head.group() not in DECLARATIONS and at <= head.end():
        near = closest(head.group(), DECLARATIONS)
        help_ = f"did you mean `{near}`?" if near else "one begins with a word such as `state`, `def` or `action`"
        help_ = _INSIDE.get(head.group(), help_)
        say(codes.PR109, f"no declaration begins with `{head.group()}`", 0, head.end(), help_)
    elif expected == {"CLAUSE"}:
        help_ = "a clause id looks like `SHR-3`"
        say(codes.PR115, f"`{found}` is not a clause id" if found else "a clause id is missing", at, len(found), help_)
    elif token is not None and token.type == "_INDENT":
        start = at + len(text[at:]) - len(text[at:].lstrip())
        line = text[start:].split("\n", 1)[0].rstrip()
        say(codes.PR113, "this line is indented, but the line above opens no block", start, len(line), None)
    elif expected == {"_INDENT"}:
        end = len(text[:at].rstrip())
        say(codes.PR112, "an indented block must follow", end - 1, 1, "indent the lines that belong to it")
    elif first in _WITHOUT:
        start = text.rfind(first, 0, at)
        say(codes.PR110, f"there is no `{first}`", start, len(first), _WITHOUT[first])
    elif first in _HABITS:
        start = text.rfind(first, 0, at)
        say(codes.PR110, f"`{first}` means nothing here", start, len(first), f"write `{_HABITS[first]}`")
    elif found == "=" == text[at - 1 : at]:
        say(codes.PR110, "`==` compares, and nothing is compared here", at - 1, 2, "did you mean `=`?")
    elif found == "'" and (primed := _INDEXED.search(text[:at])) is not None:
        help_ = f"the prime stands behind the name: `{primed[1]}'{primed[2]}`"
        say(codes.PR111, "`'` means nothing here", at, 1, help_)
    elif found in _HABITS:
        say(codes.PR111, f"`{found}` means nothing here", at, len(found), f"write `{_HABITS[found]}`")
    elif found and not found.isascii() and (letters := _FOREIGN.match(text, at)) is not None:
        help_ = "names are made of the letters a to z, digits and `_`"
        say(codes.PR111, f"`{letters.group()}` means nothing here", at, len(letters.group()), help_)
    elif isinstance(mistake, UnexpectedCharacters) and not _WORD.match(found) and not found.isdigit():
        say(codes.PR111, f"`{found}` means nothing here", at, len(found), _expected(expected))
    elif _WORD.fullmatch(found) and "NAME" in expected and "INT" not in expected:
        what = f"`{found}` is a word of the language and cannot be a name here"
        say(codes.PR209, what, at, len(found), _expected(expected))
    else:
        what = f"`{found}` is not expected here" if found else "the line ends too early"
        say(codes.PR110, what, at, len(found), _likely_intention(found, text[:at]) or _expected(expected))


def _likely_intention(found: str, before: str) -> str | None:
    """Return what was meant, where one thing is easily taken for another."""
    if found == "=":
        return "did you mean `==`?"
    line = before[before.rfind("\n") + 1 :]
    if meant := next((help_ for pattern, help_ in _MEANT if pattern.search((line + found).rstrip())), None):
        return meant
    if found in _GOES_ON and not line.strip():
        return "indent this line deeper than the one above, and it goes on with that"
    if line.split()[-1:] in (["count"], ["sum"], ["max"], ["min"]) and _WORD.fullmatch(found):
        return f"did you mean `{line.split()[-1]} of {found} …`?"
    if found == "," and (members := _IN_ROUND.search(line)) is not None:
        return f"a set is written in braces: `in {{{members[1].strip()}, …}}`"
    if not found and _OF_EACH.search(line):
        return "go on behind the `:` in the same line; within brackets a line may be broken anywhere"
    if not found and before.endswith(":"):
        return "go on behind the `:`, or drop it and indent the rest below"
    return None


def wanted(mistake: UnexpectedInput) -> set[str]:
    """Return the terminals that the parser would have taken."""
    parser: InteractiveParser | None = getattr(mistake, "interactive_parser", None)
    return set() if parser is None else set(parser.accepts())  # type: ignore[no-untyped-call]  # lark leaves it out


def _found(text: str, at: int) -> str:
    if at >= len(text) or text[at] == "\n":
        return ""
    word = _WORD.match(text, at) or _SIGN.match(text, at)
    return word.group() if word else ""


def _expected(terminals: set[str]) -> str | None:
    """Return a help text that says what could have stood there."""
    said: list[str] = []
    rest = set(terminals)
    if rest >= _TYPE:
        said.append("an expression" if "COUNT" in rest else "a type")
        rest -= _EXPRESSION
    if len(rest & _OPERATORS) >= _A_FAMILY:
        said.append("an operator")
        rest -= _OPERATORS
    # Signs without a name of their own in the grammar say nothing to the author.
    said += sorted(_SAID.get(name, f"`{name.lower().strip('_')}`") for name in rest if not name.startswith("__ANON"))
    said = list(dict.fromkeys(said))
    if not 0 < len(said) <= _MOST_SAID:
        return None
    return f"expected {', '.join(said[:-1])}{' or ' if len(said) > 1 else ''}{said[-1]}"
