"""Whole games: they always end after 26 rounds, ranked; nothing of the rules is left unused."""

import pytest

import pilgrim_rules as pr
from tests.games.pilgrim.conftest import load
from tests.games.pilgrim.directed import SHOWN, directed, play, steps, uses, wanted


def ends_well(state):
    return (
        state.over
        and 26 == state["round"]
        and sorted(player for tied in state.ranking for player in tied) == sorted(state.game.players)
    )


@pytest.mark.covers("OVR-1", "OVR-2", "END-1", "END-3", "RND-9")
def test_a_random_game_ends_after_26_rounds_with_a_ranking(pilgrim):
    for seed in range(2):
        assert ends_well(play(pilgrim, seed)[-1])


@pytest.mark.covers("TIE-1", "TIE-2", "TIE-3")
def test_there_is_always_one_winner(pilgrim):
    final = play(pilgrim, seed=5)[-1]

    assert [1] * len(pilgrim.players) == [len(tied) for tied in final.ranking]
    assert final.ranking[0] == final.winners()


@pytest.mark.covers("END-4", "OVR-6", "SCO-17")
def test_the_score_sheet_has_eight_lines_that_add_up(pilgrim):
    score = play(pilgrim, seed=1)[-1].scores()[pilgrim.players[0]]

    assert 8 == len(score.parts)
    assert score.total == sum(score.parts.values())


@pytest.mark.covers("RND-10", "RND-14", "TRN-10")
def test_every_player_has_one_turn_in_each_round(pilgrim):
    turns = []
    for before, after in zip(*(states := play(pilgrim, seed=2), states[1:]), strict=False):
        if before.stage == "opening" and after.stage == "sowing":
            turns.append((before["round"], before["active"]))

    assert len(turns) == len(set(turns))
    assert len(pilgrim.players) >= max(sum(round_ == each for each, _ in turns) for round_, _ in turns)


@pytest.mark.parametrize("players", [*(pytest.param(each, marks=pytest.mark.slow) for each in (2, 3)), 4])
@pytest.mark.covers("OVR-1", "END-1")
def test_the_german_edition_ends_after_26_rounds_with_a_ranking_too(players):
    game = pr.load("pilgrim", players=players, preset="german")

    assert ends_well(play(game, seed=0)[-1])


@pytest.mark.covers("BLD-5", "BLD-10", "BLD-16", "BLD-18", "BLD-20", "CON-1", "GAL-4", "UPG-1")
def test_directed_games_use_every_action_every_building_on_all_terms_and_every_tile():
    """On the rim, one's own, of another player, constructed, donated: each building; `directed` says what is wanted."""
    seen = {each for players, seed in SHOWN for step in directed(load(players), seed) for each in uses(*step)}

    assert set() == wanted(load(4)) - seen


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["english", "german"])
def test_a_thousand_random_games_end_well_and_leave_unused_only_what_directed_games_show(preset):
    seen = set()
    for players in (2, 3, 4):
        game = pr.load("pilgrim", players=players, preset=preset)
        for seed in range(334):
            played = list(steps(game, seed, {}, 1))
            seen |= {each for step in played for each in uses(*step)}
            assert ends_well(played[-1][1])

    # Income needs a trade route, which chance does not build; all else that is wanted of actions is met by chance.
    assert {"take_income", "decline_income"} >= {each for each in wanted(game) - seen if " " not in each}
    assert set() == {each for each in wanted(game) - seen if each.startswith("use") and each.endswith("from the rim")}
