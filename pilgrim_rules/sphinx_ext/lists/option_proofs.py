"""Option proofs: what is proved under each single other answer to a ruling, all others being the default ones.

Reads:  a book, and the file of its game in the folder of evidence.   Writes: nodes.
After:  each other answer is counted once: all is proved, something is open, or it was not asked yet. What is open is named.
        What was found for other rules than today's default reading, or by other code, is counted apart; that a rule of
        another answer alone has changed is seen by `pilgrim prove --each-option` only, which then asks again.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from docutils import nodes

from pilgrim_rules.core.ir import Game
from pilgrim_rules.evidence.deciding_code import deciding_code
from pilgrim_rules.evidence.options import OptionResult, other_options, path_of, print_of, read_options, result_of
from pilgrim_rules.language.load import load_rules
from pilgrim_rules.prose import words
from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.sphinx_ext.nodes.node_builders import Inline
from pilgrim_rules.sphinx_ext.objects.directive_base import RulesDirective

__all__ = ["OptionProofsDirective", "summary"]

#: Open obligations that are named of one answer.
NAMED = 4


class OptionProofsDirective(RulesDirective):
    """`.. rules:option-proofs::`: under which other answers to the rulings all is proved, and what is open under others."""

    def run(self) -> list[nodes.Node]:
        """Show the count, and what is open."""
        book = self.current()
        if book is None:
            return []
        path = path_of(Path(self.env.srcdir) / self.env.config.rules_evidence, book.name)
        self.env.note_dependency(str(path))
        data = read_options(path)
        game = load_rules(book.found_at, players=data["players"]).game if data else book.game
        found = [result_of(each) for each in data.get("options", ())]
        found = [each for each in found if (each.ruling, each.option) in set(other_options(game))]
        texts = {ruling.name: dict(ruling.options) for ruling in game.rulings}
        left: list[list[Inline]] = [
            [
                node_builders.xref("ruling", book.name, each.ruling),
                f": {texts[each.ruling][each.option] or words.words(each.option)}: {each.proved:,} of {each.asked:,} proved; ",
                *_open(each, book.name),
            ]
            for each in found
            if not each.complete
        ]
        shown: list[nodes.Node] = [node_builders.para(text, css="rules-facts") for text in summary(game, found)]
        return [*shown, node_builders.bullets(left, "rules-open-options")] if left else shown


def summary(game: Game, found: Sequence[OptionResult]) -> tuple[str, ...]:
    """Return what is to be said of all other answers together."""
    every = len(other_options(game))
    if not found:
        return (f"None of the {every} other answers was asked about yet.",)
    whole = sum(each.complete for each in found)
    players = "1 player" if game.players == 1 else f"{game.players} players"
    asked = f"Asked about {len(found)} of {every} other answers, for {players}, each alone: under {whole} of them everything is proved"
    said = [
        f"{asked} (nobody is stuck, nothing leaves its range, every claim holds), under {len(found) - whole} something is open."
    ]
    usual, code = print_of(game), deciding_code()
    old = sum(each.usual != usual for each in found)
    other = sum(each.usual == usual and each.code != code for each in found)
    if old:
        said.append(f"The rules have changed since {old} of them were asked about.")
    if other:
        said.append(f"{other} of them were asked about by another version of the prover.")
    return tuple(said)


def _open(each: OptionResult, game: str) -> list[Inline]:
    """Return what is open of an answer, with how it came out."""
    parts: list[Inline] = ["open: "]
    for at, one in enumerate(each.open[:NAMED]):
        parts += [", " if at else "", node_builders.code(one.name.removeprefix(f"{game}.")), f" ({one.verdict})"]
    more = len(each.open) - NAMED
    parts.append(f" and {more} more" if more > 0 else "")
    parts.append(f"; {each.resting} rest on these" if each.resting else "")
    return parts
