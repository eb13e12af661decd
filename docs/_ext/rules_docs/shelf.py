"""The shelf: each game with its inventory, its source text and its evidence, read once a build.

Reads:  spec files through pilgrim_rules, evidence files.   Writes: `Book`s.
After:  a page that used a book is rebuilt when one of the book's files changes, appears or disappears.

This is the only module that loads games.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple
from weakref import WeakKeyDictionary

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from pilgrim_rules import specs
from pilgrim_rules.clauses.inventory import Inventory
from pilgrim_rules.core import ir
from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.engine.game import Game
from pilgrim_rules.loading import load_rules
from pilgrim_rules.source import SourceFile, Span
from rules_docs.arranged import Arrangement, arrangements
from rules_docs.connections import parts_of_proofs
from rules_docs.evidence import Evidence, Part, read_evidence
from rules_docs.lessons import Lesson, read_lessons
from rules_docs.samples import Samples, read_samples
from rules_docs.status import Status
from rules_docs.telling import Moment, tell

__all__ = ["Book", "book", "outdated"]


@dataclass(frozen=True)
class Book:
    """A game as its pages need it."""

    game: ir.Game
    inventory: Inventory
    sources: dict[str, SourceFile]
    evidence: Evidence
    samples: Samples = field(default_factory=Samples)
    lessons: tuple[Lesson, ...] = ()
    files: tuple[Path, ...] = ()
    absent: tuple[Path, ...] = ()
    fingerprint: str = ""
    words_label: str = ""  #: the label of the page that explains the words of evidence
    folder: Path = Path()  #: of the pages
    _actions: dict[str, ir.Action] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_actions", {action.name: action for action in self.game.actions})

    @property
    def name(self) -> str:
        """The name of the game, the first part of every id."""
        return self.game.name

    def action(self, name: str) -> ir.Action | None:
        """Return a rule by its name."""
        return self._actions.get(name)

    def lines(self, span: Span) -> tuple[SourceFile, range] | None:
        """Return the file of a span and the lines it touches, counted from 1; None if its text is not at hand."""
        source = self.sources.get(span.file)
        if source is None:
            return None
        last = max(span.start, span.end - 1)
        while last > span.start and source.text[last].isspace():
            last -= 1
        return source, range(source.position(span.start)[0], source.position(last)[0] + 1)

    def path(self, ending: str) -> str | None:
        """Return one of the book's files, given by the end of its path, as seen from the pages; None if there is none."""
        found = (path for path in self.files if path.match(ending))
        return next((Path(os.path.relpath(path.resolve(), self.folder)).as_posix() for path in found), None)

    @cached_property
    def prints(self) -> dict[str, str]:
        """The fingerprint of each part of the rules as they are."""
        return Fingerprints(self.game).named()

    @cached_property
    def playable(self) -> Game:
        """The game as it is played, with what only claims read: examples speak of that too."""
        pages = {clause.id: clause.page for clause in self.inventory.clauses if clause.page}
        return Game(self.game, ghosts=True, pages=pages)

    @cached_property
    def german_pages(self) -> dict[str, str]:
        """The page of the German edition for each page of the English one, where the comparison of the two agrees."""
        found: dict[str, set[str]] = {}
        for each in self.inventory.differences:
            if each.page_en and each.page_de:
                found.setdefault(each.page_en, set()).add(each.page_de)
        return {english: german.pop() for english, german in found.items() if len(german) == 1}

    @cached_property
    def arrangements(self) -> dict[str, Arrangement]:
        """The positions that examples are given by name."""
        return arrangements(self.sources, self.game.examples)

    @cached_property
    def told(self) -> dict[str, tuple[Moment, ...]]:
        """The examples of the game, run."""
        return {example.name: tell(self.playable, example) for example in self.game.examples}

    def status(self, claim: str) -> Status:
        """Return what may be said about a claim or an example of today's text."""
        return self.evidence.status(claim)

    @cached_property
    def declared(self) -> dict[str, tuple[str, ...]]:
        """What has to be shown exactly once, by the kind of object."""
        game = self.game
        return {
            "rule": tuple(action.name for action in game.actions),
            "invariant": (*(claim.name for claim in game.claims), *(ranking.name for ranking in game.rankings)),
            "ruling": tuple(ruling.name for ruling in game.rulings),
            "example": tuple(example.name for example in game.examples),
            "arrangement": tuple(self.arrangements),
            "clause": self.inventory.ids(),
        }


