"""Build: grammar reductions -> surface syntax tree, rules, claims and examples.

Reads:  what lark hands over when a production is complete.   Writes: `ast` declarations and statements.
After:  one declaration, with the documenting comments that stand at it.
"""

from __future__ import annotations

from typing import Any

from pilgrim_rules.diagnostics import codes
from pilgrim_rules.source import Span
from pilgrim_rules.syntax import ast
from pilgrim_rules.syntax.build import Group, Kids, group, grouped, nodes, production, single, tokens
from pilgrim_rules.syntax.build_figures import BuildFigures


class BuildRules(BuildFigures):
    """The productions of rules, claims and examples."""

    params = group("params")
    result = group("result")
    otherwise = group("otherwise")
    using = group("using")
    follows = group("follows")

    @production
    def parameter(self, span: Span, kids: Kids) -> ast.Parameter:
        return ast.Parameter(self.word(kids[0]), kids[1], kids[2] if len(kids) > 2 else None, span=span)  # noqa: PLR2004

    @production
    def def_line(self, span: Span, kids: Kids) -> ast.Def:
        return self._def(span, kids, (), nodes(kids)[0])

    @production
    def def_block(self, span: Span, kids: Kids) -> ast.Def:
        *lets, body = nodes(kids)
        return self._def(span, kids, tuple(lets), body)

    def _def(self, span: Span, kids: Kids, lets: tuple[ast.LetLine, ...], body: ast.Expr) -> ast.Def:
        head = self._head(span, kids)
        head["cites"] = tuple(word for kid in kids if isinstance(kid, Group) and kid.kind == "cites" for word in kid)
        public = bool(tokens(kids, "PUBLIC"))
        return ast.Def(
            params=grouped(kids, "params"), result=single(kids, "result"), lets=lets, body=body, public=public, **head
        )  # fmt: skip

    @production
    def body_line(self, _span: Span, kids: Kids) -> ast.Expr:
        body: ast.Expr = kids[0]
        return body

    # guards --------------------------------------------------------------------------------------------------------

    @production
    def guard(self, span: Span, kids: Kids) -> ast.Guard:
        return ast.Guard(params=grouped(kids, "params"), lines=tuple(nodes(kids)), **self._head(span, kids))

    def _trailer(self, kids: Kids) -> tuple[str | None, ast.Cites]:
        says = [kid for kid in kids if isinstance(kid, Group) and kid.kind == "otherwise"]
        cites = [kid for kid in kids if isinstance(kid, Group) and kid.kind == "cites"]
        for extra in (*says[1:], *cites[1:]):
            self.bag.add(codes.PR116, "given twice on one line", extra.span)
        words = says[0][0].text[1:-1] if says else None
        return words, tuple(cites[0]) if cites else ()

    @production
    def let_line(self, span: Span, kids: Kids) -> ast.LetLine:
        says, cites = self._trailer(kids)
        return ast.LetLine(self.word(kids[0]), nodes(kids)[0], says, cites, has_else=says is not None, span=span)

    @production
    def require_line(self, span: Span, kids: Kids) -> ast.RequireLine:
        says, cites = self._trailer(kids)
        return ast.RequireLine(kids[0], says, cites, span=span)

    @production
    def check_line(self, span: Span, kids: Kids) -> ast.CheckLine:
        return ast.CheckLine(self.word(kids[0]), grouped(kids, "args"), grouped(kids, "cites"), span=span)

    # actions and effects -------------------------------------------------------------------------------------------

    @production
    def effect(self, span: Span, kids: Kids) -> ast.Effect:
        return ast.Effect(params=grouped(kids, "params"), body=tuple(nodes(kids)), **self._head(span, kids))

    during = group("during")
    weight = group("weight")
    by_line = group("by")
    only_line = group("only")
    at_line = group("at")
    do_line = group("do")
    do_block = group("do")
    to = group("to")
    when = group("when")

    @production
    def during_line(self, _span: Span, kids: Kids) -> Group:
        return kids[0]  # type: ignore[no-any-return]  # the group made by `during`

    @production
    def weight_line(self, _span: Span, kids: Kids) -> Group:
        return kids[0]  # type: ignore[no-any-return]  # the group made by `weight`

    @production
    def prose_line(self, span: Span, kids: Kids) -> Group:
        return self._group("prose", span, self.text(kids[0]))

    def _group(self, kind: str, span: Span, *items: Any) -> Group:
        made = Group(items)
        made.span, made.kind = span, kind
        return made

    @production
    def action(self, span: Span, kids: Kids) -> ast.Action:
        lines = {kind: self._one(kids, kind) for kind in ("by", "during", "only", "weight", "do", "prose", "at")}
        body = lines["do"] or ()
        return ast.Action(
            kind=str(kids[0]),  # type: ignore[arg-type]  # the grammar admits the three words only
            params=grouped(kids, "params"),
            by=lines["by"][0] if lines["by"] else None,
            during=tuple(lines["during"][0]) if lines["during"] else (),
            only=lines["only"][0] if lines["only"] else None,
            lines=tuple(kid for kid in kids if isinstance(kid, ast.LetLine | ast.RequireLine | ast.CheckLine)),
            costs=tuple(kid for kid in kids if isinstance(kid, ast.CostLine)),
            weight=lines["weight"][0] if lines["weight"] else None,
            body=tuple(stmt for stmt in body if isinstance(stmt, ast.Line | ast.IfStmt | ast.ForStmt)),
            prose=lines["prose"][0].text if lines["prose"] else None,
            place=lines["at"][0] if lines["at"] else None,
            **self._head(span, kids),
        )

    @production
    def purse_ref(self, span: Span, kids: Kids) -> Group:
        return self._group("purse", span, self.word(kids[0]) if tokens(kids, "NAME") else kids[0])

    def _payment(self, span: Span, kids: Kids) -> ast.Payment:
        return ast.Payment(kids[0], single(kids, "purse"), single(kids, "to"), span=span)

    @production
    def cost_line(self, span: Span, kids: Kids) -> ast.CostLine:
        payment = self._payment(span, kids)
        return ast.CostLine(payment, single(kids, "when"), grouped(kids, "cites"), span=span)

    # statements ----------------------------------------------------------------------------------------------------

    @production
    def line(self, span: Span, kids: Kids) -> ast.Line:
        return ast.Line(tuple(nodes(kids)), grouped(kids, "cites"), span=span)

    suite_block = group("suite")

    @production
    def suite_line(self, span: Span, kids: Kids) -> Group:
        return self._group("suite", span, ast.Line(tuple(nodes(kids)), grouped(kids, "cites"), span=span))

    @staticmethod
    def _block(items: Any) -> tuple[ast.Stmt, ...]:
        return tuple(item for item in items if not isinstance(item, Group))

    elif_ = group("elif")
    else_ = group("else")

    @production
    def if_stmt(self, span: Span, kids: Kids) -> ast.IfStmt:
        other: tuple[ast.Stmt, ...] = self._block(single(kids, "else") or ())
        for branch in reversed([kid for kid in kids if isinstance(kid, Group) and kid.kind == "elif"]):
            other = (ast.IfStmt(branch[0], self._block(branch[1]), other, span=branch.span),)
        return ast.IfStmt(kids[0], self._block(grouped(kids, "suite")), other, span=span)

    @production
    def for_stmt(self, span: Span, kids: Kids) -> ast.ForStmt:
        return ast.ForStmt(kids[0], single(kids, "where"), self._block(grouped(kids, "suite")), span=span)

    @production
    def lvalue(self, span: Span, kids: Kids) -> ast.Place:
        return ast.Place(self.word(kids[0]), grouped(kids, "args"), span=span)

    @production
    def assign(self, span: Span, kids: Kids) -> ast.Assign:
        return ast.Assign(kids[0], str(kids[1]), kids[2], ghost=False, span=span)  # type: ignore[arg-type]  # by the grammar

    @production
    def ghost_assign(self, span: Span, kids: Kids) -> ast.Assign:
        place, value = nodes(kids)
        op = tokens(kids, "ASSIGN")[0]
        return ast.Assign(place, str(op), value, ghost=True, span=span)  # type: ignore[arg-type]  # by the grammar

    @production
    def move(self, span: Span, kids: Kids) -> ast.Move:
        return ast.Move(kids[0], kids[1], kids[2], up_to=False, span=span)

    @production
    def take(self, span: Span, kids: Kids) -> ast.Move:
        return ast.Move(kids[0], kids[1], kids[2], up_to=True, span=span)

    @production
    def raise_(self, span: Span, kids: Kids) -> ast.Clamp:
        return ast.Clamp("raise", kids[0], kids[1], kids[2], span=span)

    @production
    def lower(self, span: Span, kids: Kids) -> ast.Clamp:
        return ast.Clamp("lower", kids[0], kids[1], kids[2], span=span)

    @production
    def pay(self, span: Span, kids: Kids) -> ast.Pay:
        return ast.Pay(self._payment(span, kids), span=span)

    @production
    def let_stmt(self, span: Span, kids: Kids) -> ast.LetStmt:
        return ast.LetStmt(self.word(kids[0]), nodes(kids)[0], span=span)

    @production
    def run(self, span: Span, kids: Kids) -> ast.Run:
        return ast.Run(self.word(kids[0]), grouped(kids, "args"), span=span)

    # claims --------------------------------------------------------------------------------------------------------

    @production
    def claim_line(self, span: Span, kids: Kids) -> ast.Claim:
        head = self._head(span, kids)
        head["cites"] = tuple(word for kid in kids if isinstance(kid, Group) and kid.kind == "cites" for word in kid)
        given = single(kids, "follows")
        using = single(kids, "using") or given or ()
        return ast.Claim(kind=str(kids[0]), using=using, follows=given is not None, formula=nodes(kids)[0], **head)  # type: ignore[arg-type]  # by the grammar

    claim_block = claim_line

    @production
    def conserved(self, span: Span, kids: Kids) -> ast.Conserved:
        return ast.Conserved(
            binders=grouped(kids, "binders"),
            using=single(kids, "using") or (),
            formula=nodes(kids)[0],
            **self._head(span, kids),
        )

    @production
    def terminates(self, span: Span, kids: Kids) -> ast.Terminates:
        names = tokens(kids, "NAME")
        name = self.word(names[0]) if names else ast.Word("terminates", span=span)
        return ast.Terminates(measure=nodes(kids)[0], **self._head(span, kids, name))

    both_nodes = group("both")

    @production
    def network(self, span: Span, kids: Kids) -> ast.Network:
        return ast.Network(
            binders=grouped(kids, "binders"),
            nodes=tuple(kid for kid in kids if isinstance(kid, ast.NodeLine)),
            links=tuple(kid for kid in kids if isinstance(kid, ast.LinkLine)),
            **self._head(span, kids),
        )

    @production
    def node_line(self, span: Span, kids: Kids) -> ast.NodeLine:
        over = grouped(kids, "over_binders")
        return ast.NodeLine(
            kids[0], grouped(over, "binders"), single(over, "where"), single(kids, "when"), span=span
        )  # fmt: skip

    @production
    def link_line(self, span: Span, kids: Kids) -> ast.LinkLine:
        over = grouped(kids, "over_binders")
        both = bool(grouped(kids, "both"))
        left, right = nodes(kids)
        return ast.LinkLine(
            left, right, grouped(over, "binders"), single(over, "where"), single(kids, "when"), both, span=span
        )  # fmt: skip

    @production
    def score(self, span: Span, kids: Kids) -> ast.Score:
        names, numbers = tokens(kids, "NAME"), tokens(kids, "INT")
        player = self.word(names[0]) if names else ast.Word("p", span=span)
        per = int(numbers[1][:9]) if numbers else 1
        if numbers and (int(numbers[0][:9]) != 1 or per < 1):
            at = self.word(numbers[0]).span.to(self.word(numbers[1]).span)
            self.bag.add(codes.PR110, "points are counted in parts of one", at, help="write `in 1/2`")
        return ast.Score(lines=tuple(nodes(kids)), per=per, **self._head(span, kids, player))

    @production
    def score_line(self, span: Span, kids: Kids) -> ast.ScoreLine:
        return ast.ScoreLine(self.text(kids[0]), kids[1], grouped(kids, "cites"), span=span)

    @production
    def rank(self, span: Span, kids: Kids) -> ast.Rank:
        return ast.Rank(keys=grouped(kids, "keys"), total=bool(tokens(kids, "TOTAL")), **self._head(span, kids))

    # examples ------------------------------------------------------------------------------------------------------

    because = group("because")
    under = group("under")
    choice = group("choice")

    @production
    def example(self, span: Span, kids: Kids) -> ast.Example:
        witness = kids[0].type == "WITNESS"
        return ast.Example(lines=tuple(nodes(kids)), witness=witness, **self._head(span, kids))

    @production
    def given(self, span: Span, kids: Kids) -> ast.GivenLine:
        op = kids[1]
        if op not in ("=", "=="):
            at = Span(self.file, self.offset + op.start_pos, self.offset + op.end_pos)
            self.bag.add(codes.PR110, f"`{op}` is not expected here", at, help="a position is given with `=`")
        return ast.GivenLine(kids[0], kids[2], equals=op == "==", span=span)

    @production
    def given_do(self, span: Span, kids: Kids) -> ast.GivenDo:
        return ast.GivenDo(ast.Run(self.word(kids[0]), grouped(kids, "args"), span=span), span=span)

    @production
    def move_ref(self, span: Span, kids: Kids) -> ast.MoveRef:
        return ast.MoveRef(self.word(kids[0]), grouped(kids, "args"), span=span)

    @production
    def when_move(self, span: Span, kids: Kids) -> ast.WhenMove:
        return ast.WhenMove(kids[0], self.word(kids[1]) if len(kids) > 1 else None, span=span)

    @production
    def refuse(self, span: Span, kids: Kids) -> ast.RefuseLine:
        return ast.RefuseLine(kids[0], grouped(kids, "because"), span=span)

    @production
    def expect(self, span: Span, kids: Kids) -> ast.ExpectLine:
        choices = tuple((pair[0], pair[1]) for pair in grouped(kids, "under"))
        return ast.ExpectLine(kids[0], choices, span=span)
