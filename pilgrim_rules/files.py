"""Files: written as a whole.

Reads:  text.   Writes: one file.
After:  the file holds the old text or the new one, however the writing ended, and nothing else is left behind. What is
        no plain file (a terminal, a pipe) is simply written to.
"""

from __future__ import annotations

import os
from pathlib import Path


def write(path: str | Path, text: str) -> None:
    """Write a file; OSError if that is not possible."""
    from tempfile import mkstemp  # noqa: PLC0415  (takes time to import, and most runs write nothing)

    target = Path(path).resolve()  # behind a link, so that the link stays
    data = text.encode()
    if target.exists() and not target.is_file():
        target.write_bytes(data)
        return
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o644
    handle, name = mkstemp(dir=target.parent, prefix=".unfinished-")
    unfinished = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(handle)  # or a machine that stops could keep the name and lose the text
        unfinished.chmod(mode)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
