"""Each option: a game proved under every single other option of its rulings.

Reads:  a game.   Writes: for each option that is not chosen, how many obligations are proved when the rules are read again under
        it, and which are not.
After:  what is called proved is proved of the rules as they are read under that option, all other rulings as they were. A
        verdict of the default reading is used again only where everything it rests on is the same under the option. What
        was not run, or not to its end, is not spoken of. `pilgrim_rules.evidence.options` keeps it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from pilgrim_rules.core.ir import Game
from pilgrim_rules.evidence.deciding_code import deciding_code
from pilgrim_rules.evidence.options import OpenObligation, OptionResult, print_of
from pilgrim_rules.evidence.record import PROOFS, Record
from pilgrim_rules.language.instances import with_rulings
from verifier.claims.obligations import Kind
from verifier.claims.verdict_dependencies import RESTS
from verifier.prove.run import Report

#: What is asked of every reading: that nothing goes wrong. That each line makes a difference is asked of the default reading.
ASKED: frozenset[Kind] = frozenset(
    {
        "law", "range", "defined", "one_side", "one_auto", "no_dead_end", "weights", "initially", "kept", "follows", "step",
        "decreases", "no_ties", "sight", "no_leak", "symmetry",
    }
)  # fmt: skip
#: Lines of a reason that are kept.
LINES = 3


def prove_each_option(
    game: Game, wanted: Iterable[tuple[str, str]], prove: Callable[[Game, Collection[Kind]], Report]
) -> Iterator[OptionResult]:
    """Prove the game under options, one at a time; `prove` is told the game read again, and what to prove of it."""
    usual = print_of(game)
    for ruling, option in wanted:
        read_again = with_rulings(game, ((ruling, option),), keep=False)
        report = prove(read_again, ASKED)
        if report.interrupted:  # what was not looked at is not open
            return
        yield _result((ruling, option), (print_of(read_again), usual), report.records)


def _result(of: tuple[str, str], prints: tuple[str, str], records: tuple[Record, ...]) -> OptionResult:
    left = [each for each in records if each.verdict not in PROOFS]
    causes = [each for each in left if not each.reason.startswith(RESTS)]
    return OptionResult(
        *of,
        *prints,
        deciding_code(),
        len(records),
        len(records) - len(left),
        sum(each.cached for each in records),
        tuple(
            OpenObligation(each.name, str(each.verdict), "\n".join(each.reason.splitlines()[:LINES]), len(each.play))
            for each in causes
        ),
        len(left) - len(causes),
    )
