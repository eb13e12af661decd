"""Two versions that read differently and mean the same are proved equal; a difference never is."""

from textwrap import dedent

import pytest

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.language.load import read_game
from verifier.prove.same_meaning import same_meaning

RULES = """
    game well
        players 2..2 named ann, ben

    stages
        drawing by turn

    state
        water : 0..6 = 6
        turn  : Player = ann

    def enough(n: 1..2) -> bool = n <= water

    action draw(n: 1..2)
        by turn
        require enough(n)
        require water > 0
        do
            water -= n
            turn = next(turn)
"""


@pytest.fixture
def versions(tmp_path):
    def write(old, new):
        paths = [tmp_path / name / "well.rules" for name in ("old", "new")]
        for path, text in zip(paths, (RULES, RULES.replace(old, new)), strict=True):
            path.parent.mkdir(exist_ok=True)
            path.write_text(dedent(text), "utf-8")
        assert old in RULES
        return paths

    return write


@pytest.mark.parametrize(
    ("old", "new", "proved"),
    [
        ("require water > 0", "require water >= 1", ("action draw",)),
        ("require water > 0", "require not water == 0 or false", ("action draw",)),
        ("= n <= water", "= water >= n", ("definition enough", "action draw")),
        ("= n <= water", "= not (water < n)", ("definition enough", "action draw")),
        ("require water > 0", "", ("action draw",)),  # the line before says as much
    ],
)
def test_what_means_the_same_is_proved_equal(versions, old, new, proved):
    before, after = versions(old, new)

    found = same_meaning(read_game(before), read_game(after))

    assert (proved, ()) == (found.proved, found.open)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("require water > 0", "require water > 1"),
        ("require enough(n)", "require n <= 2"),
        ("= n <= water", "= n < water"),
        ("water -= n", "water -= 1"),
        ("0..6 = 6", "0..7 = 7"),
    ],
)
def test_what_differs_is_never_proved_equal(versions, old, new):
    before, after = versions(old, new)

    assert () == same_meaning(read_game(before), read_game(after)).proved


def test_the_command_keeps_proved_and_not_found_apart(versions, capsys):
    before, after = map(str, versions("require water > 0", "require water >= 1"))
    assert Exit.OK == run(["compare", before, after])
    said = capsys.readouterr().out
    assert "proved equal in every state, by solver: action draw" in said
    assert "No difference found" not in said

    assert Exit.OK == run(["compare", before, after, "--budget", "0", "--games", "2"])
    assert "That is no proof" in capsys.readouterr().out
