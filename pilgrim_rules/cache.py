"""Cache: texts kept between runs, by key: compiled modules, checked games, tables of the parser.

Reads:  and writes files `<key><suffix>` in one folder.
After:  a text read is the text written: the first line holds the hash of the rest, and a file that does not match it is
        as good as absent. Writing is atomic, so processes do not disturb each other; a folder that cannot be written is
        no cache, and no mistake.

The folder is $PILGRIM_CACHE (empty: no cache), or else `pilgrim-rules` in $XDG_CACHE_HOME or ~/.cache.
"""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from pilgrim_rules import files

_MARK = "# sha256 "


def folder() -> Path | None:
    """Return the folder of the cache; None if there is to be none."""
    own = os.environ.get("PILGRIM_CACHE")
    if own is not None:
        return Path(own) if own else None
    base = os.environ.get("XDG_CACHE_HOME", "")
    try:
        return (Path(base) if base.startswith("/") else Path.home() / ".cache") / "pilgrim-rules"
    except RuntimeError:  # a user without a home
        return None


def read(key: str, suffix: str = ".py") -> str | None:
    """Return the text kept under the key, if it is there and whole."""
    place = folder()
    if place is None:
        return None
    try:
        head, _, text = (place / f"{key}{suffix}").read_text("utf-8").partition("\n")
    except (OSError, UnicodeDecodeError):
        return None
    return text if head == _head(text) else None


def write(key: str, text: str, suffix: str = ".py") -> None:
    """Keep the text under the key, if the cache can be written."""
    place = folder()
    if place is None:
        return
    with suppress(OSError):  # no permission, a full disk
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        files.write(place / f"{key}{suffix}", f"{_head(text)}\n{text}")


def _head(text: str) -> str:
    return _MARK + sha256(text.encode()).hexdigest()
