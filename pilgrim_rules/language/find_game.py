"""Where games are: from what the user wrote to the files of one game.

Reads:  names and paths; the shipped games, and the folders that PILGRIM_SPEC names.   Writes: paths, in reading order.
After:  every path given back is a file whose name ends in `.rules`; whether it can be read is the loader's question.

A game is one file anywhere, or a folder. In a folder `game.rules` is read first, then the other files beside it in the
order of their names, then the files in its section folders (`SECTIONS`). The folder `data` holds the tables that rules name, and
`plays` recorded plays, and `proofs` how dear obligations were proved. `lib` holds modules, which games use. A folder of games (`spec/`, or one named in PILGRIM_SPEC) holds folders and files of games.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from pilgrim_rules.diagnostics.bag import Diagnostic, RulesError
from pilgrim_rules.diagnostics.codes import PR701, PR801, PR802, Code
from pilgrim_rules.diagnostics.suggestions import did_you_mean

SUFFIX = ".rules"
HEAD = "game.rules"  #: the file of a folder that is read first; given alone, it stands for the folder
#: The folders of a game that hold rules, in reading order; the files of each are read in the order of their names.
SECTIONS = ("rules", "rulings", "claims", "examples", "boundaries", "presentation")
DATA = "data"  #: the folder of clauses, edition and maps
PLAYS = "plays"  #: the folder of recorded plays
PROOFS = "proofs"  #: the folder of what helps the prover
_DATA_SUFFIXES = (".toml", ".json")
LIB = "lib"  #: the folder of modules, which games use


def find(name: str | Path) -> tuple[Path, ...]:
    """Return the source files of a game, given by its name, by its folder or by its only file.

    A name is looked up in the folders of PILGRIM_SPEC, then among the shipped games, then as a path; a text that can
    only be a path (`./nim`, `nim.rules`) is never taken for a name.
    """
    text = os.fspath(name)
    if _is_name(text):
        for root in roots():
            if files := _game(root, text):
                return files
    try:
        return _at(Path(text))
    except (OSError, ValueError) as problem:  # a forbidden folder, a name too long, a null character
        reason = str(getattr(problem, "strerror", None) or problem)
        raise _refusal(PR701, f"cannot read `{_printable(text)}`", reason) from None


def named_map(files: tuple[str, ...], given: str | Path) -> str:
    """Return the file of a map that a game brings along, given by its name (`standard` is `data/map_standard.toml`); else what is given."""
    text = os.fspath(given)
    own = Path(files[0]).parent / DATA / f"map_{text}.toml"
    return str(own) if _is_name(text) and os.path.isfile(own) else text  # noqa: PTH113  (a name too long is no file)


def names() -> tuple[str, ...]:
    """Return the names of all games that can be found by name, sorted."""
    return tuple(sorted({name for root in roots() for name in _games(root)}))


def roots() -> tuple[Path, ...]:
    """Return the folders of games: those of PILGRIM_SPEC first, so that they may replace a shipped game."""
    added = (Path(part) for part in os.environ.get("PILGRIM_SPEC", "").split(os.pathsep) if part)
    return (*added, shipped())


def shipped() -> Path:
    """Return the folder of the shipped games: inside an installed package, beside the package in a checkout."""
    package = Path(__file__).parent.parent
    installed = package / "_spec"
    return installed if installed.is_dir() else package.parent / "spec"


def module_places(name: str, folder: Path) -> tuple[Path, ...]:
    """Return where the module of a game in this folder may be: its own folder, that of its neighbours, the installed one."""
    return tuple(each / LIB / f"{name}{SUFFIX}" for each in (folder, folder.parent, shipped()))


def module_names(folder: Path) -> Iterator[str]:
    """Yield the names of the modules that a game in this folder can use."""
    for path in module_places("", folder):
        with suppress(OSError):
            yield from (each.stem for each in _listed(path.parent))


def modules() -> tuple[Path, ...]:
    """Return the files of the modules that are found without a game, sorted by name."""
    return tuple(sorted(path for root in roots() for path in _listed(root / LIB)))


def files_of(name: str | Path) -> tuple[Path, ...]:
    """Return all files that a game may be made of: its rules, the modules it may use, and the data beside them."""
    rules = find(name)
    folder = rules[0].parent
    data = [
        path for each in (folder, folder / DATA) for path in sorted(each.glob("*")) if path.suffix in _DATA_SUFFIXES
    ]
    own = [path for each in (folder, folder.parent) for path in _listed(each / LIB)]
    return tuple(dict.fromkeys((*rules, *own, *modules(), *data)))


def path_in_game(file: str) -> str:
    """Return the name of a rules file as seen from the folder of its game: `rules/60-roads.rules`."""
    parts = Path(file).parts
    return "/".join(parts[-2:] if len(parts) > 1 and parts[-2] in (*SECTIONS, LIB) else parts[-1:])


def _game(root: Path, name: str) -> tuple[Path, ...]:
    """Return the files of one game of a folder of games, none if it is not there; its name is spelled as the folder spells it."""
    with suppress(OSError, ValueError):
        listed = set(os.listdir(root))  # noqa: PTH208  (names are enough)
        if (file := f"{name}{SUFFIX}") in listed and (root / file).is_file():
            return (root / file,)
        return _rules_in(root / name) if name in listed and (root / name).is_dir() else ()
    return ()


def _games(root: Path) -> dict[str, tuple[Path, ...]]:
    """Return the games of a folder of games; one that does not exist, or may not be read, has none."""
    games: dict[str, tuple[Path, ...]] = {}
    with suppress(OSError, ValueError):
        for entry in sorted(root.iterdir()):
            with suppress(OSError):
                if entry.is_file() and entry.suffix == SUFFIX:
                    games[entry.stem] = (entry,)
                elif entry.is_dir() and entry.name != LIB and (files := _rules_in(entry)):
                    games[entry.name] = files
    return games


def _at(path: Path) -> tuple[Path, ...]:
    if path.is_dir():
        if files := _rules_in(path):
            return files
        raise _refusal(PR802, f"the folder `{_printable(str(path))}` has no file that ends in `{SUFFIX}`", None)
    if path.is_file() and path.suffix == SUFFIX:
        return _rules_in(path.parent) if path.name == HEAD and _in_sections(path.parent) else (path,)
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
    """Return the files of a game; a folder without a rules file of its own is no game, whatever is below it."""
    own = _listed(folder)
    return (*sorted(own, key=lambda path: (path.name != HEAD, path)), *_in_sections(folder)) if own else ()


def _in_sections(folder: Path) -> tuple[Path, ...]:
    return tuple(path for section in SECTIONS for path in _listed(folder / section))


def _listed(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(entry for entry in folder.iterdir() if entry.suffix == SUFFIX and entry.is_file())


def _is_name(text: str) -> bool:
    """Tell whether the text can be the name of a game, and not only a path."""
    return bool(text) and not any(char in text for char in "./\\")


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def _refusal(code: Code, message: str, help_: str | None) -> RulesError:
    return RulesError((Diagnostic(code, message, None, help_),), {})
