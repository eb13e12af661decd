"""Whatever play notes of a state can be shown with the play to it."""

from pilgrim_rules.core.footprint import Footprints
from pilgrim_rules.engine.python.compile import compiled
from tests.support.proved_texts import game
from verifier.claims.obligations import obligations
from verifier.play.replay import judge_play
from verifier.play.visits import Visits, counterexample_for, play_until_seen, replay_recorded

DEAD_END = """\
    game pit "A pit"
        players 2..2 named ann, bob

    stages
        walking by turn
        over nobody

    state
        turn : Player = ann
        n    : 0..3 = 0

    action down
        require n < 3
        do n += 1

    reachable never: n == 3 and stage == over
    """


def shown(visits, played):
    (asked,) = (each for each in obligations(played) if each.kind == "no_dead_end")
    moves, says = counterexample_for(visits, asked)
    return [name for name, _ in moves], says, judge_play(visits.footprints.declared, asked, moves)


def seen(played):

    return Visits(compiled(played), Footprints.from_game(played))


def test_longer_play_keeps_the_way_to_a_dead_end():
    played = game(DEAD_END)
    visits = seen(played)
    play_until_seen(visits, steps=20)

    moves, says, failure = shown(visits, played)
    assert (["down"] * 3, "nothing can happen here") == (moves, says)
    assert failure is not None


def test_a_recorded_play_keeps_it_too():
    played = game(DEAD_END)
    visits = seen(played)
    replay_recorded(visits, "by hand", ["down"] * 4)

    assert ["down"] * 3 == shown(visits, played)[0]
