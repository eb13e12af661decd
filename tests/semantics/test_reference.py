"""The reference evaluator on games small enough to know by heart."""

from __future__ import annotations

from pilgrim_rules.semantics.reference import Reference
from pilgrim_rules.semantics.state_layout import layout
from tests.support.noughts_game import noughts_and_crosses


def test_noughts_and_crosses_starts_with_nine_moves_and_ends_with_a_line():
    game = noughts_and_crosses()
    play = Reference.from_game(game)
    (place,) = game.actions
    position = play.start()

    assert [(cell,) for cell in range(9)] == list(play.legal(position, place))
    for cell in (0, 3, 1, 4, 2):
        position = play.apply(position, place, (cell,))
    assert "over" == play.stage(position).name
    assert [(1,), (0,)] == [play.score(position, player) for player in (0, 1)]
    assert play.rank(position, 0) < play.rank(position, 1)
    assert [] == list(play.legal(position, place))


def test_a_state_is_one_byte_for_each_small_cell():
    game = noughts_and_crosses()
    position = Reference.from_game(game).start()

    assert bytes([0, 0, *[2] * 9]) == layout(game).encode(position)
    assert position == layout(game).decode(layout(game).encode(position))
