"""Derived definitions: what rules and claims may ask without anyone defining it.

Reads:  actions, the score sheet and the stages of a core game.   Writes: `Def`s whose names no text can spell.
After:  a derived definition says the same as what it was made from; whoever changes that makes it again (`derive_again`).

    possible.A       some arguments satisfy the guard of action A, its stage left aside
    possible_move.A  these arguments do
    holds.G          these arguments satisfy the requirements of the shared guard G
    score.points     the points of a player, in units of the sheet
    score.line.N     the points of a line of the sheet, counted from 1
    score.rank       1 for the player whom nobody beats; players who agree on all keys have the same rank
    score.winner     the game is over, and nobody beats the player
    seen.V           a player sees a cell of variable V; only of variables that not everybody sees
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pilgrim_rules.core.expand import NamedRules, expand_guard
from pilgrim_rules.core.forms import AT_A_TIME, form_of
from pilgrim_rules.core.ir import (
    BOOL,
    Action,
    Apply,
    Binder,
    Bound,
    Call,
    Def,
    Expr,
    Fold,
    Game,
    Given,
    Guard,
    GuardLine,
    Key,
    Let,
    Lit,
    Operator,
    Parameter,
    Read,
    ScoreSheet,
    Type,
    Variable,
)
from pilgrim_rules.core.rule_walk import rule_expressions
from pilgrim_rules.core.smart_constructors import arithmetic, lit, number, total
from pilgrim_rules.core.walk import subexpressions, substitute

POSSIBLE = "possible."
POSSIBLE_MOVE = "possible_move."
HOLDS = "holds."
POINTS, RANK, WINNER = "score.points", "score.rank", "score.winner"
SEEN = "seen."
_RIVAL = "rival of"  #: the other player in a comparison; no text can spell it


def line_name(at: int) -> str:
    """Return the name of the definition of a line of the score sheet, given its place from 0."""
    return f"score.line.{at + 1}"


def is_derived(name: str) -> bool:
    """Tell whether a definition was made from something else."""
    return "." in name


def asked_action(name: str) -> str:
    """Return the action of which a definition says that it, or a move of it, is possible."""
    return name.removeprefix(POSSIBLE).removeprefix(POSSIBLE_MOVE)


def derive_again(game: Game) -> Game:
    """Return a game whose actions or score have been changed, with what is derived from them as it is now."""
    if not any(is_derived(definition.name) for definition in game.defs):
        return game
    over = [stage.code for stage in game.stages if stage.kind == "nobody"]
    made = {each.name: each for action in game.actions for each in (possible(action), possible_move(action))}
    made |= {each.name: each for guard in game.guards for each in (holds(guard, NamedRules.from_game(game)),)}
    made |= {each.name: each for each in seen_defs(game.variables, game.player)}
    if game.score is not None:
        made |= {each.name: each for each in score_defs(game.score, game.player, game.stage, over)}
    return replace(game, defs=tuple(made.get(definition.name, definition) for definition in game.defs))


def drop_unasked(game: Game) -> Game:
    """Return the game with those derived definitions only that somebody asks."""
    bodies = {definition.name: definition.body for definition in game.defs}
    asked: set[str] = set()
    waiting = [*rule_expressions(game), *(body for name, body in bodies.items() if not is_derived(name))]
    while waiting:
        for part in subexpressions(waiting.pop()):
            form = form_of(part)
            # What is primed has been opened, and is spelled again from its name.
            if form is not None and form.name in AT_A_TIME:
                waiting += form.args
            if isinstance(part, Call) and is_derived(part.definition) and part.definition not in asked:
                asked.add(part.definition)
                waiting.append(bodies[part.definition])
    kept = tuple(
        each
        for each in game.defs
        if not is_derived(each.name) or each.name in asked or each.name.startswith(SEEN) or each.public
    )
    return replace(game, defs=kept)


# ------------------------------------------------------------------------------------------------------------- possible


def possible(action: Action) -> Def:
    """Return the definition that some arguments satisfy the guard of an action."""
    body = _guard(action.guard)
    if action.params:
        binders = tuple(Binder(param.name, param.type) for param in action.params)
        body = Fold("some", binders, None, body, None, BOOL)
    return Def(f"{POSSIBLE}{action.name}", (), body)


def possible_move(action: Action) -> Def:
    """Return the definition that given arguments satisfy the guard of an action."""
    params = tuple(replace(param, default=None, seen=None) for param in action.params)
    return Def(f"{POSSIBLE_MOVE}{action.name}", params, _guard(action.guard))


def holds(guard: Guard, shared: NamedRules) -> Def:
    """Return the definition that given arguments satisfy a shared guard."""
    return Def(f"{HOLDS}{guard.name}", guard.params, _guard(expand_guard(guard, shared)))


def _guard(lines: Sequence[GuardLine]) -> Expr:
    tests: list[Expr] = []
    for line in reversed(lines):
        if isinstance(line, Given):
            tests = [Let(line.name, line.value, _joined("and", tests), BOOL)]
        else:
            tests.insert(0, line.test)
    return _joined("and", tests)


# ------------------------------------------------------------------------------------------------------------- secrecy


def seen_defs(variables: Iterable[Variable], player: Type) -> Iterator[Def]:
    """Yield who sees the cells of each variable that not everybody sees."""
    for variable in variables:
        if variable.seen is not None and not variable.ghost:
            over = (Parameter(name, type_) for name, type_ in zip(variable.over, variable.index, strict=True))
            yield Def(f"{SEEN}{variable.name}", (Parameter(variable.seen.viewer, player), *over), variable.seen.test)


# ---------------------------------------------------------------------------------------------------------------- score


def score_defs(sheet: ScoreSheet, player: Type, stage: Type, over: Iterable[int]) -> Iterator[Def]:
    """Yield what can be asked of a score sheet, each using only earlier ones; `over` are the stages after the end."""
    owner = Parameter(sheet.player, player)
    if sheet.lines:
        yield from (Def(line_name(at), (owner,), line.value) for at, line in enumerate(sheet.lines))
        yield Def(POINTS, (owner,), total(line.value for line in sheet.lines))
    me, rival = Bound(sheet.player, player), Bound(f"{_RIVAL} {sheet.player}", player)
    rivals = (Binder(rival.name, player),)
    ahead = Fold("count", rivals, _beats(sheet.keys, sheet.player, rival), lit(1), None, number(0, player.size))
    rank = arithmetic("+", arithmetic("min", ahead, lit(player.size - 1)), lit(1))  # nobody stands before himself
    yield Def(RANK, (owner,), rank)
    ended: list[Expr] = [Apply("==", (Read("stage", (), stage), Lit(code, stage)), BOOL) for code in over]
    first = Apply("==", (Call(RANK, (me,), rank.type), lit(1)), BOOL)
    yield Def(WINNER, (owner,), _joined("and", (_joined("or", ended), first)))


def _beats(keys: tuple[Key, ...], name: str, rival: Bound) -> Expr:
    """Return that the rival stands before the player bound as `name`: the first key on which they differ decides."""
    apart: Expr = Lit(0, BOOL)
    for key in reversed(keys):
        theirs = substitute(key.value, {name: rival})
        better = Apply(">" if key.descending else "<", (theirs, key.value), BOOL)
        same = Apply("==", (theirs, key.value), BOOL)
        apart = better if apart == Lit(0, BOOL) else _joined("or", (better, _joined("and", (same, apart))))
    return apart


def _joined(op: Operator, parts: Iterable[Expr]) -> Expr:
    """Return that all of the tests hold, or some of them."""
    nothing = Lit(int(op == "and"), BOOL)
    kept = tuple(part for part in parts if part != nothing)
    return nothing if not kept else kept[0] if len(kept) == 1 else Apply(op, kept, BOOL)
