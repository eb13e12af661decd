"""Same effects: actions of two versions of a game that a solver shows to leave the same state, from every state.

Reads:  two core games with the same variables, and what is known of them already.   Writes: which other actions were proved equal.
After:  an action that is proved equal allows the same moves and changes every cell in the same way, in every state in which neither
        version leaves the range of a variable, reachable or not. Nothing else is said.

The old effect is written behind the new one, for a second copy of what either of them writes. Where both copies were the same before
the step, they are claimed to be the same after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pilgrim_rules.core.footprint import calls, writes
from pilgrim_rules.core.ir import (
    BOOL,
    Action,
    Apply,
    AskNetwork,
    Assign,
    Binder,
    Bound,
    Branch,
    Call,
    Claim,
    Cond,
    Define,
    Expr,
    Fold,
    Game,
    Given,
    Let,
    Lit,
    Lookup,
    Loop,
    Read,
    Stmt,
    Variable,
    When,
)
from pilgrim_rules.core.rule_walk import statement_expressions
from pilgrim_rules.core.smart_constructors import TRUE, conjunction, equals
from pilgrim_rules.core.walk import rebuild, rebuild_binder, subexpressions
from pilgrim_rules.evidence.record import Verdict
from verifier.prove.run import BUDGET, verify
from verifier.prove.same_meaning import Sameness, same_meaning

BEFORE, CLAIM = "before.", "same_effect"
#: A step proof takes for granted that the step leaves no range, which is what is said above.
PROVED = (Verdict.PROVED, Verdict.LIMITED, Verdict.CONDITIONAL)
#: Proofs about any state. Others look at what this one action leads to from the start.
OF_ANY_STATE = ("induction", "simplification")


def with_effects(old: Game, new: Game, known: Sameness, *, budget: int = BUDGET) -> Sameness:
    """Return what is known of two games, and of the actions that are left those whose effects are proved to be the same."""
    open_ = {name.removeprefix("action ") for name in known.open if name.startswith("action ")}
    mine = {each.name: each for each in old.actions if each.name in open_}
    theirs = {each.name: each for each in new.actions if each.name in open_}
    asked = [name for name in theirs if name in mine and mine[name].params == theirs[name].params]
    guarded = _same_guards(old, new, asked, budget)
    proved = {f"action {name}" for name in guarded if _proved(old, new, mine[name], theirs[name], budget)}
    if not proved:
        return known
    return Sameness((*known.proved, *(name for name in known.open if name in proved)), _without(known.open, proved))


def _without(names: Iterable[str], gone: set[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in gone)


def _same_guards(old: Game, new: Game, names: list[str], budget: int) -> list[str]:
    """Return the actions that allow the same moves: those that mean the same once the old ones have the effects of the new."""
    bodies = {each.name: each.body for each in new.actions if each.name in names}
    lent = replace(
        old,
        actions=tuple(replace(each, body=bodies.get(each.name, each.body)) for each in old.actions),
        origin=None,
    )
    found = same_meaning(lent, new, budget=budget) if names else Sameness((), ())
    return [name for name in names if f"action {name}" not in found.open]


def _proved(old: Game, new: Game, mine: Action, theirs: Action, budget: int) -> bool:
    if [each for each in mine.guard if isinstance(each, Given)] != [
        each for each in theirs.guard if isinstance(each, Given)
    ]:
        return False  # the effects use values of the guard that read differently
    try:
        game = _Joined(old, new, mine, theirs).game()
    except _NotExpressible:
        return False
    name = f"{game.name}.step.{CLAIM}/{theirs.name}"
    report = verify(game, names=(name,), budget=budget, confirm=False, cache=False, jobs=1, longer_play=0)
    (record,) = report.records
    found_out = any(
        label.startswith(("invariant:", "conserved:")) for label in record.core
    )  # of states that are reached
    return record.verdict in PROVED and record.method in OF_ANY_STATE and not found_out


class _NotExpressible(Exception):
    """What the old action says cannot be said beside the new one."""


@dataclass(slots=True)
class _Joined:
    """A game with one action, which does what both versions do: the new one as it is, the old one to a second copy."""

    old: Game
    new: Game
    mine: Action
    theirs: Action

    def game(self) -> Game:
        """Return the game in which both copies are claimed to stay the same."""
        copied = [replace(each, name=f"{BEFORE}{each.name}") for each in self._copied]
        defs = [
            replace(each, name=f"{BEFORE}{each.name}", body=self._expr(each.body))
            for each in self.old.defs
            if each.name in self._called
        ]
        used = {
            part.table for each in self._old_expressions() for part in subexpressions(each) if isinstance(part, Lookup)
        }
        constants = [replace(each, name=f"{BEFORE}{each.name}") for each in self.old.constants if each.name in used]
        body = (Branch(TRUE, self.theirs.body, ()), Branch(TRUE, tuple(map(self._stmt, self.mine.body)), ()))
        laws = [each for each in self.new.claims if each.kind == "law"]
        claim = Claim(CLAIM, "step", Apply("implies", (self._alike("now"), self._alike("next")), BOOL))
        return replace(
            self.new,
            variables=(*self.new.variables, *copied), constants=(*self.new.constants, *constants),
            defs=(*self.new.defs, *defs), actions=(replace(self.theirs, body=body),), claims=(*laws, claim),
            examples=(), rankings=(), networks=(), figures=(), campaigns=(), symmetries=(), origin=None,
        )  # fmt: skip

    @property
    def _copied(self) -> list[Variable]:
        written = writes(self.mine.body) | writes(self.theirs.body)
        return [each for each in self.new.variables if each.name in written]

    @property
    def _called(self) -> frozenset[str]:
        return calls(statement_expressions(self.mine.body), {each.name: each for each in self.old.defs})

    def _old_expressions(self) -> Iterator[Expr]:
        """Yield everything that the old effect asks, through definitions too."""
        yield from statement_expressions(self.mine.body)
        yield from (each.body for each in self.old.defs if each.name in self._called)

    def _alike(self, when: When) -> Expr:
        """Return that both copies are the same."""
        return conjunction(*(_same_cells(each, when) for each in self._copied))

    def _stmt(self, stmt: Stmt) -> Stmt:
        match stmt:
            case Assign(variable=variable, index=index, value=value, key=key):
                cell = tuple(map(self._expr, index))
                return replace(
                    stmt, variable=f"{BEFORE}{variable}", index=cell, value=self._expr(value), key=f"{BEFORE}{key}"
                )
            case Define(value=value):
                return replace(stmt, value=self._expr(value))
            case Branch(test=test, then=then, other=other):
                return Branch(self._expr(test), tuple(map(self._stmt, then)), tuple(map(self._stmt, other)))
            case Loop(binder=binder, where=where, body=body):
                return replace(
                    stmt,
                    binder=rebuild_binder(self._stated(binder), self._expr),
                    where=None if where is None else self._expr(where),
                    body=tuple(map(self._stmt, body)),
                )

    def _expr(self, expr: Expr) -> Expr:
        """Return an expression of the old game about the second copy, with its tables and definitions."""
        for binder in getattr(expr, "binders", ()):
            self._stated(binder)
        made = rebuild(expr, self._expr)
        match made:
            case AskNetwork():
                raise _NotExpressible
            case Read(variable=name) if name in {each.name for each in self._copied}:
                return replace(made, variable=f"{BEFORE}{name}")
            case Call(definition=name):
                return replace(made, definition=f"{BEFORE}{name}")
            case Lookup(table=name):
                return replace(made, table=f"{BEFORE}{name}")
            case Apply() | Cond() | Let() | Lit():  # a form would be spelled again from its parts, about the first copy
                return replace(made, form=None)
            case _:  # it names nothing of the state
                return made

    def _stated(self, binder: Binder) -> Binder:
        """Return a binder; what lies in a table is ranged over in the new game only."""
        if binder.among is not None:
            raise _NotExpressible
        return binder


def _same_cells(variable: Variable, when: When) -> Expr:
    """Return that the two copies of a variable are the same in every cell."""
    index = tuple(Bound(f"{at} of {variable.name}", type_) for at, type_ in enumerate(variable.index, 1))
    cells = [Read(name, index, variable.type, when) for name in (variable.name, f"{BEFORE}{variable.name}")]
    same = equals(*cells)
    binders = tuple(Binder(each.name, each.type) for each in index)
    return Fold("all", binders, None, same, None, BOOL) if binders else same
