"""Texts of rows: which rows have one, what each says, and the line that lets the text of a row happen.

Reads:  the texts of a game, through the checker.   Writes: `ir.RowText`s, and written lines.
After:  in a table in which a row has a text, every row has one, or says `nothing`.
"""

from __future__ import annotations

from collections.abc import Iterator

from pilgrim_rules.core import ir
from pilgrim_rules.core.smart_constructors import equals
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.language.check.checker import Checker
from pilgrim_rules.language.check.data_and_state import DataAndState
from pilgrim_rules.language.check.program_info import POISON
from pilgrim_rules.language.check.scope import PLAY, Scope
from pilgrim_rules.language.names.texts import text_effect
from pilgrim_rules.language.syntax import ast


def row_texts(tables: DataAndState) -> tuple[ir.RowText, ...]:
    """Return what the texts say, after reporting rows without one and texts without a row."""
    program = tables.program
    made: list[ir.RowText] = []
    by_table: dict[str, dict[str, ast.RowText]] = {}
    for text in program.symbols.texts.values():
        by_table.setdefault(text.of.text, {})[text.name.text] = text
    for name, texts in by_table.items():
        first = next(iter(texts.values()))
        type_ = program.types.get(name)
        if type_ is None or type_.kind != "enum":
            if type_ is not POISON:
                program.unknown(first.of, [each for each in program.types if each != "Stage"], "table", codes.PR332)
            continue
        for row, text in texts.items():
            if row not in type_.labels:
                program.unknown(text.name, type_.labels, f"row of `{name}`", codes.PR332)
        missing = [label for label in type_.labels if label not in texts]
        if missing:
            said = ", ".join(f"`{label}`" for label in missing[:4]) + (" …" if len(missing) > 4 else "")  # noqa: PLR2004
            help_ = f"give each a text, or say that it has none: `text {missing[0]} of {name}: nothing`"
            program.bag.add(
                codes.PR332, f"some rows of `{name}` have a text, but not {said}", first.name.span, help=help_
            )
        made += [_said(tables, texts[label]) for label in type_.labels if label in texts]
    return tuple(made)


def _said(tables: DataAndState, text: ast.RowText) -> ir.RowText:
    effect = text_effect(text.of.text, text.name.text) if text.at_once else ""
    changes = tuple(_changes(tables, text))
    return ir.RowText(text.of.text, text.name.text, effect, changes, tables.program.note(text))


def _changes(tables: DataAndState, text: ast.RowText) -> Iterator[ir.TextChange]:
    """Yield what is different while something lasts; mistakes in it have been reported with the definition."""
    program = tables.program
    for line in text.lasting:
        for change in line.changes:
            definition = program.defs.get(change.name.text)
            if definition is None or len(definition.params) != len(change.args):
                continue
            scope = Scope(PLAY)
            test = tables.check.boolean(line.test, scope)
            for param in definition.params:
                scope = scope.bind(param.name, ir.Bound(param.name, param.type))
            args = tables.check.arguments(change.name.text, definition.params, change.args, change.span, scope)
            value = tables.check.expr(change.value, scope, definition.body.type)
            if args is not None and POISON not in (test.type, value.type):
                yield ir.TextChange(definition.name, test, args, value, program.clauses(change.cites))


def text_line(
    check: Checker, scope: Scope, node: ast.TextStmt, key: str, clauses: tuple[str, ...]
) -> list[ir.WrittenStmt]:
    """Return the line that lets the text of a row happen: that of the row which it is."""
    program = check.program
    row = check.expr(node.row, scope)
    if row.type.kind == "optional":
        row = check.coerce(row, row.type.parts[0], node.row.span)
    type_ = row.type
    if type_ == POISON:
        return []
    tables = {text.of.text for text in program.symbols.texts.values()}
    if type_.name not in tables:
        help_ = "give the rows of a table texts: `text drought of Event`, with `at once:` below"
        program.bag.add(codes.PR332, f"`{type_.name}` has no texts", node.row.span, help=help_)
        return []
    lines: list[ir.WrittenStmt] = []
    value = row
    if not isinstance(row, ir.Lit | ir.Bound):
        lines.append(ir.Define("row", row))
        value = ir.Bound("row", type_)
    ladder: tuple[ir.WrittenStmt, ...] = ()
    for code in reversed(range(type_.size)):
        label = type_.labels[code]
        name = text_effect(type_.name, label)
        if name not in program.symbols.rules or not program.grow(
            key.partition(".")[0], ast.Word(name, span=node.span), node.span
        ):
            continue
        if name not in program.effects:
            what = f"the text of `{label}` lets texts of its own table happen"
            program.bag.add(codes.PR332, what, node.span, help="say what happens in an `effect`, and run it from both")
            return []
        run = ir.RunEffect(name, (), f"{key}.{label}", clauses, span=node.span)
        test = equals(value, ir.Lit(code, type_))
        ladder = (ir.IfLine(test, (run,), ladder, f"{key}.{label}.if", span=node.span),)
    return [ir.Shorthand("text", (row,), (*lines, *ladder), key, clauses, span=node.span)]
