"""Expressions as English: values as noun phrases, conditions as clauses of a sentence.

Reads:  core expressions and the voice they are told in.   Writes: text without capital and full stop.
After:  every expression of the core has its phrase; nested conditions stay unambiguous.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, assert_never

from pilgrim_rules.core import values
from pilgrim_rules.core.forms import SILENT, form_of
from pilgrim_rules.core.ir import (
    Apply,
    AskNetwork,
    Binder,
    Bound,
    Call,
    Checked,
    Cond,
    Expr,
    Fold,
    Form,
    Key,
    Let,
    Lit,
    Lookup,
    Pick,
    Read,
    Type,
    Unique,
)
from pilgrim_rules.core.operators import OPERATIONS
from pilgrim_rules.prose import words
from pilgrim_rules.prose.phrases import (
    DENIABLE,
    choice_phrase,
    condition_phrase,
    flag_phrase,
    form_phrase,
    own_phrase,
    relative_clauses,
    there_phrase,
    thing_phrase,
)
from pilgrim_rules.prose.shapes import conjunction, flat, is_bool, is_joined, is_none
from pilgrim_rules.prose.voice import Voice, noun

#: Where an expression stands: alone, inside another condition (and last in it), or inside arithmetic.
SHORT_VALUE = 6  #: values of so few words are said in place of their name
Place: TypeAlias = Literal["alone", "last", "and", "or", "sum", "product"]


def say_expr(expr: Expr, voice: Voice, place: Place = "alone") -> str:
    """Return the phrase for an expression: a clause if it is a condition, else a noun phrase."""
    if expr in voice.you:
        return "you"
    form = form_of(expr)
    if form is not None:
        return _form(form, voice, place)
    match expr:
        case Lit():
            return _literal(expr)
        case Bound(name=name, type=type_):
            called = voice.names.get(name, words.words(name))
            return choice_phrase(name, called, voice, holds=True) if type_.kind == "bool" else called
        case Read(variable=variable, index=index, type=type_, when=when):
            text = _table(variable, index, type_, voice)
            return text if when == "now" else f"{text} {'before' if when == 'old' else 'afterwards'}"
        case Lookup(table=table, index=index, type=type_):
            return _constant(table, index, type_, voice)
        case Call(definition=name, args=args, type=type_):
            return _table(name, args, type_, voice)
        case Apply():
            return _apply(expr, voice, place)
        case Cond():
            return _wrap(_cases(expr, voice), place)
        case Let(name=name, value=value, body=body):
            called = say_expr(value, voice, "product")
            made_up = not name.isidentifier()
            if value not in voice.you and not is_bool(value) and (made_up or len(called.split()) <= SHORT_VALUE):
                return say_expr(body, voice.calling(**{name: called}), place)
            inside = voice.letting(name, value)
            text = f"{say_expr(body, inside)}, where {named(inside.names[name], value, called)}"
            return _wrap(text, place, always=place != "alone")
        case Checked(value=value):
            return say_expr(value, voice, place)
        case Fold():
            return _fold(expr, voice, place)
        case Unique(binders=binders, where=where, keys=keys):
            inside = voice.binding(*binders)
            owners = [f"{inside.names[binder.name]}'s " for binder in binders]
            what = words.join([say_expr(key, inside) for key in keys])
            for owner in owners:
                what = what.replace(owner, "their ")
            return _wrap(f"no two {domain(binders, where, voice, many=True)} agree on {what}", place)
        case Pick():
            return _pick(expr, voice)
        case AskNetwork(question=question, network=network, index=index, nodes=nodes):
            name = thing_phrase(network, [say_expr(part, voice) for part in index], [p.type for p in index], voice)
            return words.ASK[question].format(*(_node(node, voice) for node in nodes), network=name)
        case _:
            assert_never(expr)


def _form(form: Form, voice: Voice, place: Place, *, holds: bool = True) -> str:
    """Say what the author wrote, or its opposite, not what it stands for."""
    if form.name in SILENT:
        return say_expr(form.args[0], voice, place)
    if form.name == "none_of":
        return deny(form.args[0], voice, place)
    if form.name in ("is_some", "is_none"):
        there = (form.name == "is_some") == holds
        return there_phrase(form.args[0], say_expr(form.args[0], voice), voice, there=there)
    if form.name == "pair" and form.args[0] in voice.you and (own := own_phrase(form, say_expr(form.args[1], voice))):
        return own
    inner: Place = "product" if form.name == "negative" else "alone"
    return form_phrase(form, [say_expr(arg, voice, inner) for arg in form.args], holds=holds)


def named(called: str, value: Expr, said: str) -> str:
    """Return "x is …", or for a condition "“x” holds if …"."""
    return f"“{called}” holds if {said}" if is_bool(value) else f"{called} is {said}"


def deny(expr: Expr, voice: Voice, place: Place = "alone") -> str:
    """Return the phrase for the opposite of a condition."""
    match expr:
        case Apply(form=Form(name=name) as form) if name in DENIABLE:
            return _form(form, voice, place, holds=False)
        case Apply(op="not", args=(inner,)):
            return say_expr(inner, voice, place)
        case Bound(name=name):
            return choice_phrase(name, voice.names.get(name, words.words(name)), voice, holds=False)
        case Apply(op=op, args=args, type=type_) if (opposite := OPERATIONS[op].opposite) and not is_bool(args[0]):
            return say_expr(Apply(opposite, args, type_), voice, place)  # nothing is ever said to be "not at least"
        case Fold(op="some", binders=binders, where=where, body=body):
            return _wrap(f"there is no {domain(binders, conjunction(where, body), voice)}", place)
        case Read(variable=name, index=args, when="now") | Call(definition=name, args=args):
            return condition_phrase(name, *_say_arguments(args, voice), voice, holds=False)
        case Lookup(table=name, index=args) if name not in voice.graphs:
            return condition_phrase(name, *_say_arguments(args, voice), voice, holds=False)
        case Apply(op="or", args=args, type=type_):
            denied = tuple(Apply("not", (arg,), type_) for arg in args)
            return say_expr(Apply("and", denied, type_), voice, place)
        case _:  # no shorter way to deny it
            return words.SAY["not"].format(say_expr(expr, voice, "or"))


def domain(binders: tuple[Binder, ...], where: Expr | None, voice: Voice, *, many: bool = False) -> str:
    """Return what the binders range over: "player p for whom …", "players p", "cell h and side s"."""
    parts = []
    inside = voice
    for binder in binders:
        parts.append(_binder(binder, inside, many=many))
        inside = inside.binding(binder)
    text = words.join(parts)
    return text if where is None else f"{text} {_relative(binders[-1], where, inside, many=many)}"


def ranked(keys: tuple[Key, ...], voice: Voice) -> str:
    """Return the order that the keys give: "the highest piety, then the lowest seat"."""
    said = [f"the {'highest' if key.descending else 'lowest'} value of {say_expr(key.value, voice)}" for key in keys]
    return ", then ".join(said)


def _literal(lit: Lit) -> str:
    said = values.show(lit.type, lit.value)
    return said if lit.type.kind in ("int", "bool") else words.label(said)


def _table(name: str, args: tuple[Expr, ...], type_: Type, voice: Voice) -> str:
    said, types = _say_arguments(args, voice)
    if type_.kind == "bool":
        return condition_phrase(name, said, types, voice)
    return thing_phrase(name, said, types, voice, of=type_)


def _constant(name: str, args: tuple[Expr, ...], type_: Type, voice: Voice) -> str:
    if name in voice.rulings or name in voice.options:
        return f"the {'ruling' if name in voice.rulings else 'option'} “{words.words(name)}”"
    if name in voice.graphs and name not in voice.templates:
        phrase = words.GRAPH.get(name.rsplit(".", 1)[-1])
        if phrase is not None:
            return phrase.format(*_say_arguments(args, voice)[0]) + _on_which(name, voice)
    return _table(name, args, type_, voice)


def _on_which(table: str, voice: Voice) -> str:
    """Return " on the rondel" if another graph could be meant."""
    graph, _, what = table.rpartition(".")
    several = sum(other.endswith(f".{what}") for other in voice.graphs) > 1
    return f" on the {words.words(graph)}" if several and what == "leads" else ""


def _say_arguments(args: tuple[Expr, ...], voice: Voice) -> tuple[list[str], list[Type]]:
    said = [f"whether {say_expr(arg, voice)}" if is_bool(arg) else say_expr(arg, voice, "product") for arg in args]
    return said, [arg.type for arg in args]


def _apply(expr: Apply, voice: Voice, place: Place) -> str:
    args = expr.args
    match expr.op:
        case "and" | "or":
            return _join(expr, voice, place)
        case "not":
            return deny(args[0], voice, place)
        case "implies":
            text = words.SAY["implies"].format(say_expr(args[0], voice), say_expr(args[1], voice, "last"))
            return _wrap(text, place)
        case "==" | "!=" | "<" | "<=" | ">" | ">=":
            return _compare(expr, voice, place)
        case "+" | "-" | "*" | "div" | "mod" | "min" | "max":
            return _number(expr, voice, place)
        case _:
            assert_never(expr.op)


def _join(expr: Apply, voice: Voice, place: Place) -> str:
    args = flat(expr)
    if len(args) == 1:
        return say_expr(args[0], voice, place)
    if (choice := _one_of(expr.op, args, voice)) is not None:
        return choice
    inner: Place = "and" if expr.op == "and" else "or"
    *first, final = args
    open_end = place in ("alone", "last") and not is_joined(final)
    said = [*(say_expr(arg, voice, inner) for arg in first), say_expr(final, voice, "last" if open_end else inner)]
    mixed = any(map(is_joined, args))
    text = words.join(said, f", {words.SAY[expr.op]}" if mixed else words.SAY[expr.op])
    if place in ("alone", "last", inner):
        return text
    lead = {"and": "both", "or": "either"}[inner]
    return f"{lead} {text}" if len(said) == 2 else f"({text})"  # noqa: PLR2004  ("both" and "either" speak of two)


def _one_of(op: str, args: tuple[Expr, ...], voice: Voice) -> str | None:
    """Say several comparisons of one thing at once: "the stage is bidding or hammer", "h is neither a nor b"."""
    wanted = "==" if op == "or" else "!="
    left: list[Expr] = []
    labels: list[str] = []
    for arg in args:
        match arg:
            case Apply(op="not", args=(Apply(op="==", args=(thing, Lit() as lit)),)) if wanted == "!=":
                pass
            case Apply(op=found, args=(thing, Lit() as lit)) if found == wanted:
                pass
            case _:  # no comparison with a literal
                return None
        if thing.type.kind == "bool" or is_none(lit, thing.type):
            return None
        left.append(thing)
        labels.append(_literal(lit))
    if len(set(left)) != 1:
        return None
    what = say_expr(left[0], voice)
    verb = words.conjugate("is", what)
    return (
        f"{what} {verb} {words.join(labels, 'or')}"
        if op == "or"
        else f"{what} {verb} neither {words.join(labels, 'nor')}"
    )


def _compare(expr: Apply, voice: Voice, place: Place) -> str:
    left, right = expr.args
    match expr:
        case Apply(op="==" | "!=" as op, args=(_, Lit(value=value, type=type_))) if type_.kind == "bool":
            return say_expr(left, voice, place) if (op == "==") == bool(value) else deny(left, voice, place)
        case Apply(op="==" | "!=" as op) if is_bool(left):
            text = words.SAY_BOOL[op].format(say_expr(left, voice, "and"), say_expr(right, voice, "and"))
            return _wrap(text, place, always=place != "alone")
        case Apply(op="==" | "!=" as op, args=(_, Lit() as lit)) if is_none(lit, left.type):
            return there_phrase(left, say_expr(left, voice), voice, there=op == "!=")
        case Apply(op="==" | "<=", args=(Fold(op="count") as fold, Lit(value=0))):
            return f"there is no {domain(fold.binders, fold.where, voice)}"
        case Apply(op=">", args=(Fold(op="count") as fold, Lit(value=0))):
            return f"there is {words.article(domain(fold.binders, fold.where, voice))}"
        case Apply(op=">=", args=(Fold(op="count") as fold, Lit(value=1))):
            return f"there is {words.article(domain(fold.binders, fold.where, voice))}"
        case _:  # a plain comparison
            pass
    if left.type.name in voice.rulings | voice.options and isinstance(right, Lit):
        return words.SAY[expr.op].format(say_expr(left, voice), f"“{_literal(right)}”")
    what = say_expr(left, voice, "sum")
    if isinstance(right, Lit) and (flag := flag_phrase(what, expr.op, right.value)):
        return flag
    said = words.SAY[expr.op].format(what, say_expr(right, voice, "sum"))
    if what == "you" or words.number_of_verb("rises", what) == "rise":
        return f"{what} are{said.removeprefix(what).removeprefix(' is')}"
    return said


def _number(expr: Apply, voice: Voice, place: Place) -> str:
    if expr.op in ("min", "max"):
        said = [say_expr(arg, voice) for arg in expr.args]
        if len(said) == 2:  # noqa: PLR2004  (the phrase for two)
            return words.SAY[expr.op].format(*said)
        return f"the {'smallest' if expr.op == 'min' else 'largest'} of {words.join(said)}"
    left, right = expr.args
    inner: Place = "sum" if expr.op in ("+", "-") else "product"
    behind: Place = "product" if expr.op != "+" else inner
    text = words.SAY[expr.op].format(say_expr(left, voice, inner), say_expr(right, voice, behind))
    return f"({text})" if place == "product" or (place == "sum" and expr.op in ("div", "mod")) else text


def _cases(expr: Expr, voice: Voice) -> str:
    """Say a choice case by case: "a if x, b if y, otherwise c"."""
    said = []
    while isinstance(expr, Cond):
        match _settled(expr.test, voice):
            case True:
                expr = expr.then
                break
            case False:
                pass
            case None:
                said.append(f"{say_expr(expr.then, voice, 'or')} if {say_expr(expr.test, voice)}")
        expr = expr.other
    final = say_expr(expr, voice, "last")
    return f"{', '.join(said)}, otherwise {final}" if said else final


def _settled(test: Expr, voice: Voice) -> bool | None:
    """Return the value of a condition that stands for yes or no here; None if it is open."""
    called = voice.names.get(test.name) if isinstance(test, Bound) else None
    return {"true": True, "false": False}.get(called or "")


def _fold(expr: Fold, voice: Voice, place: Place) -> str:
    if expr.op == "some":
        one = domain(expr.binders, conjunction(expr.where, expr.body), voice)
        return _wrap(words.FOLD["some"].format(a_domain=words.article(one)), place)
    inside = voice.binding(*expr.binders)
    text = words.FOLD[expr.op].format(
        domain=domain(expr.binders, expr.where, voice),
        domains=domain(expr.binders, expr.where, voice, many=True),
        body=say_expr(expr.body, inside, "last" if expr.op == "all" else "alone"),
    )
    if expr.default is not None and expr.where is not None:
        text = f"{text} ({say_expr(expr.default, voice)} if there are none)"
    return _wrap(text, place) if expr.op == "all" else text


def _pick(expr: Pick, voice: Voice) -> str:
    inside = voice.binding(expr.binder)
    who = _binder(expr.binder, voice, many=False)
    if not expr.keys:
        return f"the first {who}{'' if expr.where is None else ' ' + _relative(expr.binder, expr.where, inside)}"
    among = "" if expr.where is None else f", among those {_relative(expr.binder, expr.where, inside, many=True)}"
    return f"the {who} with {ranked(expr.keys, inside)}{among}"


def _binder(binder: Binder, voice: Voice, *, many: bool) -> str:
    name = words.words(binder.name)
    kind = binder.type
    what = words.plural(noun(kind)) if many else noun(kind)
    called = voice.binding(binder).names[binder.name]
    if words.is_nameless(name):  # it is called by what it is: "this player", "the other player"
        before = called.removesuffix(noun(kind)).removeprefix("this").removeprefix("the").strip()
        what, name = f"{before} {what}".strip(), ""
    if name == noun(kind):
        text = what
    elif kind.kind == "int" and not kind.name.isidentifier():
        ends = (kind.hi, kind.lo) if binder.descending else (kind.lo, kind.hi)
        text = f"{f'{what} {name}'.strip()} from {ends[0]} {'down ' if binder.descending else ''}to {ends[1]}"
    else:
        text = f"{f'{what} {name}'.strip()}{', last first' if binder.descending else ''}"
    if binder.among is not None:
        table, index = binder.among
        text = f"{text} among {_relation(table, index, voice)}"
    if binder.start is not None:
        text = f"{text}, in turn from {say_expr(binder.start, voice)},"
    return text


def _relative(binder: Binder, where: Expr, inside: Voice, *, many: bool = False) -> str:
    """Return what is true of the values of a binder: "who has a card and whose hand is full", or else "for whom …"."""
    person = noun(binder.type) == "player"
    parts = where.args if isinstance(where, Apply) and where.op == "and" and where.form is None else (where,)
    called = inside.names[binder.name]
    said = [say_expr(part, inside, "and" if len(parts) > 1 else "last") for part in parts]
    about = relative_clauses(called, said, person=person, many=many)
    return about or f"{'for whom' if person else 'for which'} {say_expr(where, inside, 'last')}"


def _relation(table: str, index: tuple[Expr, ...], voice: Voice) -> str:
    of = words.join([say_expr(part, voice) for part in index])
    name = "neighbours" if table in voice.graphs else words.words(table)
    return f"the {name} of {of}" if index else f"the {name}"


def _node(node: tuple[Expr, ...], voice: Voice) -> str:
    said = [say_expr(part, voice) for part in node]
    return said[0] if len(said) == 1 else f"({', '.join(said)})"


def _wrap(text: str, place: Place, *, always: bool = False) -> str:
    return f"({text})" if always or place not in ("alone", "last") else text
