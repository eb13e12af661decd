"""Golden files: what the user sees for each bad file.

A `.rules` file is checked as it is; a `.game` file holds what is written on the command line instead; the files in
`MADE` are too large to be kept and are made for the test.
"""

from pathlib import Path

from pilgrim_rules.diagnostics.frames import frames
from pilgrim_rules.language.load import check

ROOT = Path(__file__).parent.parent.parent
FOLDER = Path("tests/golden/bad")

MADE = {
    "PR107_line_too_long": "def long() = coins" + " + coins" * 3000 + "\n",
    "PR114_file_too_large": "# a line that says nothing\n" * 40_000,
}
CASES = sorted({path.stem for path in (ROOT / FOLDER).iterdir() if path.suffix in (".rules", ".game")} | MADE.keys())


def expected(case):
    """Return the file that holds what is shown."""
    return ROOT / FOLDER / f"{case}.expect"


def found(case, made):
    """Return the bag of all mistakes; files that are made stand in the folder `made`, which is the one at hand."""
    if case in MADE:
        path = made / f"{case}.rules"
        path.write_text(MADE[case])
        return check(path.name)
    asked = FOLDER / f"{case}.game"
    return check(asked.read_text().strip() if asked.exists() else FOLDER / f"{case}.rules")


def transcript(bag):
    """Return the frames of all mistakes as they are printed."""
    return frames(bag, bag.sources) + "\n"
