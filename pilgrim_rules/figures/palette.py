"""Palette: which colour a label has, and what that colour is on light and on dark paper.

Reads:  the figures of a game.   Writes: `Tint`s, and the style sheet of a picture.
After:  two players never have the same colour, nor the same letter, sign or line: they are told apart without colour.

A page may give its own colours with custom properties such as `--pr-red`, `--pr-red-soft` and `--pr-red-ink`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pilgrim_rules.core.ir import COLOURS, Figure, Game, Type
from pilgrim_rules.core.values import show

#: Each colour for pieces and ways, for areas, and for letters upon it; on light paper, then on dark.
_COLOURS: Mapping[str, tuple[str, str, str, str, str, str]] = {
    "red": ("#c0392f", "#f4d5d0", "#ffffff", "#e9695c", "#55302c", "#1d0b09"),
    "blue": ("#2f63b5", "#cfe0f4", "#ffffff", "#6ea3ee", "#24405f", "#071426"),
    "green": ("#3b7d3c", "#dde9cf", "#ffffff", "#79bd6f", "#323f2b", "#0a1a08"),
    "yellow": ("#e0a912", "#f8ebbd", "#221a00", "#f0c94e", "#4d4320", "#1f1800"),
    "violet": ("#7d4aa3", "#e6d8f0", "#ffffff", "#b78bdb", "#44334f", "#180a22"),
    "orange": ("#cf6a17", "#f9dfc5", "#ffffff", "#f0994e", "#563a22", "#221102"),
    "teal": ("#1f8079", "#cbe8e4", "#ffffff", "#5cc0b6", "#23443f", "#021a17"),
    "pink": ("#c4477f", "#f6d6e4", "#ffffff", "#ec86b1", "#532f40", "#230815"),
    "brown": ("#7a5230", "#e6d8c8", "#ffffff", "#bd9069", "#43362b", "#1a0f06"),
    "sand": ("#b08d4f", "#f3e7c9", "#211a0b", "#d8bd84", "#4a4230", "#1c1607"),
    "grey": ("#737373", "#dedbd6", "#ffffff", "#a9a6a1", "#47453f", "#141312"),
    "black": ("#33312f", "#c9c6c2", "#ffffff", "#86827c", "#3a3835", "#100f0e"),
    "white": ("#f7f4ec", "#fffdf7", "#2b2926", "#e9e5da", "#5f5c56", "#22201d"),
}
assert tuple(_COLOURS) == COLOURS, "every colour of the language has its shades"

#: What every picture has: the plain cell, what lies around a road, a legal and a refused place, a change.
_PAPER: Mapping[str, tuple[str, str]] = {
    "cell": ("#fbf8f0", "#2a2926"),
    "casing": ("#ffffff", "#171614"),
    "legal": ("#1f8a4c", "#5fd08d"),
    "refused": ("#b3261e", "#ff8f85"),
    "changed": ("#d98a00", "#ffc247"),
}

_RULES = """\
.pr-figure{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;max-width:100%;height:auto}
.pr-figure:root{color-scheme:light dark}
.pr-figure text{fill:currentColor;stroke:none}
.pr-figure .muted{opacity:.62}
.pr-figure .strong{font-weight:650}
.pr-figure .cell{fill:var(--cell);stroke:currentColor;stroke-opacity:.32;stroke-width:1}
.pr-figure .area{fill:var(--s);stroke:currentColor;stroke-opacity:.28;stroke-width:1}
.pr-figure .link{fill:none;stroke:currentColor;stroke-opacity:.45;stroke-width:2}
.pr-figure .tip{fill:currentColor;fill-opacity:.55}
.pr-figure .bands{opacity:.5}
.pr-figure .band{fill:none;stroke:var(--c);stroke-width:11;stroke-linecap:round}
.pr-figure .side{fill:none;stroke:var(--c,currentColor);stroke-width:3.5;stroke-linecap:round}
.pr-figure .casing{fill:none;stroke:var(--casing);stroke-width:10.5;stroke-linecap:round}
.pr-figure .road{fill:none;stroke:var(--c);stroke-width:7;stroke-linecap:round}
.pr-figure .dash{fill:none;stroke:var(--i);stroke-width:1.8}
.pr-figure .token{fill:var(--c,currentColor);stroke:var(--casing);stroke-width:.14}
.pr-figure .drawn{fill:none;stroke:var(--c,currentColor);stroke-width:.3;stroke-linecap:round;stroke-linejoin:round}
.pr-figure .seed{fill:var(--c,currentColor);fill-opacity:.75}
.pr-figure text.on{fill:var(--i)}
.pr-figure .tile{fill:var(--casing);stroke:currentColor;stroke-opacity:.6;stroke-width:1}
.pr-figure .name{opacity:.5}
.pr-figure .legal{fill:var(--legal);fill-opacity:.1;stroke:var(--legal);stroke-width:2;stroke-dasharray:5 3}
.pr-figure .chosen{fill:none;stroke:var(--legal);stroke-width:3.5}
.pr-figure .refused{fill:none;stroke:var(--refused);stroke-width:3;stroke-linecap:round}
.pr-figure text.because{fill:var(--refused);stroke:var(--casing);stroke-width:3;paint-order:stroke;font-weight:600}
.pr-figure .changed{fill:none;stroke:var(--changed);stroke-width:2.5}
.pr-figure .cells .changed{fill:var(--changed);fill-opacity:.3;stroke:none}
.pr-figure .rule{stroke:currentColor;stroke-opacity:.25}
.pr-figure .halo{stroke:var(--cell);stroke-width:2.5;paint-order:stroke;stroke-linejoin:round}
"""


@dataclass(frozen=True, slots=True)
class Tint:
    """The colour of a label; a player's has a seat and a letter."""

    label: str
    colour: str
    seat: int | None = None
    letter: str = ""


