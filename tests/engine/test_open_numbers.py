"""Numbers without end in definitions and effects: WebAssembly holds them in 64 bits, and plays as Python does."""

import pytest

from pilgrim_rules import load
from pilgrim_rules.core.ir import OPEN_END
from pilgrim_rules.engine.lower.program import lowered
from pilgrim_rules.engine.wasm.module import module
from pilgrim_rules.engine.wasm.types import Unprintable, is_open, type_of
from pilgrim_rules.semantics.state_layout import layout

RULES = """
game heap "Heap"
    players 1..1 named ann

state
    heap : 0.. = 3
    turns : 0..9 = 0

stages
    playing by ann
    over nobody

def both(n: 0.., m: 0..) -> 0.. = {sum}

effect raise_by(n: 0..)
    heap += both(heap, n)

action grow
    during playing
    require turns < 9 else "enough"
    do
        raise_by(turns)
        turns += 1
        stage = over if turns == 8 else playing

score of p
    line "Heap" heap
"""


LONG = "min(n if turns > 3 else min(n, max(0, 90 - heap)), m if turns < 6 else max(0, 12 - heap)) {op} n"


def game(tmp_path, op):
    path = tmp_path / "heap.rules"
    path.write_text(RULES.replace("{sum}", LONG.replace("{op}", op)))
    return load(str(path))


def printed(core):
    return module(core, lowered(core), layout(core), {}).text


def test_sums_of_numbers_without_end_are_those_of_python(tmp_path):
    heap = game(tmp_path, "+")
    state = heap.start(1)
    while not state.over:
        state = state.play("grow")

    played = heap.playouts(1, seed=1)

    assert "call $held" in printed(heap.core), "otherwise this shows nothing"
    assert [state.scores()["ann"].total] == [int(played.scores[0][0])]


def test_a_product_without_end_may_need_more_than_64_bits(tmp_path):
    heap = game(tmp_path, "*")

    with pytest.raises(Unprintable, match="64 bits"):
        printed(heap.core)


def test_only_ranges_without_end_are_held_where_they_might_not_fit():
    assert is_open((0, OPEN_END))
    assert "i64" == type_of((0, OPEN_END))
    with pytest.raises(Unprintable):
        type_of((0, 1 << 66))
