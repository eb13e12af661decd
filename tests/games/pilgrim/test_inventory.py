"""What the rulebook says, what the rules cite, and the rulings between them."""

from collections import Counter

import pytest

from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.inputs.clauses.citations import check_waivers
from pilgrim_rules.inputs.clauses.clause_coverage import coverage
from pilgrim_rules.language.load import load_rules, read_game


@pytest.fixture(scope="module")
def loaded():
    return load_rules("pilgrim", players=4)


@pytest.fixture(scope="module")
def found(loaded):
    return coverage(loaded.game, loaded.inventory, *(read_game("pilgrim", players=each) for each in (1, 2, 3)))


def test_every_clause_is_traced_or_waived(found):
    assert () == found.whole.open
    assert 474 + 207 == found.whole.total
    assert [] == [each for part in found.lists for each in part.open]


def test_only_handling_and_what_is_said_elsewhere_is_waived(found):
    handling = {"CMP-21", "CMP-23", "CMP-24", "DUM-1", "SET-1", "SET-6", "SET-46", "BLD-24", "ROV-9", "FAV-3"}
    heralds = {"DUM-9", "DUM-10", "DUM-11"}
    how_to_read = {"SOL-SET-2", "SOL-GAM-3", "SOL-END-12", "SOL-CMP-14"}
    waived = {clause for clause, _ in found.whole.waived if not clause.startswith("SOL-STD-")}

    assert handling | heralds | how_to_read == waived


def test_no_waiver_is_needless(loaded):
    bag = Bag()
    check_waivers(loaded.game, loaded.inventory, bag)

    assert [] == list(bag)


def test_every_gap_is_one_ruling_or_option_with_as_many_choices(loaded):
    by_gap = {}
    for ruling in loaded.game.decisions:
        for clause in ruling.note.clauses:
            if clause.startswith("GAP-"):
                assert clause not in by_gap
                by_gap[clause] = ruling

    gaps = [gap for gap in loaded.inventory.gaps if not gap.id.startswith("SOL-")]
    assert {gap.id for gap in gaps} == set(by_gap)
    assert [] == [
        gap.id for gap in gaps if len(by_gap[gap.id].options) + len(by_gap[gap.id].refused) < len(gap.options)
    ]


def test_every_solo_gap_is_a_ruling_or_nothing_in_play_depends_on_it(loaded):
    solo = {gap.id for gap in loaded.inventory.gaps if gap.id.startswith("SOL-")}
    ruled = {clause for each in loaded.game.decisions for clause in each.note.clauses} & solo
    idle = {"ALL-TRAILS", "HERALDS", "LAST-COUNTERS", "LEAPFROG-L3", "PORTS", "TURN-WHEN"}

    assert (110, 104) == (len(solo), len(ruled))
    assert {f"SOL-GAP-{each}" for each in idle} == solo - ruled
    assert solo - ruled <= loaded.inventory.waived().keys()


def test_clauses_that_are_only_named_say_what_a_word_means(found):
    assert ("SET-48", "SET-50", "SET-54") == found.whole.named
    assert found.is_complete


def test_every_ruling_says_what_is_at_stake(loaded):
    assert [] == [each.name for each in loaded.game.decisions if not each.note.doc]
    assert [] == [(each.name, name) for each in loaded.game.decisions for name, words in each.options if not words]


def test_the_german_edition_is_a_preset(loaded):
    german = next(each for each in loaded.game.presets if each.name == "german")
    changing = {
        each.id for each in loaded.inventory.differences if each.severity == "changes-play" and "SOLO" not in each.id
    }
    cited = {clause for each in loaded.game.rulings for clause in each.note.clauses} | set(german.note.clauses)

    assert {"DE-ALMS-4TH", "DE-GAMEEND-MARKER"} == changing - cited  # slips: the German book too counts 26 rounds
    assert dict(german.choices)["customs_reach"] == "one_tile"


def test_of_each_difference_it_is_said_what_the_german_preset_makes_of_it(loaded):
    told = Counter(each.preset for each in loaded.inventory.differences)

    assert {"same": 50, "no rule": 13, "silent": 10, "contradictory": 9, "taken": 5} == told


def test_the_german_preset_takes_the_differences_that_are_said_to_be_taken(loaded):
    taken = {each.id for each in loaded.inventory.differences if each.preset == "taken"}
    german = dict(next(each for each in loaded.game.presets if each.name == "german").choices)
    switched = [each for each in loaded.game.rulings if german.get(each.name, each.default) != each.default]

    assert 5 == len(switched)
    assert taken == {clause for each in switched for clause in each.note.clauses if clause.startswith("DE-")}


def test_a_german_sentence_is_left_aside_only_with_the_one_that_contradicts_it(loaded):
    left = [each for each in loaded.inventory.differences if each.preset == "contradictory"]

    assert [] == [each.id for each in left if not each.because]


def test_only_a_difference_in_words_is_waived(loaded):
    """What has no rule of play is never cited by one; what is waived is played alike by both."""
    waived = loaded.inventory.waived()
    told = {each.id: each.preset for each in loaded.inventory.differences}

    assert {each for each, preset in told.items() if preset == "no rule"} <= waived.keys()
    assert "taken" not in {told[each] for each in waived if each in told}
