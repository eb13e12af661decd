"""The cache of checked games: what an earlier run has found out about a game.

Reads:  and writes texts of the cache: what was read, what there was to say about it, and the core.
After:  what is recalled was made from the very same files, choices and code; if anything differs, is missing or is
        damaged, nothing is recalled and the game is checked again. A game with errors is never kept.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache as once
from hashlib import sha256
from pathlib import Path
from typing import Any

from pilgrim_rules.core import ir
from pilgrim_rules.core.codec import NotACoreGame, pack, unpack
from pilgrim_rules.core.origin import FileTexts, Origin
from pilgrim_rules.diagnostics.bag import Bag, Diagnostic
from pilgrim_rules.diagnostics.codes import all_codes
from pilgrim_rules.diagnostics.source import SourceFile, Span, decoded
from pilgrim_rules.util import text_cache
from pilgrim_rules.util.code_hash import code_hash

_SUFFIX = ".game"


def key_of(origin: Origin, what: str) -> str | None:
    """Return the name under which an answer is kept; None where none can be."""
    code = _code()
    try:
        # Names of files are shown as seen from the folder at hand, so an answer belongs to it.
        here = str(Path.cwd())
    except OSError:
        return None
    chosen = [origin.players, origin.rulings, origin.edition, origin.map, origin.preset, origin.data]
    whole = [what, code, sys.implementation.cache_tag, here, origin.files, *chosen]
    return None if code is None else sha256(json.dumps(whole).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class CachedAnswer:
    """An answer: the sources and the warnings, and if a game was loaded, its core and fingerprint, the files and pages of its inventory."""

    bag: Bag
    inventory: tuple[str, ...] = ()
    pages: Mapping[str, str] = field(default_factory=dict)
    fingerprint: str = ""
    core: bytes = b""
    edition: str | None = None  #: the file of data that was chosen

    @property
    def game(self) -> ir.Game | None:
        """The core; None if there is none that this version can read."""
        try:
            return unpack(self.core)
        except NotACoreGame:
            return None


def read_cached(key: str | None, texts: FileTexts) -> CachedAnswer | None:
    """Return what was kept under the key, if all that was read for it is still the same; texts stand above files."""
    kept = None if key is None else text_cache.read_bytes(key, _SUFFIX)
    if kept is None:
        return None
    head, _, core = kept.partition(b"\n")
    known = json.loads(head)
    bag = Bag(known=texts.get)
    for name, digest in known["read"]:
        source = _read(name, texts)
        if source is None or _digest(source) != digest:
            return None
        bag.sources[name] = source
    if any(_read(name, texts) is not None for name in known["absent"]):
        return None
    bag.absent.update(known["absent"])
    for found in known["said"]:
        bag.put(_diagnostic(*found))
    return CachedAnswer(bag, tuple(known["inventory"]), known["pages"], known["fingerprint"], core, known["edition"])


def unchanged(bag: Bag) -> bool:
    """Return whether every file that was read for an answer still says the same."""
    texts = FileTexts({})
    for name, source in bag.sources.items():
        now = _read(name, texts)
        if now is None or now.text != source.text:
            return False
    return all(_read(name, texts) is None for name in bag.absent)


def write_cached(
    key: str | None,
    bag: Bag,
    inventory: tuple[str, ...] = (),
    pages: Mapping[str, str] | None = None,
    core: tuple[ir.Game, str] | None = None,
    *,
    edition: str | None = None,
) -> None:
    """Keep an answer without errors: a core with its fingerprint, which may be left out, or what there is to say alone."""
    if key is None or text_cache.folder() is None or bag.errors:
        return
    head = {
        "read": [[name, _digest(source)] for name, source in bag.sources.items()],
        "absent": sorted(bag.absent),
        "said": [_plain(found) for found in bag],
        "inventory": inventory,
        "edition": edition,
        "pages": pages or {},
        "fingerprint": "" if core is None else core[1],
    }
    packed = b"" if core is None else pack(core[0])
    text_cache.write_bytes(key, json.dumps(head).encode() + b"\n" + packed, _SUFFIX)


@once
def _code() -> str | None:
    """Return a hash of the code of this library: answers of other code are not recalled. None if it cannot be read."""
    try:
        return code_hash(
            *(f"pilgrim_rules.{each}" for each in ("core", "diagnostics", "inputs", "semantics", "language"))
        )
    except OSError:
        return None


def _read(name: str, texts: FileTexts) -> SourceFile | None:
    try:
        known = texts.get(str(Path(name).resolve())) if texts else None
        if known is not None:
            return SourceFile(name, known)
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
