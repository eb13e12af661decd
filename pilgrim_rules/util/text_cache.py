"""Cache: texts and bytes kept between runs, by key: compiled modules, checked games, tables of the parser.

Reads:  and writes files `<key><suffix>` in one folder.
After:  what is read is what was written: the first line holds the hash of the rest, and a file that does not match it is
        as good as absent. Writing is atomic, so processes do not disturb each other; a folder that cannot be written is
        no cache, and no mistake. What is read is executed, so a folder or file that is not ours, or that others can write,
        is refused for reading and writing, and that is said once.

The folder is $PILGRIM_CACHE (empty: no cache), or else `pilgrim-rules` in $XDG_CACHE_HOME or ~/.cache.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from pilgrim_rules.util import atomic_write

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
    data = read_bytes(key, suffix)
    try:
        return None if data is None else data.decode()
    except UnicodeDecodeError:
        return None


def write(key: str, text: str, suffix: str = ".py") -> None:
    """Keep the text under the key, if the cache can be written."""
    write_bytes(key, text.encode(), suffix)


def read_bytes(key: str, suffix: str) -> bytes | None:
    """Return the bytes kept under the key, if they are there and whole."""
    head, _, data = (_read(f"{key}{suffix}") or b"").partition(b"\n")
    return data if head == _head(data) else None


def write_bytes(key: str, data: bytes, suffix: str) -> None:
    """Keep the bytes under the key, if the cache can be written."""
    place = _trusted_folder(make=True)
    if place is not None:
        with suppress(OSError):  # no permission, a full disk
            atomic_write.write(place / f"{key}{suffix}", _head(data) + b"\n" + data)


def read_lines(key: str, suffix: str) -> list[str]:
    """Return the lines added under the key, those that are whole; one that was cut off is as good as absent."""
    found = []
    for line in (_read(f"{key}{suffix}") or b"").split(b"\n"):
        digest, _, data = line.partition(b" ")
        if data and digest == _digest(data):
            found.append(data.decode(errors="replace"))
    return found


def add_line(key: str, line: str, suffix: str) -> None:
    """Add a line under the key, if the cache can be written: by one write, so that processes do not disturb each other."""
    place, data = _trusted_folder(make=True), line.encode()
    if place is None:
        return
    with suppress(OSError):  # no permission, a full disk
        handle = os.open(place / f"{key}{suffix}", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            if _is_ours(place / f"{key}{suffix}", os.fstat(handle)):
                # The line before may have been cut off by a full disk: then only that one is lost.
                os.write(handle, b"\n" + _digest(data) + b" " + data + b"\n")
        finally:
            os.close(handle)


def _head(data: bytes) -> bytes:
    return (_MARK + sha256(data).hexdigest()).encode()


def _digest(data: bytes) -> bytes:
    return sha256(data).hexdigest()[:32].encode()


def _read(name: str) -> bytes | None:
    """Return the bytes of a file of the cache; None if it cannot be read or must not be trusted."""
    place = _trusted_folder()
    if place is None:
        return None
    try:
        with (place / name).open("rb") as file:
            return file.read() if _is_ours(place / name, os.fstat(file.fileno())) else None
    except OSError:
        return None


# ---------------------------------------------------------------------------------------------------------------- trust

_said: set[Path] = set()  #: what has been refused in this process


def _trusted_folder(*, make: bool = False) -> Path | None:
    """Return the folder of the cache if only we can change what is in it; None otherwise, or if there is none."""
    place = folder()
    if place is None:
        return None
    try:
        if make:
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
        return place if _is_ours(place, place.stat()) and all(map(_is_safe, place.resolve().parents)) else None
    except OSError:
        return None


def _is_ours(path: Path, found: os.stat_result) -> bool:
    """Return whether a file or folder belongs to us and nobody else can write it; if not, say so once."""
    if not hasattr(os, "geteuid"):  # Windows keeps the folders of users apart itself
        return True
    foreign, loose = found.st_uid != os.geteuid(), found.st_mode & 0o022
    if foreign or loose:
        _say(path, "it belongs to somebody else" if foreign else f"others can write it; run: chmod go-w {path}")
    return not foreign and not loose


def _is_safe(parent: Path) -> bool:
    """Return whether nobody else can put another folder in the place of one below; if not, say so once."""
    mode = parent.stat().st_mode
    if (
        not hasattr(os, "geteuid") or not mode & 0o002 or mode & 0o1000
    ):  # with the sticky bit only one's own can be moved
        return True
    _say(parent, "others can write it")
    return False


def _say(path: Path, why: str) -> None:
    if path not in _said:
        _said.add(path)
        with suppress(OSError, ValueError):  # nobody listens
            sys.stderr.write(f"pilgrim-rules: the cache `{path}` is not used: {why}\n")
