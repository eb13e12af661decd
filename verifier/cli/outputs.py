"""What a run leaves behind: evidence for the documents, JUnit, SARIF, Markdown, and the queries as SMT-LIB.

Reads:  the words of a command line, and the outcomes of the run.   Writes: files.
After:  a place that cannot be written, or evidence that cannot be read, was refused before anything was proved.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click

from pilgrim_rules.cli.output import counted, show_plain
from pilgrim_rules.evidence import files
from pilgrim_rules.util.atomic_write import alone_in, write
from verifier.prove.run import Report
from verifier.report.run_result import RunResult


@dataclass(frozen=True, slots=True)
class Outputs:
    """The files that somebody wants."""

    evidence: Path | None = None
    junit: Path | None = None
    sarif: Path | None = None
    queries: Path | None = None
    plays: Path | None = None
    markdown: Path | None = None

    def prepare(self, game: str) -> None:
        """Refuse what cannot be done for a game, before hours of proving."""
        for folder in (self.evidence, self.queries, self.plays):
            if folder is not None:
                _make(folder)
        for file in (self.junit, self.sarif, self.markdown):
            if file is not None:
                _make(file.parent)
        self._known(game)

    def keep(self, outcome: RunResult, report: Report, part: str = "") -> None:
        """Write what belongs to one game; `part` tells one of its instances from the others of the same run."""
        folder = None if self.queries is None else self.queries / f"{outcome.game.name}{part}"
        if self.evidence is not None:
            path = files.file_of(self.evidence, outcome.game.name)
            try:
                with alone_in(self.evidence):
                    files.write(path, outcome.added_to(self._known(outcome.game.name)))
            except files.BadEvidence as problem:
                raise click.ClickException(str(problem)) from None
            show_plain(f"evidence in {path}", err=True)
        if folder is not None:
            count = sum(_emit(folder, name, texts) for name, texts in report.queries)
            show_plain(f"{count:,} queries in {folder}", err=True)
        if self.plays is not None:
            from verifier.report.counterexamples import pages  # noqa: PLC0415  (loads what draws pictures)

            shown = dict(pages(outcome.game, report.records))
            for name, text in shown.items():
                _write(self.plays / f"{name.replace('/', '.')}{part}.html", text)
            show_plain(f"{counted(len(shown), 'page')} in {self.plays}", err=True)

    def finish(self, outcomes: Sequence[RunResult]) -> None:
        """Write what belongs to the run as a whole."""
        if self.junit is not None:
            from verifier.report.junit import junit  # noqa: PLC0415  (loads a library for XML)

            _write(self.junit, junit(outcomes))
        if self.sarif is not None:
            from verifier.report.sarif import sarif  # noqa: PLC0415  (seldom asked for)

            _write(self.sarif, sarif(outcomes))
        if self.markdown is not None:
            from verifier.report.markdown import markdown  # noqa: PLC0415  (the same)

            _write(self.markdown, markdown(outcomes))

    def _known(self, game: str) -> files.Evidence:
        if self.evidence is None:
            return files.Evidence(game)
        try:
            return files.read(files.file_of(self.evidence, game), game)
        except files.BadEvidence as problem:
            raise click.ClickException(str(problem)) from None


def output_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say which files are wanted, given to the command as `outputs`."""

    @wraps(command)
    def gathered(
        *args: Any, evidence: Path | None, junit_file: Path | None, sarif_file: Path | None,
        emit: tuple[str, Path] | None, html: Path | None, markdown: Path | None, **words: Any,
    ) -> Any:  # fmt: skip
        outputs = Outputs(evidence, junit_file, sarif_file, None if emit is None else emit[1], html, markdown)
        return command(*args, outputs=outputs, **words)

    folder, file = click.Path(file_okay=False, path_type=Path), click.Path(dir_okay=False, path_type=Path)
    result: Callable[..., Any] = gathered
    for option in (
        click.option(
            "--emit",
            type=(click.Choice(["smt2"]), folder),
            metavar="smt2 FOLDER",
            help="Write the query of each proof as SMT-LIB.",
        ),
        click.option("--html", type=folder, metavar="FOLDER", help="Write each counterexample as an HTML page."),
        click.option("--markdown", type=file, metavar="FILE", help="Write a summary for a pull request."),
        click.option("--sarif", "sarif_file", type=file, metavar="FILE", help="Write the failures as SARIF 2.1."),
        click.option("--junit", "junit_file", type=file, metavar="FILE", help="Write the verdicts as JUnit XML."),
        click.option(
            "--evidence", type=folder, metavar="FOLDER", help="Add the verdicts to the evidence in this folder."
        ),
    ):
        result = option(result)
    return result


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise click.ClickException(f"cannot write to `{folder}`: {problem.strerror}") from None
    if not os.access(folder, os.W_OK):
        raise click.ClickException(f"cannot write to `{folder}`: permission denied")


def _write(path: Path, text: str) -> None:
    try:
        write(path, text)
    except OSError as problem:
        raise click.ClickException(f"cannot write `{path}`: {problem.strerror}") from None


def _emit(folder: Path, name: str, texts: Sequence[str]) -> int:
    """Write the queries of an obligation, each a file that says in its name what it is of."""
    _make(folder)
    stem = name.partition(".")[2].replace("/", ".")
    for number, text in enumerate(texts, 1):
        _write(folder / (f"{stem}.smt2" if len(texts) == 1 else f"{stem}.{number}.smt2"), text)
    return len(texts)
