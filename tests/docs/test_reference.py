"""The written pages: what they show of the language is the language."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import get_args

import pytest

from pilgrim_rules.core.ir import GRAPH_QUESTIONS
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.frames import frames
from pilgrim_rules.diagnostics.source import SourceFile
from pilgrim_rules.language import lexer
from pilgrim_rules.language.check.calls import Calls
from pilgrim_rules.language.syntax.parse import parse
from tests.support.zoo import CLASSICS
from verifier.claims.obligations import Kind

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("reference/language.rst",)
BLOCK = re.compile(r"^\.\. code-block:: rules\n\n((?:(?:   .*)?\n)+)", re.MULTILINE)


def blocks() -> list[tuple[str, str]]:
    """Return where each block of rules stands, and its text."""
    found = []
    for page in PAGES:
        text = (DOCS / page).read_text(encoding="utf-8")
        for block in BLOCK.finditer(text):
            line = text.count("\n", 0, block.start(1)) + 1
            found.append((f"{page}:{line}", re.sub(r"^   ", "", block.group(1), flags=re.MULTILINE)))
    return found


@pytest.mark.parametrize(("place", "text"), blocks(), ids=[place for place, _ in blocks()])
def test_the_rules_in_the_documents_can_be_parsed(place: str, text: str) -> None:
    bag = Bag()
    source = SourceFile(place, text)
    bag.sources[place] = source

    parse(source, bag)

    assert frames(bag, bag.sources) == ""


def test_every_classic_game_has_a_page() -> None:
    pages = {path.stem for path in (DOCS / "games" / "classics").glob("*.rst")}

    assert set(CLASSICS) == pages


# ------------------------------------------------------------------------------------------------- nothing is left out

REFERENCE = (DOCS / "reference" / "language.rst").read_text(encoding="utf-8")


def section(label: str) -> str:
    """Return the text from a label to the next one."""
    return REFERENCE.split(f".. _{label}:\n")[1].split("\n.. _")[0]


def in_code() -> str:
    """Return what the reference shows of the language: blocks of rules, and what stands between double back-ticks."""
    return "\n".join([*(text for _, text in blocks()), *re.findall(r"``(.+?)``", REFERENCE, re.DOTALL)])


def test_every_word_of_the_language_is_in_the_reference() -> None:
    words = {*lexer.DECLARATIONS, *lexer.INSIDE, *lexer.OPERATORS, *lexer.FOLDS, *lexer.CONSTANTS}

    assert set() == words - set(re.findall(r"[a-z_]+", in_code()))


def test_every_built_in_function_is_listed_with_its_signature() -> None:
    listed = re.findall(r"``([a-z_]+)\(.*?\) -> .*?``", section("all-functions"))

    assert sorted(re.findall(r'"([a-z_]+)": self', inspect.getsource(Calls._functions))) == sorted(set(listed))


def test_every_kind_of_obligation_is_listed() -> None:
    listed = re.findall(r"^   \* - ``([a-z_]+)``", section("all-obligations"), re.MULTILINE)

    assert sorted(get_args(Kind)) == sorted(listed)


def test_every_question_to_a_network_is_listed() -> None:
    listed = REFERENCE.split("\nNetworks\n-----")[1].split("\nScore and ranking\n")[0]

    assert set() == GRAPH_QUESTIONS - set(re.findall(r"([a-z_]+)\((?:roads|…)", listed))
