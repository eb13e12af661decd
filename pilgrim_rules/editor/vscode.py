"""VS Code: an extension that colours rules and starts the language server.

Reads:  the vocabulary of the lexer.   Writes: the files of an extension, by their names.
After:  a word that the lexer knows as a keyword is coloured as one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pilgrim_rules.language.lexer import CONSTANTS, DECLARATIONS, FOLDS, INSIDE, OPERATORS

_NAME = r"[A-Za-z_]\w*"

_START = """\
// Starts `pilgrim lsp` for files that end in .rules.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
    const command = workspace.getConfiguration("pilgrim").get("command", "pilgrim");
    const server = { command, args: ["lsp"] };
    client = new LanguageClient("pilgrim", "Pilgrim Rules", server, { documentSelector: [{ language: "rules" }] });
    return client.start();
};

exports.deactivate = () => client && client.stop();
"""


def extension_files(version: str) -> Mapping[str, str]:
    """Return the files of the extension: their names and their texts."""
    return {
        "package.json": _json(_manifest(version)),
        "language-configuration.json": _json(_LAYOUT),
        "syntaxes/rules.tmLanguage.json": _json(grammar()),
        "extension.js": _START,
    }


def grammar() -> dict[str, Any]:
    """Return the TextMate grammar of the rules language."""
    return {
        "name": "Rules",
        "scopeName": "source.rules",
        "fileTypes": ["rules"],
        "patterns": [
            {"name": "comment.line.documentation.rules", "match": "##(?!#).*$"},
            {"name": "comment.line.rules", "match": "#.*$"},
            {"name": "string.quoted.double.rules", "match": r'"(?:[^"\\]|\\.)*"'},
            {
                "match": rf"^({_any(DECLARATIONS)})\s+({_NAME})",
                "captures": {"1": {"name": "keyword.declaration.rules"}, "2": {"name": "entity.name.function.rules"}},
            },
            {"name": "keyword.declaration.rules", "match": rf"^({_any(DECLARATIONS)})\b"},
            {"name": "entity.name.tag.rules", "match": r"\b[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+\b"},
            {"name": "constant.language.rules", "match": rf"\b({_any(CONSTANTS)})\b"},
            {"name": "keyword.operator.word.rules", "match": rf"\b({_any((*OPERATORS, *FOLDS))})\b"},
            {"name": "keyword.control.rules", "match": rf"\b({_any(INSIDE)})\b(?![\[(.'])"},
            {"name": "entity.name.type.rules", "match": r"\b[A-Z]\w*\b"},
            {"name": "constant.numeric.rules", "match": r"\b\d+\b"},
        ],
    }


_LAYOUT: Mapping[str, Any] = {
    "comments": {"lineComment": "#"},
    "brackets": [["(", ")"], ["[", "]"], ["{", "}"]],
    "autoClosingPairs": [["(", ")"], ["[", "]"], ["{", "}"], ['"', '"']],
    "onEnterRules": [{"beforeText": r":\s*$", "action": {"indent": "indent"}}],
}


def _manifest(version: str) -> dict[str, Any]:
    return {
        "name": "pilgrim-rules",
        "displayName": "Pilgrim Rules",
        "description": "Board game rules: colours, mistakes as you type, definitions, renaming, proofs",
        "version": version,
        "license": "MIT",
        "publisher": "pilgrim-rules",
        "engines": {"vscode": "^1.85.0"},
        "categories": ["Programming Languages"],
        "main": "./extension.js",
        "activationEvents": ["onLanguage:rules"],
        "dependencies": {"vscode-languageclient": "^9.0.1"},
        "contributes": {
            "languages": [
                {
                    "id": "rules",
                    "aliases": ["Rules"],
                    "extensions": [".rules"],
                    "configuration": "./language-configuration.json",
                }
            ],
            "grammars": [
                {"language": "rules", "scopeName": "source.rules", "path": "./syntaxes/rules.tmLanguage.json"}
            ],
            "configuration": {
                "title": "Pilgrim Rules",
                "properties": {
                    "pilgrim.command": {
                        "type": "string",
                        "default": "pilgrim",
                        "description": "The command that starts the language server.",
                    }
                },
            },
        },
    }


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


def _json(data: Mapping[str, Any]) -> str:
    return json.dumps(data, indent=2) + "\n"
