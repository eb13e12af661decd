"""Traces: recorded, saved, read, replayed, refused."""

from __future__ import annotations

import json

import pytest

from pilgrim_rules.api.game import Game
from pilgrim_rules.api.trace import Record, Trace
from pilgrim_rules.semantics.errors import BadTrace, Contradiction, IllegalMove, StaleTrace
from tests.support.market_game import market


@pytest.fixture
def trace(stalls) -> Trace:
    """A whole play from seed 0."""
    trace = Trace.start(stalls, seed=0)
    while not trace.state.over:
        trace.play(trace.state.moves()[0])
    return trace


def test_a_trace_shows_chance_and_autos(trace):
    assert ["chance", "red", "chance", "blue", "chance", "red", "chance", "blue", "auto", "auto"] == [
        step.by for step in trace.steps
    ]
    assert ["close", "sweep"] == [step.move for step in trace.steps[-2:]]
    assert [state.fingerprint for state in trace.states[1:]] == [step.fingerprint for step in trace.steps]


def test_a_trace_leads_where_playing_leads(trace, stalls):
    state = stalls.start(seed=0)
    for step in trace.steps:
        if step.by in stalls.players:
            state = state.play(step.move)

    assert trace.state == state
    assert trace.state.rng == state.rng


def test_one_goes_back_and_forward_by_steps_and_undoes_decisions(trace):
    last = trace.state

    assert "sweeping" == trace.back().stage
    assert last == trace.forward() == trace.forward()
    assert ("buying", "blue") == (trace.undo().stage, trace.state.to_move)
    assert "red" == trace.undo().to_move
    for _ in range(20):
        trace.back()
    assert 0 == trace.at
    assert "rolling" == trace.state.stage


def test_a_move_played_in_the_past_forgets_the_future(trace):
    trace.undo()
    trace.undo()
    trace.play("buy(cloth)")

    assert ["roll", "buy", "roll", "buy", "roll", "buy", "roll"] == [step.move.action for step in trace.steps]


def test_a_saved_trace_replays(trace, stalls, tmp_path):
    trace.save(tmp_path / "x.json")
    again = Trace.load(tmp_path / "x.json").replay(stalls)

    assert trace.steps == again.steps
    assert trace.states == again.states
    assert trace.state.rng == again.state.rng
    assert trace.to_json() == again.to_json()


def test_a_trace_may_begin_anywhere(stalls):
    trace = Trace(stalls.start().play("roll(2)", "buy(bread)"))
    trace.play("roll(1)", "buy(cloth, 1)")
    again = Record.from_json(trace.to_json()).replay(stalls)

    assert trace.states == again.states
    assert ["roll(1)", "buy(cloth, 1)"] == [step.move for step in again.steps]


def test_an_illegal_move_leaves_the_trace_as_it_was(trace):
    steps = list(trace.steps)

    with pytest.raises(IllegalMove):
        trace.play("buy(bread)")
    assert steps == trace.steps


def test_a_contradiction_carries_the_whole_play():
    trace = Trace.start(Game(market(generous=True)), seed=0)

    trace.play("buy(bread, 1)", "buy(bread, 1)", "buy(cloth, 1)")
    with pytest.raises(Contradiction) as caught:
        trace.play("buy(cloth, 1)")
    assert 9 == len(caught.value.steps)
    assert ("close", "") == (caught.value.steps[-1].move, caught.value.steps[-1].fingerprint)
    assert 7 == len(trace.steps)


def test_a_trace_of_other_rules_is_stale(trace):
    record = trace.record()
    other = Game(market(generous=True))

    assert record.is_stale(other)
    with pytest.raises(StaleTrace):
        record.replay(other)
    with pytest.raises(BadTrace, match=r"step 9, `close`: .* would be"):
        record.replay(other, stale_ok=True)


def edited(trace, change):
    data = json.loads(trace.to_json())
    change(data)
    return Record.from_json(json.dumps(data))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data["steps"][1].update(move="buy(salt)"), "step 2, `buy.salt.`: .*the stall is empty"),
        (lambda data: data["steps"][1].update(move="buy(silk)"), "step 2, .*`silk` is not a value"),
        (lambda data: data["steps"][1].update(by="blue"), "red is to move, not blue"),
        (lambda data: data["steps"][0].update(move="roll(1)"), "the seed gives `roll.3.` here"),
        (lambda data: data["steps"][3].update(state="0" * 16), "step 4, .*not to 0000000000000000"),
        (lambda data: data["steps"].pop(8), "step 9, `sweep`"),
        (lambda data: data["steps"].append(data["steps"][0]), "nobody is to move, not chance"),
        (lambda data: data.update(start={}), "`start`"),
    ],
)
def test_a_trace_whose_steps_do_not_follow_is_refused_at_the_step(trace, stalls, change, words):
    with pytest.raises(BadTrace, match=words):
        edited(trace, change).replay(stalls)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.update(format="x"),
        lambda data: data.update(game={"name": 3}),
        lambda data: data.update(game={"name": "market", "players": True}),
        lambda data: data.update(rules=None),
        lambda data: data.update(seed="0"),
        lambda data: data.update(start=[]),
        lambda data: data.update(steps={}),
        lambda data: data["steps"].append("roll(1)"),
        lambda data: data["steps"].append({"move": "roll(1)", "by": "chance"}),
    ],
)
def test_json_of_no_trace_is_refused(trace, change):
    with pytest.raises(BadTrace):
        edited(trace, change)


def test_files_that_are_no_traces_are_refused(tmp_path):
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    (tmp_path / "text").write_text("nothing")

    for name in ("absent", "bytes", "text"):
        with pytest.raises(BadTrace):
            Trace.load(tmp_path / name)


def test_itf_has_every_variable_of_every_state(trace, stalls):
    data = json.loads(trace.to_itf())

    assert [field.variable.name for field in stalls.layout.fields] == data["vars"]
    assert len(trace.states) == len(data["states"])
    assert {"index": 1, "action": "roll(3)", "by": "chance"} == data["states"][1]["#meta"]
    assert {"#map": [["red", 10], ["blue", 10]]} == data["states"][0]["coins"]
    assert [{"#tup": ["red", "bread"]}, 0] == data["states"][0]["hand"]["#map"][0]
