"""The code that decides verdicts, as a hash: what was proved by other code is to be proved again.

Reads:  the source files of the encoder, the strategies, the claims, the evaluator and the core.   Writes: a short hash.
After:  a comment, a docstring or the layout of a file changes nothing; whatever can change a verdict does.
"""

from __future__ import annotations

import ast
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

#: What records call the hash, among the versions of the tools.
CODE = "code"
#: Packages that decide whether something is called proved. Who prints, plays, draws or searches is not among them.
DECIDING = ("pilgrim_rules.core", "pilgrim_rules.semantics", "verifier.claims", "verifier.smt", "verifier.prove")
_DIGITS = 12
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def deciding_code() -> str:
    """Return the hash of the code that decides verdicts."""
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
