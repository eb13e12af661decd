"""The highlighter knows the whole language, and only the language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Error, Keyword, Name, Operator, String

from pilgrim_rules.language import lexer
from pilgrim_rules.language.lexer import RulesLexer

ROOT = Path(__file__).parents[2]
GRAMMAR = ROOT / "pilgrim_rules" / "language" / "syntax" / "rules.lark"
SPECS = sorted((ROOT / "spec").rglob("*.rules"))


def tokens(text: str) -> list[tuple[object, str]]:
    return [(kind, value) for kind, value in RulesLexer().get_tokens(text) if value.strip()]


def kind_of(word: str, text: str) -> object:
    """Return the token type of the first token spelled `word`."""
    return next(kind for kind, value in tokens(text) if value == word)


@pytest.mark.parametrize("path", SPECS, ids=[path.relative_to(ROOT).as_posix() for path in SPECS])
def test_every_spec_is_highlighted_without_error(path: Path) -> None:
    wrong = [value for kind, value in tokens(path.read_text(encoding="utf-8")) if kind is Error]

    assert wrong == []


def test_every_word_of_the_grammar_is_known_and_no_other() -> None:
    text = re.sub(r"^//.*$", "", GRAMMAR.read_text(encoding="utf-8"), flags=re.MULTILINE)
    quoted = set(re.findall(r'"([a-z]+)"', text))
    terminals = {
        word
        for pattern in re.findall(r"^[A-Z_]+(?:\.\d)?: /(.*)/$", text, flags=re.MULTILINE)
        for word in re.findall(
            r"(?<![\\\[A-Za-z])[a-z]{2,}", re.sub(r"\[[^]]*\]", "", pattern.replace(r"\s", " ").replace(r"\b", " "))
        )
    }
    known = {*lexer.DECLARATIONS, *lexer.INSIDE, *lexer.OPERATORS, *lexer.FOLDS}

    assert quoted | terminals == known


def test_a_declaration_names_what_it_declares() -> None:
    assert tokens("action drop(to: Place)")[:2] == [(Keyword.Declaration, "action"), (Name.Function, "drop")]
    assert tokens("type Square = 1..3")[:2] == [(Keyword.Declaration, "type"), (Name.Function, "Square")]


def test_a_name_spelled_like_a_keyword_stays_a_name() -> None:
    text = "action build(hex: Hex, from: Place)\n    do\n        move 1 from at[active, from] to hand\n"

    assert kind_of("from", text) is Name
    assert [kind for kind, value in tokens(text) if value == "from"] == [Name, Keyword, Name]
    assert kind_of("at", text) is Name


def test_words_between_values_are_operators() -> None:
    assert kind_of("implies", "law a: x implies y") is Operator.Word


def test_clauses_strings_and_comments_are_told_apart() -> None:
    text = '## what it is for\n# aside\nterm tile "a \\" tile"    cites SHR-10'

    assert tokens(text)[:2] == [(String.Doc, "## what it is for"), (Comment.Single, "# aside")]
    assert kind_of("SHR-10", text) is Name.Label
    assert kind_of('"a \\" tile"', text) is String


def test_a_character_outside_the_language_is_marked() -> None:
    assert kind_of("$", "require $") is Error


def test_the_lexer_is_found_by_name() -> None:
    assert isinstance(get_lexer_by_name("rules"), RulesLexer)
