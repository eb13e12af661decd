"""Counts of several kinds: what they add up to is said, where cases alone would take too long."""

from __future__ import annotations

from tests.support.proved_texts import game
from verifier.claims.obligations import obligations
from verifier.prove.settings import ProofSettings
from verifier.prove.settle import Settler
from verifier.smt.encode.query import Query
from verifier.smt.strategy.refine import Failed, Proved

PILES = """\
    game piles "Three piles"
        players 2..2 named ann, bob

    enum Pile: hand, shown, thrown

    stages
        showing by active
        throwing by active

    state
        active : Player = ann
        round  : 1..5 = 1
        pile[Player, 1..{cards}] : Pile = hand
        shown_cards[Player] : 0..9 = 0
        thrown_cards[Player] : 0..9 = 0

    action show(c: 1..{cards}) during showing
        require round <= 4
        require pile[active, c] == hand
        do
            pile[active, c] = shown
            shown_cards[active] += 1
            stage = throwing

    action throw(c: 1..{cards}) during throwing
        require pile[active, c] == hand
        do
            pile[active, c] = thrown
            thrown_cards[active] += 1
            if active == bob: round += 1
            active = next(active)
            stage = showing

    invariant shown_count: all p in Player: shown_cards[p] == (count of c in 1..{cards} where pile[p, c] == shown)
    invariant thrown_count: all p in Player: thrown_cards[p] == (count of c in 1..{cards} where pile[p, c] == thrown)
    def ahead(p: Player) -> bool = p == ann and active == bob
    invariant in_step
        all p in Player: (shown_cards[p] == round - 1 + (1 if ahead(p) or p == active and stage == throwing else 0)
            and thrown_cards[p] == round - 1 + (1 if ahead(p) else 0))
    invariant a_card_is_left using shown_count, thrown_count, in_step
        stage == throwing implies some c in 1..{cards}: pile[active, c] == hand
    """


def settled(cards: int):
    played = game(PILES.replace("{cards}", str(cards)))
    settler = Settler(played, ProofSettings(12_000_000, confirm=False))
    (asked,) = [each for each in obligations(played) if each.name == "piles.invariant.a_card_is_left/show"]
    return settler.ladder.settle(asked)


def test_what_is_in_two_piles_is_not_in_the_third():
    found = settled(cards=8)

    assert isinstance(found.outcome, Proved)


def test_a_card_too_many_is_found():
    found = settled(cards=7)

    assert isinstance(found.outcome, Failed)


def test_a_counted_number_has_one_of_its_values():
    query = Query(partition=True)
    arena = query.arena
    place, other = (arena.const(name, "Int", 0, 2) for name in ("place", "other"))
    query.add(
        arena.eq(arena.add(*(arena.as_int(arena.eq(each, arena.num(1))) for each in (place, other))), arena.num(1))
    )

    said = [term for label, term in query.assertions if label is None][1:]

    assert {place, other} == {*query.counted}
    assert [3, 3] == [len(term.args[0].args) for term in said]
