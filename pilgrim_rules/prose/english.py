"""Rules as numbered steps of English, and claims and definitions as sentences.

Reads:  a core game.   Writes: `Steps` (data, not text), sentences, and the list of every phrase written by hand.
After:  a reader can follow a rule without its formal text; equal lines of the text carry equal numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, assert_never

from pilgrim_rules.core import footprint, walk
from pilgrim_rules.core.ir import (
    Action,
    Apply,
    Bound,
    CheckGuard,
    Cost,
    Def,
    Expr,
    Game,
    Given,
    Lit,
    Pick,
    Require,
    Type,
    Written,
    WrittenGuardLine,
)
from pilgrim_rules.core.rulings import choices_of
from pilgrim_rules.prose import words
from pilgrim_rules.prose.apply_rulings import ReadRules, settling, written_lines
from pilgrim_rules.prose.expressions import say_expr
from pilgrim_rules.prose.moves import action_title
from pilgrim_rules.prose.phrases import condition_phrase, presence, thing_phrase
from pilgrim_rules.prose.secrets import say_secrets
from pilgrim_rules.prose.statements import (
    EnglishStep,
    citing,
    name_value,
    say_arguments,
    say_block,
    say_name,
    say_payment,
    title,
    with_heading,
    writes,
)
from pilgrim_rules.prose.voice import UNNAMED, Voice, noun, templates_of

__all__ = [
    "EnglishRule",
    "EnglishSection",
    "EnglishStep",
    "Hint",
    "as_played",
    "decided_guard",
    "guard_voices",
    "hints",
    "say_action",
    "say_deciders",
    "say_def",
    "say_requirements",
    "say_stages",
]

SectionKind: TypeAlias = Literal["when", "need", "pay", "then"]

#: Headings of the sections, for a decision of a player and for what happens by itself or by chance.
TITLES: dict[SectionKind, str] = {"when": "When", "need": "You need", "pay": "You pay", "then": "Then"}
TITLES_BY_ITSELF: dict[SectionKind, str] = {"when": "When", "need": "If", "pay": "Paid", "then": "Then"}

ONE_BY_ONE = "one player after the other"  #: decides where several are asked


@dataclass(frozen=True, slots=True)
class EnglishSection:
    """The steps under one heading."""

    kind: SectionKind
    title: str
    steps: tuple[EnglishStep, ...]


@dataclass(frozen=True, slots=True)
class EnglishRule:
    """A rule in English: its title, the rule in one sentence, and its sections; empty sections are left out."""

    title: str
    sentence: str
    sections: tuple[EnglishSection, ...]


@dataclass(frozen=True, slots=True)
class Hint:
    """A phrase that is written by hand: the name it is for, and its words."""

    name: str
    text: str


def hints(game: Game) -> tuple[Hint, ...]:
    """Return every phrase that is not generated."""
    return tuple(Hint(name, text) for name, text in templates_of(game).items())


def say_action(game: Game, action: Action, choices: Mapping[str, int] | None = None) -> EnglishRule:
    """Return the rule as steps, spoken to the player who decides.

    choices  the number of the option of each ruling that is decided; what it decides is carried out.
    """
    plain = Voice.from_game(game)
    deciders = _deciders(game, action)
    rules = ReadRules.from_game(game, choices)
    written = rules.action(written_lines(action))
    need, voice = _guard(written.guard, _deciding(game, action), rules)
    then, _ = say_block(written.body, voice.after(_paid(written.costs, rules)), rules)
    titles = TITLES if action.kind == "action" else TITLES_BY_ITSELF
    found: list[tuple[SectionKind, list[EnglishStep]]] = [
        ("when", _when(game, action, deciders, plain)),
        ("need", need),
        ("pay", [_cost(cost, voice, rules) for cost in written.costs]),
        ("then", [*then, *say_secrets(action, voice)]),
    ]
    sections = tuple(EnglishSection(kind, titles[kind], tuple(steps)) for kind, steps in found if steps)
    return EnglishRule(
        title=action_title(action),
        sentence=_one_sentence(game, action, deciders, plain),
        sections=_numbered(sections),
    )


def decided_guard(game: Game, action: Action, written: Written, rules: ReadRules) -> Voice:
    """Return the voice that holds after the requirements of a rule: what they have named is called so."""
    return _guard(written.guard, _deciding(game, action), rules)[1]


def guard_voices(game: Game, action: Action) -> dict[str, Voice]:
    """Return in which voice each requirement of a rule is said, by its key."""
    found: dict[str, Voice] = {}
    for line, voice, _ in _requirements(game, action):
        found.setdefault(line.key, voice)
    voice = _deciding(game, action)
    return {line.key: found.get(line.key, voice) for line in action.guard if isinstance(line, Require)}


def say_requirements(game: Game, action: Action) -> dict[str, str]:
    """Return what each requirement of a rule asks for, by its key; the names it uses are explained in it."""
    said: dict[str, str] = {}
    for line, voice, meaning in _requirements(game, action):
        used = [meaning[name] for name in meaning if name in walk.free_names(line.test)]
        said[line.key] = say_expr(line.test, voice) + "".join(f", where {each}" for each in used)
    for each in action.guard:
        if isinstance(each, Require):  # those of costs have their words
            said.setdefault(each.key, each.says or "the costs can be paid")
    return said


def _requirements(game: Game, action: Action) -> Iterator[tuple[Require, Voice, dict[str, str]]]:
    """Yield the requirements of a rule, each with its voice and with what the names around it mean."""
    rules = ReadRules.from_game(game)

    def walked(
        lines: tuple[WrittenGuardLine, ...], voice: Voice, meaning: dict[str, str]
    ) -> Iterator[tuple[Require, Voice, dict[str, str]]]:
        for line in lines:
            match line:
                case Require():
                    yield line, voice, meaning
                case Given(name=name, value=value):
                    meaning = {**meaning, **_meaning(name, value, voice)}
                    voice = name_value(name, value, voice)
                case CheckGuard(args=args):
                    params = rules.guards[line.guard].params
                    inner = {
                        name: said
                        for param, arg in zip(params, args, strict=True)
                        for name, said in _meaning(param.name, arg, voice).items()
                    }
                    yield from walked(rules.opened_guard(line), say_arguments(params, args, voice)[1], inner)
                case _:
                    assert_never(line)

    yield from walked(written_lines(action).guard, _deciding(game, action), {})


def _meaning(name: str, value: Expr, voice: Voice) -> dict[str, str]:
    """Return what a name means, unless its value is said in its place."""
    if voice.speaks_for(value):
        return {}
    verb = "means that" if value.type.kind == "bool" else "is"
    called = name_value(name, value, voice).names.get(name, words.words(name))
    return {name: f"{called} {verb} {say_expr(value, voice)}"}


def as_played(game: Game, expr: Expr, choices: Mapping[str, int] | None = None) -> Expr:
    """Return an expression in which our rulings, or those given, and what follows from them are put in."""
    return settling(game, choices_of(game) if choices is None else choices)(expr)


def say_def(game: Game, definition: Def, choices: Mapping[str, int] | None = None) -> str:
    """Return the definition as a sentence, under our rulings or under those given."""
    voice = Voice.from_game(game).defining(definition.params)
    said = [_introduced(voice.names[param.name], noun(param.type)) for param in definition.params]
    types = [param.type for param in definition.params]
    played = as_played(game, definition.body, choices)
    body = say_expr(played, voice)
    if definition.body.type.kind == "bool":
        phrase = condition_phrase(definition.name, said, types, voice)
        if isinstance(played, Lit):
            return words.sentence(f"{phrase}: {'always' if played.value else 'never'}")
        return words.sentence(f"{phrase} exactly if {body}")
    return words.sentence(f"{thing_phrase(definition.name, said, types, voice, of=definition.body.type)} is {body}")


def _introduced(called: str, kind: str) -> str:
    if called.endswith(f" {kind}") and called.startswith(("this ", "the ")):  # it is called by what it is
        return words.article(called.removeprefix("this ").removeprefix("the "))
    return called if called == kind or kind in UNNAMED else f"{kind} {called}"


def _deciders(game: Game, action: Action) -> list[Expr]:
    found = [stage.by for stage in game.stages if stage.code in action.stages and stage.by is not None]
    return list(dict.fromkeys(found))


def say_deciders(game: Game, action: Action) -> str:
    """Return who decides, in short: of players who are asked in turn only that."""
    voice = Voice.from_game(game)
    said = (ONE_BY_ONE if isinstance(by, Pick) else say_expr(by, voice) for by in _deciders(game, action))
    return words.join(list(dict.fromkeys(said)), "or")


def _deciding(game: Game, action: Action) -> Voice:
    """Return the voice that speaks to the player who decides, if it is always the same expression."""
    voice = Voice.from_game(game)
    deciders = _deciders(game, action)
    if len(deciders) == 1:
        defs = {definition.name: definition for definition in game.defs}
        voice = voice.to(deciders[0], footprint.reads(tuple(deciders), defs))
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


def _when(game: Game, action: Action, deciders: list[Expr], voice: Voice) -> list[EnglishStep]:
    place = f"the stage is {say_stages(game, action)}"
    match action.kind:
        case "action":
            who = words.join([say_expr(as_played(game, by), voice) for by in deciders], "or") or "nobody"
            text = f"{place}, and you are {who}"
        case "auto":
            text = f"{place}; nobody decides"
        case "chance":
            text = f"{place}; chance decides"
    steps = [EnglishStep(words.sentence(text))]
    if action.params:
        chosen = words.join([_choice(words.words(param.name), param.type) for param in action.params])
        chooser = "you choose" if action.kind == "action" else "chance gives" if action.kind == "chance" else "it takes"
        steps.append(EnglishStep(words.sentence(f"{chooser} {chosen}")))
    return steps


def _choice(called: str, type_: Type) -> str:
    kind = noun(type_)
    if type_.kind == "bool":
        return f"whether to say yes to “{called}”"
    if words.is_letter(called):
        spread = f" from {type_.lo} to {type_.hi}" if type_.kind == "int" else ""
        return f"{words.article(kind)}{spread}"
    if type_.kind == "int":
        name = "" if called == kind and kind in UNNAMED else f" “{called}”"
        return f"a number{name} from {type_.lo} to {type_.hi}"
    if called == kind or kind in UNNAMED:
        return words.article(called)
    return f"{words.article(kind)} “{called}”"


def _guard(lines: tuple[WrittenGuardLine, ...], voice: Voice, rules: ReadRules) -> tuple[list[EnglishStep], Voice]:
    """Return the requirements; those of a named guard stand under its name."""
    steps: list[EnglishStep] = []
    named: tuple[str, str] | None = None  # what the line before has named, and the value in words
    for line in lines:
        match line:
            case Require(test=test, key=key, says=says, clauses=clauses, span=span):
                text = say_expr(test, voice)
                if named is not None and _is_presence(test, named[0]):
                    steps.pop()  # "let x be …" and "there is such x" are one sentence
                    text = f"{presence(named[1], there=True)}; call it {voice.names[named[0]]}"
                steps.append(EnglishStep(words.sentence(text), clauses, key, span, says=says))
                named = None
            case Given(name=name, value=value):
                said = say_name(name, value, voice)
                named = (name, say_expr(value, voice)) if said and value.type.kind != "bool" else None
                steps += said
                voice = name_value(name, value, voice)
            case CheckGuard(guard=guard, args=args):
                params, note = rules.guards[guard].params, rules.guards[guard].note
                told, inner = say_arguments(params, args, voice)
                asked, _ = _guard(rules.opened_guard(line), inner, rules)
                told += [citing(step, (*note.clauses, *line.clauses)) for step in asked]
                steps += with_heading(title(guard), told) if asked else []
                named = None
            case _:
                assert_never(line)
    return steps, voice


def _cost(cost: Cost, voice: Voice, rules: ReadRules) -> EnglishStep:
    """Return what is to be paid, in one line."""
    text = words.join([say_payment(option, voice, rules) for option in cost.options], "or")
    when = "" if cost.when is None else f"if {say_expr(cost.when, voice)}, "
    return EnglishStep(words.sentence(f"{when}{text}"), cost.clauses, cost.options[0].key, cost.span)


def _paid(costs: tuple[Cost, ...], rules: ReadRules) -> frozenset[str]:
    return frozenset(name for cost in costs for option in cost.options for name in writes(option, rules))


def _is_presence(test: Expr, name: str) -> bool:
    """Tell whether a requirement asks for nothing but that a named value is there."""
    match test:
        case Apply(op="!=", args=(Bound(name=found), Lit(value=value, type=type_))):
            return found == name and type_.kind == "optional" and value == type_.hi
        case _:  # any other test asks for more
            return False


def _numbered(sections: tuple[EnglishSection, ...]) -> tuple[EnglishSection, ...]:
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
            who = words.join([say_expr(as_played(game, by), voice) for by in deciders], "or") or "nobody"
            return words.sentence(f"in the stage {stages}, {who} may {name}")
        case "auto":
            return words.sentence(f"in the stage {stages}, this happens by itself: {name}")
        case "chance":
            return words.sentence(f"in the stage {stages}, chance decides: {name}")
