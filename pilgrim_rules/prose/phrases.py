"""Phrases for things with a name (state variables, constants, definitions) and for the forms of the language.

Reads:  a name, its arguments already said, their types.   Writes: "your store of stone", "the tile at h", "red is owed".
After:  variables, constants and definitions read alike; a phrase written by hand wins over a made one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pilgrim_rules.core import derived, sub_turns
from pilgrim_rules.core.ir import Bound, Expr, Form, FormName, Lit, Type
from pilgrim_rules.prose import words
from pilgrim_rules.prose.voice import UNNAMED, Voice, noun

#: Forms that have a phrase for their opposite.
DENIABLE: frozenset[FormName] = frozenset({"is_some", "is_none", "is", "in_type", "in", "in_stages", "in_zone"})
#: What a clause goes on with after its subject.
_VERB = re.compile(r"\w{2,}[^s']s|is|has|was|may|can|must")
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
    called = called.removeprefix("the ")
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
        template = voice.templates[name]
        you_do = re.match(r"\{1\} (\w+[^s]s)\b(?!')", template) if said and said[0] == "you" else None
        if not holds and you_do and you_do[1] not in words.YOU and " no " not in template:
            rest = fill(template[you_do.end() :], said)
            return f"you do not {words.infinitive(you_do[1])}{rest}"
        text = fill(template, said)
        return text if holds else words.negated(text)
    if name.startswith(sub_turns.ANSWERS) and len(said) == 1:
        return f"{said[0]} {words.conjugate('has', said[0])} {'' if holds else 'not '}answered{'' if holds else ' yet'}"
    called = words.words(name)
    if name.startswith((derived.POSSIBLE, derived.POSSIBLE_MOVE)):
        return f"it is {'' if holds else 'not '}possible to {called}{f' ({words.join(said)})' if said else ''}"
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
        if text == "you":
            template = re.sub(
                rf"\{{{at}\}} (\w+s)\b(?!')", lambda found: f"you {words.conjugate(found[1], 'you')}", template
            )
        last = text.rpartition(" ")[2]  # "{2} die" of "this die" is "this die"
        if last != text:
            template = re.sub(rf"\{{{at}\}} {re.escape(last)}\b", f"{{{at}}}", template)
            template = re.sub(rf"\b(?:the )?{re.escape(last)} \{{{at}\}}", f"{{{at}}}", template)
        template = re.sub(rf"\b{re.escape(text)} \{{{at}\}}", f"{{{at}}}", template)
        template = template.replace(f"{{{at}}}'s", words.possessive(text)).replace(f"{{{at}}}", text)
    # A phrase that needs none of the arguments stands in braces as a whole; what is owned needs no "the" or "that".
    owned = re.sub(r"('s|\byour) (?:this|the|an?) ", r"\1 ", template.strip("{}"))
    return re.sub(r"\bthe (this|the|an?) ", r"\1 ", owned)


def _rest(said: Sequence[str], types: Sequence[Type], voice: Voice) -> str:
    if not said:
        return ""
    return f" {'at' if voice.is_place(types[0]) else 'of'} {words.join(said)}"


def form_phrase(form: Form, said: Sequence[str], *, holds: bool = True) -> str:
    """Return the phrase for a form of the language, or for its opposite."""
    match form.name:
        case "next" | "previous":
            return words.RELATIVES[form.name].format(*said, noun=noun(form.of))
        case "is_some" | "is_none":
            return presence(said[0], there=(form.name == "is_some") == holds)
        case "is" | "in_type" | "in" | "in_stages":
            return _one_of(form, said, holds=holds)
        case "zone":
            return f"{words.possessive(said[0])} {words.label(form.label)}"
        case "in_zone":
            piece, zone = said
            verb = words.conjugate("is", piece)
            return f"{piece} {verb if holds else f'{verb} not'} in {the_zone(form.args[1], zone)}"
        case _:  # the others are one phrase each, in a table that has no hole
            return words.FORM[form.name].format(*said, label=words.label(form.label))


def _one_of(form: Form, said: Sequence[str], *, holds: bool) -> str:
    """Return "x is a place", "x is from 1 to 3", "the stage is bidding or hammer", "h is neither a nor b"."""
    what, *items = said
    verb = words.conjugate("is", what)
    if len(items) > 1 and form.name == "in":
        return f"{what} {verb} {words.join(items, 'or') if holds else 'neither ' + words.join(items, 'nor')}"
    verb = verb if holds else f"{verb} not"
    if form.name == "in_stages":
        return f"{what} {verb} {words.label(form.label)}"
    if form.name == "in":
        return f"{what} {verb} {items[0]}" if items else f"{what} {verb} one of no values"
    if form.of.kind == "int" and not form.of.name.isidentifier():
        return f"{what} {verb} from {form.of.lo} to {form.of.hi}"
    return f"{what} {verb} {words.article(noun(form.of))}"


def the_zone(place: Expr, said: str) -> str:
    """Return a zone as it is spoken of: "the deck", "your hand"."""
    return f"the {said}" if isinstance(place, Lit) else said


def presence(text: str, *, there: bool) -> str:
    """Say that something is there or not: "there is no goal of r", "you have a goal", "p has no hand"."""
    if text.startswith("the ") and "'s " not in re.split(r" for wh| who | that ", text, maxsplit=1)[0]:
        thing = text[4:].removeprefix("first ")
        return f"there is {words.article(thing) if there else f'no {thing}'}"
    owner, mark, thing = ("you", "your ", text[5:]) if text.startswith("your ") else text.partition("'s ")
    if text == "you":
        return "you are to decide" if there else "nobody is to decide"
    if text.startswith("whoever "):
        return f"{'somebody' if there else 'nobody'} {text.removeprefix('whoever ')}"
    text = text.removeprefix("this ")
    if not mark:
        return f"there is such {words.article(text)}" if there else f"there is no such {text}"
    return f"{owner} {words.conjugate('has', owner)} {words.article(thing) if there else f'no {thing}'}"


def own_phrase(form: Form, which: str) -> str | None:
    """Return a pair that begins with you, if it has a name: "your chosen route", "your route 2"."""
    called = noun(form.of)
    if called in UNNAMED:
        return None
    if which == "the chosen number":
        return f"your chosen {called}"
    return f"your {called} {which}" if which.isdigit() else None


def choice_phrase(name: str, called: str, voice: Voice, *, holds: bool) -> str:
    """Return that a choice was made, in the words of a hint if it has one; that a named condition holds."""
    if name not in voice.chosen:
        return f"“{called}” {'holds' if holds else 'does not hold'}"
    if name in voice.templates:
        return condition_phrase(name, (), (), voice, holds=holds)
    return f"you say {'yes' if holds else 'no'} to “{called}”"


def there_phrase(expr: Expr, said: str, voice: Voice, *, there: bool) -> str:
    """Return that there is a value or none: an argument is chosen or not, a player is somebody or nobody."""
    if isinstance(expr, Bound) and expr.name in voice.offered:
        thing = said.removeprefix("the ").removeprefix("chosen ")
        return f"you choose {words.article(thing) if there else f'no {thing}'}"
    if said.startswith("the ") and voice.owns(expr.type):
        return f"{'somebody' if there else 'nobody'} is {said}"
    return presence(said, there=there)


def flag_phrase(said: str, op: str, value: int) -> str:
    """Return a number that says "whether …", compared with 0 or 1, as the clause or its opposite; nothing if it is another number."""
    if not said.startswith("whether "):
        return ""
    clause = said.removeprefix("whether ")
    if (op, value) in (("==", 1), ("!=", 0), (">=", 1), (">", 0)):
        return clause
    return words.negated(clause) if (op, value) in (("==", 0), ("!=", 1), ("<", 1), ("<=", 0)) else ""


def relative_clauses(called: str, said: Sequence[str], *, person: bool, many: bool) -> str:
    """Return clauses about what is called so as relative ones: "who has a card and whose hand is full"; nothing if one is about another."""
    told: list[str] = []
    before = ""
    for each in said:
        verb, _, rest = each.removeprefix(f"{called} ").partition(" ")
        if each.startswith(f"{called}'s "):
            word, clause = "whose", each.removeprefix(f"{called}'s ")
        elif each.startswith(f"{called} ") and _VERB.fullmatch(verb):
            word = "who" if person else "that"
            clause = f"{words.conjugate(verb, 'you') if many else verb} {rest}".rstrip()
        else:
            return ""
        told.append(clause if word == before != "whose" else f"{word} {clause}")
        before = word
    return words.join(told)
