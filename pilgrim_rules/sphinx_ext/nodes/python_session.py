"""Python sessions that are run while the page is built, so that they cannot be wrong.

Reads:  lines of Python.   Writes: the lines as a transcript, each with what it prints.
After:  a line that fails stops the build; its page names the line.
"""

from __future__ import annotations

import ast
import io
from contextlib import chdir, nullcontext, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any

import pilgrim_rules
from pilgrim_rules.language import find_game

__all__ = ["SessionError", "transcript"]


@cache
def _load(name: str, home: Path, *args: Any, **words: Any) -> Any:
    """Load a game; one that has a name is the same from everywhere, and what is kept of it belongs to the folder of the build."""
    with chdir(home) if name in find_game.names() else nullcontext():
        return pilgrim_rules.load(name, *args, **words)


class _Library:
    """The library as a session sees it; a game is loaded once a build, however many sessions load it."""

    def __init__(self, home: Path) -> None:
        self._home = home

    def load(self, name: str, *args: Any, **words: Any) -> Any:
        """Load a game."""
        return _load(name, self._home, *args, **words)

    def __getattr__(self, name: str) -> Any:
        return getattr(pilgrim_rules, name)


class SessionError(Exception):
    """A line of a session that cannot be run."""


def transcript(source: str, folder: Path) -> str:
    """Run the lines one by one, as a reader in this folder would type them, and return what the reader would see."""
    names: dict[str, Any] = {"pr": _Library(Path.cwd())}
    shown: list[str] = []
    try:
        parsed = ast.parse(source)
    except SyntaxError as problem:
        raise SessionError(f"{problem.msg} in line {problem.lineno}") from problem
    for statement in parsed.body:
        text = ast.get_source_segment(source, statement) or ""
        first, *rest = text.splitlines()
        shown += [f">>> {first}", *(f"... {line}" for line in rest)]
        with chdir(folder):
            shown += _run(statement, text, names)
    return "\n".join(shown)


def _run(statement: ast.stmt, text: str, names: dict[str, Any]) -> list[str]:
    printed = io.StringIO()
    try:
        with redirect_stdout(printed):
            if isinstance(statement, ast.Expr):
                value = eval(text, names)  # noqa: S307  (the text is the page's own)
                if value is not None:
                    print(repr(value))  # noqa: T201  (as the interpreter does)
            else:
                exec(text, names)  # noqa: S102  (the same)
    except Exception as problem:
        raise SessionError(f"`{text}` raised {type(problem).__name__}: {problem}") from problem
    return printed.getvalue().splitlines()
