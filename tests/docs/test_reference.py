"""The written pages: what they show of the language is the language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.frame import frames
from pilgrim_rules.source import SourceFile
from pilgrim_rules.syntax.parse import parse

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
    games = {path.stem for path in (DOCS.parent / "spec" / "classics").glob("*.rules")}
    pages = {path.stem for path in (DOCS / "games" / "classics").glob("*.rst")}

    assert games == pages
