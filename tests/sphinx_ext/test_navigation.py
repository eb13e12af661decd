"""The tree of all pages beside a page: made once, it is what Sphinx and the theme make for each page."""

import pytest
from sphinx.testing.util import SphinxTestApp

from pilgrim_rules.sphinx_ext import navigation

PAGES = {
    "index": ("First", "a/index c https://example.org/", "Further c"),
    "a/index": ("The A & its parts", "one two deep/index"),
    "a/one": ("One",),
    "a/two": ("Two",),
    "a/deep/index": ("Deep", "down ../../c"),
    "a/deep/down": ("Down",),
    "c": ("C",),
    "alone": ("Of no table",),
}


@pytest.fixture
def pages(tmp_path):
    """Return a function that builds pages inside of pages, one of them listed at three places, and returns their texts."""

    def build(name):
        folder = tmp_path / "pages"
        for page, (title, *tables) in PAGES.items():
            lines = [title, "=" * len(title), ""]
            for at, entries in enumerate(tables):
                lines += [".. toctree::", f"   :caption: Table {at}", "", *(f"   {each}" for each in entries.split())]
            (folder / page).parent.mkdir(parents=True, exist_ok=True)
            (folder / f"{page}.rst").write_text("\n".join(lines) + "\n")
        (folder / "conf.py").write_text('extensions = ["pilgrim_rules.sphinx_ext"]\nhtml_theme = "furo"\n')
        app = SphinxTestApp("html", srcdir=folder, builddir=tmp_path / name)
        app.build()
        found = {str(path.relative_to(app.outdir)): path.read_text() for path in app.outdir.rglob("*.html")}
        kept = navigation._known.get(app.builder)
        app.cleanup()
        return found, kept

    return build


def test_every_page_has_the_tree_that_the_theme_makes(pages, monkeypatch):
    quickly, made = pages("quickly")
    monkeypatch.setattr(navigation, "_navigation", lambda *_: None)
    slowly, _ = pages("slowly")

    assert made is not None
    assert slowly.keys() == quickly.keys()
    assert [] == [name for name, text in slowly.items() if quickly[name] != text]
    assert "current-page" in quickly["a/deep/down.html"]
    assert 'href="../../c.html"' in quickly["a/deep/down.html"]


def test_a_theme_that_makes_another_tree_is_left_to_itself(pages, monkeypatch):
    """What is made is compared once in a build: the theme may come in another version."""
    monkeypatch.setattr(navigation.Navigation, "of", lambda *_: "something else")
    found, made = pages("other")

    assert made is None
    assert "something else" not in found["c.html"]
    assert "current-page" in found["c.html"]
