"""Origin: where a core game comes from, so that its rules can be read again with other choices.

Reads:  nothing.   Writes: nothing; this file only says what has to be known to read rules again.
After:  two equal origins give equal games: the texts are part of an origin, not only the names of their files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256


class FileTexts:
    """The texts of files, by their absolute path; equal if all texts are."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = dict(texts)

    def get(self, path: str) -> str | None:
        """Return the text of a file; None if it is not one of these."""
        return self._texts.get(path)

    @cached_property
    def digest(self) -> str:
        """A hash of all names and texts."""
        found = sha256()
        for path, text in sorted(self._texts.items()):
            found.update(f"{path}\0{text}\0".encode(errors="replace"))
        return found.hexdigest()

    def __bool__(self) -> bool:
        return bool(self._texts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FileTexts) and (self._texts is other._texts or self.digest == other.digest)

    def __hash__(self) -> int:
        return hash(self.digest)


@dataclass(frozen=True, slots=True)
class Origin:
    """The files of a game, and what whoever loads it has chosen.

    files    of the rules, in reading order.       texts  what they and the files they name held; files that are not
    players  how many; None for the fewest.               among them are read from the disk.
    rulings  what was chosen, by the name of the ruling or of the option of the set-up, above the preset's choices, which
             stand above the defaults.
    data     values in place of the edition's: the name of a table, the number of the cell, the code.
    """

    files: tuple[str, ...]
    players: int | None = None
    rulings: tuple[tuple[str, str], ...] = ()
    preset: str | None = None
    edition: str | None = None
    map: str | None = None
    data: tuple[tuple[str, int, int], ...] = ()
    texts: FileTexts = FileTexts({})  # noqa: RUF009  (never changed)
