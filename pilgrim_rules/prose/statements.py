"""Effects as English: each line of a rule's effect is one step, nested under its condition, loop or named effect.

Reads:  written lines and the voice they are said in.   Writes: `Step`s in text order, and the voice after them.
After:  every line has its words; each keeps its key, clauses and place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias, assert_never

from pilgrim_rules.core.forms import form_of
from pilgrim_rules.core.ir import (
    AnswerPoll,
    Apply,
    AskPoll,
    Assign,
    Bound,
    CallStage,
    Cond,
    Define,
    Expr,
    ForLine,
    IfLine,
    Lit,
    Parameter,
    Payment,
    Pick,
    Purse,
    Read,
    ResetBlock,
    ReturnStage,
    RunEffect,
    Shorthand,
    Transfer,
    WrittenStmt,
)
from pilgrim_rules.core.sub_turns import answered_table
from pilgrim_rules.core.zones import is_place
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.prose import words
from pilgrim_rules.prose.apply_rulings import ReadRules
from pilgrim_rules.prose.expressions import deny, domain, say_expr
from pilgrim_rules.prose.phrases import flag_phrase, the_zone
from pilgrim_rules.prose.voice import Voice

_SubTurn: TypeAlias = CallStage | ReturnStage | AskPoll | AnswerPoll
_Keyed: TypeAlias = Assign | Transfer | Payment | Shorthand | _SubTurn


@dataclass(frozen=True, slots=True)
class EnglishStep:
    """One line of English.

    number   the same for all lines that come from one line of the text (`key`); None for headings such as "If …:".
    says     what a player is told who does not meet this requirement.
    depth    how deep it stands under a condition or a loop.
    """

    text: str
    clauses: tuple[str, ...] = ()
    key: str | None = None
    span: Span | None = None
    depth: int = 0
    says: str | None = None
    number: int | None = None


def say_block(
    lines: tuple[WrittenStmt, ...], voice: Voice, rules: ReadRules, depth: int = 0
) -> tuple[list[EnglishStep], Voice]:
    """Return the steps of a block, and the voice that holds after it."""
    steps: list[EnglishStep] = []
    for line in lines:
        steps += [replace(step, depth=step.depth + depth) for step in _line(line, voice, rules)]
        if isinstance(line, Define):
            voice = name_value(line.name, line.value, voice)
        else:
            voice = voice.after(writes(line, rules))
    return steps, voice


def _line(line: WrittenStmt, voice: Voice, rules: ReadRules) -> list[EnglishStep]:
    match line:
        case Assign(variable=variable) if variable in voice.ghosts:
            return []  # ghosts cannot change play; the formal text shows them
        case Assign():
            return [_step(_assignment(line, voice), line)]
        case Define(name=name, value=value):
            return say_name(name, value, voice)
        case Transfer():
            return [_step(_transfer(line, voice), line)]
        case Payment():
            return [_step(f"you pay {say_payment(line, voice, rules)}", line)]
        case ResetBlock(name=name, variables=variables):
            called = words.words(name)
            what = f"the {called}" if variables == (name,) else f"everything “{called}”"
            return [EnglishStep(words.sentence(f"{what} is as at the start"), line.clauses, line.keys[0], line.span)]
        case RunEffect():
            return _run(line, voice, rules)
        case CallStage() | ReturnStage() | AskPoll() | AnswerPoll():
            return [_step(_sub_turn(line, voice), line)]
        case Shorthand(name=name, parts=parts):
            said = [
                the_zone(part, say_expr(part, voice)) if is_place(part) else say_expr(part, voice) for part in parts
            ]
            return [_step(words.SHORTHAND[name].format(*said), line)]
        case IfLine():
            return _branch(line, voice, rules)
        case ForLine(binder=binder, where=where, body=body, simultaneous=simultaneous):
            together = ", all at the same moment" if simultaneous else ", one after the other"
            head = f"for every {domain((binder,), where, voice).removesuffix(',')}{together}:"
            inner, _ = say_block(body, voice.binding(binder), rules, 1)
            return [EnglishStep(words.sentence(head)), *inner] if inner else []
        case _:
            assert_never(line)


def _run(line: RunEffect, voice: Voice, rules: ReadRules) -> list[EnglishStep]:
    """Say the lines of a named effect under its name; a single one needs no heading."""
    effect = rules.effects[line.effect]
    named, inner = say_arguments(effect.params, line.args, voice)
    steps, _ = say_block(rules.opened_effect(line), inner, rules)
    told = [*named, *(citing(step, line.clauses) for step in steps)]
    return told if len(told) < 2 else with_heading(title(line.effect), told)  # noqa: PLR2004  (a heading has several)


def say_arguments(
    params: tuple[Parameter, ...], args: tuple[Expr, ...], voice: Voice
) -> tuple[list[EnglishStep], Voice]:
    """Return what the parameters of a guard or effect stand for, and the voice in which they are called so."""
    steps: list[EnglishStep] = []
    inner = voice
    for param, arg in zip(params, args, strict=True):
        steps += say_name(param.name, arg, voice)
        inner = name_value(param.name, arg, inner)
    return steps, inner


def citing(step: EnglishStep, clauses: tuple[str, ...]) -> EnglishStep:
    """Return a step that cites what asked for it, too."""
    return step if step.key is None else replace(step, clauses=tuple(dict.fromkeys((*step.clauses, *clauses))))


def with_heading(head: str, steps: list[EnglishStep]) -> list[EnglishStep]:
    """Put steps under a heading."""
    return [EnglishStep(f"{head}:"), *(replace(step, depth=step.depth + 1) for step in steps)]


def title(name: str) -> str:
    """Return the name of a rule as a heading."""
    text = words.words(name)
    return text[0].upper() + text[1:]


def say_payment(payment: Payment, voice: Voice, rules: ReadRules) -> str:
    """Return how much of what is paid and to whom; if it may come from several places, in which order."""
    amount = say_amount(payment, voice)
    if payment.which is not None:
        return amount
    purse = rules.purses[payment.purse]
    cells = [_owned(purse, place.cell, payment.payer, voice) for place in purse.places]
    order = f" (first from {', then from '.join(cells)})" if len(cells) > 1 else ""
    return f"{amount}{order}"


def say_amount(payment: Payment, voice: Voice) -> str:
    """Return how much of what is paid, and to whom: "1 stone", "the toll in coin to red"."""
    kind = words.words(payment.purse) if payment.which is None else say_expr(payment.which, voice)
    amount = say_expr(payment.amount, voice)
    to = "" if payment.to is None else f" to {say_expr(payment.to, voice)}"
    if amount.startswith(f"the number of {words.plural(kind)} "):  # the amount says already of what it is
        return f"{amount}{to}"
    joint = " " if isinstance(payment.amount, Lit) else " in " if payment.which is None else " of "
    return f"{amount}{joint}{kind}{to}"


def _owned(purse: Purse, cell: Read, owner: Expr, voice: Voice) -> str:
    """Return a place of a purse, of its owner."""
    return say_expr(cell, name_value(purse.player, owner, voice)).removeprefix("the number of ")


def _transfer(line: Transfer, voice: Voice) -> str:
    amount, source, target = (say_expr(each, voice) for each in (line.amount, line.source, line.target))
    whole = amount == source
    source, target = (cell.removeprefix("the number of ") for cell in (source, target))
    if line.up_to:
        return f"up to {amount} moves from {source} to {target}"
    move = "move" if words.is_plural(amount) else "moves"
    return f"{f'all of {source} moves' if whole else f'{amount} {move} from {source}'} to {target}"


def _sub_turn(line: _SubTurn, voice: Voice) -> str:
    match line:
        case CallStage(stage=stage, then=None):
            return f"the stage becomes {say_expr(stage, voice)}; afterwards, play goes on where it was"
        case CallStage(stage=stage, then=then) if then is not None:
            return f"the stage becomes {say_expr(stage, voice)}; afterwards, it becomes {say_expr(then, voice)}"
        case ReturnStage(to=to) if to is not None:
            return f"the stage becomes {say_expr(to, voice)}, and nothing is gone back to"
        case AskPoll(poll=poll, next_asked=asked, then=then):
            goes_on = "play goes on where it was" if then is None else f"the stage becomes {say_expr(then, voice)}"
            return f"for “{words.words(poll)}”, {_who_answers(poll, asked, voice)}; afterwards, {goes_on}"
        case AnswerPoll(poll=poll):
            return f"whoever was asked for “{words.words(poll)}” has answered; the next is asked, or play goes on"
        case _:  # a return without a goal
            return "play goes on where it was"


def _who_answers(poll: str, next_asked: Expr, voice: Voice) -> str:
    """Return who is asked in a poll, one after the other: whoever qualifies; nobody answers twice."""
    match next_asked:
        case Pick(
            binder=binder, where=Apply(op="and", args=(Apply(op="not", args=(Read(variable=marks),)), qualifies))
        ):
            assert marks == answered_table(poll), (
                "the first thing asked of somebody is whether there is an answer already"
            )
            return f"each {domain((binder,), qualifies, voice)} answers"
        case Pick(binder=binder):
            return f"each {domain((binder,), None, voice)} answers"
        case _:  # a poll folded to one player, or to nobody
            return f"{say_expr(next_asked, voice)} answers"


def say_name(name: str, value: Expr, voice: Voice) -> list[EnglishStep]:
    """Return "Let x be …", or nothing where the value is short enough to be said at each use."""
    if voice.speaks_for(value):
        return []
    if value.type.kind == "bool":
        return [EnglishStep(words.sentence(f"let “{words.words(name)}” mean that {say_expr(value, voice)}"))]
    called = voice.letting(name, value).names[name]
    said = say_expr(value, voice)
    if words.is_nameless(words.words(name)):
        return [EnglishStep(words.sentence(f"take {said}, “{called}” from here on"))]
    return [EnglishStep(words.sentence(f"let {called} be {said}"))]


def name_value(name: str, value: Expr, voice: Voice) -> Voice:
    """Return the voice after a value was named: short values are called what they are."""
    if value in voice.you or not voice.speaks_for(value):
        return voice.letting(name, value)
    if value in voice.values:
        return voice.calling(**{name: voice.values[value]})
    if isinstance(value, Bound):
        return voice.calling(**{name: voice.names.get(value.name, words.words(value.name))})
    if isinstance(value, Cond):  # a cost that is asked only sometimes; it is used only where it is asked
        value = value.then
    return voice.calling(**{name: say_expr(value, voice, "product")})


def _branch(line: IfLine, voice: Voice, rules: ReadRules, lead: str = "if") -> list[EnglishStep]:
    """Say a choice; one that follows where another does not hold stands beside it: "otherwise, if …"."""
    then, _ = say_block(line.then, voice, rules, 1)
    other, _ = say_block(line.other, voice, rules, 1)
    if not then:
        return _under_test(f"{lead} {deny(line.test, voice)}", other) if other else []
    said = _under_test(f"{lead} {say_expr(line.test, voice)}", then)
    match line.other:
        case (IfLine() as next_one,):
            return [*said, *_branch(next_one, voice, rules, "otherwise, if")]
        case _:  # any other block
            return [*said, *_under_test("otherwise", other)] if other else said


def _under_test(head: str, steps: list[EnglishStep]) -> list[EnglishStep]:
    """Put steps under a condition; a single plain step joins it in one sentence."""
    if len(steps) == 1 and steps[0].key is not None:
        only = steps[0]
        joint = " and" if only.text.startswith("If ") and head.startswith("if ") else ","
        return [replace(only, text=words.sentence(f"{head}{joint} {words.inner(only.text)}"), depth=0)]
    return [EnglishStep(words.sentence(f"{head}:")), *steps]


def _assignment(line: Assign, voice: Voice) -> str:
    value = line.value
    cell = _cell(line, voice)
    form = form_of(value)
    if line.mode == "add":
        return _change(cell, value, voice)
    if value.type.kind == "bool":
        return _truth(line, voice)
    if isinstance(value, Lit) and (flag := flag_phrase(cell, "==", value.value)):
        return f"from now on, {flag}"
    if isinstance(value, Lit) and value.type.kind == "optional" and value.value == value.type.hi:
        return f"{cell} is cleared"
    if form is not None and form.name in ("raised", "lowered"):
        _, amount, limit = (say_expr(arg, voice) for arg in form.args)
        verb, bound = ("rises", "to at most") if form.name == "raised" else ("falls", "to at least")
        return f"{cell} {words.number_of_verb(verb, cell)} by {amount}, {bound} {limit}"
    return f"{cell} {words.number_of_verb('becomes', cell)} {say_expr(value, voice)}"


def _change(cell: str, value: Expr, voice: Voice) -> str:
    form = form_of(value)
    if form is not None and form.name == "negative":
        return f"{cell} {words.number_of_verb('falls', cell)} by {say_expr(form.args[0], voice)}"
    if isinstance(value, Lit) and value.value < 0:
        return f"{cell} {words.number_of_verb('falls', cell)} by {-value.value}"
    verb = words.number_of_verb("changes" if value.type.lo < 0 else "rises", cell)
    return f"{cell} {verb} by {say_expr(value, voice)}"


def _truth(line: Assign, voice: Voice) -> str:
    cell = Read(line.variable, line.index, line.value.type)
    match line.value:
        case Lit(value=1):
            return f"from now on, {say_expr(cell, voice)}"
        case Lit():
            return f"from now on, {deny(cell, voice)}"
        case _:  # it is true or false as something else is
            return f"from now on, {say_expr(cell, voice, 'and')} exactly if {say_expr(line.value, voice)} now"


def _cell(line: Assign, voice: Voice) -> str:
    return say_expr(Read(line.variable, line.index, line.value.type), voice.after(frozenset({line.variable})))


def _step(text: str, line: _Keyed) -> EnglishStep:
    return EnglishStep(words.sentence(text), line.clauses, line.key, line.span)


def writes(line: WrittenStmt, rules: ReadRules) -> frozenset[str]:
    """Return the variables that a line may write."""
    match line:
        case Assign(variable=variable):
            return frozenset({variable})
        case Transfer(source=source, target=target):
            return frozenset({source.variable, target.variable})
        case ResetBlock(variables=variables):
            return frozenset(variables)
        case CallStage() | ReturnStage() | AskPoll() | AnswerPoll():
            return frozenset({"stage"})
        case RunEffect(effect=name):
            return frozenset().union(*(writes(each, rules) for each in rules.effects[name].lines))
        case IfLine(then=then, other=other):
            return frozenset().union(*(writes(each, rules) for each in (*then, *other)))
        case ForLine(body=body):
            return frozenset().union(*(writes(each, rules) for each in body))
        case Shorthand(lines=lines):
            return frozenset().union(*(writes(each, rules) for each in lines))
        case Payment():
            cells = (place.cell.variable for purse in rules.purses.values() for place in purse.places)
            supplies = (purse.supply.variable for purse in rules.purses.values() if purse.supply is not None)
            return frozenset((*cells, *supplies))
        case Define():
            return frozenset()
        case _:
            assert_never(line)
