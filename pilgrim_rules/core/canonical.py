"""One spelling for everything that means the same: the text from which fingerprints are made.

Reads:  core nodes.   Writes: a text in which bound names are numbers, and whatever a node depends on is the fingerprint
        that `depend` returns for it.
After:  two nodes have the same text if they differ only in local names, places, words or citations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Literal, TypeAlias, assert_never

from pilgrim_rules.core.ir import (
    Apply,
    AskNetwork,
    Assign,
    Audience,
    Binder,
    Bound,
    Branch,
    Call,
    Checked,
    Cond,
    Define,
    Expr,
    Fold,
    Given,
    GuardLine,
    Key,
    Let,
    Lit,
    Lookup,
    Loop,
    Parameter,
    Pick,
    Read,
    Require,
    Stmt,
    Type,
    Unique,
)

#: Returns the fingerprint of what a node names: a variable, a constant, a definition, a network or a type.
Depend: TypeAlias = Callable[[Literal["variable", "constant", "def", "network"], str], str]
Spell: TypeAlias = Callable[[Type], str]


class Canonical:
    """Writes the text of one item. A name is bound until its `scope` ends, or the item."""

    def __init__(self, depend: Depend, spell: Spell) -> None:
        self._depend = depend
        self._type = spell
        self._out: list[str] = []
        self._names: dict[str, int] = {}
        self._next = 0

    def text(self) -> str:
        """Return what has been written."""
        return " ".join(self._out)

    def put(self, *words: object) -> None:
        """Write words; a text among them is quoted, so that no two sequences look the same."""
        self._out.extend(repr(word) if isinstance(word, str) else str(word) for word in words)

    def bind(self, name: str) -> None:
        """From here on the name is a number of its own."""
        self._names[name] = self._next
        self._next += 1

    def params(self, params: tuple[Parameter, ...]) -> None:
        """Write and bind the parameters of an item."""
        self.put(len(params))
        for param in params:
            self.put(self._type(param.type), param.default)
            self.bind(param.name)

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Let what is bound inside end with it."""
        names = dict(self._names)
        yield
        self._names = names

    def binder(self, binder: Binder) -> None:
        """Write a binder, then bind its name."""
        self.put(self._type(binder.type), binder.descending)
        self.optional(binder.start)
        if binder.among is None:
            self.put(None)
        else:
            self.put(self._depend("constant", binder.among[0]))
            self.exprs(binder.among[1])
        self.bind(binder.name)

    def binders(self, binders: tuple[Binder, ...]) -> None:
        """Write binders, each in the scope of those before it."""
        self.put(len(binders))
        for binder in binders:
            self.binder(binder)

    def exprs(self, exprs: Iterable[Expr]) -> None:
        """Write several expressions."""
        several = tuple(exprs)
        self.put(len(several))
        for expr in several:
            self.expr(expr)

    def optional(self, expr: Expr | None) -> None:
        """Write an expression that may be missing."""
        if expr is None:
            self.put(None)
        else:
            self.expr(expr)

    def audience(self, audience: Audience | None) -> None:
        """Write who sees something; the word it was said with does not matter."""
        if audience is None:
            self.put(None)
            return
        with self.scope():
            self.bind(audience.viewer)
            self.expr(audience.test)

    def keys(self, keys: tuple[Key, ...]) -> None:
        """Write the keys of a ranking."""
        self.put(len(keys))
        for key in keys:
            self.put(key.descending)
            self.expr(key.value)

    def expr(self, expr: Expr) -> None:
        """Write an expression."""
        self._out.append(f"({type(expr).__name__}")
        match expr:
            case Lit(value=value, type=type_):
                self.put(value, self._type(type_))
            case Bound(name=name):
                self.put(self._names[name])
            case Read(variable=variable, index=index, when=when):
                self.put(self._depend("variable", variable), when)
                self.exprs(index)
            case Lookup(table=table, index=index):
                self.put(self._depend("constant", table))
                self.exprs(index)
            case Apply(op=op, args=args):
                self.put(op)
                self.exprs(args)
            case Cond(test=test, then=then, other=other):
                self.exprs((test, then, other))
            case Let(name=name, value=value, body=body):
                self.expr(value)
                with self.scope():
                    self.bind(name)
                    self.expr(body)
            case Checked(value=value, type=type_):
                self.put(self._type(type_))
                self.expr(value)
            case Fold() | Unique() | Pick():
                with self.scope():
                    self._fold(expr)
            case Call(definition=definition, args=args):
                self.put(self._depend("def", definition))
                self.exprs(args)
            case AskNetwork(question=question, network=network, index=index, nodes=nodes):
                self.put(question, self._depend("network", network), len(nodes))
                self.exprs(index)
                for node in nodes:
                    self.exprs(node)
            case _:
                assert_never(expr)
        self._out.append(")")

    def _fold(self, expr: Fold | Unique | Pick) -> None:
        match expr:
            case Fold(op=op, binders=binders, where=where, body=body, default=default):
                self.put(op)
                self.optional(default)
                self.binders(binders)
                self.optional(where)
                self.expr(body)
            case Unique(binders=binders, where=where, keys=keys):
                self.binders(binders)
                self.optional(where)
                self.exprs(keys)
            case Pick(binder=binder, where=where, keys=keys_):
                self.binder(binder)
                self.optional(where)
                self.keys(keys_)
            case _:
                assert_never(expr)

    def guard(self, lines: tuple[GuardLine, ...]) -> None:
        """Write the guard of an action; what it binds stays bound for the rest of the action."""
        self.put(len(lines))
        for line in lines:
            match line:
                case Require(test=test, defines=defines):
                    self.put("require", defines is not None)
                    self.expr(test)
                case Given(name=name, value=value):
                    self.put("given")
                    self.expr(value)
                    self.bind(name)
                case _:
                    assert_never(line)

    def block(self, block: tuple[Stmt, ...]) -> None:
        """Write statements; what they bind ends with the block."""
        with self.scope():
            self._statements(block)

    def _statements(self, block: tuple[Stmt, ...]) -> None:
        self.put(len(block))
        for stmt in block:
            self._out.append(type(stmt).__name__)
            match stmt:
                case Assign(variable=variable, index=index, mode=mode, value=value):
                    self.put(self._depend("variable", variable), mode)
                    self.exprs((*index, value))
                case Define(name=name, value=value):
                    self.expr(value)
                    self.bind(name)
                case Branch(test=test, then=then, other=other):
                    self.expr(test)
                    self.block(then)
                    self.block(other)
                case Loop():
                    with self.scope():
                        self._loop(stmt)
                case _:
                    assert_never(stmt)

    def _loop(self, loop: Loop) -> None:
        self.put(loop.simultaneous)
        self.binder(loop.binder)
        self.optional(loop.where)
        self._statements(loop.body)
