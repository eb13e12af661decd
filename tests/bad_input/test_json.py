"""Damaged records and states: an exception of the documented family, or the play itself."""

import json

import pytest
from hypothesis import strategies as st

import pilgrim_rules as pr
from pilgrim_rules.api.trace import Trace
from tests.bad_input.answers import ask, everywhere, often
from tests.bad_input.damage import damaged, distorted

REFUSED = (pr.RulesGameError, pr.RulesError)
DAMAGE = st.tuples(st.randoms(use_true_random=False), st.integers(1, 4))


@pytest.fixture(scope="module")
def trace(shelf):
    made = Trace.start(pr.load(shelf / "tracks.rules"), seed=3)
    while not made.state.over:
        made.play(made.state.moves()[-1])
    return made


def texts(value, drawn):
    """Return a JSON value in damaged forms: other values inside, other letters outside."""
    random, times = drawn
    yield json.dumps(distorted(value, random, times))
    yield damaged(json.dumps(value, indent=1), random, times).decode("utf-8", "replace")


@often(40, 2_000)
def test_a_damaged_record_is_refused_or_replayed(trace, examples):
    value = json.loads(trace.to_json())

    @everywhere(DAMAGE, examples)
    def _(drawn):
        for text in texts(value, drawn):
            try:
                again = Trace.from_json(text).replay()
            except REFUSED:
                continue
            assert len(again.states) == len(again.steps) + 1
            assert Trace.from_json(again.to_json()).replay().state == again.state


@often(40, 2_000)
def test_a_damaged_state_is_refused_or_read(trace, examples):
    value = json.loads(trace.states[2].to_json())

    @everywhere(DAMAGE, examples)
    def _(drawn):
        for text in texts(value, drawn):
            try:
                state = pr.State.from_json(text)
            except REFUSED:
                continue
            assert pr.State.from_json(state.to_json()) == state
            assert state.moves() is not None


@often(15, 500)
def test_the_command_that_replays_says_what_is_wrong_with_a_file(trace, tmp_path, examples):
    value, path, page = json.loads(trace.to_json()), tmp_path / "game.json", tmp_path / "page.html"

    @everywhere(DAMAGE, examples)
    def _(drawn):
        random, times = drawn
        data = json.dumps(distorted(value, random, times)).encode() if random.random() < 0.5 else None
        path.write_bytes(data or damaged(trace.to_json(), random, times))
        options = random.choice([[], ["--stale"], ["--itf"], ["--html", page], ["--format", "json"], ["-q"]])
        ask("replay", path, *options)


@pytest.mark.parametrize("text", ["", "null", "[" * 100_000, '{"format": 1}', "9" * 5000, '"\\ud800"', "NaN", "{}" * 3])
def test_what_is_no_record_is_refused(text, tmp_path):
    path = tmp_path / "game.json"
    path.write_text(text)

    with pytest.raises(pr.BadTrace):
        Trace.load(path)
    with pytest.raises(pr.BadState):
        pr.State.from_json(text)
    assert 2 == ask("replay", path).code
