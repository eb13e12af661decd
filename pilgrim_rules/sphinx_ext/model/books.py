"""Books: each game with its inventory, its source text and its evidence, read once a build.

Reads:  spec files through pilgrim_rules, evidence files.   Writes: `Book`s.
After:  a page that used a book is rebuilt when one of the book's files changes, appears or disappears.

This is the only module that loads games.
"""

from __future__ import annotations

import gc
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple
from weakref import WeakKeyDictionary

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from pilgrim_rules.api.game import Game
from pilgrim_rules.core import ir
from pilgrim_rules.core.fingerprint import Fingerprints, game_fingerprint
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.diagnostics.source import SourceFile, Span
from pilgrim_rules.engine.rules import Rules
from pilgrim_rules.evidence import files as evidence_files
from pilgrim_rules.evidence.history import History, Version, read_history, version_of
from pilgrim_rules.evidence.judged import JudgedEvidence, JudgedInstance, parts_of
from pilgrim_rules.evidence.mutant_results import MutantResult, read_lessons
from pilgrim_rules.evidence.status import Status
from pilgrim_rules.inputs.clauses.inventory import Inventory
from pilgrim_rules.inputs.clauses.reviews import read_reviews
from pilgrim_rules.language import find_game, instances
from pilgrim_rules.language.editions import EditionComparison, compare_editions
from pilgrim_rules.language.load import load_rules
from pilgrim_rules.prose.lint import names_of
from pilgrim_rules.sphinx_ext.model.all_examples import BookExample, all_examples, rules_of
from pilgrim_rules.sphinx_ext.model.arrangements import Arrangement, arrangements
from pilgrim_rules.sphinx_ext.model.connections import parts_of_proofs
from pilgrim_rules.sphinx_ext.model.run_examples import RunExamples
from pilgrim_rules.sphinx_ext.model.samples import Samples, read_samples
from pilgrim_rules.sphinx_ext.nodes import picture_files
from pilgrim_rules.util.identity_cache import cache_by_identity

__all__ = ["Book", "book", "outdated"]


