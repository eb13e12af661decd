"""Words that make no sense, given to the library: an exception of the documented family, and the state unchanged."""

from contextlib import suppress

import pytest
from hypothesis import strategies as st

import pilgrim_rules as pr
from tests.bad_input.answers import everywhere, often

REFUSED = (pr.RulesGameError, pr.RulesError)
WORDS = [
    "lay",
    "roll",
    "close",
    "(",
    ")",
    ",",
    "=",
    "a1",
    "b2",
    "h",
    "k",
    "1",
    "-1",
    "99",
    "none",
    "red",
    "true",
    " ",
    "(a1",
    "\0",
    "\ud800",
]
MOVES = st.lists(st.sampled_from(WORDS) | st.text(max_size=5), max_size=7).map("".join)
NAMES = st.sampled_from(["road", "points", "turn", "nothing", "", "\0", "stage", "left"]) | st.text(max_size=4)
VALUES = st.sampled_from(["a1", "red", "none", 0, -1, 10**30, None, True, 1.5, (), ("red", 1), b"x", [], {}]) | st.text(
    max_size=3
)


@pytest.fixture(scope="module")
def state(shelf):
    return pr.load(shelf / "tracks.rules").start(seed=1)


@often(80, 3_000)
def test_a_text_that_spells_no_legal_move_is_refused(state, examples):
    @everywhere(MOVES, examples)
    def _(text):
        before = state.data
        for question in (
            state.play,
            state.why_not,
            lambda text: state.svg(highlight=[text]),
            lambda text: state.svg(cross_out=[text]),
        ):
            with suppress(*REFUSED):
                question(text)
        assert before == state.data
        if text in state.moves():
            assert [] == state.why_not(text)


@often(80, 3_000)
def test_a_variable_or_definition_that_does_not_exist_is_refused(state, examples):
    @everywhere(st.tuples(NAMES, st.lists(VALUES, max_size=3)), examples)
    def _(drawn):
        name, index = drawn
        for question in (lambda: state[(name, *index)], lambda: state.ask(name, *index)):
            with suppress(KeyError, *REFUSED):
                question()


@pytest.mark.parametrize(
    "choice",
    [
        {"players": 0}, {"players": -1}, {"players": 10**30}, {"rulings": {"twice": "sometimes"}}, {"rulings": {"": ""}},
        {"preset": "none"}, {"preset": ""}, {"edition": "no such file"}, {"map": "\0"}, {"map": "."}, {"edition": "/dev/null"},
        {"map": "a" * 5000}, {"rulings": {"\ud800": "never"}},
    ],
    ids=str,
)  # fmt: skip
def test_an_instance_that_does_not_exist_is_refused_with_codes(shelf, choice):
    with pytest.raises(pr.RulesError) as refused:
        pr.load(shelf / "tracks.rules", **choice)

    assert all(found.code.id.startswith("PR") for found in refused.value.diagnostics)


@pytest.mark.parametrize("choice", [{"map": "standard"}, {"map": "own.toml"}, {"edition": "own.toml"}], ids=str)
def test_a_file_that_no_rule_would_read_is_refused(choice):
    with pytest.raises(pr.RulesError, match=f"the game has no {min(choice)}"):
        pr.load("bank", **choice)


@pytest.mark.parametrize(
    "name", ["", " ", "\0", "\ud800", ".", "/", "/dev/null", "no game", "a" * 5000, "../..", "nim.rules", "~"]
)
def test_a_game_that_does_not_exist_is_refused_with_a_code(name):
    with pytest.raises(pr.RulesError):
        pr.load(name)
