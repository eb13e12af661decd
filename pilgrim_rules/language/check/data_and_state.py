"""DataAndState: columns, data parameters, rulings, state variables and definitions.

Reads:  the declarations, the edition and the maps, through the checker of expressions.
Writes: `columns`, `constants`, `variables` and `defs` of the program.
After:  every constant has its values, every variable its type and initial value, every definition its body.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pilgrim_rules.core import derived, ir
from pilgrim_rules.core.forms import expand_form
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.inputs.graphs.graph import GraphData, edges
from pilgrim_rules.inputs.graphs.node_columns import column_of
from pilgrim_rules.language.check.coerce import widened
from pilgrim_rules.language.check.constant import value_of, values_of
from pilgrim_rules.language.check.expression_size import MAX_HEIGHT
from pilgrim_rules.language.check.expressions import Expressions
from pilgrim_rules.language.check.program_info import MAX_CELLS, POISON, POISONED, ProgramInfo
from pilgrim_rules.language.check.scope import CONSTANT, DEFINITION, Scope
from pilgrim_rules.language.check.scores import Scores
from pilgrim_rules.language.check.sub_turns import stack_of
from pilgrim_rules.language.check.zone_starts import start_zones
from pilgrim_rules.language.check.zone_tables import zone_variables
from pilgrim_rules.language.names.order import value_order
from pilgrim_rules.language.syntax import ast

MAX_LETS = 64


@dataclass(slots=True)
class DataAndState:
    """Fills the tables of the program, constants first."""

    program: ProgramInfo
    check: Expressions
    rulings: dict[str, str]  #: the options chosen by whoever loads the game, by the name of the ruling

    def run(self) -> None:
        """Declare everything that expressions can speak of."""
        symbols = self.program.symbols
        for source in symbols.values.values():
            if isinstance(source, ast.Ruling):
                self._ruling(source)
        self._variables()
        for graph in symbols.graphs.values():
            self._graph_columns(graph)
        for source_ in symbols.types.values():
            if isinstance(source_, ast.Rows):
                self._row_columns(source_)
        order = value_order(symbols, self.program.bag)
        self.program.broken |= {name for name in symbols.values if not self._known(name)} - set(order)
        scores = Scores(self.check)
        for name in order:
            match symbols.values.get(name):
                case ast.Param() as param:
                    self._param(param)
                case ast.Def() as definition:
                    self._definition(definition)
                case _ if name == derived.POINTS:  # nobody has written it
                    scores.count()
                case _ if name == derived.RANK:  # nor this
                    scores.order()
                case _:
                    raise AssertionError("only parameters, definitions and the score are ordered")
            if not self._known(name):
                self.program.broken.add(name)  # at once, so that its uses are accepted
        self._initials()

    def _known(self, name: str) -> bool:
        return name in self.program.variables or name in self.program.constants or name in self.program.defs

    # constants -----------------------------------------------------------------------------------------------------

    def _ruling(self, node: ast.Ruling) -> None:
        labels = tuple(option.name.text for option in node.options)
        defaults = [option.name.text for option in node.options if option.default]
        names = [*labels, *(option.name.text for option in node.refused)]
        if len(defaults) != 1 or len(set(names)) != len(names):
            kind, part = ("option", "choice") if node.by_players else ("ruling", "option")
            if len(set(names)) != len(names):
                what = f"{kind} `{node.name.text}` has two {part}s of one name"
            else:
                said = "no default" if not defaults else f"{len(defaults)} defaults"
                what = f"{kind} `{node.name.text}` has {said}"
            self.program.bag.add(codes.PR506, what, node.name.span, help=f"write `default` behind exactly one {part}")
            self.program.broken |= {*labels, node.name.text}
            return
        type_ = ir.Type(node.name.text, "enum", 0, len(labels) - 1, labels)
        for label in labels:
            self.program.labels.setdefault(label, []).append(type_)
        chosen = self.rulings.get(node.name.text, defaults[0])
        note = self.program.note(node)
        source: ir.ConstantSource = "option" if node.by_players else "ruling"
        self.program.constants[node.name.text] = ir.Constant(
            node.name.text, (), type_, (labels.index(chosen),), source, assumed=True, note=note
        )

    def _graph_columns(self, node: ast.Graph) -> None:
        known = self.program.graphs.get(node.name.text)
        if known is None or known[1] == POISON:
            return
        data, nodes, _ = known
        self._expect_columns(nodes, node.columns)
        for column in node.columns:
            index, type_ = self._shape(column.index, column.type)
            if POISON not in (*index, type_):
                values = column_of(data, column.name.text, index, type_, column.span, self.program.bag)
                self._column(nodes, column, index, type_, values, assumed=False)
        if node.edges is not None and self.program.types.get(node.edges.text, POISON) != POISON:
            self._ends(node, node.edges.text, data, nodes)

    def _ends(self, node: ast.Graph, name: str, data: GraphData, nodes: ir.Type) -> None:
        """Give the edges of a graph their ends as columns: `e.from` and `e.to`."""
        owner = self.program.types[name]
        for at, end in enumerate(("from", "to")):
            codes_ = tuple(edge[at] for edge in edges(data))
            table = f"{name}.{end}"
            self.program.columns[name, end] = table
            self.program.constants[table] = ir.Constant(
                table, (owner,), nodes, codes_, "graph", note=self.program.note(node)
            )

    def _expect_columns(self, owner: ir.Type, columns: tuple[ast.Column, ...]) -> None:
        """Take columns for broken until they have their values."""
        self.program.broken |= {f"{owner.name}.{column.name.text}" for column in columns}

    def _row_columns(self, node: ast.Rows) -> None:
        owner = self.program.types.get(node.name.text, POISON)
        if owner == POISON:
            return
        self._expect_columns(owner, node.columns)
        edition = self.program.edition
        rows = edition.rows(node.data[1].text, node.data[1].span, self.program.bag) if node.data and edition else None
        for at, column in enumerate(node.columns):
            index, type_ = self._shape(column.index, column.type)
            if POISON in (*index, type_):
                continue
            if rows is not None and edition is not None and node.data is not None:
                name = column.name.text
                values = edition.column(rows, name, index, type_, column.span, self.program.bag, self.program.absent)
                values = self.program.with_data(f"{owner.name}.{name}", type_, values)
                self._column(owner, column, index, type_, values, assumed=edition.assumed(node.data[1].text, name))
            elif node.data is None:
                self._column(owner, column, index, type_, self._written(node, at, index, type_), assumed=False)

    def _written(self, node: ast.Rows, at: int, index: tuple[ir.Type, ...], type_: ir.Type) -> tuple[int, ...] | None:
        values: list[int] = []
        for row in node.rows:
            if len(row.values) != len(node.columns):
                what = f"`{row.name.text}` has {len(row.values)} values for {len(node.columns)} columns"
                self.program.bag.add(codes.PR304, what, row.span)
                return None
            found = self._constants(row.values[at], index, type_, row.span, self._names(node.columns[at].index))
            if found is None:
                return None
            values.extend(found)
        return tuple(values)

    def _column(
        self, owner: ir.Type, node: ast.Column, index: tuple[ir.Type, ...], type_: ir.Type,
        values: tuple[int, ...] | None, *, assumed: bool,
    ) -> None:  # fmt: skip
        key = (owner.name, node.name.text)
        if key in self.program.columns:
            self.program.bag.add(codes.PR202, f"`{owner.name}` has two columns `{node.name.text}`", node.name.span)
        elif values is not None:
            name = f"{owner.name}.{node.name.text}"
            self.program.columns[key] = name
            self.program.broken.discard(name)
            self.program.constants[name] = ir.Constant(
                name, (owner, *index), type_, values, "column", assumed, self.program.note(node)
            )

    def _shape(
        self, index: tuple[ast.IndexItem, ...], type_: ast.TypeExpr, *, may_be_open: bool = False
    ) -> tuple[tuple[ir.Type, ...], ir.Type]:
        types = tuple(self.check.declare.type(item.type) for item in index)
        cells = 1
        for each in types:
            cells *= each.size
        if cells > MAX_CELLS:
            span = Span(index[0].span.file, index[0].span.start, index[-1].span.end)
            what = f"a table of {cells:,} cells; {MAX_CELLS:,} is the limit"
            self.program.bag.add(codes.PR303, what, span, help="index it by fewer or smaller types")
            return types, POISON
        return types, self.check.declare.type(type_, may_be_open=may_be_open)

    def _param(self, node: ast.Param) -> None:
        index, type_ = self._shape(node.index, node.type)
        if POISON in (*index, type_):
            return
        assumed = False
        values: tuple[int, ...] | None = None
        if node.data is not None:
            if self.program.edition is None:
                self.check.declare.no_edition(node.data[0])
            else:
                key = node.data[1]
                absent = self.program.absent
                values = self.program.edition.values(key.text, index, type_, key.span, self.program.bag, absent)
                values = self.program.with_data(node.name.text, type_, values)
                assumed = self.program.edition.assumed(key.text)
        elif node.value is None:
            self.program.bag.add(
                codes.PR311,
                f"the parameter `{node.name.text}` has no value",
                node.name.span,
                help="write `= value` or `from edition.key`",
            )
        else:
            values = self._constants(node.value, index, type_, node.span, self._names(node.index))
        if values is not None:
            name = node.name.text
            self.program.constants[name] = ir.Constant(
                name, index, type_, values, "param", assumed, self.program.note(node)
            )

    def _names(self, index: tuple[ast.IndexItem, ...]) -> tuple[str, ...]:
        return tuple(item.name.text if item.name else f"index {at + 1}" for at, item in enumerate(index))

    def _constants(
        self, node: ast.Expr, index: tuple[ir.Type, ...], type_: ir.Type, span: Span, names: tuple[str, ...]
    ) -> tuple[int, ...] | None:
        """Return the codes of a constant table, given as a list or as an expression of its indices."""
        if isinstance(node, ast.Listing):
            items = node.items
            if index and index[0] == self.program.player and len(items) == index[0].size + len(self.program.absent):
                items = items[: index[0].size]
            if not index or len(items) != index[0].size:
                wanted = "one value" if not index else f"{index[0].size} values"
                self.program.bag.add(
                    codes.PR304, f"this list has {len(node.items)} entries, but {wanted} must be given", node.span
                )
                return None
            parts = [self._constants(item, index[1:], type_, span, names[1:]) for item in items]
            return None if None in parts else tuple(code for part in parts for code in part or ())
        scope = Scope(CONSTANT)
        for name, each in zip(names, index, strict=True):
            scope = scope.bind(name, ir.Bound(name, each))
        body = self.check.expr(node, scope, type_)
        if body.type == POISON:
            return None
        if not body.type.kind == type_.kind == "int":
            body = self.check.coerce(body, type_, node.span)
        values = None if body.type == POISON else values_of(body, names, index, self.program, node.span)
        wrong = next((code for code in values or () if not type_.lo <= code <= type_.hi), None)
        if wrong is not None:
            self.program.bag.add(codes.PR315, f"the value {wrong} is outside `{type_.name}`", node.span)
            return None
        return values

    # state ---------------------------------------------------------------------------------------------------------

    def _variables(self) -> None:
        stage = self.program.stage
        note = self.program.note(self.program.symbols.stages) if self.program.symbols.stages else ir.Note()
        self.program.variables["stage"] = ir.Variable("stage", (), stage, (), ir.Lit(0, stage), note=note)
        for variable in stack_of(self.program):
            self.program.variables[variable.name] = variable
        cells = 0
        sources = [each for each in self.program.symbols.values.values() if isinstance(each, ast.Variable)]
        for node in sources:
            index, type_ = self._shape(node.index, node.type, may_be_open=True)
            if POISON in (*index, type_):
                continue
            size = 1
            for each in index:
                size *= each.size
            cells += size
            if cells > MAX_CELLS:
                self.program.bag.add(codes.PR303, f"the state has more than {MAX_CELLS:,} cells", node.name.span)
                return
            if node.sight is not None and node.sight.word == "private" and index[:1] != (self.program.player,):
                what = f"`{node.name.text}` is private, so its first index must be the player who sees it"
                self.program.bag.add(codes.PR301, what, node.span)
            name = node.name.text
            over = self._names(node.index)
            note = self.program.note(node)
            initial = _default(type_)  # until parameters and definitions are known
            made = ir.Variable(name, index, type_, over, initial, node.ghost, None, note)
            self.program.variables[name] = made
            self._label_clash(node.name)
        for variable in zone_variables(self.program):
            self.program.variables[variable.name] = variable

    def _initials(self) -> None:
        """Give each variable the value it begins with."""
        for variable in list(self.program.variables.values()):
            node = self.program.symbols.values.get(variable.name)
            if isinstance(node, ast.Variable) and node.initial is not None:
                initial = self._initial(node, node.initial, variable)
                self.program.variables[variable.name] = replace(variable, initial=initial)
        start_zones(self.program, self.check)

    def _label_clash(self, word: ast.Word) -> None:
        owners = self.program.labels.get(word.text)
        if owners:
            self.program.bag.add(
                codes.PR203, f"`{word.text}` hides a label of `{owners[0].name}`", word.span, help="choose another name"
            )

    def _initial(self, node: ast.Variable, value: ast.Expr, variable: ir.Variable) -> ir.Expr:
        type_ = variable.type
        scope = Scope(CONSTANT)
        for name, each in zip(variable.over, variable.index, strict=True):
            scope = scope.bind(name, ir.Bound(name, each))
        made = self.check.expr(value, scope, type_)
        if made.type.kind != "int" or type_.kind != "int" or made.type == POISON:
            return self.check.coerce(made, type_, value.span)
        if type_.lo <= made.type.lo and made.type.hi <= type_.hi:
            return made
        values = values_of(made, variable.over, variable.index, self.program, value.span, looks=True)
        wrong = next((code for code in values or () if not type_.lo <= code <= type_.hi), None)
        if wrong is not None:
            what = f"`{node.name.text}` begins at {wrong}, outside its range {type_.name}"
            self.program.bag.add(codes.PR315, what, value.span, help="widen the range, or begin inside it")
        return expand_form("within", (made,), type_, type_)

    # definitions ---------------------------------------------------------------------------------------------------

    def _definition(self, node: ast.Def) -> None:
        name = node.name.text
        if len(node.lets) > MAX_LETS:
            help_ = "make several definitions of it"
            self.program.bag.add(
                codes.PR106, f"more than {MAX_LETS} names in one definition", node.lets[MAX_LETS].span, help=help_
            )
            return
        params, scope = self.parameters(node.params, Scope(DEFINITION))
        lets: list[tuple[str, ir.Expr]] = []
        for line in node.lets:
            value = self.check.expr(line.value, scope)
            self.check.shadowing(line.name, scope)
            lets.append((line.name.text, value))
            scope = scope.bind(line.name.text, ir.Bound(line.name.text, value.type))
        want = self.check.declare.type(node.result, may_be_open=True) if node.result else None
        body = self.check.expr(node.body, scope, want)
        if want is not None and body.type != POISON:
            body = self.check.coerce(body, want, node.body.span)
            body = body if body.type == POISON else widened(body, want)
        if (
            body.type == POISON
            or any(value.type == POISON for _, value in lets)
            or any(p.type == POISON for p in params)
        ):
            return
        for local, value in reversed(lets):
            body = ir.Let(local, value, body, body.type)
        found = self.program.measure(body)
        if found.height > MAX_HEIGHT:
            help_ = "use fewer definitions inside each other"
            self.program.bag.add(
                codes.PR106, f"`{name}` is nested more than {MAX_HEIGHT} levels deep", node.name.span, help=help_
            )
            return
        self._label_clash(node.name)
        self.program.define(ir.Def(name, params, body, node.public, self.program.note(node)))

    def parameters(
        self,
        nodes: tuple[ast.Parameter, ...],
        scope: Scope,
        *,
        may_be_open: bool = True,
        types: Mapping[str, ir.Type] | None = None,
    ) -> tuple[tuple[ir.Parameter, ...], Scope]:
        """Return parameters and the scope in which they are bound; those of actions are gone through, so none is open."""
        made: list[ir.Parameter] = []
        for node in nodes:
            given = None if types is None else types.get(node.name.text)
            type_ = self.check.declare.type(node.type, may_be_open=may_be_open) if given is None else given
            self.check.shadowing(node.name, scope)
            if node.sight is not None and may_be_open:
                help_ = "say it of an argument of an `action` or a `chance`"
                what = "only the argument of a move can be secret"
                self.program.bag.add(codes.PR430, what, node.sight.span, help=help_)
            default = None
            if node.default is not None:
                value = self.check.fitted(node.default, Scope(CONSTANT), type_)
                if POISON not in (value.type, type_):
                    default = value_of(value, self.program, node.default.span)
            made.append(ir.Parameter(node.name.text, type_, default))
            scope = scope.bind(node.name.text, POISONED if type_ == POISON else ir.Bound(node.name.text, type_))
        return tuple(made), scope


def _default(type_: ir.Type) -> ir.Expr:
    """Return what a variable begins with if nothing is said: none, or 0, or the lowest value."""
    if type_.kind == "optional":
        return ir.Lit(type_.hi, type_)
    return ir.Lit(max(type_.lo, 0) if type_.kind == "int" and type_.hi >= 0 else type_.lo, type_)
