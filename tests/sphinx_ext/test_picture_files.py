"""Files beside the pages: pictures and what scripts load."""

from __future__ import annotations

from pathlib import Path

import pytest

from pilgrim_rules.prose import say_action
from pilgrim_rules.sphinx_ext.blocks.examples import picture_block
from pilgrim_rules.sphinx_ext.blocks.refusals import refusal_block
from pilgrim_rules.sphinx_ext.model import books
from pilgrim_rules.sphinx_ext.nodes.picture_files import PictureFile, text_file

SAMPLES = Path(__file__).parents[2] / "docs" / "samples"


def test_a_book_without_pages_writes_no_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = books.BookFiles(tmp_path / "none.json", tmp_path / "none.json", SAMPLES / "watermill.json")
    mill = books._read("watermill", files, None)
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)

    shown = [
        node
        for action in mill.game.actions
        for node in (*picture_block(mill, action), *refusal_block(mill, action, say_action(mill.game, action)))
    ]

    assert [True for node in shown for _ in node.findall(PictureFile)] != []
    assert list(here.iterdir()) == []


def test_the_same_text_is_one_file(tmp_path: Path) -> None:
    names = {text_file(tmp_path / "files", "a text", "js") for _ in range(2)}

    assert [path.name for path in (tmp_path / "files").iterdir()] == list(names)
