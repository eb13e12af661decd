"""Boards in pages: a place in the page, a file for each game, links to what the pages show; loaded when opened."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from sphinx.testing.util import SphinxTestApp

PAGE = """
Nim
===

.. rules:game:: {game}

.. rules:whole::
"""


def built(folder: Path, game: str) -> Path:
    """Build a page of a game and return the folder of the pages."""
    source = folder / "source"
    source.mkdir(parents=True)
    (source / "conf.py").write_text('extensions = ["pilgrim_rules.sphinx_ext"]\n')
    (source / "index.rst").write_text(PAGE.format(game=game))
    app = SphinxTestApp("html", srcdir=source, builddir=folder / "built")
    try:
        app.build()
        assert "cannot be played" not in app.warning.getvalue()
    finally:
        app.cleanup()
    return Path(app.outdir)


@pytest.fixture(scope="module")
def nim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("nim"), "nim")


def test_a_page_has_a_place_and_the_game_is_in_a_file_of_its_own(nim: Path) -> None:
    page = (nim / "index.html").read_text()

    assert page.count('class="pr-play"') == 1 + page.count("data-at=")
    assert "AGFzbQ" not in page, "no module in the page"
    assert "AGFzbQ" in (nim / "_static/play/nim.js").read_text()
    assert "PilgrimPlay" in (nim / "_static/play/board.js").read_text()
    assert "open_board.js" in page


def test_rules_and_clauses_are_linked_to_where_they_are_shown(nim: Path) -> None:
    page = (nim / "index.html").read_text()
    found = re.match(r'PilgrimPlay\.link\("nim", (.*)\);', (nim / "_static/play/nim.js").read_text())

    assert found is not None
    links = json.loads(found[1])
    assert links["rule"] == {"take": "index.html#rule-nim-take"}
    assert links["clause"]
    for address in (*links["rule"].values(), *links["clause"].values()):
        assert f'id="{address.partition("#")[2]}"' in page


def test_a_game_that_asks_networks_has_no_board(tmp_path: Path) -> None:
    folder = built(tmp_path, "byways")

    assert 'class="pr-play"' not in (folder / "index.html").read_text()
    assert not (folder / "_static/play").exists()
