"""Slow: kernels and checks by the reference evaluator, for what the generator has no code for.

Reads:  packed states.   Writes: what a generated function would write, one state at a time.
After:  exploration is total over the core: numbers beyond machine words and questions to networks are answered too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from pilgrim_rules.core.ir import Expr
from pilgrim_rules.engine.compile import Compiled
from pilgrim_rules.engine.errors import Contradiction
from pilgrim_rules.engine.evaluate import evaluate
from pilgrim_rules.engine.reference import Reference
from pilgrim_rules.engine.scene import Scene
from verifier.explore.kernels import Moves
from verifier.explore.module import WEIGHT, Module, Site
from verifier.explore.runtime import Numbers, Truths, Words

Out = Callable[[int, Numbers, Words, "np.typing.NDArray[np.int32] | None"], None]


@dataclass(slots=True)
class _Batch:
    """What one move does: the rows in which it is legal, the states after it, where it contradicts the rules."""

    rows: list[int] = field(default_factory=list)
    states: list[tuple[int, ...]] = field(default_factory=list)
    wrong: list[int] = field(default_factory=list)


def kernel(module: Module, reference: Reference, moves: Moves) -> Callable[[Words, Numbers, Out], None]:
    """Return a kernel that asks the evaluator."""
    action, packing = moves.action, module.packing

    def run(states: Words, rows: Numbers, out: Out) -> None:
        batches: dict[int, _Batch] = {}
        for row, words in zip(rows, states.T.tolist(), strict=True):
            position = packing.unpack(words)
            for args in reference.legal(position, action):
                weight = reference.weight(position, action, args)
                if weight == 0:
                    continue
                batch = batches.setdefault(moves.number(args), _Batch())
                site, after = 0, position
                try:
                    after = reference.apply(position, action, args)
                except Contradiction as found:
                    site = _number(module, Site(action.name, found.breach.key, ""))
                if weight < 0:
                    site = _number(module, Site(action.name, "", WEIGHT))
                batch.rows.append(int(row))
                batch.states.append(packing.pack(after))
                batch.wrong.append(site)
        for move, batch in batches.items():
            wrong = np.array(batch.wrong, dtype=np.int32) if any(batch.wrong) else None
            out(move, np.array(batch.rows), np.array(batch.states, dtype=np.int64).T.copy(), wrong)

    return run


def _number(module: Module, site: Site) -> int:
    return module.sites.index(site) + 1 if site in module.sites else module.site(site)


def predicate(module: Module, reference: Reference, formula: Expr) -> Callable[[Words, Words | None], Truths]:
    """Return a check that asks the evaluator."""

    def run(states: Words, after: Words | None = None) -> Truths:
        befores = [module.packing.unpack(words) for words in states.T.tolist()]
        afters = (
            [None] * len(befores) if after is None else [module.packing.unpack(words) for words in after.T.tolist()]
        )
        pairs = zip(befores, afters, strict=True)
        return np.array([bool(evaluate(formula, Scene(reference.world, now, {}, next=then))) for now, then in pairs])

    return run


def audit(module: Module, code: Compiled, name: str) -> Callable[[Words, Words | None], Truths]:
    """Return a check that asks an audit."""

    def run(states: Words, after: Words | None = None) -> Truths:  # noqa: ARG001  (the form of every check)
        positions = [module.packing.unpack(words) for words in states.T.tolist()]
        return np.array([code.holds(name, code.layout.encode(position)) for position in positions])

    return run


def descent(module: Module, reference: Reference, parts: tuple[Expr, ...]) -> Callable[[Words, Words], Truths]:
    """Return a check that the tuple of parts becomes lexicographically smaller, by the evaluator."""

    def rank(words: Numbers) -> tuple[int, ...]:
        scene = Scene(reference.world, module.packing.unpack(words.tolist()), {})
        return tuple(evaluate(part, scene) for part in parts)

    def run(states: Words, after: Words) -> Truths:
        return np.array([rank(then) < rank(now) for now, then in zip(states.T, after.T, strict=True)])

    return run
