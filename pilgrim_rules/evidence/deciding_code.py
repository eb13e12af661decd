"""The code that decides verdicts, as a hash: what was proved by other code is to be proved again.

Reads:  the source files of the encoder, the strategies, the claims, the evaluator and the core.   Writes: a short hash, kept
        until a file changes.
After:  a comment, a docstring or the layout of a file changes nothing; whatever can change a verdict does.
"""

from __future__ import annotations

import ast
import sys
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from pilgrim_rules.util import text_cache
from pilgrim_rules.util.code_hash import code_hash

#: What records call the hash, among the versions of the tools.
CODE = "code"
#: Packages that decide whether something is called proved: with `verifier.play`, for induction over several steps begins with the
#: first states of play. Who prints, draws, fuzzes or searches is not among them.
DECIDING = (
    "pilgrim_rules.core",
    "pilgrim_rules.semantics",
    "verifier.claims",
    "verifier.play",
    "verifier.smt",
    "verifier.prove",
)
_DIGITS = 12
_KEPT = ".code"
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def deciding_code() -> str:
    """Return the hash of the code that decides verdicts."""
    whole = (code_hash(*DECIDING), code_hash("pilgrim_rules.evidence"), sys.implementation.cache_tag)
    key = sha256(repr(("deciding code", *whole)).encode()).hexdigest()
    known = text_cache.read(key, _KEPT)
    if known is None:
        known = _read()
        text_cache.write(key, known, _KEPT)
    return known


def _read() -> str:
    found = sha256()
    for package in DECIDING:
        spec = find_spec(package)
        for folder in () if spec is None else map(Path, spec.submodule_search_locations or ()):
            for path in sorted(folder.rglob("*.py")):
                found.update(f"{package} {path.relative_to(folder).as_posix()}\0".encode())
                found.update(meaning(path.read_text("utf-8")).encode())
    return found.hexdigest()[:_DIGITS]


def meaning(source: str) -> str:
    """Return what a source text means to the interpreter: comments, layout and docstrings left out."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.dump(tree)
