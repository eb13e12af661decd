"""Golden files: what the user sees for each bad file. `python -m tests.golden.transcript` writes them anew."""

import os
from pathlib import Path

from pilgrim_rules.diagnostics.frame import frames
from pilgrim_rules.loading import check

ROOT = Path(__file__).parent.parent.parent
BAD = sorted(path.relative_to(ROOT) for path in (ROOT / "tests/golden/bad").glob("*.rules"))


def transcript(path):
    """Return the frames of all mistakes in a file, which is named from the root of the project."""
    bag = check(path)
    return frames(bag, bag.sources) + "\n"


if __name__ == "__main__":
    os.chdir(ROOT)
    for path in BAD:
        path.with_suffix(".expect").write_text(transcript(path))
