"""`pilgrim print`: a game as it is after one of the passes, for whoever works on the language or doubts a rule's reading."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import click

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import InstanceOptions, Reporting, format_option, instance_options
from pilgrim_rules.cli.output import show_json
from pilgrim_rules.core import codec
from pilgrim_rules.core.ir import Game, Type
from pilgrim_rules.core.show import show_game
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.source import SourceFile
from pilgrim_rules.language import find_game
from pilgrim_rules.language.load import read_game
from pilgrim_rules.language.names.symbols import Symbols, collect
from pilgrim_rules.language.read_files import read_files
from pilgrim_rules.language.syntax import ast

PASSES = ("parse", "names", "types", "lower", "expand")


@click.command("print", cls=Reporting)
@click.argument("game")
@click.option(
    "--after",
    "pass_",
    type=click.Choice(PASSES),
    default="lower",
    show_default=True,
    help="The pass whose result is shown.",
)
@instance_options
@format_option
def print_(game: str, *, pass_: str, instance: InstanceOptions, as_json: bool) -> Exit:
    """Show GAME as it is after a pass.

    parse: the tree of each file. names: what is declared, and where. types: every type, and the type of everything that
    can stand in an expression. lower: the core, from which all else is derived, in the words of its author. expand: the
    same, with costs, payments, named effects and guards spelled out.
    """
    match pass_:
        case "parse":
            bag = Bag()
            _show(list(read_files(find_game.find(game), bag).files), bag, as_json=as_json)
        case "names":
            bag = Bag()
            _show(
                _declared(collect(read_files(find_game.find(game), bag).files, bag), bag.sources), bag, as_json=as_json
            )
        case "types":
            _show(_typed(read_game(game, **instance.words())), Bag(), as_json=as_json)
        case shown:  # `lower` or `expand`: click has seen to it
            core = read_game(game, **instance.words())
            if as_json:
                show_json(json.loads(codec.encode(core)))
            else:
                click.echo(show_game(core, expanded=shown == "expand"), nl=False)
    return Exit.OK


def _show(result: Any, bag: Bag, *, as_json: bool) -> None:
    bag.stop_if_errors()
    if as_json:
        show_json(_plain(result))
    else:
        click.echo("\n".join(_tree(result)))


def _declared(symbols: Symbols, sources: dict[str, SourceFile]) -> dict[str, dict[str, str]]:
    """Return each namespace with what it declares: the kind of thing and its place."""
    found: dict[str, dict[str, str]] = {}
    for each in fields(symbols):
        table = getattr(symbols, each.name)
        entries = table.items() if isinstance(table, dict) else [(each.name, table)] if table is not None else []
        if entries:
            found[each.name] = {name: f"{type(node).__name__} {_place(node, sources)}" for name, node in entries}
    return found


def _place(node: ast.Node, sources: dict[str, SourceFile]) -> str:
    line, column = sources[node.span.file].position(node.span.start)
    return f"{node.span.file}:{line}:{column}"


def _typed(game: Game) -> dict[str, dict[str, str]]:
    """Return the named types, and the type of each constant, variable and definition."""

    def over(index: tuple[Type, ...]) -> str:
        return f"[{', '.join(each.name for each in index)}] : " if index else ""

    return {
        "types": {
            each.name: f"{each.kind} {each.lo}..{'' if each.is_open else each.hi} {' '.join(each.labels)}".rstrip()
            for each in game.types
        },
        "constants": {each.name: over(each.index) + each.type.name for each in game.constants},
        "variables": {each.name: over(each.index) + each.type.name for each in game.variables},
        "definitions": {
            each.name: f"({', '.join(param.type.name for param in each.params)}) -> {each.body.type.name}"
            for each in game.defs
        },
    }


def _tree(value: Any, indent: str = "") -> Iterator[str]:
    """Yield the lines of a tree: what is small stands beside its name, what is large below it."""
    if is_dataclass(value):
        yield f"{indent}{type(value).__name__}"
        yield from _entries(
            ((each.name, getattr(value, each.name)) for each in fields(value) if each.repr), indent + "  "
        )
    elif isinstance(value, dict):
        yield from _entries(iter(value.items()), indent)
    else:
        for each in value:
            yield from _tree(each, indent) if (small := _small(each)) is None else [f"{indent}{small}"]


def _entries(entries: Iterator[tuple[str, Any]], indent: str) -> Iterator[str]:
    for name, part in entries:
        if (small := _small(part)) is not None:
            if small:
                yield f"{indent}{name}: {small}"
        else:
            yield f"{indent}{name}"
            yield from _tree(part, indent + "  ")


def _small(value: Any) -> str | None:
    """Return the text of what needs no lines of its own; empty for what is absent."""
    match value:
        case None | () | "" | False:
            return ""
        case bool() | int() | str():
            return str(value)
        case ast.Word(text=text) | ast.Text(text=text):
            return text
        case _:  # it has parts
            return None


def _plain(value: Any) -> Any:
    """Return the same as plain data; a node says what it is."""
    if is_dataclass(value):
        parts = {each.name: _plain(getattr(value, each.name)) for each in fields(value) if each.repr}
        return {"is": type(value).__name__, **parts}
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value
