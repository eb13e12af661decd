"""Why: what exactly is false where a claim fails, for which values, and what the step changed.

Reads:  a core game and a record with a picture.   Writes: an `Account`.
After:  the part that is named is false in the state shown, and every value was asked of the reference evaluator.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from pilgrim_rules.core.ir import Apply, Bound, Call, Cond, Expr, Fold, Game, Let, Lit, Lookup, Read, Type
from pilgrim_rules.core.show_expr import show
from pilgrim_rules.core.values import show as show_value
from pilgrim_rules.core.walk import children, free_names
from pilgrim_rules.engine.evaluate import evaluate, scenes
from pilgrim_rules.engine.reference import Reference
from pilgrim_rules.engine.scene import Scene, World
from verifier import formulas
from verifier.obligations import Obligation
from verifier.report.entry import Account
from verifier.survey import values_of
from verifier.verdict import Record

Frozen = Mapping[str, Sequence[int]]

#: Kinds whose formula speaks of one state that is shown.
OF_STATES = ("one_side", "one_auto", "no_dead_end", "weights", "no_ties", "follows")


def why(game: Game, obligation: Obligation, record: Record) -> Account | None:
    """Return why a record says that something is false; None if it says nothing of the kind, or shows no state."""
    world, picture = World(game), record.picture
    if obligation.kind in ("initially", "law") and picture is None:
        return _false(world, obligation, Scene(world, Reference(world).start(), {})) if record.reason else None
    if picture is None:
        return None
    changed = () if picture.after is None else tuple(changes(game, picture.before, picture.after))
    match obligation.kind:
        case "kept" if picture.after is not None:
            found = _false(world, obligation, Scene(world, picture.after, {}))
        case "step" if picture.after is not None:
            found = _false(world, obligation, Scene(world, picture.before, {}, next=picture.after))
        case kind if kind in OF_STATES:
            found = _account(formulas.static(game, obligation), Scene(world, picture.before, {}))
        case _:
            found = Account()
    return replace(found, changed=changed)


def changes(game: Game, before: Frozen, after: Frozen) -> Iterator[str]:
    """Yield each cell that differs between two states, with both values."""
    for variable in game.variables:
        old, new = before[variable.name], after[variable.name]
        if old == new:
            continue
        for index, was, now in zip(values_of(variable.index), old, new, strict=True):
            if was != now:
                cell = variable.name + _index(zip(variable.index, index, strict=True))
                yield f"{cell}: {show_value(variable.type, was)} → {show_value(variable.type, now)}"


def _false(world: World, obligation: Obligation, scene: Scene) -> Account:
    return _account(world.claims[str(obligation.subject)].formula, scene)


def _account(formula: Expr, scene: Scene) -> Account:
    part, there, wanted = _blame(formula, scene, wanted=True)
    where = [f"{name} = {text}" for name, text in _names(part, there)]
    return Account(show(part) if wanted else f"not ({show(part)})", tuple(where), tuple(_values(part, there)))


def _blame(expr: Expr, scene: Scene, *, wanted: bool) -> tuple[Expr, Scene, bool]:
    """Return the smallest part whose truth decides that the expression is not as wanted, and the scene it stands in."""
    match expr:
        case Apply(op="not", args=(inner,)):
            return _blame(inner, scene, wanted=not wanted)
        case Apply(op="and", args=args) if wanted:
            return _blame(next(each for each in args if not evaluate(each, scene)), scene, wanted=True)
        case Apply(op="or", args=args) if not wanted:
            return _blame(next(each for each in args if evaluate(each, scene)), scene, wanted=False)
        case Apply(op="implies", args=(_, then)) if wanted:
            return _blame(then, scene, wanted=True)
        case Fold(op="all", body=body) if wanted:
            there = next(each for each in scenes(expr.binders, expr.where, scene) if not evaluate(body, each))
            return _blame(body, there, wanted=True)
        case Fold(op="some", body=body) if not wanted:
            there = next(each for each in scenes(expr.binders, expr.where, scene) if evaluate(body, each))
            return _blame(body, there, wanted=False)
        case Cond(test=test, then=then, other=other):
            return _blame(then if evaluate(test, scene) else other, scene, wanted=wanted)
        case Let(name=name, value=value, body=body):
            return _blame(body, scene.bind(name, evaluate(value, scene)), wanted=wanted)
        case Call(definition=name, args=args):
            called = scene.world.defs[name]
            names = {param.name: evaluate(arg, scene) for param, arg in zip(called.params, args, strict=True)}
            return _blame(called.body, replace(scene, names=names), wanted=wanted)
        case _:
            return expr, scene, wanted


def _names(part: Expr, scene: Scene) -> Iterator[tuple[str, str]]:
    """Yield the names that the part takes from outside, with their values."""
    types: dict[str, Type] = {}
    stack = [part]
    while stack:
        node = stack.pop()
        if isinstance(node, Bound):
            types.setdefault(node.name, node.type)
        stack += children(node)
    for name in sorted(free_names(part)):
        yield name, _text(types[name], scene.names[name])


def _values(part: Expr, scene: Scene) -> Iterator[str]:
    """Yield everything that the part looks at, with its value; parts that need names of their own stay whole."""
    found: dict[str, None] = {}

    def look(expr: Expr) -> None:
        match expr:
            case Lit() | Bound():
                return
            case Read(variable=name, index=index, when=when):
                mark = "'" if when == "next" else ""
                found[f"{name}{mark}{_indexed(index, scene)} = {_text(expr.type, evaluate(expr, scene))}"] = None
            case Lookup(table=name, index=index):
                found[f"{name}{_indexed(index, scene)} = {_text(expr.type, evaluate(expr, scene))}"] = None
            case Cond(test=test, then=then, other=other):
                look(test)
                look(then if evaluate(test, scene) else other)
            case Apply(op="and" | "or" | "implies" as op, args=args):
                for each in args:
                    look(each)
                    if evaluate(each, scene) == (op == "or"):
                        break  # what comes after has no say, and perhaps no value
            case Apply(args=args):
                for each in args:
                    look(each)
            case _:
                found[f"{show(expr)} = {_text(expr.type, evaluate(expr, scene))}"] = None

    look(part)
    return iter(found)


def _indexed(index: tuple[Expr, ...], scene: Scene) -> str:
    return _index((each.type, evaluate(each, scene)) for each in index)


def _index(parts: Iterable[tuple[Type, int]]) -> str:
    shown = ", ".join(_text(type_, code) for type_, code in parts)
    return f"[{shown}]" if shown else ""


def _text(type_: Type, code: int) -> str:
    """Return a value as text; a number that leaves its type is shown as it is."""
    return show_value(type_, code) if type_.lo <= code <= type_.hi else str(code)
