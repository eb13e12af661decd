"""A cache by identity: for functions of one large object that is costly to hash.

Reads:  a function of one object.   Writes: the same function, which remembers its last answers.
After:  the very same object gives the very same answer, as long as it is among the last ones asked about.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

_Object = TypeVar("_Object")
_Answer = TypeVar("_Answer")


def cache_by_identity(size: int) -> Callable[[Callable[[_Object], _Answer]], Callable[[_Object], _Answer]]:
    """Return a decorator that remembers the answers for the last `size` objects."""

    def decorate(function: Callable[[_Object], _Answer]) -> Callable[[_Object], _Answer]:
        known: OrderedDict[int, tuple[_Object, _Answer]] = OrderedDict()

        @wraps(function)
        def cached(given: _Object) -> _Answer:
            found = known.get(id(given))
            if found is None:  # the object is kept as well, so that no other one gets its id
                found = known[id(given)] = (given, function(given))
                if len(known) > size:
                    known.popitem(last=False)
            return found[1]

        return cached

    return decorate
