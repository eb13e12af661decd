"""The native search: the same states as the vectorised one, on every machine; what is wrong is left to the other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.engine.wasm.state_words import state_words
from pilgrim_rules.language.load import read_game
from pilgrim_rules.walk.random_source import RandomSource
from pilgrim_rules.walk.random_walk import random_state
from tests.support.market_game import market
from tests.support.walk_texts import walk
from tests.support.zoo import CLASSICS
from verifier.explore import native_part
from verifier.explore.native_search import SearchLimits, native_search
from verifier.explore.search import explore

LIMITS = SearchLimits(20_000, 1 << 26)
#: Games that are small enough to be searched to the end here, or far enough.
SMALL = sorted({*CLASSICS} - {"byways", "counters", "bank"})


def counted(found):
    return replace(found, seconds=0, bytes=0, witnesses=())


@pytest.mark.parametrize("name", SMALL)
def test_both_searches_count_the_same(name):
    game = read_game(name)
    if any(variable.type.is_open for variable in game.variables):
        assert native_search(game, LIMITS) is None, (
            "a counter without upper end needs a cap, which the vectorised search knows"
        )
        return

    vectorised = explore(game, max_states=LIMITS.states, native=False)
    found = native_search(game, LIMITS)

    if found is None:
        assert vectorised.findings
    elif vectorised.closed:
        assert counted(vectorised) == counted(found)
        assert {each.name: len(each.play) for each in vectorised.witnesses} == {
            each.name: len(each.play) for each in found.witnesses
        }
    else:
        assert (False, vectorised.reason) == (found.closed, found.reason)


@pytest.mark.parametrize("parts", [1, 2, 3])
@pytest.mark.parametrize(("marked", "direct"), [(0, 0), (0, 31), (33, 0), (33, 31)])
def test_every_kind_of_table_holds_the_same_states(monkeypatch, marked, direct, parts):
    game = read_game("noughts_and_crosses")
    monkeypatch.setattr(native_part, "_MARKED_BITS", marked)
    monkeypatch.setattr(native_part, "_DIRECT_BITS", direct)
    monkeypatch.setattr(native_part, "_FIRST_SLOTS", 64)
    monkeypatch.setattr(native_part, "_LETTER", 64)

    found = native_search(game, LIMITS, parts=parts)

    assert (5_478, 16_167, 10, 958) == (found.states, found.transitions, found.depth, found.finished)
    assert "closed" == found.verdict


def test_a_table_of_slots_becomes_one_of_bits_when_that_is_no_larger(monkeypatch):
    game = read_game("noughts_and_crosses")
    monkeypatch.setattr(native_part, "_FIRST_SLOTS", 64)
    sizes = {}

    for marked in (0, 33):
        monkeypatch.setattr(native_part, "_MARKED_BITS", marked)
        sizes[marked] = native_search(game, SearchLimits(100_000, 1 << 26), parts=1).bytes

    assert sizes[33] <= sizes[0]


@pytest.mark.parametrize("name", ["nim", "rats", "noughts_and_crosses", "kalah"])
def test_any_number_of_parts_counts_the_same(name):
    limits = SearchLimits(30_000, 1 << 26)
    one, two, five = (native_search(read_game(name), limits, parts=parts) for parts in (1, 2, 5))

    assert one.closed
    assert counted(one) == counted(two) == counted(five)
    lengths = [{each.name: len(each.play) for each in found.witnesses} for found in (one, two, five)]
    assert lengths[0] == lengths[1] == lengths[2]


def test_a_state_takes_no_more_than_32_bytes():
    game = read_game("connect_four")

    found = native_search(game, SearchLimits(1_000_000, 1 << 28))

    assert found.closed
    assert found.bytes / found.states <= 32


def test_a_budget_of_bytes_ends_the_search():
    found = native_search(read_game("connect_four"), SearchLimits(10_000_000, 1 << 20))

    assert found.reason.startswith("the budget of 1 MiB is used up by")
    assert found.states < 161_029


@pytest.mark.parametrize("name", ["nim", "rats", "pong_hau_ki"])
def test_every_machine_counts_the_same(name):
    wasm, python = (native_search(read_game(name), SearchLimits(300, 1 << 22), wasm=wasm) for wasm in (True, False))

    assert counted(wasm) == counted(python)
    assert wasm.witnesses == python.witnesses


def test_what_is_wrong_is_left_to_the_other_search():
    game = market(generous=True)

    assert native_search(game, LIMITS) is None
    assert explore(game).findings == explore(game, native=False).findings


@pytest.mark.parametrize(
    "claim",
    [
        "invariant near\n    place < 5\n",
        "step slow: place' <= place + 1\n",
        "terminates by (9 - place)\n",
    ],
)
def test_a_broken_claim_is_noticed(tmp_path, claim):
    game = walk(tmp_path, claims=claim)

    assert native_search(walk(tmp_path), LIMITS) is not None
    assert native_search(game, LIMITS) is None
    assert explore(game).findings


@pytest.mark.parametrize("name", CLASSICS)
def test_a_state_survives_packing(name):
    code = compiled(read_game(name), ghosts=True)
    words, random = state_words(code.game, code.layout), RandomSource(name)
    open_counters = any(variable.type.is_open for variable in code.game.variables)

    for state in (
        [code.start] if open_counters else [code.start, *(random_state(code.layout, random) for _ in range(20))]
    ):
        if words.keeps(state) and not open_counters:
            assert state == words.unpack(words.pack(state), state)
            assert words.pack(state) == words.pack(words.unpack(words.pack(state), code.start))


SUMS = """\
game sums
    players 2..2 named red, blue

