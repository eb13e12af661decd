"""What only some readings have: actions, claims, and the lines of examples that are about them."""

from dataclasses import replace
from textwrap import dedent

import pytest

from pilgrim_rules.core.ir import Make, Refuse
from pilgrim_rules.core.show_expr import show
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.language import instances
from pilgrim_rules.language.load import check, read_game

RULES = """
    game fork
        players 2..3

    ruling mode
        option one "one" default
        option two "two"

    stages
        playing by turn

    state
        turn : Player
        a    : 0..9

    action go
        require not possible(jump)
        do a = 1

    action jump
        only when mode == two
        require a == 0
        do a = 9

    invariant low when mode == one: a <= 1
    invariant odd using low: a in {0, 1, 9}
    invariant tiny follows from low: a <= 5
    conserved whole when mode == two = turn == turn
"""


@pytest.fixture
def read(tmp_path):
    def made(more="", **choices):
        path = tmp_path / "fork.rules"
        path.write_text(dedent(RULES) + dedent(more), "utf-8")
        return read_game(path, **choices)

    return made


def test_an_action_that_does_not_exist_is_not_possible(read):
    usual, other = read(), read(rulings={"mode": "two"})

    assert ["not false"] == [show(line.test) for line in usual.actions[0].guard]
    assert ["not possible.jump()"] == [show(line.test) for line in other.actions[0].guard]


def test_a_claim_is_made_in_the_readings_it_is_about(read):
    assert ["low", "odd", "tiny"] == [claim.name for claim in read().claims]
    assert ["odd", "tiny", "whole"] == [claim.name for claim in read(rulings={"mode": "two"}).claims]


def test_a_claim_keeps_the_test_of_its_readings(read):
    low, odd, _ = read().claims

    assert "mode == one" == show(low.when)
    assert odd.when is None


def test_a_lemma_of_another_reading_is_not_used(read):
    odd = next(claim for claim in read(rulings={"mode": "two"}).claims if claim.name == "odd")

    assert () == odd.using


def test_what_would_follow_from_a_claim_of_another_reading_is_claimed_by_itself(read):
    here, there = (
        next(each for each in read(rulings=options).claims if each.name == "tiny") for options in ({}, {"mode": "two"})
    )

    assert (("low",), True) == (here.using, here.follows)
    assert ((), False) == (there.using, there.follows)


def test_a_claim_cannot_depend_on_the_state(read):
    with pytest.raises(RulesError, match="PR311: `a` changes in play"):
        read("invariant late when a == 1: a <= 1\n")


LINES = """
    example both
        when go
        expect a == 1
        refuse go under mode = two
        when jump under mode = two
        expect a == 9 under mode = two

    example second under mode = two
        when jump
        expect a == 9
"""


def test_a_line_of_another_reading_is_lowered_there(read):
    usual, other = (read(LINES, rulings=each).examples for each in ({}, {"mode": "two"}))

    assert ["go", "go"] == [step.action for step in usual[0].steps if isinstance(step, Make | Refuse)]
    assert ["go", "go", "jump"] == [step.action for step in other[0].steps if isinstance(step, Make | Refuse)]


def test_what_a_reading_cannot_say_is_kept_in_words(read):
    two = (("mode", "two"),)

    assert (("when jump under mode = two", two),) == read(LINES).examples[0].elsewhere
    assert (("when jump", two),) == read(LINES).examples[1].elsewhere
    assert () == read(LINES, rulings={"mode": "two"}).examples[0].elsewhere


def test_a_mistake_in_an_action_of_another_reading_is_found(read, tmp_path):
    read("action hop\n    only when mode == two\n    do b = 1\n")

    assert ["PR201"] == [found.code.id for found in check(tmp_path / "fork.rules")]


def test_a_move_that_its_own_reading_does_not_have_is_found(read, tmp_path):
    read(
        """
        ruling pace
            option slow "slow" default
            option fast "fast"

        action run
            only when pace == slow
            do a = 2

        example late
            given players == 3
            when run
            expect a == 2
            expect a == 2 under pace = fast
        """
    )

    assert ["PR511"] == [found.code.id for found in check(tmp_path / "fork.rules")]


CELLS = """
    param memory : 0..3 = 3 if mode == two and players > 2 else 1 if mode == two else 0

    state
        kept[Player] : 0..memory
"""


def test_a_parameter_that_rulings_decide_bounds_a_range(read):
    """What only another option needs has room for nothing else under the others, and the ruling is pinned."""

    def room(**choices):
        game = read(CELLS, **choices)
        assert ["mode"] == [pin.name for pin in game.pinned]
        return next(variable.type.hi for variable in game.variables if variable.name == "kept")

    assert 0 == room()
    assert 1 == room(rulings={"mode": "two"})
    assert 3 == room(rulings={"mode": "two"}, players=3)


def test_a_parameter_that_needs_more_bounds_no_range(read):
    with pytest.raises(RulesError) as caught:
        read("param many : 0..4 = 2 * players\n\nstate\n    kept : 0..many\n")

    assert ["PR311"] == [each.code.id for each in caught.value.diagnostics]


def test_a_ruling_that_nothing_was_computed_from_is_another_value_only(read, monkeypatch):
    more = """
        ruling end
            option early "early" default
            option late  "late"

        invariant ends: end == early or a <= 9

        example later under end = late
            when go
            expect possible(go)
    """
    game = read(more)
    read_again = instances.read(replace(game.origin, rulings=(("end", "late"),))).game
    monkeypatch.setattr(instances, "read", None)  # nobody reads

    quickly = instances.with_default_rulings(game, [("end", "late")])

    assert ("mode",) == game.looked_at
    assert read_again == quickly
    assert read_again.origin == quickly.origin


@pytest.mark.parametrize("name", ["gleaners", "kalah", "nim", "watermill"])
def test_other_values_are_what_the_rules_say_when_they_are_read_again(name):
    game = read_game(name)
    for ruling in game.decisions:
        for option, _ in ruling.options:
            if ruling.name not in game.looked_at and option != ruling.default:
                chosen = ((ruling.name, option),)
                assert instances.read(replace(game.origin, rulings=chosen)).game == instances.with_default_rulings(
                    game, chosen
                )
