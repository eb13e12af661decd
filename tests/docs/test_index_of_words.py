"""The index of the language: it lists what the program knows, no more and no less."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from pilgrim_rules.core.operators import QUESTIONS
from pilgrim_rules.language.check.calls import Calls
from pilgrim_rules.language.lexer import DECLARATIONS
from verifier.claims.obligations import Kind

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "index_of_words.rst").read_text("utf-8")
GRAMMAR = (ROOT / "pilgrim_rules" / "language" / "syntax" / "rules.lark").read_text("utf-8")


def section(title: str) -> str:
    """Return the text under a heading of the page."""
    return re.split(rf"^{title}\n-+\n", PAGE, flags=re.MULTILINE)[1].split("\n---", 1)[0]


def first_words(title: str) -> list[str]:
    """Return the first word of everything that the first column of a table names."""
    cells = re.findall(r"^   \* - (``.*)$", section(title), re.MULTILINE)
    names = [text for cell in cells for text in re.findall(r"``(.*?)``", cell)]
    return [match.group() for name in names if (match := re.match(r"\w+", name))]


def functions() -> set[str]:
    names = object.__new__(Calls)
    return set(names._functions())


def statements() -> set[str]:
    """Return the words with which lines of effects begin, as the grammar has them."""
    block = GRAMMAR.split("?simple:", 1)[1].split("\nlvalue:", 1)[0]
    return {word.lower().removesuffix("_of") for word in re.findall(r'^       \| "?(\w+)"?', block, re.MULTILINE)} - {
        "name"
    }


def test_every_declaration_is_listed_once() -> None:
    assert sorted(DECLARATIONS) == sorted(first_words("Declarations"))


def test_every_line_of_an_effect_is_listed() -> None:
    assert statements() | {"x", "name"} == set(first_words("Lines of effects"))


def test_every_function_is_listed_with_its_signature() -> None:
    assert functions() == set(first_words("Functions"))


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_to_a_network_is_listed_with_its_arguments(name: str) -> None:
    found = re.search(rf"``{name}\((.*?)\)``", section("Questions to networks"))

    assert found is not None
    assert QUESTIONS[name][0] == found.group(1).count(",")  # besides the network


def test_no_other_question_is_listed() -> None:
    assert sorted(QUESTIONS) == sorted(first_words("Questions to networks"))


def test_every_automatic_obligation_is_listed_once() -> None:
    assert sorted(get_args(Kind)) == sorted(first_words("What is asked without being written"))
