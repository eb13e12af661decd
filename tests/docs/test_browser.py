"""The built documents in a real browser: nothing runs off the page, everything can be read, links lead somewhere."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urldefrag

import pytest

from tests.support.browser import look, need_chromium, printed_sheets
from tests.support.once import built_docs, once

LARGEST = 300_000  #: bytes of a page before it is compressed, which makes them a tenth
WIDTHS = (320, 380, 1280, 1330, 1600)  #: of windows, in pixels; between two of them the layout changes
MOST_SHEETS = 60  #: of the printed rules of a large game


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documents as `make docs` builds them."""
    return built_docs(tmp_path_factory)


PLAY = "games/classics/connect_four.html"
GAMES = {
    "pilgrim": "Pilgrim",
    "my village": "My Village",
    "world without end": "World Without End",
    "column of fire": "A Column of Fire",
}
#: What is asked of each large game; only some have a quarry, and in one nothing is built.
WHY = {game: f"why can't I {'sell' if game == 'column of fire' else 'build'} {game}" for game in GAMES}
ASKED = [*WHY.values(), *(f"{words} {game}" for game in GAMES for words in ("tie", "resource limit"))]
WORDS = [
    "place",
    "shrine",
    "tie",
    "quarry",
    "resource limit",
    "why can't I build",
    "quarry pilgrim",
    "quarry world without end",
    *ASKED,
]


def _pages(site: Path) -> list[str]:
    pages = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    return [page for page in pages if not page.startswith("_")]


