"""`pilgrim lsp`: the language server, for editors."""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from pathlib import Path

import click

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import Reporting
from pilgrim_rules.util import atomic_write


@click.command(cls=Reporting)
@click.option(
    "--vscode",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write an extension for VS Code into this folder instead.",
)
def lsp(*, vscode: Path | None) -> Exit:
    """Answer an editor over standard input and output, by the Language Server Protocol.

    Mistakes as you type; descriptions, definitions, uses, completion, renaming and layout; a lens above each claim that proves it.
    """
    number = version("pilgrim-rules")
    if vscode is not None:
        _write_extension(vscode, number)
        return Exit.OK
    from pilgrim_rules.editor.server import make_server  # noqa: PLC0415  (it needs a library that only editors need)

    asyncio.set_event_loop(asyncio.new_event_loop())
    make_server(number).start_io()
    return Exit.OK


def _write_extension(folder: Path, number: str) -> None:
    from pilgrim_rules.editor.vscode import extension_files  # noqa: PLC0415  (seldom asked for)

    try:
        for name, text in extension_files(number).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            atomic_write.write(folder / name, text)
    except OSError as problem:
        raise click.ClickException(f"cannot write into `{folder}`: {problem.strerror}") from None
    click.echo(f"{folder}: run `npm install` there, then copy it to your extensions or package it with `vsce package`")
