"""The second tutorial: its listing is a game that is proved, and every part of the page is found in it."""

import re
from pathlib import Path

from pilgrim_rules.evidence.record import PROOFS, Verdict
from pilgrim_rules.language.load import check, read_game
from verifier.prove.run import verify

LEARN = Path(__file__).parents[2] / "docs" / "learn"
RULES = LEARN / "the_letter.rules"
PAGE = (LEARN / "a_deck_and_a_secret.rst").read_text()


def test_the_listing_has_no_mistakes_and_no_warnings():
    assert [] == list(check(RULES))


def test_everything_in_the_listing_is_proved():
    report = verify(read_game(RULES), confirm=False, jobs=1)

    assert [] == [each.name for each in report.records if each.verdict not in PROOFS]


def test_without_its_reveal_the_accusation_leaks_as_the_page_says(tmp_path):
    path = tmp_path / "the_letter.rules"
    path.write_text(RULES.read_text().replace("    reveal c in hand[rival()]\n", ""))

    (found,) = verify(read_game(path), names=("no_leak/accuse",), confirm=False, jobs=1).records
    assert Verdict.REFUTED is found.verdict


def test_the_page_shows_the_whole_listing_in_order():
    marks = re.findall(r":(start-at|end-before): (.+)", PAGE)
    lines = RULES.read_text().splitlines()
    first = {text: next(at for at, line in enumerate(lines) if text in line) for _, text in marks}
    starts = [first[text] for kind, text in marks if kind == "start-at"]
    ends = [first[text] for kind, text in marks if kind == "end-before"]

    assert starts == ends
    assert sorted(starts) == starts
