"""Failure: something wrong, with a short play that shows it, ready to be pasted into the rules.

Reads:  a problem and the play that led to it.   Writes: `Failure`: text of an `example`, and the play as a trace.
After:  the play is as short as `minimal` could make it, and shows the same problem.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pilgrim_rules.core.ir import Apply, Claim, Expr
from pilgrim_rules.core.show_expr import show
from pilgrim_rules.core.walk import subexpressions
from pilgrim_rules.examples.run import said_under
from pilgrim_rules.language.instances import non_default_options
from pilgrim_rules.util import atomic_write
from verifier.fuzz import checks
from verifier.fuzz.game_under_test import GameUnderTest, Play, Problem


@dataclass(frozen=True, slots=True)
class FuzzFailure:
    """Something wrong.

    name      of what is broken, as the obligations call it.
    moves     every step of the play, as text.
    example   the play as an `example` of the rules language.
    trace     the play as JSON, as far as it could be made.
    """

    name: str
    says: str
    moves: tuple[str, ...]
    example: str
    trace: str

    def save(self, folder: Path) -> Path:
        """Write the trace into the folder under a name made from the failure's; return the path."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{re.sub(r'[^A-Za-z0-9]+', '-', self.name).strip('-')}.json"
        atomic_write.write(path, self.trace + "\n")
        return path

    def __str__(self) -> str:
        return f"{self.name}: {self.says}\n\n{self.example}"


def failure(subject: GameUnderTest, problem: Problem, play: Play) -> FuzzFailure:
    """Return the failure that a play shows."""
    moves = tuple(subject.move(coded) for coded in play)
    return FuzzFailure(problem.name, problem.says, moves, example(subject, problem, play), _trace(subject, play))


def _trace(subject: GameUnderTest, play: Play) -> str:
    """Return the play as JSON. Its last move may be the one that cannot be made."""
    try:
        return checks.record(subject, play).to_json()
    except Exception:  # noqa: BLE001  (whatever is wrong with the last move is what the failure says)
        return checks.record(subject, play[:-1]).to_json()


def example(subject: GameUnderTest, problem: Problem, play: Play) -> str:
    """Return a play as an `example` in the rules language; what happens by itself is left out."""
    game = subject.core
    digest = sha256(repr((problem.name, play)).encode()).hexdigest()[:6]
    parts = re.sub(r"[^a-z0-9]+", "_", problem.name.removeprefix(f"{game.name}.").lower()).strip("_")
    lines = [
        f"example found_{parts}_{digest}{said_under(non_default_options(game))}",
        f"    ## {_sentence(problem.says)}",
    ]
    lines += [f"    given players == {game.players}"] if len(game.seats) > 1 or game.players > 1 else []
    decided = [coded for coded in play if game.actions[coded[0]].kind != "auto"]
    lines += [f"    when {subject.move(coded)}" for coded in decided]
    lines += [f"    expect {show(claim.formula)}" for claim in game.claims if _is_claimed(subject, claim, problem)]
    return "\n".join(lines) + "\n"


def _is_claimed(subject: GameUnderTest, claim: Claim, problem: Problem) -> bool:
    """Return whether the formula of the claim can be asked at the end of the example."""
    asked = f"{subject.core.name}.{claim.kind}.{claim.name}/"
    return claim.kind in ("invariant", "conserved") and problem.name.startswith(asked) and _is_rules_text(claim.formula)


def _is_rules_text(expr: Expr) -> bool:
    """Return whether the core's own text of the formula is text of the rules; parts of pairs have become arithmetic."""
    return not any(
        isinstance(node, Apply) and node.op in ("div", "mod") and node.args[0].type.kind == "pair"
        for node in subexpressions(expr)
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].replace("\n", " ") + "."
