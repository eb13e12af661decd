"""Server: the Language Server Protocol, over standard input and output.

Reads:  what an editor tells of open files and asks about them.   Writes: mistakes, descriptions, places, changes, lenses.
After:  mistakes in the grammar are shown as somebody types, all others once typing pauses; a question is answered from the text as it
        is now, saved or not.
"""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from urllib.parse import unquote, urlparse

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from pilgrim_rules.diagnostics.bag import Diagnostic, RulesError
from pilgrim_rules.diagnostics.source import SourceFile, Span
from pilgrim_rules.editor.names import NameIndex
from pilgrim_rules.editor.project import Project, open_project
from pilgrim_rules.editor.rename import CannotRename, rename
from pilgrim_rules.evidence.record import Verdict, weakest
from pilgrim_rules.language.syntax import ast
from pilgrim_rules.language.syntax.format import format_source

PAUSE = 0.4  #: seconds without typing after which everything is checked
_SEVERITY = {"error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning}
_SYMBOLS = {
    "action": lsp.SymbolKind.Function, "def": lsp.SymbolKind.Function, "effect": lsp.SymbolKind.Function,
    "guard": lsp.SymbolKind.Function, "variable": lsp.SymbolKind.Variable, "param": lsp.SymbolKind.Constant,
    "enum": lsp.SymbolKind.Enum, "label": lsp.SymbolKind.EnumMember, "game": lsp.SymbolKind.Module,
    "claim": lsp.SymbolKind.Property, "conserved": lsp.SymbolKind.Property, "example": lsp.SymbolKind.Event,
}  # fmt: skip


class RulesServer(LanguageServer):
    """What is known of the open files: their mistakes so far, and the verdicts that somebody asked for."""

    def __init__(self, version: str) -> None:
        super().__init__("pilgrim-rules", version)
        self.pending: asyncio.Task[None] | None = None
        self.verdicts: dict[str, str] = {}  #: of a claim, by its name: what the prover last said
        self.shown: set[str] = set()  #: the addresses of files for which mistakes are shown

    def project(self, uri: str) -> Project:
        """Return the game that a file belongs to, with the texts as they are in the editor."""
        texts = {str(_path(each.uri)): each.source for each in self.workspace.text_documents.values()}
        return open_project(_path(uri), texts)

    def index(self, uri: str) -> NameIndex:
        """Return the names of that game."""
        return NameIndex(self.project(uri))

    def word(self, uri: str, position: lsp.Position) -> tuple[NameIndex, str, Span] | None:
        """Return the word at a place, with the names of its game."""
        try:
            index = self.index(uri)
        except RulesError:
            return None
        source = index.project.source(_path(uri))
        found = None if source is None else index.at(source.name, _offset(source, position))
        return None if found is None else (index, *found)

    # -------------------------------------------------------------------------------------------------------- mistakes

    def changed(self, uri: str) -> None:
        """Check the game of a file once nothing has changed for a moment."""
        if self.pending is not None:
            self.pending.cancel()
        self.pending = asyncio.get_running_loop().create_task(self._check(uri))

    async def _check(self, uri: str) -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(PAUSE)
            try:
                project = self.project(uri)
            except RulesError as refused:  # the file is not there, or is no text
                self._publish({uri: [_plain(each) for each in refused.diagnostics]})
                return
            mistakes = await asyncio.to_thread(lambda: project.mistakes)
            self._publish(_by_file(project, mistakes))

    def _publish(self, found: dict[str, list[lsp.Diagnostic]]) -> None:
        for uri in sorted(self.shown | found.keys()):
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found.get(uri, [])))
        self.shown = {uri for uri, mistakes in found.items() if mistakes}


def make_server(version: str) -> RulesServer:
    """Return a server with all that it can do."""
    server = RulesServer(version)
    for event in (lsp.TEXT_DOCUMENT_DID_OPEN, lsp.TEXT_DOCUMENT_DID_CHANGE, lsp.TEXT_DOCUMENT_DID_SAVE):
        server.feature(event)(_changed)
    server.feature(lsp.TEXT_DOCUMENT_HOVER)(_hover)
    server.feature(lsp.TEXT_DOCUMENT_DEFINITION)(_definition)
    server.feature(lsp.TEXT_DOCUMENT_REFERENCES)(_references)
    server.feature(lsp.TEXT_DOCUMENT_COMPLETION)(_completion)
    server.feature(lsp.TEXT_DOCUMENT_RENAME)(_rename)
    server.feature(lsp.TEXT_DOCUMENT_FORMATTING)(_format)
    server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(_symbols)
    server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)(_lenses)
    server.command("pilgrim.prove")(_prove)
    return server


