"""What the table of stages says is always possible: the proof that play is never stuck looks at nothing else."""

import pytest

from pilgrim_rules.core.ir import Call
from pilgrim_rules.evidence.record import Verdict
from pilgrim_rules.language.load import read_game
from verifier.claims.formulas import static
from verifier.claims.obligations import obligations
from verifier.prove.run import verify

RULES = """\
game small
    players 2..2 named red, blue

stages
    playing by turn ALWAYS
    over nobody

state
    turn  : Player
    coins : 0..9 = 5
    late  : bool

action take(n: 1..3, really: bool)
    require n <= coins
    do
        coins -= n
        turn = next(turn)

action pass
    require coins == 0 or late
    do stage = over

action wait
    require not late
    do late = true
"""


@pytest.fixture
def record(tmp_path):
    """Return a function that gives the verdict on the dead ends of the game, and what it rests on."""

    def prove(always):
        path = tmp_path / "small.rules"
        path.write_text(RULES.replace(" ALWAYS", always), encoding="utf-8")
        game = read_game(path)
        (found,) = [each for each in verify(game).records if each.kind == "no_dead_end"]
        return found

    return prove


@pytest.mark.parametrize(
    "always", ["", " always pass or wait", " always take(1, true) or pass", " always wait or take or pass"]
)
def test_a_game_is_not_stuck_if_what_is_always_possible_is(record, always):
    assert Verdict.PROVED == record(always).verdict


def test_the_obligation_says_what_is_always_possible(record):
    assert (
        "In `playing` the player to decide has a legal move: always `take` or `pass`."
        == record(" always take(1, false) or pass").sentence
    )


@pytest.mark.parametrize("always", [" always pass", " always take(2, true) or pass"])
def test_what_is_not_always_possible_is_refuted_by_a_play(record, always):
    found = record(always)

    assert (Verdict.REFUTED, "play") == (found.verdict, found.method)


def test_the_formula_is_about_nothing_else(tmp_path):
    path = tmp_path / "small.rules"
    path.write_text(RULES.replace(" ALWAYS", " always wait"), encoding="utf-8")
    game = read_game(path)
    (obligation,) = [each for each in obligations(game) if each.kind == "no_dead_end"]

    assert [Call("possible.wait", (), game.defs[0].body.type)] == list(static(game, obligation).args[1:])
