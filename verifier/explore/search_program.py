"""Program: everything a search needs to know about a game, as functions over batches of packed states.

Reads:  a core game.   Writes: `Program`: its packing, its kernels by stage, its checks.
After:  nothing in the search depends on the game but through the program.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, assert_never

from pilgrim_rules.core.automata import automaton_decides
from pilgrim_rules.core.footprint import reads
from pilgrim_rules.core.ir import BOOL, Action, Apply, Expr, Game, Lit, Ranking, Read, StageKind
from pilgrim_rules.engine.python.compile import Compiled, compiled
from pilgrim_rules.semantics.moves import MoveBook
from pilgrim_rules.semantics.reference import Reference
from pilgrim_rules.semantics.state_layout import Position
from verifier.explore import kernels, reference_kernels
from verifier.explore.generated_module import GeneratedModule, Site
from verifier.explore.kernels import MoveNumbers
from verifier.explore.search_result import FindingKind
from verifier.explore.source_text import NotVectorised
from verifier.explore.state_packing import StatePacking


@dataclass(frozen=True, slots=True)
class StateCheck:
    """Something asked of every state, or of every step: `holds(now, after)` gives a Boolean for each column."""

    name: str
    kind: FindingKind
    holds: Callable[..., Any]


@dataclass(frozen=True, slots=True)
class SearchProgram:
    """A game, ready to be searched."""

    game: Game
    reference: Reference
    module: GeneratedModule
    start: tuple[int, ...]
    book: MoveBook
    moves: tuple[MoveNumbers, ...]
    by_stage: dict[int, tuple[tuple[MoveNumbers, Callable[..., None]], ...]]
    stage_of: Callable[..., Any]
    of_states: tuple[StateCheck, ...]
    of_steps: tuple[StateCheck, ...]
    automatic: dict[int, Callable[..., Any]]  #: by stage of players, in which states an automaton is to decide
    goals: tuple[tuple[str, Callable[..., Any]], ...]  #: what is claimed to be reachable
    by_evaluator: tuple[str, ...]  #: actions and claims that the generator had no code for

    @property
    def packing(self) -> StatePacking:
        """How states are packed."""
        return self.module.packing

    @property
    def sites(self) -> list[Site]:
        """Where the rules can contradict themselves, by number less one."""
        return self.module.sites

    def stage_kind(self, code: int) -> StageKind:
        """Return who decides in a stage."""
        return self.game.stages[code].kind

    def move(self, number: int) -> tuple[Action, tuple[int, ...]]:
        """Return action and arguments of a move."""
        found = self.moves[self._place(number)]
        return found.action, found.args(number)

    def move_text(self, number: int) -> str:
        """Return a move as people write it."""
        at = self._place(number)
        return str(self.book.move((at, self.moves[at].args(number))))

    def _place(self, number: int) -> int:
        return bisect_right(self.moves, number, key=lambda each: each.first) - 1


def generate(
    game: Game,
    *,
    check: bool = True,
    audits: bool = False,
    packing: StatePacking | None = None,
    start: Position | None = None,
    caps: Mapping[str, int] | None = None,
) -> SearchProgram:
    """Return the program of a game.

    start     where it begins, if not at its start.
    audits    questions to networks are asked too, once for each combination of what they look at.
    caps      how far counters without upper end are followed.
    packing   that of another game with the same variables, so that states can be compared.
    """
    builder = _Builder(game, packing, start, caps)
    moves = _numbered(game)
    acts = [(each, builder.kernel(each)) for each in moves]
    stage = builder.stage()
    asked = builder.checks(audits=audits) if check else []
    goals = builder.goals() if check else []
    automatic = builder.automatic()
    functions = builder.functions()
    checks = [StateCheck(name, kind, functions[function]) for name, kind, function in asked]
    return SearchProgram(
        game,
        builder.reference,
        builder.module,
        builder.module.packing.pack(builder.start),
        MoveBook(game),
        moves,
        {
            code.code: tuple((each, functions[name]) for each, name in acts if code.code in each.action.stages)
            for code in game.stages
        },
        functions[stage],
        tuple(each for each in checks if each.kind in ("invariant", "conserved", "audit", "to move")),
        tuple(each for each in checks if each.kind in ("step", "terminates")),
        {code: functions[function] for code, function in automatic},
        tuple((name, functions[function]) for name, function in goals),
        tuple(builder.by_evaluator),
    )


def _numbered(game: Game) -> tuple[MoveNumbers, ...]:
    found: list[MoveNumbers] = []
    for action in game.actions:
        found.append(MoveNumbers(action, found[-1].first + found[-1].count if found else 0))
    return tuple(found)


class _Builder:
    """Collects functions, generated where possible, under names of our own."""

    def __init__(
        self, game: Game, packing: StatePacking | None, start: Position | None, caps: Mapping[str, int] | None
    ) -> None:
        self.game = game
        self.reference = Reference.from_game(game)
        self.start = self.reference.start() if start is None else start
        self.module = GeneratedModule(
            self.reference.declared, packing or StatePacking.from_game(game, self.start, caps)
        )
        self.by_evaluator: list[str] = []
        self._slow: dict[str, Callable[..., Any]] = {}
        self._count = 0

    def functions(self) -> dict[str, Callable[..., Any]]:
        return {**self.module.functions(), **self._slow}

    def kernel(self, moves: MoveNumbers) -> str:
        return self._add(
            moves.action.name,
            lambda name: kernels.kernel(self.module, moves, name),
            lambda: reference_kernels.kernel(self.module, self.reference, moves),
        )

    def stage(self) -> str:
        self._count += 1
        kernels.measure(self.module, Read("stage", (), self.game.stage), f"g{self._count}")
        return f"g{self._count}"

    def checks(self, *, audits: bool) -> list[tuple[str, FindingKind, str]]:
        found: list[tuple[str, FindingKind, str]] = []
        for claim in self.game.claims:
            match claim.kind:
                case "law" | "reachable" | "contract":
                    pass  # a law is checked when the game is loaded, a contract at the end of the effects of its action
                case "audit":
                    if audits:
                        found.append((claim.name, claim.kind, self._audit(claim.name)))
                case "invariant" | "conserved" | "step":
                    found.append((claim.name, claim.kind, self._predicate(claim.name, claim.formula)))
                case _:
                    assert_never(claim.kind)
        found += [(each.name, "terminates", self._descent(each)) for each in self.game.rankings]
        for stage in self.game.stages:
            if stage.by is not None and stage.by.type.kind == "optional":
                name = f"someone decides in {stage.name}"
                found.append((name, "to move", self._predicate(name, _decided(self.game, stage.code, stage.by))))
        return found

    def goals(self) -> list[tuple[str, str]]:
        claims = [claim for claim in self.game.claims if claim.kind == "reachable"]
        return [(claim.name, self._predicate(claim.name, claim.formula)) for claim in claims]

    def automatic(self) -> list[tuple[int, str]]:
        """Return, for each stage of players, the function that tells whether an automaton is to decide."""
        found = ((stage, automaton_decides(self.game, stage)) for stage in self.game.stages)
        return [
            (stage.code, self._predicate(f"an automaton decides in {stage.name}", test))
            for stage, test in found
            if test is not None
        ]

    def _predicate(self, label: str, formula: Expr) -> str:
        return self._add(
            label,
            lambda name: kernels.predicate(self.module, formula, name),
            lambda: reference_kernels.predicate(self.module, self.reference, formula),
        )

    def _audit(self, label: str) -> str:
        def no_code(_: str) -> None:
            raise NotVectorised

        return self._add(
            label, no_code, lambda: reference_kernels.audit(self.module, self._code, label, self._looks_at(label))
        )

    def _looks_at(self, claim: str) -> frozenset[str]:
        """Return the variables that a claim looks at, through definitions and networks."""
        declared = self.reference.declared
        return reads((declared.claims[claim].formula,), declared.defs, declared.networks)

    @cached_property
    def _code(self) -> Compiled:
        return compiled(self.game, ghosts=True)

    def _descent(self, ranking: Ranking) -> str:
        return self._add(
            ranking.name,
            lambda name: kernels.descent(self.module, ranking.parts, name),
            lambda: reference_kernels.descent(self.module, self.reference, ranking.parts),
        )

    def _add(self, label: str, write: Callable[[str], None], otherwise: Callable[[], Callable[..., Any]]) -> str:
        self._count += 1
        name = f"g{self._count}"
        try:
            write(name)
        except NotVectorised:
            self._slow[name] = otherwise()
            self.by_evaluator.append(label)
        return name


def _decided(game: Game, stage: int, by: Expr) -> Expr:
    """Return the formula that in the stage somebody decides."""
    here = Apply("==", (Read("stage", (), game.stage), Lit(stage, game.stage)), BOOL)
    return Apply("implies", (here, Apply("!=", (by, Lit(by.type.hi, by.type)), BOOL)), BOOL)
