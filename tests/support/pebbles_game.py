"""A game of our own, so that these tests do not depend on the text of a shipped one."""

import pytest

PEBBLES = """\
game pebbles "Pebbles"
    players 2..2 named ann, bob

enum Bowl: red, blue

stages
    rolling chance
    playing by turn
    over nobody

state
    pile[Bowl] : 0..3 = 3            ## pebbles that lie in each bowl
    held[Player, Bowl] : 0..3 = 0    ## pebbles that each player has taken
    turn : Player = ann
    lucky : Bowl? = none             ## the bowl whose pebbles count double

ruling empty_hand
    option allowed default
    option forbidden

chance roll(bowl: Bowl) during rolling weight 1
    do
        lucky = bowl
        stage = playing

action take(bowl: Bowl, n: 1..3 = 1)
    ## Take pebbles from one bowl.
    by turn
    during playing
    require n <= pile[bowl] else "there are not so many in the bowl"
    require n <= 2 else "no more than two at once"
    do
        move n from pile[bowl] to held[turn, bowl]
        turn = ann if turn == bob else bob
        if all b in Bowl: pile[b] == 0:
            stage = over

score of p
    line "Pebbles" held[p, red] + held[p, blue]
    line "Luck" held[p, lucky] if lucky is some else 0
rank p by score desc

invariant none_lost: all b in Bowl: pile[b] + held[ann, b] + held[bob, b] == 3
invariant some_left: (stage == over) == (all b in Bowl: pile[b] == 0)
terminates by (1 if stage == rolling else 0, pile[red] + pile[blue])
"""


@pytest.fixture
def pebbles(tmp_path_factory, monkeypatch):
    """Make the game `pebbles` known by name; return its file."""
    folder = tmp_path_factory.mktemp("spec")
    path = folder / "pebbles.rules"
    path.write_text(PEBBLES)
    monkeypatch.setenv("PILGRIM_SPEC", str(folder))
    return path
