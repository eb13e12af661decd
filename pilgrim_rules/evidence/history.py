"""History: what each rule meant in each version of a game, one file a game.

Reads:  games, and `<game>.json` of a folder of histories, which `pilgrim history` writes.   Writes: `History`s, and what has
        changed from one version to the next.
After:  only meaning counts: a comment, a citation, a local name or the words of a refusal changes no rule. A rule that is gone
        and one that is new and means the same is one rule under another name; if it changed too, its author says so.
        `history.schema.json` beside this module describes the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, TypeAlias

from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.core.ir import Action, Game, Given
from pilgrim_rules.inputs.clauses.inventory import Inventory
from pilgrim_rules.inputs.clauses.reviews import wording
from pilgrim_rules.util import atomic_write

__all__ = ["BadHistory", "Change", "History", "Version", "changes", "former_names", "read_history", "version_of"]

FORMAT = "pilgrim-rules/history/1"
SCHEMA_FILE = Path(__file__).with_name("history.schema.json")
_SHORT = 16  #: hexadecimal digits of a fingerprint that are kept

#: Of what a rule is made: who may use it and when, what it needs (its costs included), what it does.
RulePart: TypeAlias = Literal["when", "needs", "does"]
RULE_PARTS: tuple[RulePart, ...] = ("when", "needs", "does")
ChangeKind: TypeAlias = Literal["new", "changed", "renamed", "gone"]


class BadHistory(Exception):
    """The file holds no history that this version can read; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Version:
    """The rules as they were once.

    name     of the version, empty for the present rules.     date  of it, as somebody wrote it.
    rules    the fingerprints of the parts of each rule.       clauses  the hash of the wording of each clause.
    renamed  rules that have another name than in the version before: the name now, and the one before.
    """

    name: str
    date: str
    rules: Mapping[str, tuple[str, ...]]
    clauses: Mapping[str, str]
    renamed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class History:
    """The versions of a game, the oldest first, all for the same number of players."""

    players: int = 0
    versions: tuple[Version, ...] = ()

    def with_version(self, version: Version) -> History:
        """Return the history with a version at its end; one of the same name is replaced where it stands."""
        known = [each.name for each in self.versions]
        if version.name in known:
            at = known.index(version.name)
            return replace(self, versions=(*self.versions[:at], version, *self.versions[at + 1 :]))
        return replace(self, versions=(*self.versions, version))

    def to_data(self) -> dict[str, Any]:
        """Return the history as plain data."""
        versions = [
            {
                "name": each.name,
                "date": each.date,
                "rules": {name: list(parts) for name, parts in each.rules.items()},
                "clauses": dict(each.clauses),
                **({"renamed": dict(each.renamed)} if each.renamed else {}),
            }
            for each in self.versions
        ]
        return {"format": FORMAT, "players": self.players, "versions": versions}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> History:
        """Return the history that plain data describes."""
        if data.get("format") != FORMAT:
            raise ValueError(f"its format is {data.get('format')!r}, not {FORMAT!r}")
        versions = tuple(
            Version(
                str(each["name"]),
                str(each["date"]),
                {str(name): tuple(map(str, parts)) for name, parts in each["rules"].items()},
                {str(id_): str(text) for id_, text in each["clauses"].items()},
                {str(new): str(old) for new, old in each.get("renamed", {}).items()},
            )
            for each in data["versions"]
        )
        return cls(int(data["players"]), versions)


@dataclass(frozen=True, slots=True)
class Change:
    """What has become of a rule: `parts` that mean something else, and its `former` name if that was another."""

    rule: str
    kind: ChangeKind
    parts: tuple[RulePart, ...] = ()
    former: str = ""


def read_history(path: Path) -> History:
    """Return the history in a file; an empty one if there is no file."""
    if not path.exists():
        return History()
    try:
        return History.from_data(json.loads(path.read_text("utf-8")))
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise BadHistory(f"{path} holds no history: {problem}") from None


def write_history(path: Path, history: History) -> None:
    """Write a history; the same history gives the same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_write.write(path, f"{json.dumps(history.to_data(), ensure_ascii=False, separators=(',', ':'))}\n")


def version_of(
    game: Game, inventory: Inventory | None, name: str = "", date: str = "", renamed: Mapping[str, str] | None = None
) -> Version:
    """Return the rules of a game as a version."""
    prints = Fingerprints(game)
    rules = {action.name: tuple(_part(prints, action, part) for part in RULE_PARTS) for action in game.actions}
    clauses = {} if inventory is None else {id_: wording(inventory, id_) for id_ in inventory.ids()}
    return Version(name, date, rules, clauses, renamed or {})


def _part(prints: Fingerprints, action: Action, part: RulePart) -> str:
    """Return the fingerprint of a part of an action: that of an action which has nothing else."""
    bare = replace(action, name=f"{action.name} {part}", guard=(), body=(), weight=None, reveals=())
    match part:
        case "when":
            made = bare
        case "needs":
            made = replace(bare, stages=(), guard=action.guard)
        case "does":  # with the names that its requirements give to values
            named = tuple(line for line in action.guard if isinstance(line, Given))
            made = replace(action, name=bare.name, stages=(), guard=named)
    prints.add(made)
    return prints.action(made.name)[:_SHORT]


def changes(old: Version, new: Version) -> tuple[Change, ...]:
    """Return what has become of the rules from one version to the next, in the order of the new one; what is gone last."""
    before = former_names(old, new)
    found: list[Change] = []
    for name, parts in new.rules.items():
        former = before.get(name)
        if former is None:
            found.append(Change(name, "new"))
            continue
        other = tuple(part for part, was, now in zip(RULE_PARTS, old.rules[former], parts, strict=True) if was != now)
        called = "" if former == name else former
        if other or called:
            found.append(Change(name, "changed" if other else "renamed", other, called))
    kept = set(before.values())
    return (*found, *(Change(name, "gone") for name in old.rules if name not in kept))


def former_names(old: Version, new: Version) -> dict[str, str]:
    """Return what each rule of the new version was called in the old one; a rule that was not there is left out."""
    found = {name: name for name in new.rules if name in old.rules and name not in new.renamed}
    found |= {now: was for now, was in new.renamed.items() if now in new.rules and was in old.rules}
    gone = [name for name in old.rules if name not in set(found.values())]
    for name in (name for name in new.rules if name not in found):
        alike = [was for was in gone if old.rules[was] == new.rules[name]]
        if len(alike) == 1:
            found[name] = alike[0]
            gone.remove(alike[0])
    return found


def of_rule(history: History, today: Version, rule: str) -> Iterator[tuple[Version, Change | None]]:
    """Yield the versions at which a rule changed, the latest first; with None the oldest that has it."""
    name, steps = rule, [*history.versions, today]
    for old, new in reversed(list(pairwise(steps))):
        found = next((each for each in changes(old, new) if each.rule == name), None)
        if found is not None:
            yield new, found
            if found.kind == "new":
                return
            name = found.former or name
    if history.versions and name in history.versions[0].rules:
        yield history.versions[0], None
