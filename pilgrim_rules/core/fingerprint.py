"""Fingerprints of meaning: the same as long as the rule says the same.

Reads:  a core game.   Writes: hex sha256 texts, one for each item and one for the whole game.
After:  a comment, a citation, the words of a refusal, a place or a local name changes no fingerprint; a changed guard,
        constant, range or effect changes that of everything that depends on it.

An item depends on definitions, constants, networks, the types of variables and the stages it happens in; their
fingerprints are part of its own. Renaming a parameter changes nothing here, though moves are spelled with it: whoever
caches something that prints names needs a key of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from hashlib import sha256
from typing import Literal, TypeAlias, assert_never

from pilgrim_rules.core.canonical import Canonical
from pilgrim_rules.core.contracts import contract_names
from pilgrim_rules.core.ir import (
    Action,
    Arrange,
    Claim,
    Constant,
    Def,
    Effect,
    Example,
    Expect,
    Game,
    Make,
    Network,
    Ranking,
    Refuse,
    Require,
    ScoreSheet,
    Stage,
    Symmetry,
    Type,
    Variable,
)
from pilgrim_rules.util.identity_cache import cache_by_identity

Item: TypeAlias = (
    Action | Claim | Constant | Def | Effect | Example | Network | Ranking | ScoreSheet | Stage | Symmetry | Variable
)

_MOST_KNOWN = 32
_known: dict[int, tuple[Game, str]] = {}  #: the last games with their fingerprints, by identity


def game_fingerprint(game: Game) -> str:
    """Return the fingerprint of everything that play and proof can depend on."""
    known, text = _known.get(id(game), (None, ""))
    if known is game:
        return text
    return remember_fingerprint(game, Fingerprints(game).whole)


def remember_fingerprint(game: Game, text: str) -> str:
    """Remember the fingerprint of a game, which never changes, for whoever asks for it of the very same object; return it."""
    while len(_known) >= _MOST_KNOWN:
        _known.pop(next(iter(_known)))
    _known[id(game)] = (game, text)
    return text


class Fingerprints:
    """The fingerprints of one game, each computed when it is first asked for."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._found: dict[tuple[str, str], str] = {}
        self._types: dict[int, tuple[Type, str]] = {}  # by identity: a type of many labels is slow to compare
        self._tables: dict[str, dict[str, Item]] = {
            "variable": {item.name: item for item in game.variables},
            "constant": {item.name: item for item in game.constants},
            "def": {item.name: item for item in game.defs},
            "network": {item.name: item for item in game.networks},
            "stage": {item.name: item for item in game.stages},
            "effect": {item.name: item for item in game.effects},
            "action": {item.name: item for item in game.actions},
            "claim": {item.name: item for item in game.claims},
            "ranking": {item.name: item for item in game.rankings},
            "symmetry": {item.name: item for item in game.symmetries},
            "example": {item.name: item for item in game.examples},
        }

    def add(self, item: Action | Claim) -> None:
        """Take in an action or a claim that nobody has written, under a name of its own."""
        self._tables["action" if isinstance(item, Action) else "claim"].setdefault(item.name, item)

    def action(self, name: str) -> str:
        """Return the fingerprint of an action."""
        return self._of("action", name)

    def claim(self, name: str) -> str:
        """Return the fingerprint of a claim."""
        return self._of("claim", name)

    def constant(self, name: str) -> str:
        """Return the fingerprint of a constant table."""
        return self._of("constant", name)

    def definition(self, name: str) -> str:
        """Return the fingerprint of a definition."""
        return self._of("def", name)

    def effect(self, name: str) -> str:
        """Return the fingerprint of a named effect."""
        return self._of("effect", name)

    def example(self, name: str) -> str:
        """Return the fingerprint of an example: its steps, and the rules as a whole."""
        return self._of("example", name)

    def example_steps(self, name: str) -> str:
        """Return the fingerprint of the steps of an example, whatever the rules say."""
        item = self._tables["example"][name]
        assert isinstance(item, Example)
        return self._digest(lambda out: self._write_steps(out, item))

    def ranking(self, name: str) -> str:
        """Return the fingerprint of a `terminates` claim."""
        return self._of("ranking", name)

    def stage(self, name: str) -> str:
        """Return the fingerprint of a stage."""
        return self._of("stage", name)

    def start(self) -> str:
        """Return the fingerprint of the initial state."""
        return self._digest(self._write_start)

    @cached_property
    def score(self) -> str:
        """The fingerprint of the score sheet; that of nothing if there is none."""
        sheet = self._game.score
        return self._digest(lambda out: out.put(None) if sheet is None else self._write(out, sheet))

    @cached_property
    def public(self) -> str:
        """The fingerprint of what everybody is always told: proofs about secrets take it for granted, and play does not ask it."""
        return _hash(repr([(each.name, self.definition(each.name)) for each in self._game.defs if each.public]))

    @cached_property
    def rules(self) -> str:
        """The fingerprint of play: start, stages, actions and score, claims left aside."""
        game = self._game
        automata = (str(game.automata),) if game.automata else ()
        names = ("title", game.name, self._spell(game.player), self._spell(game.stage), *automata)
        parts = [*map(self.stage, (stage.name for stage in game.stages)), self.start(), self.score]
        parts += [f"{action.name}:{self.action(action.name)}" for action in game.actions]
        return _hash(repr((names, parts)))

    @cached_property
    def whole(self) -> str:
        """The fingerprint of the game: play, claims, examples, and every table and definition in it."""
        # Tables of graphs are made where somebody looks into them, which counts there; figures look without counting.
        made = {constant.name for constant in self._game.constants if constant.source == "graph"}
        tables = [
            (table, name, self._of(table, name))
            for table, items in self._tables.items()
            for name in items
            if table != "constant" or name not in made
        ]
        rulings = [(ruling.name, tuple(name for name, _ in ruling.options)) for ruling in self._game.decisions]
        return _hash(repr((self.rules, tables, rulings)))

    def named(self) -> dict[str, str]:
        """Return the fingerprints of everything that evidence may speak of, under the names that it uses."""
        tables = ("action", "claim", "ranking", "symmetry", "example")
        each = {f"{table} {name}": self._of(table, name) for table in tables for name in self._tables[table]}
        every = {"rules": self.rules, "score": self.score, "start": self.start(), "public": self.public, **each}
        return {name: text[:_SHORT] for name, text in every.items()}

    def _of(self, table: str, name: str) -> str:
        key = (table, name)
        if key not in self._found:
            item = self._tables[table][name]
            self._found[key] = self._digest(lambda out: self._write(out, item))
        return self._found[key]

    def _depend(self, table: Literal["variable", "constant", "def", "network"], name: str) -> str:
        return self._of(table, name)

    def _digest(self, write: Callable[[Canonical], object]) -> str:
        out = Canonical(self._depend, self._spell)
        write(out)
        return _hash(out.text())

    def _spell(self, type_: Type) -> str:
        """Return a short text for a type; equal types have equal texts."""
        known = self._types.get(id(type_))
        if known is None:
            parts = tuple(map(self._spell, type_.parts))
            whole = repr((type_.kind, type_.lo, type_.hi, type_.labels, parts))
            known = self._types[id(type_)] = (type_, _hash(whole)[:16] if type_.labels or parts else whole)
        return known[1]

    def _write(self, out: Canonical, item: Item) -> None:
        out.put(type(item).__name__)
        match item:
            case Variable(name=name, index=index, type=type_, ghost=ghost, seen=seen):
                out.put(name, *map(self._spell, index), self._spell(type_), ghost, "open" if seen is None else "seen")
            case Constant(name=name, index=index, type=type_, values=values, source=source, assumed=assumed):
                decided = "ruling" if source == "option" else source  # who decides it changes nothing in play
                out.put(name, *map(self._spell, index), self._spell(type_), values, decided, assumed)
            case Def(params=params, body=body, public=public):
                out.put(public)
                out.params(params)
                out.expr(body)
            case Stage(code=code, name=name, kind=kind, by=by, always=always):
                out.put(code, name, kind)
                out.optional(by)
                if always:
                    out.exprs(always)
            case Effect(params=params, body=body):
                out.params(params)
                out.block(body)
            case Action():
                self._write_action(out, item)
            case Claim(kind=kind, formula=formula, using=using, follows=follows):
                out.put(kind, *(["follows"] if follows else []), *([item.action] if item.action else []))
                with out.scope():
                    for name in self._names(item):
                        out.bind(name)
                    out.expr(formula)
                for name in using:
                    self._write_lemma(out, name)
            case Ranking(parts=parts):
                out.exprs(parts)
            case Symmetry(maps=maps):
                out.put(*(self.constant(name) for name in maps))
            case ScoreSheet():
                self._write_score(out, item)
            case Network():
                self._write_network(out, item)
            case Example():
                self._write_example(out, item)
            case _:
                assert_never(item)

    def _names(self, claim: Claim) -> Iterable[str]:
        """Return the names that a claim takes from its action."""
        action = self._tables["action"].get(claim.action)
        return contract_names(action) if isinstance(action, Action) else ()

    def _write_lemma(self, out: Canonical, name: str) -> None:
        """Write the formula of a lemma; lemmas of lemmas are left aside, they may go round in a circle."""
        claim = self._tables["claim"][name]
        assert isinstance(claim, Claim)
        out.expr(claim.formula)

    def _write_start(self, out: Canonical) -> None:
        for variable in self._game.variables:
            with out.scope():
                for name in variable.over:
                    out.bind(name)
                out.put(self._of("variable", variable.name))
                out.expr(variable.initial)
                out.audience(variable.seen)

    def _write_action(self, out: Canonical, action: Action) -> None:
        labels = {stage.code: stage.name for stage in self._game.stages}
        out.put(action.kind, *(self.stage(labels[code]) for code in action.stages))
        out.params(action.params)
        out.guard(action.guard)
        out.optional(action.weight)
        out.block(action.body)
        for at, param in enumerate(action.params):
            if param.seen is not None:
                out.put("seen", at)
                out.audience(param.seen)
        for reveal in action.reveals:
            out.put("reveal")
            out.expr(reveal.value)
            out.audience(reveal.to)

    def _write_score(self, out: Canonical, sheet: ScoreSheet) -> None:
        out.bind(sheet.player)
        out.put(sheet.per, sheet.total)
        out.exprs(line.value for line in sheet.lines)
        out.keys(sheet.keys)

    def _write_network(self, out: Canonical, network: Network) -> None:
        out.binders(network.binders)
        for node in network.nodes:
            with out.scope():
                out.binders(node.binders)
                out.exprs((*node.node, node.when))
        for link in network.links:
            with out.scope():
                out.put(link.nodes_only)
                out.binders(link.binders)
                out.exprs((*link.left, *link.right, link.when))

    def _write_example(self, out: Canonical, example: Example) -> None:
        out.put(example.witness, self.rules, *(("under", example.under) if example.under else ()), *example.elsewhere)
        self._write_steps(out, example)

    def _write_steps(self, out: Canonical, example: Example) -> None:
        for step in example.steps:
            match step:
                case Arrange(body=body):
                    out.block(body)
                case Make(action=action, args=args, by=by, under=under):
                    out.put("make", action, args, *(() if by is None else (by,)), *under)
                case Refuse(action=action, args=args, clauses=clauses, under=under):
                    # Here citations count: the example says which of them refuse the move.
                    cited = [line.clauses for line in self._guard(action) if isinstance(line, Require)]
                    out.put("refuse", action, args, clauses, cited, *under)
                case Expect(formula=formula, under=under):
                    out.put("expect", under)
                    out.expr(formula)
                case _:
                    assert_never(step)

    def _guard(self, name: str) -> tuple[object, ...]:
        action = self._tables["action"][name]
        return action.guard if isinstance(action, Action) else ()


_SHORT = 20  # hexadecimal digits that are enough to tell texts apart, where thousands are kept


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()


@cache_by_identity(8)
def fingerprints_of(game: Game) -> Fingerprints:
    """Return the fingerprints of a game, the same for whoever asks; nothing is to be added to them."""
    return Fingerprints(game)
