"""`pilgrim new`: a folder for a game of one's own, with everything that CI asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import Reporting

_NAME = re.compile(r"[a-z][a-z0-9_]*")
#: Where a part of the template goes; the others keep their places. `.template` behind a name keeps our own tools from reading the file.
_PLACES = {"spec": "spec/{name}", "workflows": ".github/workflows", "gitignore": ".gitignore"}


@click.command(cls=Reporting)
@click.argument("name")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), required=False)
@click.option("--title", help="The name of the game as people write it (default: made from NAME).")
def new(name: str, folder: Path | None, *, title: str | None) -> Exit:
    """Begin a game of your own: make FOLDER (default: NAME) with a small game that can be played, proved and built at once.

    Rules, clauses, edition, claims, examples, tests, a rulebook, and a workflow for CI. Nothing that exists is overwritten.
    """
    if not _NAME.fullmatch(name):
        raise click.BadParameter(
            f"`{name}` is no name for a game: small letters, digits and `_`, a letter first", param_hint="NAME"
        )
    folder = folder or Path(name)
    title = title or name.replace("_", " ").capitalize()
    if '"' in title or not title.isprintable():
        raise click.BadParameter("a title has no quotation marks and no line breaks", param_hint="--title")
    words = {"name": name, "title": title, "underline": "=" * len(title)}
    made = {folder / _filled(place, words): _filled(text, words) for place, text in _template()}
    taken = next((path for path in made if path.exists()), None)
    if taken is not None:
        raise click.ClickException(f"`{taken}` exists already; nothing was written")
    try:
        for path, text in made.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise click.ClickException(f"cannot write into `{folder}`: {problem.strerror}") from None
    click.echo(f"{folder}: a game called {name}. Next: cd {folder} && make")
    click.echo(f"Its rules are in {folder / 'spec' / name}, and `pilgrim check spec/{name}` reads them.")
    click.echo(
        "Without a rulebook to cite, delete the lines `clauses` and `edition` of its `game` declaration, the folder `data` "
        "and the line `pilgrim coverage` of the Makefile."
    )
    return Exit.OK


def _template() -> Iterator[tuple[str, str]]:
    """Yield each file of the template: its place in the new folder, and its text."""
    root = files("pilgrim_rules") / "templates" / "new_game"
    for each in sorted(root.iterdir(), key=lambda entry: entry.name):
        yield from _files(each, _PLACES.get(each.name, each.name))


def _files(entry: Traversable, place: str) -> Iterator[tuple[str, str]]:
    if entry.is_file():
        yield place.removesuffix(".template"), entry.read_text(encoding="utf-8")
    elif entry.is_dir() and not entry.name.startswith("_"):
        for each in sorted(entry.iterdir(), key=lambda one: one.name):
            yield from _files(each, f"{place}/{each.name}")


def _filled(text: str, words: dict[str, str]) -> str:
    """Return a text of the template with its words; other braces stay as they are."""
    return re.sub(r"\{(name|title|underline)\}", lambda found: words[found[1]], text)
