"""A hash of our own code, so that what another version has cached is never used.

Reads:  the source files of packages of this project.   Writes: a line of the cache.
After:  any change to a file of those packages, at any depth, gives another hash.

Files are read only if one of them is new, or has another size or time than when they were read last: what Python itself asks before it uses the
byte code of a module.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from pilgrim_rules.util import text_cache

SUFFIXES = (".lark", ".py")
_KEPT = ".code"


@cache
def code_hash(*packages: str) -> str:
    """Return the hash of all source files below some packages; raises OSError if one cannot be read."""
    specs = [find_spec(package) for package in packages]
    folders = [folder for spec in specs if spec is not None for folder in spec.submodule_search_locations or ()]
    files = [(folder, *found) for folder in folders for found in sorted(_files(folder))]
    key = sha256(repr(files).encode()).hexdigest()
    known = text_cache.read(key, _KEPT)
    if known is None:
        digest = sha256()
        for folder, path, _, _ in files:
            name = Path(path).relative_to(folder).as_posix()
            digest.update(name.encode() + b"\0" + Path(path).read_bytes() + b"\0")
        known = digest.hexdigest()
        text_cache.write(key, known, _KEPT)
    return known


def _files(folder: str) -> Iterator[tuple[str, int, int]]:
    """Yield the source files below a folder, with their sizes and times."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _files(entry.path)
            elif entry.name.endswith(SUFFIXES):
                found = entry.stat()
                yield entry.path, found.st_size, found.st_mtime_ns
