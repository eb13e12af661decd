"""Loops over several names, several variables on a line, blocks that begin again together."""

import pytest

from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.language.load import read_game
from pilgrim_rules.language.syntax.format import format_source

RULES = """\
game small
    players 2..2 named red, blue

enum Good: wood, stone

param start[Player] : 0..9 = [4, 7]

stages
    playing by turn
    over nobody

state
    turn                : Player
    pile, heap[Player]  : 0..9 = 3  ## what lies there
    goods[Player, Good] : 0..9 = 1

state of_a_turn
    used, tired            : bool
    seen[p in Player, 1..2] : 0..9 = start[p]

action work
    do
        for p in Player, g in Good where p != turn: goods[p, g] += 2
        used = true
        pile = 5
        for p in Player, k in 1..2 where p == turn: seen[p, k] = 0
        heap[turn] = 9

action rest
    do
        reset of_a_turn
        reset heap
        if pile == 0: stage = over
        turn = next(turn)

invariant rested: of_a_turn is reset or used
"""


@pytest.fixture
def load(tmp_path):
    """Return a function that reads the game, changed."""

    def read(old="", new="", more=""):
        path = tmp_path / "small.rules"
        path.write_text(RULES.replace(old, new) + more, encoding="utf-8")
        return read_game(path)

    return read


@pytest.fixture
def refusals(load):
    """Return a function that gives code and message of each mistake."""

    def read(*change, **more):
        with pytest.raises(RulesError) as refusal:
            load(*change, **more)
        return [(found.code.id, found.message) for found in refusal.value.diagnostics]

    return read


def after(game, *moves):
    """Return the position after some moves."""
    code = compiled(game)
    state = code.start
    for move in moves:
        state = code.apply(state, move, ())
    return code.layout.decode(state)


def test_each_name_of_a_line_has_its_own_index_and_the_same_documentation(load):
    pile, heap = (next(each for each in load().variables if each.name == name) for name in ("pile", "heap"))

    assert ((), 1) == (pile.index, len(heap.index))
    assert "what lies there" == pile.note.doc == heap.note.doc


def test_a_loop_over_two_names_goes_through_all_pairs(load):
    assert (1, 1, 3, 3) == tuple(after(load(), "work")["goods"])


def test_a_block_begins_again_as_a_whole(load):
    before, reset = after(load(), "work"), after(load(), "work", "rest")

    assert ((0, 0, 7, 7), (1,), (9, 3)) == tuple(tuple(before[name]) for name in ("seen", "used", "heap"))
    assert ((4, 4, 7, 7), (0,), (3, 3)) == tuple(tuple(reset[name]) for name in ("seen", "used", "heap"))
    assert (5,) == tuple(reset["pile"])


def test_whether_a_block_is_reset_can_be_asked(load):
    code = compiled(load(more="\ninvariant fresh: of_a_turn is reset and heap is reset\n"))
    worked = code.apply(code.start, "work", ())

    assert [True, False, True] == [
        code.holds("fresh", state) for state in (code.start, worked, code.apply(worked, "rest", ()))
    ]


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        ("reset heap", "reset pyle", "PR201", "unknown variable `pyle`"),
        ("reset heap", "reset start", "PR401", "`start` is not a state variable"),
        ("of_a_turn is reset or used", "start is reset", "PR401", "only variables are reset"),
        ("state of_a_turn", "state pile", "PR202", "`pile` is a block and something else"),
        ("state of_a_turn", "ghost of_a_turn", "PR403", "`used` is a ghost"),
        ("goods[p, g] += 2", "goods[p, wood] = 2", "PR407", "one cell of `goods` is set for every `g`"),
    ],
)
def test_what_cannot_be_reset_or_looped_is_refused(refusals, old, new, code, message):
    assert (code, message) in refusals(old, new)


def test_the_layout_of_such_lines_is_canonical():
    assert format_source(RULES, "small.rules") == format_source(format_source(RULES, "small.rules"), "small.rules")


def test_a_column_with_an_index_may_stand_in_the_text(load):
    cards = "\nrows Card\n    need[Good] : 0..2\n    value : 1..9\n    row ann : [1, 0], 3\n    row bob : [0, 2], 4\n"
    columns = {each.name: each.values for each in load(more=cards).constants}

    assert ((1, 0, 0, 2), (3, 4)) == (columns["Card.need"], columns["Card.value"])


def test_a_list_in_a_row_is_as_long_as_the_index(refusals):
    cards = "\nrows Card\n    need[Good] : 0..2\n    row ann : [1, 0, 2]\n"

    assert [("PR304", "this list has 3 entries, but 2 values must be given")] == refusals(more=cards)
