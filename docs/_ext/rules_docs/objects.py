"""What the domain knows about an object, whatever its kind.

Reads:  nothing.   Writes: nothing; names and shapes shared by the domain, the directives and the indices.
After:  anchors and ids are made in one place.
"""

from __future__ import annotations

from typing import NamedTuple

from docutils.nodes import make_id

__all__ = ["KINDS", "Entry", "anchor", "full_id"]

#: Each kind of object: its label, and whether a search should show it first (0), as usual (1) or late (2).
KINDS = {
    "game": ("game", 0),
    "rule": ("rule", 0),
    "invariant": ("guarantee", 1),
    "ruling": ("ruling", 1),
    "clause": ("clause", 1),
    "example": ("example", 2),
    "arrangement": ("arrangement", 2),
    "term": ("term", 1),
    "error": ("diagnostic", 1),
}


class Entry(NamedTuple):
    """Where an object is shown, and what a list of objects says about it."""

    docname: str
    anchor: str
    title: str
    about: str = ""


def full_id(game: str, name: str) -> str:
    """Return the id of something in a game: `pilgrim.build_shrine`, `pilgrim.SHR-3`."""
    return f"{game}.{name}"


def anchor(kind: str, id_: str) -> str:
    """Return the anchor of an object in its page; it changes only if the object's name does."""
    return make_id(f"{kind}-{id_}")
