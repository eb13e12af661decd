"""Cache: verdicts kept between runs, each for exactly what it rests on.

Reads:  a game, and what an earlier run has kept.   Writes: records that still hold, and hints for those that do not.
After:  a proof is used again only while its goal, the action's effects and everything in its core are unchanged, and the
        tools are the same. What was evaluated is used again while what was evaluated is unchanged, what was asked about a
        requirement while the requirements up to it and all claims are. Any other verdict is used again only while the whole
        game is unchanged. Its words, clauses and place are those of the current text.
        Whatever cannot be read, or was made by another version, is as good as absent. A verdict is kept as soon as it is
        known, as a line of its own: several runs may add lines at the same time.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Any

from pilgrim_rules.core.fingerprint import Fingerprints, fingerprints_of
from pilgrim_rules.core.ir import Action, Arrange, Claim, Example, Expr, Game, Given, Make, Options, Refuse, Require
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.evidence.record import BadRecord, ClaimSpan, Record, Verdict, from_data, to_data
from pilgrim_rules.language.instances import non_default_options
from pilgrim_rules.util import text_cache as store
from pilgrim_rules.util.code_hash import code_hash
from verifier.claims import formulas
from verifier.claims.obligations import Kind, Obligation
from verifier.claims.verdict_dependencies import is_wide, verdict_dependencies
from verifier.prove.hints import Hints, hints_from
from verifier.prove.tool_versions import tools

SUFFIX = ".proofs"
STATIC: frozenset[Kind] = frozenset(
    {"defined", "one_side", "one_auto", "no_dead_end", "policy_covers", "weights", "no_ties", "falsifiable", "follows"}
)
STEPS: frozenset[Kind] = frozenset({"range", "kept", "step", "decreases"})
#: The methods whose verdicts rest on less than the game; the last two ask a solver about one line.
EVALUATED, RANDOM_STATE, SOLVERS_STATE, ASKED = "evaluation", "random state", "solver's state", "one query a use"
ASSUMED = ("invariant", "conserved", "law")


@dataclass(slots=True)
class Cache:
    """What is kept about one instance of a game; of another reading, also the `usual` entries, those of the default one."""

    game: Game
    key: str
    settings: str
    entries: dict[str, dict[str, Any]] = field(default_factory=dict)
    usual: dict[str, dict[str, Any]] = field(default_factory=dict)
    basis: _Basis = field(init=False)

    def __post_init__(self) -> None:
        self.basis = _Basis(self.game)

    @classmethod
    def load(cls, game: Game, *, budget: int, confirm: bool, all_rulings: bool) -> Cache:
        """Return what earlier runs have kept; nothing if it cannot be trusted."""
        pins = [pin.name for pin in game.pinned]  # what a proof has not varied
        settings = repr((sorted(tools().items()), _verifier(), all_rulings, budget, confirm, pins))
        usual = _key(game, all_rulings, ())
        reading = non_default_options(game)
        key = _key(game, all_rulings, reading)
        return cls(game, key, settings, _entries(key), _entries(usual) if reading else {})

    def fresh(self, todo: Iterable[Obligation]) -> dict[str, Record]:
        """Return the records that still hold, by name, in the words of the current text."""
        found: dict[str, Record] = {}
        for obligation in todo:
            for entries in (self.entries, self.usual):
                record = self._still_holds(obligation, entries.get(obligation.name, {}))
                if record is not None:
                    found[obligation.name] = self._with_current_text(obligation, record)
                    break
        return found

    def _still_holds(self, obligation: Obligation, kept: Mapping[str, Any]) -> Record | None:
        """Return the record of an entry, if everything it rests on is as it was."""
        if "record" not in kept:
            return None
        try:
            record = from_data(kept["record"])
            holds = record.name == obligation.name and kept.get("print") == self._print(obligation, record)
        except (BadRecord, AttributeError, KeyError):
            return None
        return record if holds else None

    def hints(self, name: str) -> Hints:
        """Return what an earlier run knew: where to begin, never evidence."""
        return hints_from(self.entries.get(name) or self.usual.get(name, {}))

    def keep(self, obligation: Obligation, record: Record, hints: Hints, *, lasting: bool = False) -> None:
        """Keep what was found of an obligation, at once: however the run ends, the next one knows it.

        An alarm, and whatever another run may answer (a spent budget, a worker that died, a second solver out of time), is
        not kept as an answer; what helped is, as a hint. That the second solver has none is `lasting` if it would say so again.
        """
        if record.alarm or record.cached:
            return
        entry = hints.data()
        if record.verdict is not Verdict.NOT_SETTLED and (lasting or record.confirmed != "no answer"):
            entry |= {"print": self._print(obligation, record), "record": to_data(record)}
        if entry != self.entries.get(obligation.name):
            self.entries[obligation.name] = entry
            store.add_line(self.key, json.dumps([obligation.name, entry]), SUFFIX)

    # ------------------------------------------------------------------------------------------------------- what counts

    def _with_current_text(self, obligation: Obligation, record: Record) -> Record:
        """Return a record in the words of the current text: a comment, a citation or a place changes no verdict."""
        span = obligation.span
        names = verdict_dependencies(obligation, record.verdict, record.core)
        return replace(
            record,
            sentence=obligation.sentence,
            clauses=obligation.clauses,
            about={name: self.basis.named[name] for name in names},
            place=None if span is None else ClaimSpan(span.file, span.start, span.end),
            cached=True,
        )

    def _print(self, obligation: Obligation, record: Record) -> str:
        """Return the hash of everything a verdict rests on."""
        parts = [self.basis.print(part) for part in self.basis.parts(obligation, record)]
        return sha256(repr((self.settings, obligation.name, parts)).encode()).hexdigest()


class _Basis:
    """The things that verdicts rest on, each hashed once: those of the game, and parts of them."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.own = fingerprints_of(game)
        self.parted = Fingerprints(replace(game, actions=(), claims=()))
        self.actions = {action.name: action for action in game.actions}
        self.claims = {claim.name: claim for claim in game.claims}
        self.examples = {example.name: example for example in game.examples}
        self.made: dict[str, Action | Claim] = {}

    def parts(self, obligation: Obligation, record: Record) -> tuple[str, ...]:
        """Return the names of what a verdict rests on; `whole` if on everything."""
        subject = str(obligation.subject)
        match obligation.kind:
            case "law" if record.method == EVALUATED:
                return (self._claim(f"claim {subject}", self.claims[subject].formula),)
            case "initially" if record.method == EVALUATED:
                return (self._claim(f"claim {subject}", self.claims[subject].formula), "start")
            case "falsifiable" if record.method == RANDOM_STATE:
                return (self._claim(f"claim {subject}", self.claims[subject].formula),)
            case "example" if not self._is_read_again(subject):
                return (f"example {subject}", "claims", "contracts")
            case "can_refuse" if record.method in (ASKED, SOLVERS_STATE):
                shared = (self._up_to(action, str(obligation.line)) for action in self.game.actions)
                return (*filter(None, shared), "claims")
            case "triggered" if record.method in (ASKED, SOLVERS_STATE):
                return (f"implication {obligation.name}", "claims")
            case _:  # a proof rests on its core
                return self._of_proof(obligation, record.core)

    def _is_read_again(self, name: str) -> bool:
        """Return whether an example is about readings for which the rules are read again, of which this game says nothing."""
        return is_read_again(self.game, self.examples[name])

    def _example(self, name: str) -> str:
        """Return the hash of an example and of the rules that it can meet: its own moves, and whatever happens by itself."""
        example = self.examples[name]
        moves = {step.action for step in example.steps if isinstance(step, Make | Refuse)}
        met = [each for each in self.game.actions if each.kind != "action" or each.name in moves]
        rules = [(each.name, self.own.action(each.name)) for each in met]
        return repr((example.witness, example.under, self.own.example_steps(name), rules, self.table))

    @cached_property
    def table(self) -> str:
        """The fingerprint of what every play meets: players, stages, start, score and rulings."""
        game, own = self.game, self.own
        stages = [own.stage(each.name) for each in game.stages]
        rulings = [(each.name, tuple(name for name, _ in each.options)) for each in game.decisions]
        return repr((game.player.size, game.automata, stages, own.start(), own.score, rulings))

    def _up_to(self, action: Action, key: str) -> str | None:
        """Note an action as far as a requirement; None if it has no such line."""
        lines = [at for at, line in enumerate(action.guard) if isinstance(line, Require) and line.key == key]
        if not lines:
            return None
        part = f"refusal {action.name} {key}"
        self.made.setdefault(part, replace(action, name=part, guard=action.guard[: lines[0] + 1], weight=None, body=()))
        return part

    def _of_proof(self, obligation: Obligation, core: tuple[str, ...]) -> tuple[str, ...]:
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
            found.append(self._subject(self.claims[str(obligation.subject)]))
        for label in sorted(labels):
            kind, _, name = label.partition(":")
            if kind in ("invariant", "conserved", "law"):
                if name not in self.claims or self.claims[name].kind != kind:  # nobody may assume it any more
                    return ("gone",)
                if obligation.kind == "follows" and name not in self.claims[str(obligation.subject)].using:
                    return ("gone",)
                found.append(self._claim(f"claim {name}", self.claims[name].formula))
        return tuple(found)

    @cached_property
    def named(self) -> dict[str, str]:
        """The fingerprints by the names that evidence uses."""
        return self.own.named()

    def print(self, part: str) -> str:
        """Return the hash of a part."""
        made = self.made.get(part)
        if made is not None:
            self.parted.add(made)
            return self.parted.action(made.name) if isinstance(made, Action) else self.parted.claim(made.name)
        kind, _, name = part.partition(" ")
        match kind:
            case "ranking":
                return self.own.ranking(name)
            case "example":
                return self._example(name)
            case "start":
                return self.own.start()
            case "claims":
                return self.assumed
            case "contracts":
                return repr([self.own.claim(each.name) for each in self.game.claims if each.kind == "contract"])
            case "whole":
                return self.own.whole
            case _:  # it stands for itself
                return part

    @cached_property
    def assumed(self) -> str:
        """The fingerprint of everything that a query may assume, and of the readings that it may leave open."""
        claims = [(each.name, self.own.claim(each.name)) for each in self.game.claims if each.kind in ASSUMED]
        rulings = [(each.name, tuple(name for name, _ in each.options)) for each in self.game.rulings]
        return repr((self.game.player.size, self.game.stage.size, claims, rulings))

    def _claim(self, name: str, formula: Expr) -> str:
        self.made.setdefault(name, Claim(name, "invariant", formula))
        return name

    def _subject(self, claim: Claim) -> str:
        """Note what is claimed; a contract with the names of its action, so that it is an action of one requirement."""
        if claim.kind != "contract":
            return self._claim(f"claim {claim.name}", claim.formula)
        action, part = self.actions[claim.action], f"contract {claim.name}"
        given = tuple(line for line in action.guard if isinstance(line, Given))
        asked = Require(claim.formula, part, span=claim.note.span or Span("", 0, 0))
        self.made.setdefault(
            part, replace(action, name=part, guard=(*given, asked), stages=(), weight=None, body=(), reveals=())
        )
        return part

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


