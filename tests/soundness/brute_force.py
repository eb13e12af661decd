"""What is true of a small game, found by visiting every state with the reference evaluator. Nothing is believed but that.

An *instance* is one number of players, one option of every ruling, one value of everything that the edition assumes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path

from pilgrim_rules.core.ir import Game, Ranking
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.language.load import read_game
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.errors import Contradiction
from pilgrim_rules.semantics.evaluate import evaluate
from pilgrim_rules.semantics.reference import Reference
from tests.support.random_rules import RandomRules

#: An instance with more states than this says nothing.
MOST_STATES = 1_500


@dataclass(frozen=True, slots=True)
class Instance:
    """One way to play a text: who plays, how the rulings are decided, what the data are."""

    players: int
    rulings: tuple[tuple[str, str], ...]
    data: tuple[tuple[str, int], ...]
    game: Game = field(compare=False, repr=False)


@dataclass(slots=True)
class Truth:
    """What is true of one instance."""

    #: what fails somewhere: invariants, steps, contracts and `terminates` by name; `range`, `no_dead_end`, `one_auto`
    false: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)  #: `reachable` claims that come true somewhere
    closed: bool = True  #: every state was visited


def instances(drawn: RandomRules, folder: Path) -> Iterator[Instance]:
    """Yield every instance that the laws allow."""
    path = folder / "drawn.rules"
    data = [tuple(zip(drawn.assumed, values, strict=True)) for values in product(*drawn.assumed.values())]
    for number, values in enumerate(data):
        edition = drawn.edition(folder, dict(values), f"values{number}") if values else None
        for options in product(*drawn.options.values()):
            rulings = tuple(zip(drawn.options, options, strict=True))
            for players in drawn.players:
                try:
                    game = read_game(path, players=players, rulings=dict(rulings), edition=edition)
                except RulesError:
                    continue  # a law forbids it, or a range is empty
                yield Instance(players, rulings, values, game)


def truth_of(game: Game) -> Truth:
    """Visit every state of an instance."""
    reference, found = Reference.from_game(game), Truth()
    invariants = [claim for claim in game.claims if claim.kind in {"invariant", "conserved"}]
    steps = [claim for claim in game.claims if claim.kind == "step"]
    contracts = [claim for claim in game.claims if claim.kind == "contract"]
    goals = [claim for claim in game.claims if claim.kind == "reachable"]
    try:
        start = reference.start()
    except Contradiction:
        found.false.add("range")
        return found
    visited, todo = {_key(start)}, deque([start])
    while todo:
        here = todo.popleft()
        found.false |= {claim.name for claim in invariants if not reference.holds(claim, here)}
        found.seen |= {claim.name for claim in goals if reference.holds(claim, here)}
        moves = [
            (action, args)
            for action in game.actions
            for args in reference.legal(here, action)
            if reference.weight(here, action, args) > 0
        ]
        if not moves and reference.stage(here).kind != "nobody":
            found.false.add("no_dead_end")
        if len(moves) > 1 and reference.is_automatic(here):
            found.false.add("one_auto")
        for action, args in moves:
            try:
                after = reference.apply(here, action, args)
            except Contradiction:
                found.false.add("range")
                continue
            found.false |= {claim.name for claim in steps if not reference.holds(claim, here, after)}
            made_here = [claim for claim in contracts if claim.action == action.name]
            env = reference.guard(here, action, args)
            assert env is not None, "the move is legal"
            found.false |= {claim.name for claim in made_here if not evaluate(claim.formula, replace(env, next=after))}
            found.false |= {
                each.name for each in game.rankings if _rank(reference, each, after) >= _rank(reference, each, here)
            }
            if _key(after) not in visited:
                if len(visited) >= MOST_STATES:
                    found.closed = False
                    return found
                visited.add(_key(after))
                todo.append(after)
    return found


def _rank(reference: Reference, ranking: Ranking, position: dict[str, list[int]]) -> list[int]:
    return [evaluate(part, Environment(reference.declared, position, {})) for part in ranking.parts]


def _key(position: dict[str, list[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(position[name]) for name in sorted(position))
