"""What lies in zones that a player does not see into is shuffled and dealt again: a view tells what there is, not where."""

from collections import Counter
from random import Random

import pytest

import pilgrim_rules as pr

START = (
    "draw_deck_aside(princess)", "draw_deck_shown(guardsman)", "draw_deck_shown(guardsman)", "draw_deck_shown(priest)",
    "draw_deck_hand(king)", "draw_deck_hand(baron)", "draw_deck_hand(handmaid)",
)  # fmt: skip


@pytest.fixture(scope="module")
def state():
    return pr.load("love_letter").start().play(*START)


@pytest.mark.parametrize("player", ["ann", "ben"])
def test_a_deal_looks_the_same_and_has_as_many_cards_everywhere(state, player):
    for seed in range(20):
        drawn = state.resample(player, seed)

        assert drawn.view(player).to_json() == state.view(player).to_json()
        for zone in ("deck", "aside"):
            assert sum(state[zone].values()) == sum(drawn[zone].values())


def test_what_the_player_cannot_have_seen_is_dealt_as_likely_as_it_is(state):
    """Ann sees two of her own and three open cards: of the other eleven, three are guardsmen, and one is the princess."""
    held = Counter()
    for seed in range(600):
        (kind,) = [name for name, many in state.resample("ann", seed)["hand", "ben"].items() if many]
        held[kind] += 1

    assert {"guardsman", "priest", "baron", "handmaid", "prince", "countess", "princess"} == set(held)
    assert 600 * 3 / 11 == pytest.approx(held["guardsman"], rel=0.25)
    assert 600 * 1 / 11 == pytest.approx(held["princess"], rel=0.5)


def test_a_deal_depends_on_nothing_unseen(state):
    other = pr.load("love_letter").start().play(*(each.replace("princess", "prince") for each in START))

    for seed in range(10):
        assert state.resample("ann", seed) == other.resample("ann", seed)


def test_a_number_that_the_author_makes_public_is_kept_too():
    """Tiles of A Column of Fire are moved by rules of its own; two public definitions say how many lie where."""
    state, random = pr.load("column_of_fire", players=2).start(seed=4), Random(1)
    while sum(state["tray", "red"].values()) < 2:
        state = state.play(str(random.choice(state.moves())))
    drawn = [state.resample("blue", seed) for seed in range(12)]

    assert {state.view("blue").to_json()} == {each.view("blue").to_json() for each in drawn}
    assert {sum(state["tray", "red"].values())} == {sum(each["tray", "red"].values()) for each in drawn}
    assert 1 < len({str(each["tray", "red"]) for each in drawn})