@dataclass(frozen=True)
class Book:
    """A game as its pages need it."""

    game: ir.Game
    inventory: Inventory
    sources: dict[str, SourceFile]
    evidence: JudgedEvidence
    samples: Samples = field(default_factory=Samples)
    lessons: tuple[MutantResult, ...] = ()
    history: History = field(default_factory=History)
    files: tuple[Path, ...] = ()
    absent: tuple[Path, ...] = ()
    fingerprint: str = ""
    words_label: str = ""  #: the label of the page that explains the words of evidence
    folder: Path = Path()  #: of the pages
    picture_folder: Path | None = (
        None  #: where pictures are kept that stand in files of their own; without pages, nowhere
    )
    given: str = ""  #: the game as the pages name it: by its name, or by its place as seen from their folder
    found_at: str = ""  #: the same as seen from anywhere
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
        return _prints(self.game)

    @cached_property
    def playable(self) -> Game:
        """The game as it is played, with what only claims read: examples speak of that too."""
        pages = {clause.id: clause.page for clause in self.inventory.clauses if clause.page}
        return Game(self.game, ghosts=True, pages=pages)

    @cached_property
    def without_ghosts(self) -> Rules:
        """The game as it is played where nobody asks about claims."""
        return Rules(self.game, pages=self.playable.pages)

    @cached_property
    def comparison(self) -> EditionComparison:
        """In what the editions that the rules declare differ."""
        return compare_editions(self.found_at)

    @cached_property
    def german_pages(self) -> dict[str, str]:
        """The page of the German edition for each page of the English one, where the comparison of the two agrees."""
        found: dict[str, set[str]] = {}
        for each in self.inventory.differences:
            if each.page_en and each.page_de:
                found.setdefault(each.page_en, set()).add(each.page_de)
        return {english: german.pop() for english, german in found.items() if len(german) == 1}

    @cached_property
    def to_review(self) -> frozenset[str]:
        """The clauses that were reworded since the rules were compared with them."""
        return frozenset(read_reviews(self.inventory).to_review(self.inventory))

    @cached_property
    def today(self) -> Version:
        """The rules as they are, for the number of players that the history is about."""
        game = _table(self.found_at, self.game, self.history.players) if self.history.players else self.game
        return version_of(game or self.game, self.inventory)

    @cached_property
    def other_tables(self) -> tuple[ir.Game, ...]:
        """The game for every other number of players; its evidence has been judged by them, so they are known."""
        others = (players for players in self.game.seats if players != self.game.players)
        found = (_table(self.found_at, self.game, players) for players in others)
        return tuple(game for game in found if game is not None)

    @cached_property
    def examples(self) -> dict[str, BookExample]:
        """The examples for all numbers of players."""
        return all_examples(self.game, self.other_tables, self.sources)

    def examples_using(self, rule: str) -> list[BookExample]:
        """Return the examples that use a rule, or are refused it."""
        return self._examples_by_rule.get(rule, [])

    @cached_property
    def _examples_by_rule(self) -> dict[str, list[BookExample]]:
        found: dict[str, list[BookExample]] = {}
        for told in self.examples.values():
            for rule in dict.fromkeys(rules_of(told.example)):
                found.setdefault(rule, []).append(told)
        return found

    @cached_property
    def arrangements(self) -> dict[str, Arrangement]:
        """The positions that examples are given by name."""
        return arrangements((self.game, *self.other_tables), self.sources)

    @cached_property
    def example_steps(self) -> RunExamples:
        """The examples of the game, each run when it is first asked for."""
        return RunExamples(self._runs, (told.example for told in self.examples.values()))

    def _runs(self, name: str) -> Game | None:
        """Return the game that an example is run in; None if evidence says what came of it for its number of players."""
        told = self.examples[name]
        if told.players is None:
            return self.playable
        return None if self.status(name) in (Status.EXAMPLE, Status.REFUTED) else _playable(told.game)

    def status(self, claim: str) -> Status:
        """Return what may be said about a claim or an example of the current text."""
        return self.evidence.status(claim)

    @cached_property
    def labels(self) -> frozenset[str]:
        """What things of the game are called: such a name may look like anything."""
        return names_of(self.game)

    @cached_property
    def proof_parts(self) -> dict[str, tuple[str, ...]]:
        """The rules that each claim has to be shown of, and what else its proof is made of."""
        return parts_of_proofs(self.game)

    @cached_property
    def declared(self) -> dict[str, tuple[str, ...]]:
        """What has to be shown exactly once, by the kind of object."""
        game = self.game
        return {
            "rule": tuple(action.name for action in game.actions),
            "invariant": (
                *(claim.name for claim in game.claims),
                *(ranking.name for ranking in game.rankings),
                *(symmetry.name for symmetry in game.symmetries),
            ),
            "ruling": tuple(ruling.name for ruling in game.rulings),
            "option": tuple(option.name for option in game.options),
            "example": tuple(self.examples),
            "arrangement": tuple(self.arrangements),
            "clause": self.inventory.ids(),
        }

    @cached_property
    def declared_ids(self) -> list[tuple[str, str]]:
        """The same as kinds and full ids, one after the other."""
        return [(kind, f"{self.name}.{item}") for kind, declared in self.declared.items() for item in declared]


class BookFiles(NamedTuple):
    """The files about a game that others write."""

    evidence: Path
    mutants: Path
    samples: Path
    history: Path = Path("none.json")


_shelves: WeakKeyDictionary[BuildEnvironment, dict[str, Book]] = WeakKeyDictionary()


def book(env: BuildEnvironment, name: str) -> Book:
    """Return the book of a game, read on its first use in a build. RulesError if there is no such game.

    The game is given by its name, or by a rules file or folder, as seen from the folder of the pages.
    """
    shelf = _shelves.setdefault(env, {})
    if name not in shelf:
        given, evidence = Path(name), Path(env.srcdir, env.config.rules_evidence)
        where = str(Path(env.srcdir, name)) if _is_path(name) else name
        stem = given.parent.name if given.name == find_game.HEAD else given.stem
        samples = Path(env.srcdir, env.config.rules_samples, f"{stem}.json")
        history = Path(env.srcdir, env.config.rules_history, f"{stem}.json")
        data = BookFiles(evidence_files.file_of(evidence, stem), evidence / f"{stem}.mutants.json", samples, history)
        found = _read(where, data, env.config.rules_players.get(name))
        shelf[name] = replace(
            found,
            words_label=env.config.rules_words_label,
            folder=Path(env.srcdir),
            picture_folder=picture_files.folder_of(env),
            given=name,
            found_at=where,
        )
    return shelf[name]


