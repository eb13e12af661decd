"""Dataclasses that are quick to define: `@dataclass(frozen=True, slots=True)`, as the standard library has it.

Reads:  a class with annotated fields.   Writes: the class, frozen and slotted.
After:  it behaves as `dataclasses.dataclass` would have made it (construction, equality, hash, print, `fields`,
        `replace`, matching, copying), and type checkers take it for exactly that.

The standard decorator writes and compiles six methods a class, which for the classes of the core and of the syntax
tree is most of the time that importing them takes. Here only `__init__` is compiled, and only for a class that is
used; the other methods are shared, or compare what an `attrgetter` gets. Classes that users of the library see keep the
standard decorator, whose `__init__` tools can look at. `replace` does what the standard one does, for whoever calls it often.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import replace as replace
else:
    from dataclasses import dataclass as standard
    from dataclasses import replace as standard_replace

    def dataclass(*, frozen: bool, slots: bool, kw_only: bool = False) -> Callable[[type[Any]], type[Any]]:
        """Return the decorator; the words are spelled out so that it reads like the standard one."""
        assert frozen
        assert slots
        # With these options nothing is compiled: the fields are collected, and the class is made again with slots.
        collect = standard(init=False, repr=False, eq=False, slots=True, kw_only=kw_only)

        def decorate(class_: type[Any]) -> type[Any]:
            class_.__doc__ = class_.__doc__ or class_.__name__  # or one would be made from the signature, slowly
            return _complete(collect(class_))

        return decorate

    def replace(node: Any, /, **changes: Any) -> Any:
        """Return the node with some fields changed."""
        class_ = node.__class__
        setters = _setters.get(class_)
        if setters is None:
            return standard_replace(node, **changes)
        made = _new(class_)
        for name, put in setters:
            put(made, changes.pop(name) if name in changes else getattr(node, name))
        if changes:
            raise TypeError(f"{class_.__name__} has no field {next(iter(changes))!r}")
        return made


_new = object.__new__
#: For each class that something was made of, and which is nothing but its fields: what fills them.
_setters: dict[type[Any], tuple[tuple[str, Callable[[Any, Any], None]], ...]] = {}


def _complete(class_: type[Any]) -> type[Any]:
    parts = fields(class_)
    compared = [part.name for part in parts if part.compare]
    values = attrgetter(*compared) if compared else _nothing

    def __eq__(self: Any, other: Any) -> bool:  # noqa: N807
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: Any) -> int:  # noqa: N807
        return hash(values(self))

    methods = {**_SHARED, "__eq__": __eq__, "__hash__": __hash__, "__init__": _first_init}
    for name, method in methods.items():
        setattr(class_, name, method)
    return class_


def _first_init(self: Any, *args: Any, **named: Any) -> None:
    """Compile the `__init__` of the class, once something is made of it."""
    class_ = type(self)
    class_.__init__ = _init(class_)
    parts = fields(class_)
    if all(part.init for part in parts) and not hasattr(class_, "__post_init__"):
        _setters[class_] = tuple((part.name, getattr(class_, part.name).__set__) for part in parts)
    class_.__init__(self, *args, **named)


def _init(class_: type[Any]) -> Any:
    """Return `__init__`; it passes by `__setattr__`, which refuses, and fills each slot itself, which is quickest."""
    parts = fields(class_)
    given = [part for part in parts if part.init]
    scope: dict[str, Any] = {"absent": MISSING}
    scope |= {f"__set_{part.name}": getattr(class_, part.name).__set__ for part in given}
    scope |= {f"default_{part.name}": part.default for part in given if part.default is not MISSING}
    scope |= {f"make_{part.name}": part.default_factory for part in given if part.default_factory is not MISSING}
    named = [_parameter(part) for part in given if part.kw_only]
    head = ["self", *(_parameter(part) for part in given if not part.kw_only), *(["*", *named] if named else [])]
    body = [f"__set_{part.name}(self, {_value(part)})" for part in given]
    body += ["self.__post_init__()"] if hasattr(class_, "__post_init__") else []
    exec(f"def __init__({', '.join(head)}):\n    {'; '.join(body) or 'pass'}", scope)  # noqa: S102
    init = scope["__init__"]
    init.__qualname__ = f"{class_.__qualname__}.__init__"  # errors of the caller name the class
    return init


def _parameter(part: Field[Any]) -> str:
    if part.default_factory is not MISSING:
        return f"{part.name}=absent"
    return part.name if part.default is MISSING else f"{part.name}=default_{part.name}"


def _value(part: Field[Any]) -> str:
    if part.default_factory is MISSING:
        return part.name
    return f"make_{part.name}() if {part.name} is absent else {part.name}"


def _repr(self: Any) -> str:
    shown = ", ".join(f"{part.name}={getattr(self, part.name)!r}" for part in fields(self) if part.repr)
    return f"{type(self).__qualname__}({shown})"


def _frozen(self: object, name: str, _value: object = None) -> NoReturn:
    raise FrozenInstanceError(f"cannot change field {name!r} of {type(self).__name__}")


def _state(self: Any) -> list[Any]:
    """Return what is copied; without this, copying would assign to fields."""
    return [getattr(self, part.name) for part in fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for part, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, part.name, value)


def _nothing(_self: object) -> tuple[()]:
    return ()


_SHARED = {
    "__delattr__": _frozen,
    "__getstate__": _state,
    "__repr__": _repr,
    "__setattr__": _frozen,
    "__setstate__": _set_state,
}
