"""Whole games: they always end after 26 rounds, ranked; nothing of the rules is left unused."""

import pytest

from tests.games.pilgrim.conftest import load
from tests.games.pilgrim.directed import directed, play, steps


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


@pytest.mark.slow
def test_a_thousand_random_games_end_well_and_use_every_action_and_building():
    used = set()
    for players in (2, 3, 4):
        game = load(players)
        for seed in range(334):
            played = list(steps(game, seed, {}, 1))
            used |= {each for *_, move in played for each in spelled(move)}
            assert ends_well(played[-1][1])

    assert set() == unused(load(3), used)


@pytest.mark.slow
def test_a_hundred_and_fifty_directed_games_do_as_well():
    """A player who prefers roads, shrines and buildings sees in few games what even play sees in a thousand."""
    game = load(3)

    assert set() == unused(
        game, {each for seed in range(150) for *_, move in directed(game, seed) for each in spelled(move)}
    )


def spelled(move):
    """Return the action, and the action with its first argument."""
    return {move.action, str(move).removesuffix(")").split(",")[0]}


def unused(game, used):
    """Return the actions that were not used, and the buildings; the Confession Box is used with `confess`."""
    actions = {action.name for action in game.core.actions if action.kind == "action"}
    buildings = next(each.labels for each in game.core.types if each.name == "Building")
    return (actions | {f"use({each}" for each in buildings if each != "confession_box"}) - used
