"""Mutants: what became of rules with a small mistake in them, one file a game.

Reads:  `<game>.mutants.json`, which `pilgrim mutate` writes.   Writes: `MutantResult`s, as plain data and back.
After:  `MutantResult.from_data(result.to_data()) == result`, seconds rounded. `mutants.schema.json` beside this module describes
        the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, TypeAlias

FORMAT = "pilgrim-rules/mutants/2"
SCHEMA_FILE = Path(__file__).with_name("mutants.schema.json")
#: `recorded`: no example, claim or proof speaks against it, but recorded games come out otherwise.
Fate: TypeAlias = Literal["killed", "recorded", "survived", "equivalent"]
_LISTS = ("clauses", "play", "claims")
_NUMBERS = ("players", "seconds")


class BadMutants(Exception):
    """The file holds no mutants that this version can read; the message says which and why."""


@dataclass(frozen=True, slots=True)
class MutantResult:
    """What became of a mutant.

    key       of the line with the mistake.     words   what the mistake is.
    by        what killed it: `examples`, `exploration`, `play`, `recorded games`, or the name of a detector from outside.
    says      what was noticed; for a survivor where it differs from the original, if that is known; why it is equivalent.
    play      moves after which it shows, from the start or from what the example arranges.
    example   that no longer comes out as written, or in whose position the play begins.
    players   with how many it was noticed.      reason   why a survivor is let live, in somebody's words.
    claims    of the author that are broken.
    rests_on  fingerprints of what the death of a mutant rests on: it is about these rules, this example, these claims.
    """

    name: str
    kind: str
    key: str
    words: str
    clauses: tuple[str, ...]
    fate: Fate
    by: str = ""
    says: str = ""
    play: tuple[str, ...] = ()
    example: str = ""
    players: int = 0
    seconds: float = 0.0
    reason: str = ""
    claims: tuple[str, ...] = ()
    rests_on: Mapping[str, str] = field(default_factory=dict)

    def is_fresh(self, today: Mapping[str, str]) -> bool:
        """Return whether it is about these rules; one that does not say which rules it is about is about none."""
        return bool(self.rests_on) and self.rests_on.items() <= today.items()

    def to_data(self) -> dict[str, Any]:
        """Return the result as plain data; what is empty is left out."""
        data = {
            **asdict(self),
            "seconds": round(self.seconds, 2),
            **{name: list(getattr(self, name)) for name in _LISTS},
        }
        return {name: value for name, value in data.items() if value or name == "clauses"}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> MutantResult:
        """Return the result that plain data describe; TypeError or ValueError if they describe none."""
        known = {each.name for each in fields(cls)}
        words: dict[str, Any] = {name: data[name] for name in known & data.keys()}
        made = cls(**{**words, **{name: tuple(words[name]) for name in _LISTS if name in words}})
        texts = [value for name, value in words.items() if name not in (*_LISTS, *_NUMBERS, "rests_on")]
        texts += [text for name in _LISTS for text in getattr(made, name)]
        texts += [text for pair in dict(made.rests_on).items() for text in pair]
        numbers = [getattr(made, name) for name in _NUMBERS]
        if not all(isinstance(text, str) for text in texts) or not all(isinstance(n, int | float) for n in numbers):
            raise ValueError("a result has texts and numbers only")
        return made


def to_text(data: Mapping[str, Any]) -> str:
    """Return a report as JSON, a mutant a line, so that it stays small and a difference between two files can be read."""
    parts = []
    for name, value in data.items():
        text = json.dumps(value, ensure_ascii=False)
        if name == "mutants":
            text = "[\n" + ",\n".join(json.dumps(each, ensure_ascii=False) for each in value) + "\n]"
        parts.append(f"{json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def read(path: Path) -> tuple[MutantResult, ...]:
    """Return the mutants of a game; none if there is no file."""
    try:
        data = json.loads(path.read_text("utf-8"))
        if data["format"] != FORMAT:
            raise BadMutants(f"`{path}` is not of the form {FORMAT}")
        return tuple(map(MutantResult.from_data, data["mutants"]))
    except FileNotFoundError:
        return ()
    except OSError as problem:
        raise BadMutants(f"`{path}` cannot be read: {problem.strerror}") from None
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        raise BadMutants(f"`{path}` cannot be read: {type(problem).__name__}: {problem}") from None


def read_lessons(path: Path) -> tuple[MutantResult, ...]:
    """Read what was noticed of requirements that were left out on purpose; nothing if there is no file."""
    return tuple(
        each for each in read(path) if each.fate == "killed" and each.kind == "drop" and ".require." in each.key
    )
