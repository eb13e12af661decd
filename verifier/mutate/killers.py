"""Killers: what may notice a mistake in the rules.

Reads:  mutants.   Writes: what was noticed; None if nothing was.
After:  a killer speaks only of what it did not say of the game without the mistake.

A killer is any callable from a mutant to what it noticed or None, so that a prover is plugged in from outside.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from pilgrim_rules.core.ir import Game
from verifier.explore.findings import Exploration
from verifier.explore.search import explore
from verifier.fuzz.campaign import run as campaign
from verifier.mutate.mutants import Mutant
from verifier.mutate.rehearsal import Rehearsal


@dataclass(frozen=True, slots=True)
class Noticed:
    """What is wrong with a mutant.

    example  that no longer comes out as written, or from whose position the play begins.
    play     every move to where it shows, by the rules with the mistake; may be empty.
    claims   of the author that are broken there.
    """

    says: str
    example: str = ""
    play: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()


Killer: TypeAlias = Callable[[Mutant], Noticed | None]


def by_examples(rehearsal: Rehearsal) -> Killer:
    """Return the killer that runs the worked examples and witnesses."""

    def kill(mutant: Mutant) -> Noticed | None:
        found = rehearsal.wrong(mutant)
        if found is None:
            return None
        scene, told = found
        play = (*told.moves, told.allowed) if told.allowed else told.moves
        return Noticed(f"example `{scene.name}`: {told.wrong}", scene.name, play, (told.broken,) if told.broken else ())

    return kill


def by_exploration(game: Game, *, max_states: int) -> Killer | None:
    """Return the killer that searches all states; None if the game itself has too many of them."""
    usual = explore(game, max_states=max_states)
    if not usual.closed:
        return None
    known = {(finding.kind, finding.name) for finding in usual.findings}

    def kill(mutant: Mutant) -> Noticed | None:
        found = explore(mutant.game, max_states=4 * max_states, stop_at_finding=not known)
        for finding in found.findings:
            if (finding.kind, finding.name) not in known:
                says = f"{finding.kind} `{finding.name}`: {finding.says}, after {len(finding.play)} steps"
                return Noticed(says, play=tuple(finding.moves))
        return _missing(usual, found) if found.closed else None

    return kill


def _missing(usual: Exploration, found: Exploration) -> Noticed | None:
    """Return what can be reached in the game, but not with the mistake."""
    for name in found.unreached:
        if name not in usual.unreached:
            return Noticed(f"reachable `{name}`: no state satisfies it any more")
    for action, times in usual.actions.items():
        if times and not found.actions[action]:
            return Noticed(f"`{action}` cannot happen any more")
    return None


def by_play(game: Game, *, games: int, longest: int, seed: int = 0) -> Killer:
    """Return the killer that plays at random from the start, and likes what has the mistake."""
    known = troubles(game, games=games, longest=longest, seed=seed)

    def kill(mutant: Mutant) -> Noticed | None:
        favour = frozenset(mutant.actions)
        found = campaign(
            mutant.game, games=games, longest=longest, seed=seed, favour=favour, only_first=not known, shrinking=False
        )
        for failure in found.failures:
            if failure.name not in known:
                says = f"{failure.name}: {failure.says}, after {len(failure.moves)} steps"
                return Noticed(says, play=failure.moves, claims=claimed(mutant.game, failure.name))
        return None

    return kill


def claimed(game: Game, problem: str) -> tuple[str, ...]:
    """Return the claim of the author that a problem is about, if it is about one."""
    names = {f"{game.name}.{claim.kind}.{claim.name}": claim.name for claim in game.claims}
    found = names.get(problem.partition("/")[0])
    return () if found is None else (found,)


def troubles(game: Game, *, games: int, longest: int, seed: int = 0) -> frozenset[str]:
    """Return the names of what is wrong with the game as it is, as far as some random games show."""
    usual = campaign(game, games=games, longest=longest, seed=seed, shrinking=False)
    return frozenset(failure.name for failure in usual.failures)
