"""The changelog of the next release, as towncrier would write it."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("towncrier", reason="needs pip install towncrier")
ROOT = Path(__file__).parents[2]


def test_every_fragment_has_its_place_in_the_next_changelog():
    command = [sys.executable, "-m", "towncrier", "build", "--draft", "--version", "9.9.9", "--date", "2030-01-01"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    fragments = list((ROOT / "docs/changelog.d").glob("*.*.rst"))

    assert 0 == done.returncode, done.stderr
    assert "9.9.9 (2030-01-01)" in done.stdout
    assert len(fragments) == sum(line.startswith("- ") for line in done.stdout.splitlines())
    assert " ()" not in done.stdout


def test_a_fragment_says_what_kind_of_change_it_is():
    kinds = {each.suffixes[-2] for each in (ROOT / "docs/changelog.d").glob("*.*.rst")}

    assert kinds <= {".feature", ".fix", ".rules", ".removal"}
