"""Sub-turns: how deep they go, the cells that remember the way back, and the lemmas about them.

Reads:  stages marked `sub`, the lines that call and return, the actions once they are lowered.
Writes: the variables of the stack, and claims about it that hold by the way it is written.
After:  whoever is in a sub-turn has something to go back to, and outside there is nothing: no play of checked rules breaks it, and
        the claims say so in a form that induction can use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import assert_never

from pilgrim_rules.core import ir
from pilgrim_rules.core.forms import form_of
from pilgrim_rules.core.rule_walk import assignments
from pilgrim_rules.core.smart_constructors import conjunction, equals, lit, number, optional
from pilgrim_rules.core.sub_turns import CALLED, DEPTH, LEFT, PUSHED, RETURNED, answered_table, is_stack, stack_cell
from pilgrim_rules.core.zones import drawing_stage
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.language.check.constant import ruled
from pilgrim_rules.language.check.program_info import ProgramInfo, StageInfo
from pilgrim_rules.language.names.draws import draws_of
from pilgrim_rules.language.names.rolls import rolls_of
from pilgrim_rules.language.syntax import ast

OUTSIDE, DEEPER = "sub.outside", "sub.deeper"
MOST_DEEP = 8  #: sub-turns inside each other


# ---------------------------------------------------------------------------------------------------------------- depth


def stack_of(program: ProgramInfo) -> Iterator[ir.Variable]:
    """Yield the variables that remember where sub-turns go back to; none if there are no sub-turns."""
    subs = {name for name, info in program.stages.items() if info.node.sub}
    if not subs or program.symbols.stages is None:
        return
    deep, endless = _depth(program, subs)
    declared = program.symbols.stages.deep
    if endless is not None and declared is None:
        help_ = "say how many there can be inside each other: `stages at most 3 deep`"
        program.bag.add(
            codes.PR418, f"sub-turns go round in a circle: {endless}", program.symbols.stages.span, help=help_
        )
    deep = deep if declared is None else declared
    if not 1 <= deep <= MOST_DEEP:
        what = f"{deep} sub-turns inside each other; 1 to {MOST_DEEP} are possible"
        program.bag.add(codes.PR418, what, program.symbols.stages.span)
        deep = 1
    type_ = optional(program.stage)
    for at in range(1, deep + 1):
        note = ir.Note("The stage to go back to." if at == 1 else f"The stage to go back to after {at - 1} others.")
        yield ir.Variable(stack_cell(at), (), type_, (), ir.Lit(type_.hi, type_), note=note)
    for name in sorted(name for name in subs if program.stages[name].node.poll):
        note = ir.Note(f"Who has answered in `{name}`.")
        yield ir.Variable(answered_table(name), (program.player,), ir.BOOL, ("p",), ir.Lit(0, ir.BOOL), note=note)
    if endless is not None:
        yield ir.Variable(DEPTH, (), number(0, deep), (), lit(0), note=ir.Note("How many sub-turns are under way."))


def _depth(program: ProgramInfo, subs: set[str]) -> tuple[int, str | None]:
    """Return the longest chain of calls that the text shows; if they go round in a circle, 1 and how."""
    calls: dict[str, set[str]] = {name: set() for name in subs}
    moves: dict[str, set[str]] = {name: set() for name in subs}
    for action in program.symbols.rules.values():
        if not isinstance(action, ast.Action):
            continue
        called, moved = _stage_transitions(action, program, subs)
        for here in _stages_of(action, program) & subs:
            calls[here] |= called
            moves[here] |= moved
    chains: dict[str, int] = {}
    under_way: list[str] = []

    def chain(name: str) -> int:
        """Return how many sub-turns are under way at most while this one is, itself included."""
        if name in chains:
            return chains[name]
        if name in under_way:
            ring = [*under_way[under_way.index(name) :], name]
            raise _Circle(" calls ".join(f"`{each}`" for each in ring))
        under_way.append(name)
        frame = _frame(name, moves)
        deepest = max((chain(inner) for here in frame for inner in calls[here]), default=0)
        under_way.pop()
        chains[name] = 1 + deepest
        return chains[name]

    try:
        return max(map(chain, sorted(subs))), None
    except _Circle as circle:
        return 1, str(circle)


class _Circle(Exception):
    """Sub-turns that call each other without end."""


def _frame(name: str, moves: dict[str, set[str]]) -> set[str]:
    """Return the stages that one sub-turn can go through."""
    found, waiting = {name}, [name]
    while waiting:
        for to in moves[waiting.pop()] - found:
            found.add(to)
            waiting.append(to)
    return found


def _stages_of(action: ast.Action, program: ProgramInfo) -> set[str]:
    names = {ref.name.text for ref in action.during}
    for name in names & program.symbols.stagesets.keys():
        codes_ = set(program.stagesets.get(name, ()))
        names |= {info.name for info in program.stages.values() if codes_ & set(info.codes)}
    return names & program.stages.keys()


def _stage_transitions(
    rule: ast.Action | ast.Effect, program: ProgramInfo, subs: set[str]
) -> tuple[set[str], set[str]]:
    """Return which sub-turns a rule can call, and to which it can move on, its effects included."""
    draws, rolls = draws_of(program.symbols), rolls_of(program.symbols)
    called: set[str] = set()
    moved: set[str] = set()
    seen: set[str] = set()
    waiting: list[object] = [rule.body]
    while waiting:
        node = waiting.pop()
        match node:
            case tuple():
                waiting.extend(node)
            case ast.CallStage(stage=stage, then=then):
                called |= _names(stage) & subs
                moved |= set() if then is None else _names(then) & subs
            case ast.AskPoll(poll=poll, then=then):
                called |= {poll.text} & subs
                moved |= set() if then is None else _names(then) & subs
            case ast.RollStmt(target=target, then=then):
                rolled = rolls.get(target.name.text)
                called |= set() if rolled is None else {rolled.stage}
                moved |= set() if then is None else _names(then) & subs
            case ast.TextStmt():
                waiting += [
                    each.body
                    for name, each in program.symbols.rules.items()
                    if "." in name and isinstance(each, ast.Effect)
                ]
            case ast.DrawStmt(source=source, target=target, then=then):
                drawn = draws.get((source.name.text, target.name.text))
                called |= set() if drawn is None else {drawing_stage(drawn.name)}
                moved |= set() if then is None else _names(then) & subs
            case ast.Assign(place=ast.AssignTarget(name=ast.Word(text="stage")), value=value):
                moved |= _names(value) & subs
            case ast.RunStmt(name=name):
                effect = program.symbols.rules.get(name.text)
                if isinstance(effect, ast.Effect) and name.text not in seen:
                    seen.add(name.text)
                    waiting.append(effect.body)
            case ast.StmtLine(parts=parts):
                waiting.append(parts)
            case ast.IfStmt(then=then_, other=other):
                waiting += [then_, other]
            case ast.ForStmt(body=body):
                waiting.append(body)
            case _:  # whatever else is written goes nowhere
                pass
    return called, moved


def _names(node: object) -> set[str]:
    """Return the names in an expression, those of stages among them."""
    found: set[str] = set()
    waiting = [node]
    while waiting:
        item = waiting.pop()
        if isinstance(item, tuple):
            waiting.extend(item)
        elif isinstance(item, ast.Node):
            if isinstance(item, ast.Name):
                found.add(item.text)
            elif isinstance(item, ast.Call):
                found.add(item.name.text)
            waiting.extend(getattr(item, each) for each in item.__dataclass_fields__ if each != "span")
    return found


# --------------------------------------------------------------------------------------------------------------- claims


@dataclass(slots=True)
class SubTurns:
    """What the lowered actions do with the stack."""

    program: ProgramInfo
    ways: dict[int, set[int]] = field(default_factory=dict)  #: what each stage of a sub-turn can go back to, by code

    @property
    def _subs(self) -> frozenset[int]:
        return frozenset(code for info in self.program.stages.values() if info.node.sub for code in info.codes)

    def claims(self) -> tuple[ir.Claim, ...]:
        """Return the lemmas about the stack, after reporting what would break them."""
        cells = sum(is_stack(name) and name != DEPTH for name in self.program.variables)
        if not cells:
            return ()
        self.ways = {code: set() for code in self._subs}
        actions = list(self.program.actions.values())
        for action in actions:
            self._check(action)
        for action in actions:
            self._pushed(action)
        while any(self._moved(action) for action in actions):
            pass  # until nothing new can be gone back to
        return tuple(self._claims(cells))

    def _check(self, action: ir.Action) -> None:
        """Report a way into a sub-turn that is not called, one out of it that does not return, and two ways at once."""
        again = _second_stage_write(action.body)
        if again is not None:
            self._twice(action, again)
        inside, outside = set(action.stages) & self._subs, set(action.stages) - self._subs
        for stmt in assignments(action.body):
            if stmt.variable == stack_cell(1) and stmt.key.endswith(PUSHED) and not _is_current_stage(stmt.value):
                back = self._codes(stmt.value)
                if (inside and back - self._subs) or (outside and back & self._subs):
                    help_ = (
                        "go back to a stage of the same turn: of the sub-turn that calls, or outside one of no sub-turn"
                    )
                    self.program.bag.add(codes.PR419, "play would go on in another turn", stmt.span, help=help_)
            if stmt.variable != "stage" or stmt.key.endswith((CALLED, LEFT)) or not _literal(stmt.value):
                continue
            to = self._codes(stmt.value)
            if inside and to - self._subs:
                help_ = "write `return`, or `return to …` to give up what was interrupted"
                self.program.bag.add(codes.PR419, "this leaves a sub-turn without going back", stmt.span, help=help_)
            elif outside and to & self._subs:
                what = "a sub-turn begins here with nothing to go back to"
                self.program.bag.add(codes.PR419, what, stmt.span, help="write `call …`")

    def _twice(self, action: ir.Action, again: ir.Assign) -> None:
        calls = [each for each in assignments(action.body) if each.variable == "stage" and each.key.endswith(CALLED)]
        called = {self.program.stage.labels[code] for each in calls for code in self._codes(each.value)}
        for word, made in (("draw", drawing_stage("")), ("roll", "rolling_")):
            if called and all(name.startswith(made) for name in called):
                help_ = f"a `{word}` does not end the effect: say in its line where play goes on, `{word} … then STAGE`"
                self.program.bag.add(codes.PR419, f"the stage is set twice around a `{word}`", again.span, help=help_)
                return
        help_ = "neither `call` nor `return` ends the effect; use `else`, or `call … then …`"
        self.program.bag.add(codes.PR419, "the stage is set twice around a sub-turn", again.span, help=help_)

    def _pushed(self, action: ir.Action) -> None:
        """Note what the sub-turns that an action calls go back to."""
        goals: dict[str, set[int]] = {}
        made = list(self._made_here(action.body))
        for stmt in made:
            base = stmt.key.rpartition(".")[0]
            if stmt.variable == "stage" and stmt.key.endswith(CALLED):
                goals[base] = self._codes(stmt.value)
        for stmt in made:
            if stmt.key.endswith(PUSHED):
                back = set(action.stages) if _is_current_stage(stmt.value) else self._codes(stmt.value)
                for goal in goals.get(stmt.key.rpartition(".")[0], set()) & self._subs:
                    self.ways[goal] |= back

    def _moved(self, action: ir.Action) -> bool:
        """Take on what can be gone back to where one stage of a sub-turn leads to another; tell whether anything is new."""
        new = False
        for stmt in self._made_here(action.body):
            plain = stmt.variable == "stage" and not stmt.key.endswith((CALLED, LEFT)) and _literal(stmt.value)
            resumed = stmt.key.endswith(PUSHED) and not _is_current_stage(stmt.value)
            if not plain and not resumed:
                continue
            for here in set(action.stages) & self._subs:
                for to in self._codes(stmt.value) & self._subs:
                    new |= not self.ways[here] <= self.ways[to]
                    self.ways[to] |= self.ways[here]
        return new

    def _made_here(self, block: tuple[ir.Stmt, ...]) -> Iterator[ir.Assign]:
        """Yield the assignments of a block, without branches that the rulings of this reading exclude."""
        for stmt in block:
            match stmt:
                case ir.Branch(test=test, then=then, other=other):
                    if (held := ruled(test, self.program)) is not False:
                        yield from self._made_here(then)
                    if held is not True:
                        yield from self._made_here(other)
                case ir.Loop(body=body):
                    yield from self._made_here(body)
                case ir.Assign():
                    yield stmt
                case ir.Define():
                    pass
                case _:
                    assert_never(stmt)

    def _codes(self, value: ir.Expr) -> set[int]:
        """Return the stages that an expression can stand for."""
        form = form_of(value)
        if isinstance(value, ir.Lit):
            return {value.value}
        if form is not None and form.name == "stage" and form.label in self.program.stages:
            return set(self.program.stages[form.label].codes)
        if isinstance(value, ir.Cond):
            return self._codes(value.then) | self._codes(value.other)
        return set(range(self.program.stage.size))

    def _claims(self, cells: int) -> Iterator[ir.Claim]:
        named = [info for info in self.program.stages.values() if info.node.sub]
        names = (OUTSIDE, *(f"sub.{info.name}" for info in named), *((DEEPER,) if cells > 1 else ()))

        def claim(name: str, doc: str, formula: ir.Expr, info: StageInfo | None = None) -> ir.Claim:
            span = None if info is None else info.node.span
            others = tuple(each for each in names if each != name)
            return ir.Claim(name, "invariant", formula, others, ir.Note(doc, (), span))

        stage = ir.Read("stage", (), self.program.stage)
        top = self._cell(1)
        begun = ir.Apply("!=", (top, ir.Lit(top.type.hi, top.type)), ir.BOOL)
        inside = ir.Apply("implies", (begun, _one_of(stage, self._subs)), ir.BOOL)
        yield claim(OUTSIDE, "Outside of sub-turns there is nothing to go back to.", inside)
        for info in named:
            back = set[int]().union(*(self.ways[code] for code in info.codes))
            here = _one_of(stage, info.codes)
            if back:
                test = ir.Apply("implies", (here, _one_of(top, back)), ir.BOOL)
                yield claim(f"sub.{info.name}", f"What `{info.name}` interrupts is known.", test, info)
            else:
                never = ir.Apply("not", (here,), ir.BOOL)
                yield claim(f"sub.{info.name}", f"Nothing calls `{info.name}` in this reading.", never, info)
        for info in named:
            if info.node.poll and info.by is not None and any(self.ways[code] for code in info.codes):
                asked = ir.Apply("!=", (info.by, ir.Lit(info.by.type.hi, info.by.type)), ir.BOOL)
                test = ir.Apply("implies", (_one_of(stage, info.codes), asked), ir.BOOL)
                yield claim(f"poll.{info.name}", f"As long as `{info.name}` goes on, somebody is asked.", test, info)
        if cells > 1:
            yield claim(
                DEEPER,
                "What was interrupted has itself something to go back to, or nothing.",
                self._stack_invariant(cells),
            )

    def _stack_invariant(self, cells: int) -> ir.Expr:
        """Return that each cell goes with the one below it, for those stages of sub-turns that are ever gone back to."""
        resumed = sorted(self._subs & set[int]().union(*self.ways.values()))
        tests: list[ir.Expr] = []
        for at in range(1, cells):
            here, below = self._cell(at), self._cell(at + 1)
            some = ir.Apply("!=", (below, ir.Lit(below.type.hi, below.type)), ir.BOOL)
            tests.append(ir.Apply("implies", (some, _one_of(here, resumed)), ir.BOOL))
            for code in resumed:
                same = equals(here, ir.Lit(code, here.type))
                tests.append(ir.Apply("implies", (same, _one_of(below, self.ways[code])), ir.BOOL))
        tests.append(ir.Apply("not", (_one_of(self._cell(cells), resumed),), ir.BOOL))
        return conjunction(*tests)

    def _cell(self, number_: int) -> ir.Read:
        return ir.Read(stack_cell(number_), (), self.program.variables[stack_cell(number_)].type)


def _second_stage_write(block: tuple[ir.Stmt, ...]) -> ir.Assign | None:
    """Return an assignment that sets the stage although a sub-turn was called or ended on the same path, or will be."""
    plain = through = False
    for stmt in block:
        inner = (
            (stmt.then, stmt.other)
            if isinstance(stmt, ir.Branch)
            else (stmt.body,)
            if isinstance(stmt, ir.Loop)
            else ()
        )
        for part in inner:
            found = _second_stage_write(part)
            if found is not None:
                return found
        sets = [each for each in assignments((stmt,)) if each.variable == "stage"]
        ways = [each for each in sets if each.key.endswith((CALLED, RETURNED, LEFT))]
        if (through and sets) or (plain and ways):
            return sets[0]
        through, plain = through or bool(ways), plain or bool(sets)
    return None


def _is_current_stage(value: ir.Expr) -> bool:
    return isinstance(value, ir.Read) and value.variable == "stage"


def _literal(value: ir.Expr) -> bool:
    """Tell whether the text names the stages that a value stands for."""
    form = form_of(value)
    if isinstance(value, ir.Cond):
        return _literal(value.then) and _literal(value.other)
    return isinstance(value, ir.Lit) or (form is not None and form.name == "stage")


def _one_of(value: ir.Expr, wanted: Iterable[int]) -> ir.Expr:
    tests = tuple(equals(value, ir.Lit(code, value.type)) for code in sorted(wanted))
    return ir.Lit(0, ir.BOOL) if not tests else tests[0] if len(tests) == 1 else ir.Apply("or", tests, ir.BOOL)
