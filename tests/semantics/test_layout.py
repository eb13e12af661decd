"""The layout of states: one to four bytes a cell, ghosts last."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from pilgrim_rules.core.ghosts import without_ghosts
from pilgrim_rules.core.ir import BOOL
from pilgrim_rules.semantics.state_layout import layout
from tests.support.core_builder import game, lit, number, var
from tests.support.market_game import market
from tests.support.random_games import positions
from tests.support.vocabularies import LARGE


def laid_out(*variables):
    return layout(game("x", LARGE.player, LARGE.stage, variables=variables))


@settings(max_examples=30, deadline=None)
@given(position=positions())
def test_decoding_undoes_encoding(position):
    places = laid_out(*LARGE.variables)
    state = places.encode(position)

    assert position == places.decode(state)
    assert state == places.encode_flat(places.decode_flat(state))


@pytest.mark.parametrize(
    ("lo", "hi", "width"), [(0, 255, 1), (-128, 127, 1), (0, 256, 2), (5, 65_540, 2), (0, 65_536, 4), (0, 2**32 - 1, 4)]
)
def test_a_cell_is_as_wide_as_its_range_needs(lo, hi, width):
    type_ = number(lo, hi)
    places = laid_out(var("x", type_, lit(type_, lo)))

    assert width == places.size
    assert (hi - lo).to_bytes(width, "little") == places.encode({"x": [hi]})


def test_a_range_too_large_for_a_cell_is_refused():
    type_ = number(0, 2**32)

    with pytest.raises(ValueError, match="4294967297 values"):
        laid_out(var("x", type_, lit(type_, 0)))


def test_the_state_without_ghosts_is_a_prefix_of_the_state_with_them():
    with_, without = layout(market()), layout(without_ghosts(market()))

    assert "bought" == with_.fields[-1].variable.name
    assert with_.plain == without.size == with_.size - 1
    assert with_.fields[:-1] == without.fields


@pytest.mark.parametrize("position", [{"x": [2]}, {"x": [0, 0]}, {"x": []}])
def test_codes_that_do_not_fit_are_refused(position):
    with pytest.raises(ValueError, match="`x` has 1 cells from 0 to 1"):
        laid_out(var("x", BOOL, lit(BOOL, 0))).encode(position)


def test_bytes_that_are_no_state_are_refused():
    places = laid_out(var("x", BOOL, lit(BOOL, 0)))

    with pytest.raises(ValueError, match="1 bytes, not 2"):
        places.decode(b"\0\0")
    with pytest.raises(ValueError, match="up to 1, not 2"):
        places.decode(b"\2")
    with pytest.raises(ValueError, match="1 cells, not 0"):
        places.encode_flat([])
