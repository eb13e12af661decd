"""A reworded clause marks what cites it, until somebody has compared the rules with its new words."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.inputs.clauses.reviews import read_reviews
from pilgrim_rules.language import find_game
from pilgrim_rules.language.load import load_rules


@pytest.fixture
def nim(tmp_path):
    """Give a copy of a game with clauses, every one reviewed."""
    folder = tmp_path / "nim"
    shutil.copytree(Path(find_game.find("nim")[0]).parent, folder)
    (folder / "data/reviewed.json").unlink(missing_ok=True)
    assert Exit.OK == run(["review", str(folder), "--accept-all"])
    return folder


def reword(folder, before, after):
    clauses = folder / "data/clauses.toml"
    text = clauses.read_text()
    assert before in text
    clauses.write_text(text.replace(before, after))


def test_a_reworded_clause_is_to_be_reviewed_until_it_is_accepted(nim, capsys):
    reword(nim, "Sticks are laid out in three heaps", "Stones are laid out in three heaps")
    capsys.readouterr()

    assert Exit.REFUTED == run(["review", str(nim)])
    out = capsys.readouterr().out
    assert "1 clause is to be reviewed" in out
    assert "NIM-1: Stones are laid out" in out
    assert "variable heap" in out
    assert Exit.OK == run(["review", str(nim), "--accept", "NIM-1"])
    assert Exit.OK == run(["review", str(nim)])


def test_a_new_clause_is_to_be_reviewed(nim, capsys):
    with (nim / "data/clauses.toml").open("a") as file:
        file.write('\n[[clause]]\nid = "NIM-99"\nsection = "Play"\nkind = "guard"\ntext = "It is new."\n')
    capsys.readouterr()

    assert Exit.REFUTED == run(["review", str(nim), "--format", "json"])
    assert {"NIM-99": []} == json.loads(capsys.readouterr().out)["to_review"]


def test_where_nobody_keeps_reviews_nothing_is_to_be_reviewed(nim, capsys):
    (nim / "data/reviewed.json").unlink()
    capsys.readouterr()

    assert Exit.OK == run(["review", str(nim)])
    assert "No reviews are kept" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["{", "[]", '{"format": "pilgrim-rules/reviewed/1", "clauses": 7}', "\x00"])
def test_a_damaged_file_of_reviews_is_refused_and_left_as_it_is(nim, text, capsys):
    path = nim / "data/reviewed.json"
    path.write_text(text)

    assert Exit.BAD_INPUT == run(["review", str(nim), "--accept-all"])
    assert "reviewed.json" in capsys.readouterr().err
    assert text == path.read_text()


def test_a_clause_that_is_not_there_cannot_be_accepted(nim, capsys):
    assert Exit.BAD_INPUT == run(["review", str(nim), "--accept", "NIM-11"])
    assert "there is no clause `NIM-11`; did you mean `NIM-1`?" in capsys.readouterr().err


@pytest.mark.parametrize("name", find_game.names())
def test_the_rules_of_every_shipped_game_were_compared_with_the_words_of_its_clauses(name):
    inventory = load_rules(name).inventory
    if inventory is not None:
        reviews = read_reviews(inventory)
        assert reviews.kept is not None
        assert () == reviews.to_review(inventory)
