"""States: playing, refusing, looking, comparing."""

from __future__ import annotations

import copy
import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pilgrim_rules.api.game import Game
from pilgrim_rules.language.load import read_game
from pilgrim_rules.semantics.errors import BadMove, BadState, Contradiction, IllegalMove, UnknownAction
from pilgrim_rules.semantics.moves import Move
from tests.support.market_game import market
from tests.support.noughts_game import noughts_and_crosses


def test_a_game_is_played_by_the_text_of_its_moves(noughts):
    state = noughts.start().play("place(a1)", "place(b1)", "place(a2)", "place(b2)", "place(a3)")

    assert state.over
    assert state.to_move is None
    assert ["cross"] == state.winners()
    assert [["cross"], ["nought"]] == state.ranking
    assert {"cross": 1, "nought": 0} == {name: score.total for name, score in state.scores().items()}


def test_nobody_has_won_before_the_end(noughts):
    state = noughts.start()

    assert [] == state.winners()
    assert [["cross", "nought"]] == state.ranking


def test_a_move_is_equal_to_its_text(noughts):
    moves = noughts.start().moves()

    assert "place(b2)" in moves
    assert Move("place", ("b2",)) == moves[4]
    assert ("place", ("b2",)) == (moves[4].action, moves[4].arguments)
    assert "Move('place(b2)')" == repr(moves[4])
    assert moves == copy.deepcopy(moves)
    assert ("b2",) == copy.deepcopy(moves)[4].arguments


def test_a_state_never_changes_and_can_be_a_key(noughts):
    first = noughts.start()
    before = first.data
    left = first.play("place(a1)", "place(b1)", "place(c1)")
    right = first.play("place(c1)", "place(b1)", "place(a1)")

    assert before == first.data
    assert left == right
    assert 1 == len({left, right})
    assert left != first
    assert left is copy.deepcopy(left)
    with pytest.raises(AttributeError):
        left.data = b""


def test_equal_states_of_different_games_differ(noughts):
    same = Game(noughts_and_crosses())

    assert same.start() == noughts.start()
    assert Game(market()).start() != noughts.start()


def test_cells_are_found_by_the_names_of_the_rules(stalls):
    state = stalls.start().play("roll(2)")

    assert 10 == state["coins", "red"]
    assert "buying" == state["stage"]
    assert {"red": 10, "blue": 10} == state["coins"]
    assert {"bread": 0, "cloth": 0, "salt": 0} == state["hand", "blue"]
    assert 4 == state.ask("cost", "cloth")
    with pytest.raises(KeyError, match="did you mean `coins`"):
        state["coin"]
    with pytest.raises(KeyError, match="did you mean `red`"):
        state["coins", "rad"]
    with pytest.raises(KeyError, match="1 indices"):
        state["coins", "red", "red"]
    with pytest.raises(KeyError, match="did you mean `cost`"):
        state.ask("costs", "cloth")


def test_diff_names_the_cells_that_changed(noughts):
    state = noughts.start()

    assert {"active": ("cross", "nought"), "mark[b2]": (None, "cross")} == state.diff(state.play("place(b2)"))


def test_chance_is_left_open_without_a_seed(stalls):
    state = stalls.start()

    assert "chance" == state.to_move
    assert [("roll(1)", Fraction(1, 4)), ("roll(2)", Fraction(1, 2)), ("roll(3)", Fraction(1, 4))] == state.outcomes()
    assert ["roll(1)", "roll(2)", "roll(3)"] == state.moves()
    assert "red" == state.play("roll(3)").to_move
    assert [] == state.play("roll(3)").outcomes()


def test_a_seed_resolves_chance_the_same_everywhere(stalls):
    state = stalls.start(seed=0)

    assert "red" == state.to_move
    assert 3 == state["price"]
    assert [3, 1, 3, 1] == prices(state)
    assert prices(stalls.start(seed=0)) != prices(stalls.start(seed=3))


def prices(state):
    found = []
    while not state.over:
        found.append(state["price"])
        state = state.play(state.moves()[0])
    return found


def test_the_generator_takes_no_part_in_equality(stalls):
    open_chance = stalls.start().play("roll(3)")

    assert open_chance == stalls.start(seed=0)
    assert open_chance.rng is None
    assert stalls.start(seed=0).rng is not None


