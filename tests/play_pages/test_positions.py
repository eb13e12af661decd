"""Positions as texts, what examples begin with, and states that a player cannot tell apart."""

from base64 import urlsafe_b64decode

from pilgrim_rules import load
from pilgrim_rules.play_pages.playable import place
from pilgrim_rules.play_pages.positions import example_positions, position_text


def unpacked(text, start):
    """Return the bytes of a state from a text, as the page reads it."""
    packed = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    data, at, next_ = bytearray(start), 0, 16
    while next_ < len(packed):
        gap = shift = 0
        while packed[next_] > 127:
            gap += (packed[next_] & 127) << shift
            shift, next_ = shift + 7, next_ + 1
        at += gap + (packed[next_] << shift)
        data[at] = packed[next_ + 1]
        next_ += 2
    return bytes(data)


def test_a_text_gives_the_state_again():
    game = load("hex")
    state = game.start(1)
    while not state.over:
        state = state.play(state.moves()[-1])

    assert state.data == unpacked(position_text(game, state.data), game.code.start)
    assert len(position_text(game, game.start(1).data)) < 40


def test_examples_are_positions_of_the_game():
    game = load("noughts_and_crosses")

    found = list(example_positions(game))

    assert len(game.core.examples) == len(found) > 0
    assert all(len(unpacked(each.text, game.code.start)) == game.layout.size for each in found)


def test_a_place_for_a_board_is_small_and_can_be_read_without_scripts():
    markup = place("nim", "Nim", at="AAAA", called="Here", lazy=True)

    assert 'data-at="AAAA"' in markup
    assert "<noscript>" in markup
    assert len(markup) < 400
