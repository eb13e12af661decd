"""Build: grammar reductions -> surface syntax tree, rules, claims and examples.

Reads:  what lark hands over when a production is complete.   Writes: `ast` declarations and statements.
After:  one declaration, with the documenting comments that stand at it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.language.syntax import ast
from pilgrim_rules.language.syntax.build_campaigns import BuildCampaigns
from pilgrim_rules.language.syntax.build_cards import BuildCards
from pilgrim_rules.language.syntax.build_contracts import BuildContracts
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
from pilgrim_rules.language.syntax.build_modules import BuildModules


class BuildRules(BuildCards, BuildCampaigns, BuildContracts, BuildModules):
    """The productions of rules, claims and examples."""

    params = group("params")
    result = group("result")
    otherwise = group("otherwise")
    using = group("using")
    follows = group("follows")

    @production
    def parameter(self, span: Span, kids: Kids) -> ast.Parameter:
        type_, *default = nodes(kids)
        return ast.Parameter(
            self.word(kids[0]), type_, default[0] if default else None, single(kids, "sight"), span=span
        )

    @production
    def def_line(self, span: Span, kids: Kids) -> ast.Def:
        return self._def(span, kids, (), nodes(kids)[0])

    @production
    def def_default(self, span: Span, kids: Kids) -> ast.Def:
        return replace(self._def(span, kids, (), nodes(kids)[0]), default=True)

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
        return ast.Effect(
            params=grouped(kids, "params"),
            body=tuple(kid for kid in nodes(kids) if not isinstance(kid, ast.SummaryLine)),
            summary=tuple(kid for kid in kids if isinstance(kid, ast.SummaryLine)),
            **self._head(span, kids),
        )

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

    def _group(self, kind: str, span: Span, *items: Any) -> Group:
        made = Group(items)
        made.span, made.kind = span, kind
        return made

    @production
    def action(self, span: Span, kids: Kids) -> ast.Action:
        lines = {kind: self._one(kids, kind) for kind in ("by", "during", "only", "weight", "do", "at")}
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
            reveals=tuple(kid for kid in kids if isinstance(kid, ast.RevealLine)),
            body=tuple(stmt for stmt in body if isinstance(stmt, ast.StmtLine | ast.IfStmt | ast.ForStmt)),
            place=lines["at"][0] if lines["at"] else None,
            summary=tuple(kid for kid in kids if isinstance(kid, ast.SummaryLine)),
            **self._head(span, kids),
        )

    @production
    def reveal_line(self, span: Span, kids: Kids) -> ast.RevealLine:
        return ast.RevealLine(kids[0], single(kids, "hearers"), grouped(kids, "because"), span=span)

    @production
    def purse_ref(self, span: Span, kids: Kids) -> Group:
        return self._group("purse", span, self.word(kids[0]) if tokens(kids, "NAME") else kids[0])

    def _payment(self, span: Span, kids: Kids) -> ast.Payment:
        return ast.Payment(kids[0], single(kids, "purse"), single(kids, "to"), span=span)

    @production
    def cost_line(self, span: Span, kids: Kids) -> ast.CostLine:
        to = single(kids, "to")
        options = tuple(replace(payment, to=to) for payment in nodes(kids))
        return ast.CostLine(options, single(kids, "when"), grouped(kids, "cites"), span=span)

    @production
    def payment(self, span: Span, kids: Kids) -> ast.Payment:
        return self._payment(span, kids)

    # statements ----------------------------------------------------------------------------------------------------

    @production
    def line(self, span: Span, kids: Kids) -> ast.StmtLine:
        return ast.StmtLine(tuple(nodes(kids)), grouped(kids, "cites"), span=span)

    suite_block = group("suite")

    @production
    def suite_line(self, span: Span, kids: Kids) -> Group:
        return self._group("suite", span, ast.StmtLine(tuple(nodes(kids)), grouped(kids, "cites"), span=span))

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
        binders = grouped(kids, "binders")
        return ast.ForStmt(binders, single(kids, "where"), self._block(grouped(kids, "suite")), span=span)

    @production
    def lvalue(self, span: Span, kids: Kids) -> ast.AssignTarget:
        return ast.AssignTarget(self.word(kids[0]), grouped(kids, "args"), span=span)

    @production
    def assign(self, span: Span, kids: Kids) -> ast.Assign:
        return ast.Assign(kids[0], str(kids[1]), kids[2], ghost=False, span=span)  # type: ignore[arg-type]  # by the grammar

    @production
    def ghost_assign(self, span: Span, kids: Kids) -> ast.Assign:
        place, value = nodes(kids)
        op = tokens(kids, "ASSIGN")[0]
        return ast.Assign(place, str(op), value, ghost=True, span=span)  # type: ignore[arg-type]  # by the grammar

    @production
    def move(self, span: Span, kids: Kids) -> ast.TransferStmt:
        return ast.TransferStmt(kids[0], kids[1], kids[2], up_to=False, at=single(kids, "at"), span=span)

    @production
    def take(self, span: Span, kids: Kids) -> ast.TransferStmt:
        return ast.TransferStmt(kids[0], kids[1], kids[2], up_to=True, span=span)

    @production
    def raise_(self, span: Span, kids: Kids) -> ast.ClampStmt:
        return ast.ClampStmt("raise", kids[0], kids[1], kids[2], span=span)

    @production
    def lower(self, span: Span, kids: Kids) -> ast.ClampStmt:
        return ast.ClampStmt("lower", kids[0], kids[1], kids[2], span=span)

    @production
    def pay(self, span: Span, kids: Kids) -> ast.PayStmt:
        return ast.PayStmt(self._payment(span, kids), span=span)

    @production
    def let_stmt(self, span: Span, kids: Kids) -> ast.LetStmt:
        return ast.LetStmt(self.word(kids[0]), nodes(kids)[0], span=span)

    @production
    def reset(self, span: Span, kids: Kids) -> ast.ResetStmt:
        return ast.ResetStmt(self.word(kids[0]), span=span)

    @production
    def call_stage(self, span: Span, kids: Kids) -> ast.CallStage:
        return ast.CallStage(kids[0], kids[1] if len(kids) > 1 else None, span=span)

    @production
    def return_stage(self, span: Span, kids: Kids) -> ast.ReturnStage:
        return ast.ReturnStage(kids[0] if kids else None, span=span)

    @production
    def ask_poll(self, span: Span, kids: Kids) -> ast.AskPoll:
        return ast.AskPoll(self.word(kids[0]), kids[1] if len(kids) > 1 else None, span=span)

    @production
    def answer_poll(self, span: Span, kids: Kids) -> ast.AnswerPoll:
        return ast.AnswerPoll(self.word(kids[0]), span=span)

    @production
    def run(self, span: Span, kids: Kids) -> ast.RunStmt:
        return ast.RunStmt(self.word(kids[0]), grouped(kids, "args"), span=span)

    # claims --------------------------------------------------------------------------------------------------------

    @production
    def claim_line(self, span: Span, kids: Kids) -> ast.Claim:
        head = self._head(span, kids)
        head["cites"] = tuple(word for kid in kids if isinstance(kid, Group) and kid.kind == "cites" for word in kid)
        given = single(kids, "follows")
        using = single(kids, "using") or given or ()
        return ast.Claim(
            kind=str(kids[0]),  # type: ignore[arg-type]  # one of the grammar's words
            using=using,
            follows=given is not None,
            when=single(kids, "when"),
            formula=nodes(kids)[0],
            **head,
        )

    claim_block = claim_line

    @production
    def conserved(self, span: Span, kids: Kids) -> ast.Conserved:
        return ast.Conserved(
            binders=grouped(kids, "binders"),
            using=single(kids, "using") or (),
            when=single(kids, "when"),
            formula=nodes(kids)[0],
            **self._head(span, kids),
        )

    @production
    def terminates(self, span: Span, kids: Kids) -> ast.Terminates:
        names = tokens(kids, "NAME")
        name = self.word(names[0]) if names else ast.Word("terminates", span=span)
        return ast.Terminates(measure=nodes(kids)[0], **self._head(span, kids, name))

    @production
    def symmetry(self, span: Span, kids: Kids) -> ast.Symmetry:
        return ast.Symmetry(maps=grouped(kids, "names"), **self._head(span, kids))

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
        return ast.Example(lines=tuple(nodes(kids)), witness=witness, under=_under(kids), **self._head(span, kids))

    @production
    def given(self, span: Span, kids: Kids) -> ast.GivenLine:
        op = kids[1]
        if op not in ("=", "=="):
            at = Span(self.file, self.offset + op.start_pos, self.offset + op.end_pos)
            self.bag.add(codes.PR110, f"`{op}` is not expected here", at, help="a position is given with `=`")
        return ast.GivenLine(kids[0], kids[2], equals=op == "==", span=span)

    @production
    def given_do(self, span: Span, kids: Kids) -> ast.GivenDo:
        return ast.GivenDo(ast.RunStmt(self.word(kids[0]), grouped(kids, "args"), span=span), span=span)

    @production
    def move_ref(self, span: Span, kids: Kids) -> ast.MoveRef:
        return ast.MoveRef(self.word(kids[0]), grouped(kids, "args"), span=span)

    @production
    def when_move(self, span: Span, kids: Kids) -> ast.WhenMove:
        by = tokens(kids, "NAME")
        return ast.WhenMove(kids[0], self.word(by[0]) if by else None, _under(kids), span=span)

    @production
    def refuse(self, span: Span, kids: Kids) -> ast.RefuseLine:
        return ast.RefuseLine(kids[0], grouped(kids, "because"), _under(kids), span=span)

    @production
    def expect(self, span: Span, kids: Kids) -> ast.ExpectLine:
        return ast.ExpectLine(kids[0], _under(kids), span=span)


def _under(kids: Kids) -> ast.Under:
    return tuple((pair[0], pair[1]) for pair in grouped(kids, "under"))
