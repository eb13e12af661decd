"""The extension for VS Code."""

import json
import re

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.editor.vscode import grammar
from pilgrim_rules.language.lexer import DECLARATIONS, INSIDE


def test_the_command_writes_every_file_that_the_manifest_names(tmp_path):
    assert Exit.OK == run(["lsp", "--vscode", str(tmp_path / "extension")])

    manifest = json.loads((tmp_path / "extension" / "package.json").read_text())
    named = [
        manifest["main"],
        manifest["contributes"]["languages"][0]["configuration"],
        manifest["contributes"]["grammars"][0]["path"],
    ]
    assert [] == [each for each in named if not (tmp_path / "extension" / each).is_file()]


def test_every_keyword_is_coloured():
    patterns = [re.compile(each["match"], re.MULTILINE) for each in grammar()["patterns"]]

    assert [] == [word for word in DECLARATIONS if not any(each.match(f"{word} x") for each in patterns)]
    assert [] == [word for word in INSIDE if not any(each.fullmatch(word) for each in patterns)]
