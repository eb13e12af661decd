"""Stepwise English, generated from the core.

Reads:  core games.   Writes: English as data (`Steps`) and as sentences.
After:  the documents, the command line and refusals speak of a rule in the same words.
"""

from pilgrim_rules.prose.cards import say_text
from pilgrim_rules.prose.claims import say_claim, say_ranking, say_symmetry
from pilgrim_rules.prose.costs import SaidCost, say_costs
from pilgrim_rules.prose.english import (
    EnglishRule,
    EnglishSection,
    EnglishStep,
    Hint,
    guard_voices,
    hints,
    say_action,
    say_deciders,
    say_def,
    say_requirements,
    say_stages,
)
from pilgrim_rules.prose.expressions import say_expr
from pilgrim_rules.prose.scores import say_order, say_score_line
from pilgrim_rules.prose.summaries import common_sentences, sentence_text, sentences
from pilgrim_rules.prose.voice import Voice

__all__ = [
    "EnglishRule",
    "EnglishSection",
    "EnglishStep",
    "Hint",
    "SaidCost",
    "Voice",
    "common_sentences",
    "guard_voices",
    "hints",
    "say_action",
    "say_claim",
    "say_costs",
    "say_deciders",
    "say_def",
    "say_expr",
    "say_order",
    "say_ranking",
    "say_requirements",
    "say_score_line",
    "say_stages",
    "say_symmetry",
    "say_text",
    "sentence_text",
    "sentences",
]