def _is_path(name: str) -> bool:
    """Tell whether a game is given by its place, and not by its name."""
    return name.endswith(find_game.SUFFIX) or "/" in name


def outdated(
    _app: Sphinx, env: BuildEnvironment, _added: set[str], _changed: set[str], _removed: set[str]
) -> Iterable[str]:
    """Return the pages that looked for a file that was not there and is now."""
    waiting: dict[str, list[str]] = env.domaindata.get("rules", {}).get("absent", {})
    return [docname for docname, paths in waiting.items() if any(Path(path).exists() for path in paths)]


#: Where a page says which game it is of.
_GAME_OF_PAGE = re.compile(r"^\.\. rules:(?:game|current):: *(\S+)", re.MULTILINE)


def preload(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Before pages are read by several processes, read the games of more than one page: otherwise each process would."""
    if app.parallel < 2:  # noqa: PLR2004  (one process reads each game once anyway)
        return
    pages = Counter(
        name for each in docnames for name in set(_GAME_OF_PAGE.findall(Path(env.doc2path(each)).read_text("utf-8")))
    )
    for name, count in pages.items():
        if count > 1:
            with suppress(RulesError):  # the page reports it
                found = book(env, name)
                _ = [found.example_steps[each.name] for each in found.game.examples]
    gc.freeze()  # games stay until the end: whoever looks for what can be thrown away need not look at them, in any process


def unfreeze(_app: Sphinx, _problem: Exception | None) -> None:
    """Let games go when the build has ended."""
    gc.unfreeze()


def _read(name: str, data: BookFiles, players: int | None) -> Book:
    loaded = load_rules(name, players=players)
    parts = [
        part
        for each in parts_of(evidence_files.read(data.evidence))
        if (part := _current_instance(name, loaded.game, each)) is not None
    ]
    return Book(
        game=loaded.game,
        inventory=loaded.inventory or Inventory(),
        sources=loaded.bag.sources,
        evidence=JudgedEvidence(tuple(parts), parts_of_proofs(loaded.game)),
        samples=read_samples(data.samples),
        lessons=tuple(_current_lessons(name, loaded.game, read_lessons(data.mutants))),
        history=read_history(data.history),
        files=(*find_game.files_of(name), *(path for path in data if path.exists())),
        absent=tuple(path for path in data if not path.exists()),
        fingerprint=game_fingerprint(loaded.game),  # which the cache knows
    )


@cache_by_identity(16)
def _playable(game: ir.Game) -> Game:
    return Game(game, ghosts=True)


@cache_by_identity(16)
def _prints(game: ir.Game) -> dict[str, str]:
    """Return the fingerprint of each part of a game; evidence and lessons ask for the same games."""
    return Fingerprints(game).named()


def _current_lessons(name: str, game: ir.Game, lessons: Iterable[MutantResult]) -> Iterator[MutantResult]:
    """Yield the lessons that are about the current rules."""

    @cache
    def current_rules(players: int) -> dict[str, str]:
        instance = _table(name, game, players)
        return {} if instance is None else _prints(instance)

    for lesson in lessons:
        if lesson.is_fresh(current_rules(lesson.players)):
            yield lesson


def _table(name: str, game: ir.Game, players: int) -> ir.Game | None:
    """Return the game for this many players; None if it is not for this many any more."""
    try:
        if game.origin is None and players != game.players:
            return load_rules(name, players=players).game
        return instances.with_players(game, players)  # the very same for whoever asks again
    except RulesError:
        return None


def _current_instance(name: str, game: ir.Game, part: JudgedInstance) -> JudgedInstance | None:
    """Return what counts of an instance; None if it is not the game of these pages: other rulings, another map."""
    usual = {ruling.name: ruling.default for ruling in game.decisions}
    if not part.usual or part.decided != usual:
        return None
    instance = _table(name, game, part.players)
    if instance is None:
        return None
    return part.current(_prints(instance), parts_of_proofs(instance))
