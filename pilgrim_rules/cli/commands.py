"""Which subcommands there are, where they live and what they say in the overview.

Reads:  nothing.   Writes: the table from which the overview is printed and the modules are imported.
After:  listing the commands imports none of them.

The verifier's commands live in the package `verifier`, which this package never imports: only their names stand here,
and they are offered when the libraries they need are installed.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec


@dataclass(frozen=True, slots=True)
class Entry:
    """One subcommand: `module:attribute`, its line in the overview, and the libraries it cannot do without."""

    target: str
    says: str
    needs: tuple[str, ...] = ()

    @property
    def installed(self) -> bool:
        """Tell whether everything the command needs is there."""
        return all(find_spec(library) is not None for library in self.needs)


_SOLVER = ("verifier", "z3")
_FUZZER = ("verifier", "hypothesis")
_SEARCH = ("verifier", "numpy")

SECTIONS: dict[str, dict[str, Entry]] = {
    "Write rules": {
        "new": Entry("pilgrim_rules.cli.new:new", "Begin a game of your own."),
        "check": Entry("pilgrim_rules.cli.check:check", "Find the mistakes in rules files."),
        "fmt": Entry("pilgrim_rules.cli.fmt:fmt", "Put rules files into canonical layout."),
        "print": Entry("pilgrim_rules.cli.print:print_", "Show a game as it is after a pass."),
        "explain": Entry("pilgrim_rules.cli.explain:explain", "Say what a diagnostic means and how to fix it."),
        "coverage": Entry("pilgrim_rules.cli.coverage:coverage", "Show which clauses of the rulebook the rules cite."),
        "editions": Entry("pilgrim_rules.cli.editions:editions", "Show in what the editions of a rulebook differ."),
        "review": Entry("pilgrim_rules.cli.review:review", "List what a reworded clause asks to be looked at again."),
        "lsp": Entry("pilgrim_rules.cli.lsp:lsp", "Answer an editor: the language server.", ("pygls",)),
    },
    "Play": {
        "games": Entry("pilgrim_rules.cli.games:games", "List the games that can be loaded by name."),
        "play": Entry("pilgrim_rules.cli.play:play", "Play a game in the terminal."),
        "campaign": Entry("pilgrim_rules.cli.campaign:campaign", "Play several games in a row, with a result."),
        "moves": Entry("pilgrim_rules.cli.moves:moves", "List the legal moves after some moves."),
        "replay": Entry("pilgrim_rules.cli.replay:replay", "Check a recorded game and show it step by step."),
        "vectors": Entry("pilgrim_rules.cli.vectors:vectors", "Write test games for another implementation."),
        "perft": Entry("pilgrim_rules.cli.perft:perft", "Count plays, to compare with another implementation."),
        "export": Entry("pilgrim_rules.cli.export:export", "Write a game for another tool."),
        "serve": Entry("pilgrim_rules.cli.serve:serve", "Answer programs in any language, over JSON."),
        "compile": Entry("pilgrim_rules.cli.compile:compile_", "Show the code a game is compiled to."),
    },
    "Verify": {
        "verify": Entry(
            "verifier.cli.verify:verify", "Prove, search and fuzz; print the report.", (*_SOLVER, *_FUZZER)
        ),
        "watch": Entry("verifier.cli.watch:watch", "Say what every change of the rules breaks.", (*_SOLVER, *_FUZZER)),
        "compare": Entry("verifier.cli.compare:compare", "Tell in what two versions of a game differ.", ("verifier",)),
        "evidence": Entry(
            "verifier.cli.evidence:evidence", "Say which recorded verdicts are stale or missing.", ("verifier",)
        ),
        "history": Entry(
            "verifier.cli.history:history", "Keep what rules mean, and tell what has changed.", ("verifier",)
        ),
        "obligations": Entry("verifier.cli.prove:obligations", "List what is to be proved.", _SOLVER),
        "prove": Entry("verifier.cli.prove:prove", "Prove the claims of a game.", _SOLVER),
        "cores": Entry("verifier.cli.prove:cores", "Show which clauses each proof rests on.", _SOLVER),
        "explore": Entry("verifier.cli.explore:explore", "Visit every state of a small instance.", _SEARCH),
        "mutate": Entry(
            "verifier.cli.mutate:mutate",
            "Change the rules in small ways and see whether a check fails.",
            (*_SOLVER, *_FUZZER),
        ),
        "boundaries": Entry(
            "verifier.cli.boundaries:boundaries", "Say where a rule became stricter or laxer.", (*_SOLVER, *_FUZZER)
        ),
        "fuzz": Entry("verifier.cli.fuzz:fuzz", "Play at random and look for contradictions.", _FUZZER),
        "readings": Entry(
            "verifier.cli.rulings:readings", "Measure where rulings matter in random play.", ("verifier",)
        ),
    },
}

ENTRIES: dict[str, Entry] = {name: entry for section in SECTIONS.values() for name, entry in section.items()}
