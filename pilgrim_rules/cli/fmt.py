"""`pilgrim fmt`: rules files in canonical layout."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import click

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import Reporting, format_option
from pilgrim_rules.cli.output import counted, show_json, show_mistakes, show_plain
from pilgrim_rules.diagnostics import frames
from pilgrim_rules.diagnostics.bag import Bag, RulesError
from pilgrim_rules.language import find_game
from pilgrim_rules.language.read_files import read_text
from pilgrim_rules.language.syntax.format import format_source
from pilgrim_rules.util import atomic_write, processes

STDIN = "-"


@click.command(cls=Reporting)
@click.argument("games", nargs=-1, metavar="[GAME|FILE|-]...")
@click.option("--check", is_flag=True, help="Change nothing. Exit code 1 if a file is not in canonical layout.")
@format_option
def fmt(games: tuple[str, ...], *, check: bool, as_json: bool) -> Exit:
    """Put rules files into canonical layout; without a name, those of all games and modules.

    Comments stay, meaning stays. `-` reads standard input and writes standard output. A file with a mistake in its
    grammar is left as it is.
    """
    if STDIN in games:
        return _stdin(games, check=check)
    listed = [path for game in games or find_game.names() for path in find_game.find(game)]
    paths = tuple(dict.fromkeys([*listed, *(() if games else find_game.modules())]))
    results = list(processes.in_order(partial(_tried, check=check), paths, size=_size))
    changed = [name for each in results if not isinstance(each, RulesError) for name in each]
    broken = [each for each in results if isinstance(each, RulesError)]
    if as_json:
        found = [frames.to_json(one, error.sources) for error in broken for one in error.diagnostics]
        show_json({"files": list(map(str, paths)), "changed": changed, "diagnostics": found})
    else:
        for error in broken:
            show_mistakes(error.diagnostics, error.sources, err=True)
        for name in changed:
            show_plain(f"{name}: {'not in canonical layout' if check else 'formatted'}")
        show_plain(f"{counted(len(paths), 'file')}, {len(changed)} {'to change' if check else 'changed'}")
    return Exit.BAD_INPUT if broken else Exit.REFUTED if check and changed else Exit.OK


def _stdin(games: tuple[str, ...], *, check: bool) -> Exit:
    if len(games) > 1:
        raise click.UsageError("`-` stands alone")
    try:
        text = sys.stdin.buffer.read().decode()
    except UnicodeDecodeError:
        raise click.UsageError("standard input is not text in UTF-8") from None
    formatted = format_source(text, "<stdin>")
    if not check:
        click.echo(formatted, nl=False)
    return Exit.REFUTED if check and formatted != text else Exit.OK


def _size(path: Path) -> int:
    """Return how long a file is; nothing if there is none."""
    return path.stat().st_size if path.is_file() else 0


def _tried(path: Path, *, check: bool) -> list[str] | RulesError:
    """Format one file; return its name if there was anything to change, or its mistakes."""
    try:
        return _format(path, check=check)
    except RulesError as refused:
        return refused


def _format(path: Path, *, check: bool) -> list[str]:
    """Format one file; return its name if there was anything to change."""
    bag = Bag()
    source = read_text(path, None, bag)
    bag.stop_if_errors()
    assert source is not None, "what cannot be read is in the bag"
    formatted = format_source(source.text, source.name)
    if formatted == source.text:
        return []
    if not check:
        _replace(path, formatted)
    return [source.name]


def _replace(path: Path, text: str) -> None:
    try:
        atomic_write.write(path, text)
    except OSError as problem:
        raise click.ClickException(f"cannot write `{path}`: {problem.strerror}") from None
