"""Evidence judged by today's rules: which records still count, and what may be said of a claim.

Reads:  evidence of a game, the fingerprints of its rules as they are.   Writes: `JudgedRecord`s with a status word each.
After:  a record counts only while everything it speaks of has the fingerprint it was made for; otherwise it is stale.
        A proof that takes something for granted counts only while that is proved. No evidence means that all is open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property

from pilgrim_rules.evidence.deciding_code import CODE, deciding_code
from pilgrim_rules.evidence.dependencies import rests_on
from pilgrim_rules.evidence.files import Evidence, Instance
from pilgrim_rules.evidence.merge_bounds import games_in
from pilgrim_rules.evidence.record import Record
from pilgrim_rules.evidence.status import Status, weakest

PROVED = frozenset({Status.PROVED, Status.PROVED_WITHIN_LIMITS})


@dataclass(frozen=True, slots=True)
class JudgedRecord(Record):
    """A record, and what it is worth today."""

    status: Status = Status.OPEN


def judged(record: Record) -> JudgedRecord:
    """Return a record with the status of its verdict, whatever has changed since."""
    status = Status[record.verdict.value.replace(" ", "_").upper()]
    if record.kind == "example" and status is Status.PROVED:
        status = Status.EXAMPLE
    return JudgedRecord(**{each.name: getattr(record, each.name) for each in fields(Record)}, status=status)


def parts_of(evidence: Evidence) -> tuple[JudgedInstance, ...]:
    """Return the evidence of a game, instance by instance."""
    return tuple(
        JudgedInstance(
            instance.players,
            {**dict(instance.rulings), **dict(instance.options)},
            _is_usual(instance),
            tuple(map(judged, records)),
        )
        for instance, records in evidence.instances.items()
    )


def _is_usual(instance: Instance) -> bool:
    return not (instance.edition or instance.map)


@dataclass(frozen=True)
class JudgedInstance:
    """What is known of one instance of a game."""

    players: int
    decided: Mapping[str, str] = field(default_factory=dict)  #: rulings and options
    usual: bool = True  #: with the edition and the map that the game has anyway
    records: tuple[JudgedRecord, ...] = ()

    def current(self, fingerprints: Mapping[str, str], needed: Mapping[str, tuple[str, ...]]) -> JudgedInstance:
        """Return what still counts.

        fingerprints  of the rules as they are: records that were made for another text are stale.
        needed        the parts that the proof of each claim must have.
        """
        made = [
            record if record.is_fresh(fingerprints) else replace(record, status=Status.STALE) for record in self.records
        ]
        part = replace(self, records=tuple(made))
        while (next_ := part.unsettled_if_unsupported(needed)) != part:
            part = next_
        return part

    def unsettled_if_unsupported(self, needed: Mapping[str, tuple[str, ...]]) -> JudgedInstance:
        """Return the records, those that rest on something that is not proved marked as not settled."""
        claims: dict[str, list[JudgedRecord]] = {}
        for record in self.records:
            claims.setdefault(record.claim, []).append(record)
        known = {record.name for record in self.records if record.status in PROVED}
        known -= claims.keys()
        known |= {
            claim for claim, found in claims.items() if _status(found, needed.get(found[0].subject, ())) in PROVED
        }

        def unsettled_if_unsupported(record: JudgedRecord) -> JudgedRecord:
            fallen = [name for name in rests_on(record) if not {name, name.partition("/")[0]} & known]
            if record.status not in PROVED or not fallen:
                return record
            because = f"it rests on `{fallen[0].partition('.')[2]}`, which is not proved"
            return replace(record, status=Status.NOT_SETTLED, reason=because)

        return replace(self, records=tuple(map(unsettled_if_unsupported, self.records)))

    def about(self, claim: str) -> list[JudgedRecord]:
        """Return the records about a claim, given by its own name."""
        return self._by_subject.get(claim, [])

    def status(self, claim: str, needed: Iterable[str]) -> Status:
        """Return the status of a claim here, given by its own name and the parts that its proof must have."""
        return _status(self.about(claim), needed)

    @cached_property
    def _by_subject(self) -> dict[str, list[JudgedRecord]]:
        found: dict[str, list[JudgedRecord]] = {}
        for record in self.records:
            found.setdefault(record.subject, []).append(record)
        return found

    @cached_property
    def played(self) -> frozenset[str]:
        """What is said of the random play that found nothing wrong."""
        tested = (record for record in self.records if record.status is Status.TESTED)
        return frozenset(bound for record in tested for bound in record.bounds)

    @cached_property
    def by_rule(self) -> dict[str, list[JudgedRecord]]:
        """The records about each rule or stage, whatever they claim of it."""
        found: dict[str, list[JudgedRecord]] = {}
        for record in self.records:
            found.setdefault(record.part, []).append(record)
        return found


@dataclass(frozen=True)
class JudgedEvidence:
    """All that counts about one game, instance by instance, and the parts that each claim needs."""

    parts: tuple[JudgedInstance, ...] = ()
    needed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def tools(self) -> str:
        """The tools that were used, with their versions."""
        found = {
            tool: version for part in self.parts for record in part.records for tool, version in record.tools.items()
        }
        return ", ".join(f"{tool} {version}" for tool, version in sorted(found.items()))

    @cached_property
    def of_other_code(self) -> bool:
        """Whether some of it was found by another version of the code that decides verdicts."""
        return any(record.tools.get(CODE) != deciding_code() for part in self.parts for record in part.records)

    def played(self, rule: str) -> int:
        """Return how many games were played at random by the current rules, where a rule was used in some of them."""
        bounds = (part.played for part in self.parts)
        return sum(games_in(found) for found in bounds if f"`{rule}` was never made" not in found)

    def about(self, claim: str) -> tuple[JudgedRecord, ...]:
        """Return the records of a claim, given by its own name; a check that it is not vacuous is left out."""
        found = [record for part in self.parts for record in part.about(claim)]
        return tuple(record for record in found if record.kind != "falsifiable" or record.status not in PROVED)

    def of_rule(self, rule: str) -> tuple[JudgedRecord, ...]:
        """Return the records about a rule, whatever they claim of it."""
        found = [record for part in self.parts for record in part.by_rule.get(rule, ())]
        return tuple(record for record in found if record.kind != "falsifiable")

    def of_rule_about(self, rule: str, claim: str) -> Sequence[JudgedRecord]:
        """Return the records about a rule that are about a claim, given by its own name."""
        return self._by_rule_and_subject.get((rule, claim), ())

    @cached_property
    def _by_rule_and_subject(self) -> dict[tuple[str, str], list[JudgedRecord]]:
        found: dict[tuple[str, str], list[JudgedRecord]] = {}
        for record in (record for part in self.parts for record in part.records if record.kind != "falsifiable"):
            found.setdefault((record.part, record.subject), []).append(record)
        return found

    def status(self, claim: str) -> Status:
        """Return the status of a claim, given by its own name: the weakest over the instances that were looked at."""
        looked_at = [found for part in self.parts if (found := part.about(claim))]
        return weakest(_status(found, self.needed.get(claim, ())) for found in looked_at)


def _status(records: Sequence[JudgedRecord], needed: Iterable[str]) -> Status:
    """Return the status of a claim in one instance.

    All parts of a proof are needed, so the weakest decides, and one that is missing is open. Of several ways to look at
    the claim the best counts, unless one of them refutes it or finds that it says nothing.
    """
    proof = {record.part: record.status for record in records if record.source == "proof"}
    ways = [record.status for record in records if record.source != "proof"]
    if proof:
        ways.append(weakest([*proof.values(), *(Status.OPEN for part in needed if part not in proof)]))
    spoilt = [status for status in ways if status in (Status.REFUTED, Status.VACUOUS)]
    return weakest(spoilt) if spoilt else max(ways, default=Status.OPEN)
