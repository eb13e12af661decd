"""One player alone against the Ab-Bott: whole games, and the campaign."""

import pytest

import pilgrim_rules as pr
from tests.games.pilgrim.conftest import load
from tests.games.pilgrim.directed import play
from tests.games.pilgrim.test_play import ends_well


@pytest.mark.covers("SOL-INT-1", "SOL-SET-1")
def test_the_abbott_has_a_seat_and_the_player_decides_alone():
    game = load(1)

    assert (("red", "abbott"), ("red",), ("abbott",)) == (game.players, game.people, game.automata)


@pytest.mark.parametrize("level", ["easy", pytest.param("middling", marks=pytest.mark.slow), "hard"])
def test_a_game_alone_comes_to_its_end(level):
    game = pr.load("pilgrim", players=1, options={"level": level})
    ends = [play(game, seed)[-1] for seed in range(3)]

    assert all(ends_well(each) for each in ends)


def test_in_many_games_the_abbott_gets_somewhere():
    """In bulk: trails reach sites, and the Ab-Bott beats a player who moves at random."""
    played = list(load(1).playouts(60, seed=5))

    assert all(each.over for each in played)
    assert 55 < sum(each.points["abbott"] > each.points["red"] for each in played)


def test_state_of_the_solo_game_is_not_part_of_a_game_for_two():
    alone, two = load(1).layout.by_name, load(2).layout.by_name

    assert {"bag", "aside", "away", "toward", "shelf"} <= set(alone) - set(two)


def test_the_counter_of_the_turn_is_not_part_of_a_game_for_two():
    assert "task" not in load(2).layout.by_name


@pytest.mark.covers("SOL-CMP-8", "SOL-CMP-9", "SOL-CMP-13", "SOL-EX-RANKS", "SOL-EX-CAMPAIGN")
def test_every_sum_of_a_campaign_has_its_rank():
    found = load(1).core.campaigns[0]
    sums = (-1, 0, 1, 10, 11, 20, 21, 30, 31, 40, 41)
    words = ["Defeated", "Shameful", "Shameful", "Shameful", "Admonished", "Admonished", "Aspiring", "Aspiring"]

    assert [*words, "Triumphant", "Triumphant", "God-like"] == [
        rank.title for each in sums for rank in found.ranks if rank.has(each)
    ]
    assert ["easy", "middling", "hard"] == [dict(game)["level"] for game in found.games]
