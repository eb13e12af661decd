"""The words of the English: one phrase for each operator, fold and question, and a little grammar.

Reads:  identifiers and ready phrases.   Writes: text.
After:  no other module of this package contains English grammar; a new operator is one new row here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from pilgrim_rules.core.ir import FoldOp, FormName, GraphQuestion, Operator, ShortName
from pilgrim_rules.core.operators import fold_table, operator_table, question_table

#: What an operator says about its arguments; `and`, `or` join any number of them, so their row is only the joint.
SAY: Final[Mapping[Operator, str]] = operator_table("prose", {
    "+": "{0} plus {1}",
    "-": "{0} minus {1}",
    "*": "{0} times {1}",
    "div": "{0} divided by {1}, rounded down",
    "mod": "the remainder of {0} divided by {1}",
    "min": "the smaller of {0} and {1}",
    "max": "the larger of {0} and {1}",
    "==": "{0} is {1}",
    "!=": "{0} is not {1}",
    "<": "{0} is less than {1}",
    "<=": "{0} is at most {1}",
    ">": "{0} is more than {1}",
    ">=": "{0} is at least {1}",
    "and": "and",
    "or": "or",
    "not": "it is not the case that {0}",
    "implies": "if {0}, then {1}",
})  # fmt: skip

#: The same comparison between two conditions.
SAY_BOOL: Final[Mapping[str, str]] = {"==": "{0} exactly if {1}", "!=": "either {0} or {1}, but not both"}

#: What a fold says: {domain} names what it ranges over, {body} what is looked at.
#: `count` has no body; that of `some` is part of {a_domain}: "a player p for whom …".
FOLD: Final[Mapping[FoldOp, str]] = fold_table("prose folds", {
    "all": "for every {domain}, {body}",
    "some": "there is {a_domain}",
    "count": "the number of {domains}",
    "sum": "the sum of {body} for all {domains}",
    "max": "the greatest value of {body} for all {domains}",
    "min": "the smallest value of {body} for all {domains}",
})  # fmt: skip

#: What a form of the language says about its parts; {label} is the name that it uses. Others need more than a row.
FORM: Final[Mapping[FormName, str]] = {
    "ord": "the position of {0}",
    "seats_after": "the number of seats from {0} to {1} (a full round if they are the same)",
    "seats_after_or_at": "the number of seats from {0} to {1}",
    "players": "the number of players",
    "negative": "minus {0}",
    "raised": "{0} raised by {1}, to at most {2}",
    "lowered": "{0} lowered by {1}, to at least {2}",
    "pair": "({0}, {1})",
    "first": "the first part of {0}",
    "second": "the second part of {0}",
    "stage": "{label} ({0})",
    "carried": "what the stage carries",
    "old": "{0} before",
    "primed": "{0} afterwards",
    "unchanged": "{0} does not change",
}

#: What a line that stands for others says.
SHORTHAND: Final[Mapping[ShortName, str]] = {
    "move": "{0} moves from {1} to {2}",
    "move_at": "{0} moves from {1} to position {3} of {2}",
    "move_all": "everything in {0} moves to {1}",
    "draw": "chance draws {0} from {1} to {2}",
    "roll": "{0} dice are thrown, and each adds one to {1} for its face",
    "text": "the text of {0} happens",
}

#: Questions to a network: {0} and {1} are nodes, {network} is its name.
ASK: Final[Mapping[GraphQuestion, str]] = question_table("prose questions", {
    "nodes": "the number of nodes of {network}",
    "links": "the number of links of {network}",
    "components": "the number of separate parts of {network}",
    "has": "{0} is part of {network}",
    "longest": "the length of the longest way in {network}",
    "linked": "{0} and {1} are linked in {network}",
    "degree": "the number of links at {0} in {network}",
    "connected": "{0} and {1} are connected in {network}",
    "distance": "the shortest way from {0} to {1} in {network}",
    "reach": "the number of nodes connected with {0} in {network}",
    "is_path": "the part of {network} that contains {0} is a simple path",
    "is_forest": "{network} has no cycles",
})  # fmt: skip

#: What the tables made from graphs say, by the part of their name after the dot.
GRAPH: Final[Mapping[str, str]] = {
    "leads": "{0} leads to {1}",
    "beside": "the neighbour of {0} on {1}",
    "opposite": "the side opposite {0}",
    "distance": "the distance from {0} to {1}",
}

#: Names that describe rather than name, so that the type's own word follows: `active` is "the active player".
ADJECTIVES: Final = frozenset({"active", "current", "first", "last", "next", "other", "previous", "leading", "present"})

#: Names of one argument that say how two values stand to each other.
RELATIVES: Final[Mapping[str, str]] = {
    "other": "the {noun} other than {0}",
    "next": "the {noun} after {0}",
    "previous": "the {noun} before {0}",
    "before": "the {noun} before {0}",
    "after": "the {noun} after {0}",
}

#: Names of numbers that describe what is counted: `free` is "the number free".
COUNTS: Final = frozenset({"dealt", "done", "drawn", "due", "free", "laid", "left", "remaining", "spent", "taken"})

#: What a player has done, not what a player is: `won(p)` is "p has won".
DONE: Final = frozenset(
    {
        "acted",
        "built",
        "completed",
        "drawn",
        "finished",
        "folded",
        "lost",
        "moved",
        "paid",
        "passed",
        "played",
        "placed",
    }
    | {"resigned", "scored", "taken", "visited", "voted", "won"}
)

#: Names of players that are no nouns for a person.
NOUNS: Final[Mapping[str, str]] = {"turn": "player to move", "to move": "player to move", "mover": "player to move"}

#: Beginnings of Boolean names that are verbs already: `has_passed` is "… has passed".
VERBS: Final = frozenset({"is", "has", "can", "may", "must", "was"})

#: Forms of the verbs that agree with "you".
YOU: Final[Mapping[str, str]] = {"is": "are", "has": "have", "was": "were"}

#: The first verb of a clause, and the same clause denied.
DENIED: Final = re.compile(r"\b(is|are|has|have|can|may|must|was|were)\b(?! no\b)(?! not\b)")

#: A text that begins with a name of one letter, such as the `p` of "p's store".
LETTER: Final = re.compile(r"(?!a )[a-z]\d?\b")

LETTER_ALONE: Final = re.compile(r"[a-zA-Z]\d?[₀-₉]*")

#: Parts of a point.
FRACTIONS: Final[Mapping[int, str]] = {2: "half of ", 3: "a third of ", 4: "a quarter of "}

PREPOSITIONS: Final = frozenset({"at", "by", "from", "in", "of", "on", "to", "via"})
#: Other words that are no nouns: who reads "the what" or "the new" does not know what is meant.
NO_NOUNS: Final = frozenset(
    {"what", "which", "who", "where", "no", "new", "old", "next", "into", "shown", "such", "so"}
)
#: What values without names of their own are called, one after the other.
ONE_AFTER_THE_OTHER: Final = ("this {}", "the other {}", "the third {}", "the fourth {}", "the fifth {}")
CHOSEN: Final = ("the chosen {}", "the other chosen {}", "the third chosen {}")

IRREGULAR: Final[Mapping[str, str]] = {"die": "dice", "person": "people", "city": "cities", "ox": "oxen"}


#: Short forms that stand in names, said in full.
SHORT: Final[Mapping[str, str]] = {"vp": "points"}

LOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")  #: numbers of names that lowering had to tell apart


def words(identifier: str) -> str:
    """Return an identifier as a reader says it: `give_alms` and `GiveAlms` are "give alms"; `p~2` is "p₂"."""
    plain = re.sub(r"~(\d+)$", lambda found: found.group(1).translate(LOW), identifier.rsplit(".", 1)[-1])
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", plain).replace("_", " ").strip()
    spelled = " ".join(SHORT.get(word, word) for word in spaced.split(" "))
    return re.sub(r"\b[A-Z](?=[a-z])", lambda found: found.group().lower(), spelled)


def label(text: str) -> str:
    """Return the label of a value: `working(build_roads)` is "working (build roads)", `brothers[red]` "brothers of red"."""
    text = re.sub(r"^(\w+)\[(.+)\]$", r"\1 of \2", text)
    return text.replace("_", " ").replace("(", " (", 1) if not text.startswith("(") else text.replace("_", " ")


def is_letter(name: str) -> bool:
    """Tell whether a name is no word: `p`, `h2`."""
    return LETTER_ALONE.fullmatch(name) is not None


def is_nameless(name: str) -> bool:
    """Tell whether what is bound or let has a name that is no noun: a letter, or a word such as `at`."""
    return is_letter(name) or name in PREPOSITIONS or name in NO_NOUNS


def plural(noun: str) -> str:
    """Return the plural of a noun phrase, by its last word."""
    head, _, last = noun.rpartition(" ")
    if last in IRREGULAR:
        last = IRREGULAR[last]
    elif re.search(r"[a-z]{3}man$", last):  # "craftsman"
        last = f"{last[:-3]}men"
    elif re.search(r"[^aeiou]y$", last):
        last = f"{last[:-1]}ies"
    elif re.search(r"(s|x|z|ch|sh)$", last):
        last = f"{last}es"
    else:
        last = f"{last}s"
    return f"{head} {last}" if head else last


def article(noun: str) -> str:
    """Return the noun phrase with `a` or `an` before it."""
    if noun.startswith("other "):
        return f"an{noun}"
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def possessive(owner: str) -> str:
    """Return "red's", "your", "the players'"."""
    if owner == "you":
        return "your"
    return f"{owner}'" if is_plural(owner) else f"{owner}'s"


def is_plural(noun: str) -> bool:
    """Tell whether a noun looks like a plural."""
    return re.search(r"[^sui]s$|ies$|people$|dice$", noun) is not None


def conjugate(verb: str, subject: str) -> str:
    """Return the form of a verb that agrees with its subject."""
    if subject != "you":
        return verb
    return YOU.get(verb) or (verb if verb in VERBS else infinitive(verb))


def infinitive(verb: str) -> str:
    """Return a verb without the ending of the third person: "holds" gives "hold", "carries" gives "carry"."""
    if verb.endswith("ies"):
        return verb[:-1] if len(verb) == len("lies") else f"{verb[:-3]}y"
    if re.search(r"(ch|sh|ss|x|o)es$", verb):
        return verb[:-2]
    return verb[:-1] if re.search(r"[^s]s$", verb) else verb


def number_of_verb(verb: str, cell: str) -> str:
    """Return a verb in the number of the thing that it speaks of: "points rise", "the supply of wool rises"."""
    cell = re.sub(r" (?:afterwards|before)$", "", cell)
    head = re.split(r",| (?:of|at|on|in|that|for|across|between|beside|which|from|to|who|whose) ", cell, maxsplit=1)[0]
    return infinitive(verb) if is_plural(head) and not head.lower().startswith("what ") else verb


_RELATIVE = re.compile(r"(.*?)(\b(?:that|which|where|who|whose|by which)\b|$)(.*)", re.DOTALL)


def negated(clause: str) -> str:
    """Return the clause denied: "red is owed" gives "red is not owed"; without a plain verb, "it is not the case …"."""
    if clause.endswith("holds") or " holds for " in clause:
        return re.sub(r"\bholds\b", "does not hold", clause, count=1)
    if re.search(r"\b(is|are) still\b", clause):
        return re.sub(r"\b(is|are) still\b", r"\1 no longer", clause, count=1)
    if re.match(r"no ", clause):
        return re.sub(r"^no ", "some ", clause)
    # What follows "that", "which" or "where" is a clause of its own, with a verb of its own.
    main, relative, rest = _RELATIVE.match(clause).groups()  # type: ignore[union-attr]  # it matches everything
    if re.search(r"\b(is|are|was|were|has|have) never\b", main):
        return re.sub(r"\b(is|are|was|were|has|have) never\b", r"\1", main, count=1) + relative + rest
    if len(DENIED.findall(main)) == 1:
        return DENIED.sub(lambda found: f"{found.group()} not", main) + relative + rest
    if len(re.findall(r"\bno\b", main)) == 1:
        return re.sub(r"\bno\b", "some", main) + relative + rest
    if len(verbs := re.findall(r"\b(?:lies|stands|waits)\b", main)) == 1:
        return re.sub(rf"\b{verbs[0]}\b", f"does not {infinitive(verbs[0])}", main) + relative + rest
    if verb := re.match(r"((?:this|the) \w+) (?!is\b|was\b|has\b)([a-z]+[a-rt-z]s)\b(?! of\b|')", main):
        return f"{verb[1]} does not {infinitive(verb[2])}{clause[verb.end() :]}"
    if found := re.match(r"an? (\w+ \w+s\b.*)", main):  # "an event forbids it"
        return f"no {found[1]}{relative}{rest}"
    return SAY["not"].format(clause)


def counts(called: str) -> bool:
    """Tell whether a name says how many there are of something: `shrines`, `lots_left`."""
    head, _, last = called.rpartition(" ")
    return is_plural(called) or (is_count(last) and is_plural(head))


def is_count(name: str) -> bool:
    """Tell whether a name describes what is counted: `free`, `placed`."""
    return name in COUNTS or name.endswith("ed")


def join(parts: Sequence[str], joint: str = "and") -> str:
    """Return "a", "a and b", "a, b and c"; a joint that begins with a comma follows without a space."""
    if len(parts) <= 1:
        return "".join(parts)
    return f"{', '.join(parts[:-1])}{'' if joint.startswith(',') else ' '}{joint} {parts[-1]}"


def sentence(text: str) -> str:
    """Return the text as a sentence: a capital first (but letters such as `p` stay), a full stop or colon last."""
    text = text.strip()
    if not text:
        return text
    first = text[0] if LETTER.match(text) else text[0].upper()
    return first + text[1:] + ("" if text[-1] in ".:!?" else ".")


def inner(text: str) -> str:
    """Return a sentence as it stands inside another one."""
    return text[:1].lower() + text[1:]
