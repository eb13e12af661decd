"""The how-to `your_own_rulebook`: its files and commands, followed with the wheel alone, give a rulebook without a warning."""

import os
import re
import shlex
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

from tests.support.page_files import page_files

PAGE = Path(__file__).parents[2] / "docs/howto/your_own_rulebook.rst"
#: The commands of the page, as modules of the Python that runs the tests.
COMMANDS = {"sphinx-build": "sphinx", "pilgrim": "pilgrim_rules"}


@pytest.fixture(scope="module")
def follow(wheel_site, tmp_path_factory):
    """Write the files of the page into a fresh folder; return it, and a function that runs a block of commands there."""
    files = page_files(PAGE)
    folder = tmp_path_factory.mktemp("rulebook")
    for name in ("conf.py", "index.rst", "twenty_one.rules"):
        (folder / name).write_text(files[name], "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(wheel_site)}

    def run(block):
        for line in files[block].splitlines():
            program, *words = shlex.split(line)
            command = words if program == "python" else ["-m", COMMANDS[program], *words]
            done = subprocess.run(
                [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True, check=False
            )
            assert 0 == done.returncode, f"{line}\n{done.stdout}\n{done.stderr}"

    return folder, run


def page(folder):
    return (folder / "_build/index.html").read_text("utf-8")


def test_the_project_of_the_page_is_built_from_the_wheel(follow):
    folder, run = follow
    run("build")

    assert "The player goes on counting by one, two or three." in page(folder)
    assert "5</span>" in page(folder), "the session was run"
    assert "○ open" in page(folder)


def test_it_has_what_the_rulebooks_of_shipped_games_have(follow):
    """A board to play on, how it is scored, the round on a card, why a move is refused, words, and a search that finds them."""
    folder, run = follow
    run("build")
    shown, built = page(folder), folder / "_build"

    for title in ("Play it here", "How it ends", "The round on a card", "Why not?", "What is guaranteed", "Words"):
        assert re.search(rf"<h\d>{re.escape(title)}<", shown), title
    assert 'data-game="twenty_one"' in shown
    assert "that is beyond twenty-one" in (built / "_static/play/twenty_one.js").read_text("utf-8")
    found = (built / "_static/rules_search.js").read_text("utf-8")
    assert "That is beyond twenty-one" in found
    assert '"Say"' in found
    assert '"Tie: who wins"' in found


def test_the_pages_bring_their_style_and_script(follow):
    folder, run = follow
    run("build")

    for name in re.findall(r'(?:href|src)="(_static/(?:rules\.css|player\.js))', page(folder)):
        assert (folder / "_build" / name).is_file()
    assert "_static/rules.css" in page(folder)
    assert "_static/player.js" in page(folder)


def test_records_are_shown_when_the_page_is_built_again(follow):
    folder, run = follow
    run("records")
    run("build")

    assert "✓ proved" in page(folder)
    assert "rules-play" in page(folder), "a recorded game to step through"
    parts = "".join(path.read_text("utf-8") for path in (folder / "_build").glob("index-*.html"))
    assert "pr.load('twenty_one.rules', players=2)" in unescape(re.sub(r"<[^>]+>", "", parts))


def test_every_setting_is_on_the_page(follow):
    """The table of the page has every setting that the extension registers."""
    source = (PAGE.parents[2] / "pilgrim_rules/sphinx_ext/__init__.py").read_text("utf-8")
    registered = set(re.findall(r'add_config_value\(\s*"(\w+)"', source))

    assert registered == set(re.findall(r"\* - ``(rules_\w+)``", PAGE.read_text("utf-8")))
