"""Rules as numbered steps of English, and claims and definitions as sentences.

Reads:  a core game.   Writes: `Steps` (data, not text), sentences, and the list of every phrase written by hand.
After:  a reader can follow a rule without its formal text; equal lines of the text carry equal numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal, TypeAlias

from pilgrim_rules.core import walk
from pilgrim_rules.core.ir import (
    Action,
    Apply,
    Bound,
    Claim,
    Def,
    Expr,
    Game,
    Given,
    Lit,
    Ranking,
    Require,
    ScoreLine,
    Stmt,
    Type,
)
from pilgrim_rules.prose import lines, words
from pilgrim_rules.prose.expressions import presence, ranked, say_expr
from pilgrim_rules.prose.phrases import condition_phrase, thing_phrase
from pilgrim_rules.prose.statements import Step, name_value, say_block, say_name
from pilgrim_rules.prose.voice import UNNAMED, Voice, noun, templates_of

__all__ = [
    "Hint",
    "Section",
    "Step",
    "Steps",
    "guard_voices",
    "hints",
    "say_action",
    "say_claim",
    "say_def",
    "say_order",
    "say_ranking",
    "say_requirements",
    "say_score_line",
    "say_stages",
]

SectionKind: TypeAlias = Literal["when", "need", "pay", "then"]

#: Headings of the sections, for a decision of a player and for what happens by itself or by chance.
TITLES: dict[SectionKind, str] = {"when": "When", "need": "You need", "pay": "You pay", "then": "Then"}
TITLES_BY_ITSELF: dict[SectionKind, str] = {"when": "When", "need": "If", "pay": "Paid", "then": "Then"}

CLAIM_LEADS = {
    "law": "In the data of the game",
    "invariant": "In every state",
    "conserved": "In every state",
    "step": "Over every step",
    "reachable": "Some play leads to a state in which",
    "audit": "In every state that is looked at",
}


@dataclass(frozen=True, slots=True)
class Section:
    """The steps under one heading."""

    kind: SectionKind
    title: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Steps:
    """A rule in English: its title, the rule in one sentence, and its sections; empty sections are left out."""

    title: str
    sentence: str
    sections: tuple[Section, ...]
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class Hint:
    """A place where the English is written by hand: the rule or name it is for, and its words."""

    kind: Literal["sentence", "phrase"]
    name: str
    text: str


def hints(game: Game) -> tuple[Hint, ...]:
    """Return every phrase and sentence that is not generated."""
    sentences = [Hint("sentence", action.name, action.prose) for action in game.actions if action.prose is not None]
    return (*sentences, *(Hint("phrase", name, text) for name, text in templates_of(game).items()))


def say_action(game: Game, action: Action) -> Steps:
    """Return the rule as steps, spoken to the player who decides."""
    plain = Voice.of(game)
    deciders = _deciders(game, action)
    voice = _deciding(game, action)
    when = _when(game, action, deciders, plain)
    need, voice = _guard(action, voice)
    paid, rest = _split(action)
    pay, voice = say_block(paid, voice)
    then, _ = say_block(rest, voice)
    titles = TITLES if action.kind == "action" else TITLES_BY_ITSELF
    found: list[tuple[SectionKind, list[Step]]] = [
        ("when", when),
        ("need", _shared(need, action.name)),
        ("pay", pay),
        ("then", _shared(then, action.name)),
    ]
    sections = tuple(Section(kind, titles[kind], tuple(steps)) for kind, steps in found if steps)
    return Steps(
        title=_title(action.name),
        sentence=words.sentence(action.prose) if action.prose else _one_sentence(game, action, deciders, plain),
        sections=_numbered(sections),
        by_hand=action.prose is not None,
    )


def guard_voices(game: Game, action: Action) -> dict[str, Voice]:
    """Return in which voice each requirement of a rule is said, by its key."""
    voice = _deciding(game, action)
    found: dict[str, Voice] = {}
    for line in action.guard:
        match line:
            case Require(key=key):
                found.setdefault(key, voice)
            case Given(name=name, value=value):
                voice = name_value(name, value, voice)
    return found


def say_requirements(game: Game, action: Action) -> dict[str, str]:
    """Return what each requirement of a rule asks for, by its key; the names it uses are explained in it."""
    voice = _deciding(game, action)
    said: dict[str, str] = {}
    meaning: dict[str, str] = {}
    for line in action.guard:
        match line:
            case Require(test=test, key=key):
                used = [meaning[name] for name in meaning if name in walk.free_names(test)]
                said[key] = say_expr(test, voice) + "".join(f", where {each}" for each in used)
            case Given(name=name, value=value):
                if not voice.speaks_for(name, value):
                    verb = "means that" if value.type.kind == "bool" else "is"
                    meaning[name] = f"{words.words(name)} {verb} {say_expr(value, voice)}"
                voice = name_value(name, value, voice)
    return said


def say_claim(game: Game, claim: Claim) -> str:
    """Return the claim as a sentence."""
    lead = CLAIM_LEADS[claim.kind]
    comma = "" if claim.kind == "reachable" else ","
    return words.sentence(f"{lead}{comma} {say_expr(claim.formula, Voice.of(game))}")


def say_def(game: Game, definition: Def) -> str:
    """Return the definition as a sentence."""
    voice = Voice.of(game).defining(definition.params)
    said = [_introduced(words.words(param.name), noun(param.type)) for param in definition.params]
    types = [param.type for param in definition.params]
    body = say_expr(definition.body, voice)
    if definition.body.type.kind == "bool":
        phrase = condition_phrase(definition.name, said, types, voice)
        if isinstance(definition.body, Lit):
            return words.sentence(f"{phrase}: {'always' if definition.body.value else 'never'}")
        return words.sentence(f"{phrase} exactly if {body}")
    return words.sentence(f"{thing_phrase(definition.name, said, types, voice, of=definition.body.type)} is {body}")


def _introduced(called: str, kind: str) -> str:
    return called if called == kind or kind in UNNAMED else f"{kind} {called}"


def say_ranking(game: Game, ranking: Ranking) -> str:
    """Return the claim of termination as a sentence."""
    voice = Voice.of(game)
    parts = words.join([say_expr(part, voice) for part in ranking.parts], "and then")
    if len(ranking.parts) == 1:
        return words.sentence(f"every step lowers {parts}, which cannot fall for ever")
    return words.sentence(f"every step lowers the first of these that it changes: {parts}")


def say_score_line(game: Game, line: ScoreLine) -> str:
    """Return how one line of the score is counted, spoken to the player who counts."""
    return words.sentence(say_expr(line.value, _counting(game)))


def say_order(game: Game) -> str:
    """Return how players are ranked, as a sentence; empty if they are not."""
    if game.score is None or not game.score.keys:
        return ""
    ties = "" if game.score.total else "; players who agree on all of this share the victory"
    first, *rest = game.score.keys
    whole = "the " + ("highest" if first.descending else "lowest") + " score"
    said = [whole if _is_total(first.value, game.score.lines) else ranked((first,), _counting(game))]
    said += [ranked((key,), _counting(game)) for key in rest]
    return words.sentence(f"you win with {', then '.join(said)}{ties}")


def _is_total(value: Expr, lines_: tuple[ScoreLine, ...]) -> bool:
    """Tell whether a key is the sum of all lines of the score."""
    parts: list[Expr] = []
    while isinstance(value, Apply) and value.op == "+" and len(parts) < len(lines_) - 1:
        value, last = value.args
        parts.insert(0, last)
    return [value, *parts] == [line.value for line in lines_]


def _counting(game: Game) -> Voice:
    """Return the voice that speaks to the player whose points are counted."""
    voice = Voice.of(game)
    return voice if game.score is None else voice.to(Bound(game.score.player, game.player), frozenset())


def _deciders(game: Game, action: Action) -> list[Expr]:
    found = [stage.by for stage in game.stages if stage.code in action.stages and stage.by is not None]
    return list(dict.fromkeys(found))


def _deciding(game: Game, action: Action) -> Voice:
    """Return the voice that speaks to the player who decides, if it is always the same expression."""
    voice = Voice.of(game)
    deciders = _deciders(game, action)
    if len(deciders) == 1:
        defs = {definition.name: definition for definition in game.defs}
        voice = voice.to(deciders[0], walk.reads(tuple(deciders), defs))
    return voice.taking(action.params)


def say_stages(game: Game, action: Action) -> str:
    """Return the stages of a rule; those that carry a value stand together if all their values will do."""
    said: dict[str, None] = {}
    for stage in game.stages:
        if stage.code in action.stages:
            base = stage.name.partition("(")[0]
            family = [other.code for other in game.stages if other.name.partition("(")[0] == base]
            said[words.label(base if set(family) <= set(action.stages) else stage.name)] = None
    return words.join(list(said), "or")


def _when(game: Game, action: Action, deciders: list[Expr], voice: Voice) -> list[Step]:
    place = f"the stage is {say_stages(game, action)}"
    match action.kind:
        case "action":
            who = words.join([say_expr(by, voice) for by in deciders], "or") or "nobody"
            text = f"{place}, and you are {who}"
        case "auto":
            text = f"{place}; nobody decides"
        case "chance":
            text = f"{place}; chance decides"
    steps = [Step(words.sentence(text))]
    if action.params:
        chosen = words.join([_choice(words.words(param.name), param.type) for param in action.params])
        chooser = "you choose" if action.kind == "action" else "chance gives" if action.kind == "chance" else "it takes"
        steps.append(Step(words.sentence(f"{chooser} {chosen}")))
    return steps


def _choice(called: str, type_: Type) -> str:
    kind = noun(type_)
    if type_.kind == "bool":
        return f"whether “{called}” holds"
    if type_.kind == "int":
        name = "" if called == kind and kind in UNNAMED else f" “{called}”"
        return f"a number{name} from {type_.lo} to {type_.hi}"
    if called == kind or kind in UNNAMED:
        return words.article(called)
    return f"{words.article(kind)} “{called}”"


def _guard(action: Action, voice: Voice) -> tuple[list[Step], Voice]:
    """Return the requirements; those that ask for costs are said where they are paid."""
    steps: list[Step] = []
    named: tuple[str, str] | None = None  # what the line before has named, and the value in words
    for line in action.guard:
        match line:
            case Require(test=test, key=key, says=says, clauses=clauses, span=span):
                if not lines.is_cost(key):
                    text = say_expr(test, voice)
                    if named is not None and _is_presence(test, named[0]):
                        steps.pop()  # "let x be …" and "there is such x" are one sentence
                        text = f"{presence(named[1], there=True)}; call it {words.words(named[0])}"
                    steps.append(Step(words.sentence(text), clauses, key, span, says=says))
                named = None
            case Given(name=name, value=value):
                said = say_name(name, value, voice)
                named = (name, say_expr(value, voice)) if said and value.type.kind != "bool" else None
                steps += said
                voice = name_value(name, value, voice)
    return steps, voice


def _is_presence(test: Expr, name: str) -> bool:
    """Tell whether a requirement asks for nothing but that a named value is there."""
    match test:
        case Apply(op="!=", args=(Bound(name=found), Lit(value=value, type=type_))):
            return found == name and type_.kind == "optional" and value == type_.hi
        case _:
            return False


def _shared(steps: list[Step], rule: str) -> list[Step]:
    """Put the lines of shared guards and effects under the name of what they come from."""
    owners: list[str] = []
    owner = rule
    for step in reversed(steps):  # a line without key belongs to what follows it
        owner = owner if step.key is None else lines.owner_of(step.key)
        owners.insert(0, owner)
    grouped: list[Step] = []
    for owner, run in groupby(zip(owners, steps, strict=True), key=lambda pair: pair[0]):
        inside = [step for _, step in run]
        if owner == rule or inside[0].depth > 0 or not owner.isidentifier():
            grouped += inside
        else:
            grouped += [Step(f"{_title(owner)}:"), *(replace(step, depth=step.depth + 1) for step in inside)]
    return grouped


def _split(action: Action) -> tuple[tuple[Stmt, ...], tuple[Stmt, ...]]:
    """Split a body into the payments of costs, which come first, and its effects."""
    if any(isinstance(line, Require) and lines.is_cost(line.key) for line in action.guard):
        for at, stmt in enumerate(action.body):
            if not lines.is_payment(stmt):
                return action.body[:at], action.body[at:]
        return action.body, ()
    return (), action.body


def _numbered(sections: tuple[Section, ...]) -> tuple[Section, ...]:
    numbers: dict[str, int] = {}
    for section in sections:
        for step in section.steps:
            if step.key is not None:
                numbers.setdefault(step.key, len(numbers) + 1)
    return tuple(
        replace(
            section, steps=tuple(replace(s, number=None if s.key is None else numbers[s.key]) for s in section.steps)
        )
        for section in sections
    )


def _one_sentence(game: Game, action: Action, deciders: list[Expr], voice: Voice) -> str:
    if action.note.doc:
        return words.sentence(" ".join(action.note.doc.split()))
    stages = say_stages(game, action)
    name = words.words(action.name)
    match action.kind:
        case "action":
            who = words.join([say_expr(by, voice) for by in deciders], "or") or "nobody"
            return words.sentence(f"in the stage {stages}, {who} may {name}")
        case "auto":
            return words.sentence(f"in the stage {stages}, this happens by itself: {name}")
        case "chance":
            return words.sentence(f"in the stage {stages}, chance decides: {name}")


def _title(name: str) -> str:
    text = words.words(name)
    return text[0].upper() + text[1:]
