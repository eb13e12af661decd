"""The page of a play in a real browser: keys, links, widths, dark mode, and no script at all."""

from pathlib import Path

import pytest

from pilgrim_rules.api.trace import Trace
from pilgrim_rules.play_pages.viewer import page
from tests.support.browser import told

HERE = Path(__file__).parent
DARK = ("--force-dark-mode", "--blink-settings=preferredColorScheme=0")

pytestmark = pytest.mark.browser


def look(folder, *flags):
    """Return what the browser sees."""
    return told(folder, "look.html", *flags, patience=60)


@pytest.fixture(scope="module")
def site(tracks, tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    trace = Trace.start(tracks)
    trace.play("lay(a1)", "lay(b1)", "lay(c1)", "stop")
    (folder / "look.html").write_text((HERE / "look.html").read_text())
    (folder / "play.html").write_text(page(trace))
    (folder / "broken.html").write_text(page(trace, claim="few_points"))
    return folder


@pytest.fixture(scope="module")
def seen(site):
    return look(site)


def test_one_step_is_shown_at_a_time(seen):
    assert ["step-0"] == seen["first"]


def test_keys_go_through_the_play_and_stop_at_its_ends(seen):
    assert ["step-1", "step-2", "step-1", "step-4", "step-4", "step-0", "step-0"] == seen["keys"]


def test_the_address_and_the_count_say_where_one_is(seen):
    assert "#0" == seen["hash"]
    assert "1 / 4" == seen["count"]


def test_the_moves_are_listed_and_lead_to_their_steps(seen):
    assert ["0 Start", "1 red lay(a1)", "2 ann lay(b1)", "3 red lay(c1)", "4 ann stop"] == seen["list"]
    assert ["step-2"] == seen["clicked"]
    assert ["step-4"] == seen["button"]


def test_the_picture_is_there_and_fits(seen):
    assert 3 <= seen["box"]["parts"], "the ground, what lies on it in one or more layers, and the legend"
    assert 100 < seen["box"]["width"] < 700
    assert not seen["wide"]


def test_a_telephone_shows_it_without_scrolling_sideways(seen):
    assert not seen["narrow"]
    assert 100 < seen["narrowBox"]["width"] <= 380


def test_without_a_script_every_step_can_be_opened(seen):
    assert [f"step-{at}" for at in range(5)] == seen["bare"]
    assert seen["bareBox"] > 100


def test_a_page_about_a_claim_begins_where_it_fails(seen):
    assert ["step-3"] == seen["broken"]


def test_it_is_dark_where_the_reader_wants_it_dark(site, seen):
    dark = look(site, *DARK)["colours"]

    assert {"ink": "rgb(33, 31, 27)", "page": "rgb(255, 255, 255)"} == seen["colours"]
    assert {"ink": "rgb(230, 226, 217)", "page": "rgb(25, 24, 22)"} == dark
