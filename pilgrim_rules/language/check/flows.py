"""Flows: warns where what not everybody sees is written for everybody to see, or told by a move or by whose turn it is.

Reads:  a lowered game.   Writes: warnings. No solver is asked: what is warned of may be harmless, which the proof of
        `no_leak` then shows, and what is said to be given away (`reveal`, `public def`) is not warned of.
After:  nothing is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import assert_never

from pilgrim_rules.core.bounds import bounds, range_of
from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.footprint import footprint, reads, writes
from pilgrim_rules.core.ir import (
    BOOL,
    Action,
    Apply,
    Assign,
    Binder,
    Bound,
    Branch,
    Call,
    Checked,
    Def,
    Define,
    Expr,
    Fold,
    Game,
    Given,
    Lit,
    Loop,
    Read,
    Require,
    Stage,
    Stmt,
    Variable,
)
from pilgrim_rules.core.simplify import Simplifier
from pilgrim_rules.core.smart_constructors import TRUE, applied
from pilgrim_rules.core.walk import binder_parts, children, free_names, rebuild, subexpressions, substitute
from pilgrim_rules.core.zones import COUNT, PLACE, is_draw
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.language.check.opened_cells import Opening, Written, certainly_written

Unseen = frozenset[Read | Bound]  #: cells that not everybody sees, and secret arguments


def warn_of_flows(game: Game, bag: Bag) -> None:
    """Warn of every action that may tell somebody what the rules hide."""
    variables = {variable.name: variable for variable in game.variables}
    if all(variable.seen is None for variable in game.variables):
        return
    defs = {definition.name: definition for definition in game.defs}
    declared = Declarations(game)
    fixed = Simplifier(declared)
    read: dict[str, frozenset[str]] = {}
    for action in game.actions:
        told = tuple(reveal.value for reveal in action.reveals if reveal.to is None)
        spoken = footprint([reveal.value for reveal in action.reveals], defs).variables
        opening = Opening(variables, defs, fixed, spoken)
        _Flow(
            action, _Sources(variables, defs, declared, fixed, opening, read, told), writes(action.body), bag
        ).follow()
        _open_arguments(action, variables, game, bag)
    for stage in game.stages:
        here = Read("stage", (), game.stage), Lit(stage.code, game.stage)
        sources = _Sources(
            variables, defs, declared, fixed, Opening(variables, defs, fixed, frozenset()), read, stage=here
        )
        _who_decides(stage, sources, bag)
        if stage.kind == "nobody":
            _final_score(game, sources, bag)


@dataclass(frozen=True, slots=True)
class _Sources:
    """What values are made from, as far as not everybody sees it."""

    variables: Mapping[str, Variable]
    defs: Mapping[str, Def]
    declared: Declarations
    fixed: Callable[[Expr], Expr]  #: works out what is known before play
    opening: Opening  #: tells what everybody sees nevertheless
    read: dict[str, frozenset[str]]  #: what each definition reads, as far as anybody has asked
    told: tuple[Expr, ...] = ()  #: what everybody is told
    stage: tuple[Expr, Expr] | None = None  #: the variable `stage` and its value, where it is known
    names: dict[str, Unseen] = field(default_factory=dict)  #: what each name was made from

    def of(self, expr: Expr) -> Unseen:
        """Return the unseen cells and secret arguments that a value is made from, what is given away left out."""
        if expr in self.told:
            return frozenset()
        if self._is_open_zone(expr) or self._is_known(expr):
            return frozenset()
        if (which := self._number_of(expr)) is not None:
            return frozenset().union(*map(self.of, which))
        found: Unseen = frozenset().union(*(self.of(part) for part in children(expr)))
        match expr:
            case Apply(op="and", args=args):
                return frozenset(
                    each for each in found if isinstance(each, Bound) or not self.opening.open_where(each, args)
                )
            case Read(variable=name) if self._is_hidden(name):
                return found | {expr}
            case Call(definition=name, args=args) if not (made := self.defs[name]).public:
                values = {param.name: value for param, value in zip(made.params, args, strict=True)}
                return found | self.of(substitute(made.body, values))
            case _:  # what it is made of has been looked at
                return found.union(*(self.names.get(name, frozenset()) for name in _own_name(expr)))

    def _is_known(self, expr: Expr) -> bool:
        """Return whether an expression is decided before play by one of its parts, such as a ruling."""
        match expr:
            case Apply(op="and" | "or" as op, args=args):
                decides = Lit(int(op == "or"), BOOL)
                return any(
                    not reads((each,), self.defs, known=self.read) and self.fixed(each) == decides for each in args
                )
            case _:  # play decides it
                return False

    def _number_of(self, expr: Expr) -> tuple[Expr, ...] | None:
        """Return the index of a zone of kinds of which an expression is the number of pieces, if everybody knows that number."""
        match expr:
            case Fold(
                op="sum",
                binders=(Binder(name=kind),),
                where=None,
                body=Read(variable=name, index=(*which, Bound(name=of))),
            ):
                return tuple(which) if of == kind and f"{COUNT}{name}" in self.defs else None
            case _:  # any other value may tell more
                return None

    def _is_open_zone(self, expr: Expr) -> bool:
        """Return whether everybody can tell if a cell has a value: whenever it has, everybody sees it, as in an open zone."""
        match expr:
            case Apply(op="==" | "!=", args=(Read(variable=name), value)) if not self.of(value):
                variable = self.variables[name]
                if (
                    variable.seen is None
                    or len(variable.index) != 1
                    or (not isinstance(value, Lit) and variable.type.kind != "enum")
                ):
                    return False
                cell = Read(name, (Bound(variable.over[0], variable.index[0]),), variable.type)
                test = variable.seen.test if self.stage is None else _replaced(variable.seen.test, *self.stage)
                around = {each.name: range_of(each.type) for each in subexpressions(value) if isinstance(each, Bound)}
                lo, hi = bounds(value, around, self.declared)
                return all(_replaced(test, cell, Lit(code, value.type)) == TRUE for code in range(lo, hi + 1))
            case _:  # any other value may tell more
                return False

    def _is_hidden(self, name: str) -> bool:
        """Return whether not everybody sees a variable."""
        seen = self.variables[name].seen
        return seen is not None and (self.stage is None or _replaced(seen.test, *self.stage) != TRUE)


@dataclass(slots=True)
class _Flow:
    """One action, and which of its names stand for what not everybody sees."""

    action: Action
    sources: _Sources
    written: frozenset[str]  #: what the action writes anywhere
    bag: Bag
    warned: set[tuple[str, str]] = field(default_factory=set)

    def follow(self) -> None:
        """Go through the action in the order of its text."""
        names = self.sources.names
        names |= {
            param.name: frozenset({Bound(param.name, param.type)})
            for param in self.action.params
            if param.seen is not None
        }
        path: Unseen = frozenset()
        for line in self.action.guard:
            match line:
                case Given(name=name, value=value):
                    self.sources.names[name] = self.sources.of(value)
                case Require(test=test):
                    # What a player or chance chooses is seen anyway; what happens by itself tells that it could.
                    path |= self.sources.of(test) if self.action.kind == "auto" else frozenset()
        self._block(self.action.body, path, {})

    def _block(self, block: tuple[Stmt, ...], path: Unseen, around: Written) -> None:
        written = certainly_written(block, around)
        for stmt in block:
            match stmt:
                case Assign():
                    self._assign(stmt, path, written)
                case Define(name=name, value=value):
                    self.sources.names[name] = self.sources.of(value)
                case Branch(test=test, then=then, other=other):
                    if isinstance(known := self.sources.fixed(test), Lit):  # a ruling decides
                        self._block(then if known.value else other, path, written)
                        continue
                    inner = path | self.sources.of(test)
                    self._block(then, inner, written)
                    self._block(other, inner, written)
                case Loop(binder=binder, where=where, body=body):
                    parts = (*binder_parts(binder), *(() if where is None else (where,)))
                    self._block(body, path.union(*(self.sources.of(part) for part in parts)), written)
                case _:
                    assert_never(stmt)

    def _assign(self, stmt: Assign, path: Unseen, written: Written) -> None:
        target = self.sources.variables[stmt.variable]
        if target.seen is not None or target.ghost:
            return
        said = _said(self._unseen((*stmt.index, stmt.value), frozenset(), written))
        seen_by = stmt.variable, said  # one mistake, one message: what a branch tells is told by all its lines
        if not said or "." in stmt.variable:  # nobody wrote such a name
            said = said or _said(self._unseen((), path, written))
            seen_by = "", said
        if not said or seen_by in self.warned:
            return
        self.warned |= {seen_by, ("", said)}
        what = f"everybody sees `{stmt.variable}`, and in `{self.action.name}` it tells of {said}, which not everybody sees"
        help_ = "let `prove` show that nobody learns anything, or say what is given away: `reveal … because CLAUSE`"
        self.bag.add(codes.PR431, what, stmt.span, help=help_)

    def _unseen(self, parts: tuple[Expr, ...], path: Unseen, written: Written) -> Unseen:
        """Return what is still unseen of what the parts, or the way to a line, are made from."""
        sources = path.union(*(self.sources.of(each) for each in parts))
        return frozenset(
            each
            for each in sources
            if isinstance(each, Bound) or self.sources.opening.stays_hidden(each, written, self.written)
        )


def _said(unseen: Iterable[Read | Bound]) -> str:
    """Return the names of what not everybody sees."""
    names = {each.variable if isinstance(each, Read) else each.name for each in unseen}
    pieces = sorted(name.removeprefix(PLACE) for name in names if name.startswith(PLACE))
    others = sorted(f"`{name}`" for name in names if not name.startswith(PLACE))
    return " and ".join([*others, *(f"where each `{piece}` lies" for piece in pieces)])


def _replaced(expr: Expr, old: Expr, new: Expr) -> Expr:
    """Return an expression with one value for another, worked out as far as that goes."""
    if expr == old:
        return new
    made = rebuild(expr, lambda part: _replaced(part, old, new))
    return applied(made.op, list(made.args), made.type) if isinstance(made, Apply) else made


def _own_name(expr: Expr) -> frozenset[str]:
    return frozenset() if children(expr) else free_names(expr)


def _who_decides(stage: Stage, sources: _Sources, bag: Bag) -> None:
    """Warn of a stage in which everybody sees whose turn it is, and so what that follows from."""
    if stage.by is None or not (unseen := sources.of(stage.by)):
        return
    said = _said(unseen)
    what = f"everybody sees who decides in `{stage.name}`, and it tells of {said}, which not everybody sees"
    help_ = "keep whose turn it is in a variable, or say what is given away: `public def`"
    bag.add(codes.PR431, what, stage.note.span, help=help_)


def _final_score(game: Game, sources: _Sources, bag: Bag) -> None:
    """Warn of a score that tells what not everybody sees when the game is over: everybody sees who has won, and by how much."""
    sheet = game.score
    if sheet is None:
        return
    told = {f"“{line.label}” in the final score": sources.of(line.value) for line in sheet.lines}
    ranks = frozenset[Read | Bound]().union(*(sources.of(key.value) for key in sheet.keys))
    told["the final order"] = ranks - frozenset[Read | Bound]().union(*told.values())
    for what, unseen in told.items():
        if unseen:
            said = f"everybody sees {what}, and it tells of {_said(unseen)}, which not everybody sees even then"
            bag.add(codes.PR431, said, sheet.note.span, help="say from when on it is open: `private until over`")


def _open_arguments(action: Action, variables: Mapping[str, Variable], game: Game, bag: Bag) -> None:
    """Warn of an argument that everybody sees and that goes where not everybody may see it."""
    given = {line.name: line.value for line in action.guard if isinstance(line, Given)}
    defs = {definition.name: definition for definition in game.defs}
    if is_draw(action):  # who sees what is drawn follows from where it goes
        return
    for param in action.params:
        if param.seen is not None or _is_told(param.name, action.body, variables):
            continue
        for stmt, together in _written_together(action.body, frozenset()):
            target = variables[stmt.variable]
            if target.seen is None or target.ghost:
                continue
            if footprint((target.seen.test,), defs).variables & together:
                continue  # who sees it depends on what is written with it, which the proof knows
            index = (part for part, type_ in zip(stmt.index, target.index, strict=True) if type_ != game.player)
            if any(param.name in _names(part, given) for part in (stmt.value, *index)):
                what = f"everybody sees the argument `{param.name}`, and it goes to `{target.name}`, which not everybody sees"
                help_ = f"write `{param.name}: {param.type.name} secret`, or say who sees it: `{param.name}: {param.type.name} seen by v where true`"
                bag.add(codes.PR431, what, stmt.span, help=help_)
                break


def _is_told(name: str, block: tuple[Stmt, ...], variables: Mapping[str, Variable]) -> bool:
    """Return whether an argument is meant to be open: what everybody sees tells it, whatever is the case."""
    for stmt in block:
        match stmt:
            case Assign(variable=variable, index=index, value=value) if variables[variable].seen is None:
                if any(_tells(part, name) for part in (value, *index)):
                    return True
            case Branch(then=then, other=other):
                if _is_told(name, then, variables) and _is_told(name, other, variables):
                    return True
            case _:  # it goes where not everybody sees it, or perhaps nowhere
                pass
    return False


def _tells(value: Expr, name: str) -> bool:
    """Return whether whoever knows a value, and what else it is made from, knows what a name stands for."""
    match value:
        case Bound(name=bound):
            return bound == name
        case Apply(op="+" | "-", args=args):
            return any(_tells(each, name) for each in args)
        case Checked(value=inner):
            return _tells(inner, name)
        case _:  # it may tell less
            return False


def _written_together(block: tuple[Stmt, ...], around: frozenset[str]) -> Iterator[tuple[Assign, frozenset[str]]]:
    """Yield each assignment with all variables that are written whenever it is made."""
    together = around | _always_written(block)
    for stmt in block:
        match stmt:
            case Assign():
                yield stmt, together
            case Branch(then=then, other=other):
                yield from _written_together(then, together)
                yield from _written_together(other, together)
            case Loop(body=body):
                yield from _written_together(body, together)
            case Define():
                pass
            case _:
                assert_never(stmt)


def _always_written(block: tuple[Stmt, ...]) -> frozenset[str]:
    """Return the variables that a block writes, whatever is the case."""
    found: frozenset[str] = frozenset()
    for stmt in block:
        match stmt:
            case Assign(variable=name):
                found |= {name}
            case Branch(then=then, other=other):
                found |= _always_written(then) & _always_written(other)
            case Loop() | Define():
                pass  # a loop may run over nothing
            case _:
                assert_never(stmt)
    return found


def _names(expr: Expr, given: Mapping[str, Expr]) -> Iterator[str]:
    """Yield the names that a value is made from, through what the guard has named."""
    waiting, met = set(free_names(expr)), set[str]()
    while waiting:
        name = waiting.pop()
        met.add(name)
        yield name
        if name in given:
            waiting |= free_names(given[name]) - met
