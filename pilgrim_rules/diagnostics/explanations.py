"""What a diagnostic code means, at length.

Reads:  explanations.toml beside this file.   Writes: `Explanation`, and its text for `pilgrim explain CODE`.
After:  every code has one (tests/test_architecture.py sees to it).
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pilgrim_rules.diagnostics.codes import Code, all_codes


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a code means, an example of the mistake, and how to fix it."""

    code: Code
    means: str
    bad: str
    fix: str

    def text(self) -> str:
        """Return the explanation as plain text."""
        example = "\n".join(f"    {line}".rstrip() for line in self.bad.strip("\n").splitlines())
        title = f"{self.code.id}: {self.code.title}" + (" (warning)" if self.code.severity == "warning" else "")
        return f"{title}\n\n{self.means.strip()}\n\nExample\n\n{example}\n\nHow to fix it\n\n{self.fix.strip()}"


def explain(code: str) -> Explanation | None:
    """Return the explanation of a code such as `PR201`, in capitals or not; None if there is no such code."""
    found = {known.id: known for known in all_codes()}.get(code.upper())
    entry = None if found is None else _entries().get(found.id)
    if found is None or entry is None:
        return None
    return Explanation(found, entry["means"], entry["bad"], entry["fix"])


@cache
def _entries() -> dict[str, dict[str, str]]:
    return tomllib.loads(files("pilgrim_rules.diagnostics").joinpath("explanations.toml").read_text(encoding="utf-8"))
