"""Same meaning: actions and definitions of two versions of a game that a solver shows to agree in every state.

Reads:  two core games with the same variables.   Writes: for each action whose text means something else, whether it was proved equal.
After:  what is called proved agrees wherever the laws hold, reachable or not: no invariant is assumed. An action is equal if its
        guard allows the same moves and its effect reads the same, after definitions that are proved equal were put in place of
        each other. Nothing else is said: what is not proved may be equal all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pilgrim_rules.core.derived import is_derived, possible_move
from pilgrim_rules.core.fingerprint import Fingerprints, fingerprints_of
from pilgrim_rules.core.ir import BOOL, Action, Apply, Binder, Bound, Call, Claim, Def, Expr, Fold, Game, Given, Lookup
from pilgrim_rules.core.walk import rebuild, subexpressions
from pilgrim_rules.evidence.record import Verdict
from verifier.prove.run import BUDGET, verify

OLD, NEW, SAME = "before.", "after.", "same_"


@dataclass(frozen=True, slots=True)
class Sameness:
    """Actions and definitions that mean something else by their text: those that were proved equal, and the others."""

    proved: tuple[str, ...]
    open: tuple[str, ...]


def same_meaning(old: Game, new: Game, *, budget: int = BUDGET) -> Sameness:
    """Ask a solver about every definition and action that both games have and that read differently."""
    if not _comparable(old, new):
        return Sameness((), ())
    defs = list(_changed_definitions(old, new))
    equal = _proved(old, new, [(each.name, each, _definition(new, each.name)) for each in defs], budget)
    joined = _with_definitions(old, new, equal)
    prints, now = fingerprints_of(joined), fingerprints_of(new)
    ours, theirs = ({each.name: each for each in game.actions} for game in (joined, new))
    changed = [name for name in theirs if name in ours and fingerprints_of(old).action(name) != now.action(name)]
    texts = {name for name in changed if prints.action(name) == now.action(name)}
    guards = [
        name for name in changed if name not in texts and _effect(joined, ours[name]) == _effect(new, theirs[name])
    ]
    asked = [(name, possible_move(ours[name]), possible_move(theirs[name])) for name in guards]
    alike = texts | _proved(joined, new, asked, budget)
    shown = (
        *(f"definition {each.name}" for each in defs if not is_derived(each.name)),
        *(f"action {each}" for each in changed),
    )
    proved = {*(f"definition {name}" for name in equal), *(f"action {name}" for name in alike)}
    return Sameness(
        tuple(name for name in shown if name in proved), tuple(name for name in shown if name not in proved)
    )


def _comparable(old: Game, new: Game) -> bool:
    """Return whether a state of one game is a state of the other, in the same stage, with the same player to decide."""
    mine, theirs = ([(each.name, each.index, each.type) for each in game.variables] for game in (old, new))
    prints, now = fingerprints_of(old), fingerprints_of(new)
    stages = [prints.stage(each.name) for each in old.stages] == [now.stage(each.name) for each in new.stages]
    tables = [(game.name, game.player, game.stage, game.automata) for game in (old, new)]
    return mine == theirs and stages and tables[0] == tables[1]


def _changed_definitions(old: Game, new: Game) -> Iterator[Def]:
    """Yield the definitions of the old game that have the same parameters in the new one, and another meaning by their text."""
    known, before, after = {each.name: each for each in new.defs}, fingerprints_of(old), fingerprints_of(new)
    for each in old.defs:
        there = known.get(each.name)
        same_shape = there is not None and _shape(each) == _shape(there)
        if same_shape and not is_derived(each.name) and before.definition(each.name) != after.definition(each.name):
            yield each


def _shape(definition: Def) -> tuple[object, ...]:
    kind = definition.body.type
    return (*(param.type for param in definition.params), kind.kind, kind.name if kind.labels else "")


def _definition(game: Game, name: str) -> Def:
    return next(each for each in game.defs if each.name == name)


def _with_definitions(old: Game, new: Game, equal: Iterable[str]) -> Game:
    """Return the old game with those definitions as they are in the new one."""
    wanted = frozenset(equal)
    theirs = {each.name: each for each in new.defs if each.name in wanted}
    return replace(old, defs=tuple(theirs.get(each.name, each) for each in old.defs), origin=None)


def _effect(game: Game, action: Action) -> str:
    """Return the fingerprint of an action without its requirements."""
    bare = replace(action, guard=tuple(line for line in action.guard if isinstance(line, Given)))
    return Fingerprints(replace(game, actions=(bare,))).action(action.name)


# --------------------------------------------------------------------------------------------------------------- queries


def _proved(old: Game, new: Game, pairs: list[tuple[str, Def, Def]], budget: int) -> set[str]:
    """Return the names of the pairs of functions that a solver shows to be equal for all arguments, in every state."""
    if not pairs:
        return set()
    both = _Both(old, new)
    try:
        game = both.game(pairs)
    except _NotExpressible:
        return set()
    asked = {f"{game.name}.invariant.{SAME}{at}/follows": name for at, (name, _, _) in enumerate(pairs)}
    report = verify(game, names=tuple(asked), budget=budget, confirm=False, cache=False, jobs=1, longer_play=0)
    return {asked[each.name] for each in report.records if each.verdict is Verdict.PROVED and each.name in asked}


class _NotExpressible(Exception):
    """What the old game says cannot be said beside the new one."""


class _Both:
    """The new game with what the old one says differently beside it, under other names."""

    def __init__(self, old: Game, new: Game) -> None:
        self.old, self.new = old, new
        before, after = fingerprints_of(old), fingerprints_of(new)
        constants, defs = {each.name for each in new.constants}, {each.name for each in new.defs}
        self.constants = {
            each.name
            for each in old.constants
            if each.name not in constants or before.constant(each.name) != after.constant(each.name)
        }
        self.defs = {
            each.name
            for each in old.defs
            if each.name not in defs or before.definition(each.name) != after.definition(each.name)
        }

    def game(self, pairs: list[tuple[str, Def, Def]]) -> Game:
        """Return the game in which each pair of functions is claimed to be equal."""
        old, new = self.old, self.new
        constants = (replace(each, name=f"{OLD}{each.name}") for each in old.constants if each.name in self.constants)
        defs = [self._renamed_def(each) for each in old.defs if each.name in self.defs]
        claims = [each for each in new.claims if each.kind == "law"]
        laws = tuple(each.name for each in claims)
        for at, (_, mine, theirs) in enumerate(pairs):
            defs += [
                replace(self._renamed_def(mine), name=f"{OLD}{SAME}{at}"),
                replace(theirs, name=f"{NEW}{SAME}{at}"),
            ]
            claims.append(Claim(f"{SAME}{at}", "invariant", _equal(defs[-2], defs[-1]), laws, follows=True))
        return replace(
            new, constants=(*new.constants, *constants), defs=(*new.defs, *defs), claims=tuple(claims), examples=(),
            rankings=(), networks=(), origin=None,
        )  # fmt: skip

    def _renamed_def(self, definition: Def) -> Def:
        return replace(definition, name=f"{OLD}{definition.name}", body=self._renamed(definition.body))

    def _renamed(self, expr: Expr) -> Expr:
        for part in subexpressions(expr):
            for binder in getattr(part, "binders", ()):
                if binder.among is not None and binder.among[0] in self.constants:
                    raise _NotExpressible
        return self._rename(expr)

    def _rename(self, expr: Expr) -> Expr:
        made = rebuild(expr, self._rename)
        match made:
            case Call(definition=name) if name in self.defs:
                return replace(made, definition=f"{OLD}{name}")
            case Lookup(table=name) if name in self.constants:
                return replace(made, table=f"{OLD}{name}")
            case _:  # it names nothing that differs
                return made


def _equal(mine: Def, theirs: Def) -> Expr:
    """Return that two functions of the same parameters agree."""
    args = tuple(Bound(param.name, param.type) for param in theirs.params)
    body = Apply("==", (Call(mine.name, args, mine.body.type), Call(theirs.name, args, theirs.body.type)), BOOL)
    binders = tuple(Binder(param.name, param.type) for param in theirs.params)
    return Fold("all", binders, None, body, None, BOOL) if binders else body
