"""Watched files: what a game is made of, and whether it has changed."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from pilgrim_rules.diagnostics.bag import Bag, RulesError
from pilgrim_rules.language import find_game
from pilgrim_rules.language.read_files import read_files


def syntax_print(name: str) -> str | None:
    """Return the hash of what the files of a game say, comments and layout left aside; None if they have mistakes."""
    try:
        bag = Bag()
        found = read_files(tuple(map(str, find_game.find(name))), bag)
        bag.stop_if_errors()
        data = [path.read_bytes() for path in sorted(find_game.files_of(name)) if path.suffix != ".rules"]
        parts = [repr(file.declarations).encode() for file in (*found.files, *found.modules.values())]
    except (RulesError, OSError):
        return None
    return sha256(b"\0".join([*parts, *data])).hexdigest()


def file_stamps(name: str) -> dict[Path, tuple[int, int]]:
    """Return the files a game may be made of, with when they were written and how long they are."""
    found: dict[Path, tuple[int, int]] = {}
    with suppress(RulesError, OSError):  # a file is being written, or replaced
        for path in find_game.files_of(name):
            stat = path.stat()
            found[path] = stat.st_mtime_ns, stat.st_size
    return found


def have_changed(name: str, before: dict[Path, tuple[int, int]]) -> bool:
    """Return whether files were written, made or removed since they looked so."""
    return file_stamps(name) != before
