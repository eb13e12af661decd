"""`python -m tests.bench [PART]...`: print what was measured, as a ratio to a reference of the same run.

A figure of one machine says little; the ratio travels. Targets are for one core of a common server; a missed one is
marked, and changes the exit code only with `--strict`.
"""

import sys

from rich.console import Console
from rich.table import Table

from tests.bench.engine import engine
from tests.bench.front import front
from tests.bench.growth import growth
from tests.bench.measure import Figure
from tests.bench.native import native
from tests.bench.native_peers import native_peers
from tests.bench.outside import outside
from tests.bench.peers import peers
from tests.bench.proofs import pilgrim, proofs
from tests.bench.search import search
from tests.bench.tournament import tournament

PARTS = {
    "front": front,
    "engine": engine,
    "native": native,
    "growth": growth,
    "proofs": proofs,
    "peers": peers,
    "native_peers": native_peers,
    "search": search,
    "outside": outside,
    "tournament": tournament,
}
#: Parts that take minutes are measured only when they are named.
LONG = {"pilgrim": pilgrim}


def main(arguments: list[str]) -> int:
    """Measure the parts that are named, or all that do not take long."""
    strict = "--strict" in arguments
    named = [argument for argument in arguments if argument != "--strict"]
    every = PARTS | LONG
    if unknown := set(named) - set(every):
        print(f"there is no part {', '.join(sorted(unknown))}; the parts are {', '.join(every)}", file=sys.stderr)
        return 2
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 110)
    figures = []
    with console.status("measuring"):
        for name in named or PARTS:
            for figure in every[name]():
                figures.append(figure)
                console.print(f"  {figure.name}", style="dim")
    console.print(_table(figures))
    return int(strict and any(figure.met is False for figure in figures))


def _table(figures: list[Figure]) -> Table:
    table = Table("what", "measured", "ratio", "to", "target", box=None, pad_edge=False)
    table.columns[1].justify = table.columns[2].justify = table.columns[4].justify = "right"
    for figure in figures:
        bound = "" if figure.target is None else f"{'≥' if figure.more_is_better else '≤'} {_short(figure.target)}"
        verdict = {None: "", True: " met", False: " MISSED"}[figure.met]
        table.add_row(
            figure.name,
            f"{_short(figure.value)} {figure.unit}",
            _short(figure.ratio),
            f"× {figure.against}",
            bound + verdict,
        )
    return table


def _short(number: float) -> str:
    """Return three digits, or all of a large number."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
