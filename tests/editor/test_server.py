"""The language server, asked over the protocol as an editor does."""

import asyncio
import shutil
import sys

import pytest

lsp = pytest.importorskip("lsprotocol.types")
client_module = pytest.importorskip("pygls.lsp.client")

from pilgrim_rules.language import find_game  # noqa: E402  (after what may be missing)


@pytest.fixture
def pig(tmp_path):
    shutil.copytree(find_game.shipped() / "pig", tmp_path / "pig")
    return tmp_path / "pig" / "game.rules"


@pytest.fixture
def nim(tmp_path):
    """A game with an inventory of clauses."""
    shutil.copytree(find_game.shipped() / "nim", tmp_path / "nim")
    return tmp_path / "nim" / "game.rules"


class Editor:
    """A client with one open file."""

    def __init__(self, path):
        self.path, self.uri, self.text = path, path.as_uri(), path.read_text()
        self.client = client_module.LanguageClient("test", "1")
        self.mistakes = asyncio.Queue()
        self.documents = []
        self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: self.mistakes.put_nowait(params))  # noqa: PLW0108  (a method takes no attributes)
        self.client.feature(lsp.WINDOW_SHOW_DOCUMENT)(lambda params: self._show(params))  # noqa: PLW0108  (the same)
        self.client.feature(lsp.WORKSPACE_CODE_LENS_REFRESH)(lambda _params: None)

    def _show(self, params):
        self.documents.append(params.uri)
        return lsp.ShowDocumentResult(success=True)

    async def start(self):
        await self.client.start_io(sys.executable, "-m", "pilgrim_rules", "lsp")
        await self.client.initialize_async(lsp.InitializeParams(capabilities=lsp.ClientCapabilities()))
        self.client.initialized(lsp.InitializedParams())
        item = lsp.TextDocumentItem(self.uri, "rules", 1, self.text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def type(self, text):
        whole = lsp.TextDocumentContentChangeWholeDocument(text)
        there = lsp.VersionedTextDocumentIdentifier(version=2, uri=self.uri)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(there, [whole]))
        self.text = text

    def at(self, text, *, after=0):
        line, column = next(
            (number, line.index(text) + after) for number, line in enumerate(self.text.splitlines()) if text in line
        )
        return {"text_document": lsp.TextDocumentIdentifier(self.uri), "position": lsp.Position(line, column)}

    async def stop(self):
        await self.client.shutdown_async(None)
        self.client.exit(None)


def ask(path, question):
    """Run what a test asks of a server that has the file open."""

    async def run():
        editor = Editor(path)
        await editor.start()
        try:
            return await asyncio.wait_for(question(editor), 120)
        finally:
            await editor.stop()

    return asyncio.run(run())


def test_mistakes_are_shown_while_typing_and_go_when_they_are_fixed(pig):
    async def question(editor):
        good = editor.text
        found = [await editor.mistakes.get()]
        editor.type(good.replace("action hold", "action hold\n    require stoen >= 1", 1))
        found.append(await editor.mistakes.get())
        editor.type(good)
        found.append(await editor.mistakes.get())
        return found

    first, typed, fixed = ask(pig, question)

    assert not first.diagnostics
    assert ["PR201"] == [each.code for each in typed.diagnostics]
    assert "unknown name `stoen`" in typed.diagnostics[0].message
    assert not fixed.diagnostics


def test_a_name_is_described_found_and_listed(pig):
    async def question(editor):
        hover = await editor.client.text_document_hover_async(
            lsp.HoverParams(**editor.at("invariant within_reach", after=12))
        )
        place = editor.at("using within_reach", after=8)
        definition = await editor.client.text_document_definition_async(lsp.DefinitionParams(**place))
        context = lsp.ReferenceContext(include_declaration=True)
        uses = await editor.client.text_document_references_async(lsp.ReferenceParams(context=context, **place))
        return hover, definition, uses, editor.text.splitlines()

    hover, definition, uses, lines = ask(pig, question)

    assert "invariant within_reach" in hover.contents.value
    assert ["invariant within_reach"] == [lines[each.range.start.line] for each in definition]
    assert 2 == len(uses)


def test_a_clause_is_described_where_it_is_cited(nim):
    async def question(editor):
        line = next(each for each in editor.text.splitlines() if "cites NIM-" in each)
        position = editor.at(line, after=line.index("NIM-"))
        hover = await editor.client.text_document_hover_async(lsp.HoverParams(**position))
        definition = await editor.client.text_document_definition_async(lsp.DefinitionParams(**position))
        return hover, definition

    hover, definition = ask(nim, question)

    assert hover.contents.value.startswith("**NIM-")
    assert ["clauses.toml"] == [each.uri.rpartition("/")[2] for each in definition]


def test_names_are_offered_and_clauses_after_cites(nim):
    async def question(editor):
        editor.type(editor.text + "\ninvariant more\n    with\n\ninvariant other cites N\n    true\n")
        names = await editor.client.text_document_completion_async(
            lsp.CompletionParams(**editor.at("    with", after=8))
        )
        clauses = await editor.client.text_document_completion_async(
            lsp.CompletionParams(**editor.at("other cites N", after=13))
        )
        return [each.label for each in names.items], [each.label for each in clauses.items]

    names, clauses = ask(nim, question)

    assert {"take", "heap", "last_stick"} <= set(names)
    assert {"NIM-1", "NIM-2", "NIM-3"} <= set(clauses)
    assert set(names).isdisjoint(clauses)


def test_a_name_is_changed_wherever_it_stands(pig):
    async def question(editor):
        place = editor.at("invariant within_reach", after=12)
        edit = await editor.client.text_document_rename_async(lsp.RenameParams(new_name="near_enough", **place))
        with pytest.raises(Exception, match="used already"):
            await editor.client.text_document_rename_async(lsp.RenameParams(new_name="roll", **place))
        return edit.changes[editor.uri]

    edits = ask(pig, question)

    assert ["near_enough"] * 2 == [each.new_text for each in edits]


def test_a_text_is_put_into_canonical_layout(pig):
    async def question(editor):
        good = editor.text
        editor.type(good.replace("    players", "    players  ", 1))
        options = lsp.FormattingOptions(tab_size=4, insert_spaces=True)
        words = lsp.DocumentFormattingParams(lsp.TextDocumentIdentifier(editor.uri), options)
        (edit,) = await editor.client.text_document_formatting_async(words)
        return good, edit.new_text

    good, formatted = ask(pig, question)

    assert good == formatted


def test_a_lens_above_a_claim_proves_it_and_a_false_claim_is_shown(pig):
    pig.write_text(pig.read_text() + "\ninvariant never_lucky\n    stage != over\n")

    async def question(editor):
        there = lsp.CodeLensParams(lsp.TextDocumentIdentifier(editor.uri))
        lenses = await editor.client.text_document_code_lens_async(there)
        lens = next(each for each in lenses if each.command.arguments[1] == "never_lucky")
        words = lsp.ExecuteCommandParams(lens.command.command, arguments=lens.command.arguments)
        verdict = await editor.client.workspace_execute_command_async(words)
        lenses = await editor.client.text_document_code_lens_async(there)
        return (
            verdict,
            [each.command.title for each in lenses if each.command.arguments[1] == "never_lucky"],
            editor.documents,
        )

    verdict, titles, documents = ask(pig, question)

    assert "refuted" == verdict
    assert ["refuted · prove again"] == titles
    assert [True] == [each.endswith(".html") for each in documents]
