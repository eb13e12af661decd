"""Build: grammar reductions -> surface syntax tree, the declarations of data, stages and state.

Reads:  what lark hands over when a production is complete.   Writes: `ast` declarations.
After:  one declaration, with the documenting comments that stand at it.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import Any

from pilgrim_rules.core.sub_turns import answered_table
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.source import SourceFile, Span
from pilgrim_rules.language.syntax import ast
from pilgrim_rules.language.syntax.build_expressions import (
    Group,
    Kids,
    group,
    grouped,
    nodes,
    production,
    single,
    tokens,
)
from pilgrim_rules.language.syntax.build_sight import BuildSight
from pilgrim_rules.language.syntax.layout import SourceLayout


def _running(lines: list[str]) -> str:
    """Return documentation as running text: where its lines break means nothing, an empty one begins a paragraph."""
    return "\n\n".join(" ".join(group) for full, group in groupby(lines, bool) if full)


class BuildData(BuildSight):
    """The productions of what a game is made of."""

    def __init__(self, source: SourceFile, layout: SourceLayout, bag: Bag) -> None:
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
        return _running(above + below)

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
        automata = tuple(kid for kid in kids if isinstance(kid, ast.Automaton))
        head = self._head(span, kids)
        head["cites"] += () if players is None else players[4]
        head["cites"] += tuple(clause for each in automata for clause in each.cites)
        return ast.Game(
            title=self.text(title[0]).text if title else None,
            players=None if players is None else (int(players[0]), int(players[1])),
            usual=None if players is None else players[2],
            seats=() if players is None else players[3],
            automata=automata,
            clauses=tuple(lines["clauses"] or ()),
            edition=lines["edition"][0] if lines["edition"] else None,
            **head,
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
        low, high, *usual = (int(token[:9]) for token in tokens(kids, "INT"))
        default = usual[0] if usual else None
        return _group("players", span, low, high, default, grouped(kids, "names"), grouped(kids, "cites"))

    @production
    def game_automaton(self, span: Span, kids: Kids) -> ast.Automaton:
        return ast.Automaton(grouped(kids, "names"), single(kids, "when"), grouped(kids, "cites"), span=span)

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
    def term(self, span: Span, kids: Kids) -> ast.TermDecl:
        return ast.TermDecl(text=self.text(tokens(kids, "STRING")[0]).text, **self._head(span, kids))

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
    edges = group("edges")
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
            edges=single(kids, "edges"),
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
        options: tuple[ast.Option, ...] = tuple(nodes(kids))
        played = tuple(each for each in options if each.refused is None)
        refused = tuple(each for each in options if each.refused is not None)
        return ast.Ruling(options=played, refused=refused, **self._head(span, kids))

    @production
    def option_decl(self, span: Span, kids: Kids) -> ast.Ruling:
        return ast.Ruling(options=tuple(nodes(kids)), by_players=True, **self._head(span, kids))

    @production
    def option(self, span: Span, kids: Kids) -> ast.Option:
        said = [self.text(each).text for each in tokens(kids, "STRING")]
        reason = said.pop() if tokens(kids, "REFUSED") else None
        default = bool(tokens(kids, "DEFAULT"))
        return ast.Option(self.word(kids[0]), said[0] if said else "", default=default, refused=reason, span=span)

    @production
    def preset(self, span: Span, kids: Kids) -> ast.Preset:
        title = tokens(kids, "STRING")
        return ast.Preset(
            title=self.text(title[0]).text if title else None, choices=tuple(nodes(kids)), **self._head(span, kids)
        )

    @production
    def edition(self, span: Span, kids: Kids) -> ast.Preset:
        title = tokens(kids, "STRING")
        clauses, data = self._one(kids, "clauses"), self._one(kids, "data")
        return ast.Preset(
            title=self.text(title[0]).text if title else None,
            choices=tuple(nodes(kids)),
            edition=True,
            clauses=tuple(clauses or ()),
            data=data[0] if data else None,
            **self._head(span, kids),
        )

    @production
    def edition_data(self, span: Span, kids: Kids) -> Group:
        return _group("data", span, self.text(kids[0]))

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
        return ast.Stages(lines=tuple(nodes(kids)), deep=single(kids, "deep"), **self._head(span, kids, name))

    @production
    def deep(self, span: Span, kids: Kids) -> Group:
        return _group("deep", span, int(tokens(kids, "INT")[0][:9]))

    @production
    def stage_line(self, span: Span, kids: Kids) -> ast.StageLine:
        kind = single(kids, "stage_word")
        by = single(kids, "stage_by")
        names = tuple(kid for kid in kids if isinstance(kid, ast.StageName))
        return ast.StageLine(
            names, kind.text if kind else "player", by, grouped(kids, "cites"), self.doc(span),
            grouped(kids, "always"), sub=bool(tokens(kids, "SUB")), span=span,
        )  # fmt: skip

    @production
    def always(self, span: Span, kids: Kids) -> Group:
        return _group("always", span, *nodes(kids))

    @production
    def poll_line(self, span: Span, kids: Kids) -> ast.StageLine:
        """Build a poll: a sub-turn in which the first who qualifies and has not answered decides."""
        name, binder = nodes(kids)
        own = ast.Name(binder.name.text, span=binder.name.span)
        table = ast.Name(answered_table(name.name.text), span=name.span)
        waits: ast.Expr = ast.Unary("not", ast.Index(table, (own,), span=name.span), span=name.span)
        where = single(kids, "where")
        test = waits if where is None else ast.Binary("and", waits, where, span=where.span)
        by = ast.Pick(binder, test, (), span=span)
        return ast.StageLine(
            (name,), "player", by, grouped(kids, "cites"), self.doc(span), grouped(kids, "always"),
            sub=True, poll=True, secretly=bool(tokens(kids, "SECRETLY")), span=span,
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
    def state(self, span: Span, kids: Kids) -> ast.StateBlock:
        groups = [kid for kid in kids if isinstance(kid, Group) and kid.kind == "variables"]
        variables = tuple(replace(each, ghost=kids[0].type == "GHOST") for line in groups for each in line)
        names = tokens(kids, "NAME")
        head = self._head(span, kids, self.word(names[0] if names else kids[0]))
        return ast.StateBlock(variables=variables, named=bool(names), **head)

    @production
    def variable(self, span: Span, kids: Kids) -> Group:
        """Build the variables of a line: one for each name, with an index of its own."""
        type_, *initial = nodes(kids)
        made = [
            ast.Variable(
                index=grouped(list(cells), "index"),
                type=type_,
                sight=single(kids, "sight"),
                initial=initial[0] if initial else None,
                ghost=False,
                **self._head(span, kids, cells[0]),
            )
            for cells in kids
            if isinstance(cells, Group) and cells.kind == "cells"
        ]
        return _group("variables", span, *made)

    cells = group("cells")

    @production
    def zones(self, span: Span, kids: Kids) -> ast.Zones:
        item, *lines = nodes(kids)
        name = lines[0].name
        return ast.Zones(
            item=item,
            holds=single(kids, "holds"),
            start=single(kids, "starts"),
            lines=tuple(lines),
            **self._head(span, kids, name),
        )

    holds = group("holds")
    starts = group("starts")
    refill = group("refill")

    @production
    def zone_line(self, span: Span, kids: Kids) -> ast.ZoneLine:
        return ast.ZoneLine(
            index=grouped(kids, "index"),
            sight=single(kids, "sight"),
            ordered=bool(tokens(kids, "ORDERED")),
            refill=single(kids, "refill"),
            **self._head(span, kids),
        )


def _group(kind: str, span: Span, *items: Any) -> Group:
    made = Group(items)
    made.span, made.kind = span, kind
    return made


def _word_groups(kids: Kids) -> tuple[tuple[ast.Word, ...], ...]:
    return tuple(tuple(kid) for kid in kids if isinstance(kid, Group) and kid.kind == "names")