def test_autos_happen_by_themselves(stalls):
    state = stalls.start(seed=1)
    while state["turns"] != 1:
        state = state.play(state.moves()[0])
    last = state.play(state.moves()[0])

    assert last.over
    assert [] == last.moves()


def test_why_not_lists_every_reason_and_what_cannot_be_asked(stalls):
    state = stalls.start().play("roll(3)")
    found = state.why_not("buy(salt, 3)")

    assert [
        ("requirement", "buy.stock", "MK-1"),
        ("requirement", "buy.stall", "MK-2"),
        ("not asked", "buy.near", "MK-3"),
        ("not asked", "buy.extra", None),
    ] == [(each.kind, each.key, each.clause) for each in found]
    assert "the stall is empty (MK-1)" == str(found[0])
    assert [] == state.why_not("buy(bread)")


def test_a_requirement_without_words_of_its_own_is_put_into_words():
    state = Game(read_game("pong_hau_ki")).start()

    assert "required: it is not possible to go" == str(state.why_not("stuck")[-1])


def test_the_words_of_a_requirement_explain_the_names_it_uses(tmp_path):
    rules = tmp_path / "heap.rules"
    rules.write_text(HEAP)
    state = Game(read_game(rules)).start()

    assert [
        "required: the chosen number is at most the pile",
        "required: the half is at least 12, where the half is (the pile divided by 2, rounded down) plus the chosen number times 2",
    ] == [str(each) for each in state.why_not("take(3)")]


HEAP = """\
game heap
    players 1..1 named ann

stages
    turn by ann

state
    pile : 0..20 = 2

action take(n: 1..5)
    by ann
    during turn
    let half = pile div 2 + n * 2
    require n <= pile
    require half >= 12
    do
        pile -= n
"""


def test_why_not_names_the_stage_and_the_page(stalls):
    game = Game(market(), pages={"MK-5": "12"})
    found = game.start().why_not("buy(cloth)")

    assert "stage" == found[0].kind
    assert "`buy` belongs to `buying`; now it is `rolling`" == found[0].says
    poor = game.state_from_json(changed(game.start().play("roll(3)"), coins={"red": 1, "blue": 1}))
    assert ["too few coins (MK-4, MK-5, p. 12)"] == [str(each) for each in poor.why_not("buy(bread)")]


def changed(state, **variables):
    data = json.loads(state.to_json())
    data["state"] |= variables
    return data


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**64 - 1), data=st.data())
def test_moves_and_why_not_agree(stalls, seed, data):
    """The reasons are empty exactly for the legal moves."""
    state = stalls.start(seed=seed)
    for _ in range(data.draw(st.integers(0, 4))):
        if state.moves():  # a player may run out of coins
            state = state.play(data.draw(st.sampled_from(state.moves())))
    every = [stalls.move("buy", good, extra) for good in ("bread", "cloth", "salt") for extra in (1, 2, 3, None)]

    assert set(state.moves()) == {move for move in every if not state.why_not(move)}


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("plaice(b2)", UnknownAction, "did you mean `place`"),
        ("place", BadMove, "`place` needs `at`"),
        ("place(b2, b3)", BadMove, "takes one argument, not 2"),
        ("place(b9)", BadMove, "`b9` is not a value of `Cell`"),
        ("place(to=b2)", BadMove, "no argument `to`"),
        ("place(at=b2, at=b3)", BadMove, "given twice"),
        ("place(b2, at=b3)", BadMove, "given twice"),
        ("place(b2", BadMove, "spelled like"),
        ("", BadMove, "spelled like"),
        ("place(" * 500, BadMove, "a move is"),
        (7, BadMove, "not int"),
    ],
)
def test_a_text_that_is_no_move_is_refused_precisely(noughts, text, error, words):
    with pytest.raises(error, match=words.replace("(", r"\(")):
        noughts.start().play(text)


@pytest.mark.parametrize("text", ["place(b2)", "place(at=b2)", " place ( b2 ) ", "place( at = b2 )"])
def test_moves_are_read_by_position_and_by_name(noughts, text):
    assert "place(b2)" == noughts.move(text)
    assert "place(b2)" == noughts.move("place", "b2") == noughts.move("place", at="b2")


def test_defaults_are_left_out_and_may_be_given(stalls):
    assert "buy(bread)" == stalls.move("buy(bread, none)") == stalls.move("buy", "bread", extra=None)
    assert "buy(bread, 2)" == stalls.move("buy(extra=2, good=bread)")
    assert ("bread", None) == stalls.move("buy(bread)").arguments


