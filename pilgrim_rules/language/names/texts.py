"""Texts of rows: what a card does, said with the card, as effects and definitions of the symbol table.

Reads:  the texts of rows, and definitions with a default.   Writes: an effect for what happens at once, and for each definition
        with a default one chain of cases: the first text whose condition holds decides, in the order of the rules.
After:  nothing is left of texts that play would have to know; `RowText`s stay for whoever tells what a card says.
"""

from __future__ import annotations

from dataclasses import replace

from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.language.names.symbols import Symbols
from pilgrim_rules.language.syntax import ast


def text_effect(of: str, row: str) -> str:
    """Return the name of the effect of what happens at once; no text can spell it."""
    return f"{of}.{row}"


def declare_texts(symbols: Symbols, bag: Bag) -> None:
    """Declare what the texts of rows say."""
    cases: dict[str, list[tuple[ast.RowText, ast.WhileLine, ast.ChangedDef]]] = {}
    for text in symbols.texts.values():
        if text.at_once:
            name = ast.Word(text_effect(text.of.text, text.name.text), span=text.name.span)
            symbols.rules[name.text] = ast.Effect(
                params=(), body=text.at_once, name=name, cites=text.cites, doc=text.doc, span=text.span
            )
        for line in text.lasting:
            for change in line.changes:
                cases.setdefault(change.name.text, []).append((text, line, change))
    for called, changes in cases.items():
        definition = symbols.values.get(called)
        if not isinstance(definition, ast.Def) or not definition.default:
            help_ = f"declare what it is otherwise: `def {called}(…) default …`"
            bag.add(codes.PR332, f"`{called}` is no definition with a default", changes[0][2].name.span, help=help_)
            continue
        symbols.values[called] = _chained(definition, changes, bag)


def _chained(
    definition: ast.Def, changes: list[tuple[ast.RowText, ast.WhileLine, ast.ChangedDef]], bag: Bag
) -> ast.Def:
    """Return a definition whose value is that of the first text that lasts, or else its default."""
    body = definition.body
    cited: list[ast.Word] = []
    for text, line, change in reversed(changes):
        if len(change.args) != len(definition.params):
            what = f"`{definition.name.text}` takes {len(definition.params)} arguments, not {len(change.args)}"
            bag.add(codes.PR304, what, change.span)
            continue
        test = line.test
        for param, arg in zip(definition.params, change.args, strict=True):
            value = arg.value if isinstance(arg, ast.NamedArg) else arg
            if isinstance(value, ast.Name) and value.text == param.name.text:
                continue  # whatever it is
            same = ast.Binary("==", ast.Name(param.name.text, span=value.span), value, span=value.span)
            test = ast.Binary("and", test, same, span=change.span)
        body = ast.Ternary(change.value, test, body, span=change.span)
        cited = [*text.cites, *change.cites, *cited]
    known = {word.text for word in definition.cites}
    more = {word.text: word for word in cited if word.text not in known}
    return replace(definition, body=body, cites=(*definition.cites, *more.values()))
