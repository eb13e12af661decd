"""Declare: the named types of a game, and its graphs.

Reads:  enums, types, rows, graphs and stages of the symbol table; maps and the edition.
Writes: `types`, `unions`, `labels`, `graphs` and `stages` of the program.
After:  every type name that can be resolved is; one that cannot is poisoned and the bag says why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import assert_never

from pilgrim_rules.core import ir
from pilgrim_rules.core.smart_constructors import number, optional, pair
from pilgrim_rules.core.values import show
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.inputs.graphs.graph import GraphData, edges, written
from pilgrim_rules.inputs.graphs.hex_map import load_map
from pilgrim_rules.language.check.program_info import MAX_NUMBER, MAX_STAGES, MAX_TYPE, POISON, ProgramInfo, StageInfo
from pilgrim_rules.language.check.zone_tables import declare_zones
from pilgrim_rules.language.names.automata import Known, NotConstant, table
from pilgrim_rules.language.names.symbols import TypeSource
from pilgrim_rules.language.syntax import ast


@dataclass(slots=True)
class Declare:
    """Resolves type names on demand, so that declarations may stand in any order."""

    program: ProgramInfo
    players: int
    folder: Path
    map: Path | None = None
    chosen: Mapping[str, str] = field(default_factory=dict)  #: how every ruling and option is decided
    _under_way: list[str] = field(default_factory=list)

    def run(self) -> None:
        """Resolve everything that is declared."""
        self._players()
        for name in (*self.program.symbols.types, *self.program.symbols.sides):
            self.named(name)
        for graph in self.program.symbols.graphs.values():
            self._graph(graph)
        self._stages()
        declare_zones(self.program, self.type)
        self._label_index()

    # type expressions ----------------------------------------------------------------------------------------------

    def type(self, node: ast.TypeExpr, *, may_be_open: bool = False) -> ir.Type:
        """Return the type that a type expression stands for; one without an upper end only where that is asked for."""
        made = self._type(node)
        if made.is_open and not may_be_open:
            help_ = "only what a variable or a definition holds has no upper end; give the numbers an end here"
            self.program.bag.add(codes.PR317, f"`{made.name}` has no upper end", node.span, help=help_)
            return POISON
        return made

    def _type(self, node: ast.TypeExpr) -> ir.Type:
        match node:
            case ast.TypeName(name=name):
                return self._type_name(name, node.span)
            case ast.RangeType(lo=lo, hi=hi) if hi is not None:
                return self._range(self._bound(lo), self._bound(hi), node.span)
            case ast.RangeType(lo=lo):
                lowest = self._bound(lo)
                return POISON if lowest is None else number(lowest, ir.OPEN_END)
            case ast.OptionalType(inner=inner):
                made = self.type(inner)
                if made.kind == "optional":
                    help_ = "drop the `?`"
                    self.program.bag.add(codes.PR313, f"`{made.name}` is optional already", node.span, help=help_)
                    return made
                return made if made is POISON else optional(made)
            case ast.PairType(left=left, right=right):
                return self._pair(self.type(left), self.type(right), node.span)
            case _:
                assert_never(node)

    def _type_name(self, name: str, span: Span) -> ir.Type:
        found = self.named(name)
        if found is None:
            known = (*self.program.types, *self.program.symbols.types)
            self.program.unknown(ast.Word(name, span=span), known, "type", codes.PR204)
            return POISON
        return found

    def _range(self, lo: int | None, hi: int | None, span: Span) -> ir.Type:
        if lo is None or hi is None:
            return POISON
        if lo > hi:
            self.program.bag.add(codes.PR302, f"no number lies in {lo}..{hi}", span, help=f"did you mean `{hi}..{lo}`?")
            return POISON
        if max(abs(lo), abs(hi)) > MAX_NUMBER:
            self.program.bag.add(codes.PR303, f"numbers go from -{MAX_NUMBER:,} to {MAX_NUMBER:,}", span)
            return POISON
        return number(lo, hi)

    def _bound(self, node: ast.Expr) -> int | None:
        if isinstance(node, ast.Number):
            return node.value
        assert isinstance(node, ast.Name), "the grammar admits numbers and names as bounds"
        if node.text == "players":
            return self.players
        source = self.program.symbols.values.get(node.text)
        if source is None and node.text == "seats":
            return self.program.player.size
        if source is None:
            self.program.unknown(node, ("players", *self.program.symbols.values))
            return None
        if isinstance(source, ast.Param) and not source.index:
            if isinstance(source.value, ast.Number):
                return source.value.value
            if source.data and self.program.edition:
                wide = number(-MAX_NUMBER, MAX_NUMBER)
                values = self.program.edition.values(source.data[1].text, (), wide, node.span, self.program.bag)
                values = self.program.with_data(node.text, wide, values)
                if self.program.edition.assumed(source.data[1].text):
                    self.program.pinned.add(node.text)
                return values[0] if values else None
            if source.value is not None and (decided := self._decided(source.value)) is not None:
                return decided
        help_ = "only a number, `players`, or a parameter that is one number can bound a range"
        self.program.bag.add(codes.PR311, f"`{node.text}` is not a constant number", node.span, help=help_)
        return None

    def _decided(self, node: ast.Expr) -> int | None:
        """Return the number that `players`, rulings and options decide; None if it needs more. These are pinned."""
        known = Known(self.players, self.chosen, self.program.symbols)
        try:
            value = known.value(node)
        except NotConstant:
            return None
        self.program.pinned |= known.looked_at
        return value

    def _pair(self, left: ir.Type, right: ir.Type, span: Span) -> ir.Type:
        if POISON in (left, right):
            return POISON
        if left.size * right.size > MAX_TYPE:
            self.program.bag.add(codes.PR303, f"more than {MAX_TYPE:,} pairs", span)
            return POISON
        return pair(left, right)

    # named types ---------------------------------------------------------------------------------------------------

    def named(self, name: str) -> ir.Type | None:
        """Return a type by name; None if there is none of that name."""
        if name == "bool":
            return ir.BOOL
        if name in self.program.types:
            return self.program.types[name]
        source = self.program.symbols.types.get(name) or self.program.symbols.sides.get(name)
        if source is None:
            return None
        if name in self._under_way:
            ring = " uses ".join(f"`{each}`" for each in [*self._under_way[self._under_way.index(name) :], name])
            self.program.bag.add(codes.PR205, f"this type is made of itself: {ring}", source.name.span)
            self.program.types[name] = POISON
            return POISON
        self._under_way.append(name)
        made = self._made(name, source)
        self._under_way.pop()
        return self.program.types.setdefault(name, made)

    def _made(self, name: str, source: TypeSource) -> ir.Type:
        match source:
            case ast.Enum(labels=labels, union=()):
                return self._enum(name, tuple(word.text for word in labels), source.span, labels)
            case ast.Enum(union=parts):
                return self._union(name, parts, source.span)
            case ast.TypeAliasDecl(type=type_):
                made = self.type(type_, may_be_open=True)
                # An enum keeps its own name, by which it is told apart; a range or a pair is known by its codes.
                return replace(made, name=name) if made.kind in ("int", "pair") and made != POISON else made
            case ast.Rows():
                return self._rows(name, source)
            case ast.Graph(edges=ast.Word(text=text)) if text == name:
                return self._edges(name, source)
            case ast.Graph():
                data = self._graph_data(source)
                if data is None:
                    return self._without_labels()
                is_sides = source.sides is not None and source.sides.text == name
                return self._enum(name, data.sides if is_sides else data.nodes, source.span)
            case _:
                assert_never(source)

    def _enum(self, name: str, labels: tuple[str, ...], span: Span, words: tuple[ast.Word, ...] = ()) -> ir.Type:
        first: dict[str, ast.Word] = {}
        for word in words:
            if first.setdefault(word.text, word) is not word:
                related = ((first[word.text].span, "first given here"),)
                self.program.bag.add(codes.PR202, f"`{name}` has two labels `{word.text}`", word.span, related=related)
        if len(labels) > MAX_TYPE:
            self.program.bag.add(codes.PR303, f"`{name}` has more than {MAX_TYPE:,} labels", span)
            return self._without_labels()
        return ir.Type(name, "enum", 0, len(labels) - 1, labels)

    def _union(self, name: str, parts: tuple[ast.Word, ...], span: Span) -> ir.Type:
        labels: list[str] = []
        members: list[tuple[ir.Type, int]] = []
        for word in parts:
            member = self.named(word.text)
            if member is POISON:
                return self._without_labels()
            if member is None:
                labels.append(word.text)
            elif member.kind == "enum":
                members.append((member, len(labels)))
                labels.extend(member.labels)
            else:
                self.program.bag.add(codes.PR301, f"`{word.text}` is not an enum", word.span)
                return self._without_labels()
        twice = sorted(label for label, count in Counter(labels).items() if count > 1)
        if twice:
            self.program.bag.add(codes.PR202, f"`{name}` would have two labels `{twice[0]}`", span)
            return self._without_labels()
        self.program.unions[name] = tuple(members)
        return self._enum(name, tuple(labels), span)

    def _rows(self, name: str, source: ast.Rows) -> ir.Type:
        if source.data is None:
            words = tuple(row.name for row in source.rows)
            if not words:
                help_ = "name the rows with `row`, or take them `from edition`"
                self.program.bag.add(codes.PR712, f"`{name}` has no rows", source.span, help=help_)
                return self._without_labels()
            return self._enum(name, tuple(word.text for word in words), source.span, words)
        if self.program.edition is None:
            self.no_edition(source.data[0])
            return self._without_labels()
        rows = self.program.edition.rows(source.data[1].text, source.data[1].span, self.program.bag)
        return self._without_labels() if rows is None else self._enum(name, rows.names, source.span)

    def _without_labels(self) -> ir.Type:
        """Return the type of what could not be typed, remembering that its labels are not known."""
        self.program.unsure = True
        return POISON

    def no_edition(self, word: ast.Word) -> None:
        """Report that the rules ask for data of an edition which the game does not have."""
        if self.program.symbols.game is not None and self.program.symbols.game.edition is not None:
            return  # the file is named but could not be read, which has been said
        help_ = 'name its file in the `game` declaration: `edition "edition.toml"`'
        self.program.bag.add(codes.PR721, "this game has no edition", word.span, help=help_)

    def _players(self) -> None:
        found = table(self.program.symbols, self.players, self.chosen, self.program.bag)
        self.program.absent = found.absent
        self.program.automata = tuple(range(found.people, len(found.seated)))
        self.program.types["Player"] = ir.Type("Player", "enum", 0, len(found.seated) - 1, found.seated)

    # graphs --------------------------------------------------------------------------------------------------------

    def _graph_data(self, source: ast.Graph) -> GraphData | None:
        """Return the graph of a declaration that brings its own nodes."""
        known = self.program.graphs.get(source.name.text)
        if known is not None:
            return known[0]
        if source.file is not None:
            path = self.map if self.map is not None else self.folder / source.file.text
            data = load_map(path, source.file.span, self.program.bag)
        else:
            nodes = tuple(dict.fromkeys(word.text for arcs in source.arcs for words in arcs.groups for word in words))
            data = self._written(nodes, source)
        if data is not None:
            self.program.graphs[source.name.text] = (data, POISON, None)
        return data

    def _written(self, nodes: tuple[str, ...], source: ast.Graph) -> GraphData:
        number_of = {node: at for at, node in enumerate(nodes)}
        arcs: list[tuple[int, int]] = []
        for line in source.arcs:
            many = sum(len(here) * len(there) for here, there in pairwise(line.groups))
            if many > MAX_TYPE:
                self.program.bag.add(codes.PR711, f"{many:,} arcs on one line; {MAX_TYPE:,} is the limit", line.span)
                continue
            for here, there in pairwise(line.groups):
                for start in here:
                    for end in there:
                        for word in (start, end):
                            if word.text not in number_of:
                                self.program.unknown(word, nodes, "node", codes.PR709)
                        if start.text in number_of and end.text in number_of:
                            arcs.append((number_of[start.text], number_of[end.text]))
                            if not line.directed:
                                arcs.append((number_of[end.text], number_of[start.text]))
        return written(nodes, arcs, directed=True)

    def _edges(self, name: str, source: ast.Graph) -> ir.Type:
        """Return the type of the edges of a graph; an edge is called by its ends."""
        if source.over is not None:
            nodes = self.type(ast.TypeName(source.over.text, span=source.over.span))
            data = None if nodes is POISON else self._written(nodes.labels, source)
        else:
            data = self._graph_data(source)
        if data is None:
            return self._without_labels()
        labels = tuple(f"{data.nodes[start]}_{data.nodes[end]}" for start, end in edges(data))
        twice = sorted(label for label, count in Counter(labels).items() if count > 1)
        if twice or not labels:
            what = f"two edges would be called `{twice[0]}`" if twice else f"`{source.name.text}` has no edges"
            self.program.bag.add(codes.PR202 if twice else codes.PR712, what, source.name.span)
            return self._without_labels()
        return self._enum(name, labels, source.span)

    def _graph(self, source: ast.Graph) -> None:
        name = source.name.text
        if source.over is not None:
            nodes = self.type(ast.TypeName(source.over.text, span=source.over.span))
            if nodes is POISON:
                self.program.broken.add(name)
                return
            self.program.graphs[name] = (self._written(nodes.labels, source), nodes, None)
            return
        data = self._graph_data(source)
        if data is None:
            self.program.broken.add(name)
            return
        node_name = source.of.text if source.of else name
        nodes = self.named(node_name) or self.program.types.setdefault(
            node_name, self._enum(node_name, data.nodes, source.span)
        )
        sides = self.named(source.sides.text) if source.sides else None
        self.program.graphs[name] = (data, nodes, sides)

    # stages --------------------------------------------------------------------------------------------------------

    def _stages(self) -> None:
        stages = self.program.symbols.stages
        self.program.unsure |= stages is None
        labels: list[str] = []
        for line in stages.lines if stages else ():
            for item in line.names:
                carries = self._stage_value_type(item.carries) if item.carries else None
                if item.name.text in self.program.stages:
                    self.program.bag.add(codes.PR202, f"two stages `{item.name.text}`", item.name.span)
                    continue
                self.program.stages[item.name.text] = StageInfo(item.name.text, carries, len(labels), line)
                labels.extend(_stage_labels(item.name.text, carries))
        self.program.types["Stage"] = ir.Type("Stage", "enum", 0, max(len(labels) - 1, 0), tuple(labels) or ("over",))
        for name, node in self.program.symbols.stagesets.items():
            found: list[int] = []
            for ref in node.refs:
                known = self.program.stagesets.get(ref.name.text)
                found += known if known is not None else stage_codes(self.program, ref)[0]
            self.program.stagesets[name] = tuple(dict.fromkeys(found))

    def _stage_value_type(self, node: ast.TypeExpr) -> ir.Type:
        carries = self.type(node)
        if carries.size > MAX_STAGES:
            what = f"{carries.size:,} stages of one name; {MAX_STAGES:,} is the limit"
            self.program.bag.add(codes.PR303, what, node.span, help="keep the value in a state variable")
            return POISON
        return carries

    def _label_index(self) -> None:
        members = {member.name for parts in self.program.unions.values() for member, _ in parts}
        for name, type_ in self.program.types.items():
            if type_.kind == "enum" and type_.name == name:
                own = set(type_.labels)
                for member, _ in self.program.unions.get(name, ()):
                    own -= set(member.labels)
                for label in own if name in self.program.unions or name in members else type_.labels:
                    self.program.labels.setdefault(label, []).append(type_)


def _stage_labels(name: str, carries: ir.Type | None) -> list[str]:
    if carries is None or carries is POISON:
        return [name]
    return [f"{name}({show(carries, code)})" for code in range(carries.lo, carries.hi + 1)]


def stage_codes(program: ProgramInfo, ref: ast.StageRef) -> tuple[list[int], str | None]:
    """Return the stages that a reference means, and the name it gives to the value they carry."""
    info = program.stages.get(ref.name.text)
    if info is None and program.symbols.stages is None:
        return [], None  # that there are no stages has been said
    if info is None:
        known = (*program.stages, *program.symbols.stagesets)
        program.unknown(ref.name, known, "stage", codes.PR206)
        return [], None
    if ref.value is None or ref.value.text == "any":
        return list(info.codes), None
    if info.carries is None:
        program.bag.add(codes.PR304, f"the stage `{info.name}` carries no value", ref.span)
        return [], None
    if ref.value.text in info.carries.labels:
        return [info.first + info.carries.labels.index(ref.value.text)], None
    return list(info.codes), ref.value.text
