"""Throws of dice: the stage and the action by which chance throws, declared as if the author had written them.

Reads:  the lines `roll … into …` of a game, and its variables.   Writes: stages and actions of the symbol table.
After:  for each pool that dice are thrown into there is a sub-turn of chance, in which one die after the other is thrown, each
        face as likely as any other. Their order means nothing, so the pool has the distribution of one throw of all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pilgrim_rules.core.zones import ROLLING, TARGET
from pilgrim_rules.language.names.order import rule_parts
from pilgrim_rules.language.names.symbols import Symbols
from pilgrim_rules.language.syntax import ast


@dataclass(frozen=True, slots=True)
class RolledPool:
    """A table of numbers of faces, by its last index; the other index, if there is one, says whose pool it is."""

    pool: ast.Variable

    @property
    def many(self) -> str:
        """The variable that says how many dice are still to be thrown."""
        return f"{ROLLING}{self.pool.name.text}"

    @property
    def whose(self) -> str:
        """The variable that remembers which of several pools is meant."""
        return f"{TARGET}{self.pool.name.text}"

    @property
    def stage(self) -> str:
        """The stage in which chance throws."""
        return f"rolling_{self.pool.name.text}"

    @property
    def action(self) -> str:
        """The action by which chance throws one die."""
        return f"roll_{self.pool.name.text}"


def rolls_of(symbols: Symbols) -> dict[str, RolledPool]:
    """Return the pools that dice are thrown into, by name."""
    found: dict[str, RolledPool] = {}
    for rule in symbols.rules.values():
        for node in rule_parts(rule).rolls:
            pool = symbols.values.get(node.target.name.text)
            if isinstance(pool, ast.Variable) and len(pool.index) in (1, 2):
                found[pool.name.text] = RolledPool(pool)
    return found


def declare_rolls(symbols: Symbols) -> None:
    """Declare the stages and actions of everything that is thrown."""
    if symbols.stages is None:
        return
    for rolled in rolls_of(symbols).values():
        span = rolled.pool.span
        stage = ast.StageName(ast.Word(rolled.stage, span=span), None, span=span)
        doc = f"Dice are thrown into `{rolled.pool.name.text}`."
        line = ast.StageLine((stage,), "chance", None, rolled.pool.cites, doc, sub=True, span=span)
        symbols.stages = replace(symbols.stages, lines=(*symbols.stages.lines, line))
        symbols.rules.setdefault(rolled.action, _action(rolled))


def _action(rolled: RolledPool) -> ast.Action:
    """Return the action that throws one die."""
    pool, span = rolled.pool, rolled.pool.span
    *whose, faces = pool.index
    word = faces.name or ast.Word("face", span=span)
    index = (*(ast.Name(rolled.whose, span=span) for _ in whose), ast.Name(word.text, span=span))
    one = ast.Number(1, span=span)
    counted = ast.Assign(ast.AssignTarget(pool.name, index, span=span), "+=", one, ghost=False, span=span)
    left = ast.AssignTarget(ast.Word(rolled.many, span=span), (), span=span)
    less = ast.Assign(left, "-=", one, ghost=False, span=span)
    done = ast.Binary("==", ast.Name(rolled.many, span=span), ast.Number(0, span=span), span=span)
    back = ast.StmtLine((ast.ReturnStage(None, span=span),), (), span=span)
    return ast.Action(
        name=ast.Word(rolled.action, span=span),
        kind="chance",
        params=(ast.Parameter(word, faces.type, None, pool.sight and ast.Sight("hidden", span=span), span=span),),
        by=None,
        during=(ast.StageRef(ast.Word(rolled.stage, span=span), None, span=span),),
        only=None,
        lines=(),
        costs=(),
        reveals=(),
        weight=None,
        body=(ast.StmtLine((counted, less), pool.cites, span=span), ast.IfStmt(done, (back,), (), span=span)),
        place=None,
        cites=pool.cites,
        doc=f"One die is thrown into the {pool.name.text.replace('_', ' ')}.",
        span=span,
    )
