"""Build: grammar reductions -> surface syntax tree, the declarations of data, stages and state.

Reads:  what lark hands over when a production is complete.   Writes: `ast` declarations.
After:  one declaration, with the documenting comments that stand at it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.source import SourceFile, Span
from pilgrim_rules.syntax import ast
from pilgrim_rules.syntax.build import BuildExpressions, Group, Kids, group, grouped, nodes, production, single, tokens
from pilgrim_rules.syntax.layout import Layout


class BuildData(BuildExpressions):
    """The productions of what a game is made of."""

    def __init__(self, source: SourceFile, layout: Layout, bag: Bag) -> None:
        super().__init__(source.name)
        self.source = source
        self.bag = bag
        self.lines = layout.lines
        words = [(comment, comment.doc) for comment in layout.comments if comment.doc is not None]
        self.own = {comment.line: (doc, comment.depth) for comment, doc in words if comment.own_line}
        self.beside = {comment.line: doc for comment, doc in words if not comment.own_line}

    def doc(self, span: Span, *, header: bool = False) -> str:
        """Return the documentation at a place: above it, beside its first line, and for a header indented below it."""
        line = self.source.position(span.start)[0]
        depth = self.lines[line].depth
        above: list[str] = []
        at = line - 1
        while at in self.own and self.own[at][1] == depth:
            above.insert(0, self.own[at][0])
            at -= 1
        below: list[str] = []
        at = line
        while at in self.lines and self.lines[at].first == line:
            below += [self.beside[at]] if at in self.beside else []
            at += 1
        while header and at in self.own and self.own[at][1] > depth:
            below.append(self.own[at][0])
            at += 1
        return "\n".join(above + below)

    def start(self, children: Kids) -> ast.Declaration:
        declaration: ast.Declaration = children[0]
        return declaration

    def _head(self, span: Span, kids: Kids, name: ast.Word | None = None) -> dict[str, Any]:
        """Return what every declaration has: name, clauses, documentation, place."""
        word = name or self.word(tokens(kids, "NAME")[0])
        return {"name": word, "cites": grouped(kids, "cites"), "doc": self.doc(span, header=True), "span": span}

    # the game and its data -----------------------------------------------------------------------------------------

    @production
    def game(self, span: Span, kids: Kids) -> ast.Game:
        title = tokens(kids, "STRING")
        lines = {kind: self._one(kids, kind) for kind in ("players", "clauses", "edition")}
        players = lines["players"]
        return ast.Game(
            title=self.text(title[0]).text if title else None,
            players=None if players is None else (int(players[0]), int(players[1])),
            seats=() if players is None else tuple(item for item in players if isinstance(item, ast.Word)),
            clauses=tuple(lines["clauses"] or ()),
            edition=lines["edition"][0] if lines["edition"] else None,
            **self._head(span, kids),
        )

    def _one(self, kids: Kids, kind: str) -> Any:
        found = [kid for kid in kids if isinstance(kid, Group) and kid.kind == kind]
        for extra in found[1:]:
            self.bag.add(
                codes.PR116, f"a second `{kind}` line", extra.span, related=((found[0].span, "the first is here"),)
            )
        return found[0] if found else None

    @production
    def game_players(self, span: Span, kids: Kids) -> Group:
        low, high = (int(token[:9]) for token in tokens(kids, "INT"))
        return _group("players", span, low, high, *grouped(kids, "names"))

    @production
    def game_clauses(self, span: Span, kids: Kids) -> Group:
        return _group("clauses", span, *map(self.text, tokens(kids, "STRING")))

    @production
    def game_edition(self, span: Span, kids: Kids) -> Group:
        return _group("edition", span, self.text(kids[0]))

    @production
    def import_(self, span: Span, kids: Kids) -> ast.Import:
        return ast.Import(self.text(kids[0]), span=span)

    @production
    def term(self, span: Span, kids: Kids) -> ast.Term:
        return ast.Term(text=self.text(tokens(kids, "STRING")[0]).text, **self._head(span, kids))

    @production
    def enum_list(self, span: Span, kids: Kids) -> ast.Enum:
        return ast.Enum(labels=grouped(kids, "names"), union=(), **self._head(span, kids))

    @production
    def enum_union(self, span: Span, kids: Kids) -> ast.Enum:
        words = tuple(self.word(token) for token in tokens(kids, "NAME"))
        return ast.Enum(labels=(), union=words[1:], **self._head(span, kids))

    @production
    def type_decl(self, span: Span, kids: Kids) -> ast.TypeAliasDecl:
        return ast.TypeAliasDecl(type=nodes(kids)[0], **self._head(span, kids))

    over = group("over")
    of = group("of")
    sides = group("sides")
    from_data = group("from_data")

    @production
    def from_file(self, span: Span, kids: Kids) -> Group:
        return _group("from_file", span, self.text(kids[0]))

    @production
    def graph(self, span: Span, kids: Kids) -> ast.Graph:
        return ast.Graph(
            over=single(kids, "over"),
            of=single(kids, "of"),
            file=single(kids, "from_file"),
            sides=single(kids, "sides"),
            arcs=tuple(kid for kid in kids if isinstance(kid, ast.Arcs)),
            columns=tuple(kid for kid in kids if isinstance(kid, ast.Column)),
            **self._head(span, kids),
        )

    @production
    def arcs(self, span: Span, kids: Kids) -> ast.Arcs:
        return ast.Arcs(_word_groups(kids), directed=True, span=span)

    @production
    def links(self, span: Span, kids: Kids) -> ast.Arcs:
        return ast.Arcs(_word_groups(kids), directed=False, span=span)

    @production
    def rows(self, span: Span, kids: Kids) -> ast.Rows:
        return ast.Rows(
            data=grouped(kids, "from_data") or None,
            columns=tuple(kid for kid in kids if isinstance(kid, ast.Column)),
            rows=tuple(kid for kid in kids if isinstance(kid, ast.Row)),
            **self._head(span, kids),
        )

    @production
    def column(self, span: Span, kids: Kids) -> ast.Column:
        return ast.Column(index=grouped(kids, "index"), type=nodes(kids)[0], **self._head(span, kids))

    @production
    def row(self, span: Span, kids: Kids) -> ast.Row:
        return ast.Row(values=tuple(nodes(kids)), **self._head(span, kids))

    value = group("value")
    index = group("index")

    @production
    def index_type(self, span: Span, kids: Kids) -> ast.IndexItem:
        return ast.IndexItem(None, kids[0], span=span)

    @production
    def index_named(self, span: Span, kids: Kids) -> ast.IndexItem:
        return ast.IndexItem(self.word(kids[0]), kids[1], span=span)

    @production
    def param(self, span: Span, kids: Kids) -> ast.Param:
        return ast.Param(
            index=grouped(kids, "index"),
            type=nodes(kids)[0],
            data=grouped(kids, "from_data") or None,
            value=single(kids, "value"),
            **self._head(span, kids),
        )

    @production
    def ruling(self, span: Span, kids: Kids) -> ast.Ruling:
        return ast.Ruling(options=tuple(nodes(kids)), **self._head(span, kids))

    @production
    def option(self, span: Span, kids: Kids) -> ast.Option:
        words = tokens(kids, "STRING")
        text = self.text(words[0]).text if words else ""
        return ast.Option(self.word(kids[0]), text, default=bool(tokens(kids, "DEFAULT")), span=span)

    @production
    def preset(self, span: Span, kids: Kids) -> ast.Preset:
        title = tokens(kids, "STRING")
        return ast.Preset(
            title=self.text(title[0]).text if title else None, choices=tuple(nodes(kids)), **self._head(span, kids)
        )

    @production
    def chosen(self, span: Span, kids: Kids) -> ast.Chosen:
        ruling, option = kids[0]
        return ast.Chosen(ruling, option, grouped(kids, "cites"), span=span)

    @production
    def purse(self, span: Span, kids: Kids) -> ast.Purse:
        places = tuple(kid for kid in kids if isinstance(kid, ast.PursePlace))
        player = self.word(tokens(kids, "NAME")[1])
        return ast.Purse(player=player, places=places, supply=single(kids, "supply"), **self._head(span, kids))

    as_ = group("as")
    supply = group("supply")

    @production
    def place(self, span: Span, kids: Kids) -> ast.PursePlace:
        return ast.PursePlace(kids[0], single(kids, "as"), once=bool(tokens(kids, "ONCE")), span=span)

    # stages and state ----------------------------------------------------------------------------------------------

    @production
    def stages(self, span: Span, kids: Kids) -> ast.Stages:
        name = ast.Word("stage", span=span)
        return ast.Stages(lines=tuple(nodes(kids)), **self._head(span, kids, name))

    @production
    def stage_line(self, span: Span, kids: Kids) -> ast.StageLine:
        kind = single(kids, "stage_word")
        by = single(kids, "stage_by")
        names = tuple(kid for kid in kids if isinstance(kid, ast.StageName))
        return ast.StageLine(
            names, kind.text if kind else "player", by, grouped(kids, "cites"), self.doc(span), span=span
        )  # fmt: skip

    stage_by = group("stage_by")
    stage_word = group("stage_word")

    @production
    def stage_name(self, span: Span, kids: Kids) -> ast.StageName:
        return ast.StageName(self.word(kids[0]), kids[1] if len(kids) > 1 else None, span=span)

    @production
    def stageset(self, span: Span, kids: Kids) -> ast.StageSet:
        return ast.StageSet(refs=grouped(kids, "stage_refs"), **self._head(span, kids))

    stage_refs = group("stage_refs")

    @production
    def stage_ref(self, span: Span, kids: Kids) -> ast.StageRef:
        return ast.StageRef(self.word(kids[0]), self.word(kids[1]) if len(kids) > 1 else None, span=span)

    @production
    def state(self, span: Span, kids: Kids) -> ast.State:
        variables = tuple(replace(variable, ghost=kids[0].type == "GHOST") for variable in nodes(kids))
        return ast.State(variables=variables, **self._head(span, kids, self.word(kids[0])))

    @production
    def variable(self, span: Span, kids: Kids) -> ast.Variable:
        sight = grouped(kids, "sight")
        type_, *initial = nodes(kids)
        return ast.Variable(
            index=grouped(kids, "index"),
            type=type_,
            sight=sight[0].text if sight else "open",
            until=sight[1] if len(sight) > 1 else None,
            initial=initial[0] if initial else None,
            ghost=False,
            **self._head(span, kids),
        )

    sight = group("sight")


def _group(kind: str, span: Span, *items: Any) -> Group:
    made = Group(items)
    made.span, made.kind = span, kind
    return made


def _word_groups(kids: Kids) -> tuple[tuple[ast.Word, ...], ...]:
    return tuple(tuple(kid) for kid in kids if isinstance(kid, Group) and kid.kind == "names")
