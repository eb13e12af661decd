"""Whatever is given as a game, the answer is a list of clear mistakes: never an exception, never a word of lark's.

How soon it comes is measured by `make bench`.
"""

import pytest

from pilgrim_rules.diagnostics.codes import all_codes
from pilgrim_rules.diagnostics.frames import frames
from pilgrim_rules.language.load import check
from tests.support.hard_texts import HEAD, TEXTS

CODES = {code.id for code in all_codes()}


@pytest.fixture
def said(tmp_path, monkeypatch):
    """Return a function that checks a text, or files, and gives the ids of what was said."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PILGRIM_CACHE", "")

    def run(content, **files):
        for name, text in {"game.rules": content, **files}.items():
            data = text if isinstance(text, bytes) else text.encode()
            (tmp_path / name.replace("_toml", ".toml").replace("_rules", ".rules")).write_bytes(data)
        bag = check("game.rules")
        shown = frames(bag, bag.sources)
        for word in ("lark", "Token", "LPAR", "_NL", "__ANON", "Traceback", "Error"):
            assert word not in shown
        return [found.code.id for found in bag]

    return run


@pytest.mark.parametrize("name", TEXTS)
def test_any_text_is_answered_clearly(name, said):
    text, expected = TEXTS[name]
    found = said(text)

    assert expected in (None, found)
    assert CODES.issuperset(found)
    assert expected != [] or not found


def test_files_may_not_import_each_other(said):
    assert ["PR210"] == said(HEAD + 'import "b.rules"\n', b_rules='import "c.rules"\n', c_rules='import "b.rules"\n')


def test_a_file_that_is_imported_twice_is_read_once(said):
    imports = 'import "b.rules"\nimport "c.rules"\n'
    assert [] == said(imports + HEAD, b_rules="enum A: a\n", c_rules='import "b.rules"\nenum B: b\n')


@pytest.mark.parametrize("content", [b"\xff", b"[", b"x = " + b"[" * 5_000, b"a = 1\na = 2\n", b"x = " + b"9" * 9_000])
def test_broken_data_files_are_mistakes_of_the_user(said, content):
    rules = HEAD.replace("game small\n", 'game small\n    clauses "clauses.toml"\n    edition "edition.toml"\n')
    rules += 'graph Map of Cell from "map.toml" sides Side\n    terrain : bool\n'
    found = said(rules, clauses_toml=content, edition_toml=content, map_toml=content)

    assert found
    assert {"PR701", "PR702"}.issuperset(found)


def test_labels_of_a_type_that_cannot_be_read_are_not_reported_one_by_one(said):
    rules = HEAD + 'graph Map of Cell from "none.toml"\nstate\n    at : Cell = a1\ndef home() = at == a1 or at == b2\n'

    assert ["PR701"] == said(rules)
