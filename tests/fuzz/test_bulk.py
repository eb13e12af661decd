"""Native games: what they show is said as it is, also where a move breaks a contract, and nothing that ran is called never run."""

from tests.support.proved_texts import game
from verifier.fuzz.bulk import BulkGames
from verifier.fuzz.game_under_test import GameUnderTest
from verifier.fuzz.play_coverage import PlayCoverage
from verifier.play.hunt import Caught

RULES = """
game walk
    players 2..2 named ann, ben

stages
    walking by turn
    over nobody

state
    at[Player] : 0..9 = 0
    rests      : 0..40 = 0
    turn       : Player = ann

effect pass_on()
    turn = next(turn)

action step
    during walking
    require at[turn] < 9
    do
        at[turn] += 1
        if at[turn] == 9: stage = over
        pass_on()

action rest
    during walking
    require rests < 40
    do
        rests += 2 if at[turn] == 8 and at[next(turn)] == 8 else 1
        pass_on()

action leave
    during walking
    require at[turn] == 7 and at[next(turn)] == 7 and rests > 20
    do
        at[turn] = 0
        pass_on()
"""


def _bulk(made):
    return BulkGames(GameUnderTest(made), seed=0, longest=100, favour=frozenset(), guided=True)


def test_a_play_that_ends_before_the_move_that_breaks_a_contract_is_no_disagreement():
    """A policy that tries moves in thought meets what it has not made."""
    made = game(RULES + "\ncontract one_step of step\n    at[turn] gains 2\n")
    names = [action.name for action in made.actions]

    problem, play = _bulk(made)._problem(Caught(None, ((names.index("rest"), ()),)), ())

    assert "walk.contract.one_step.at/step" == problem.name
    assert ["rest", "step"][-len(play) :] == [names[action] for action, _ in play]


def test_an_action_whose_shared_lines_have_run_is_looked_at_all_the_same():
    made = game(RULES)
    seen = PlayCoverage()
    seen.lines.update({"pass_on.do.1": 1, "step.do.1": 1})

    unseen = _bulk(made).unseen([at for at, _ in enumerate(made.actions)], seen)

    assert ["rest", "leave"] == [made.actions[at].name for at in unseen]
