"""Every verdict of the prover about a random game, compared with brute force over all that the verdict covers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pilgrim_rules.evidence.record import PROOFS, Record, Verdict
from tests.soundness.brute_force import Instance, Truth, instances, truth_of
from tests.support.random_rules import RandomRules, random_rules
from verifier.prove.run import verify

#: Enough for games as small as these; what is not settled is not compared.
BUDGET = 100_000


@dataclass(slots=True)
class Comparison:
    """What was compared, and what was wrong."""

    wrong: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


def compare(seed: int, folder: Path, *, every_reading: bool = False, every_value: bool = False) -> Comparison:
    """Draw a game, prove it, and compare with brute force.

    every_reading  the prover is asked about all rulings, and what it says must be true of every reading.
    every_value    what it says must be true of every value that the data may have, unless it names one.
    """
    drawn = random_rules(seed, folder)
    return compare_rules(drawn, folder, seed, every_reading=every_reading, every_value=every_value)


def compare_rules(
    drawn: RandomRules, folder: Path, number: int, *, every_reading: bool = False, every_value: bool = False
) -> Comparison:
    """Prove a game as one of its instances, and compare with brute force; its files are in the folder."""
    found = list(instances(drawn, folder))
    result = Comparison(counts=Counter(games=1, instances=len(found)))
    if not found:
        return result
    here = found[number % len(found)]
    proved = verify(
        here.game, cache=False, confirm=False, jobs=1, budget=BUDGET, longer_play=1_000, all_rulings=every_reading
    )
    any_data = {
        each: truth_of(each.game)
        for each in found
        if each.players == here.players and (every_reading or each.rulings == here.rulings)
    }
    spoken_of = {each: truth for each, truth in any_data.items() if every_value or each.data == here.data}
    _judge(result, here, f"number {number}, {here}", proved.records, spoken_of, any_data)
    if result.wrong:
        result.wrong.append(drawn.text)
    return result


def _judge(
    result: Comparison,
    here: Instance,
    title: str,
    records: Sequence[Record],
    truths: Mapping[Instance, Truth],
    any_data: Mapping[Instance, Truth],
) -> None:
    """Judge records: a proof by what it speaks of, a refutation by any value that the data may have."""
    for claim, verdicts in _claims(records).items():
        if {record.verdict for record in verdicts} <= set(PROOFS):
            for each, truth in truths.items():
                if all(_covers(record, each, here) for record in verdicts):
                    result.counts["proved"] += 1
                    if claim in truth.false:
                        result.wrong.append(f"{title}: `{claim}` is proved, and false for {each}")
        if any(record.verdict is Verdict.REFUTED for record in verdicts):
            result.counts["refuted"] += 1
            if all(truth.closed and claim not in truth.false for truth in any_data.values()):
                result.wrong.append(f"{title}: `{claim}` is refuted, and true")
    for record in records:
        if record.kind == "reachable" and record.verdict in {Verdict.PROVED, Verdict.REFUTED}:
            result.counts["reachable"] += 1
            name = record.claim.rpartition(".")[2]
            seen = any(name in truth.seen for truth in any_data.values())
            if record.verdict is Verdict.PROVED and not seen:
                result.wrong.append(f"{title}: `{name}` is said to be reachable, and is not")
            if record.verdict is Verdict.REFUTED and any(
                name in truth.seen for each, truth in truths.items() if _covers(record, each, here)
            ):
                result.wrong.append(f"{title}: `{name}` is said to be out of reach, and is not")


def _claims(records: Sequence[Record]) -> dict[str, list[Record]]:
    """Return the records that together make each claim that brute force speaks of."""
    found: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        if record.kind in {"kept", "initially", "follows", "step", "decreases"}:
            found[record.claim.split(".", 2)[2]].append(record)  # behind the game and the kind; a contract has parts
        elif record.kind in {"range", "no_dead_end", "one_auto"}:
            found[record.kind].append(record)
    return found


def _covers(record: Record, other: Instance, here: Instance) -> bool:
    """Return whether a record speaks of another instance: it does unless it names the value or the option it holds for."""
    named = {**dict(other.data), **dict(other.rulings)}
    for bound in record.bounds:
        if bound.startswith(("the first ", "the data of this edition only")) and other.data != here.data:
            return False
        if "the rulings as they are chosen" in bound and other.rulings != here.rulings:
            return False
        if any(str(named[name]) != value for name, value in re.findall(r"for `(\w+)` = (\w+)", bound) if name in named):
            return False
    return True


__all__ = ["Comparison", "RandomRules", "compare"]