async def _changed(
    server: RulesServer,
    params: lsp.DidOpenTextDocumentParams | lsp.DidChangeTextDocumentParams | lsp.DidSaveTextDocumentParams,
) -> None:
    server.changed(params.text_document.uri)


def _hover(server: RulesServer, params: lsp.HoverParams) -> lsp.Hover | None:
    found = server.word(params.text_document.uri, params.position)
    if found is None or (text := found[0].describe(found[1])) is None:
        return None
    index, _, span = found
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), _range(index.project.sources[span.file], span))


def _definition(server: RulesServer, params: lsp.DefinitionParams) -> list[lsp.Location]:
    found = server.word(params.text_document.uri, params.position)
    return [] if found is None else _locations(found[0].project, found[0].definition(found[1]))


def _references(server: RulesServer, params: lsp.ReferenceParams) -> list[lsp.Location]:
    found = server.word(params.text_document.uri, params.position)
    return [] if found is None else _locations(found[0].project, found[0].uses.get(found[1], []))


def _completion(server: RulesServer, params: lsp.CompletionParams) -> lsp.CompletionList:
    try:
        index = server.index(params.text_document.uri)
    except RulesError:
        return lsp.CompletionList(False, [])
    source = index.project.source(_path(params.text_document.uri))
    if source is None:
        return lsp.CompletionList(False, [])
    offset = _offset(source, params.position)
    before = source.text[source.text.rfind("\n", 0, offset) + 1 : offset]
    return lsp.CompletionList(
        False, [lsp.CompletionItem(label, detail=detail) for label, detail in index.completions(before)]
    )


