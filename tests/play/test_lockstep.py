"""Two versions of a game, played side by side: what differs is met, and only what means the same is called equal."""

from __future__ import annotations

import json
import subprocess

import pytest

from pilgrim_rules import load
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run

RULES = """\
game well "Well"
    players 2..2 named ann, ben

stages
    drawing by turn
    over nobody

state
    water : 0..9 = 9
    cups[Player] : 0..9 = 0
    turn  : Player = ann

action draw(n: 1..3)
    by turn
    require n <= water
        else "there is not so much water"
    do
        water -= n
        cups[turn] += n
        if water == n:
            stage = over
        else:
            turn = next(turn)

score of p
    line "Water" cups[p]

example nearly_dry
    given water = 1
    when draw(1)
    expect cups[ann] == 1
"""


@pytest.fixture
def compare(tmp_path, capsys):
    """Give a function that compares the rules with others and returns the exit code and what is told."""

    def compare(before, after, *words):
        old, new = tmp_path / "old.rules", tmp_path / "new.rules"
        old.write_text(before)
        new.write_text(after)
        code = run(["compare", str(old), str(new), "--games", "20", "--format", "json", *words])
        return code, json.loads(capsys.readouterr().out)

    return compare


def kinds(told):
    return {(each["kind"], each["action"]) for each in told["differences"]}


def test_what_means_the_same_is_equal_without_play(compare):
    code, told = compare(RULES, RULES.replace("state\n", "# a remark\nstate\n"))

    assert Exit.OK == code
    assert told["equal"]
    assert 0 == told["games"]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("require n <= water", "require n < water", ("not legal any more", "draw")),
        ("require n <= water", "require n <= water and n != 2", ("not legal any more", "draw")),
        ("draw(n: 1..3)", "draw(n: 1..4)", ("legal now", "draw")),
        ("cups[turn] += n", "cups[next(turn)] += n", ("effect", "draw")),
        ('line "Water" cups[p]', 'line "Water" 2 * cups[p]', ("score", "")),
        ("water : 0..9 = 9", "water : 0..9 = 8", ("start", "")),
        ("water : 0..9 = 9", "salt : 0..1 = 0\n    water : 0..9 = 8", ("start", "")),
    ],
)
def test_what_differs_is_met_in_play(compare, before, after, expected):
    assert before in RULES

    code, told = compare(RULES, RULES.replace(before, after))

    assert Exit.REFUTED == code
    assert expected in kinds(told)


def test_a_difference_is_shown_in_the_position_of_an_example_with_its_clauses_and_reasons(compare):
    _, told = compare(RULES, RULES.replace("require n <= water", "require n < water"), "--games", "0")

    (found,) = told["differences"]
    assert "nearly_dry" == found["example"]
    assert ["draw(1)"] == found["moves"]
    assert "there is not so much water" in found["says"]


def test_moves_that_show_a_difference_can_be_replayed(compare, tmp_path):
    rules = RULES.partition("example")[0]
    _, told = compare(rules, rules.replace("cups[turn] += n", "cups[next(turn)] += n"))
    old, new = (load(tmp_path / f"{name}.rules").start() for name in ("old", "new"))

    found = min(told["differences"], key=lambda each: len(each["moves"]))

    assert old.play(*found["moves"])["cups"] != new.play(*found["moves"])["cups"]


def test_no_difference_found_is_not_called_equal(compare):
    code, told = compare(RULES, RULES.replace("require n <= water", "require not n > water"), "--budget", "0")

    assert Exit.OK == code
    assert not told["equal"]
    assert [] == told["differences"]
    assert 20 == told["games"]


def test_readings_and_revisions_have_names(tmp_path, capsys):
    assert Exit.REFUTED == run(["compare", "nim", "nim:last_stick=loses", "--games", "5", "--draw"])
    assert "≠ score: points" in capsys.readouterr().out
    folder = tmp_path / "games"
    (folder / "well").mkdir(parents=True)
    (folder / "well/game.rules").write_text(RULES)
    git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    (folder / "well/game.rules").write_text(RULES.replace("n <= water", "n < water"))

    assert Exit.REFUTED == run(["compare", f"{folder}/well@HEAD", f"{folder}/well", "--games", "5"])
    assert "not legal any more" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nim", "nim:loses"], "`loses` in `nim:loses` is no choice"),
        (["nim@nowhere", "nim"], "git does not know `nim` at `nowhere`"),
        (["nim@--help", "nim"], "`--help` is no revision"),
        (["nim", "nimm"], "did you mean `nim`"),
        (["nim", "nim:last_stik=loses"], "last_stik"),
    ],
)
def test_what_cannot_be_compared_is_refused(words, says, capsys):
    assert Exit.BAD_INPUT == run(["compare", *words])
    assert says in capsys.readouterr().err
