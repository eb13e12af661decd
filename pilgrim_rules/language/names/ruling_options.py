"""Choices: how each ruling and each option of the set-up is decided, by a preset and by whoever loads the game.

Reads:  the rulings, options and presets of a game, and what was asked for.   Writes: options by the name of their ruling.
After:  every ruling and option named exists; what was asked for stands above the preset, the preset above the default.
"""

from __future__ import annotations

from collections.abc import Iterable

from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.diagnostics.suggestions import closest, did_you_mean
from pilgrim_rules.language.names.symbols import Symbols
from pilgrim_rules.language.syntax import ast


def choices(symbols: Symbols, chosen: Iterable[str], asked: Iterable[tuple[str, str]], bag: Bag) -> dict[str, str]:
    """Return the options that presets choose, a later one above those before it; every preset is checked, also where none is chosen."""
    rulings = {name: node for name, node in symbols.values.items() if isinstance(node, ast.Ruling)}
    presets = {name: _preset(node, rulings, bag) for name, node in symbols.presets.items()}
    made: dict[str, str] = {}
    for preset in chosen:
        if preset not in presets:
            help_ = did_you_mean(preset, presets) or f"the game has {_listed(presets) or 'none'}"
            bag.add(codes.PR505, f"no preset `{preset}`", None, help=help_)
        else:
            made |= presets[preset]
    by_gap = {word.text: name for name, node in rulings.items() for word in node.cites}
    for given, option in asked:
        name = given if given in rulings else by_gap.get(given)
        if _exists(name or given, option, rulings, None, bag, near=by_gap):
            made[name or given] = option
    return made


def _preset(node: ast.Preset, rulings: dict[str, ast.Ruling], bag: Bag) -> dict[str, str]:
    made: dict[str, str] = {}
    for line in node.choices:
        name, option = line.ruling.text, line.option.text
        if name in made:
            bag.add(codes.PR202, f"`{name}` is chosen twice", line.span)
        elif _exists(name, option, rulings, line, bag):
            made[name] = option
    return made


def _exists(
    name: str,
    option: str,
    rulings: dict[str, ast.Ruling],
    line: ast.Chosen | None,
    bag: Bag,
    near: Iterable[str] = (),
) -> bool:
    """Tell whether the ruling has the option; if not, say so."""
    at: Span | None
    if name not in rulings:
        at = None if line is None else line.ruling.span
        similar = closest(name, (*rulings, *near))
        bag.add(
            codes.PR505, f"no ruling or option `{name}`", at, help=f"did you mean `{similar}`?" if similar else None
        )
        return False
    options = [each.name.text for each in rulings[name].options]
    refused = {each.name.text: each.refused for each in rulings[name].refused}
    if option not in options:
        at = None if line is None else line.option.span
        if option in refused:
            bag.add(codes.PR515, f"option `{option}` of ruling `{name}` is not played", at, help=refused[option])
            return False
        what = f"option `{name}` has no choice" if rulings[name].by_players else f"ruling `{name}` has no option"
        bag.add(codes.PR505, f"{what} `{option}`", at, help=f"choose one of {', '.join(options)}")
        return False
    return True


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
