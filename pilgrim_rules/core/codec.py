"""A core game as JSON and back, without pickle: what the cache keeps of a checked spec.

Reads:  a core game, or text that `encode` wrote.   Writes: the other.
After:  `decode(encode(game)) == game`, places included, its origin left out; text of another version, or damaged, raises `NotACoreGame`.

The text is one table of rows. A row is a class number and the values of its fields; a field that holds nodes holds
their row numbers, and a row uses only rows before it. Equal nodes share a row, so types, spans and repeated guards are
written once. How to read and write a field follows from its annotation, so a new class in `ir.py` needs nothing here.
"""

from __future__ import annotations

import json
import marshal
import sys
import types
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from functools import cache, partial
from hashlib import sha256
from typing import Any, Literal, NamedTuple, TypeAlias, Union, get_args, get_origin

from pilgrim_rules.core import ir
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.util import text_cache
from pilgrim_rules.util.code_hash import code_hash
from pilgrim_rules.util.collection import without_collection

_SUFFIX = ".makers"

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

    def maker(self) -> str:
        """Return the expression that makes a node of a row `r`, where `n` gives the nodes of other rows.

        Fields are put in place one by one, because a call of `__init__` takes twice the time.
        """
        converters, name = dict(self.converters), self.class_.__name__
        values = (_text(converters.get(place), f"r[{place}]") for place in range(1, len(self.names) + 1))
        put = [f"{name}_{field}(o, {value})" for field, value in zip(self.names, values, strict=True)]
        return f"(o := new({name}), {''.join(f'{each}, ' for each in (*put, *self._left_out()))})[0]"

    def _left_out(self) -> Iterator[str]:
        """Yield what puts in place the fields that are not encoded: their defaults."""
        for part in fields(self.class_):
            if part.name not in self.names:
                assert part.default is None, "what is left out is absent"
                yield f"{self.class_.__name__}_{part.name}(o, None)"

    def setters(self) -> dict[str, Callable[[Any, Any], None]]:
        """Return the functions that put a field in place; assigning to a frozen node is refused."""
        class_ = self.class_
        assert not hasattr(class_, "__post_init__"), "a node is its fields"
        return {f"{class_.__name__}_{part.name}": getattr(class_, part.name).__set__ for part in fields(class_)}


def encode(game: ir.Game) -> str:
    """Return the game as JSON text."""
    return json.dumps({"schema": schema(), "rows": _rows(game)}, separators=(",", ":"), ensure_ascii=False)


def _rows(game: ir.Game) -> list[tuple[Any, ...]]:
    """Return the table of a game."""
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
    return list(rows)


def decode(text: str) -> ir.Game:
    """Return the game that the text spells."""
    try:
        data = json.loads(text)
        return _game(data["schema"], data["rows"])
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise NotACoreGame("damaged") from error


def pack(game: ir.Game) -> bytes:
    """Return the game as bytes that are small, and quick to read by this version of Python; only for a folder that we can trust."""
    return zlib.compress(marshal.dumps({"schema": schema(), "rows": _rows(game)}), level=1)


def unpack(data: bytes) -> ir.Game:
    """Return the game that `pack` has packed."""
    try:
        with without_collection():
            kept = marshal.loads(zlib.decompress(data))  # noqa: S302  (whole, and from a folder that only we can write)
            return _game(kept["schema"], kept["rows"])
    except (ValueError, TypeError, LookupError, EOFError, RecursionError, zlib.error) as error:
        raise NotACoreGame("damaged") from error


def _game(written_by: str, rows: Sequence[Sequence[Any]]) -> ir.Game:
    if written_by != schema():
        raise NotACoreGame("written by another version")
    with without_collection():
        game = _nodes(rows)[-1]
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


def _nodes(rows: Sequence[Sequence[Any]]) -> list[Any]:
    made: list[Any] = []
    node, add, makers = made.__getitem__, made.append, _makers()
    for row in rows:
        add(makers[row[0]](row, node))
    return made


@cache
def _makers() -> list[Callable[[Sequence[Any], Node], Any]]:
    """Return for each class the function that makes a node of a row: written out and compiled, as most of the time is spent here."""
    key = sha256(
        f"makers {schema()} {sys.implementation.cache_tag} {code_hash('pilgrim_rules.core')}".encode()
    ).hexdigest()
    kept = text_cache.read_bytes(key, _SUFFIX)
    if kept is None:
        source = ", ".join(f"lambda r, n: {shape.maker()}" for shape in _shapes())
        kept = marshal.dumps(compile(f"[{source}]", "<makers>", "eval"))
        text_cache.write_bytes(key, kept, _SUFFIX)
    code = marshal.loads(kept)  # noqa: S302  (whole, and from a folder that only we can write)
    names: dict[str, Any] = {**vars(ir), "Span": Span, "new": object.__new__}
    for shape in _shapes():
        names |= shape.setters()
    makers: list[Callable[[Sequence[Any], Node], Any]] = eval(code, names)  # noqa: S307  (our own text)
    return makers


def _text(convert: Convert | None, value: str) -> str:
    """Return how a value of a row is turned into that of a field, as Python text."""
    match convert:
        case None:
            return value
        case partial(func=func, args=(inner,)) if func is _maybe:
            return f"None if {value} is None else {_text(inner, value)}"
        case partial(func=func, args=(inner,)) if func is _each:
            return f"tuple([{_text(inner, 'e')} for e in {value}])"
        case partial(func=func, args=(parts,)) if func is _pointwise:
            turned = [_text(part, f"{value}[{at}]") for at, part in enumerate(parts)]
            return f"({', '.join(turned)},)"
        case _:  # a function without further arguments
            return f"{_SPELLED[convert]}".format(value)


@cache
def _shapes() -> tuple[_Shape, ...]:
    """Return every class a game can contain; the number of a class is its place here."""
    own = (found for found in vars(ir).values() if isinstance(found, type) and found.__module__ == ir.__name__)
    return tuple(_shape(class_) for class_ in (Span, *own))


def _shape(class_: type[Any]) -> _Shape:
    parts = [part for part in fields(class_) if part.metadata.get("encoded", True)]
    keywords = tuple(part.name for part in parts if part.kw_only is True)
    names = (*(part.name for part in parts if part.kw_only is not True), *keywords)
    hints = {part.name: part.type for part in parts}
    found = [(place, _written(str(hints[name]))) for place, name in enumerate(names, start=1)]
    return _Shape(class_, names, keywords, tuple((place, convert) for place, convert in found if convert is not None))


@cache
def _written(annotation: str) -> Convert | None:
    """Return how values of an annotation are turned; the same words mean the same everywhere in `ir.py`."""
    return _converter(eval(annotation, vars(ir)))  # noqa: S307  (our own source)


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


_SPELLED: dict[Convert, str] = {_one: "n({})", _plain: "tuple({})", _many: "tuple(map(n, {}))"}


def _each(convert: Convert, node: Node, value: Any) -> Any:
    return tuple([convert(node, part) for part in value])


def _pointwise(converters: tuple[Convert | None, ...], node: Node, value: Any) -> Any:
    pairs = zip(converters, value, strict=True)
    return tuple([part if convert is None else convert(node, part) for convert, part in pairs])
