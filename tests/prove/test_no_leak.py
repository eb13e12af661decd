"""Nobody learns from a move what the rules do not give away: proved, or shown by two plays that look the same."""

from __future__ import annotations

import pytest

from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.evidence.record import Verdict
from tests.support.proved_texts import game, record
from tests.support.zoo import text_of

LEAK = """\
    game leak "A nod"
        players 2..2 named ann, ben

    stages
        dealing chance
        choosing by {by}
        over nobody

    state
        hand[p in Player] : 1..3 {sight} = 1
        turn         : Player = ann
        told         : bool = false
        shown        : bool = false
        dealt        : 0..2 = 0

    {defs}

    chance deal(n: 1..3 seen by ann if dealt == 0 else ben)
        do
            hand[ann if dealt == 0 else ben] = n
            dealt += 1
            if dealt == 2: stage = choosing

    action nod{params}
        {lines}
        do
            {effect}
            if turn == ben: stage = over
            turn = next(turn)

    invariant nobody_before: stage == dealing implies turn == ann and not shown
    """


def leak(effect, sight="private", lines="require dealt == 2", params="", by="turn", defs="def zero() -> 0..0 = 0"):
    return game(LEAK.format(effect=effect, sight=sight, lines=lines, params=params, by=by, defs=defs))


@pytest.mark.parametrize(
    "effect",
    [
        "told = hand[ann] > hand[ben]",
        "told = hand[turn] == 3",
        "if hand[turn] == 3: told = true",
        "for p in turn from ann where hand[p] > 2: told = true",
        "hand[ben] = hand[ann]",
    ],
)
def test_what_is_unseen_may_not_be_written_where_it_is_seen(effect):
    found = record(leak(effect), "no_leak/nod")

    assert Verdict.REFUTED is found.verdict
    assert "can tell two worlds apart by" in found.reason
    assert "the other world: deal(" in found.reason
    assert "nod" == found.play[-1]


@pytest.mark.parametrize(
    "effect",
    [
        "told = not told",
        "hand[turn] = min(3, hand[turn] + 1)",
        "told = hand[ann] == hand[ann]",
        "told = (hand[ann] > hand[ben]) and false",
    ],
)
def test_what_stays_unseen_leaks_nothing(effect):
    assert Verdict.PROVED is record(leak(effect), "no_leak/nod").verdict


def test_what_is_revealed_may_be_written():
    assert (
        Verdict.PROVED is record(leak("told = hand[turn] == 3", lines="reveal hand[turn] == 3"), "no_leak/nod").verdict
    )


def test_what_is_revealed_to_one_is_no_news_for_another():
    found = record(leak("told = hand[turn] == 3", lines="reveal hand[turn] == 3 to next(turn)"), "no_leak/nod")

    assert Verdict.PROVED is found.verdict  # of two players one has the card, the other hears of it
    there = record(leak("told = hand[turn] == 3", lines="reveal hand[turn] == 3 to turn"), "no_leak/nod")
    assert Verdict.REFUTED is there.verdict


def test_a_public_definition_is_given_away():
    defs = "public def high() -> bool = hand[ann] > hand[ben]"

    assert Verdict.PROVED is record(leak("told = high()", defs=defs), "no_leak/nod").verdict
    assert Verdict.REFUTED is record(leak("told = hand[ann] == 3", defs=defs), "no_leak/nod").verdict


def test_who_is_to_move_may_not_depend_on_what_is_unseen():
    found = record(leak("shown = shown", by="ann if hand[ben] == 3 else ben"), "no_leak/deal")

    assert Verdict.REFUTED is found.verdict
    assert "who decides" in found.reason


def test_a_secret_argument_is_not_told():
    open_ = leak("told = n > 1", params="(n: 1..3)")
    secret = leak("told = n > 1", params="(n: 1..3 secret)")
    kept = leak("hand[turn] = n", params="(n: 1..3 secret)")

    assert Verdict.PROVED is record(open_, "no_leak/nod").verdict
    assert Verdict.REFUTED is record(secret, "no_leak/nod").verdict
    assert Verdict.PROVED is record(kept, "no_leak/nod").verdict


@pytest.mark.parametrize(
    ("verdict", "sight"),
    [
        (Verdict.PROVED, "seen by v where v == p or shown"),
        (Verdict.PROVED, "private until shown"),
        (Verdict.REFUTED, "private"),
    ],
)
def test_what_an_action_opens_is_given_away(verdict, sight):
    effect = "shown = true\n            told = hand[turn] == 3"

    assert verdict is record(leak(effect, sight=sight), "no_leak/nod").verdict


def test_everybody_but_the_owner_may_see_a_card():
    """As in Hanabi: what the owner does not see may not be told to the owner by a cell that the owner sees."""
    sight = "seen by v where v != p"

    assert Verdict.REFUTED is record(leak("told = hand[turn] == 3", sight=sight), "no_leak/nod").verdict
    hint = leak("told = hand[turn] == 3", sight=sight, lines="reveal hand[turn] == 3")
    assert Verdict.PROVED is record(hint, "no_leak/nod").verdict