class Data(NamedTuple):
    """The files about a game that others write."""

    evidence: Path
    mutants: Path
    samples: Path


_shelves: WeakKeyDictionary[BuildEnvironment, dict[str, Book]] = WeakKeyDictionary()


def book(env: BuildEnvironment, name: str) -> Book:
    """Return the book of a game, read on its first use in a build. RulesError if there is no such game.

    The game is given by its name, or by a rules file, relative to the folder of the pages.
    """
    shelf = _shelves.setdefault(env, {})
    if name not in shelf:
        where = str(Path(env.srcdir, name)) if name.endswith(specs.SUFFIX) else name
        stem, evidence = Path(name).stem, Path(env.srcdir, env.config.rules_evidence)
        samples = Path(env.srcdir, env.config.rules_samples, f"{stem}.json")
        data = Data(evidence / f"{stem}.json", evidence / f"{stem}.mutants.json", samples)
        found = _read(where, data, env.config.rules_players.get(name))
        shelf[name] = replace(found, words_label=env.config.rules_words_label, folder=Path(env.srcdir))
    return shelf[name]


def outdated(
    _app: Sphinx, env: BuildEnvironment, _added: set[str], _changed: set[str], _removed: set[str]
) -> Iterable[str]:
    """Return the pages that looked for a file that was not there and is now."""
    waiting: dict[str, list[str]] = env.domaindata.get("rules", {}).get("absent", {})
    return [docname for docname, paths in waiting.items() if any(Path(path).exists() for path in paths)]


def _read(name: str, data: Data, players: int | None) -> Book:
    loaded = load_rules(name, players=players)
    parts = [part for each in read_evidence(data.evidence) if (part := _today(name, loaded.game, each)) is not None]
    return Book(
        game=loaded.game,
        inventory=loaded.inventory or Inventory(),
        sources=loaded.bag.sources,
        evidence=Evidence(tuple(parts), parts_of_proofs(loaded.game)),
        samples=read_samples(data.samples),
        lessons=tuple(_standing(name, loaded.game, read_lessons(data.mutants))),
        files=(*_files(name), *(path for path in data if path.exists())),
        absent=tuple(path for path in data if not path.exists()),
        fingerprint=Fingerprints(loaded.game).whole,
    )


def _standing(name: str, game: ir.Game, lessons: Iterable[Lesson]) -> Iterator[Lesson]:
    """Yield the lessons that are told of the rules of today."""

    @cache
    def today(players: int) -> dict[str, str]:
        instance = _table(name, game, players)
        return {} if instance is None else Fingerprints(instance).named()

    for lesson in lessons:
        if lesson.stands(today(lesson.players)):
            yield lesson


def _table(name: str, game: ir.Game, players: int) -> ir.Game | None:
    """Return the game for so many players; None if it is not for so many any more."""
    try:
        return game if players == game.players else load_rules(name, players=players).game
    except RulesError:
        return None


def _today(name: str, game: ir.Game, part: Part) -> Part | None:
    """Return what counts of an instance; None if it is not the game of these pages: other rulings, another map."""
    usual = {ruling.name: ruling.default for ruling in game.rulings}
    if not part.usual or part.rulings != usual:
        return None
    instance = _table(name, game, part.players)
    if instance is None:
        return None
    return part.today(Fingerprints(instance).named(), parts_of_proofs(instance))


def _files(name: str) -> tuple[Path, ...]:
    """Return all files a game may be made of: its rules, and the data beside them."""
    rules = specs.find(name)
    folder = rules[0].parent
    return rules if folder.name == specs.SHELF else tuple(path for path in sorted(folder.iterdir()) if path.is_file())
