"""What changed: versions of a game kept from a repository, the history of each rule, and the page that tells it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from docutils import nodes
from jsonschema import Draft202012Validator

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.evidence.history import SCHEMA_FILE, RulePart, changes, of_rule, read_history
from pilgrim_rules.sphinx_ext.blocks.history import _parts, former_ids, history_block, what_changed
from pilgrim_rules.sphinx_ext.model import books

FIRST = """\
game well "Well"
    players 2..3 named ann, ben, cat

stages
    drawing by turn

state
    turn  : Player = ann
    water : 0..20 = 20

action draw(n: 1..3)
    require n <= water
        else "the well is empty"
    do
        water -= n
        turn = next(turn)

action wait
    do turn = next(turn)

action spill
    require water >= 1
        else "there is no water"
    do water = 0
"""
#: A comment, other words of a refusal, and a local name change nothing; a bucket holds more; waiting has another name.
SECOND = (
    FIRST.replace('else "the well is empty"', 'else "no water is left"')
    .replace("action draw(n: 1..3)", "action draw(n: 1..3)\n    ## Draw water.")
    .replace("require n <= water", "require n < water")
    .replace("action wait", "action rest")
    .replace("water = 0", "water = 0; turn = next(turn)")
)
THIRD = (
    SECOND.replace("action spill", "action pour").replace("require water >= 1", "require water >= 2")
    + "\naction look\n"
)


@pytest.fixture
def well(tmp_path: Path) -> Path:
    """A repository with a game of two revisions, a third one not yet in it, and the history of the first two."""
    folder = tmp_path / "games/well"
    folder.mkdir(parents=True)
    git = ["git", "-C", str(folder.parent), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q"], check=True, capture_output=True)
    for version, text in (("one", FIRST), ("two", SECOND)):
        (folder / "game.rules").write_text(text)
        for words in (["add", "."], ["commit", "-qm", version], ["tag", version]):
            subprocess.run([*git, *words], check=True, capture_output=True)
    (folder / "game.rules").write_text(THIRD)
    for version in ("one", "two"):
        kept = ["--history", str(tmp_path / "history"), "--date", "2026-01-01"]
        assert Exit.OK == run(["history", str(folder), "--as", version, "--at", version, *kept])
    return folder


def book_of(well: Path) -> books.Book:
    missing = well / "none.json"
    found = books._read(
        str(well), books.BookFiles(missing, missing, missing, well.parent.parent / "history/well.json"), None
    )
    object.__setattr__(found, "found_at", str(well))
    return found


def words(found: list[nodes.Node]) -> str:
    return "\n".join(node.astext() for node in found)


def test_only_what_means_something_else_has_changed(well: Path) -> None:
    one, two = read_history(well.parent.parent / "history/well.json").versions

    assert [
        ("draw", "changed", ("needs",), ""),
        ("rest", "renamed", (), "wait"),
        ("spill", "changed", ("does",), ""),
    ] == [(each.rule, each.kind, each.parts, each.former) for each in changes(one, two)]


def test_the_command_tells_what_has_changed_since_the_last_version(
    well: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    folder = str(well.parent.parent / "history")

    assert Exit.OK == run(["history", str(well), "--history", folder])
    out = capsys.readouterr().out
    assert "3 rules changed since two." in out
    assert "new pour" in out
    assert "gone spill" in out
    assert Exit.OK == run(["history", str(well), "--history", folder, "--renamed", "spill=pour"])
    assert "changed pour (called spill before; what it needs)" in capsys.readouterr().out


def test_the_file_is_as_its_schema_says_and_a_version_is_kept_once(well: Path) -> None:
    path = well.parent.parent / "history/well.json"
    before = path.read_bytes()
    again = ["--as", "two", "--at", "two", "--history", str(path.parent), "--date", "2026-01-01"]

    assert Exit.OK == run(["history", str(well), *again])
    assert before == path.read_bytes()
    Draft202012Validator(json.loads(SCHEMA_FILE.read_text())).validate(json.loads(before))


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--at", "nowhere"], "git does not know"),
        (["--renamed", "spill"], "write OLD=NEW"),
        (["--renamed", "spill=nosuch"], "has no rule `nosuch`"),
        (["--players", "3"], "is about 2 players"),
    ],
)
def test_a_mistake_has_a_message(well: Path, more: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert Exit.OK != run(["history", str(well), "--history", str(well.parent.parent / "history"), *more])
    assert says in capsys.readouterr().err


def test_a_rule_tells_its_versions_and_keeps_the_anchors_of_its_former_names(well: Path) -> None:
    book = book_of(well)
    rest, draw = (next(each for each in book.game.actions if each.name == name) for name in ("rest", "draw"))

    assert "two (2026-01-01): called “wait” before" in words(history_block(book, rest))
    assert ["rule-well-wait"] == former_ids(book, rest)
    assert (
        "two (2026-01-01): changed in what it needs\n\none (2026-01-01): as it was in the first version that is kept"
        in words(history_block(book, draw))
    )
    assert ["two", "one"] == [version.name for version, _ in of_rule(book.history, book.today, "draw")]


def test_a_page_lists_the_versions_with_what_changed_in_each(well: Path) -> None:
    shown = what_changed(book_of(well))
    text = words(shown)

    assert text.startswith("Versions: now · two · one")
    assert "Since the last version" in text
    assert text.index("Look") < text.index("two (2026-01-01)") < text.index("Rest") < text.index("one (2026-01-01)")


def test_rules_that_changed_in_the_same_way_stand_under_one_heading(well: Path) -> None:
    text = words(what_changed(book_of(well)))

    assert (
        "two (2026-01-01)\nChanged in what they need\nDraw\nChanged in what they do\nSpill\nUnder another name\nRest, called “wait” before"
        in text.replace("\n\n", "\n")
    )


@pytest.mark.parametrize(
    ("parts", "one", "said"),
    [
        (("when",), True, "who may use it or when"),
        (("needs", "does"), True, "what it needs and does"),
        (("when", "needs", "does"), False, "who may use them or when, and in what they need and do"),
    ],
)
def test_in_what_a_rule_changed_is_said_as_people_say_it(*, parts: tuple[RulePart, ...], one: bool, said: str) -> None:
    assert said == _parts(parts, one=one)


def test_without_a_history_nothing_is_made_up(well: Path) -> None:
    book = books._read(str(well), books.BookFiles(*[well / "none.json"] * 4), None)

    assert [] == [*what_changed(book), *history_block(book, book.game.actions[0])]
