"""States that give every term a value: a solver's model, completed (a candidate), or a real state.

Reads:  a model, and a state that is known to be good.   Writes: concrete positions and environments for the evaluator.
After:  cells that were looked at have the model's value, all others come from the good state. Nothing is claimed: the
        candidate is evaluated, and either names what it violates or is replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.ir import Constant, Type, Variable
from pilgrim_rules.core.table_cells import cell
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.evaluate import evaluate
from pilgrim_rules.semantics.reference import Reference
from pilgrim_rules.semantics.state_layout import Position
from verifier.smt.encode.context import Context
from verifier.smt.encode.domains import UNDEFINED
from verifier.smt.encode.encoded_states import (
    CellWrite,
    Computed,
    Delayed,
    EncodedState,
    Mirrored,
    Scope,
    Symbolic,
    Veiled,
)
from verifier.smt.terms.models import Model
from verifier.smt.terms.terms import Sort, Symbol, Term, Terms, Value


@dataclass(slots=True, eq=False)
class Candidate:
    """A model, completed to concrete states."""

    encoder: Context
    model: Model
    good: Position
    _values: dict[Term, Value] = field(default_factory=dict)
    _positions: dict[EncodedState, dict[str, Sequence[int]]] = field(default_factory=dict)
    _coded: dict[EncodedState, bytes] = field(default_factory=dict)
    _changed: dict[EncodedState, frozenset[str]] = field(default_factory=dict)
    _declared: Declarations | None = None
    _data: frozenset[str] = frozenset()

    # --------------------------------------------------------------------------------------------------------- terms

    def value(self, term: Term) -> int:
        """Return the value of a term; a truth value counts as 0 or 1."""
        known = self._values
        stack = [term]
        while stack:
            node = stack[-1]
            if node in known:
                stack.pop()
                continue
            missing = [arg for arg in node.args if arg not in known]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            known[node] = self._evaluate(node, [known[arg] for arg in node.args])
        return int(known[term])

    def _evaluate(self, term: Term, args: list[Value]) -> Value:
        match term.op:
            case "num" | "truth":
                return term.value
            case "const":
                return self.model.constants.get(term.name, term.lo)
            case "app":
                assert term.symbol is not None, "a function value has a symbol"
                return self._applied(term.symbol, tuple(args))
            case "linear":
                return term.value + sum(factor * arg for factor, arg in zip(term.factors, args, strict=True))
            case "times":
                return args[0] * args[1]
            case "div":
                return args[0] // args[1] if args[1] > 0 else 0
            case "ite":
                return args[1] if args[0] else args[2]
            case "=":
                return args[0] == args[1]
            case "<=":
                return args[0] <= args[1]
            case "and":
                return all(args)
            case "or":
                return any(args)
            case "not":
                return not args[0]

    def _applied(self, symbol: Symbol, args: tuple[int, ...]) -> Value:
        table = self.model.functions.get(symbol.name)
        if table is None:
            return symbol.lo
        found = table.entries.get(args, table.otherwise)
        # Away from the terms that were asserted, the solver's choice may lie outside the type.
        return found if symbol.sort == "Bool" or symbol.lo <= found <= symbol.hi else symbol.lo

    # -------------------------------------------------------------------------------------------------------- states

    @property
    def declared(self) -> Declarations:
        """The game, with the values that the model gives to symbolic constants."""
        if self._declared is None:
            declared, constants = self.encoder.footprints.declared, self.encoder.constants
            chosen = (
                self._constant(constants.functions[name]) for name in constants.symbolic & set(constants.functions)
            )
            changed = {each.name: each for each in chosen if each.values != declared.constants[each.name].values}
            self._data = frozenset(changed)
            if changed:
                game = declared.game
                declared = Declarations(
                    replace(game, constants=tuple(changed.get(each.name, each) for each in game.constants))
                )
            self._declared = declared
        return self._declared

    @property
    def changed_constants(self) -> frozenset[str]:
        """The symbolic constants to which the model gives other values than the game has."""
        assert self.declared is not None
        return self._data

    def changed(self, state: EncodedState) -> frozenset[str]:
        """Return the variables that differ from the good state."""
        if not state.versions:  # where laws are read
            return frozenset()
        if state not in self._changed:
            position = self.position(state)
            self._changed[state] = frozenset(name for name in state.versions if position[name] != self.good[name])
        return self._changed[state]

    def coded(self, state: EncodedState, encoded: Callable[[Position], bytes]) -> bytes:
        """Return a state as the compiled engine knows it; ValueError if a code is outside its type."""
        if state not in self._coded:
            self._coded[state] = encoded(self.position(state))
        return self._coded[state]

    def position(self, state: EncodedState) -> Position:
        """Return the concrete codes of a state."""
        if state not in self._positions:
            if state.origin is None:
                self._positions[state] = self._completed(state)
            else:
                after = dict(self.position(state.root))
                for name, writes in state.writes.items():
                    table = after[name]
                    for write in writes:
                        if isinstance(write, CellWrite):
                            table = self._written(self.encoder.footprints.declared.variables[name], table, write)
                        else:
                            table = write.after(self)
                    after[name] = table
                self._positions[state] = after
        return self._positions[state]

    def env(self, scope: Scope, names: Sequence[str]) -> Environment:
        """Return what the evaluator sees where an expression saw the scope; only the given names are needed."""
        old = None if scope.old is None else self.position(scope.old)
        later = None if scope.next is None else self.position(scope.next)
        env = Environment(self.declared, self.position(scope.now), {}, old, later)
        values: dict[str, int] = {}
        for name in names:
            meaning = scope.names[name]
            if isinstance(meaning, Delayed):
                outside = self.env(meaning.scope, self.encoder.footprints.free(meaning.expr))
                values[name] = evaluate(meaning.expr, outside)
            else:
                values[name] = self.value(meaning)
        return replace(env, names=values)

    def _completed(self, state: EncodedState) -> dict[str, Sequence[int]]:
        variables = self.encoder.footprints.declared.variables
        if isinstance(state.source, Veiled):
            return self._veiled(state.source)
        if isinstance(state.source, Mirrored):
            return dict(state.source.image(self.position(state.source.like)))
        if isinstance(state.source, Computed):  # the start, with the data of the model; laws are read in no state
            return dict(Reference(self.declared).start()) if state.versions else {}
        assert isinstance(state.source, Symbolic), "there is no other source"
        codes = {name: list(self.good[name]) for name in variables}
        for name, variable in variables.items():
            type_ = variable.type
            symbol = Symbol(name + state.source.copy, len(variable.index), _sort(type_), type_.lo, type_.hi)
            for index in self.encoder.query.asserted.get(symbol.name, ()):
                at = self.cell(variable, index)
                if at is not None:
                    codes[name][at] = self.value(self.encoder.arena.app(symbol, index))
        return dict(codes)

    def _veiled(self, source: Veiled) -> dict[str, Sequence[int]]:
        """Return a state that differs from the one it looks like only in cells that were read and cannot be seen."""
        codes = {name: list(table) for name, table in self.position(source.like).items()}
        for name, variable in self.encoder.footprints.declared.variables.items():
            for index in self.encoder.query.asserted.get(name + source.hidden.copy, ()):
                at = self.cell(variable, index)
                if at is not None:
                    codes[name][at] = self.value(source.read(variable, index))
        return dict(codes)

    def cell(self, variable: Variable | Constant, index: Terms) -> int | None:
        """Return the number of the cell that an index means here; None outside the table."""
        values = [self.value(term) for term in index]
        inside = all(type_.lo <= value <= type_.hi for type_, value in zip(variable.index, values, strict=True))
        return cell(variable.index, values) if inside else None

    def _written(self, variable: Variable, table: Sequence[int], write: CellWrite) -> Sequence[int]:
        at = self.cell(variable, write.index)
        if at is None or not self.value(write.condition):
            return table
        changed = list(table)
        changed[at] = self.value(write.value)
        return changed

    def _constant(self, constant: Constant) -> Constant:
        if not constant.index:
            return replace(constant, values=(int(self.model.constants.get(constant.name, constant.values[0])),))
        values = list(constant.values)
        table = self.model.functions.get(constant.name)
        for index in self.encoder.query.asserted.get(constant.name, ()):
            at = self.cell(constant, index)
            if at is not None and table is not None:
                codes = tuple(self.value(term) for term in index)
                values[at] = int(table.entries.get(codes, table.otherwise))
        return replace(constant, values=tuple(values))


class RealState(Candidate):
    """A real state, in which some constants (parameters) have given values.

    Functions are the tables of the position, constants of ours stand for what `Query.meanings` says. If every assertion
    that carries no label is true here, then nothing false was asserted about this state.
    """

    def __init__(self, encoder: Context, position: Position, given: Mapping[str, int]) -> None:
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
        declared, constants = self.encoder.footprints.declared, self.encoder.constants.functions
        table = declared.variables.get(symbol.name) or constants[symbol.name]
        inside = all(type_.lo <= arg <= type_.hi for type_, arg in zip(table.index, args, strict=True))
        codes = self.good[symbol.name] if symbol.name in declared.variables else constants[symbol.name].values
        value = codes[cell(table.index, args)] if inside else symbol.lo
        return bool(value) if symbol.sort == "Bool" else value

    def _completed(self, state: EncodedState) -> dict[str, Sequence[int]]:  # noqa: ARG002  (there is one real state)
        return dict(self.good)


def _sort(type_: Type) -> Sort:
    return "Bool" if type_.kind == "bool" else "Int"
