"""Texts of rows as English: what a card does at once, and what is different as long as it lasts.

Reads:  a game and the texts of its rows.   Writes: sentences.
After:  a text that does nothing says so.
"""

from __future__ import annotations

from pilgrim_rules.core.ir import Game, Lit, RowText, TextChange
from pilgrim_rules.prose import words
from pilgrim_rules.prose.apply_rulings import ReadRules
from pilgrim_rules.prose.expressions import say_expr
from pilgrim_rules.prose.phrases import condition_phrase, thing_phrase
from pilgrim_rules.prose.statements import EnglishStep, say_block
from pilgrim_rules.prose.voice import Voice


def say_text(game: Game, text: RowText) -> tuple[EnglishStep, ...]:
    """Return what the text of a row says, as sentences; those of a condition stand under it."""
    voice = Voice.from_game(game)
    steps: list[EnglishStep] = []
    effect = next((each for each in game.effects if each.name == text.effect), None)
    if effect is not None:
        steps += say_block(effect.lines, voice, ReadRules.from_game(game))[0]
    steps += [_change(game, change, voice) for change in text.changes]
    return tuple(steps) or (EnglishStep("Nothing happens."),)


def _change(game: Game, change: TextChange, voice: Voice) -> EnglishStep:
    """Return "As long as …, the price of wheat is 3"."""
    definition = next(each for each in game.defs if each.name == change.definition)
    inner = voice.defining(definition.params)
    said = [say_expr(arg, inner) for arg in change.args]
    types = [param.type for param in definition.params]
    value = say_expr(change.value, inner)
    if definition.body.type.kind == "bool":
        phrase = condition_phrase(definition.name, said, types, inner)
        told = phrase if change.value == Lit(1, change.value.type) else f"{phrase}: {value}"
    else:
        told = f"{thing_phrase(definition.name, said, types, inner, of=definition.body.type)} is {value}"
    return EnglishStep(words.sentence(f"as long as {say_expr(change.test, voice)}, {told}"), change.clauses)
