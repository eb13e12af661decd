"""Actual: what every term means in a real state. The encoder's own account, checked against the evaluator.

Reads:  a query and a concrete position.   Writes: values of terms under the interpretation that soundness rests on.
After:  functions are the tables of the position, constants of ours stand for what `Query.meanings` says. If every
        assertion that carries no label is true here, then nothing false was asserted about this state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pilgrim_rules.engine.layout import Position
from pilgrim_rules.engine.scene import cell
from verifier.smt.candidate import Candidate
from verifier.smt.domains import UNDEFINED
from verifier.smt.encode import Encoder
from verifier.smt.models import Model
from verifier.smt.states import State
from verifier.smt.terms import Symbol, Term, Value


class Actual(Candidate):
    """A real state, in which some constants (parameters) have given values."""

    def __init__(self, encoder: Encoder, position: Position, given: Mapping[str, int]) -> None:
        super().__init__(encoder, Model(dict(given), {}), position)

    def _evaluate(self, term: Term, args: list[Value]) -> Value:
        if term.op != "const":
            return super()._evaluate(term, args)
        if term.name in self.model.constants:
            return self.model.constants[term.name]
        if term.name in self.good:
            return self.good[term.name][0]
        meaning = self.encoder.query.meanings.get(term.name)
        if meaning is None:  # only measured, never asserted
            return term.lo
        try:
            return meaning(self)
        except UNDEFINED:  # where nobody asks, any value will do
            return term.lo

    def _applied(self, symbol: Symbol, args: tuple[int, ...]) -> Value:
        world, constants = self.encoder.survey.world, self.encoder.constants.functions
        table = world.variables.get(symbol.name) or constants[symbol.name]
        inside = all(type_.lo <= arg <= type_.hi for type_, arg in zip(table.index, args, strict=True))
        codes = self.good[symbol.name] if symbol.name in world.variables else constants[symbol.name].values
        value = codes[cell(table.index, args)] if inside else symbol.lo
        return bool(value) if symbol.sort == "Bool" else value

    def _completed(self, state: State) -> dict[str, Sequence[int]]:  # noqa: ARG002  (there is one real state)
        return dict(self.good)
