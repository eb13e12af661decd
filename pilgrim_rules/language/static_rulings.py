"""Static rulings: the decisions on which more depends than the lines that look at them.

Reads:  the origin of a game.   Writes: names of rulings and options of the set-up.
After:  whether any other decision is taken this way or that, types, tables, stages and actions are the same: only the
        constant that names it differs, so its other readings can be told without reading the rules again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256

from pilgrim_rules.core.origin import Origin
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.language.names.words import words
from pilgrim_rules.language.read_files import read_files
from pilgrim_rules.language.syntax import ast
from pilgrim_rules.util import text_cache
from pilgrim_rules.util.code_hash import code_hash

__all__ = ["static_rulings"]

_KEPT = ".json"


@lru_cache(maxsize=8)
def static_rulings(origin: Origin) -> frozenset[str]:
    """Return the rulings and options that types, tables, stages or the choice of actions speak of, through definitions too."""
    whole = ("static rulings", code_hash("pilgrim_rules.language"), origin.files, origin.texts.digest)
    key = sha256(repr(whole).encode()).hexdigest() if origin.texts else None  # else files may change
    known = None if key is None else text_cache.read(key, _KEPT)
    if known is not None:
        return frozenset(json.loads(known))
    found = _read(origin)
    if key is not None:
        text_cache.write(key, json.dumps(sorted(found)), _KEPT)
    return found


def _read(origin: Origin) -> frozenset[str]:
    files = read_files(origin.files, Bag(known=origin.texts.get))
    declared = [each for file in (*files.files, *files.modules.values()) for each in file.declarations]
    decisions = {each.name.text for each in declared if isinstance(each, ast.Ruling)}
    bodies = {each.name.text: each for each in declared if isinstance(each, ast.Def)}
    found: set[str] = set()
    waiting: list[object] = [part for each in declared for part in _static_parts(each)]
    while waiting:
        for text, _ in words(waiting.pop()):
            if text not in found:
                found.add(text)
                if text in bodies:
                    waiting.append((bodies[text].lets, bodies[text].body))
    return frozenset(decisions & found)


def _static_parts(node: ast.Declaration) -> Iterator[object]:
    """Yield what of a declaration is settled before a game begins."""
    match node:
        case ast.Action(params=params, only=only, during=during):
            yield (params, during, *(() if only is None else (only,)))
        case ast.Def(params=params, result=result):
            yield (params, *(() if result is None else (result,)))
        case ast.Guard(params=params) | ast.Effect(params=params):
            yield params
        case ast.Ruling() | ast.Preset() | ast.Claim() | ast.Conserved() | ast.Example() | ast.TermDecl() | ast.Score():
            return
        case _:  # types, tables, stages, variables: all of it is
            yield node
