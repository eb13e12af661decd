"""What a proof shows as a page: plays that refute, plays that reach, and steps that break an induction."""

import pytest

from pilgrim_rules.api.game import Game, load
from pilgrim_rules.evidence.record import Record, ShownStep, Verdict
from tests.support.tracks_game import write_tracks
from verifier.report.counterexamples import pages


@pytest.fixture(scope="module")
def tracks(tmp_path_factory):
    return load(write_tracks(tmp_path_factory.mktemp("tracks")))


@pytest.fixture
def record():
    def made(verdict, **words):
        name = "tracks.invariant.few_points/lay"
        return Record(name, "kept", "Nobody scores twice.", verdict, "induction", **words)

    return made


def test_a_play_that_refutes_a_claim_is_shown_with_the_claim(tracks, record):
    play = ("lay(a1)", "lay(b1)", "lay(c1)")
    ((name, text),) = pages(
        tracks.core, [record(Verdict.REFUTED, play=play, reason="`few_points` is false afterwards")]
    )

    assert "tracks.invariant.few_points/lay" == name
    assert 4 == text.count("<details")
    assert "it is false after step 3" in text
    assert "Nobody scores twice: refuted. `few_points` is false afterwards" in text


def test_a_step_that_breaks_an_induction_is_shown_with_both_states(tracks, record):
    game = Game(tracks.core, ghosts=True)
    before = game.start().play("lay(a1)", "lay(b1)")
    after = before.play("lay(c1)")
    states = [{name: tuple(codes) for name, codes in game.layout.decode(each.data).items()} for each in (before, after)]
    picture = ShownStep(states[0], "lay(c1)", states[1])
    ((_, text),) = pages(tracks.core, [record(Verdict.NOT_INDUCTIVE, picture=picture)])

    assert 2 == text.count("<details")
    assert "<code>points[red]</code> 1 → <b>2</b>" in text


def test_a_play_ends_before_a_move_that_cannot_be_made(tracks, record):
    ((_, text),) = pages(tracks.core, [record(Verdict.REFUTED, play=("lay(a1)", "jump"))])

    assert 2 == text.count("<details")


def test_what_shows_nothing_has_no_page(tracks, record):
    assert [] == list(pages(tracks.core, [record(Verdict.PROVED)]))
