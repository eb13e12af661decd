"""Reference kernels: kernels and checks by the reference evaluator, for what the generator has no code for.

Reads:  packed states.   Writes: what a generated function would write, one state at a time.
After:  exploration is total over the core: numbers beyond machine words and questions to networks are answered too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from pilgrim_rules.core.footprint import values_of
from pilgrim_rules.core.ir import Expr
from pilgrim_rules.engine.python.compile import Compiled
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.errors import Contradiction
from pilgrim_rules.semantics.evaluate import evaluate
from pilgrim_rules.semantics.reference import Reference
from pilgrim_rules.semantics.state_layout import Position
from verifier.explore.generated_module import WEIGHT, GeneratedModule, Site
from verifier.explore.kernels import MoveNumbers
from verifier.explore.runtime import Numbers, Truths, Words
from verifier.explore.state_packing import PackedCells

Out = Callable[[int, Numbers, Words, "np.typing.NDArray[np.int32] | None"], None]


@dataclass(slots=True)
class _Batch:
    """What one move does: the rows in which it is legal, the states after it, where it contradicts the rules."""

    rows: list[int] = field(default_factory=list)
    states: list[tuple[int, ...]] = field(default_factory=list)
    wrong: list[int] = field(default_factory=list)


def kernel(module: GeneratedModule, reference: Reference, moves: MoveNumbers) -> Callable[[Words, Numbers, Out], None]:
    """Return a kernel that asks the evaluator."""
    action, packing = moves.action, module.packing

    def run(states: Words, rows: Numbers, out: Out) -> None:
        batches: dict[int, _Batch] = {}
        for row, words in zip(rows, states.T.tolist(), strict=True):
            position = packing.unpack(words)
            for args in values_of(param.type for param in action.params):
                site, after, weight = 0, position, 1
                try:
                    if not reference.allowed(position, action, args):
                        continue
                    weight = reference.weight(position, action, args)
                    if weight == 0:
                        continue
                    after = reference.apply(position, action, args)
                except Contradiction as found:
                    site = _number(module, Site(action.name, found.breach.key, ""))
                far = next((name for name, cells in packing.cells.items() if _exceeds_cap(cells, after[name])), None)
                if far is not None:
                    site, after = _number(module, Site(action.name, "", far, beyond=True)), position
                if weight < 0:
                    site = _number(module, Site(action.name, "", WEIGHT))
                batch = batches.setdefault(moves.number(args), _Batch())
                batch.rows.append(int(row))
                batch.states.append(packing.pack(after))
                batch.wrong.append(site)
        for move, batch in batches.items():
            wrong = np.array(batch.wrong, dtype=np.int32) if any(batch.wrong) else None
            out(move, np.array(batch.rows), np.array(batch.states, dtype=np.int64).T.copy(), wrong)

    return run


def _exceeds_cap(cells: PackedCells, codes: Sequence[int]) -> bool:
    """Tell whether a counter goes farther than it is followed."""
    return max(codes) > cells.variable.type.hi


def _number(module: GeneratedModule, site: Site) -> int:
    return module.sites.index(site) + 1 if site in module.sites else module.site(site)


def predicate(module: GeneratedModule, reference: Reference, formula: Expr) -> Callable[[Words, Words | None], Truths]:
    """Return a check that asks the evaluator; what has no value does not hold."""

    def holds(now: Position, then: Position | None) -> bool:
        try:
            return bool(evaluate(formula, Environment(reference.declared, now, {}, next=then)))
        except Contradiction:
            return False

    def run(states: Words, after: Words | None = None) -> Truths:
        befores = [module.packing.unpack(words) for words in states.T.tolist()]
        afters = (
            [None] * len(befores) if after is None else [module.packing.unpack(words) for words in after.T.tolist()]
        )
        return np.array([holds(now, then) for now, then in zip(befores, afters, strict=True)])

    return run


def audit(
    module: GeneratedModule, code: Compiled, name: str, looks_at: frozenset[str]
) -> Callable[[Words, Words | None], Truths]:
    """Return a check that asks an audit, once for each combination of values of the variables that it looks at.

    States of a search differ mostly in other variables, so most of them need no question.
    """
    packing = module.packing
    mask = np.zeros((packing.words, 1), dtype=np.int64)
    for cells in (packing.cells[each] for each in looks_at if each in packing.cells):
        for word, shift in zip(cells.words, cells.shifts, strict=True):
            mask[word, 0] |= cells.mask << shift
    answers: dict[bytes, bool] = {}

    def run(states: Words, after: Words | None = None) -> Truths:  # noqa: ARG001  (the form of every check)
        _, firsts, same = np.unique(states & mask, axis=1, return_index=True, return_inverse=True)
        found = []
        for at in firsts.tolist():
            key = (states[:, at] & mask[:, 0]).tobytes()
            if key not in answers:
                answers[key] = code.holds(name, code.layout.encode(packing.unpack(states[:, at].tolist())))
            found.append(answers[key])
        shared: Truths = np.array(found, dtype=bool)[same.reshape(-1)]
        return shared

    return run


def descent(module: GeneratedModule, reference: Reference, parts: tuple[Expr, ...]) -> Callable[[Words, Words], Truths]:
    """Return a check that the tuple of parts becomes lexicographically smaller, by the evaluator."""

    def rank(words: Numbers) -> tuple[int, ...]:
        env = Environment(reference.declared, module.packing.unpack(words.tolist()), {})
        return tuple(evaluate(part, env) for part in parts)

    def run(states: Words, after: Words) -> Truths:
        return np.array([rank(then) < rank(now) for now, then in zip(states.T, after.T, strict=True)])

    return run
