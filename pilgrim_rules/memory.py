"""Memory: what an earlier run has found out about a game, kept in the cache.

Reads:  and writes texts of the cache: what was read, what there was to say about it, and the core.
After:  what is recalled was made from the very same files, choices and code; if anything differs, is missing or is
        damaged, nothing is recalled and the game is checked again. A game with errors is never kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache as once
from hashlib import sha256
from pathlib import Path
from typing import Any

from pilgrim_rules import cache
from pilgrim_rules.core import ir
from pilgrim_rules.core.codec import NotACoreGame, decode, encode
from pilgrim_rules.diagnostics.bag import Bag, Diagnostic
from pilgrim_rules.diagnostics.codes import all_codes
from pilgrim_rules.source import SourceFile, Span, decoded

_SUFFIX = ".game.json"


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for: the files of a game, and what whoever loads it has chosen."""

    files: tuple[Path, ...]
    players: int | None = None
    rulings: tuple[tuple[str, str], ...] = ()
    edition: Path | None = None
    map: Path | None = None
    preset: str | None = None

    def key(self, what: str) -> str | None:
        """Return the name under which an answer is kept; None where none can be."""
        code = _code()
        try:
            # Names of files are shown as seen from the folder at hand, so an answer belongs to it.
            here = str(Path.cwd())
        except OSError:
            return None
        chosen = [self.players, self.rulings, str(self.edition), str(self.map), self.preset]
        whole = [what, code, here, [str(path) for path in self.files], *chosen]
        return None if code is None else sha256(json.dumps(whole).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer: the sources and the warnings, and if a game was loaded, the files of its inventory and its core."""

    bag: Bag
    inventory: tuple[str, ...] = ()
    core: str = ""

    @property
    def game(self) -> ir.Game | None:
        """The core; None if there is none that this version can read."""
        try:
            return decode(self.core)
        except NotACoreGame:
            return None


def recall(key: str | None) -> Kept | None:
    """Return what was kept under the key, if all that was read for it is still the same."""
    text = None if key is None else cache.read(key, _SUFFIX)
    if text is None:
        return None
    head, _, core = text.partition("\n")
    known = json.loads(head)
    bag = Bag()
    for name, digest in known["read"]:
        source = _read(name)
        if source is None or _digest(source) != digest:
            return None
        bag.sources[name] = source
    for found in known["said"]:
        bag.put(_diagnostic(*found))
    return Kept(bag, tuple(known["inventory"]), core)


def keep(key: str | None, bag: Bag, inventory: tuple[str, ...] = (), game: ir.Game | None = None) -> None:
    """Keep an answer without errors."""
    if key is None or cache.folder() is None or bag.errors:
        return
    head = {
        "read": [[name, _digest(source)] for name, source in bag.sources.items()],
        "said": [_plain(found) for found in bag],
        "inventory": inventory,
    }
    cache.write(key, f"{json.dumps(head)}\n{'' if game is None else encode(game)}", _SUFFIX)


@once
def _code() -> str | None:
    """Return a hash of the code of this library: answers of other code are not recalled. None if it cannot be read."""
    try:
        parts = [path.read_bytes() for path in sorted(_modules())]
    except OSError:
        return None
    return sha256(b"\0".join(parts)).hexdigest() if parts else None


def _modules() -> Iterator[Path]:
    here = Path(__file__).parent
    yield from here.glob("*.py")
    for folder in (
        "clauses",
        "core",
        "data",
        "diagnostics",
        "engine",
        "graphs",
        "lowering",
        "names",
        "syntax",
        "types",
    ):
        yield from (here / folder).glob("*.py")
        yield from (here / folder).glob("*.lark")


def _read(name: str) -> SourceFile | None:
    try:
        return SourceFile(name, decoded(Path(name).read_bytes()))
    except (OSError, ValueError):
        return None


def _digest(source: SourceFile) -> str:
    return sha256(source.text.encode(errors="replace")).hexdigest()


def _plain(found: Diagnostic) -> list[Any]:
    related = [[_place(span), label] for span, label in found.related]
    return [found.code.id, found.message, _place(found.span), found.help, related, found.clause, found.says]


def _place(span: Span | None) -> list[str | int] | None:
    return None if span is None else [span.file, span.start, span.end]


def _diagnostic(
    code: str, message: str, place: Any, help_: str | None, related: Any, *clause: str | None
) -> Diagnostic:
    span = None if place is None else Span(*place)
    places = tuple((Span(*each), label) for each, label in related)
    known = next(each for each in all_codes() if each.id == code)
    return Diagnostic(known, message, span, help_, places, *clause)
