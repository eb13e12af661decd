"""The boards that people play on, beside the small ones that can be searched: as many plays as OpenSpiel's own games have."""

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="the tests of OpenSpiel need: pip install open_spiel")

import pilgrim_rules as pr


def plays(state, depth):
    if depth == 0 or state.is_terminal():
        return int(depth == 0)
    return sum(plays(state.child(action), depth - 1) for action in state.legal_actions())


@pytest.mark.parametrize(
    ("name", "words", "theirs", "depth"),
    [
        ("connect_four", {"edition": "standard"}, "connect_four", 5),
        ("kalah", {"edition": "standard"}, "mancala", 5),
        ("hex", {"map": "standard"}, "hex(board_size=11)", 2),
    ],
)
def test_the_usual_board_has_the_plays_of_openspiels_game(name, words, theirs, depth):
    first = pyspiel.load_game(theirs).new_initial_state()
    game = pr.load(name, **words)

    assert [plays(first, each) for each in range(1, depth + 1)] == [game.perft(each) for each in range(1, depth + 1)]
    assert pr.load(name).perft(2) < game.perft(2)


def test_seven_discs_can_be_dropped_in_all_ways_but_seven():
    """No column holds seven discs, and nobody has four before the seventh."""
    assert 7**7 - 7 == pr.load("connect_four", edition="standard").perft(7)


def test_a_map_is_named_or_a_file(tmp_path):
    own = tmp_path / "map.toml"
    own.write_text(
        'kind = "hex"\norientation = "pointy"\nradius = 1\n[defaults]\nwest = true\neast = true\nnorth = true\nsouth = true\n'
    )

    assert 7 == pr.load("hex", map=own).perft(1)
    assert pr.load("hex", map="standard") == pr.State.from_json(pr.load("hex", map="standard").start().to_json()).game
    with pytest.raises(pr.RulesError, match="there is no file `standrad`"):
        pr.load("hex", map="standrad")
