"""The list of obligations: complete, stable and readable."""

from __future__ import annotations

from tests.support.road_game import roads
from tests.support.searchable_games import bank
from verifier.claims.obligations import obligations


def names(game):
    return [each.name for each in obligations(game)]


def test_every_obligation_of_the_bank_is_listed_by_name():
    assert names(bank()) == [
        "bank.range/take",
        "bank.can_happen/take",
        "bank.range/pay",
        "bank.can_happen/pay",
        "bank.range/give",
        "bank.can_happen/give",
        "bank.range/pass",
        "bank.can_happen/pass",
        "bank.can_refuse/take.0",
        "bank.can_refuse/pay.0",
        "bank.can_refuse/give.0",
        "bank.can_refuse/give.1",
        "bank.one_side/playing",
        "bank.no_dead_end/playing",
        "bank.falsifiable/all_tokens",
        "bank.conserved.all_tokens/initially",
        "bank.conserved.all_tokens/take",
        "bank.conserved.all_tokens/pay",
        "bank.conserved.all_tokens/give",
    ]


def test_an_action_that_writes_nothing_a_claim_reads_is_left_out():
    listed = names(roads(radius=1, tiles=3))

    assert "roads.invariant.shrine_or_road/build" in listed
    assert "roads.invariant.shrine_or_road/stop" not in listed


def test_every_action_must_bring_the_end_nearer():
    listed = names(roads(radius=1, tiles=3))

    assert {"roads.terminates.ends/lay", "roads.terminates.ends/build", "roads.terminates.ends/stop"} <= set(listed)


def test_a_stage_in_which_nobody_decides_owes_nothing():
    assert not [name for name in names(roads(radius=1, tiles=3)) if name.endswith("/over")]


def test_names_are_unique_and_sentences_end():
    listed = obligations(roads(radius=1, tiles=3))

    assert len({each.name for each in listed}) == len(listed)
    assert all(each.sentence.endswith(".") for each in listed)
