"""Effects that are written otherwise and leave the same state are proved equal; a difference never is."""

from textwrap import dedent

import pytest

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.language.load import read_game
from verifier.prove.same_meaning import same_meaning
from verifier.rulings.same_effects import with_effects

RULES = """
    game well
        players 2..2 named ann, ben

    enum Card: ace, king, queen

    zones of Card
        deck
        hand[Player]

    stages
        drawing by turn

    state
        water[Player] : 0..6 = 3
        turn          : Player = ann
        drawn         : 0..9 = 0

    def left(p: Player) -> 0..6 = water[p]

    action draw(n: 1..2)
        by turn
        require n <= water[turn] and drawn <= 5
        do
            water[turn] -= n
            drawn += n
            if left(turn) == 0: drawn = 0
            turn = next(turn)

    action take(c: Card)
        by turn
        require c in deck
        do
            move c from deck to hand[turn]
            if drawn == 2 and (none of d in Card: d in deck): drawn = 0
            for p in Player where p != turn: water[p] = min(6, water[p] + 1)
"""


@pytest.fixture
def compared(tmp_path):
    def compare(*changes):
        text = RULES
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        paths = [tmp_path / name / "well.rules" for name in ("old", "new")]
        for path, rules in zip(paths, (RULES, text), strict=True):
            path.parent.mkdir(exist_ok=True)
            path.write_text(dedent(rules), "utf-8")
        old, new = map(read_game, paths)
        return with_effects(old, new, same_meaning(old, new)), paths

    return compare


@pytest.mark.parametrize(
    ("action", "old", "new"),
    [
        ("draw", "water[turn] -= n\n            drawn += n", "drawn += n\n            water[turn] -= n"),
        ("draw", "water[turn] -= n", "water[turn] = water[turn] - n"),
        ("draw", "if left(turn) == 0: drawn = 0", "if not (left(turn) > 0): drawn = 0"),
        ("draw", "turn = next(turn)", "turn = ben if turn == ann else ann"),
        ("take", "(none of d in Card: d in deck)", "(count of d in Card where d in deck) == 0"),
        (
            "take",
            "(none of d in Card: d in deck)",
            "(none of d in Card where d != c: d in deck)",
        ),  # it has left the deck
        ("take", "p != turn: water[p] = min(6, water[p] + 1)", "p != turn: water[p] += 1 if water[p] < 6 else 0"),
    ],
)
def test_an_effect_written_otherwise_is_proved_equal(compared, action, old, new):
    found, _ = compared((old, new))

    assert f"action {action}" in found.proved
    assert () == found.open


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("water[turn] -= n", "water[turn] -= 1"),
        (
            "drawn += n\n            if left(turn) == 0: drawn = 0",
            "if left(turn) == 0: drawn = 0\n            drawn += n",
        ),
        ("== 0: drawn = 0", "== 1: drawn = 0"),
        ("(none of d in Card: d in deck)", "(none of d in Card where d != king: d in deck)"),
        ("p != turn: water[p] = min(6", "p == turn: water[p] = min(6"),
    ],
)
def test_a_different_effect_is_never_proved_equal(compared, old, new):
    found, _ = compared((old, new))

    assert () == found.proved
    assert 1 == len(found.open)


def test_a_different_guard_is_not_overlooked(compared):
    """The effect is the same, but fewer moves are allowed."""
    found, _ = compared(("drawn <= 5", "drawn <= 4"), ("water[turn] -= n", "water[turn] = water[turn] - n"))

    assert ("action draw",) == found.open


def test_the_command_says_which_effects_are_proved_equal(compared, capsys):
    _, paths = compared(("water[turn] -= n", "water[turn] = water[turn] - n"))

    assert Exit.OK == run(["compare", *map(str, paths)])
    assert "proved equal in every state, by solver: action draw" in capsys.readouterr().out