def _rename(server: RulesServer, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
    found = server.word(params.text_document.uri, params.position)
    if found is None:
        return None
    index, old, _ = found
    try:
        places = rename(index, old, params.new_name)
    except CannotRename as reason:
        raise JsonRpcException(str(reason)) from None
    changes: dict[str, list[lsp.TextEdit]] = {}
    for place in places:
        edit = lsp.TextEdit(_range(index.project.sources[place.file], place), params.new_name)
        changes.setdefault(_uri(place.file), []).append(edit)
    return lsp.WorkspaceEdit(changes)


def _format(server: RulesServer, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
    document = server.workspace.get_text_document(params.text_document.uri)
    try:
        formatted = format_source(document.source, document.path)
    except RulesError:
        return []  # what cannot be parsed is left as it is; its mistakes are shown
    if formatted == document.source:
        return []
    end = lsp.Position(document.source.count("\n") + 1, 0)
    return [lsp.TextEdit(lsp.Range(lsp.Position(0, 0), end), formatted)]


def _symbols(server: RulesServer, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    with suppress(RulesError):
        index = server.index(params.text_document.uri)
        source = index.project.source(_path(params.text_document.uri))
        if source is not None:
            return [
                lsp.DocumentSymbol(each.text, _SYMBOLS.get(each.kind, lsp.SymbolKind.Object), place, place, each.kind)
                for found in index.declared.values()
                for each in found
                if each.span.file == source.name
                for place in [_range(source, each.span)]
            ]
    return []


# ------------------------------------------------------------------------------------------------------------- verdicts


def _lenses(server: RulesServer, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    """Return a lens above each claim: what the prover last said of it, and how to ask."""
    with suppress(RulesError):
        project = server.project(params.text_document.uri)
        source = project.source(_path(params.text_document.uri))
        if source is not None:
            return [
                lsp.CodeLens(
                    _range(source, claim.name.span),
                    lsp.Command(
                        f"{server.verdicts[claim.name.text]} · prove again"
                        if claim.name.text in server.verdicts
                        else "prove",
                        "pilgrim.prove",
                        arguments=[project.name, claim.name.text],
                    ),
                )
                for tree in project.trees
                if tree.name == source.name
                for claim in tree.declarations
                if isinstance(claim, ast.Claim | ast.Conserved) and not _looked_at_only(claim)
            ]
    return []


def _looked_at_only(claim: ast.Claim | ast.Conserved) -> bool:
    return isinstance(claim, ast.Claim) and claim.kind in ("law", "audit")


async def _prove(server: RulesServer, game: str, claim: str) -> str:
    """Prove one claim of a saved game with the command line, keep its verdict for the lens, and show a counterexample."""
    pages = mkdtemp(prefix="counterexamples-")
    words = ["prove", game, "--only", claim, "--format", "json", "--html", pages]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "pilgrim_rules", *words, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, err = await process.communicate()
    try:
        records: list[dict[str, Any]] = [each for report in json.loads(out)["reports"] for each in report["records"]]
    except (ValueError, KeyError):
        reason = (err or out).decode(errors="replace").strip().splitlines()
        server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, reason[-1] if reason else "no answer"))
        return "no answer"
    own = [each for each in records if each.get("name", "").split("/")[0].endswith(f".{claim}")]
    worst = weakest(Verdict(each["verdict"]) for each in own).value if own else "not asked"
    server.verdicts[claim] = worst
    for page in sorted(Path(pages).rglob("*.html"))[:1]:  # noqa: ASYNC240  (a folder of our own with a page or none)
        server.window_show_document(lsp.ShowDocumentParams(page.as_uri(), external=True))
    server.workspace_code_lens_refresh(None)
    return worst


# --------------------------------------------------------------------------------------------------------------- places


def _path(uri: str) -> Path:
    return Path(unquote(urlparse(uri).path)).resolve()


def _uri(file: str) -> str:
    return Path(file).resolve().as_uri()


def _offset(source: SourceFile, position: lsp.Position) -> int:
    """Return the offset of a place; the protocol counts in units of UTF-16."""
    line = min(position.line + 1, len(source.starts))
    units = 0
    text = source.line(line)
    for at, char in enumerate(text):
        if units >= position.character:
            return source.starts[line - 1] + at
        units += 1 if ord(char) < 0x10000 else 2  # noqa: PLR2004  (beyond the basic plane a character has two units)
    return source.starts[line - 1] + len(text)


def _position(source: SourceFile, offset: int) -> lsp.Position:
    line, column = source.position(offset)
    before = source.line(line)[: column - 1]
    return lsp.Position(line - 1, len(before.encode("utf-16-le")) // 2)


def _range(source: SourceFile, span: Span) -> lsp.Range:
    return lsp.Range(_position(source, span.start), _position(source, span.end))


def _locations(project: Project, spans: list[Span]) -> list[lsp.Location]:
    found = []
    for span in spans:
        source = project.sources.get(span.file) or _read(span.file)
        if source is not None:
            found.append(lsp.Location(_uri(span.file), _range(source, span)))
    return found


def _read(file: str) -> SourceFile | None:
    """Return the text of a file that is no rules file: an inventory of clauses."""
    with suppress(OSError, UnicodeDecodeError):
        return SourceFile(file, Path(file).read_text(encoding="utf-8"))
    return None


def _by_file(project: Project, mistakes: tuple[Diagnostic, ...]) -> dict[str, list[lsp.Diagnostic]]:
    """Return the mistakes for each file of a game; one without a place stands at the head of the first file."""
    found: dict[str, list[lsp.Diagnostic]] = {_uri(file): [] for file in project.origin.files}
    for each in mistakes:
        source = None if each.span is None else project.sources.get(each.span.file) or _read(each.span.file)
        if each.span is None or source is None:
            found[_uri(project.origin.files[0])].append(_plain(each))
        else:
            found.setdefault(_uri(each.span.file), []).append(_plain(each, _range(source, each.span)))
    return found


def _plain(found: Diagnostic, place: lsp.Range | None = None) -> lsp.Diagnostic:
    parts = [found.message]
    if found.help:
        parts.append(f"help: {found.help}")
    if found.clause:
        parts.append(f"clause: {found.clause}, {found.says}")
    start = lsp.Position(0, 0)
    return lsp.Diagnostic(
        range=place or lsp.Range(start, start),
        message="\n".join(parts),
        severity=_SEVERITY[found.code.severity],
        code=found.code.id,
        source="pilgrim",
    )
