"""Whether a piece lies in a zone can be asked of the state before and after a step: the places that are read are those of then."""

import pytest

from pilgrim_rules.evidence.record import Verdict
from tests.support.proved_texts import game, record

CARDS = """\
    game cards
        players 2..2 named ann, ben

    enum Card: x, y

    zones of c in Card
        deck
        pile

    stages
        playing by turn
        over nobody

    state
        turn : Player = ann
        was  : bool = false

    def low(c: Card) -> bool = c in deck

    action away(c: Card)
        during playing
        require c in deck
        do
            move c from deck to pile
            was = old (c in deck)

    action leave
        during playing
        do stage = over

    {claim}
    """


@pytest.mark.parametrize(
    ("claim", "name"),
    [
        ("conserved kept = 1 if x in deck else 0", "step.kept/away"),
        ("conserved kept = count of c in deck where c == x", "step.kept/away"),
        ("step kept: all c in Card: low'(c) == low(c)", "step.kept/away"),
        ("contract kept of away\n        ensures low'(c)", "contract.kept.ensures_1/away"),
    ],
)
def test_a_card_that_leaves_its_zone_is_not_there_afterwards(claim, name):
    assert Verdict.REFUTED is record(game(CARDS.format(claim=claim)), name).verdict


@pytest.mark.parametrize(
    ("claim", "name"),
    [
        ("step gone: all c in Card: low'(c) implies low(c)", "step.gone/away"),
        ("contract gone of away\n        ensures low(c) and not low'(c) and was'", "contract.gone.ensures_1/away"),
        ("example gone\n        when away(x)\n        expect was and y in deck", "example.gone"),
    ],
)
def test_a_card_that_leaves_its_zone_was_there_before(claim, name):
    assert Verdict.PROVED is record(game(CARDS.format(claim=claim)), name).verdict


HANDS = """\
    game hands
        players 2..2 named ann, ben

    enum Card: x, y, z

    zones of c in Card
        deck hidden
        hand[Player] private
        table

    stages
        dealing chance
        playing by turn
        over nobody

    state
        turn : Player = ann

    chance begin
        during dealing
        do draw 1 from deck to hand[ben] then playing

    action take(c: Card)
        during playing
        require c in hand[{whose}]
            else "there is no such card"
        do
            move c from hand[{whose}] to table
            stage = over
    """


@pytest.mark.parametrize(("whose", "verdict"), [("next(turn)", Verdict.REFUTED), ("turn", Verdict.PROVED)])
def test_what_lies_in_the_hand_of_another_is_not_seen(whose, verdict):
    assert verdict is record(game(HANDS.format(whose=whose)), "sight/take").verdict
