"""The recipes of the contributor's page, followed step by step in a copy of the project."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from pilgrim_rules.language import find_game
from pilgrim_rules.util import text_cache
from tests.support.warm_cache import warm
from tests.support.zoo import CLASSICS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/contributing.rst").read_text("utf-8")
_BLOCK = re.compile(r"^\.\. code-block:: diff\n[ ]{3}:caption: (\S+)\n\n((?:[ ]{3}.*\n|\n)+)", re.MULTILINE)
#: Games of many files, which no recipe needs.
LARGE = sorted({*find_game.names()} - {*CLASSICS})


def steps(title):
    """Return the steps of a recipe: for each block its file, the text that goes and the text that comes."""
    section = re.search(rf"^{title}\n~+\n(.*?)(?=^[^\n]+\n[~-]{{4,}}\n|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert section, f"the page has no recipe {title!r}"
    for path, block in _BLOCK.findall(section[1]):
        lines = [line[3:] or " " for line in block.rstrip("\n").split("\n")]
        old = [line[1:] for line in lines if line[0] in " -"]
        new = [line[1:] for line in lines if line[0] in " +"]
        yield path, "\n".join(old), "\n".join(new)


class Copy:
    """A copy of the project in which recipes are followed."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("pilgrim_rules", "verifier", "spec"):
            # Byte code comes along, with the times of its sources: only what a recipe changes is compiled again.
            shutil.copytree(
                ROOT / name, folder / name, ignore=shutil.ignore_patterns(*LARGE) if name == "spec" else None
            )
        shutil.copytree(ROOT / "docs" / "reference", folder / "docs" / "reference")
        warm(folder / "cache", text_cache.folder())

    def follow(self, title, *, without=None):
        """Apply the steps of a recipe, all but those of one file."""
        for path, old, new in steps(title):
            if path == without:
                continue
            file = self.folder / path
            if not old:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(f"{new}\n", "utf-8")
                continue
            text = file.read_text("utf-8")
            assert 1 == text.count(f"\n{old}\n"), f"{path} has no such lines:\n{old}"
            file.write_text(text.replace(f"\n{old}\n", f"\n{new}\n"), "utf-8")

    def python(self, *words, given=""):
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.folder),
            "PILGRIM_CACHE": str(self.folder / "cache"),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        return subprocess.run(
            [sys.executable, *words],
            cwd=self.folder,
            env=environment,
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )

    def pilgrim(self, *words, code=0):
        done = self.python("-m", "pilgrim_rules", *words)
        assert code == done.returncode, done.stdout + done.stderr
        return done.stdout

    def write(self, name, text):
        (self.folder / name).write_text(dedent(text), "utf-8")


@pytest.fixture
def copy(tmp_path):
    return Copy(tmp_path)


# ------------------------------------------------------------------------------------------------------------- operator

GAME = """\
    game near "Near"
        players 1..1 named ann

    stages
        on by ann
        over nobody

    state
        here : 0..6 = 2

    action go(n: 0..6)
        require here apart n <= 2 else "too far"
        do
            here = n
            if n == 6:
                stage = over

    invariant end: (stage == over) == (here == 6)
    step no_leap: here' apart here <= 2

    example far
        refuse go(5)
        when go(4)
        expect here apart 1 == 3
    """
AGREE = """
from itertools import product
import pilgrim_rules as pr
from pilgrim_rules.core.operators import OPERATIONS
from pilgrim_rules.prose import say_action

game = pr.load("near.rules")
reference = game.code.reference
for state in range(7):
    start = game.start()
    data = game.layout.encode({"here": [state], "stage": [0]})
    compiled = [args[0] for args in game.code.candidates(data, 0)]
    assert compiled == [n for n in range(7) if abs(n - state) <= 2] == [
        args[0] for args in reference.legal(game.layout.decode(data), game.core.actions[0])
    ]
apart = OPERATIONS["apart"]
for lo, hi, low, high in product(range(-3, 4), repeat=4):
    if lo <= hi and low <= high:
        least, most = apart.interval((lo, hi), (low, high))
        assert all(
            least <= apart.meaning(a, b) <= most for a in range(lo, hi + 1) for b in range(low, high + 1)
        )
print(say_action(game.core, game.core.actions[0]).sections)
"""
#: What the verifier imports for all its back ends.
BACK_ENDS = "import verifier.smt.encode.expressions, verifier.explore.operators, verifier.mutate.changes, pilgrim_rules.prose, pilgrim_rules.engine.lower.expressions, pilgrim_rules.core.show_expr, pilgrim_rules.language.syntax.build_expressions"


