"""Failure: something wrong, with a short play that shows it, ready to be pasted into the rules.

Reads:  a problem and the play that led to it.   Writes: `Failure`: text of an `example`, and the play as a trace.
After:  the play is as short as the shrinker could make it, and shows the same problem.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pilgrim_rules import files
from pilgrim_rules.core.ir import Apply, Claim, Expr
from pilgrim_rules.core.show_expr import show
from pilgrim_rules.core.walk import subexpressions
from verifier.fuzz import checks
from verifier.fuzz.subject import Play, Problem, Subject
from verifier.fuzz.variants import chosen_rulings


@dataclass(frozen=True, slots=True)
class Failure:
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
        files.write(path, self.trace + "\n")
        return path

    def __str__(self) -> str:
        return f"{self.name}: {self.says}\n\n{self.example}"


def failure(subject: Subject, problem: Problem, play: Play) -> Failure:
    """Return the failure that a play shows."""
    moves = tuple(subject.move(coded) for coded in play)
    return Failure(problem.name, problem.says, moves, example(subject, problem, play), _trace(subject, play))


def _trace(subject: Subject, play: Play) -> str:
    """Return the play as JSON. Its last move may be the one that cannot be made."""
    try:
        return checks.record(subject, play).to_json()
    except Exception:  # noqa: BLE001  (whatever is wrong with the last move is what the failure says)
        return checks.record(subject, play[:-1]).to_json()


def example(subject: Subject, problem: Problem, play: Play) -> str:
    """Return a play as an `example` in the rules language; what happens by itself is left out."""
    game = subject.core
    digest = sha256(repr((problem.name, play)).encode()).hexdigest()[:6]
    parts = re.sub(r"[^a-z0-9]+", "_", problem.name.removeprefix(f"{game.name}.").lower()).strip("_")
    lines = [f"example found_{parts}_{digest}", f"    ## {_sentence(problem.says)}"]
    lines += [f"    given players == {game.players}"] if game.players > 1 else []
    decided = [coded for coded in play if game.actions[coded[0]].kind != "auto"]
    lines += [f"    when {subject.move(coded)}" for coded in decided]
    under = _rulings(subject)
    lines += [
        f"    expect {show(claim.formula)}{under}" for claim in game.claims if _is_claimed(subject, claim, problem)
    ]
    return "\n".join(lines) + "\n"


def _is_claimed(subject: Subject, claim: Claim, problem: Problem) -> bool:
    """Return whether the formula of the claim can be asked at the end of the example."""
    asked = f"{subject.core.name}.{claim.kind}.{claim.name}/"
    return claim.kind in ("invariant", "conserved") and problem.name.startswith(asked) and _sayable(claim.formula)


def _sayable(expr: Expr) -> bool:
    """Return whether the core's own text of the formula is text of the rules; parts of pairs have become arithmetic."""
    return not any(
        isinstance(node, Apply) and node.op in ("div", "mod") and node.args[0].type.kind == "pair"
        for node in subexpressions(expr)
    )


def _rulings(subject: Subject) -> str:
    """Return how to say that rulings are decided otherwise than usual."""
    usual = {ruling.name: ruling.default for ruling in subject.core.rulings}
    chosen = [f"{name} = {option}" for name, option in chosen_rulings(subject.core) if option != usual[name]]
    return f" under {', '.join(chosen)}" if chosen else ""


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].replace("\n", " ") + "."
