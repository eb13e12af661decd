"""Findings: what was measured, on a page."""

from __future__ import annotations

import re

import pytest

from pilgrim_rules.sphinx_ext.lists import findings


@pytest.fixture
def page(build, monkeypatch):
    """Return a function that builds the page and gives its text; the rules of today have the fingerprint given."""

    def text(today):
        monkeypatch.setattr(findings, "rules_of", lambda _name, _players: today)
        app = build("findings")
        assert app.warning.getvalue() == ""
        shown = (app.outdir / "index.html").read_text()
        return " ".join(re.sub(r"<[^>]+>", " ", shown[shown.index("Measured in") :]).split())

    return text


def test_a_finding_says_how_often_it_matters_and_where_to_see_it(page):
    text = page("today")

    assert text.startswith("Measured in 40 random games of 2 players with 2,000 decisions, seed 0. Met in random play")
    assert "1. Last leg in 30 of 40 games, in 2.50% of the decisions" in text
    assert "site counts (our ruling) shrines only (differs in 30 games)" in text
    assert "To replay: last_leg.json , after 12 moves." in text
    assert "only our ruling allows drop(n) ." in text


def test_what_was_measured_with_other_rules_says_so(page):
    assert "the figures are those of another text" in page("another")


def test_what_matters_most_often_comes_first():
    measured = [{"bites": 3, "parted": 9}, {"bites": 7, "parted": 1}, {"bites": 7, "parted": 2}]

    assert [(7, 2), (7, 1), (3, 9)] == [(each["bites"], each["parted"]) for each in findings.in_order(measured)]
