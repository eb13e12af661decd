"""Unseen: what a campaign has not shown, and what is known of each.

Reads:  the report of a campaign, its game; where a further look has found some of it.   Writes: lists by title; plain data.
After:  each action, requirement, line and value that no game has shown is in one list: it shows elsewhere, the reading leaves no
        room for it, or nobody has seen it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pilgrim_rules.core.ir import Game
from verifier.fuzz.play_coverage import said_value
from verifier.fuzz.report import CampaignReport
from verifier.fuzz.ruled_out import RuledOut, ruled_out

#: What each list is of, and how it is called: never seen at all, elsewhere only.
TITLES: Final = {
    "made": ("never made", "made elsewhere"),
    "refused": ("never refused by", "refused elsewhere by"),
    "run": ("never run", "run elsewhere"),
    "chosen": ("never chosen", "chosen elsewhere"),
}


@dataclass(frozen=True, slots=True)
class Unseen:
    """What was not seen, by kind.

    ruled_out  what the reading leaves no room for.       elsewhere  where the others show, as far as a further look has found them.
    """

    game: Game
    names: Mapping[str, tuple[str, ...]]
    ruled_out: RuledOut
    elsewhere: Mapping[str, str] = field(default_factory=dict)

    def without(self, found: Mapping[str, str]) -> Unseen:
        """Return the same after a further look has found some of it."""
        return replace(self, elsewhere={**self.elsewhere, **found})

    def by_title(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the lists that are not empty, in words."""
        for kind, (never, elsewhere) in TITLES.items():
            apart = self._apart(kind)
            shown = [
                f"{self._said(kind, each)} ({self.elsewhere[each]})"
                for each in self.names[kind]
                if each in self.elsewhere
            ]
            for title, names in (
                (elsewhere, shown),
                (f"{never}, because the reading leaves no room for it", [self._said(kind, each) for each in apart]),
                (never, [self._said(kind, each) for each in self._left(kind)]),
            ):
                if names:
                    yield title, names

    def to_json(self) -> dict[str, Any]:
        """Return the lists as plain data."""
        return {
            "never_chosen": [self._said("chosen", each) for each in self.names["chosen"]],
            "ruled_out": {kind: self._apart(kind) for kind in ("refused", "run")},
            "elsewhere": dict(sorted(self.elsewhere.items())),
            "unseen": {kind: [self._said(kind, each) for each in self._left(kind)] for kind in TITLES},
        }

    def _apart(self, kind: str) -> list[str]:
        """Return what the reading leaves no room for; an example of another reading may show it all the same."""
        idle = {"refused": self.ruled_out.requirements, "run": self.ruled_out.lines}.get(kind, frozenset())
        return [each for each in self.names[kind] if each in idle and each not in self.elsewhere]

    def _left(self, kind: str) -> list[str]:
        apart = self._apart(kind)
        return [each for each in self.names[kind] if each not in apart and each not in self.elsewhere]

    def _said(self, kind: str, name: str) -> str:
        return said_value(self.game, name) if kind == "chosen" else name


def unseen_in(found: CampaignReport, game: Game, *, of_one_reading: bool = True, values: bool = False) -> Unseen:
    """Return what a campaign has not seen; where readings were drawn, none of them says what all leave no room for.

    values   also of the arguments: native play does not count them, so a further look should have been made.
    """
    names = {
        "made": found.never_made,
        "refused": found.never_refused,
        "run": found.never_run,
        "chosen": found.tally.coverage.never_chosen(game) if values else (),
    }
    return Unseen(game, names, ruled_out(game) if of_one_reading else RuledOut())
