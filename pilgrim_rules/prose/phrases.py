"""Phrases for things with a name: state variables, constants, definitions, with what stands in their brackets.

Reads:  a name, its arguments already said, their types.   Writes: "your store of stone", "the tile at h", "red is owed".
After:  variables, constants and definitions read alike; a phrase written by hand wins over a made one.
"""

from __future__ import annotations

from collections.abc import Sequence

from pilgrim_rules.core.ir import Type
from pilgrim_rules.prose import words
from pilgrim_rules.prose.voice import Voice, noun

LONG = 4  #: an owner of more words than this stands behind what it owns


def thing_phrase(name: str, said: Sequence[str], types: Sequence[Type], voice: Voice, of: Type | None = None) -> str:
    """Return the noun phrase for a table's cell or a definition's value."""
    if name in voice.templates:
        return fill(voice.templates[name], said)
    called = words.words(name)
    if called in words.RELATIVES and len(said) == 1 and of is not None:
        return words.RELATIVES[called].format(said[0], noun=noun(of))
    if called in words.NOUNS and of is not None and voice.owns(of):
        called = words.NOUNS[called]
    if called in words.ADJECTIVES and of is not None and of.kind in ("enum", "optional", "pair"):
        called = f"{called} {noun(of)}"
    if of is not None and of.kind == "int":
        return _amount(called, said, types, voice)
    return _owned(called, said, types, voice)


def _amount(called: str, said: Sequence[str], types: Sequence[Type], voice: Voice) -> str:
    """Return the phrase for a number: how many there are of something, or how much of it."""
    if len(said) == 1 and called == noun(types[0]):
        return f"what {said[0]} holds"
    if said and voice.owns(types[0]) and called.endswith("ed"):
        return f"what {said[0]} {words.conjugate('has', said[0])} {called}{_rest(said[1:], types[1:], voice)}"
    if words.is_count(called):
        return _owned(f"number {called}", said, types, voice)
    phrase = _owned(called, said, types, voice)
    if not words.counts(called):
        return phrase
    return f"the number of {phrase if said and voice.owns(types[0]) else phrase.removeprefix('the ')}"


def _owned(called: str, said: Sequence[str], types: Sequence[Type], voice: Voice) -> str:
    if not said:
        return f"the {called}"
    if called.endswith(" of"):
        return f"the {called} {words.join(said)}"
    if voice.owns(types[0]) and len(said[0].split()) <= LONG:
        return f"{words.possessive(said[0])} {called}{_rest(said[1:], types[1:], voice)}"
    return f"the {called}{_rest(said, types, voice)}"


def condition_phrase(name: str, said: Sequence[str], types: Sequence[Type], voice: Voice, *, holds: bool = True) -> str:
    """Return the clause for a Boolean table's cell or a Boolean definition, or for its opposite."""
    if name in voice.templates:
        text = fill(voice.templates[name], said)
        return text if holds else words.negated(text)
    called = words.words(name)
    if name.startswith("possible."):
        return f"it is {'' if holds else 'not '}possible to {called}"
    verb, _, object_ = called.partition(" ")
    if said and verb in words.VERBS and object_:
        text = f"{said[0]} {words.conjugate(verb, said[0])} {object_}{_rest(said[1:], types[1:], voice)}"
    elif len(said) == 1 and object_ and words.is_plural(verb):
        text = f"{said[0]} {verb[:-1] if said[0] == 'you' else verb} {object_}"
    elif len(said) == 1 and called in words.DONE and voice.owns(types[0]):
        text = f"{said[0]} {words.conjugate('has', said[0])} {called}"
    elif len(said) == 1 and not called.endswith("s"):
        text = f"{said[0]} {words.conjugate('is', said[0])} {called}"
    elif said:
        text = f"“{called}” holds for {words.join(said)}"
    else:
        text = f"“{called}” holds"
    return text if holds else words.negated(text)


def fill(template: str, said: Sequence[str]) -> str:
    """Put the arguments into a phrase written by hand: `{1}` is the first; `{1}'s` and `{1} has` agree with "you"."""
    for at, text in enumerate(said, start=1):
        for verb in words.YOU:
            template = template.replace(f"{{{at}}} {verb} ", f"{text} {words.conjugate(verb, text)} ")
        template = template.replace(f"{{{at}}}'s", words.possessive(text)).replace(f"{{{at}}}", text)
    return template.strip("{}")  # a phrase that needs none of the arguments stands in braces as a whole


def _rest(said: Sequence[str], types: Sequence[Type], voice: Voice) -> str:
    if not said:
        return ""
    return f" {'at' if voice.is_place(types[0]) else 'of'} {words.join(said)}"
