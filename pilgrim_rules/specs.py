"""Where games are: from what the user wrote to the files of one game.

Reads:  names and paths; the shipped games, and the folders that PILGRIM_SPEC names.   Writes: paths, in reading order.
After:  every path given back is a file whose name ends in `.rules`; whether it can be read is the loader's question.

A game is one file, or a folder whose files are read in the order of their names. A folder of games (`spec/`, or one
named in PILGRIM_SPEC) holds folders and files of games; its folder `classics` holds single-file games.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from pilgrim_rules.diagnostics.bag import Diagnostic, RulesError
from pilgrim_rules.diagnostics.codes import PR701, PR801, PR802, Code
from pilgrim_rules.diagnostics.suggest import did_you_mean

SUFFIX = ".rules"
SHELF = "classics"  #: the folder of a folder of games that is not a game itself


def find(name: str | Path) -> tuple[Path, ...]:
    """Return the source files of a game, given by its name, by its folder or by its only file.

    A name is looked up in the folders of PILGRIM_SPEC, then among the shipped games, then as a path; a text that can
    only be a path (`./nim`, `nim.rules`) is never taken for a name.
    """
    text = os.fspath(name)
    if _is_name(text):
        for root in roots():
            if files := _games(root).get(text):
                return files
    try:
        return _at(Path(text))
    except (OSError, ValueError) as problem:  # a forbidden folder, a name too long, a null character
        reason = str(getattr(problem, "strerror", None) or problem)
        raise _refusal(PR701, f"cannot read `{_printable(text)}`", reason) from None


def names() -> tuple[str, ...]:
    """Return the names of all games that can be found by name, sorted."""
    return tuple(sorted({name for root in roots() for name in _games(root)}))


def roots() -> tuple[Path, ...]:
    """Return the folders of games: those of PILGRIM_SPEC first, so that they may replace a shipped game."""
    added = (Path(part) for part in os.environ.get("PILGRIM_SPEC", "").split(os.pathsep) if part)
    return (*added, shipped())


def shipped() -> Path:
    """Return the folder of the shipped games: inside an installed package, beside the package in a checkout."""
    package = Path(__file__).parent
    installed = package / "_spec"
    return installed if installed.is_dir() else package.parent / "spec"


def _games(root: Path) -> dict[str, tuple[Path, ...]]:
    """Return the games of a folder of games; one that does not exist, or may not be read, has none."""
    games: dict[str, tuple[Path, ...]] = {}
    for folder in (root / SHELF, root):
        with suppress(OSError, ValueError):
            for entry in sorted(folder.iterdir()):
                with suppress(OSError):
                    if entry.is_file() and entry.suffix == SUFFIX:
                        games[entry.stem] = (entry,)
                    elif entry.is_dir() and entry.name != SHELF and (files := _rules_in(entry)):
                        games[entry.name] = files
    return games


def _at(path: Path) -> tuple[Path, ...]:
    if path.is_dir():
        if files := _rules_in(path):
            return files
        raise _refusal(PR802, f"the folder `{_printable(str(path))}` has no file that ends in `{SUFFIX}`", None)
    if path.is_file() and path.suffix == SUFFIX:
        return (path,)
    if path.exists():
        raise _refusal(
            PR701, f"`{_printable(str(path))}` is not a rules file", f"the name of a rules file ends in `{SUFFIX}`"
        )
    if not _is_name(str(path)):
        raise _refusal(PR701, f"there is no file or folder `{_printable(str(path))}`", None)
    known = names()
    help_ = did_you_mean(str(path), known) or f"the games are {', '.join(known) or 'none'}"
    raise _refusal(PR801, f"there is no game `{_printable(str(path))}`", help_)


def _rules_in(folder: Path) -> tuple[Path, ...]:
    return tuple(sorted(entry for entry in folder.iterdir() if entry.suffix == SUFFIX and entry.is_file()))


def _is_name(text: str) -> bool:
    """Tell whether the text can be the name of a game, and not only a path."""
    return bool(text) and not any(char in text for char in "./\\")


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def _refusal(code: Code, message: str, help_: str | None) -> RulesError:
    return RulesError((Diagnostic(code, message, None, help_),), {})
