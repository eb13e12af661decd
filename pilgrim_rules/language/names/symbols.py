"""Symbols: the table of everything a game declares.

Reads:  the declarations of all files of a game.   Writes: one table a namespace.
After:  a name declared twice in one namespace is in the bag; each name stands for its first declaration.

Namespaces: types (enums, types, rows, nodes of graphs) · values (variables, parameters, rulings, definitions: whatever can
stand in an expression) · rules (actions, guards, effects) · claims · the rest, each on its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.language.names.zones import counting_zones
from pilgrim_rules.language.syntax import ast

TypeSource: TypeAlias = ast.Enum | ast.TypeAliasDecl | ast.Rows | ast.Graph
ValueSource: TypeAlias = ast.Variable | ast.Param | ast.Ruling | ast.Def
RuleSource: TypeAlias = ast.Action | ast.Guard | ast.Effect
ClaimSource: TypeAlias = ast.Claim | ast.Conserved | ast.Contract
_D = TypeVar("_D", bound=ast.Decl)

#: Words that mean the same everywhere, so that no declaration may take them.
BUILT_IN = frozenset({"true", "false", "none", "players", "stage", "Player", "Stage", "bool", "score"})


@dataclass(slots=True)
class Symbols:
    """Every declaration by name, each namespace in text order."""

    game: ast.Game | None = None
    types: dict[str, TypeSource] = field(default_factory=dict)
    sides: dict[str, ast.Graph] = field(default_factory=dict)  #: types of sides, named by sided graphs
    graphs: dict[str, ast.Graph] = field(default_factory=dict)
    values: dict[str, ValueSource] = field(default_factory=dict)
    rules: dict[str, RuleSource] = field(default_factory=dict)
    claims: dict[str, ClaimSource] = field(default_factory=dict)
    blocks: dict[str, ast.StateBlock] = field(default_factory=dict)  #: variables that can be reset together
    networks: dict[str, ast.Network] = field(default_factory=dict)
    purses: dict[str, ast.Purse] = field(default_factory=dict)
    stagesets: dict[str, ast.StageSet] = field(default_factory=dict)
    examples: dict[str, ast.Example] = field(default_factory=dict)
    terminates: dict[str, ast.Terminates] = field(default_factory=dict)
    symmetries: dict[str, ast.Symmetry] = field(default_factory=dict)
    terms: dict[str, ast.TermDecl] = field(default_factory=dict)
    presets: dict[str, ast.Preset] = field(default_factory=dict)
    campaigns: dict[str, ast.Campaign] = field(default_factory=dict)
    figures: dict[str, ast.Figure] = field(default_factory=dict)
    texts: dict[str, ast.RowText] = field(default_factory=dict)  #: by table and row
    zones: dict[str, ast.ZoneLine] = field(default_factory=dict)
    zone_sets: dict[str, ast.Zones] = field(default_factory=dict)  #: by the name of each of their zones
    stages: ast.Stages | None = None
    score: ast.Score | None = None
    rank: ast.Rank | None = None


def collect(files: Sequence[ast.File], bag: Bag) -> Symbols:
    """Return the table of all declarations."""
    symbols = Symbols()
    collector = _Collector(symbols, bag)
    for file in files:
        for declaration in file.declarations:
            collector.add(declaration)
    others: tuple[tuple[str, Mapping[str, ast.Decl]], ...] = (("block", symbols.blocks), ("zone", symbols.zones))
    for what, table in others:
        for name in sorted(table.keys() & symbols.values.keys()):
            first, second = table[name].name.span, symbols.values[name].name.span
            if first == second:
                continue  # a zone that counts what lies in it is a variable
            related = ((second, "also declared here"),)
            bag.add(codes.PR202, f"`{name}` is a {what} and something else", first, related=related)
    return symbols


@dataclass(slots=True)
class _Collector:
    symbols: Symbols
    bag: Bag

    def add(self, node: ast.Declaration) -> None:
        """Enter a declaration into its namespace."""
        s = self.symbols
        match node:
            case ast.Import() | ast.Use():
                pass
            case ast.Module():
                what = f"the module `{node.name.text}` stands in a file of rules"
                self.bag.add(codes.PR216, what, node.span, help="a module is a file in the folder `lib`, see `use`")
            case ast.Game() | ast.Stages() | ast.Score() | ast.Rank():
                self._only(node)
            case ast.Enum() | ast.TypeAliasDecl() | ast.Rows():
                self._enter(s.types, node)
            case ast.Graph():
                self._graph(node)
            case ast.StateBlock():
                self._state(node)
            case ast.Zones():
                self._zones(node)
            case ast.RowText(of=of):
                self._enter(s.texts, node, ast.Word(f"{of.text}.{node.name.text}", span=node.name.span))
            case ast.Param() | ast.Ruling() | ast.Def():
                self._enter(s.values, node)
            case ast.Action() | ast.Guard() | ast.Effect():
                self._enter(s.rules, node)
            case ast.Claim() | ast.Conserved() | ast.Contract():
                self._enter(s.claims, node)
            case ast.Network():
                self._enter(s.networks, node)
            case ast.Purse():
                self._enter(s.purses, node)
            case ast.StageSet():
                self._enter(s.stagesets, node)
            case ast.Example():
                self._enter(s.examples, node)
            case ast.Terminates():
                self._enter(s.terminates, node)
            case ast.Symmetry():
                self._enter(s.symmetries, node)
            case ast.TermDecl():
                self._enter(s.terms, node)
            case ast.Preset():
                self._enter(s.presets, node)
            case ast.Figure():
                self._enter(s.figures, node)
            case ast.Campaign():
                self._enter(s.campaigns, node)

    def _state(self, node: ast.StateBlock) -> None:
        for variable in node.variables:
            self._enter(self.symbols.values, variable)
        if node.named:
            self._enter(self.symbols.blocks, node)

    def _zones(self, node: ast.Zones) -> None:
        for line in node.lines:
            self._enter(self.symbols.zones, line)
            self.symbols.zone_sets.setdefault(line.name.text, node)
        for variable in counting_zones(node):
            self._enter(self.symbols.values, variable)

    def _graph(self, node: ast.Graph) -> None:
        self._enter(self.symbols.graphs, node)
        if node.of is not None:
            self._enter(self.symbols.types, node, node.of)
        if node.edges is not None:
            self._enter(self.symbols.types, node, node.edges)
        if node.sides is not None and node.sides.text not in self.symbols.types:
            self._enter(self.symbols.sides, node, node.sides)

    def _only(self, node: ast.Game | ast.Stages | ast.Score | ast.Rank) -> None:
        s = self.symbols
        match node:
            case ast.Game():
                s.game = self._single("game", s.game, node)
            case ast.Stages():
                s.stages = self._single("stages", s.stages, node)
            case ast.Score():
                s.score = self._single("score", s.score, node)
            case ast.Rank():
                s.rank = self._single("rank", s.rank, node)

    def _single(self, what: str, known: _D | None, node: _D) -> _D:
        if known is None:
            return node
        related = ((known.name.span, "the first is here"),)
        self.bag.add(codes.PR202, f"a second `{what}` declaration", node.name.span, related=related)
        return known

    def _enter(self, table: dict[str, _D], node: _D, name: ast.Word | None = None) -> None:
        word = name or node.name
        if word.text in BUILT_IN:
            self.bag.add(codes.PR209, f"`{word.text}` is a word of the language", word.span, help="choose another name")
        elif word.text in table:
            related = ((table[word.text].name.span, "first declared here"),)
            self.bag.add(codes.PR202, f"`{word.text}` is declared twice", word.span, related=related)
        else:
            table[word.text] = node
