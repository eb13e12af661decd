"""The quick parser: it builds what lark builds, places included, and leaves whatever is unexpected to lark."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.source import SourceFile, Span
from pilgrim_rules.language import find_game
from pilgrim_rules.language.syntax import grammar
from pilgrim_rules.language.syntax.build_rules import BuildRules
from pilgrim_rules.language.syntax.layout import lay_out
from pilgrim_rules.language.syntax.parse import parse
from pilgrim_rules.language.syntax.quick_parser import Unexpected

GAMES = ("noughts_and_crosses", "bank", "tollgate", "auction")
WRONG = (
    "def f( = 1\n",
    "action go\n  do x = = 1\n",
    "def f() = 1 +\n",
    "state\n    a : 0..1\n  b : 0..1\n",
    "def f() = $\n",
    "enum\n",
)


def test_it_can_use_the_parser_that_is_installed():
    assert grammar._quick_parser() is not None


@pytest.mark.parametrize("name", [each for each in GAMES if each in find_game.names()])
def test_it_builds_what_lark_builds(name, monkeypatch):
    files = [SourceFile(str(path), Path(path).read_text("utf-8")) for path in find_game.find(name)]
    quick = [parse(each, Bag()) for each in files]
    monkeypatch.setattr(grammar, "_quick_parser", lambda: None)
    slow = [parse(each, Bag()) for each in files]
    assert quick
    assert all(_same(one, other) for one, other in zip(quick, slow, strict=True))


@pytest.mark.parametrize("text", WRONG)
def test_what_is_unexpected_is_left_to_lark(text, monkeypatch):
    quick = grammar._quick_parser()
    assert quick is not None
    with pytest.raises(Unexpected):
        quick.parse(text, _Builder(text))
    said = _said(text)
    monkeypatch.setattr(grammar, "_quick_parser", lambda: None)
    assert said == _said(text) != ()


class _Builder(BuildRules):
    """A builder of a text whose layout may be wrong, so that nobody knows its comments."""

    def __init__(self, text: str) -> None:
        source, bag = SourceFile("wrong.rules", text), Bag()
        super().__init__(source, lay_out(source, bag), bag)

    def doc(self, span: Span, *, header: bool = False) -> str:
        return ""


def _said(text):
    bag = Bag()
    parse(SourceFile("wrong.rules", text), bag)
    return tuple(bag)


def _same(one, other) -> bool:
    """Tell whether two trees are equal, and stand at the same places."""
    if type(one) is not type(other):
        return False
    if is_dataclass(one):
        return all(_same(getattr(one, each.name), getattr(other, each.name)) for each in fields(one))
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    return one == other
