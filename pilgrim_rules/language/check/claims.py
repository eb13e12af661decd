"""Claims: laws, invariants, steps, measures and networks -> the core.

Reads:  the declarations, through the checker.   Writes: claims, rankings and networks.
After:  `conserved` has become an invariant or a step; every lemma that is named exists.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from pilgrim_rules.core import ir
from pilgrim_rules.core.at_time import unchanged
from pilgrim_rules.core.smart_constructors import conjunction
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.language.check.constant import value_of
from pilgrim_rules.language.check.data_and_state import DataAndState
from pilgrim_rules.language.check.program_info import MAX_NUMBER, POISON, POISONED, ProgramInfo
from pilgrim_rules.language.check.scope import AUDIT, CLAIM, CONSTANT, LAW, PLAY, STEP, Scope
from pilgrim_rules.language.syntax import ast

_SCOPES = {"law": LAW, "invariant": CLAIM, "step": STEP, "reachable": CLAIM, "audit": AUDIT}


@dataclass(slots=True)
class Claims:
    """The lowering of what is claimed."""

    tables: DataAndState

    @property
    def _program(self) -> ProgramInfo:
        return self.tables.program

    def claims(self) -> tuple[ir.Claim, ...]:
        """Return all claims of this reading.

        A lemma that is not claimed in it is not used, and what would follow from such a one has to be kept by every action.
        """
        self._no_circles()
        made: list[ir.Claim] = []
        for node in self._program.symbols.claims.values():
            using, when = self._lemmas(node), self._when_claimed(node)
            match node:
                case ast.Claim(kind=kind):
                    formula = self.tables.check.boolean(node.formula, Scope(_SCOPES[kind]))
                    claim = ir.Claim(node.name.text, kind, formula, using, self._program.note(node), node.follows)
                case ast.Conserved():
                    claim = self._conserved(node, using)
                case ast.Contract():
                    continue  # it claims several things, each of one action
                case _:
                    assert_never(node)
            if when is None or value_of(when, self._program, node.name.span) != 0:
                made.append(replace(claim, when=when))
        here = {claim.name for claim in made}
        return tuple(
            replace(
                claim,
                using=tuple(name for name in claim.using if name in here),
                follows=claim.follows and here.issuperset(claim.using),
            )
            for claim in made
        )

    def _when_claimed(self, node: ast.Claim | ast.Conserved | ast.Contract) -> ir.Expr | None:
        """Return the test of rulings and data that says where something is claimed; None if everywhere."""
        if node.when is None:
            return None
        test = self.tables.check.boolean(node.when, Scope(CONSTANT))
        return None if test.type == POISON else test

    def _lemmas(self, node: ast.Claim | ast.Conserved | ast.Contract) -> tuple[str, ...]:
        known = {name: each for name, each in self._program.symbols.claims.items() if each is not node}
        for word in node.using:
            claim = known.get(word.text)
            if word.text == node.name.text:
                self._program.bag.add(codes.PR213, "a claim cannot rest on itself", word.span)
            elif claim is None:
                self._program.unknown(word, known, "invariant", codes.PR213)
            elif isinstance(claim, ast.Contract) or (
                isinstance(claim, ast.Claim) and claim.kind not in ("invariant", "law")
            ):
                self._program.bag.add(codes.PR213, f"`{word.text}` is no invariant", word.span)
        return tuple(word.text for word in node.using)

    def _no_circles(self) -> None:
        """Refuse what would follow from itself: then nothing would have been shown."""
        nodes = self._program.symbols.claims

        def from_itself(node: ast.Claim, name: str, seen: frozenset[str]) -> bool:
            claim = nodes.get(name)
            if claim is node:
                return True
            if not isinstance(claim, ast.Claim) or not claim.follows or name in seen:
                return False
            return any(from_itself(node, word.text, seen | {name}) for word in claim.using)

        told: set[str] = set()  # a circle is one mistake
        for node in nodes.values():
            if not isinstance(node, ast.Claim) or not node.follows or node.name.text in told:
                continue
            if node.kind != "invariant":
                self._program.bag.add(codes.PR213, f"a `{node.kind}` cannot follow from invariants", node.name.span)
            for word in node.using:
                if word.text != node.name.text and from_itself(node, word.text, frozenset()):
                    says = f"`{node.name.text}` would follow from itself, by way of `{word.text}`"
                    help_ = "say `using` instead of `follows from` in one of them: then each action is shown to keep it"
                    self._program.bag.add(codes.PR213, says, word.span, help=help_)
                    told |= {node.name.text, word.text}

    def _conserved(self, node: ast.Conserved, using: tuple[str, ...]) -> ir.Claim:
        """`conserved x = e == c` holds in every state; `conserved x = e` says that no step changes e."""
        binders, where, scope = self.tables.check.over(node.binders, None, Scope(CLAIM))
        note = self._program.note(node)
        if isinstance(node.formula, ast.Binary) and node.formula.op == "==":
            formula = self.tables.check.boolean(node.formula, scope)
            return ir.Claim(node.name.text, "conserved", _over(binders, where, formula), using, note)
        value = self.tables.check.integer(node.formula, scope)
        small = self.tables.check.can_open(value, node.formula.span)
        formula = unchanged(value, self._program.defs) if small else POISONED
        return ir.Claim(node.name.text, "step", _over(binders, where, formula), using, note)

    def rankings(self) -> tuple[ir.Ranking, ...]:
        """Return the measures that show that every play ends."""
        made: list[ir.Ranking] = []
        for node in self._program.symbols.terminates.values():
            parts = node.measure.items if isinstance(node.measure, ast.Tuple) else (node.measure,)
            exprs = [self.tables.check.expr(part, Scope(CLAIM)) for part in parts]
            for part, expr in zip(parts, exprs, strict=True):
                if expr.type.kind != "int" and expr.type != POISON:
                    help_ = "count with numbers: `ord(x)` of a label, `1 if test else 0` of a test"
                    self._program.bag.add(codes.PR508, f"`{expr.type.name}` is no number", part.span, help=help_)
                elif expr.type.lo < -MAX_NUMBER:
                    help_ = "count what is left, and say where it ends: `max(…, 0)`"
                    self._program.bag.add(
                        codes.PR517, "this has no lower end, so it can fall for ever", part.span, help=help_
                    )
            made.append(ir.Ranking(node.name.text, tuple(exprs), self._program.note(node)))
        return tuple(made)

    # networks ------------------------------------------------------------------------------------------------------

    def networks(self) -> tuple[ir.Network, ...]:
        """Return the graphs of the present state."""
        made: list[ir.Network] = []
        for node in self._program.symbols.networks.values():
            binders, _, scope = self.tables.check.over(node.binders, None, Scope(PLAY))
            nodes = tuple(self._node(line, scope) for line in node.nodes)
            links = tuple(self._link(line, scope) for line in node.links)
            made.append(ir.Network(node.name.text, binders, nodes, links, self._program.note(node)))
        return tuple(made)

    def _when(self, where: ir.Expr | None, when: ast.Expr | None, scope: Scope) -> ir.Expr:
        tests = () if where is None else (where,)
        return conjunction(*tests) if when is None else conjunction(*tests, self.tables.check.boolean(when, scope))

    def _end(self, node: ast.Expr, scope: Scope) -> tuple[ir.Expr, ...]:
        items = node.items if isinstance(node, ast.Tuple) else (node,)
        return tuple(self.tables.check.expr(item, scope) for item in items)

    def _node(self, line: ast.NodeLine, scope: Scope) -> ir.NetworkNode:
        binders, where, inner = self.tables.check.over(line.binders, line.where, scope)
        return ir.NetworkNode(binders, self._end(line.node, inner), self._when(where, line.when, inner))

    def _link(self, line: ast.LinkLine, scope: Scope) -> ir.NetworkLink:
        binders, where, inner = self.tables.check.over(line.binders, line.where, scope)
        when = self._when(where, line.when, inner)
        inner = self.tables.check.learn(when, inner)
        return ir.NetworkLink(binders, self._end(line.left, inner), self._end(line.right, inner), when, line.both_nodes)


def _over(binders: tuple[ir.Binder, ...], where: ir.Expr | None, formula: ir.Expr) -> ir.Expr:
    return ir.Fold("all", binders, where, formula, None, ir.BOOL) if binders else formula
