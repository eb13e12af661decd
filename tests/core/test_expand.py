"""What written lines stand for."""

from dataclasses import replace

import pytest

from pilgrim_rules.core.codec import decode, encode
from pilgrim_rules.core.expand_game import expand_again
from pilgrim_rules.core.ir import Assign, Bound, Define, Given, Lit, Require, RunEffect
from pilgrim_rules.core.rule_walk import assignments
from pilgrim_rules.core.show import show_item
from pilgrim_rules.core.smart_constructors import lit
from pilgrim_rules.core.validate import InternalError, validate
from tests.support.sample_game import PLAYER, SAMPLE, TRADE, at, number

WRITTEN = TRADE.written


def with_trade(**lines):
    """Return the sample with other lines of `trade`, spelled out."""
    trade = replace(SAMPLE.actions[3], written=replace(WRITTEN, **lines))
    return expand_again(replace(SAMPLE, actions=(*SAMPLE.actions[:3], trade)))


def test_a_cost_is_required_and_then_paid():
    trade = SAMPLE.actions[3]

    assert "trade.cost.coin" == trade.guard[-1].key
    assert ["trade.pay.1.from.1", "trade.pay.1.back.1.from", "trade.pay.1.back.1.to", "trade.pay.1.from.2"] == [
        stmt.key for stmt in assignments(trade.body)
    ][:4]


def test_another_amount_of_a_cost_is_required_and_paid():
    cost = WRITTEN.costs[0]
    dearer = with_trade(costs=(replace(cost, options=(replace(cost.options[0], amount=lit(2)),)),)).actions[3]

    assert "cost 2 coin  cites PAY-1" in show_item(dearer, SAMPLE)
    assert "require 2 <= steps + coins[active]" in show_item(dearer, SAMPLE, expanded=True)
    assert "let paid = min(2, steps)" in show_item(dearer, SAMPLE, expanded=True)


def test_a_name_of_an_effect_is_new_each_time_it_runs():
    run = RunEffect("give", (Bound("held", number(0, 1)),), "trade.run.1", span=at(1))
    trade = with_trade(body=(run, run)).actions[3]
    names = [stmt.name for stmt in trade.body if isinstance(stmt, Define) and stmt.name.startswith("who")]

    assert ["who", "who~2"] == names


def test_a_literal_is_put_in_where_an_effect_names_its_parameter():
    trade = with_trade(costs=(), body=(RunEffect("give", (Lit(1, PLAYER),), "trade.run.1", span=at(1)),)).actions[3]

    assert [(Lit(1, PLAYER),)] == [stmt.index for stmt in trade.body if isinstance(stmt, Assign)]


def test_lines_of_an_effect_and_of_a_guard_cite_what_asked_for_them():
    trade = SAMPLE.actions[3]

    assert ("MAP-1", "TRD-1") == next(line.clauses for line in trade.guard if isinstance(line, Require))
    assert ("CON-2", "TRD-2") == next(stmt.clauses for stmt in assignments(trade.body) if stmt.key == "give.1")


def test_the_names_of_an_action_itself_stay_as_they_are():
    given = [line.name for line in SAMPLE.actions[3].guard if isinstance(line, Given)]

    assert ["held"] == given


def test_lines_come_back_from_the_cache():
    again = decode(encode(SAMPLE))

    assert WRITTEN == again.actions[3].written
    assert SAMPLE.guards == again.guards
    assert SAMPLE.purses == again.purses


@pytest.mark.parametrize("part", ["guard", "costs", "body"])
def test_lines_that_say_something_else_than_the_action_does_are_refused(part):
    trade = replace(SAMPLE.actions[3], written=replace(WRITTEN, **{part: ()}))

    with pytest.raises(InternalError, match=r"its lines stand for something else|`held` is not in scope"):
        validate(replace(SAMPLE, actions=(*SAMPLE.actions[:3], trade)))
