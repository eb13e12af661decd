"""What a contract says stays as it is, where pieces move between zones and chance draws."""

import pytest

from pilgrim_rules.evidence.record import Verdict
from tests.support.proved_texts import game, record

CARDS = """\
    game cards
        players 2..2 named ann, ben

    enum Card: x, y, z

    zones of c in Card
        deck ordered
        hand[Player] ordered
        pile ordered

    stages
        playing by turn
        over nobody

    state
        turn : Player = ann

    action lay(c: Card)
        during playing
        require c in deck
        do move c from deck to pile

    action take
        during playing
        require count(deck) > 0
        do draw 1 from deck to hand[turn]

    action leave
        during playing
        do stage = over

    contract told of {action}
        changes only {frame}
    """


@pytest.mark.parametrize(
    ("action", "frame", "verdict"),
    [
        ("lay", "deck, pile", Verdict.PROVED),
        ("lay", "deck, hand, pile", Verdict.PROVED),
        ("lay", "pile", Verdict.REFUTED),
        ("lay", "deck, hand", Verdict.REFUTED),
        ("take", "stage", Verdict.PROVED),
        ("draw_deck", "stage, deck, hand", Verdict.PROVED),
        ("draw_deck", "stage, deck, pile", Verdict.REFUTED),
    ],
)
def test_pieces_go_only_between_zones_that_are_named(action, frame, verdict):
    assert verdict is record(game(CARDS.format(action=action, frame=frame)), f"contract.told.frame/{action}").verdict
