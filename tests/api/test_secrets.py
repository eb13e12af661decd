"""What a player is shown of a state, of moves and of a whole play, and which states the player must reckon with."""

from collections import Counter

import pytest

import pilgrim_rules as pr
from pilgrim_rules.api.beliefs import Belief
from pilgrim_rules.api.looks import Looks
from pilgrim_rules.semantics.observation import observation


@pytest.fixture
def kuhn():
    trace = pr.Trace.start(pr.load("kuhn_poker"))
    trace.play("deal(1)", "deal(2)", "lay_aside(0)", "check_")
    return trace


def test_a_move_is_shown_as_the_player_sees_it(kuhn):
    shown = {player: [step.move for step in kuhn.seen_by(player)] for player in ("ann", "ben", None)}

    assert ["deal(1)", "deal(?)", "lay_aside(?)", "check_"] == shown["ann"]
    assert ["deal(?)", "deal(2)", "lay_aside(?)", "check_"] == shown["ben"]
    assert ["deal(?)", "deal(?)", "lay_aside(?)", "check_"] == shown[None]


def test_a_view_has_the_moves_of_whoever_decides_and_of_nobody_else(kuhn):
    ann, ben = (kuhn.state.view(player) for player in ("ann", "ben"))

    assert ["check_", "bet"] == ben.moves()
    assert [] == ann.moves() == kuhn.state.view(None).moves()
    assert ["there is a bet: call or fold"] != [each.says for each in ben.why_not("call")]
    assert ["`ben` decides now"] == [each.says for each in ann.why_not("call")]
    assert ("betting", "ben", False) == (ann.stage, ann.to_move, ann.over)


def test_a_view_has_public_definitions_and_what_follows_from_what_is_seen(kuhn):
    ann = kuhn.state.view("ann")

    assert {"has_card": {"ann": True, "ben": True}} == ann.public()
    assert "?" == ann.ask("best_hand")
    assert 0 == ann.scores()["ann"].total  # nothing is won before the end, whatever the cards are
    assert "ben" == kuhn.state.play("bet", "call").view("ann").ask("best_hand")


def test_a_score_that_needs_what_is_unseen_is_not_shown(kuhn):
    over = kuhn.state.play("bet", "call")

    assert 2 == over.view("ann").scores()["ben"].total


def test_a_state_is_sampled_that_looks_the_same(kuhn):
    drawn = Counter(kuhn.state.resample("ann", seed)["hand", "ben"] for seed in range(100))

    assert {0, 2} == set(drawn)
    assert all(30 < count for count in drawn.values())
    assert kuhn.state.view("ann").to_json() == kuhn.state.resample("ann", 7).view("ann").to_json()


def test_a_belief_has_the_odds_of_each_state(kuhn):
    belief = kuhn.belief("ann")

    assert belief.exact
    assert [0.5, 0.5] == sorted(belief.states.values())
    assert {0, 2} == {kuhn.game.state_from_bytes(data)["hand", "ben"] for data in belief.states}


def test_a_past_is_drawn_that_looks_the_same(kuhn):
    for seed in range(10):
        other = kuhn.resample("ben", seed)

        assert [str(step) for step in kuhn.seen_by("ben")] == [str(step) for step in other.seen_by("ben")]
        assert kuhn.state.view("ben").to_json() == other.state.view("ben").to_json()
        assert other.record().replay(kuhn.game).state == other.state


def test_a_belief_that_is_cut_says_so(kuhn):
    game = kuhn.game
    belief = Belief(game, game.code.start, 0, most=1)
    played = [
        (game.runner.book.codes(step.move), state.data) for step, state in zip(kuhn.steps, kuhn.states[1:], strict=True)
    ]

    assert not belief.see(played).exact
    assert 1 == len(belief.states)


def test_the_fast_key_tells_the_same_states_apart_as_the_evaluator():
    game = pr.load("kuhn_poker")
    looks, keys, slow = Looks(game), [], []
    for cards in ("012", "021", "102", "120", "201", "210"):
        state = game.start().play(f"deal({cards[0]})", f"deal({cards[1]})", f"lay_aside({cards[2]})")
        keys.append(looks.key(state.data, 0))
        slow.append(observation(game.declared, game.layout.decode(state.data), 0))

    assert [keys.index(each) for each in keys] == [slow.index(each) for each in slow]
    assert 3 == len(set(keys))
