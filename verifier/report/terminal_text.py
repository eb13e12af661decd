"""Text: what was found, for people at a terminal.

Reads:  an outcome.   Writes: lines about everything that is not fine, and a table with a row a claim.
After:  what is not proved stands beside the reason: what is false, for which values, what changed, after which play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.table import Table
from rich.text import Text

from pilgrim_rules.evidence.compact import players_bound
from pilgrim_rules.evidence.merge_bounds import is_limit
from pilgrim_rules.evidence.record import FINE, PROOFS, STRENGTHENED, Record, Verdict, way
from verifier.claims.verdict_dependencies import RESTS
from verifier.report.run_result import RunResult

MARKS: dict[Verdict, str] = {
    Verdict.PROVED: "✓",
    Verdict.LIMITED: "◐",
    Verdict.CONDITIONAL: "◌",
    Verdict.TESTED: "◆",
    Verdict.VACUOUS: "∅",
    Verdict.NOT_EXERCISED: "◇",
    Verdict.NOT_SETTLED: "?",
    Verdict.NOT_INDUCTIVE: "⤳",
    Verdict.REFUTED: "✗",
}
#: What is counted under other words than its own.
COUNTED = {Verdict.CONDITIONAL: "proved if something else holds"}
STRONGEST_FIRST = tuple(Verdict)
STYLES: dict[Verdict, str] = {Verdict.REFUTED: "bold red"}
#: Cells that are printed of a state or a step; programs get all of them.
SHOWN = 12


def lines(outcome: RunResult, *, verbose: bool = False) -> Iterator[str]:
    """Yield everything that is not fine or asks for something, or everything there is; the worst comes first."""
    proved = {record.claim for record in outcome.records if record.verdict in PROOFS}
    resting = [] if verbose else _resting(outcome.records)
    for record in sorted(outcome.records, key=lambda each: -STRONGEST_FIRST.index(each.verdict)):
        if record in resting:
            continue
        if record.verdict is Verdict.NOT_EXERCISED and record.claim in proved and not verbose:
            continue  # that play has not met it takes nothing away from a proof
        if verbose or record.verdict not in FINE or record.confirmed == "disagrees" or record.method == STRENGTHENED:
            yield from record_lines(record)
    if resting:
        claims = dict.fromkeys(record.claim.removeprefix(f"{outcome.game.name}.") for record in resting)
        yield f"{MARKS[Verdict.NOT_SETTLED]} {len(resting):,} more not settled, because what stands above is not (-v shows all)"
        yield f"    of {_some(list(claims))}"
    for alarm in outcome.alarms:
        yield f"‼ {alarm}"


def _resting(records: Sequence[Record]) -> list[Record]:
    """Return what is open only because it rests on something open; nothing if that is all there is."""
    resting = [
        record for record in records if record.reason.startswith(RESTS) and record.verdict is Verdict.NOT_SETTLED
    ]
    open_ = sum(record.verdict not in FINE for record in records)
    return resting if len(resting) < open_ else []


def record_lines(record: Record) -> Iterator[str]:
    """Yield one record: the verdict with how it was reached and its bounds, what is claimed, and unless it is fine, why not."""
    alarm = "; THE SECOND SOLVER DISAGREES" if record.confirmed == "disagrees" else ""
    within = f"; {', '.join(record.bounds)}" if record.bounds else ""
    yield f"{MARKS[record.verdict]} {record.name}: {_word(record)} ({record.method}{within}){alarm}"
    yield f"    {record.sentence}"
    yield from (f"    {line}" for line in reasons(record))


def reasons(record: Record) -> Iterator[str]:
    """Yield why an record is not fine; nothing if it is."""
    lines = record.reason.splitlines()
    yield from lines[1:] if record.verdict is Verdict.CONDITIONAL else lines
    if record.verdict in (*FINE, Verdict.CONDITIONAL):
        return
    account = record.explanation
    if account is not None:
        if account.false:
            yield f"false: {account.false}" + (f", with {', '.join(account.where)}" if account.where else "")
        for title, cells in (("values", account.values), ("changed", account.changed)):
            if cells:
                yield f"{title}: {_some(cells)}"
    if record.clauses:
        yield f"clauses: {', '.join(record.clauses)}"
    if record.place is not None:
        yield f"written in {record.place.file}:{record.place.line}"
    for number, move in enumerate(record.play, 1):
        yield f"{number:>3}  {move}"


def _word(record: Record) -> str:
    """Return the verdict; of a proof that takes something for granted, with what that is."""
    return f"proved {record.reason.splitlines()[0]}" if record.verdict is Verdict.CONDITIONAL else str(record.verdict)


def _some(cells: Sequence[str]) -> str:
    more = f" and {len(cells) - SHOWN} more" if len(cells) > SHOWN else ""
    return ", ".join(cells[:SHOWN]) + more


def table(outcome: RunResult) -> Table:
    """Return a row for each claim: its weakest verdict, how it was come by, its parts and the time."""
    shown = Table(box=None, pad_edge=False, header_style="dim")
    limited = any(map(_limits, outcome.records))
    for title in ("claim", "verdict", "how", *(("within",) if limited else ())):
        shown.add_column(title, overflow="fold")
    shown.add_column("parts", justify="right", no_wrap=True)
    shown.add_column("time", justify="right", no_wrap=True)
    claims: dict[str, list[Record]] = {}
    for record in outcome.records:
        claims.setdefault(record.claim, []).append(record)
    for name, records in claims.items():
        proofs = [record for record in records if record.source == "proof"] or records
        verdict = max((record.verdict for record in proofs), key=STRONGEST_FIRST.index)
        if any(record.verdict is Verdict.REFUTED for record in records):
            verdict = Verdict.REFUTED
        fine = sum(record.verdict in FINE for record in proofs)
        shown.add_row(
            _plain(name.removeprefix(f"{outcome.game.name}.")),
            Text(f"{MARKS[verdict]} {verdict}", style=STYLES.get(verdict, "green" if verdict in FINE else "yellow")),
            _plain(", ".join(dict.fromkeys(record.method for record in records))),
            *([_plain(", ".join(dict.fromkeys(each for one in proofs for each in _limits(one))))] if limited else []),
            f"{fine}/{len(proofs)}",
            f"{sum(record.seconds for record in records):.2f} s",
        )
    return shown


def _limits(record: Record) -> list[str]:
    """Return the bounds of a proof that its headline does not tell and that somebody may exceed."""
    return [bound for bound in record.bounds if is_limit(bound)] if record.source == "proof" else []


def headline(outcome: RunResult) -> str:
    """Return what was looked at: the game, for how many players, with which options other than the usual ones."""
    instance = outcome.instance
    usual = {ruling.name: ruling.default for ruling in outcome.game.decisions}
    options = [
        f"{name} = {option}" for name, option in (*instance.rulings, *instance.options) if option != usual.get(name)
    ]
    files = [f"{what} {name}" for what, name in (("edition", instance.edition), ("map", instance.map)) if name]
    return ", ".join([outcome.game.name, players_bound(instance.players), *options, *files])


def summary(outcome: RunResult) -> str:
    """Return the counts of the proofs in one line, with what they are about."""
    proofs = [record for record in outcome.records if record.source == "proof"]
    counts = Counter(record.verdict for record in proofs)
    ways = Counter(way(record.method) for record in proofs if record.verdict in PROOFS)
    how = ", ".join(f"{count:,} by {name}" for name, count in ways.most_common())
    good = [f"{counts[verdict]:,} {verdict}" for verdict in PROOFS if counts[verdict]]
    rest = [
        f"{counts[verdict]:,} {COUNTED.get(verdict, verdict)}"
        for verdict in STRONGEST_FIRST
        if verdict not in PROOFS and counts[verdict]
    ]
    told = ", ".join([*good[:-1], *(f"{each} ({how})" for each in good[-1:]), *rest])
    agreed = sum(record.confirmed == "agrees" for record in proofs)
    again = f"; a second solver agrees with {agreed:,}" if agreed else ""
    stopped = "; interrupted" if outcome.interrupted else ""
    return f"{headline(outcome)}: {told or 'nothing to prove'}{again}{stopped}"


def _plain(text: str) -> Text:
    """Return text of the user, in which nothing moves the cursor or is taken for markup."""
    return Text("".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text))
