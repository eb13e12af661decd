"""A core game as JSON and back, without pickle: what the cache keeps of a checked spec.

Reads:  a core game, or text that `encode` wrote.   Writes: the other.
After:  `decode(encode(game)) == game`, places included; text of another version, or damaged, raises `NotACoreGame`.

The text is one table of rows. A row is a class number and the values of its fields; a field that holds nodes holds
their row numbers, and a row uses only rows before it. Equal nodes share a row, so types, spans and repeated guards are
written once. How to read and write a field follows from its annotation, so a new class in `ir.py` needs nothing here.
"""

from __future__ import annotations

import gc
import json
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import cache, partial
from hashlib import sha256
from typing import Any, Literal, NamedTuple, TypeAlias, Union, get_args, get_origin, get_type_hints

from pilgrim_rules.core import ir
from pilgrim_rules.source import Span

#: Turns the value of a field from or into JSON, given how a single node is turned. The same both ways.
Node: TypeAlias = Callable[[Any], Any]
Convert: TypeAlias = Callable[[Node, Any], Any]


class NotACoreGame(Exception):
    """The text was not written by this version of `encode`, or is damaged."""


class _Shape(NamedTuple):
    """How a class stands in a row: its fields, keyword-only ones last, and those that JSON cannot hold as they are."""

    class_: type[Any]
    names: tuple[str, ...]
    keywords: tuple[str, ...]
    converters: tuple[tuple[int, Convert], ...]

    def make(self, row: list[Any]) -> Any:
        """Return the node that a row spells."""
        if not self.keywords:
            return self.class_(*row[1:])
        count = len(self.keywords)
        return self.class_(*row[1:-count], **dict(zip(self.keywords, row[-count:], strict=True)))


def encode(game: ir.Game) -> str:
    """Return the game as JSON text."""
    rows: dict[tuple[Any, ...], int] = {}
    seen: dict[int, int] = {}  # by identity: nodes live as long as the game
    shapes = {shape.class_: (number, shape) for number, shape in enumerate(_shapes())}

    def node(value: Any) -> int:
        at = seen.get(id(value))
        if at is None:
            number, shape = shapes[type(value)]
            row = [number, *(getattr(value, name) for name in shape.names)]
            for place, convert in shape.converters:
                row[place] = convert(node, row[place])
            at = seen[id(value)] = rows.setdefault(tuple(row), len(rows))
        return at

    with without_collection():
        node(game)
        return json.dumps({"schema": schema(), "rows": list(rows)}, separators=(",", ":"), ensure_ascii=False)


def decode(text: str) -> ir.Game:
    """Return the game that the text spells."""
    try:
        with without_collection():
            data = json.loads(text)
            if data["schema"] != schema():
                raise NotACoreGame("written by another version")
            game = _nodes(data["rows"])[-1]
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise NotACoreGame("damaged") from error
    if not isinstance(game, ir.Game):
        raise NotACoreGame("the last row is no game")
    return game


@cache
def schema() -> str:
    """Return a short hash of all classes and their fields: texts of another schema are not read."""
    shape = [
        (found.class_.__name__, [(part.name, str(part.type)) for part in fields(found.class_)]) for found in _shapes()
    ]
    return sha256(repr(shape).encode()).hexdigest()[:16]


@contextmanager
def without_collection() -> Iterator[None]:
    """Pause the garbage collector: nothing made here is garbage, and looking for it takes longer than making it."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _nodes(rows: Sequence[list[Any]]) -> list[Any]:
    made: list[Any] = []
    node = made.__getitem__
    shapes = _shapes()
    for row in rows:
        shape = shapes[row[0]]
        for place, convert in shape.converters:
            row[place] = convert(node, row[place])
        made.append(shape.make(row))
    return made


@cache
def _shapes() -> tuple[_Shape, ...]:
    """Return every class a game can contain; the number of a class is its place here."""
    own = (found for found in vars(ir).values() if isinstance(found, type) and found.__module__ == ir.__name__)
    return tuple(_shape(class_) for class_ in (Span, *own))


def _shape(class_: type[Any]) -> _Shape:
    keywords = tuple(part.name for part in fields(class_) if part.kw_only is True)
    names = (*(part.name for part in fields(class_) if part.kw_only is not True), *keywords)
    hints = get_type_hints(class_)
    found = [(place, _converter(hints[name])) for place, name in enumerate(names, start=1)]
    return _Shape(class_, names, keywords, tuple((place, convert) for place, convert in found if convert is not None))


def _converter(hint: Any) -> Convert | None:
    """Return how values of an annotation are turned; None if they stay as they are."""
    origin = get_origin(hint)
    if hint in (str, int, bool) or origin is Literal:
        return None
    if is_dataclass(hint):
        return _one
    if origin in (Union, types.UnionType):
        inner = {_converter(part) for part in get_args(hint) if part is not types.NoneType}
        assert len(inner) == 1, f"a field cannot hold both nodes and plain values: {hint}"
        convert = inner.pop()
        return convert if convert is None or types.NoneType not in get_args(hint) else partial(_maybe, convert)
    assert origin is tuple, f"no way to write {hint}"
    parts = get_args(hint)
    if parts[-1] is Ellipsis:
        convert = _converter(parts[0])
        return _plain if convert is None else _many if convert is _one else partial(_each, convert)
    return partial(_pointwise, tuple(map(_converter, parts)))


def _one(node: Node, value: Any) -> Any:
    return node(value)


def _maybe(convert: Convert, node: Node, value: Any) -> Any:
    return None if value is None else convert(node, value)


def _plain(_node: Node, value: Any) -> Any:
    return tuple(value)


def _many(node: Node, value: Any) -> Any:
    return tuple(map(node, value))


def _each(convert: Convert, node: Node, value: Any) -> Any:
    return tuple([convert(node, part) for part in value])


def _pointwise(converters: tuple[Convert | None, ...], node: Node, value: Any) -> Any:
    pairs = zip(converters, value, strict=True)
    return tuple([part if convert is None else convert(node, part) for convert, part in pairs])
