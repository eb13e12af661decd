"""The text of a move: written and taken apart in one module."""

import re
from pathlib import Path

import pytest

from pilgrim_rules.core.ir import Action, Parameter, Type
from pilgrim_rules.core.move_text import ParsedMove, action_name, move_text, parse_move

ROOT = Path(__file__).parent.parent.parent
NUMBER = Type("0..9", "int", 0, 9)
PAIR = Type("Cell", "pair", 0, 99, parts=(NUMBER, NUMBER))


def action(*params):
    return Action("go", "action", params, (), (), ())


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ((), "go"),
        ((3,), "go(3)"),
        ((42,), "go((4, 2))"),
    ],
)
def test_a_move_is_its_action_with_the_arguments_in_brackets(args, expected):
    types = {0: (), 1: (Parameter("n", PAIR if args == (42,) else NUMBER),)}[len(args)]

    assert expected == move_text(action(*types), args)


def test_a_default_is_left_out_and_what_follows_is_named():
    params = (Parameter("n", NUMBER), Parameter("m", NUMBER, 1), Parameter("k", NUMBER))

    assert "go(2, 3, 4)" == move_text(action(*params), (2, 3, 4))
    assert "go(2, k=4)" == move_text(action(*params), (2, 1, 4))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("go", ParsedMove("go")),
        (" go ( 2 , k = 4 ) ", ParsedMove("go", ("2",), {"k": "4"})),
        ("go((4, 2))", ParsedMove("go", ("(4, 2)",))),
    ],
)
def test_a_text_is_taken_apart(text, expected):
    assert expected == parse_move(text)
    assert expected.action == action_name(text)


@pytest.mark.parametrize("text", ["", "go(", "go(k=1, 2)", "go(k=1, k=2)"])
def test_a_text_that_is_no_move_is_refused(text):
    with pytest.raises(ValueError, match="`"):
        parse_move(text)


#: Names of stages carry values in brackets as well.
STAGES = {
    "pilgrim_rules/core/show.py",
    "pilgrim_rules/prose/english.py",
    "pilgrim_rules/sphinx_ext/lists/object_lists.py",
    "pilgrim_rules/sphinx_ext/lists/player_pages.py",
}


def test_no_other_module_takes_the_text_of_a_move_apart():
    files = [path for folder in ("pilgrim_rules", "verifier") for path in (ROOT / folder).rglob("*.py")]
    found = {
        path.relative_to(ROOT).as_posix()
        for path in files
        if re.search(r"""(partition|split)\(["']\(["']\)""", path.read_text())
    }

    assert {"pilgrim_rules/core/move_text.py"} == found - STAGES
