"""What is legal depends on nothing that the player to decide does not see: proved, or shown by two positions."""

from __future__ import annotations

import pytest

from pilgrim_rules.evidence.record import Verdict
from tests.support.proved_texts import game, record
from verifier.claims.obligations import obligations
from verifier.prove.settings import ProofSettings
from verifier.prove.settle import Settler

CARDS = """\
    game cards "Cards"
        players 2..2 named ann, bob

    type Card = 1..4

    stages
        dealing chance
        playing by turn
        over nobody

    state
        hand[Player, Card] : bool private {until}= false
        deck[Card]         : bool hidden = true
        table_card         : Card? = none
        turn               : Player = ann

    chance deal(c: Card)
        require deck[c]
        do
            deck[c] = false
            hand[turn, c] = true
            turn = next(turn)
            if (count of d in Card where deck[d]) == 0: stage = playing

    action lay(c: Card)
        require {line}
        do
            hand[turn, c] = false
            table_card = c
            stage = over
    """


def cards(line: str, until: str = ""):
    return game(CARDS.format(line=line, until=until))


@pytest.mark.parametrize(
    "line",
    [
        "hand[turn, c]",
        "hand[turn, c] or table_card == c",
        "hand[next(turn), c] == hand[next(turn), c] and hand[turn, c]",
    ],
)
def test_one_s_own_cards_may_decide(line: str):
    assert Verdict.PROVED is record(cards(line), "sight/lay").verdict


@pytest.mark.parametrize(
    "line",
    ["hand[next(turn), c]", "hand[turn, c] and not deck[c]", "some p in Player: hand[p, c]"],
)
def test_what_others_hold_or_nobody_sees_may_not_decide(line: str):
    found = record(cards(line), "sight/lay")

    assert Verdict.NOT_INDUCTIVE is found.verdict
    assert found.picture is not None
    assert "legal in one of two positions that look the same" in found.reason


def test_what_is_open_by_now_may_decide():
    assert Verdict.PROVED is record(cards("hand[next(turn), c]", until="until playing "), "sight/lay").verdict


def test_an_invariant_can_make_what_is_unseen_known():
    """Nobody sees the deck, but once all is dealt everybody knows that it is empty."""
    claimed = CARDS + "\n    invariant all_dealt: stage != dealing implies none of c in Card: deck[c]\n"
    line = "hand[turn, c] and not deck[c]"

    assert Verdict.PROVED is record(game(claimed.format(line=line, until="")), "sight/lay").verdict


def test_only_what_a_player_decides_is_asked_about():
    """Chance sees everything."""
    names = [each.name for each in obligations(cards("hand[turn, c]")) if each.kind == "sight"]

    assert ["cards.sight/lay"] == names


def test_the_two_positions_look_alike_to_the_player_and_differ():
    played = cards("hand[next(turn), c]")
    settler = Settler(played, ProofSettings(2_000_000, confirm=False))
    (asked,) = (each for each in obligations(played) if each.kind == "sight")
    picture = settler.settle(asked).record.picture

    assert picture is not None
    assert picture.after is not None
    player = picture.before["turn"][0]
    own = slice(4 * player, 4 * player + 4)
    assert picture.before["hand"][own] == picture.after["hand"][own]
    assert picture.before["hand"] != picture.after["hand"]
