"""Campaigns: a finite fold over games, with a rank for every total."""

import pytest
from click.testing import CliRunner

import pilgrim_rules as pr
from pilgrim_rules.cli.campaign import campaign as command
from pilgrim_rules.core.show import show_game
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.language.check.campaigns import pieces
from pilgrim_rules.language.load import read_game
from verifier.prove.run import verify

TEXT = """\
game walk
    players 1..2 named ann, ben

option level
    choice near default
    choice far

ruling zero
    option none_at_all default
    option poor

stages
    walking by ann
    over nobody

state
    gone : 0..3 = 0

action walk(n: 0..3)
    during walking
    require n < 3 or level == far
        else "so far only on long days"
    do
        gone = n
        stage = over

score of p
    line "Steps" gone

campaign walks "Two walks"
    players 1
    with level = near, far
    result sum of score(ann)
    rank "Homebody" 0 when zero == poor
    rank "Nobody" 0 when zero == none_at_all
    rank "Walker" 1..3
    rank "Wanderer" from 4
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "walk.rules"
    path.write_text(TEXT)
    return path


def test_each_game_is_played_with_its_own_choice(path):
    found = pr.campaign(path)
    assert [{"level": "near"}, {"level": "far"}] == [game.instance["options"] for game in found.games]
    assert ("walks", "Two walks") == (found.name, found.title)


@pytest.mark.parametrize(
    ("moves", "total", "rank"), [((0, 0), 0, "Nobody"), ((1, 2), 3, "Walker"), ((2, 3), 5, "Wanderer")]
)
def test_the_results_of_the_games_make_the_total_and_its_rank(path, moves, total, rank):
    found = pr.campaign(path)
    ends = [game.start().play(f"walk({n})") for game, n in zip(found.games, moves, strict=True)]
    assert pr.CampaignResult(moves, total, rank) == found.outcome(ends)


def test_a_rank_may_depend_on_a_ruling(path):
    found = pr.campaign(path, rulings={"zero": "poor"})
    assert "Homebody" == found.outcome([game.start().play("walk(0)") for game in found.games]).rank


def test_the_best_result_may_count(path):
    path.write_text(TEXT.replace("result sum of", "result max of"))
    found = pr.campaign(path)
    assert (
        2 == found.outcome([game.start().play(f"walk({n})") for game, n in zip(found.games, (1, 2), strict=True)]).total
    )


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("when zero == none_at_all", "when zero == poor", "no rank for a total of 0"),
        ("1..3", "1..2", "no rank for a total of 3"),
        ("1..3", "1..4", "both name a total of 4"),
        ("1..3", "-1..3", "both name a total of 0"),
        ("    result sum of score(ann)\n", "", "`walks` has no result"),
        ("    players 1\n", "    players 3\n", "the game is not for 3"),
        ("near, far", "near, further", "unknown choice `further`"),
    ],
)
def test_a_mistake_in_a_campaign_is_found(path, before, after, said):
    path.write_text(TEXT.replace(before, after))
    with pytest.raises(RulesError, match=said):
        read_game(path)


def test_every_total_is_named_once(path):
    (campaign,) = read_game(path).campaigns
    assert [(0, 0, ["Nobody"]), (1, 3, ["Walker"]), (4, 6, ["Wanderer"])] == [
        (lo, hi, [rank.title for rank in named]) for lo, hi, named in pieces(campaign)
    ]


def test_that_every_total_has_one_rank_is_a_law_that_is_shown(path):
    found = {record.name: record.verdict.value for record in verify(read_game(path), cache=False, jobs=1).records}
    assert "proved" == found["walk.law.campaign.walks"]
    assert "campaign walks: sum of" in show_game(read_game(path))


def test_with_other_players_there_is_no_such_campaign(path):
    assert () == read_game(path, players=2).campaigns


def test_a_game_that_is_not_over_has_no_result(path):
    found = pr.campaign(path)
    with pytest.raises(ValueError, match="when the game is over"):
        found.result(found.games[0].start())
    with pytest.raises(ValueError, match="has 2 games, not 1"):
        found.outcome([found.games[0].start().play("walk(0)")])


def test_a_campaign_that_is_not_there_is_refused(path):
    with pytest.raises(ValueError, match="did you mean `walks`"):
        pr.campaign(path, "walk")


def test_a_campaign_can_be_played_in_the_terminal(path):
    shown = CliRunner().invoke(command, [str(path), "--seat", "ann=random", "--seed", "1"], standalone_mode=False)
    assert "Two walks, game 2 of 2 · level = far" in shown.output
    assert "in all" in shown.output