def test_whether_a_cell_is_seen_may_not_depend_on_what_is_unseen():
    """Opening exactly the hands that hold a 3 tells of the hands that stay closed."""
    found = record(leak("shown = true", sight="seen by v where v == p or shown and hand[p] == 3"), "no_leak/nod")

    assert Verdict.REFUTED is found.verdict
    assert "whether `hand[" in found.reason


def test_what_happens_by_itself_may_not_depend_on_what_somebody_does_not_see():
    text = """\
        game settle
            players 2..2 named ann, ben

        stages
            dealing chance
            settling auto
            over nobody

        state
            hand[Player] : 1..3 private = 1

        chance deal(n: 1..3 secret)
            do
                hand[ben] = n
                stage = settling

        auto high
            require hand[ben] > 1
            {line}
            do stage = over

        auto low
            require hand[ben] <= 1
            {line}
            do stage = over
        """

    assert Verdict.REFUTED is record(game(text.format(line="require true")), "sight/high").verdict
    assert Verdict.PROVED is record(game(text.format(line="reveal hand[ben] > 1")), "sight/high").verdict


def test_the_reason_of_a_refusal_may_not_tell_what_is_unseen():
    lines = 'require hand[next(turn)] == 1 or not told\n            else "not now"\n        require told\n            else "not told"'
    found = record(leak("shown = shown", lines=lines), "sight/nod")

    assert Verdict.PROVED is not found.verdict


def test_chance_that_nobody_sees_may_not_show_in_a_hand():
    """Whoever gets the card sees it, so the argument is not everybody's secret."""
    dealt = game(
        LEAK.format(
            effect="told = told",
            sight="private",
            lines="require dealt == 2",
            params="",
            by="turn",
            defs="def zero() -> 0..0 = 0",
        ).replace(" seen by ann if dealt == 0 else ben", " secret")
    )

    found = record(dealt, "no_leak/deal")
    assert Verdict.REFUTED is found.verdict
    assert "`hand[ann]`" in found.reason


@pytest.mark.parametrize(
    ("action", "line"),
    [
        ("play_king", "    reveal mine to v where v == rival() and not safe[rival()]\n"),
        ("play_prince", "    reveal gone\n"),
        ("play_guardsman", "    reveal not safe[rival()] and guess in hand[rival()]\n"),
    ],
)
def test_love_letter_gives_away_nothing_that_it_does_not_name(action, line):
    text = text_of("love_letter")

    assert Verdict.PROVED is record(game(text), f"no_leak/{action}").verdict
    assert line in text
    assert record(game(text.replace(line, "")), f"no_leak/{action}").verdict in (Verdict.REFUTED, Verdict.NOT_INDUCTIVE)


HANDS = """\
    game hands
        players 2..2 named ann, ben

    enum Card: low, middle, high

    zones of Card
        deck hidden
        hand[Player] private{until}
        table{ordered}

    stages
        dealing auto
        playing by turn
        over nobody

    state
        turn : Player = ann

    auto deal during dealing
        do draw 1 from deck to hand[ann] then playing

    action stop
        during playing
        do stage = over

    action discard(c: Card{secret})
        during playing
        require c in hand[turn]
        do
            move c from hand[turn] to table
            stage = over
    """


def test_a_hand_that_is_opened_in_the_end_tells_what_lies_in_it():
    opened = game(HANDS.format(until=" until over", secret="", ordered=""))

    assert Verdict.PROVED is record(opened, "no_leak/stop").verdict
    assert Verdict.PROVED is record(opened, "no_leak/discard").verdict


@pytest.mark.parametrize("until", ["", " until over"])
@pytest.mark.parametrize("ordered", ["", " ordered", "\n        lane ordered"])
def test_a_secret_card_that_is_put_on_the_table_is_no_secret(until, ordered):
    """Where some zone is ordered, a card that changes its zone may keep its position, 0: it is not left where it was."""
    found = record(game(HANDS.format(until=until, secret=" secret", ordered=ordered)), "no_leak/discard")

    assert Verdict.REFUTED is found.verdict
    assert "whether `place.Card[" in found.reason


def test_what_is_proved_of_secrets_is_stale_once_something_else_is_public():
    def told(defs):
        return leak("told = hand[turn] == 3", defs=defs)

    before, after, unseen = (told(f"{word}def big(p: Player) -> bool = hand[p] == {card}")
                             for word, card in (("public ", 3), ("public ", 2), ("", 3)))  # fmt: skip
    found = record(before, "no_leak/nod")

    assert Verdict.PROVED is found.verdict
    assert found.is_fresh(Fingerprints(before).named())
    for other in (after, unseen):
        assert not found.is_fresh(Fingerprints(other).named())
        assert Verdict.REFUTED is record(other, "no_leak/nod").verdict
