"""What is easily written by somebody who has read little, and what the message says to do instead."""

import pytest

from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.language.load import read_game

HEAD = """\
game small
    players 2..2 named ann, ben

enum Card: x, y, z

stages
    playing by turn
    over nobody

state
    turn     : Player
    n        : 0..6
    t[Card]  : 0..3

action leave
    during playing
    do stage = over

"""


@pytest.fixture
def mistake(tmp_path):
    """Return a function that gives code, message and help of the first mistake in further declarations."""

    def read(text):
        path = tmp_path / "small.rules"
        path.write_text(HEAD + text + "\n")
        with pytest.raises(RulesError) as refusal:
            read_game(path)
        first = refusal.value.diagnostics[0]
        return first.code.id, first.message, first.help

    return read


@pytest.mark.parametrize(
    ("text", "help_"),
    [
        ("action a(c: Card hidden)\n    during playing\n    do n = 1", "an argument is `secret`"),
        ("state\n    k : Card? secret", "a variable is `private`, `hidden` or `seen by …`"),
        ("state\n    k[Player] : Card private to turn", "`private` is seen by the player of the first index"),
        ("zones of c in Card\n    deck\n    pile ordered hidden", "said before `ordered`"),
        ("contract c of leave\n    changes stage", "write `changes only …`"),
        ('score of p\n    line "N" n\n\nrank by score desc', "`rank p by score desc`"),
        ("def low -> bool = n < 2", "`def name() -> …`"),
        ("def low() -> bool = n < 2\n\nstep s: low()' == low()", "the prime stands behind the name: `low'()`"),
        ("zones of c in Card\n    deck\n    pile\n\ninvariant i: deck is some", "`count(zone) > 0`"),
        ("zones of c in Card\n    deck\n    pile\n\ninvariant i: size(deck) > 0", "`count(hand[p])`"),
        ("action a(d: 2 of t)\n    during playing\n    require d[1] == x\n    do n = 1", "`d.1`"),
        ("action a\n    during playing\n    do n = roll(6)", "`roll 2 into pool`"),
        ("def low() -> bool = n < 2\n\nstep s: low' == low()", "`low'()`"),
        ("state\n    held : Card[3]", "an index stands behind the name"),
        ("enum Coin\n    gold\n    silver", "`enum Card: ace, king`"),
        ("state\n    cards : list of Card", "lie in a zone"),
        ('action a\n    during playing\n    require n > 1, "no"\n    do n = 1', "stands behind `else`"),
        ("action a\n    during playing\n    do\n        if n > 1 then n = 1", "a colon ends the test"),
        ("invariant n <= 6", "a claim has a name"),
        ("action a\n    during playing by turn\n    do n = 1", "`by` stands in a line of its own"),
        ("automaton crow when players == 1", "stands indented under `game`"),
        ("action a\n    during playing\n    do\n        shuffle t", "a deck needs no order"),
    ],
)  # fmt: skip
def test_the_help_says_what_was_meant(mistake, text, help_):
    assert help_ in mistake(text)[2]


@pytest.mark.parametrize(
    "text", ["actiongo\n    during playing\n    do n = 1", "parammost : 0..3 = 2", "defone() -> 0..6 = n"]
)
def test_words_that_stand_together_are_one_word(mistake, text):
    word = text.split("(")[0].split()[0]

    assert ("PR109", f"no declaration begins with `{word}`") == mistake(text)[:2]


def test_a_word_within_a_line_stands_apart(mistake):
    code, message, _ = mistake("action go\n    during playing\n    requiren > 3\n    do n = 1")

    assert ("PR110", "`requiren` is not expected here") == (code, message)
