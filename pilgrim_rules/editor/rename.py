"""Rename: another name for something the game declares, wherever it is used.

Reads:  a project, a name and the new one.   Writes: the places to change, or why it cannot be done.
After:  the changed rules have no mistake that they did not have before; a name that only one declaration binds is left alone.
"""

from __future__ import annotations

import re
from pathlib import Path

from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.editor.names import NameIndex
from pilgrim_rules.editor.project import Project, open_project

_NAME = re.compile(r"[A-Za-z_]\w*")


class CannotRename(Exception):
    """The name cannot be changed; the message says why."""


def rename(index: NameIndex, old: str, new: str) -> list[Span]:
    """Return the places in which the old name stands; `CannotRename` if the rules would not mean the same afterwards."""
    if not _NAME.fullmatch(new):
        raise CannotRename(f"`{new}` is not a name: letters, digits and `_`, and no digit first")
    if old not in index.declared:
        raise CannotRename(f"`{old}` is not declared by the rules of this game")
    if new in index.declared or new in index.uses:
        raise CannotRename(f"`{new}` is used already")
    places = index.uses.get(old, [])
    before = {each.message.replace(f"`{old}`", f"`{new}`") for each in index.project.mistakes}
    worse = [each for each in _changed(index.project, places, new).mistakes if each.message not in before]
    if worse:
        raise CannotRename(f"with `{new}` the rules would have a mistake: {worse[0].message}")
    return places


def _changed(project: Project, places: list[Span], new: str) -> Project:
    """Return the project with the name changed in all these places."""
    texts = {str(Path(name).resolve()): source.text for name, source in project.sources.items()}
    for place in sorted(places, key=lambda each: -each.start):
        path = str(Path(place.file).resolve())
        text = texts[path]
        texts[path] = text[: place.start] + new + text[place.end :]
    return open_project(Path(project.origin.files[0]), texts)
