"""Cache: verdicts kept between runs, each for exactly what it rests on.

Reads:  a game, and what an earlier run has kept.   Writes: records that still hold, and hints for those that do not.
After:  a proof is used again only while its goal, the action's effects and everything in its core are unchanged, and the
        tools are the same; any other verdict only while the whole game is. Whatever cannot be read, or was made by
        another version, is as good as absent.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache as once
from hashlib import sha256
from importlib import resources
from typing import Any

from pilgrim_rules import cache as store
from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.core.ir import Action, Claim, Expr, Game, Given
from verifier import formulas
from verifier.about import is_wide
from verifier.obligations import Kind, Obligation
from verifier.records import plain, record_of
from verifier.tools import tools
from verifier.verdict import Record

SUFFIX = ".proofs"
STATIC: frozenset[Kind] = frozenset(
    {"one_side", "one_auto", "no_dead_end", "weights", "no_ties", "falsifiable", "follows"}
)
STEPS: frozenset[Kind] = frozenset({"range", "kept", "step", "decreases"})


@dataclass(slots=True)
class Cache:
    """What is kept about one instance of a game."""

    game: Game
    key: str
    settings: str
    entries: dict[str, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def load(cls, game: Game, *, budget: int, confirm: bool, all_rulings: bool) -> Cache:
        """Return what earlier runs have kept; nothing if it cannot be trusted."""
        key = sha256(f"proofs {game.name} {game.players} {all_rulings}".encode()).hexdigest()
        settings = repr((sorted(tools().items()), _verifier(), all_rulings, budget, confirm))
        return cls(game, key, settings, _entries(key))

    def fresh(self, todo: Iterable[Obligation]) -> dict[str, Record]:
        """Return the records that still hold, by name."""
        found: dict[str, Record] = {}
        wanted = [each for each in todo if each.name in self.entries]
        prints = self._prints((each, _core(self.entries[each.name])) for each in wanted)
        for obligation in wanted:
            kept = self.entries[obligation.name]
            if kept.get("print") == prints[obligation.name]:
                record = record_of(kept.get("record"))
                if record is not None and record.name == obligation.name:
                    found[obligation.name] = replace(record, cached=True)
        return found

    def hints(self, name: str) -> tuple[str, ...]:
        """Return the hypotheses that a proof needed last time: where to begin, never evidence."""
        return _core(self.entries.get(name, {}))

    def keep(self, todo: Iterable[Obligation], records: Iterable[Record]) -> None:
        """Keep what this run has found."""
        found = {record.name: record for record in records if not record.alarm}
        kept = [(each, found[each.name].core) for each in todo if each.name in found]
        prints = self._prints(kept)
        made: dict[str, dict[str, Any]] = {
            each.name: {"core": list(core), "print": prints[each.name], "record": plain(found[each.name])}
            for each, core in kept
        }
        self.entries |= made
        # Another run may have kept something meanwhile.
        store.write(self.key, json.dumps({"entries": {**_entries(self.key), **made}}), SUFFIX)

    # ------------------------------------------------------------------------------------------------------- what counts

    def _prints(self, wanted: Iterable[tuple[Obligation, tuple[str, ...]]]) -> dict[str, str]:
        """Return, for each obligation and core, the hash of everything the verdict rests on."""
        basis = _Basis(self.game)
        parts = {obligation.name: basis.parts(obligation, core) for obligation, core in wanted}
        prints = basis.prints()
        return {
            name: sha256(repr((self.settings, name, [prints(part) for part in each])).encode()).hexdigest()
            for name, each in parts.items()
        }


class _Basis:
    """The things that verdicts rest on, gathered into one synthetic game so that each is hashed once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.actions = {action.name: action for action in game.actions}
        self.claims = {claim.name: claim for claim in game.claims}
        self.made: dict[str, Action | Claim] = {}

    def parts(self, obligation: Obligation, core: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of what a verdict rests on; `whole` if on everything."""
        labels = frozenset(core)
        if not labels or obligation.kind not in STATIC | STEPS or is_wide(core):
            return ("whole",)
        found = [f"type {self.game.player.size} {self.game.stage.size}"]
        if obligation.kind in STATIC:
            found.append(self._claim(f"goal {obligation.name}", formulas.static(self.game, obligation)))
        if obligation.action is not None and obligation.kind in STEPS:
            found.append(self._action(obligation.action, labels))
        if obligation.kind == "decreases":
            found.append(f"ranking {obligation.subject}")
        if obligation.kind in ("kept", "step"):
            found.append(self._claim(f"claim {obligation.subject}", self.claims[str(obligation.subject)].formula))
        for label in sorted(labels):
            kind, _, name = label.partition(":")
            if kind in ("invariant", "conserved", "law"):
                if name not in self.claims or self.claims[name].kind != kind:  # nobody may assume it any more
                    return ("gone",)
                if obligation.kind == "follows" and name not in self.claims[str(obligation.subject)].using:
                    return ("gone",)
                found.append(self._claim(f"claim {name}", self.claims[name].formula))
        return tuple(found)

    def prints(self) -> Callable[[str], str]:
        """Return the function from names of parts to hashes."""
        own = Fingerprints(self.game)
        synthetic = Fingerprints(
            replace(
                self.game,
                actions=tuple(each for each in self.made.values() if isinstance(each, Action)),
                claims=tuple(each for each in self.made.values() if isinstance(each, Claim)),
            )
        )

        def hashed(part: str) -> str:
            if part in self.made:
                made = self.made[part]
                return synthetic.action(made.name) if isinstance(made, Action) else synthetic.claim(made.name)
            if part.startswith("ranking "):
                return own.ranking(part.removeprefix("ranking "))
            return own.whole if part == "whole" else part

        return hashed

    def _claim(self, name: str, formula: Expr) -> str:
        self.made.setdefault(name, Claim(name, "invariant", formula))
        return name

    def _action(self, name: str, labels: frozenset[str]) -> str:
        """Note an action with only those requirements that the proof needed; its effects count as a whole."""
        action = self.actions[name]
        guard = tuple(line for line in action.guard if isinstance(line, Given) or f"require:{line.key}" in labels)
        stages = action.stages if "during" in labels else ()
        weight = action.weight if "weight" in labels else None
        keys = sorted(label for label in labels if label.startswith("require:"))
        part = f"action {name} {keys} {bool(stages)} {weight is not None}"
        self.made.setdefault(part, replace(action, name=part, guard=guard, stages=stages, weight=weight))
        return part


def _entries(key: str) -> dict[str, dict[str, Any]]:
    """Return what has been kept so far; nothing if it is not what we write."""
    text = store.read(key, SUFFIX)
    if text is None:
        return {}
    try:
        return {str(name): dict(each) for name, each in json.loads(text)["entries"].items()}
    except (AttributeError, KeyError, TypeError, ValueError):
        return {}


def _core(kept: Mapping[str, Any]) -> tuple[str, ...]:
    core = kept.get("core", [])
    return tuple(str(label) for label in core) if isinstance(core, list) else ()


@once
def _verifier() -> str:
    """Return the hash of our own text, as far as it decides verdicts: one of another version is not used."""
    texts = []
    for package in (
        "verifier",
        "verifier.smt",
        "pilgrim_rules.core",
        "pilgrim_rules.engine",
        "pilgrim_rules.engine.codegen",
    ):
        files = [each for each in resources.files(package).iterdir() if each.name.endswith(".py")]
        texts += [each.read_bytes() for each in sorted(files, key=lambda each: each.name)]
    return sha256(b"".join(texts)).hexdigest()
