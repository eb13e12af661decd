"""What the constants of a game decide is worked out before a solver is asked; and one rule may ask whether another is possible."""

import pytest

from pilgrim_rules.language.load import read_game
from verifier.claims.formulas import FALSE, TRUE, at_most_one, something_possible
from verifier.prove.run import verify

RULES = """game lamp "Lamp"
    players 1..1 named ann

ruling wick
    ## Does it smoke?
    option clean "no" default
    option smoky "yes"

stages
    burning auto
    over nobody

state
    oil  : 0..9 = 5
    soot : 0..9 = 0

auto burn during burning
    require (sum of oil - n for n in 1..3 where n <= oil) > 0
        else "there is too little"
    do
        oil -= 1
        if wick == smoky and oil > 2: soot += 5

auto go_out during burning
    require not possible(burn)
        else "it burns"
    do stage = over

score of p
    line "Oil" oil

rank p by score desc

invariant clean_glass when wick == clean: soot == 0
"""


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "lamp.rules"
    file.write_text(RULES)
    return file


def test_a_rule_that_asks_for_another_is_answered_where_one_of_the_two_counts(path):
    game = read_game(path)
    here = game.stages[0]
    assert TRUE in something_possible(game, here).args[1].args
    assert FALSE == at_most_one(game, here).args[1].args[0]


def test_what_another_reading_alone_does_needs_no_argument(path):
    found = {each.name: each for each in verify(read_game(path), cache=False, confirm=False, jobs=1).records}
    assert {"proved"} == {found[f"lamp.{name}"].verdict.value for name in ("no_dead_end/burning", "one_auto/burning")}
    assert "proved" == found["lamp.invariant.clean_glass/burn"].verdict.value
