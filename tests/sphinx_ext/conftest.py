"""Mini documents: each folder under `roots` is a small Sphinx project, built in a temporary folder."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sphinx.testing.util import SphinxTestApp

from tests.support.prose_game import GAME

HERE = Path(__file__).parent

from pilgrim_rules.core.ir import Note  # noqa: E402
from pilgrim_rules.diagnostics.bag import Diagnostic, RulesError  # noqa: E402
from pilgrim_rules.diagnostics.codes import PR801  # noqa: E402
from pilgrim_rules.diagnostics.source import SourceFile, Span  # noqa: E402
from pilgrim_rules.evidence.files import read  # noqa: E402
from pilgrim_rules.evidence.judged import JudgedEvidence, parts_of  # noqa: E402
from pilgrim_rules.inputs.clauses.inventory import Inventory  # noqa: E402
from pilgrim_rules.inputs.clauses.records import Clause  # noqa: E402
from pilgrim_rules.sphinx_ext.model import books  # noqa: E402
from pilgrim_rules.sphinx_ext.model.samples import read_samples  # noqa: E402

TEXT = """action drop(to: Place)                  cites TRN-1
    require leads(Rondel, last, to)     cites TRN-4
        else "acolytes move clockwise"
"""
TODAY = {"claim rises": "f2", "action build_shrine": "f3"}
CLAUSES = ("TRN-1", "TRN-4", "TRN-5", "SHR-1", "SHR-5", "SHR-6", "RND-3", "RND-4")

Build = Callable[..., SphinxTestApp]


@pytest.fixture
def small_book(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the game built by hand on the shelf, under its name `small`."""

    def read_book(name: str, data: books.BookFiles, _players: int | None) -> books.Book:
        if name != "small":
            raise RulesError((Diagnostic(PR801, f"there is no game `{name}`", None),), {})
        drop = replace(GAME.actions[0], note=replace(GAME.actions[0].note, span=Span("small.rules", 0, len(TEXT))))
        evidence = data.evidence
        said = [Clause(id_, "Turn", "effect", f"What {id_} says.", "7") for id_ in CLAUSES]
        return books.Book(
            game=replace(GAME, actions=(drop, *GAME.actions[1:]), note=Note("A game for tests.")),
            inventory=Inventory(clauses=tuple(said)),
            sources={"small.rules": SourceFile("small.rules", TEXT)},
            evidence=JudgedEvidence(tuple(part.current(TODAY, {}) for part in parts_of(read(evidence)))),
            files=(evidence,) if evidence.exists() else (),
            absent=() if evidence.exists() else (evidence,),
            samples=read_samples(data.samples),
            fingerprint="0123456789abcdef",
        )

    monkeypatch.setattr(books, "_read", read_book)


@pytest.fixture
def build(tmp_path: Path, small_book: None) -> Iterator[Build]:
    """Return a function that builds a root; building it again is an incremental build."""
    apps: list[SphinxTestApp] = []

    def run(root: str, builder: str = "html", **options: Any) -> SphinxTestApp:
        source = tmp_path / root
        if not source.exists():
            shutil.copytree(HERE / "roots" / root, source)
        app = SphinxTestApp(builder, srcdir=source, **options)
        apps.append(app)
        app.build()
        return app

    yield run
    for app in apps:
        app.cleanup()
