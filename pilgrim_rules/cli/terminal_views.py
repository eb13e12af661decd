"""What the terminal shows of any game: a state as tables, the legal moves, a rule in steps.

Reads:  the variables of a core game, what a player may see of them, legal moves.   Writes: rich renderables.
After:  every variable is shown, or counted among those with nothing in them; a table with many cells only where it
        differs from the start. The numbers before moves are their places in the list.

Variables with one cell stand in one line; tables over the same index stand side by side; a table over two indices, or
over pairs, is a grid. What a variable means is not known here: games that want a picture have `State.svg`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, product
from math import prod
from typing import TypeAlias

from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pilgrim_rules.api.view import View
from pilgrim_rules.core.ir import Action, Game, Type, Variable
from pilgrim_rules.core.values import show
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.prose.english import say_action
from pilgrim_rules.semantics import python_values
from pilgrim_rules.semantics.cells import axes_of, leaves
from pilgrim_rules.semantics.errors import UnknownAction
from pilgrim_rules.semantics.moves import Move
from pilgrim_rules.semantics.python_values import Value

MOST_CELLS = 120  #: a larger table is shown by its differences
MOST_COLUMNS = 16
MOST_EMPTY = 12  #: with more variables than these, those with nothing in them are only named
MOST_NAMED = 8  #: of the variables with nothing in them
CHANGED = "bold yellow"

Column: TypeAlias = tuple[str, list[Text]]


def state_tables(
    variables: Iterable[Variable], now: View, start: View, *, before: View | None = None, width: int = 100
) -> Group:
    """Return what can be seen of the variables.

    start    the same player's view of the first state
    before   what the player saw last; what has changed since stands out
    width    of the terminal; a table that does not fit is cut into several, with all names in full
    """
    shown = [_Shown(variable, now, start, before) for variable in variables]
    empty = [each for each in shown if each.empty] if len(shown) > MOST_EMPTY else []
    single: list[_Shown] = []
    tables: dict[Type, list[_Shown]] = {}
    grids: list[_Shown] = []
    large: list[_Shown] = []
    for each in shown:
        axes = each.axes
        if each in empty:
            continue
        if not axes:
            single.append(each)
        elif prod(axis.size for axis in axes) > MOST_CELLS or axes[-1].size > MOST_COLUMNS:
            large.append(each)
        elif len(axes) == 1:
            tables.setdefault(axes[0], []).append(each)
        else:
            grids.append(each)
    parts: list[RenderableType] = [_line(single)] if single else []
    made: list[RenderableType] = []
    for index, group in tables.items():
        made += _tables(index.name, _labels(index), [(each.name, each.cells) for each in group], width)
    for each in grids:
        made += _grid(each, width)
    parts += [Columns(made, padding=(0, 4))] if made else []
    parts += map(_differences, large)
    if empty:
        parts.append(Text(_empty([each.name for each in empty]), style="dim"))
    return Group(*parts)


def _empty(names: Sequence[str]) -> str:
    """Return a line about the variables that hold nothing; of many, the first few are named."""
    first, rest = names[:MOST_NAMED], len(names) - MOST_NAMED
    return f"nothing yet in {', '.join(first)}{f' and {rest} more' if rest > 0 else ''}"


def changed_cells(variables: Iterable[Variable], now: View, before: View) -> Text:
    """Return what a player sees changed since another view: each cell, what it held and what it holds."""
    line = Text()
    for variable in variables:
        old, new = list(leaves(before[variable.name])), list(leaves(now[variable.name]))
        for labels, was, value in zip(product(*map(_labels, variable.index)), old, new, strict=True):
            if value != was:
                index = f"[{', '.join(labels)}]" if labels else ""
                line.append(f"{variable.name}{index} ", style="dim")
                line.append(f"{python_values.text(was)} → ", style="dim").append(
                    python_values.text(value), style=CHANGED
                ).append("   ")
    return line


class _Shown:
    """A variable, and its cells as they are shown."""

    def __init__(self, variable: Variable, now: View, start: View, before: View | None) -> None:
        self.name = variable.name
        self.index = variable.index
        self.axes = axes_of(variable.index)
        self.values = list(leaves(now[self.name]))
        self.first = list(leaves(start[self.name]))
        last = self.values if before is None else list(leaves(before[self.name]))
        self.changed = [value != old for value, old in zip(self.values, last, strict=True)]

    @property
    def cells(self) -> list[Text]:
        """The cells row by row; what is absent is a dot, so that what is there stands out."""
        return [
            Text(
                "·" if value is None or value is False else python_values.text(value),
                style=_style(value, changed=changed),
            )
            for value, changed in zip(self.values, self.changed, strict=True)
        ]

    @property
    def empty(self) -> bool:
        """Whether there is nothing in any cell, and was nothing before."""
        return not any(self.values) and not any(self.changed)


def _style(value: Value, *, changed: bool) -> str:
    return CHANGED if changed else "dim" if value is None or value is False else ""


def _line(variables: Sequence[_Shown]) -> Text:
    line = Text()
    for each in variables:
        line.append(f"{each.name} ", style="dim")
        line.append(python_values.text(each.values[0]), style=CHANGED if each.changed[0] else "bold").append("   ")
    return line


def _tables(corner: str, labels: Sequence[str], columns: Sequence[Column], width: int) -> Iterator[Table]:
    """Yield a table with a row for each label; several with the same rows if the columns do not fit side by side."""
    gap = 3
    left = gap + max(map(len, [corner, *labels]))
    group: list[Column] = []
    used = left
    for name, cells in columns:
        needs = gap + max(len(name), *map(len, cells))
        if group and used + needs > width:
            yield _table(corner, labels, group)
            group, used = [], left
        group.append((name, cells))
        used += needs
    yield _table(corner, labels, group)


def _table(corner: str, labels: Sequence[str], columns: Sequence[Column]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="dim")
    table.add_column(Text(corner), style="dim", no_wrap=True)
    for name, _ in columns:
        table.add_column(Text(name), justify="center", no_wrap=True)
    for at, label in enumerate(labels):
        table.add_row(Text(label), *(cells[at] for _, cells in columns))
    return table


def _grid(each: _Shown, width: int) -> Iterator[Table]:
    """Yield a table with a column for each value of the last index and a row for each value of the others."""
    *rows, columns = each.axes
    labels = [", ".join(parts) for parts in product(*map(_labels, rows))]
    cells = each.cells
    return _tables(
        each.name, labels, [(label, cells[at :: columns.size]) for at, label in enumerate(_labels(columns))], width
    )


def _differences(each: _Shown) -> Text:
    """Return the cells that are not as at the start."""
    line = Text(f"{each.name} ", style="dim")
    cells = zip(product(*map(_labels, each.index)), each.values, each.first, each.changed, strict=True)
    differing = [(labels, value, changed) for labels, value, first, changed in cells if value != first or changed]
    for labels, value, changed in differing:
        line.append(
            f"[{', '.join(labels)}] {python_values.text(value)}", style=CHANGED if changed else "not dim"
        ).append("   ")
    return line if differing else line.append("as at the start", style="not dim")


def _labels(index: Type) -> list[str]:
    return [show(index, code) for code in range(index.lo, index.hi + 1)]


# ------------------------------------------------------------------------------------------------------------- moves and rules


def numbered_moves(game: Game, moves: Sequence[Move]) -> Group:
    """Return the moves, numbered, under the action they belong to and the sentence that says what it is."""
    actions = {action.name: action for action in game.actions}
    width = len(str(len(moves)))
    parts: list[RenderableType] = []
    for name, group in groupby(enumerate(moves, 1), key=lambda numbered: numbered[1].action):
        parts.append(Text.assemble((name, "bold"), "  ", (_sentence(game, actions[name]), "dim")))
        texts = [Text(f"{at:>{width}} {move}") for at, move in group]
        parts.append(Padding(Columns(texts, padding=(0, 3)), (0, 0, 0, 2)))
    return Group(*parts)


def rule_steps(game: Game, name: str) -> Text:
    """Return the rule of an action as numbered steps; `UnknownAction` if there is none of that name."""
    action = next((each for each in game.actions if each.name == name), None)
    if action is None:
        near = did_you_mean(name, [each.name for each in game.actions])
        raise UnknownAction(f"the game has no action `{name[:40]}`" + (f"; {near}" if near else ""))
    steps = say_action(game, action)
    text = Text.assemble((steps.title, "bold"), f"\n{_sentence(game, action)}")
    for section in steps.sections:
        text.append(f"\n  {section.title}", style="dim")
        for step in section.steps:
            number = "" if step.number is None else f"{step.number}. "
            cited = f"  [{', '.join(step.clauses)}]" if step.clauses else ""
            text.append(f"\n    {'  ' * step.depth}{number}{step.text}").append(cited, style="dim")
    return text


def _sentence(game: Game, action: Action) -> str:
    """Return what the rules say about an action in a sentence, or what can be said for them."""
    return " ".join(action.note.doc.split()) or say_action(game, action).sentence