def test_an_illegal_move_is_refused_with_its_reasons(noughts):
    state = noughts.start().play("place(b2)")

    with pytest.raises(IllegalMove, match=r"the cell is taken \(NC-2\)") as caught:
        state.play("place(b2)")
    assert ("NC-2",) == caught.value.refusals[0].clauses


def test_a_contradiction_tells_how_it_came_about():
    state = Game(market(generous=True)).start(seed=2)
    while state["turns"] != 1:
        state = state.play(state.moves()[0])

    with pytest.raises(Contradiction, match=r"`coins\[red\]` would be \d+, but goes from 0 to 300") as caught:
        state.play(state.moves()[0])
    assert ["buy(cloth, 1)", "close"] == [step.move for step in caught.value.steps]
    assert "tip" == caught.value.breach.key


def test_a_view_hides_what_a_player_may_not_see(stalls):
    state = stalls.start().play("roll(3)", "buy(bread)")

    assert {"bread": 1, "cloth": 0, "salt": 0} == state.view("red")["hand", "red"]
    assert "?" == state.view("red")["hand", "blue", "bread"]
    assert {"red": {"bread": "?", "cloth": "?", "salt": "?"}} | {
        "blue": {"bread": 0, "cloth": 0, "salt": 0}
    } == state.view("blue")["hand"]
    assert "?" == state.view("red")["price"]
    assert 10 == state.view(None)["coins", "blue"]
    assert '"price": "?"' in state.view("red").to_json()
    with pytest.raises(KeyError, match="green"):
        state.view("green")


def test_what_is_private_until_the_end_is_open_then(stalls):
    state = stalls.start(seed=4)
    while not state.over:
        state = state.play(state.moves()[0])

    assert state["hand"] == state.view(None)["hand"]
    assert "?" == state.view(None)["price"]


def test_json_brings_a_state_back(stalls):
    state = stalls.start(seed=5)
    again = stalls.state_from_json(state.to_json(indent=2))

    assert state == again
    assert state.rng == again.rng


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": "x"}, "format"),
        ({"game": {"name": "chess", "players": 2}}, "`chess`"),
        ({"game": 3}, "which game"),
        ({"rules": "0"}, "other rules"),
        ({"rng": "x"}, "hexadecimal"),
        ({"state": []}, "an object"),
        ({"state": {}}, "missing"),
        ({"state": {"nothing": 1}}, "no variable `nothing`"),
    ],
)
def test_json_of_no_state_is_refused_precisely(stalls, change, words):
    data = json.loads(stalls.start().to_json()) | change

    with pytest.raises(BadState, match=words):
        stalls.state_from_json(data)


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"coins": {"red": 301, "blue": 0}}, r"`coins\[red\]`: `301` is not a value"),
        ({"coins": {"red": True, "blue": 0}}, r"`coins\[red\]`"),
        ({"coins": {"red": 1}}, "the keys red, blue"),
        ({"coins": 4}, "the keys red, blue"),
        ({"stage": "tea"}, "`tea` is not a value of `Stage`"),
        ({"stage": None}, "`None` is not a value of `Stage`"),
    ],
)
def test_json_with_a_wrong_cell_says_which(stalls, variables, words):
    with pytest.raises(BadState, match=words):
        stalls.state_from_json(changed(stalls.start(), **variables))


@pytest.mark.parametrize("text", ["", "[]", "nil", "[" * 100_000, "7"])
def test_text_that_is_no_json_object_is_refused(stalls, text):
    with pytest.raises(BadState):
        stalls.state_from_json(text)


def test_a_state_of_other_rules_is_read_if_asked(stalls):
    data = changed(stalls.start()) | {"rules": "0" * 64}

    assert stalls.start() == stalls.state_from_json(data, stale_ok=True)


def test_bytes_of_no_state_are_refused(stalls):
    with pytest.raises(BadState):
        stalls.state_from_bytes(b"\xff" * stalls.layout.size)
    with pytest.raises(BadState):
        stalls.state_from_bytes(b"")
    assert stalls.start() == stalls.state_from_bytes(stalls.start().data)


def test_a_state_in_the_middle_of_autos_says_so(stalls):
    state = stalls.state_from_json(changed(stalls.start(), stage="closing"))

    assert "auto" == state.to_move
    assert ["close"] == state.moves()
    assert state.play("close").over
