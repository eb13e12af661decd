"""Claims, rankings and symmetries as sentences.

Reads:  a core game.   Writes: sentences.
After:  each says in which states it holds.
"""

from __future__ import annotations

from pilgrim_rules.core.ir import Claim, Game, Ranking, Symmetry
from pilgrim_rules.prose import words
from pilgrim_rules.prose.apply_rulings import deciding
from pilgrim_rules.prose.expressions import say_expr
from pilgrim_rules.prose.voice import Voice, noun

__all__ = ["say_claim", "say_ranking", "say_symmetry"]

CLAIM_LEADS = {
    "law": "In the data of the game",
    "invariant": "In every state",
    "conserved": "In every state",
    "step": "Over every step",
    "reachable": "Some play leads to a state in which",
    "audit": "In every state that is looked at",
}


def say_claim(game: Game, claim: Claim) -> str:
    """Return the claim as a sentence."""
    if claim.kind == "contract":  # its formula spells out which cells may be the same
        return words.sentence(f"every `{claim.action}` keeps `{claim.words}`")
    lead = CLAIM_LEADS[claim.kind]
    comma = "" if claim.kind == "reachable" else ","
    formula = deciding({})(claim.formula)  # what the number of players decides is carried out
    return words.sentence(f"{lead}{comma} {say_expr(formula, Voice.from_game(game))}")


def say_ranking(game: Game, ranking: Ranking) -> str:
    """Return the claim of termination as a sentence."""
    voice = Voice.from_game(game)
    parts = words.join([say_expr(part, voice) for part in ranking.parts], "and then")
    if len(ranking.parts) == 1:
        return words.sentence(f"every step lowers {parts}, which cannot fall for ever")
    return words.sentence(f"every step lowers the first of these that it changes: {parts}")


def say_symmetry(game: Game, symmetry: Symmetry) -> str:
    """Return a symmetry as a sentence."""
    tables = [each for each in game.constants if each.name in symmetry.maps]
    moved = [
        f"every {noun(each.type)} goes where the table “{each.name.replace('_', ' ')}” sends it" for each in tables
    ]
    return words.sentence(f"nothing about the game changes if {words.join(moved)}")
