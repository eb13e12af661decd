"""Killers: what may notice a mistake in the rules.

Reads:  mutants.   Writes: what was noticed, in a sentence; None if nothing was.
After:  a killer speaks only of what it did not say of the game without the mistake.

A killer is any callable from a mutant to a sentence or None, so that a prover is plugged in from outside.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from pilgrim_rules.core.ir import Game
from verifier import examples
from verifier.explore.findings import Exploration
from verifier.explore.search import explore
from verifier.fuzz.campaign import run as campaign
from verifier.mutate.mutants import Mutant

Killer: TypeAlias = Callable[[Mutant], str | None]


def by_examples(game: Game) -> Killer:
    """Return the killer that runs the worked examples and witnesses."""
    sound = {example.name for example in game.examples if not examples.run(game, example).wrong}

    def kill(mutant: Mutant) -> str | None:
        for example in mutant.game.examples:
            if example.name in sound:
                told = examples.run(mutant.game, example)
                if told.wrong:
                    return f"example `{example.name}`: {told.wrong}"
        return None

    return kill


def by_exploration(game: Game, *, max_states: int) -> Killer | None:
    """Return the killer that searches all states; None if the game itself has too many of them."""
    usual = explore(game, max_states=max_states)
    if not usual.closed:
        return None
    known = {(finding.kind, finding.name) for finding in usual.findings}

    def kill(mutant: Mutant) -> str | None:
        found = explore(mutant.game, max_states=4 * max_states, stop_at_finding=not known)
        for finding in found.findings:
            if (finding.kind, finding.name) not in known:
                return f"{finding.kind} `{finding.name}`: {finding.says}, after {len(finding.play)} steps"
        return _missing(usual, found) if found.closed else None

    return kill


def _missing(usual: Exploration, found: Exploration) -> str | None:
    """Return what can be reached in the game, but not with the mistake."""
    for name in found.unreached:
        if name not in usual.unreached:
            return f"reachable `{name}`: no state satisfies it any more"
    for action, times in usual.actions.items():
        if times and not found.actions[action]:
            return f"`{action}` cannot happen any more"
    return None


def by_play(game: Game, *, games: int, longest: int, seed: int = 0) -> Killer:
    """Return the killer that plays at random, and likes what has the mistake."""
    usual = campaign(game, games=games, longest=longest, seed=seed, shrinking=False)
    known = {failure.name for failure in usual.failures}

    def kill(mutant: Mutant) -> str | None:
        favour = frozenset(mutant.actions)
        found = campaign(
            mutant.game, games=games, longest=longest, seed=seed, favour=favour, only_first=not known, shrinking=False
        )
        for failure in found.failures:
            if failure.name not in known:
                return f"{failure.name}: {failure.says}, after {len(failure.moves)} steps"
        return None

    return kill
