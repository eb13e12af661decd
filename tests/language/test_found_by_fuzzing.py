"""Rules that once broke the checker, each with what it says today."""

import pytest

from pilgrim_rules.language.load import check

FRAME = """\
game small
    players 2..2 named red, blue

stages
    playing by turn
    over nobody

state
    turn         : Player
    coins        : 0..9
    leader       : Player?
    owed[Player] : 0..9
    pile[Player] : 0..9

ghost
    seen[Player] : 0..99

purse gold of p = owed[p], pile[p]

action pass
    during playing
    do
        stage = over

"""
ACTION = "action act\n    during playing\n    do\n        "


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ACTION + "take up to 3 from seen[turn] to coins\n", ["PR403"]),
        (ACTION + "raise seen[turn] by 1, at most 3\n", ["PR403"]),
        (ACTION + "pay -2 gold\n", ["PR301"]),
        ("purse luck of p = seen[p]\n", ["PR402"]),
        ("invariant i: 0 in 1..6\n", []),
        ("state\n    tile[p in Player] : 0..8 = (ord(p) + 8) mod 99\n", ["PR315"]),
        ("state\n    tile[p in Player] : 0..8 = (ord(p) + 7) mod 99\n", []),
        ("def wide() -> 0..800 = coins\ndef wider() -> 0..900 = wide()\n", []),
        ("def lead() -> Player? = turn\ninvariant i: lead() is some\n", []),
        ("example e\n    given coins = seen[red]\n    when pass\n    expect stage == over\n", ["PR402"]),
        ("example e\n    when pass\n    expect (the leader) == red\n", ["PR409"]),
        ("def f() = coins\nlaw l: f() > 3\n", ["PR501"]),
        ("param fee : 0..9 = f()\ndef f() = 3\n", []),
        ("param fee : 0..9 = f()\ndef f() = fee\n", ["PR205"]),
        ("invariant i using i: coins <= 9\n", ["PR213"]),
    ],
)
def test_it_is_answered_and_not_an_exception(text, expected, tmp_path, monkeypatch):
    monkeypatch.setenv("PILGRIM_CACHE", "")
    path = tmp_path / "small.rules"
    path.write_text(FRAME + text)

    assert expected == [found.code.id for found in check(path)]


def test_a_stage_in_which_nobody_decides_and_nothing_happens_is_a_mistake(tmp_path, monkeypatch):
    monkeypatch.setenv("PILGRIM_CACHE", "")
    path = tmp_path / "small.rules"
    path.write_text(FRAME.replace("    over nobody\n", "    over nobody\n    waiting\n"))

    assert ["PR406"] == [found.code.id for found in check(path)]
