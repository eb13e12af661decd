"""The rules under another option of a ruling, read together with others: what depends on it is what it is in that reading."""

from dataclasses import replace

import pytest

from pilgrim_rules.core.rule_walk import action_expressions
from pilgrim_rules.core.walk import subexpressions
from pilgrim_rules.language import instances, other_rules, passes
from pilgrim_rules.language.load import load_rules
from pilgrim_rules.language.other_rules import rules_under
from pilgrim_rules.sphinx_ext.blocks import ruling_diff as blocks
from pilgrim_rules.sphinx_ext.blocks.ruling_diff import ruling_diff
from pilgrim_rules.sphinx_ext.model.connections import looked_up

passes_alone = passes.rules_alone

GAME = """\
game fork
    players 2..2

ruling pace
    option slow "slow" default
    option fast "fast"
ruling size
    option small "small" default
    option large "large"
    option huge  "huge"
ruling deal
    option one default
    option two

param most : 1..9 = 3 if size == small else 5 if size == large else 9
param hand : 1..9 = 1 if deal == one else 2
param reach : 1..9 = 1 if pace == slow else 4

stages
    playing by turn

state
    turn : Player
    a[1..9] : 0..9
    b : 0..9

action go(n: 1..most)
    require size != huge or a[n] == 0 else "it is too far"
    do a[n] = most

action take
    require b + hand <= 9 else "there is no room"
    do b += hand if deal == one else 1

action run
    require reach > 1 or pace == fast else "it is too slow"
    do turn = next(turn)

invariant few: b <= 9
example begin
    when take
    expect b == 1
"""


@pytest.fixture
def fork(tmp_path):
    path = tmp_path / "fork.rules"
    path.write_text(GAME)
    return load_rules(path).game


def test_what_depends_on_the_ruling_is_that_of_the_reading(fork):
    for ruling in fork.rulings:
        for option, _ in ruling.options[1:]:
            alone, whole = (
                rules_under(fork, ruling.name, option),
                instances.with_rulings(fork, ((ruling.name, option),)),
            )
            for action in (each for each in whole.actions if ruling.name in looked_up(fork, each, fork.rulings)):
                (same,) = (each for each in alone.actions if each.name == action.name)
                assert list(action_expressions(action)) == list(action_expressions(same))
                tables = {
                    part.table
                    for each in action_expressions(action)
                    for part in subexpressions(each)
                    if hasattr(part, "table")
                }
                values = [
                    {each.name: each.values for each in game.constants if each.name in tables}
                    for game in (alone, whole)
                ]
                assert values[0] == values[1]


def test_rulings_that_do_not_meet_are_read_together_and_claims_are_not_read(fork, monkeypatch):
    read = []
    monkeypatch.setattr(other_rules.passes, "rules_alone", lambda origin: read.append(origin) or passes_alone(origin))
    found = [
        rules_under(fork, *choice)
        for choice in (("pace", "fast"), ("size", "large"), ("deal", "two"), ("size", "huge"))
    ]

    assert 2 == len(read)
    assert found[0] is found[1] is found[2]
    assert all(not each.claims and not each.examples for each in found)


def test_a_pack_that_cannot_be_read_is_read_one_by_one(fork, monkeypatch):
    def refuse(origin):
        return passes_alone(replace(origin, rulings=(("nosuch", "x"),)) if len(origin.rulings) > 1 else origin)

    other_rules._rules.cache_clear()
    monkeypatch.setattr(other_rules.checked_cache, "read_cached", lambda *_: None)
    monkeypatch.setattr(other_rules.passes, "rules_alone", refuse)

    assert (1,) == next(each.values for each in rules_under(fork, "pace", "fast").constants if each.name == "pace")


def test_the_difference_is_told_as_by_whole_readings(fork, monkeypatch):
    def told():
        return {
            (action.name, ruling.name, option): ruling_diff(fork, action, ruling, option)
            for action in fork.actions
            for ruling in fork.rulings
            if ruling.name in looked_up(fork, action, fork.rulings)
            for option, _ in ruling.options[1:]
        }

    found = told()
    monkeypatch.setattr(blocks, "rules_under", lambda game, *choice: instances.with_rulings(game, (choice,)))

    assert 4 == len(found)
    assert told() == found
    assert any(each.come for each in found.values())
