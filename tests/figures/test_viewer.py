"""A play as a page: complete without a script, and held to need nothing else."""

import re
from html.parser import HTMLParser

import pytest

from pilgrim_rules.api.trace import Trace
from pilgrim_rules.cli.main import run
from pilgrim_rules.play_pages.viewer import page

VOID = {"meta", "input"}


class Reader(HTMLParser):
    """Collects the elements of a page, and notices tags that do not match."""

    def __init__(self, text):
        super().__init__()
        self.open, self.found, self.words = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture
def play(tracks):
    trace = Trace.start(tracks)
    trace.play("lay(a1)", "lay(b1)", "lay(c1)", "stop")
    return trace


def steps(text):
    return [attrs for tag, attrs in Reader(text).found if tag == "details"]


def test_every_step_is_on_the_page(play):
    text = page(play)

    assert [f"step-{at}" for at in range(5)] == [attrs["id"] for attrs in steps(text)]
    assert all(f">{move}</code>" in text for move in ("lay(a1)", "lay(b1)", "lay(c1)", "stop"))


def test_the_page_is_well_formed(play):
    assert [] == Reader(page(play)).open


def test_the_page_needs_nothing_else(play):
    text = page(play)

    assert not re.search(r"(src|href)=\"(?!#)", text)
    assert not re.search(r"https?://", text.replace("http://www.w3.org/2000/svg", ""))
    assert "default-src 'none'" in text


def test_every_reference_to_a_picture_leads_somewhere(play):
    found = Reader(page(play)).found
    used = {attrs["href"][1:] for tag, attrs in found if tag == "use"}

    assert used
    assert used <= {attrs.get("id") for tag, attrs in found if tag == "g"}


def test_what_two_steps_share_is_on_the_page_once(play):
    text = page(play)

    assert 5 * 2 == text.count('role="img"')
    assert 2 == text.count('<g class="ground">')


def test_changes_are_listed_and_marked(play):
    text = page(play)

    assert "<code>points[red]</code> 0 → <b>1</b>" in text
    assert '<td class="changed">1</td>' in text


def test_the_claim_is_told_where_it_fails(play):
    text = page(play, claim="few_points", says="Found while playing.")
    broken = [attrs["id"] for attrs in steps(text) if "broken" in attrs["class"]]

    assert ["step-3", "step-4"] == broken
    assert "it is false after steps 3, 4" in text
    assert "Found while playing." in text
    assert "Nobody scores twice." in text


def test_a_claim_about_steps_is_asked_of_steps(play):
    assert "it holds after every step" in page(play, claim="points_stay")


def test_an_unknown_claim_is_an_error(play):
    with pytest.raises(KeyError):
        page(play, claim="few_pints")


def test_the_same_play_gives_the_same_page(play):
    assert page(play) == page(play)


def test_names_of_a_game_are_escaped(tmp_path):
    rules = tmp_path / "odd.rules"
    rules.write_text(
        'game odd "A <b>bold</b> & odd game"\n    players 1..1 named solo\n\nstages\n    on by solo\n    over nobody\n\n'
        'figure f "<i>"\n    canvas 0..1\n    label "<&>" at 0  ## <script>\n\naction stop\n    do stage = over\n'
    )
    from pilgrim_rules.api.game import load  # noqa: PLC0415

    trace = Trace.start(load(rules))
    trace.play("stop")
    text = page(trace)

    assert [] == Reader(text).open
    assert "<b>bold" not in text
    assert "<script>" not in text.replace("<script>//", "")


def test_the_command_writes_the_page(play, tmp_path, capsys):
    saved, out = tmp_path / "play.json", tmp_path / "play.html"
    play.save(saved)

    assert 0 == run(["replay", str(saved), "--html", str(out), "--claim", "few_points"])
    assert out.read_text() == page(play, claim="few_points")
    assert "4 steps" in capsys.readouterr().out


def test_the_command_refuses_an_unknown_claim_and_a_place_it_cannot_write_to(play, tmp_path, capsys):
    saved = tmp_path / "play.json"
    play.save(saved)

    assert 2 == run(["replay", str(saved), "--html", str(tmp_path / "x.html"), "--claim", "few_pints"])
    assert "did you mean `few_points`?" in capsys.readouterr().err
    assert 2 == run(["replay", str(saved), "--html", str(tmp_path / "no" / "x.html")])
    assert "cannot write" in capsys.readouterr().err
