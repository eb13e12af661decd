"""What both kinds of map file have in common: names, columns, sides, limits.

Reads:  documents.   Writes: checked pieces of a graph, and diagnostics.
After:  every name is a label given once, and the sides can be told apart and have opposites.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.codes import PR704, PR705, PR707, PR711, PR712, PR713
from pilgrim_rules.inputs.data.toml_file import Document, Raw, Table, check_label
from pilgrim_rules.inputs.data.toml_places import KeyPath

MOST_NODES = 4096


def names_of(document: Document, entries: Sequence[tuple[KeyPath, Table]], bag: Bag) -> list[str] | None:
    """Return the names of the entries; None if one is missing, badly formed or given twice."""
    first: dict[str, KeyPath] = {}
    names: list[str] = []
    for path, table in entries:
        name = table.get("name")
        if name is None:
            bag.add(PR704, f"this {path[0]} has no `name`", document.span(*path))
        elif check_label(document, (*path, "name"), name, bag):
            text = str(name)
            names.append(text)
            if (before := first.setdefault(text, path)) is not path:
                related = ((document.span(*before, "name"), "first given here"),)
                bag.add(PR707, f"`{text}` is given twice", document.span(*path, "name"), related=related)
    return names if len(names) == len(first) == len(entries) else None


def columns_of(
    document: Document, entries: Sequence[tuple[KeyPath, Table]], own: Collection[str], bag: Bag
) -> dict[str, tuple[Raw | None, ...]]:
    """Return every further column of the entries, in the order in which the file first names it."""
    keys: dict[str, KeyPath] = {}
    for path, table in entries:
        for key in table:
            if key not in own:
                keys.setdefault(key, (*path, key))
    for key, path in keys.items():
        check_label(document, path, key, bag)
    return {key: tuple(table.get(key) for _, table in entries) for key in keys}


def sides_of(document: Document, default: tuple[str, ...], number: int | None, bag: Bag) -> tuple[str, ...] | None:
    """Return the list `sides`: labels, each once, `number` of them or at least an even number."""
    if "sides" not in document.data:
        return default
    sides = document.data["sides"]
    span = document.span("sides")
    if not isinstance(sides, list):
        bag.add(PR705, "`sides` is not a list of labels", span)
        return None
    labels = [side for at, side in enumerate(sides) if check_label(document, ("sides", at), side, bag)]
    if len(labels) < len(sides):
        return None
    if len(set(sides)) != len(sides):
        bag.add(PR713, "a side is named twice", span)
    elif number is not None and len(sides) != number:
        bag.add(PR713, f"a hexagon has {number} sides, not {len(sides)}", span)
    elif len(sides) % 2 or len(sides) > 64:  # noqa: PLR2004  (far beyond any board, and it keeps tables small)
        bag.add(PR713, f"{len(sides)} sides have no opposites", span, help="name an even number of sides, at most 64")
    else:
        return tuple(sides)
    return None


def size_is_right(document: Document, what: str, number: int, bag: Bag) -> bool:
    """Tell whether there are some nodes and not too many, and report it if not."""
    if number == 0 and not document.data.get(what.removesuffix("s")):  # otherwise reported as no list of tables
        bag.add(PR712, f"the map has no {what}", document.span())
    elif number > MOST_NODES:
        bag.add(
            PR711,
            f"{number} {what} are too many: at most {MOST_NODES} are allowed",
            document.span(what.removesuffix("s")),
        )
    return 0 < number <= MOST_NODES


def choice(document: Document, key: str, options: Sequence[str], bag: Bag) -> str | None:
    """Return the word at a top-level key, which must be one of the options; the first is the default."""
    value = document.data.get(key, options[0])
    if value in options:
        return str(value)
    said = ", ".join(f'`"{option}"`' for option in options)
    bag.add(PR705, f"`{key}` is none of {said}", document.span(key))
    return None
