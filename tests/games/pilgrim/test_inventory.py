"""What the rulebook says, what the rules cite, and the rulings between them."""

import pytest

from pilgrim_rules.clauses.coverage import coverage
from pilgrim_rules.clauses.trace import check_waivers
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.loading import load_rules, read_game


@pytest.fixture(scope="module")
def loaded():
    return load_rules("pilgrim", players=4)


@pytest.fixture(scope="module")
def found(loaded):
    return coverage(loaded.game, loaded.inventory, *(read_game("pilgrim", players=each) for each in (2, 3)))


def test_every_clause_is_traced_or_waived(found):
    assert () == found.whole.open
    assert 474 == found.whole.total
    assert [] == [each for part in found.lists for each in part.open]


def test_only_handling_and_the_solo_game_are_waived(found):
    assert {"CMP-21", "CMP-23", "CMP-24", "DUM-1", "SET-46", "BLD-24"} == {clause for clause, _ in found.whole.waived}


def test_no_waiver_is_needless(loaded):
    bag = Bag()
    check_waivers(loaded.game, loaded.inventory, bag)

    assert [] == list(bag)


def test_every_gap_is_one_ruling_with_as_many_options(loaded):
    by_gap = {}
    for ruling in loaded.game.rulings:
        for clause in ruling.note.clauses:
            if clause.startswith("GAP-"):
                assert clause not in by_gap
                by_gap[clause] = ruling

    assert {gap.id for gap in loaded.inventory.gaps} == set(by_gap)
    assert [] == [gap.id for gap in loaded.inventory.gaps if len(by_gap[gap.id].options) < len(gap.options)]


def test_every_ruling_says_what_is_at_stake(loaded):
    assert [] == [each.name for each in loaded.game.rulings if not each.note.doc]
    assert [] == [(each.name, name) for each in loaded.game.rulings for name, words in each.options if not words]


def test_the_german_edition_is_a_preset(loaded):
    german = next(each for each in loaded.game.presets if each.name == "german")
    changing = {
        each.id for each in loaded.inventory.differences if each.severity == "changes-play" and "SOLO" not in each.id
    }
    cited = {clause for each in loaded.game.rulings for clause in each.note.clauses} | set(german.note.clauses)

    assert {"DE-ALMS-4TH", "DE-GAMEEND-MARKER"} == changing - cited  # slips: the German book too counts 26 rounds
    assert dict(german.choices)["customs_reach"] == "one_tile"
