"""What is proved under other answers to the rulings, on a page."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from pilgrim_rules.sphinx_ext.lists import option_proofs
from tests.support.prose_game import GAME


@pytest.fixture
def text(build, monkeypatch):
    monkeypatch.setattr(option_proofs, "load_rules", lambda _name, players: SimpleNamespace(game=GAME))  # noqa: ARG005
    app = build("option_proofs")
    assert app.warning.getvalue() == ""
    shown = (app.outdir / "index.html").read_text()
    return " ".join(re.sub(r"<[^>]+>", " ", shown[shown.index("Asked about") :]).split())


def test_what_is_open_under_another_answer_is_named(text):
    assert text.startswith("Asked about 1 of 1 other answers")
    assert "under 0 of them everything is proved" in text
    assert "9 of 12 proved; open: invariant.cap/drop (refuted); 2 rest on these" in text


def test_what_was_found_for_other_rules_says_so(text):
    assert "The rules have changed since 1 of them were asked about." in text