def test_an_operator_is_added_by_its_steps(copy):
    copy.follow("An operator")
    copy.write("near.rules", GAME)

    done = copy.python("-c", AGREE)
    assert 0 == done.returncode, done.stderr
    assert "the difference of" in done.stdout.lower()
    copy.pilgrim("check", "near.rules")
    copy.pilgrim("fmt", "near.rules")
    assert "here apart n" in (copy.folder / "near.rules").read_text("utf-8")
    assert "here apart n" in copy.pilgrim("print", "near.rules")
    copy.pilgrim("prove", "near.rules", "--jobs", "1")
    copy.pilgrim("explore", "near.rules")
    copy.pilgrim("mutate", "near.rules", "--only", "go.*", "--games", "2")


@pytest.mark.parametrize(
    "path",
    [
        "pilgrim_rules/core/operators.py",
        "pilgrim_rules/core/show_expr.py",
        "pilgrim_rules/language/syntax/build_expressions.py",
        "pilgrim_rules/prose/words.py",
        "pilgrim_rules/engine/lower/expressions.py",
        "verifier/smt/encode/expressions.py",
        "verifier/explore/operators.py",
        "verifier/mutate/changes.py",
    ],
)
def test_a_back_end_that_was_not_told_of_an_operator_cannot_be_imported(copy, path):
    copy.follow("An operator", without=path)
    done = copy.python("-c", BACK_ENDS)

    assert 0 != done.returncode
    assert re.search(r"IncompleteTable: the table of .* lacks `apart`", done.stderr), done.stderr


# -------------------------------------------------------------------------------------------------------------- builtin


def test_a_builtin_function_is_added_by_its_steps(copy):
    copy.follow("A built-in function")
    squares = GAME.replace("here apart n <= 2", "square(n) <= 16").replace("apart 1 == 3", "== 4")
    squares = squares.replace("here' apart here <= 2", "square(here') >= 0")
    copy.write("near.rules", squares)

    copy.pilgrim("check", "near.rules")
    assert "go(4)\n" in copy.pilgrim("moves", "near.rules")
    assert "go(5)" not in copy.pilgrim("moves", "near.rules")
    copy.write("bad.rules", squares.replace("square(n)", "square(n, 1)"))
    done = copy.python("-m", "pilgrim_rules", "check", "bad.rules")
    assert "`square` takes 1 argument, not 2" in done.stdout + done.stderr


# --------------------------------------------------------------------------------------------------------------- report


def test_a_report_format_is_added_by_its_steps(copy):
    copy.follow("A report format")
    copy.pilgrim("prove", "nim", "--jobs", "1", "--no-confirm", "--tap", "out.tap", code=0)

    first, *lines = (copy.folder / "out.tap").read_text("utf-8").splitlines()
    assert f"1..{len(lines)}" == first
    assert lines
    assert all(re.match(r"ok \d+ - nim\.\S+: proved", line) for line in lines)


# ----------------------------------------------------------------------------------------------------------------- game


def test_a_game_is_added_by_its_steps(copy):
    copy.follow("A game")

    assert "race" in copy.pilgrim("games")
    copy.pilgrim("check", "race")
    copy.pilgrim("fmt", "--check", "race")
    copy.pilgrim("prove", "race", "--jobs", "1")
    assert "The game is over." in copy.pilgrim(
        "play", "race", "--seat", "ann=random", "--seat", "ben=greedy", "--seed", "1"
    )


def test_every_file_that_a_step_changes_is_there():
    titles = re.findall(r"^([^\n]+)\n~{4,}\n", PAGE, re.MULTILINE)

    assert ["An operator", "A built-in function", "A report format", "A game"] == titles
    assert [] == [path for title in titles for path, old, _ in steps(title) if old and not (ROOT / path).is_file()]
