import json
import time
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilgrim_rules.core import codec
from pilgrim_rules.core.codec import NotACoreGame, decode, encode
from pilgrim_rules.core.ir import BOOL, Apply, Binder, Bound, Claim, Fold, Lit, Read
from tests.core.sample import PLAYER, SAMPLE, SMALL, number, op


def test_a_game_comes_back_equal():
    assert decode(encode(SAMPLE)) == SAMPLE


def test_places_come_back_too():
    again = decode(encode(SAMPLE))

    assert SAMPLE.actions[1].guard[0].span == again.actions[1].guard[0].span
    assert SAMPLE.defs[0].note.span == again.defs[0].note.span


def test_the_text_of_a_game_that_came_back_is_the_same():
    assert encode(SAMPLE) == encode(decode(encode(SAMPLE)))


def test_the_sample_has_every_class_of_the_core():
    rows = json.loads(encode(SAMPLE))["rows"]

    assert {number for number, *_ in rows} == set(range(len(codec._shapes())))


def test_equal_nodes_share_a_row():
    rows = json.loads(encode(SAMPLE))["rows"]

    assert len(rows) == len({json.dumps(row) for row in rows})


def test_a_text_of_another_version_is_refused():
    text = encode(SAMPLE).replace(codec.schema(), "0" * 16)

    with pytest.raises(NotACoreGame, match="another version"):
        decode(text)


@pytest.mark.parametrize("text", ["", "null", "[]", "{}", '{"schema": 1}', "[" * 100_000, '"game"'])
def test_what_is_no_game_is_refused(text):
    with pytest.raises(NotACoreGame):
        decode(text)


@given(
    at=st.integers(0),
    row=st.lists(st.integers(-3, 60) | st.text() | st.none() | st.lists(st.integers(0, 9)), max_size=6),
)
def test_nothing_but_a_refusal_comes_of_a_damaged_row(at, row):
    data = json.loads(encode(SAMPLE))
    data["rows"][at % len(data["rows"])] = row
    with suppress(NotACoreGame):
        decode(json.dumps(data))


def large_game(claims):
    """Return a game with about 15 nodes a claim, no two of them equal."""
    made = []
    for at in range(claims):
        type_ = number(0, at)
        x, y = Bound(f"x{at}", type_), Bound(f"y{at}", type_)
        small = op("<", Apply("+", (x, y), number(0, 2 * at)), Lit(at, type_))
        paid = op("<=", Lit(0, type_), Read("coins", (Lit(at % 2, PLAYER),), SMALL))
        body = op("or", small, op("not", op("==", x, y)), paid)
        binders = (Binder(f"x{at}", type_), Binder(f"y{at}", type_))
        made.append(Claim(f"c{at}", "invariant", Fold("all", binders, None, body, None, BOOL)))
    return replace(SAMPLE, claims=tuple(made))


def test_a_hundred_thousand_nodes_are_read_quickly():
    text = encode(large_game(7_000))
    rows = len(json.loads(text)["rows"])

    started = time.perf_counter()
    decode(text)
    took = time.perf_counter() - started

    assert rows > 100_000
    assert took < 1.5  # about 0.3 s on an idle machine; the limit leaves room for a busy one
