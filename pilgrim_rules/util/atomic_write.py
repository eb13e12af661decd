"""Atomic writing: a file is written as a whole, or stays as it was.

Reads:  text or bytes.   Writes: one file.
After:  the file holds the old text or the new one, however the writing ended, and nothing else is left behind. What is
        no plain file (a terminal, a pipe) is simply written to. Whoever reads a file to write it again does so in
        `alone_in` its folder, and loses nothing that another process writes meanwhile.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any


def write(path: str | Path, text: str | bytes) -> None:
    """Write a file; OSError if that is not possible."""
    from tempfile import mkstemp  # noqa: PLC0415  (takes time to import, and most runs write nothing)

    target = Path(path).resolve()  # behind a link, so that the link stays
    data = text if isinstance(text, bytes) else text.encode()
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


def write_json(path: Path, data: Any) -> None:
    """Write data as JSON; the folder is made if need be."""
    import json  # noqa: PLC0415  (as above)

    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, json.dumps(data, ensure_ascii=False, indent=1) + "\n")


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Wait until nobody else is in here for the same folder; the system lets go of it when a process ends, however it ends.

    Without locks of this kind (not a Unix, or a file system that has none) nobody waits.
    """
    try:
        import fcntl  # noqa: PLC0415  (there is none on Windows)
    except ImportError:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
