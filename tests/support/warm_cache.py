"""A cache of one's own that begins with what others have made before: loading a game again takes a tenth of the time."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

#: What is named by a hash of all that it was made from, our own code included. Verdicts are not among it: tests prove.
MADE_BEFORE = (".game", ".py", ".code", ".cwasm", ".json", ".makers")


def warm(folder: Path, other: Path | None) -> Path:
    """Make a folder for a cache, with the checked and compiled games and the parser of another one, which stays as it is."""
    folder.mkdir(mode=0o700, exist_ok=True)
    for path in [] if other is None or not other.is_dir() else other.iterdir():
        if path.suffix in MADE_BEFORE and not (folder / path.name).exists():
            try:
                os.link(path, folder / path.name)  # nobody writes into such a file: it is replaced
            except OSError:
                with suppress(OSError):  # somebody else tidies up
                    shutil.copyfile(path, folder / path.name)
    return folder
