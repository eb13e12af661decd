"""A Pygments lexer for the rules language, under the name `rules`.

Reads:  text of a `.rules` file or a part of one.   Writes: Pygments tokens.
After:  every word that is a keyword in the grammar is highlighted as one where it stands as one; names that are
        spelled like a keyword (a parameter `from`) stay names. Nothing that the layout pass accepts is an error token.
"""

from __future__ import annotations

from typing import ClassVar, Final

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import (
    Comment,
    Error,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
    Whitespace,
)

__all__ = ["RulesLexer"]

# fmt: off
#: Words that open a declaration at the beginning of a line; what they declare follows.
DECLARATIONS: Final = (
    "action", "audit", "auto", "campaign", "chance", "conserved", "contract", "def", "edition", "effect", "enum", "example", "figure", "game", "ghost",
    "graph", "guard", "import", "invariant", "law", "module", "network", "option", "param", "preset", "public", "purse", "rank", "reachable",
    "rows", "ruling", "score", "stages", "stageset", "state", "step", "symmetry", "term", "text", "terminates", "type", "use", "witness", "zones",
)
#: Words that stand inside declarations.
INSIDE: Final = (
    "always", "answer", "are", "area", "as", "asc", "ask", "at", "automaton", "because", "best", "both", "by", "call", "canvas", "check", "choice", "cites", "clauses", "cost", "data",
    "default", "desc", "do", "down", "draw", "deep", "during", "each", "edge", "edges", "edition", "else", "expect", "first", "follows", "for", "from", "given",
    "hidden", "if", "label", "least", "let", "line", "link", "lower", "mark", "most", "move", "named", "nobody", "node",
    "nodes", "of", "once", "only", "option", "ordered", "over", "path", "pay", "pieces", "players", "poll", "private", "raise",
    "refilled", "refuse", "refused", "require", "reset", "return", "reveal", "row", "secret", "secretly", "seen", "sides", "stage", "sub", "summary", "supply", "take", "takes", "then", "tint", "to", "total", "turn", "under", "unique",
    "until", "up", "using", "weight", "when", "where", "result", "with",
    "into", "nothing", "roll", "while", "changes", "ensures", "gains", "pays",
)
# fmt: on
#: Words that work on values.
OPERATORS: Final = ("and", "div", "implies", "in", "is", "mod", "not", "old", "or", "the")
FOLDS: Final = ("all", "count", "max", "min", "none", "some", "sum")
CONSTANTS: Final = ("false", "none", "some", "true")

# A keyword is followed by what it speaks of; before these marks the same word is a name: `from: Place`, `at[p]`, `turn'`.
_NOT_A_NAME: Final = r"(?![\[(.']|[ \t]*(?:[:\]),.?]|[-+=!<>]?=(?!=)))"
_CLAUSE: Final = r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+"
_NAME: Final = r"[A-Za-z_]\w*"


class RulesLexer(RegexLexer):  # type: ignore[misc]  # pygments has no types
    """Highlights the rules language."""

    name = "Rules"
    aliases: ClassVar = ["rules"]
    filenames: ClassVar = ["*.rules"]
    mimetypes: ClassVar = ["text/x-rules"]
    url = ""

    tokens: ClassVar = {
        "root": [
            (r"###[^\n]*", Comment.Single),
            (r"##[^\n]*", String.Doc),
            (r"#[^\n]*", Comment.Single),
            (r"\n", Whitespace),
            (r"[ \t\f]+", Whitespace),
            (
                rf"^({'|'.join(DECLARATIONS)})([ \t]+)({_NAME})",
                bygroups(Keyword.Declaration, Whitespace, Name.Function),
            ),
            (rf"^({'|'.join(DECLARATIONS)})\b", Keyword.Declaration),
            (r"(def)([ \t]+)(\w+)", bygroups(Keyword.Declaration, Whitespace, Name.Function)),
            (r"(else)(:)", bygroups(Keyword, Punctuation)),
            (r"(default|by|ghost|during|auto|chance|weight)\b" + _NOT_A_NAME, Keyword),
            (rf"({'|'.join(FOLDS)})([ \t]+)(of)\b", bygroups(Keyword, Whitespace, Keyword)),
            (rf"(all|some)(?=[ \t]+{_NAME}[ \t]+in\b)", Keyword),
            (words(CONSTANTS, suffix=r"\b(?![\[(])"), Keyword.Constant),
            (words(OPERATORS, suffix=r"\b"), Operator.Word),
            (words(INSIDE, suffix=rf"\b{_NOT_A_NAME}"), Keyword),
            (r"bool\b", Keyword.Type),
            (_CLAUSE, Name.Label),
            (rf"{_NAME}'", Name.Variable),
            (r"[A-Z]\w*", Name.Class),
            (rf"({_NAME})(?=\()", Name.Function),
            (_NAME, Name),
            (r"\d+", Number.Integer),
            (r'"(?:[^"\\\n]|\\.)*"', String),
            (r"->|--|\.\.|[-+=!<>]=|[-+*/=<>?]", Operator),
            (r"[()\[\]{},;:.]", Punctuation),
            (r"…", Text),
            (r".", Error),
        ],
    }
