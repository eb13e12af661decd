"""Symmetries: proved of the games that declare them, refuted where they are none, with the play that shows it."""

from __future__ import annotations

import pytest

from pilgrim_rules.core.symmetry import Places, TooManyImages, group
from pilgrim_rules.evidence.record import PROOFS, Verdict
from pilgrim_rules.language.load import read_game
from tests.support.proved_texts import game, record
from verifier.prove.run import verify

PIER = """\
    game pier "A walk on a pier"
        players 2..2 named ann, ben

    type Plank = 1..5

    param behind[p in Plank] : Plank = 6 - p
    param other[p in Player] : Player = next(p)

    stages
        walking by turn
        over nobody

    state
        at         : Plank = {start}
        turn       : Player = ann
        wet        : Plank? = none
        score_of[Player] : 0..9 = 0

    action go(to: Plank)
        require to == at + 1 or to == at - 1
            else "one plank at a time"
        require {ways}
            else "not that way"
        do
            at = to
            turn = next(turn)
            {effect}
            if to == 1 or to == 5:
                wet = {splash}
                stage = over

    score of p
        line "dry" {points}

    rank p by score desc

    {more}

    symmetry mirror = behind
"""
PLAIN = {
    "start": "3", "ways": "true", "effect": "score_of[turn] = 0", "splash": "to", "points": "1 if turn == p else 0",
    "more": "invariant wet_at_an_end: wet is some implies wet in {1, 5}",
}  # fmt: skip


def pier(**changed):
    return game(PIER.format(**PLAIN | changed))


@pytest.mark.parametrize("part", ["go", "rules.start", "rules.by", "rules.score", "claim.wet_at_an_end"])
def test_a_pier_is_the_same_from_behind(part):
    assert Verdict.PROVED is record(pier(), f"symmetry.mirror/{part}").verdict


@pytest.mark.parametrize(
    ("part", "says", "changed"),
    [
        ("rules.start", "the start is not its own image", {"start": "2"}),
        ("go", "is not legal in the image", {"ways": "to != 5"}),
        ("go", "`score_of` would differ", {"effect": "score_of[turn] = 1 if to == 2 else 0"}),
        ("go", "`wet` would differ", {"splash": "1"}),
        ("rules.score", "has another score in the image", {"points": "at"}),
        ("claim.low", "`low` is true of this position and false of its image", {"more": "reachable low: at == 1"}),
        ("claim.down", "`down` is true of this step and false of its image", {"more": "step down: at' < at"}),
        ("terminates.left", "the measure is", {"more": "terminates left by at"}),
    ],
)
def test_what_differs_refutes_a_symmetry_with_a_play(part, says, changed):
    found = record(pier(**changed), f"symmetry.mirror/{part}")

    assert Verdict.REFUTED is found.verdict
    assert says in found.reason


def test_players_do_not_change_places_where_one_of_them_begins():
    changed = game(PIER.format(**PLAIN).replace("mirror = behind", "mirror = other"))

    assert Verdict.REFUTED is record(changed, "symmetry.mirror/rules.start").verdict


@pytest.mark.slow
@pytest.mark.parametrize("name", ["noughts_and_crosses", "connect_four", "counters"])
def test_declared_symmetries_of_shipped_games_are_proved(name):
    records = verify(read_game(name), names=[f"{name}.symmetry.*"]).records

    assert {record.verdict for record in records} <= {*PROOFS, Verdict.CONDITIONAL}


def test_symmetries_make_all_orders_together():
    core = read_game("counters")
    each = [Places.of(core, symmetry) for symmetry in core.symmetries]

    assert 120 == len(group(each))
    assert 2 == len(group(each[:1]))
    assert 1 == len(group([]))


def test_too_many_images_are_refused():
    size = 7
    swap = Places((("T", (1, 0, *range(2, size))),))
    turn = Places((("T", (*range(1, size), 0)),))

    with pytest.raises(TooManyImages, match="more than 1,000 images"):
        group([swap, turn])
