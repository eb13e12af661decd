import json
import marshal
import zlib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilgrim_rules.core import codec
from pilgrim_rules.core.codec import NotACoreGame, decode, encode, pack, unpack
from tests.support.sample_game import SAMPLE


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


def test_a_packed_game_comes_back_equal():
    assert SAMPLE == unpack(pack(SAMPLE))


@pytest.mark.parametrize(
    "data", [b"", b"game", zlib.compress(b""), zlib.compress(marshal.dumps([1])), pack(SAMPLE)[:-9]]
)
def test_bytes_that_are_no_game_are_refused(data):
    with pytest.raises(NotACoreGame):
        unpack(data)


@given(
    at=st.integers(0),
    row=st.lists(st.integers(-3, 60) | st.text() | st.none() | st.lists(st.integers(0, 9)), max_size=6),
)
def test_nothing_but_a_refusal_comes_of_a_damaged_row(at, row):
    data = json.loads(encode(SAMPLE))
    data["rows"][at % len(data["rows"])] = row
    with suppress(NotACoreGame):
        decode(json.dumps(data))