stages
    playing by turn

state
    turn : Player
    pot : 0..9 = 4
    debt : 0..3 = 1
    hand[Player] : 0..9 = 0
    twice : 0..9 = 0

def in_hands() = sum of hand[p] for p in Player

conserved coins = pot + in_hands() - debt == 3
{more}
action take
    require pot >= {least}
        else "it is empty"
    do
        pot -= 1
        hand[turn] += 1
        turn = next(turn)

action borrow
    require debt < 3
        else "too much"
    do
        debt += 1
        {lent} += 1
        turn = next(turn)

action wait
    do turn = next(turn)
"""


def _sums(tmp_path, *, more="", lent="pot", least=1):
    path = tmp_path / "sums.rules"
    path.write_text(SUMS.format(more=more, lent=lent, least=least))
    return read_game(path)


def test_a_conserved_sum_saves_one_of_its_cells(tmp_path):
    code = compiled(_sums(tmp_path), ghosts=True)
    words = state_words(code.game, code.layout)
    (left_out,) = words.determined
    layout = code.layout
    state = layout.encode({"stage": [0], "turn": [1], "pot": [2], "debt": [3], "hand": [3, 1], "twice": [0]})

    assert "pot" == next(field.variable.name for field in layout.fields if field.offset == left_out.place[0])
    assert state == words.unpack(words.pack(state), code.start)
    assert 1 + 2 + 4 + 4 == words.bits  # whose turn it is, the debt, two hands
    with pytest.raises(ValueError, match="conserved"):
        words.pack(layout.encode({**layout.decode(state), "pot": [3]}))


@pytest.mark.parametrize("wasm", [True, False])
@pytest.mark.parametrize("check", [True, False])
def test_a_sum_that_is_not_conserved_is_no_way_to_save_a_cell(tmp_path, wasm, check):
    right, wrong = _sums(tmp_path), _sums(tmp_path, lent="twice")

    found, slow = native_search(right, LIMITS, check=check, wasm=wasm), explore(right, check=check, native=False)
    assert found is not None
    assert (found.states, found.depth) == (slow.states, slow.depth)
    assert native_search(wrong, LIMITS, check=check, wasm=wasm) is None
    assert explore(wrong, check=True).findings


def test_of_two_sums_over_one_cell_only_one_saves_a_cell(tmp_path):
    code = compiled(_sums(tmp_path, more="conserved again = hand[red] + hand[blue] + pot - debt == 3\n"), ghosts=True)

    assert 1 == len(state_words(code.game, code.layout).determined)


def test_a_search_that_begins_elsewhere_counts_from_there(tmp_path):
    game = _sums(tmp_path)
    start = {"stage": [0], "turn": [1], "pot": [2], "debt": [3], "hand": [3, 1], "twice": [0]}

    assert native_search(game, LIMITS, start=start).states == explore(game, start=start, native=False).states
    assert native_search(game, LIMITS, check=False, start={**start, "pot": [3]}) is None