def _one_of_each_kind(site: Path) -> list[str]:
    """Return a page of middle size of each kind.

    Pages of the same name in several games are one kind, the chapters of the games another, and so are parts, small games
    and the pages of each other folder.
    """
    pages = _pages(site)
    names = Counter(page.rpartition("/")[2] for page in pages)
    kinds: dict[str, list[str]] = {}
    for page in pages:
        folder, name = page.rpartition("/")[::2]
        if not folder.startswith("games/"):
            kind = folder or page
        elif folder == "games/classics":
            kind = folder
        elif "-" in name:
            kind = "part"
        elif name == "print.html":  # for paper
            kind = name
        else:
            kind = name if names[name] > 1 else "chapter"
        kinds.setdefault(kind, []).append(page)
    return sorted(
        sorted(same, key=lambda page: (site / page).stat().st_size)[len(same) // 2] for same in kinds.values()
    )


@pytest.fixture(scope="module")
def seen(site: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a browser sees of a page of each kind, on a phone and on a desk."""
    need_chromium()
    pages = _one_of_each_kind(site)
    return once(tmp_path_factory, "seen", lambda: look(site, pages, WORDS, PLAY, widths=(360, 1280), patience=600))


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.timeout(5400)
def test_every_page_can_be_read_at_every_width_and_in_both_themes(site: Path) -> None:
    need_chromium()
    views = look(site, _pages(site), WORDS, PLAY, widths=WIDTHS, patience=5000)["seen"]

    bad = ("sideways", "wide", "faint", "unnamed", "barriers")
    assert [view for view in views if any(view.get(each) for each in bad)] == []


#: A start tag with its attributes, and an attribute with its value; what scripts, styles and comments hold is no markup.
_TAG = re.compile(r"<([a-zA-Z][^\s/>]*)((?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>")
_ATTRIBUTE = re.compile(r"(?<=\s)(id|href)=(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))")
_NO_MARKUP = re.compile(r"<!--.*?-->|(<(script|style)\b[^>]*>).*?</\2>", re.DOTALL)


class Page(NamedTuple):
    """The places and the links of a page."""

    ids: list[str]
    links: list[str]


def read_page(text: str) -> Page:
    page = Page([], [])
    for tag, attributes in _TAG.findall(_NO_MARKUP.sub(r"\1", text)):
        for name, *values in _ATTRIBUTE.findall(attributes):
            value = unescape("".join(values))
            if value and name == "id":
                page.ids.append(value)
            elif value and tag == "a":
                page.links.append(value)
    return page


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    """All pages, read once."""
    return {path: read_page(path.read_text(encoding="utf-8")) for path in site.resolve().rglob("*.html")}


def test_tags_are_read_as_a_browser_reads_them() -> None:
    text = """<!-- <a href="no"> --><p id='one' class="x > y">a<a class="b" href="x.html#a&amp;b">c</a>
    <script id="two">document.write('<a href="no">')</script><svg><g id=three /></svg>"""

    assert read_page(text) == Page(["one", "two", "three"], ["x.html#a&b"])


def test_every_internal_link_leads_to_a_place(pages: dict[Path, Page]) -> None:
    places = {path: set(page.ids) for path, page in pages.items()}
    targets: dict[tuple[Path, str], Path | None] = {}
    broken = []
    for path, page in pages.items():
        for link in page.links:
            if "://" in link or link.startswith(("mailto:", "#!")):
                continue
            url, fragment = urldefrag(link)
            if (path.parent, url) not in targets:
                target = (path.parent / unquote(url)).resolve()
                targets[path.parent, url] = target if target.exists() else None
            found = targets[path.parent, url] if url else path
            if found is None or (fragment and found in places and unquote(fragment) not in places[found]):
                broken.append(f"{path.name}: {link}")

    assert sum(len(page.links) for page in pages.values()) > len(pages)
    assert broken == []


def test_no_page_repeats_an_id(pages: dict[Path, Page]) -> None:
    twice = {path.name: [id_ for id_, times in Counter(page.ids).items() if times > 1] for path, page in pages.items()}

    assert {name: ids for name, ids in twice.items() if ids} == {}


def test_every_game_has_a_recorded_game_to_step_through(site: Path) -> None:
    pages = [*(site / "games").glob("*/index.html"), *(site / "games" / "classics").glob("*.html")]
    games = [path for path in pages if "-" not in path.stem]  # the others are parts of a page

    assert [path.name for path in games if 'class="rules-play"' not in path.read_text(encoding="utf-8")] == []


def test_no_page_is_too_large_to_be_read_on_a_phone(site: Path) -> None:
    sizes = {path.relative_to(site).as_posix(): path.stat().st_size for path in site.rglob("*.html")}
    large = {name: size for name, size in sizes.items() if size > LARGEST}

    assert large == {}


_HEADING = re.compile(r"<h([1-6])\b")
_SUMMARY = re.compile(r"<summary\b.*?</summary>", re.DOTALL)


def _article(path: Path) -> str:
    """Return what a page has beside the tree of all pages."""
    text = path.read_text(encoding="utf-8")
    return text[max(text.find("<article"), 0) : text.rfind("</article>")]


def test_headings_are_in_order_and_no_link_stands_in_a_summary(site: Path) -> None:
    skipped, linked, headings = [], [], 0
    for page in _pages(site):
        text = _article(site / page)
        levels = [int(level) for level in _HEADING.findall(text)]
        headings += len(levels)
        skipped += [page for before, level in pairwise((0, *levels)) if level > before + 1]
        linked += [page for summary in _SUMMARY.findall(text) if "<a " in summary]

    assert headings > len(_pages(site))
    assert (skipped, linked) == ([], [])


_RULE = re.compile(r'<section class="rules-page"[^>]*>(.*?)(?=<section class="rules-page"|</article>|\Z)', re.DOTALL)
_TEXT = re.compile(r"<(?:p|li|dd)\b(?![^>]*rules-header)[^>]*>((?:(?!<p\b|<li\b|<dd\b).)*?)</(?:p|li|dd)>", re.DOTALL)
_NOT_READ = re.compile(r"<(noscript|summary|svg)\b.*?</\1>|<p class=\"rules-header.*?</p>", re.DOTALL)
MANY_WORDS, MOST_OFTEN = (
    8,
    20,
)  #: words of a sentence that somebody reads; rules of a game above whose fold it may stand


@pytest.mark.parametrize("game", ["pilgrim", "world_without_end", "my_village", "column_of_fire"])
def test_nothing_is_repeated_above_the_fold_of_many_rules(site: Path, game: str) -> None:
    said: Counter[str] = Counter()
    rules = 0
    for path in (site / "games" / game).glob("*.html"):
        if "-" in path.stem or path.stem == "print":  # what is opened only now and then, and what is made of the others
            continue
        for section in _RULE.findall(_article(path)):
            rules += 1
            texts = (unescape(re.sub(r"<[^>]+>", "", text)) for text in _TEXT.findall(_NOT_READ.sub("", section)))
            said.update({" ".join(text.split()) for text in texts if len(text.split()) >= MANY_WORDS})

    assert rules > 50
    assert [(text, times) for text, times in said.most_common(5) if times > MOST_OFTEN] == []


def test_each_kind_of_page_is_looked_at(site: Path) -> None:
    """The pages that axe and the other tests of this file are shown: a rule, a table of cards, rulings and so on."""
    looked = _one_of_each_kind(site)
    names = {page.rpartition("/")[2].removesuffix(".html") for page in looked if page.startswith("games/")}
    rules = [page for page in looked if 'class="rules-page"' in _article(site / page)]

    known = {"index", "rulings", "findings", "glossary", "history", "print", "scoring", "play_aid", "why_not", "pieces"}
    assert known <= names
    assert any("rules-part-page" not in _article(site / page) for page in rules)
    assert {"search.html", "genindex.html", "rules-index.html"} <= set(looked)


def test_no_page_has_a_table_of_contents_of_its_own(site: Path) -> None:
    """The theme has one at the side, and shows a second one as a mistake in red."""
    assert [path.name for path in site.rglob("*.html") if 'class="contents' in path.read_text(encoding="utf-8")] == []


@pytest.mark.browser
def test_no_text_runs_off_the_page(seen: dict[str, Any]) -> None:
    wide = [(view["url"], view["width"], view["wide"]) for view in seen["seen"] if view["sideways"] or view["wide"]]

    assert wide == []


@pytest.mark.browser
def test_all_text_has_contrast_in_both_themes(seen: dict[str, Any]) -> None:
    faint = [(view["url"], view["theme"], view["faint"]) for view in seen["seen"] if view["faint"]]

    assert faint == []


@pytest.mark.browser
def test_axe_finds_no_barrier_on_any_kind_of_page(seen: dict[str, Any]) -> None:
    barriers = [(view["url"], view["barriers"]) for view in seen["seen"] if view.get("barriers")]

    assert barriers == []


@pytest.mark.browser
def test_a_board_that_is_opened_can_be_read_by_everybody(seen: dict[str, Any]) -> None:
    bad = ("sideways", "wide", "faint", "unnamed", "barriers")
    views = seen["played"]["board"]

    assert {(360, "light"), (360, "dark"), (1280, "light"), (1280, "dark")} == {
        (view["width"], view["theme"]) for view in views
    }
    assert [view for view in views if any(view.get(each) for each in bad)] == []


@pytest.mark.browser
def test_pictures_have_words(seen: dict[str, Any]) -> None:
    assert [view["url"] for view in seen["seen"] if view["unnamed"]] == []


def _first(seen: dict[str, Any], words: str, count: int | None) -> list[tuple[str, str]]:
    """The first hits of a search, each with what kind of thing it is."""
    return list(zip(seen["hits"][words], seen["kinds"][words], strict=False))[:count]


@pytest.mark.browser
def test_the_search_finds_a_rule(seen: dict[str, Any]) -> None:
    assert "Place" in seen["hits"]["place"]
    assert "Build a shrine" in seen["hits"]["shrine"]


@pytest.mark.browser
def test_the_search_finds_what_players_ask_for(seen: dict[str, Any]) -> None:
    assert seen["hits"]["tie"][0] == "Tie: who wins"
    assert ("Quarry", "card or tile of Pilgrim: building)") in _first(seen, "quarry", 3)
    # Whole words only; a page may speak of duties and of a tie.
    assert [hit for hit, kind in _first(seen, "tie", None) if kind and "duties" in hit] == []


@pytest.mark.browser
def test_the_search_answers_questions(seen: dict[str, Any]) -> None:
    assert seen["kinds"]["why can't I build"][0].startswith("reason to refuse")
    assert seen["hits"]["resource limit"] != []


@pytest.mark.browser
@pytest.mark.parametrize(("words", "game"), GAMES.items())
def test_the_search_answers_what_is_asked_of_a_large_game(seen: dict[str, Any], words: str, game: str) -> None:
    assert ("Tie: who wins", f"term of {game}") == _kind(_first(seen, f"tie {words}", 1)[0])
    (why,) = _first(seen, WHY[words], 1)
    assert why[1].startswith(f"reason to refuse of {game}")
    assert f" of {game}" in _first(seen, f"resource limit {words}", 1)[0][1]


def _kind(hit: tuple[str, str]) -> tuple[str, str]:
    return hit[0], hit[1].partition(":")[0]


@pytest.mark.browser
def test_what_players_ask_comes_before_clauses(seen: dict[str, Any]) -> None:
    assert "Give back the excess" == seen["hits"]["resource limit pilgrim"][0]
    assert ("Quarry", "card or tile of Pilgrim") == _kind(_first(seen, "quarry pilgrim", 1)[0])
    assert "term of World Without End" == _kind(_first(seen, "quarry world without end", 1)[0])[1]


@pytest.mark.browser
def test_the_lower_layer_of_a_rule_is_shown_in_place_when_it_is_opened(seen: dict[str, Any]) -> None:
    assert seen["played"]["part"] == {"listings": 1, "titles": 0}


@pytest.mark.slow  # a minute
@pytest.mark.browser
def test_the_printed_rules_are_a_booklet_and_no_pile(site: Path, tmp_path: Path) -> None:
    need_chromium()

    assert printed_sheets(site, "games/pilgrim/print.html", tmp_path) <= MOST_SHEETS


@pytest.mark.browser
def test_the_player_steps_through_a_recorded_game(seen: dict[str, Any]) -> None:
    played = seen["played"]

    assert played["before"] == "The beginning."
    assert "Drop: column" in played["now"]
    assert played["count"].startswith("1 / ")
    assert played["marks"] > 0
    assert played["said"] > 0
    assert played["last"].split(" / ")[0] == played["last"].split(" / ")[1]
    assert played["back"].startswith("0 / ")
    assert played["listed"].startswith("3 / ")


@pytest.mark.browser
def test_without_a_script_the_beginning_and_the_moves_are_there(seen: dict[str, Any]) -> None:
    assert seen["played"]["bare"] == {"bar": 0, "boards": 1, "moves": True}


def test_without_a_browser_a_test_is_skipped_at_home_and_fails_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _name: None)
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="apt-get install chromium"):
        need_chromium()
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="apt-get install chromium"):
        need_chromium()
