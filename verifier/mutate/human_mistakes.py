"""Human mistakes: what people write wrong who know the rule, where a slip of one sign is not enough.

Reads:  the written lines and the tables of a core game.   Writes: `Mistake`s of kinds of their own, which are counted apart.
After:  only what an author wrote is changed, and each mistake is made in one place.

    off_by_one  an amount is one more or one less, in one branch
    player      what belongs to a player belongs to the next one
    order       two effects that depend on each other are swapped
    reset       what is set back to its initial value is not
    table       one entry of a table is another
    exception   a requirement is not asked, or always fails, for one value or one player only
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import TypeVar, get_args

from pilgrim_rules.core.expand import NamedRules, expand_lines
from pilgrim_rules.core.footprint import Footprints, writes
from pilgrim_rules.core.forms import expand_form
from pilgrim_rules.core.ir import (
    Assign,
    Bound,
    Constant,
    Define,
    Expr,
    Fold,
    ForLine,
    Game,
    IfLine,
    Let,
    Lit,
    Payment,
    Pick,
    Read,
    Require,
    RunEffect,
    Transfer,
    Unique,
    WrittenStmt,
)
from pilgrim_rules.core.rule_walk import assignments, statement_expressions
from pilgrim_rules.core.smart_constructors import arithmetic, connected, equals, lit, negated
from pilgrim_rules.core.values import show
from pilgrim_rules.core.walk import subexpressions
from verifier.mutate.edits import edit_lines, edit_requirements, key_of
from verifier.mutate.mistake import HumanKind, Mistake

HUMAN_KINDS: frozenset[str] = frozenset(get_args(HumanKind))
ENTRIES = 6  #: of one table, spread over it
_T = TypeVar("_T")


@dataclass(slots=True)
class HumanMistakes:
    """The mistakes that people make in the rules of one game; a line that several rules use gives its own once."""

    game: Game
    done: set[str] = field(default_factory=set)
    shared: NamedRules = field(init=False)
    footprints: Footprints = field(init=False)

    def __post_init__(self) -> None:
        self.shared, self.footprints = NamedRules.from_game(self.game), Footprints.from_game(self.game)

    def all(self) -> Iterator[Mistake]:
        """Yield every mistake, in the order of the rules."""
        asked = {line.key for action in self.game.actions for line in action.guard if isinstance(line, Require)}
        for guard in (*(each.lines for each in self.game.guards), *(each.written.guard for each in self.game.actions)):
            for line in guard:
                if isinstance(line, Require) and line.defines is None and line.key in asked:
                    yield from self._exceptions(line)
        happening = {stmt.key for action in self.game.actions for stmt in assignments(action.body)}
        used = (each.lines for each in self.game.effects if any(s.key in happening for s in assignments(each.body)))
        for lines in (*used, *(each.written.body for each in self.game.actions)):
            yield from self._block(lines, in_branch=False)
        for table in self.game.constants:
            yield from self._entries(table)

    # requirements --------------------------------------------------------------------------------------------------

    def _exceptions(self, line: Require) -> Iterator[Mistake]:
        if line.key in self.done:
            return
        self.done.add(line.key)
        place = self._place(line.test)
        if place is None:
            return
        words, here = place
        lax = replace(line, test=connected("or", [line.test, here]))
        strict = replace(line, test=connected("and", [line.test, negated(here)]))
        for says, other in ((f"not asked if {words}", lax), (f"never met if {words}", strict)):
            made = partial(edit_requirements, self.game, line.key, partial(_instead, other))
            yield Mistake("exception", line.key, says, line.clauses, made, line.span)

    def _place(self, test: Expr) -> tuple[str, Expr] | None:
        """Return where a requirement is to be something else: for one value of what it speaks of, or for one player."""
        for part in subexpressions(test):
            if isinstance(part, Bound) and part.type.kind in ("int", "enum") and 1 < part.type.size <= 64:  # noqa: PLR2004
                if part.name in _bound_inside(test):
                    continue
                return f"{part.name} is {show(part.type, part.type.hi)}", equals(part, Lit(part.type.hi, part.type))
        for stage in self.game.stages:
            if isinstance(stage.by, Read) and stage.by.type == self.game.player and self.game.player.size > 1:
                last = Lit(self.game.player.hi, self.game.player)
                return f"{show(last.type, last.value)} decides", equals(stage.by, last)
        return None

    # effects -------------------------------------------------------------------------------------------------------

    def _block(self, lines: tuple[WrittenStmt, ...], *, in_branch: bool) -> Iterator[Mistake]:
        for line in lines:
            key = key_of(line)
            if key is not None and key not in self.done:
                self.done.add(key)
                yield from self._line(line, key, in_branch=in_branch)
            match line:
                case IfLine(then=then, other=other):
                    yield from self._block(then, in_branch=True)
                    yield from self._block(other, in_branch=True)
                case ForLine(body=body):
                    yield from self._block(body, in_branch=in_branch)
                case _:  # what it runs has lines of its own, which come elsewhere
                    pass
        for first, second in pairwise(lines):
            yield from self._swapped(first, second)

    def _line(self, line: WrittenStmt, key: str, *, in_branch: bool) -> Iterator[Mistake]:
        edit, of = partial(edit_lines, self.game, key), partial(Mistake, key=key, span=getattr(line, "span", None))
        if isinstance(line, Assign):
            variable = next(each for each in self.game.variables if each.name == line.variable)
            if variable.ghost:
                return
            if line.mode == "set" and _same_constant(line.value, variable.initial):
                dropped = partial(edit, lambda _: ())
                yield of("reset", words="it is not set back", clauses=line.clauses, make=dropped)
        clauses = () if isinstance(line, IfLine | Define | ForLine) else line.clauses
        for words, other in self._amounts(line) if in_branch else ():
            yield of("off_by_one", words=words, clauses=clauses, make=partial(edit, partial(_replaced, other)))
        for number, other in enumerate(self._next_player(line), 1):
            words = "the next player" if number == 1 else f"the next player ({number})"
            yield of("player", words=words, clauses=clauses, make=partial(edit, partial(_replaced, other)))

    def _amounts(self, line: WrittenStmt) -> Iterator[tuple[str, WrittenStmt]]:
        """Yield a line with an amount that is one more or one less."""
        for by in (1, -1):
            words = f"one {'more' if by > 0 else 'less'}"

            def off(value: Expr, by: int = by) -> Expr:
                return arithmetic("+", value, lit(by))

            match line:
                case Assign(value=value) if value.type.kind == "int":
                    yield words, replace(line, value=off(value))
                case Transfer(amount=amount) | Payment(amount=amount):
                    yield words, replace(line, amount=off(amount))
                case RunEffect(args=args):
                    for at, arg in enumerate(args):
                        if arg.type.kind == "int" and not isinstance(arg, Bound):
                            yield f"{words} (argument {at + 1})", replace(line, args=_put(args, at, off(arg)))
                case _:  # it has no amount
                    pass

    def _next_player(self, line: WrittenStmt) -> Iterator[WrittenStmt]:
        """Yield a line in which a player is the one after."""
        match line:
            case Assign(index=index):
                yield from (replace(line, index=each) for each in self._shifted(index))
            case RunEffect(args=args):
                yield from (replace(line, args=each) for each in self._shifted(args))
            case Transfer(source=source, target=target):
                for each in self._shifted(source.index):
                    yield replace(line, source=replace(source, index=each))
                for each in self._shifted(target.index):
                    yield replace(line, target=replace(target, index=each))
            case Payment(to=to) if to is not None and to.type == self.game.player:
                yield from (replace(line, to=each) for (each,) in self._shifted((to,)))
            case _:  # it names nobody
                pass

    def _shifted(self, parts: tuple[Expr, ...]) -> Iterator[tuple[Expr, ...]]:
        player = self.game.player
        for at, part in enumerate(parts):
            if part.type == player and player.size > 1:
                yield _put(parts, at, expand_form("next", (part,), player, player))

    def _swapped(self, first: WrittenStmt, second: WrittenStmt) -> Iterator[Mistake]:
        """Yield that two lines are swapped, if one of them looks at or writes what the other writes."""
        one, two = key_of(first), key_of(second)
        if one is None or two is None or one == two or f"{one} {two}" in self.done:
            return
        self.done.add(f"{one} {two}")
        if not self._depend(first, second):
            return

        def made() -> Game:
            return edit_lines(edit_lines(self.game, two, lambda _: ()), one, lambda _: (second, first))

        clauses = tuple(clause for each in (first, second) for clause in getattr(each, "clauses", ()))
        yield Mistake("order", one, "swapped with the next line", clauses, made, getattr(first, "span", None))

    def _depend(self, first: WrittenStmt, second: WrittenStmt) -> bool:
        blocks = [expand_lines((line,), (), self.shared) for line in (first, second)]
        ghosts = {variable.name for variable in self.game.variables if variable.ghost}
        written = [writes(block) - ghosts for block in blocks]
        read = [self.footprints.joint(statement_expressions(block)).variables for block in blocks]
        return bool(written[0] & (read[1] | written[1]) or written[1] & read[0])

    # tables --------------------------------------------------------------------------------------------------------

    def _entries(self, table: Constant) -> Iterator[Mistake]:
        """Yield that an entry of a table of the game is another; what a map gives is drawn, not typed."""
        if table.source not in ("column", "param") or table.type.size < 2:  # noqa: PLR2004  (something else to be)
            return
        step = max(1, len(table.values) // ENTRIES)
        for at in range(0, len(table.values), step):
            value = table.values[at]
            other = value + 1 if value < table.type.hi else value - 1
            changed = replace(table, values=_put(table.values, at, other))
            words = f"entry {at + 1}: {show(table.type, value)} → {show(table.type, other)}"
            made: Callable[[], Game] = partial(_with_table, self.game, changed)
            yield Mistake("table", table.name, words, table.note.clauses, made, table.note.span)


def _same_constant(one: Expr, two: Expr) -> bool:
    """Return whether two expressions are the same constant; a number may be written with another range."""
    if not isinstance(one, Lit) or not isinstance(two, Lit):
        return False
    return one == two or (one.type.kind == two.type.kind == "int" and one.value == two.value)


def _bound_inside(expr: Expr) -> frozenset[str]:
    """Return the names that something inside an expression binds: they mean nothing around it."""
    found: set[str] = set()
    for part in subexpressions(expr):
        match part:
            case Fold(binders=binders) | Unique(binders=binders):
                found |= {binder.name for binder in binders}
            case Pick(binder=binder):
                found.add(binder.name)
            case Let(name=name):
                found.add(name)
            case _:  # it binds nothing
                pass
    return frozenset(found)


def _put(items: tuple[_T, ...], at: int, item: _T) -> tuple[_T, ...]:
    return (*items[:at], item, *items[at + 1 :])


def _instead(line: Require, _old: Require) -> Require:
    return line


def _replaced(line: WrittenStmt, _old: WrittenStmt) -> tuple[WrittenStmt, ...]:
    return (line,)


def _with_table(game: Game, table: Constant) -> Game:
    return replace(game, constants=tuple(table if each.name == table.name else each for each in game.constants))
