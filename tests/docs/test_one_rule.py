"""The section "One rule, end to end" of the architecture page: its files exist, and a rule passes through each of them."""

import ast
import re
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from sphinx.testing.util import SphinxTestApp

from pilgrim_rules.api.game import load
from pilgrim_rules.language.load import read_game
from verifier.prove.run import verify

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/explain/architecture.rst").read_text("utf-8")
SECTION = PAGE.split("One rule, end to end")[1].split("Rules of the house")[0]
STEPS = re.findall(r"^\d+\. ``([\w/.-]+)``(?: \(``(\w+)``\))?", SECTION, re.MULTILINE)
RULES = """\
game steps "Steps"
    players 1..1 named ann

stages
    walking by ann
    over nobody

state
    at : 0..3 = 0

action walk(n: 1..2)                    ## One goes on.
    require at + n <= 3 else "the way is shorter"
    do
        at += n
        if at == 3:
            stage = over

invariant ends: (stage == over) == (at == 3)
"""


def files(first, last):
    """Return the Python files of some steps of the walk, counted from 1."""
    return {path for path, _ in STEPS[first - 1 : last] if path.endswith(".py")}


@contextmanager
def executed():
    """Collect the files of the project in which a function was called."""
    found, known, root = set(), set(), f"{ROOT}/"

    def note(frame, event, _argument):
        code = frame.f_code
        if event == "call" and code not in known:
            known.add(code)
            if code.co_name != "<module>" and code.co_filename.startswith(root):
                found.add(code.co_filename.removeprefix(root))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(before)


@pytest.fixture
def game_file(tmp_path, monkeypatch):
    monkeypatch.setenv("PILGRIM_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "steps.rules"
    path.write_text(RULES)
    return path


def test_the_walk_counts_its_files():
    assert len(STEPS) == len({path for path, _ in STEPS}) == int(re.search(r"It is (\d+) files", SECTION)[1])


@pytest.mark.parametrize(("path", "name"), STEPS)
def test_a_file_of_the_walk_has_what_the_page_says(path, name):
    text = (ROOT / path).read_text("utf-8")

    if name:
        tree = ast.parse(text)
        assert name in {node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    else:
        assert "action build_shrine(" in text


def test_a_text_passes_through_the_first_files_to_become_a_core(game_file):
    with executed() as found:
        load(game_file)

    assert set() == files(2, 12) - {"pilgrim_rules/core/ir.py"} - found


def test_a_move_passes_through_the_next(game_file):
    with executed() as found:
        state = load(game_file).start()
        state.play(state.moves()[0])
        state.play("walk(2)").why_not("walk(2)")

    assert set() == files(13, 19) - found


def test_a_proof_passes_through_the_next(game_file):
    core = read_game(game_file)
    with executed() as found:
        report = verify(core, names=("*ends/walk",), jobs=1, confirm=False, cache=False)

    # Nothing else was asked, so what the proof takes for granted is not proved here.
    assert ["proved if"] == [record.verdict for record in report.records]
    assert set() == files(20, 26) - found


def test_a_page_passes_through_the_last(game_file, tmp_path):
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "conf.py").write_text('extensions = ["pilgrim_rules.sphinx_ext"]\n')
    (pages / "index.rst").write_text(f"Steps\n=====\n\n.. rules:game:: ../{game_file.name}\n\n.. rules:whole::\n")
    with executed() as found:
        app = SphinxTestApp("html", srcdir=pages)
        app.build()
    app.cleanup()

    assert "the way is shorter" in (pages / "_build/html/index.html").read_text("utf-8")
    assert set() == files(27, 30) - found
