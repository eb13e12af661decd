"""The hash of our own code: the same as long as no file changes, and no file is read again until then."""

import os
import sys
from pathlib import Path

import pytest

from pilgrim_rules.util.code_hash import code_hash


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Return the folder of a package with a file in it and one below."""
    monkeypatch.setenv("PILGRIM_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(tmp_path)
    folder = tmp_path / "sample_package"
    (folder / "inner").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "inner" / "part.py").write_text("x = 1\n")
    yield folder
    sys.modules.pop("sample_package", None)


def hashed():
    return code_hash.__wrapped__("sample_package")


def test_a_file_that_changes_gives_another_hash(package):
    before = hashed()
    (package / "inner" / "part.py").write_text("x = 22\n")

    assert before != hashed()


@pytest.mark.parametrize("name", ["more.py", "more.lark", "inner/more.py"])
def test_a_new_file_gives_another_hash(package, name):
    before = hashed()
    (package / name).write_text("")

    assert before != hashed()


def test_a_file_of_another_kind_is_not_asked(package):
    before = hashed()
    (package / "notes.txt").write_text("")

    assert before == hashed()


def test_a_file_that_is_only_touched_keeps_the_hash(package):
    before = hashed()
    os.utime(package / "__init__.py", ns=(1, 1))

    assert before == hashed()


def test_files_are_read_once(package, monkeypatch):
    before = hashed()
    monkeypatch.setattr(Path, "read_bytes", None)

    assert before == hashed()
