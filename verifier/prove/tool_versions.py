"""Tools: the versions of everything that a verdict depends on.

Reads:  what is installed here.   Writes: names of packages with their versions.
After:  the same machine gives the same answer; a package that is not there is left out.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, version

OURS, SOLVER, SECOND, SEARCH = "pilgrim-rules", "z3-solver", "cvc5", "numpy"


def tools() -> dict[str, str]:
    """Return the versions of everything that a proof depends on."""
    return {"python": platform.python_version(), **versions((OURS, SOLVER, SECOND))}


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Return the versions of those packages that are installed."""
    return {package: found for package in packages if (found := _version(package))}


@cache
def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:  # a checkout that is not installed, or a solver that is not there
        return ""