class Palette:
    """The colours of one game."""

    def __init__(self, game: Game) -> None:
        self._asked = {label: colour for figure in game.figures for label, colour in figure.tints}
        self.seats = self._seats(game.player.labels)
        self._by_label = {tint.label: tint for tint in self.seats}

    def tint(self, figure: Figure, type_: Type, code: int) -> Tint | None:
        """Return the colour of a value; None for `none` and for what is false."""
        if (type_.kind == "optional" and code == type_.hi) or (type_.kind == "bool" and not code):
            return None
        label = show(type_, code)
        if label in self._by_label:
            return self._by_label[label]
        own = dict(figure.tints).get(label) or self._asked.get(label)
        named = own or (label if label in _COLOURS else None)
        return Tint(label, named or COLOURS[(code + len(self.seats)) % len(COLOURS)])

    def colour(self, type_: Type, code: int) -> str | None:
        """Return the name of the colour of a label outside a figure: one that a figure gives it, or its own by its place."""
        if type_.kind == "optional":
            return None if code == type_.hi else self.colour(type_.parts[0], code)
        label = show(type_, code)
        named = self._asked.get(label) or (label if label in _COLOURS else None)
        return named or COLOURS[(code - type_.lo) % len(COLOURS)]

    def _seats(self, players: tuple[str, ...]) -> tuple[Tint, ...]:
        named = {label: self._asked.get(label, label) for label in players}
        taken = {colour for colour in named.values() if colour in _COLOURS}
        free = [colour for colour in COLOURS if colour not in taken] + list(COLOURS)
        made: list[Tint] = []
        letters: set[str] = set()
        for seat, label in enumerate(players):
            colour = named[label] if named[label] in _COLOURS else free.pop(0)
            spelled = [*label.upper(), *"ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
            letter = next((char for char in spelled if char.isalpha() and char not in letters), str(seat + 1))
            letters.add(letter)
            made.append(Tint(label, colour, seat, letter))
        return tuple(made)


def style(colours: Iterable[str]) -> str:
    """Return the style sheet of a picture in which these colours occur.

    The mode decides about properties of the outermost element alone; everything inside inherits them, also where a
    picture refers to a part that stands elsewhere on the page.
    """
    used = sorted(set(colours))
    named = "".join(f".pr-figure .c-{name}{{{_inherited(name)}}}\n" for name in used)
    dark = _shades(used, "svg.pr-figure:not([data-theme=light] *)", 1)
    return "".join((
        _RULES,
        named,
        _shades(used, "svg.pr-figure", 0),
        f"@media screen and (prefers-color-scheme:dark){{{dark}}}\n",
        _shades(used, "[data-theme=dark] svg.pr-figure", 1),
    ))  # fmt: skip


def _inherited(colour: str) -> str:
    return ";".join(f"--{part}:var(--{colour}-{part})" for part in "csi")


def _shades(colours: list[str], root: str, mode: int) -> str:
    """Return the custom properties of a mode: 0 is light, 1 is dark."""
    lines = [f"--{name}:var(--pr-{name},{shades[mode]})" for name, shades in _PAPER.items()]
    ink, page = (("#211f1b", "#ffffff"), ("#e6e2d9", "#191816"))[mode]
    for name in colours:
        strong, soft, on = _COLOURS[name][3 * mode : 3 * mode + 3]
        lines += [f"--{name}-c:var(--pr-{name},{strong})", f"--{name}-s:var(--pr-{name}-soft,{soft})"]
        lines.append(f"--{name}-i:var(--pr-{name}-ink,{on})")
    return f"{root}{{{';'.join(lines)}}}\n{root}:root{{color:{ink};background:{page}}}\n"
