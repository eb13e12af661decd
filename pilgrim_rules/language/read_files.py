"""Reading: the files of a game and what they import -> surface syntax trees.

Reads:  bytes.   Writes: one tree a file, imported ones first.
After:  each file is read once, modules apart; a file that is not text, is missing or imports itself is in the bag. Whoever asks for one
        number of players gets no examples that are for another: their text has not been looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.bag import Bag, Diagnostic
from pilgrim_rules.diagnostics.source import SourceFile, Span, decoded, shown
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.language import find_game
from pilgrim_rules.language.syntax import ast
from pilgrim_rules.language.syntax.parse import UnreadExample, parse_in_part

_InPart: TypeAlias = tuple[ast.Declaration | UnreadExample, ...]

MAX_BYTES = 1_000_000
PARSED = 64  #: trees of files that this process remembers


@dataclass(slots=True)
class GameFiles:
    """The files of a game, and the folder from which they name others."""

    folder: Path
    files: list[ast.File] = field(default_factory=list)
    modules: dict[str, ast.File] = field(default_factory=dict)  #: those that are used, by name
    _read: list[tuple[str, _InPart]] = field(default_factory=list)
    _seen: dict[Path, str] = field(default_factory=dict)
    _under_way: list[Path] = field(default_factory=list)

    def add(self, path: Path, asked: Span | None, bag: Bag) -> None:
        """Read a file and what it imports."""
        key = path.resolve()
        if key in self._under_way:
            ring = " imports ".join(f"`{each.name}`" for each in [*self._under_way[self._under_way.index(key) :], key])
            bag.add(codes.PR210, f"imports go round: {ring}", asked)
            return
        if key in self._seen:
            return
        self._seen[key] = str(path)
        source = read_text(path, asked, bag)
        if source is None:
            return
        self._under_way.append(key)
        bag.sources[source.name] = source
        parts, found = _parsed(source)
        for each in found:
            bag.put(each)
        for declaration in parts:
            if isinstance(declaration, ast.Import):
                self.add(path.parent / declaration.path.text, declaration.path.span, bag)
        self._under_way.pop()
        self._read.append((source.name, parts))
        self._read_modules(parts, bag)

    def finish(self, players: int | None, bag: Bag, *, whole: bool) -> None:
        """Read what is still to be read: everything if the whole is asked for, or else what is for this number of players."""
        known = [each for _, parts in self._read for each in parts]
        if players is None:
            players = next((_usual(each) for each in known if isinstance(each, ast.Game)), None)
        # What zones keep depends on who asks, and an example for any number of players may.
        whole = whole or players is None or any(isinstance(each, ast.Zones) for each in known)
        self.files = [ast.File(name, _whole(parts, None if whole else players, bag)) for name, parts in self._read]

    def _read_modules(self, parts: _InPart, bag: Bag) -> None:
        """Read the modules that a file uses, and those that they use; one that is missing is the business of `use_modules`."""
        for use in (each for each in parts if isinstance(each, ast.Use)):
            name = use.module.text
            places = () if name in self.modules else find_game.module_places(name, self.folder)
            for path in places:
                if bag.known(str(path.resolve())) is None and not path.is_file():
                    bag.absent.add(shown(path))
                    continue
                source = read_text(path, use.module.span, bag)
                if source is not None:
                    bag.sources[source.name] = source
                    parts, found = _parsed(source)
                    for each in found:
                        bag.put(each)
                    self.modules[name] = ast.File(source.name, _whole(parts, None, bag))
                    self._read_modules(parts, bag)
                break


def read_files(paths: Sequence[str | Path], bag: Bag, *, players: int | None = None, whole: bool = True) -> GameFiles:
    """Read the files of a game, in order, each after what it imports.

    whole    with all examples; without, those for another number of players are left out.
    players  that number; None stands for the one the rules name for whoever says none.
    """
    reading = GameFiles(Path(paths[0]).parent)
    for path in paths:
        reading.add(Path(path), None, bag)
    reading.finish(players, bag, whole=whole)
    return reading


def _usual(game: ast.Game) -> int | None:
    """Return for how many players a game is loaded if nobody says a number; None where the text is wrong."""
    low, high = game.players or (1, 1)
    asked = low if game.usual is None else game.usual
    return asked if low <= asked <= high else None


def _whole(parts: _InPart, players: int | None, bag: Bag) -> tuple[ast.Declaration, ...]:
    """Return declarations with the examples that are still to be read; if players are given, with those for as many."""
    found: list[ast.Declaration] = []
    for part in parts:
        if not isinstance(part, UnreadExample):
            found.append(part)
        elif players in (None, part.players):
            read, said = part.read
            found += read
            for each in said:
                bag.put(each)
    return tuple(found)


@lru_cache(maxsize=PARSED)
def _parsed(source: SourceFile) -> tuple[_InPart, tuple[Diagnostic, ...]]:
    """Return what has been read of a file, and what there is to say about it; parsing is half of the time that reading rules takes."""
    bag = Bag()
    return parse_in_part(source, bag), tuple(bag)


def read_text(path: Path, asked: Span | None, bag: Bag) -> SourceFile | None:
    """Return the text of a file; None if it cannot be read as text."""
    name = shown(path)
    try:
        known = bag.known(str(path.resolve()))
        if known is not None:
            return SourceFile(name, known)
        if path.exists() and not path.is_file():  # a folder, or a device that never ends
            raise OSError(0, "it is not a file")  # noqa: TRY301  (the same answer as for what the system refuses)
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as problem:
        code = codes.PR211 if asked else codes.PR701
        if isinstance(problem, FileNotFoundError):
            bag.add(code, f"there is no file `{name}`", asked, help=_similar_file(path))
        else:
            why = getattr(problem, "strerror", None) or str(problem)
            bag.add(code, f"`{name}` cannot be read: {why.lower()}", asked)
        return None
    if len(data) > MAX_BYTES:
        bag.add(codes.PR114, f"`{name}` is larger than {MAX_BYTES:,} bytes", asked)
        return None
    try:
        text = decoded(data)
    except UnicodeDecodeError as problem:
        help_ = f"byte {problem.start + 1} is no character; save the file as UTF-8"
        bag.add(codes.PR101, f"`{name}` is not text in UTF-8", asked, help=help_)
        return None
    if "\0" in text:
        bag.add(codes.PR101, f"`{name}` is not text", asked, help="it contains null characters")
        return None
    return SourceFile(name, text)


def _similar_file(path: Path) -> str | None:
    try:
        return did_you_mean(path.name, [found.name for found in path.parent.glob(f"*{path.suffix}")])
    except (OSError, ValueError):
        return None
