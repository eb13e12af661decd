"""Flows: warns where what not everybody sees is written for everybody to see, and where a secret is told by a move.

Reads:  a lowered game.   Writes: warnings. No solver is asked: what is warned of may be harmless, which the proof of
        `no_leak` then shows, and what is said to be given away (`reveal`, `public def`) is not warned of.
After:  nothing is changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import assert_never

from pilgrim_rules.core.footprint import footprint, writes
from pilgrim_rules.core.ir import (
    Action,
    Apply,
    Assign,
    Binder,
    Bound,
    Branch,
    Call,
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
    Stmt,
    Variable,
)
from pilgrim_rules.core.rule_walk import assignments
from pilgrim_rules.core.smart_constructors import TRUE, applied
from pilgrim_rules.core.walk import binder_parts, children, free_names, rebuild
from pilgrim_rules.core.zones import COUNT, is_draw
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.bag import Bag


def warn_of_flows(game: Game, bag: Bag) -> None:
    """Warn of every action that may tell somebody what the rules hide."""
    variables = {variable.name: variable for variable in game.variables}
    if all(variable.seen is None for variable in game.variables):
        return
    defs = {definition.name: definition for definition in game.defs}
    for action in game.actions:
        _Flow(action, variables, defs, bag).follow()
        _open_arguments(action, variables, game, bag)


@dataclass(slots=True)
class _Flow:
    """One action, and which of its names stand for what not everybody sees."""

    action: Action
    variables: Mapping[str, Variable]
    defs: Mapping[str, Def]
    bag: Bag
    names: dict[str, frozenset[str]] = field(default_factory=dict)  #: what each name was made from
    warned: set[str] = field(default_factory=set)

    def follow(self) -> None:
        """Go through the action in the order of its text."""
        self.names = {param.name: frozenset({param.name}) for param in self.action.params if param.seen is not None}
        path: frozenset[str] = frozenset()
        for line in self.action.guard:
            match line:
                case Given(name=name, value=value):
                    self.names[name] = self._sources(value)
                case Require(test=test):
                    # What a player or chance chooses is seen anyway; what happens by itself tells that it could.
                    path |= self._sources(test) if self.action.kind == "auto" else frozenset()
        self._block(self.action.body, path)

    def _block(self, block: tuple[Stmt, ...], path: frozenset[str]) -> None:
        for stmt in block:
            match stmt:
                case Assign():
                    self._assign(stmt, path)
                case Define(name=name, value=value):
                    self.names[name] = self._sources(value)
                case Branch(test=test, then=then, other=other):
                    inner = path | self._sources(test)
                    self._block(then, inner)
                    self._block(other, inner)
                case Loop(binder=binder, where=where, body=body):
                    parts = (*binder_parts(binder), *(() if where is None else (where,)))
                    self._block(body, path.union(*(self._sources(part) for part in parts)))
                case _:
                    assert_never(stmt)

    def _assign(self, stmt: Assign, path: frozenset[str]) -> None:
        target = self.variables[stmt.variable]
        sources = path.union(*(self._sources(each) for each in (*stmt.index, stmt.value)))
        if target.seen is not None or target.ghost or not sources or stmt.variable in self.warned:
            return
        self.warned.add(stmt.variable)
        said = " and ".join(f"`{name}`" for name in sorted(sources))
        what = f"everybody sees `{stmt.variable}`, and here it tells of {said}, which not everybody sees"
        help_ = "let `prove` show that nobody learns anything, or say what is given away: `reveal … because CLAUSE`"
        self.bag.add(codes.PR431, what, stmt.span, help=help_)

    def _sources(self, expr: Expr) -> frozenset[str]:
        """Return the unseen variables and secret arguments that a value is made from, what is given away left out."""
        if any(expr == reveal.value and reveal.to is None for reveal in self.action.reveals):
            return frozenset()
        if self._is_open_zone(expr):
            return frozenset()
        if (which := self._number_of(expr)) is not None:
            return frozenset().union(*map(self._sources, which))
        found: frozenset[str] = frozenset().union(*(self._sources(part) for part in children(expr)))
        match expr:
            case Read(variable=name) if self._is_hidden(name):
                return found | {name}
            case Call(definition=name) if not self.defs[name].public:
                return found | self._sources(self.defs[name].body)
            case _:  # what it is made of has been looked at
                return found.union(*(self.names.get(name, frozenset()) for name in _own_name(expr)))

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
            case Apply(op="==" | "!=", args=(Read(variable=name), Lit() as value)):
                variable = self.variables[name]
                if variable.seen is None or len(variable.index) != 1:
                    return False
                cell = Read(name, (Bound(variable.over[0], variable.index[0]),), variable.type)
                return _replaced(variable.seen.test, cell, value) == TRUE
            case _:  # any other value may tell more
                return False

    def _is_hidden(self, name: str) -> bool:
        """Return whether not everybody sees a variable; one that the action itself may open is left to the proof."""
        seen = self.variables[name].seen
        if seen is None:
            return False
        return not footprint((seen.test,), self.defs).variables & writes(self.action.body)


def _replaced(expr: Expr, old: Expr, new: Expr) -> Expr:
    """Return an expression with one value for another, worked out as far as that goes."""
    if expr == old:
        return new
    made = rebuild(expr, lambda part: _replaced(part, old, new))
    return applied(made.op, list(made.args), made.type) if isinstance(made, Apply) else made


def _own_name(expr: Expr) -> frozenset[str]:
    return frozenset() if children(expr) else free_names(expr)


def _open_arguments(action: Action, variables: Mapping[str, Variable], game: Game, bag: Bag) -> None:
    """Warn of an argument that everybody sees and that goes where not everybody may see it."""
    given = {line.name: line.value for line in action.guard if isinstance(line, Given)}
    defs = {definition.name: definition for definition in game.defs}
    if is_draw(action):  # who sees what is drawn follows from where it goes
        return
    for param in action.params:
        if param.seen is not None:
            continue
        for stmt in assignments(action.body):
            target = variables[stmt.variable]
            if target.seen is None or target.ghost:
                continue
            if footprint((target.seen.test,), defs).variables & writes(action.body):
                continue  # who sees it depends on what is written, which the proof knows
            index = (part for part, type_ in zip(stmt.index, target.index, strict=True) if type_ != game.player)
            if any(param.name in _names(part, given) for part in (stmt.value, *index)):
                what = f"everybody sees the argument `{param.name}`, and it goes to `{target.name}`, which not everybody sees"
                help_ = f"write `{param.name}: {param.type.name} secret`, or say who sees it: `{param.name}: {param.type.name} seen by v where true`"
                bag.add(codes.PR431, what, stmt.span, help=help_)
                break


def _names(expr: Expr, given: Mapping[str, Expr]) -> Iterator[str]:
    """Yield the names that a value is made from, through what the guard has named."""
    waiting, met = set(free_names(expr)), set[str]()
    while waiting:
        name = waiting.pop()
        met.add(name)
        yield name
        if name in given:
            waiting |= free_names(given[name]) - met
