"""Text: what was found, for people at a terminal.

Reads:  an outcome.   Writes: lines about everything that is not fine, and a table with a row a claim.
After:  what is not proved stands beside the reason: what is false, for which values, what changed, after which play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import get_args

from rich.table import Table
from rich.text import Text

from verifier.report.entry import Entry, Finding
from verifier.report.outcome import FINE, Outcome
from verifier.verdict import STRENGTHENED

MARKS: dict[Finding, str] = {
    "proved": "✓",
    "proved within limits": "◐",
    "tested": "◆",
    "vacuous": "∅",
    "not settled": "?",
    "not inductive": "⤳",
    "refuted": "✗",
    "caught": "✓",
    "survived": "✗",
}
STRONGEST_FIRST: tuple[Finding, ...] = get_args(Finding)
STYLES: dict[Finding, str] = {"refuted": "bold red", "survived": "bold red"}
#: Cells that are printed of a state or a step; programs get all of them.
SHOWN = 12


def lines(outcome: Outcome, *, verbose: bool = False) -> Iterator[str]:
    """Yield everything that is not fine or asks for something, or everything there is; the worst comes first."""
    for entry in sorted(outcome.entries, key=lambda each: -STRONGEST_FIRST.index(each.verdict)):
        if verbose or entry.verdict not in FINE or entry.confirmed == "disagrees" or entry.method == STRENGTHENED:
            yield from entry_lines(entry)
    for alarm in outcome.alarms:
        yield f"‼ {alarm}"


def entry_lines(entry: Entry) -> Iterator[str]:
    """Yield one entry: the verdict, what is claimed, and unless it is fine, why not."""
    alarm = "; THE SECOND SOLVER DISAGREES" if entry.confirmed == "disagrees" else ""
    yield f"{MARKS[entry.verdict]} {entry.name}: {entry.verdict} ({entry.method}){alarm}"
    yield f"    {entry.sentence}"
    yield from (f"    {line}" for line in reasons(entry))


def reasons(entry: Entry) -> Iterator[str]:
    """Yield why an entry is not fine; nothing if it is."""
    yield from entry.reason.splitlines()
    if entry.verdict in FINE:
        return
    account = entry.account
    if account is not None:
        if account.false:
            yield f"false: {account.false}" + (f", with {', '.join(account.where)}" if account.where else "")
        for title, cells in (("values", account.values), ("changed", account.changed)):
            if cells:
                yield f"{title}: {_some(cells)}"
    if entry.clauses:
        yield f"clauses: {', '.join(entry.clauses)}"
    if entry.place is not None:
        yield f"written in {entry.place[0]}:{entry.place[1]}"
    for number, move in enumerate(entry.play, 1):
        yield f"{number:>3}  {move}"


def _some(cells: Sequence[str]) -> str:
    more = f" and {len(cells) - SHOWN} more" if len(cells) > SHOWN else ""
    return ", ".join(cells[:SHOWN]) + more


def table(outcome: Outcome) -> Table:
    """Return a row for each claim: its weakest verdict, how it was come by, its parts and the time."""
    shown = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("claim", "verdict", "how"):
        shown.add_column(title, overflow="fold")
    shown.add_column("parts", justify="right", no_wrap=True)
    shown.add_column("time", justify="right", no_wrap=True)
    claims: dict[str, list[Entry]] = {}
    for entry in outcome.entries:
        claims.setdefault(entry.claim, []).append(entry)
    for name, entries in claims.items():
        proofs = [entry for entry in entries if entry.source == "proof"] or entries
        verdict = max((entry.verdict for entry in proofs), key=STRONGEST_FIRST.index)
        if any(entry.verdict == "refuted" for entry in entries):
            verdict = "refuted"
        fine = sum(entry.verdict in FINE for entry in proofs)
        shown.add_row(
            _plain(name.removeprefix(f"{outcome.game.name}.")),
            Text(f"{MARKS[verdict]} {verdict}", style=STYLES.get(verdict, "green" if verdict in FINE else "yellow")),
            _plain(", ".join(dict.fromkeys(entry.method for entry in entries))),
            f"{fine}/{len(proofs)}",
            f"{sum(entry.seconds for entry in entries):.2f} s",
        )
    return shown


def summary(outcome: Outcome) -> str:
    """Return the counts of the proofs in one line."""
    proofs = [entry for entry in outcome.entries if entry.source == "proof"]
    counts = Counter(entry.verdict for entry in proofs)
    told = ", ".join(f"{counts[verdict]:,} {verdict}" for verdict in STRONGEST_FIRST if counts[verdict])
    agreed = sum(entry.confirmed == "agrees" for entry in proofs)
    again = f"; a second solver agrees with {agreed:,}" if agreed else ""
    stopped = "; interrupted" if outcome.interrupted else ""
    return f"{outcome.game.name}: {told or 'nothing to prove'}{again}{stopped}"


def _plain(text: str) -> Text:
    """Return text of the user, in which nothing moves the cursor or is taken for markup."""
    return Text("".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text))
