"""Costs as people say them: how much of what, and when.

Reads:  a core game and one of its rules.   Writes: `SaidCost`s.
After:  each cost of the rule is one entry, or one for each case in which another amount is due, and one for what is
        added or taken off under a condition; which box a coin comes
        from and where it goes is left to the steps, and so is that nobody pays less than nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from pilgrim_rules.core import walk
from pilgrim_rules.core.forms import SILENT, form_of
from pilgrim_rules.core.ir import Action, Apply, Call, Checked, Cond, Cost, Def, Expr, Game, Let, Lit, Payment, Require
from pilgrim_rules.core.rulings import choices_of
from pilgrim_rules.prose import words
from pilgrim_rules.prose.apply_rulings import ReadRules, written_lines
from pilgrim_rules.prose.english import decided_guard
from pilgrim_rules.prose.expressions import deny, say_expr
from pilgrim_rules.prose.voice import Voice
from pilgrim_rules.util.identity_cache import cache_by_identity

__all__ = ["SaidCost", "say_costs"]

DEPTH = 2  #: of definitions whose cases are told
MOST_CASES = 3  #: of a definition; one with more is named
OTHERWISE = "otherwise"
_MORE: Final = re.compile(r"(\d+) ((?:more|less) than .*)")
MOST_WORDS = 20  #: of a case; a definition with longer ones is named


@dataclass(frozen=True, slots=True)
class SaidCost:
    """One cost: "1 stone", "1 coin or 2 grain"; when it is due, empty for always; its clauses."""

    what: str
    when: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Case:
    """An amount, and the conditions under which it is due."""

    amount: str
    plain: bool  #: a number
    tests: tuple[str, ...] = ()
    changes: tuple[tuple[int, str, str], ...] = ()  #: how much "more" or "less", and under which condition

    @property
    def whole(self) -> _Case:
        """The case in one phrase, with what is added or taken off behind it."""
        behind = "".join(f"; {much} {which} if {test}" for much, which, test in self.changes)
        return replace(self, amount=f"{self.amount}{behind}", plain=self.plain and not behind, changes=())


def say_costs(game: Game, action: Action, choices: Mapping[str, int] | None = None) -> tuple[SaidCost, ...]:
    """Return what a rule costs, under the rulings as they are decided."""
    rules = ReadRules.from_game(game, choices_of(game) if choices is None else choices)
    written = rules.action(written_lines(action))
    voice = decided_guard(game, action, written, rules)
    amounts = _Amounts({each.name: each for each in game.defs}, rules, counted_nouns(game))
    return tuple(said for cost in written.costs for said in _say(cost, voice, amounts))


def _say(cost: Cost, voice: Voice, amounts: _Amounts) -> Iterator[SaidCost]:
    whole = () if cost.when is None else (say_expr(cost.when, voice),)
    if len(cost.options) > 1:
        said = [_paid(option, amounts.one(option.amount, voice), voice, amounts.counted) for option in cost.options]
        yield SaidCost(words.join(said, "or"), _when(whole), cost.clauses)
        return
    (option,) = cost.options
    for case in amounts.cases(option.amount, voice):
        yield SaidCost(_paid(option, case, voice, amounts.counted), _when((*whole, *case.tests)), cost.clauses)
        for much, which, test in case.changes:
            added = f"{much} {_kind(option, voice)} {which}"
            yield SaidCost(added, _when((*whole, *case.tests, test)), cost.clauses)


def _when(tests: tuple[str, ...]) -> str:
    """Return "if a and b", "otherwise", "otherwise, if a", or nothing."""
    held = [test for test in tests if test != OTHERWISE]
    parts = [*([OTHERWISE] if OTHERWISE in tests else []), *([f"if {words.join(held)}"] if held else [])]
    return ", ".join(parts)


def _paid(option: Payment, case: _Case, voice: Voice, counted: Mapping[str, str]) -> str:
    """Return "1 stone", "the number of stones that …", "as much piety as …", with the one who gets it."""
    to = "" if option.to is None else f", to {say_expr(option.to, voice)}"
    kind = _kind(option, voice)
    if case.amount.endswith(" number"):  # "the chosen number"
        return f"{case.amount} of {words.plural(kind)}{to}"
    if more := _MORE.match(case.amount):
        return f"{more[1]} {kind} {more[2]}{to}"
    if case.amount.startswith(f"the number of {words.plural(kind)} "):  # the amount says already of what it is
        return f"{case.amount}{to}"
    if case.amount.startswith("what "):  # "what the site asks for"
        return f"{case.amount} in {kind}{to}"
    if case.plain and option.which is None:
        return f"{case.amount} {kind if case.amount == '1' else counted.get(kind, kind)}{to}"
    if case.plain:
        return f"{case.amount} of {kind}{to}"
    much = f"many {counted[kind]}" if kind in counted else f"much {kind}"
    return f"as {much} as {case.amount}{to}"


def _kind(option: Payment, voice: Voice) -> str:
    """Return what is paid: "stone", "the resource"."""
    return words.words(option.purse) if option.which is None else say_expr(option.which, voice)


@cache_by_identity(16)
def counted_nouns(game: Game) -> Mapping[str, str]:
    """Return the plurals of what is paid that the author uses: "coins", but of grain there is only more or less."""
    texts = [line.text for action in game.actions for line in action.summary]
    texts += [line.says or "" for action in game.actions for line in action.guard if isinstance(line, Require)]
    texts += [text for _, text in game.glossary]
    used = set(re.findall(r"[a-z]+", " ".join(texts).lower()))
    kinds = {
        words.words(option.purse) for action in game.actions for cost in action.written.costs for option in cost.options
    }
    return {kind: words.plural(kind) for kind in kinds if words.plural(kind) in used}


@dataclass(frozen=True, slots=True)
class _Amounts:
    """Says amounts: by cases where they have some, with what is added or taken off under a condition behind it."""

    defs: Mapping[str, Def]
    rules: ReadRules
    counted: Mapping[str, str]

    def one(self, expr: Expr, voice: Voice) -> _Case:
        """Return an amount in one phrase."""
        found = self.cases(expr, voice)
        return found[0].whole if len(found) == 1 and not found[0].tests else _Case(say_expr(expr, voice), plain=False)

    def cases(self, expr: Expr, voice: Voice) -> list[_Case]:
        """Return the amounts that may be due; a case in which nothing is due is left out."""
        return list(self._cases(expr, voice, 0))

    def _cases(self, expr: Expr, voice: Voice, depth: int) -> Iterator[_Case]:
        form = form_of(expr)
        if form is not None and form.name in SILENT:
            yield from self._cases(form.args[0], voice, depth)
            return
        match expr:
            case Checked(value=value):
                yield from self._cases(value, voice, depth)
            case Lit(value=value):
                yield from [_Case(str(value), plain=True)] if value else []
            case Cond(test=test, then=then, other=other) if form is None:
                first = [_under(case, say_expr(test, voice)) for case in self._cases(then, voice, depth)]
                yield from first
                rest = deny(test, voice) if not first else OTHERWISE
                yield from (_under(case, rest) for case in self._cases(other, voice, depth))
            case Let(name=name, value=value, body=body) if form is None:
                yield from self._cases(body, voice.calling(**{name: say_expr(value, voice)}), depth)
            case Call(definition=name, args=args) if depth < DEPTH:
                found = list(self._opened(self.defs[name], args, voice, depth))
                yield from found if _tells_more(found) else [self._sum(expr, voice)]
            case _:  # a value without cases
                yield self._sum(expr, voice)

    def _opened(self, definition: Def, args: tuple[Expr, ...], voice: Voice, depth: int) -> Iterator[_Case]:
        """Yield the cases of a definition for these arguments."""
        names = [param.name for param in definition.params]
        fixed: dict[str, Expr] = {name: arg for name, arg in zip(names, args, strict=True) if isinstance(arg, Lit)}
        body = self.rules.change(walk.substitute(definition.body, fixed))
        said = {name: say_expr(arg, voice) for name, arg in zip(names, args, strict=True) if name not in fixed}
        yield from self._cases(body, voice.calling(**said), depth + 1)

    def _sum(self, expr: Expr, voice: Voice) -> _Case:
        """Return an amount, with what is added or taken off under a condition beside it."""
        match expr:
            case (
                Apply(op="max", args=(Lit(value=0), inner), form=None)
                | Apply(op="max", args=(inner, Lit(value=0)), form=None)
            ):
                expr = inner  # nobody pays less than nothing
            case _:  # as it is
                pass
        base, changes = _changes(expr)
        found = tuple((much, which, say_expr(test, voice)) for much, which, test in changes)
        return _Case(_more(base, voice), plain=isinstance(base, Lit), changes=found)


def _tells_more(cases: list[_Case]) -> bool:
    """Tell whether the cases of a definition say more than its name: numbers or conditions, and not too much of them."""
    short = all(len(f"{case.amount} {' '.join(case.tests)}".split()) <= MOST_WORDS for case in cases)
    return short and len(cases) <= MOST_CASES and all(case.plain or case.tests for case in cases)


def _under(case: _Case, test: str) -> _Case:
    return replace(case, tests=(test, *case.tests))


def _changes(expr: Expr) -> tuple[Expr, list[tuple[int, str, Expr]]]:
    """Return a sum without the numbers that a condition adds or takes off, and those numbers."""
    match expr:
        case Apply(
            op="+" | "-" as op, args=(left, Cond(test=test, then=Lit(value=much), other=Lit(value=0))), form=None
        ):
            base, changes = _changes(left)
            return base, [*changes, (much, "more" if op == "+" else "less", test)]
        case _:  # nothing depends on a condition
            return expr, []


def _more(expr: Expr, voice: Voice) -> str:
    """Return an amount as people compare it: "1 more than the number of shrines"."""
    match expr:
        case Apply(op="+" | "-" as op, args=(left, Lit(value=much)), form=None):
            return f"{much} {'more' if op == '+' else 'less'} than {say_expr(left, voice)}"
        case _:  # no number beside it
            return say_expr(expr, voice)
