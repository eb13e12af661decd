"""Claims as a whole: the obligations of a game, gathered by what they are part of.

Reads:  a core game.   Writes: `ClaimGroup`s, one a claim, in the order of the obligations.
After:  each obligation is on exactly one group.
"""

from __future__ import annotations

from dataclasses import dataclass

from pilgrim_rules.core.ir import Game
from verifier.claims.obligations import Obligation, obligations

_HOLDS = "holds in every state"
#: What a claim says that has several obligations, by its kind; of the author's claims the name stands before it.
_SAYS = {
    "range": "Nothing that is written leaves its range.",
    "defined": "Every value exists that is asked for.",
    "one_side": "Wherever players decide, exactly one of them is to decide.",
    "one_auto": "At most one thing at a time happens by itself.",
    "no_dead_end": "Something can happen until the game is over.",
    "policy_covers": "Wherever an automaton is to decide, its policy says what it does.",
    "weights": "No outcome of chance has a weight below zero.",
    "can_happen": "Every action can happen.",
    "can_refuse": "Every requirement can fail.",
    "falsifiable": "Every invariant says something.",
    "triggered": "Every implication in an invariant applies somewhere.",
    "sight": "What is legal, and why not, depends only on what the player to decide can see.",
    "no_leak": "Nobody learns from a move what the rules do not give away.",
}
_OF_SUBJECT = {
    "invariant": _HOLDS,
    "conserved": _HOLDS,
    "step": "is true of every step",
    "contract": "is kept by every step of its action",
    "terminates": "falls with every step, so every play ends",
    "symmetry": "changes nothing: start, rules, score and claims stay the same",
}


@dataclass(frozen=True, slots=True)
class ClaimGroup:
    """A claim: its name, its kind as the name spells it, what it says, and its obligations."""

    name: str
    kind: str
    sentence: str
    obligations: tuple[Obligation, ...]

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that any of its obligations cites."""
        return tuple(dict.fromkeys(clause for each in self.obligations for clause in each.clauses))

    @property
    def subject(self) -> str | None:
        """The claim, ranking or example that all obligations are about; None if they are about different things."""
        found = {each.subject for each in self.obligations}
        return found.pop() if len(found) == 1 else None


def claim_kind(claim: str) -> str:
    """Return the kind of a claim, which its name spells: `invariant` of `nim.invariant.heaps`."""
    return claim.split(".")[1]


def claim_groups(game: Game) -> tuple[ClaimGroup, ...]:
    """Return every claim of a game."""
    gathered: dict[str, list[Obligation]] = {}
    for obligation in obligations(game):
        gathered.setdefault(obligation.claim, []).append(obligation)
    return tuple(_group(game, name, tuple(found)) for name, found in gathered.items())


def _group(game: Game, name: str, found: tuple[Obligation, ...]) -> ClaimGroup:
    kind, first = claim_kind(name), found[0]
    if kind in _SAYS:
        return ClaimGroup(name, kind, _SAYS[kind], found)
    if kind not in _OF_SUBJECT:
        return ClaimGroup(name, kind, first.sentence, found)
    notes = {each.name: each.note for each in game.claims} | {each.name: each.note for each in game.rankings}
    notes |= {each.name: each.note for each in game.symmetries}
    doc = notes[str(first.subject)].doc.strip().split("\n\n")[0].replace("\n", " ")
    return ClaimGroup(name, kind, f"`{first.subject}` {_OF_SUBJECT[kind]}{f': {doc}' if doc else '.'}", found)