def is_read_again(game: Game, example: Example) -> bool:
    """Return whether some line of an example is about a reading that is more than other values in the same rules."""
    named = (*example.under, *(each for line in example.steps if not isinstance(line, Arrange) for each in line.under))
    return bool(example.elsewhere) or not {ruling for ruling, _ in named}.isdisjoint(game.looked_at)


def _key(game: Game, all_rulings: bool, reading: Options) -> str:  # noqa: FBT001  (as in the command)
    parts = (game.name, game.players, all_rulings, *([reading] if reading else []))
    return sha256(f"proofs {parts}".encode()).hexdigest()


def _entries(key: str) -> dict[str, dict[str, Any]]:
    """Return what has been kept so far, the latest of each obligation; lines that are not what we write are left out."""
    found: dict[str, dict[str, Any]] = {}
    lines = store.read_lines(key, SUFFIX)
    for line in lines:
        with suppress(TypeError, ValueError):
            name, entry = json.loads(line)
            found[str(name)] = dict(entry)
    return found


def _verifier() -> str:
    """Return the hash of our own code, as far as it decides verdicts: a verdict of another version is not used."""
    ours = ("verifier.claims", "verifier.play", "verifier.smt", "verifier.prove")
    return code_hash(*ours, "pilgrim_rules.core", "pilgrim_rules.semantics", "pilgrim_rules.engine")
