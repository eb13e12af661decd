"""Project: the game that a file belongs to, as an editor has it open.

Reads:  a rules file, and texts that stand in place of those on the disk.   Writes: `Project`: trees, names, clauses, mistakes.
After:  a project is a snapshot: it does not change when somebody types on.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pilgrim_rules.core.origin import FileTexts, Origin
from pilgrim_rules.diagnostics.bag import Bag, Diagnostic, RulesError
from pilgrim_rules.diagnostics.source import SourceFile, shown
from pilgrim_rules.inputs.clauses.inventory import Inventory
from pilgrim_rules.language import find_game, instances
from pilgrim_rules.language.passes import inventory_of
from pilgrim_rules.language.read_files import read_files
from pilgrim_rules.language.syntax import ast


@dataclass(frozen=True)
class Project:
    """A game as an editor has it open.

    origin     its files, and the texts that stand in place of those on the disk.
    sources    the texts of its rules by the name that mistakes and places give.
    trees      of those files that can be parsed, as far as they can.
    inventory  what the rulebook says, if the game names one.
    """

    origin: Origin
    sources: Mapping[str, SourceFile]
    trees: tuple[ast.File, ...]
    inventory: Inventory | None

    @property
    def name(self) -> str:
        """The folder or file by which other commands know the game."""
        first = Path(self.origin.files[0])
        return str(first.parent if first.name == find_game.HEAD else first)

    def source(self, path: Path) -> SourceFile | None:
        """Return the text of one of its rules files."""
        return self.sources.get(shown(path))

    @cached_property
    def mistakes(self) -> tuple[Diagnostic, ...]:
        """Every mistake and warning, for every number of players. It takes as long as `pilgrim check`."""
        try:
            return tuple(instances.check(self.origin))
        except RulesError as refused:
            return refused.diagnostics


def open_project(path: Path, texts: Mapping[str, str]) -> Project:
    """Return the game that a rules file belongs to; `texts` are those of open files by absolute path."""
    files = find_game.find(game_of(path))
    origin = Origin(tuple(map(str, files)), texts=FileTexts(texts))
    bag = Bag(known=origin.texts.get)
    reading = read_files(origin.files, bag)
    inventory = None
    with suppress(RulesError):
        _, inventory = inventory_of(reading, bag)
    return Project(origin, dict(bag.sources), tuple(reading.files), inventory)


def game_of(path: Path) -> Path:
    """Return the folder or the file of the game that a rules file belongs to."""
    path = path.resolve()
    for folder in (path.parent, path.parent.parent):
        if (folder / find_game.HEAD).is_file() and path in {each.resolve() for each in find_game.find(folder)}:
            return folder
    return path
