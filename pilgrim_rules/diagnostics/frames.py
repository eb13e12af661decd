"""What the user sees of a diagnostic: a frame of source text, or one JSON object for an editor.

Reads:  diagnostics and sources.   Writes: text without a final line break; dictionaries ready for `json.dumps`.
After:  source and clauses take at most `WIDTH` columns, whatever they contain; messages and help are never cut.

    error[PR201]: unknown name `stoen`
      --> spec/pilgrim/6-shrines.rules:12:8
       |
    12 |   need stoen >= 1
       |        ^^^^^
       = help: did you mean `stone`?
       = clause: SHR-3, a shrine costs 1 stone (p. 11)
"""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import TextIO, TypeAlias

from pilgrim_rules.diagnostics.bag import Diagnostic
from pilgrim_rules.diagnostics.source import SourceFile, Span

Sources: TypeAlias = Mapping[str, SourceFile]

WIDTH = 120
_TAB = 4
_ELLIPSIS = "…"
_COLOURS = {"error": "1;31", "warning": "1;33", "title": "1", "gutter": "1;34", "related": "1;34", "help": "1;36"}


def frame(found: Diagnostic, sources: Sources, *, colour: bool = False) -> str:
    """Return the diagnostic as a text frame."""
    paint = _painted if colour else _plain
    severity = found.code.severity
    lines = [f"{paint(severity, f'{severity}[{found.code.id}]')}{paint('title', f': {_one_line(found.message)}')}"]
    places = [(found.span, "", severity), *((span, label, "related") for span, label in found.related)]
    shown = [(span, label, style) for span, label, style in places if span is not None]
    gutter = max((len(str(_lines(span, sources))) for span, _, _ in shown), default=1)
    for span, label, style in shown:
        lines += _place(span, label, style, sources, gutter, paint)
    edge = " " * gutter + paint("gutter", " = ")
    if found.help is not None:
        lines.append(f"{edge}{paint('help', 'help')}: {_one_line(found.help)}")
    if found.clause is not None:
        said = f"{found.clause}, {found.says}" if found.says else found.clause
        text = _head(_one_line(said), WIDTH - gutter - len(" = clause: "))
        lines.append(f"{edge}{paint('help', 'clause')}: {text}")
    return "\n".join(lines)


def frames(found: Iterable[Diagnostic], sources: Sources, *, colour: bool = False) -> str:
    """Return all frames, an empty line between two."""
    return "\n\n".join(frame(one, sources, colour=colour) for one in found)


def to_json(found: Diagnostic, sources: Sources) -> dict[str, object]:
    """Return the diagnostic as plain data; lines and columns count from 1, the end is exclusive."""
    return {
        "code": found.code.id,
        "severity": found.code.severity,
        "title": found.code.title,
        "message": found.message,
        **_json_place(found.span, sources),
        "help": found.help,
        "clause": found.clause,
        "says": found.says,
        "related": [{**_json_place(span, sources), "message": label} for span, label in found.related],
    }


def wants_colour(stream: TextIO | None = None) -> bool:
    """Tell whether the stream is a terminal and nobody asked for plain text."""
    return not os.environ.get("NO_COLOR") and (stream or sys.stderr).isatty()


def _json_place(span: Span | None, sources: Sources) -> dict[str, object]:
    if span is None:
        return {"file": None, "start": None, "end": None}
    source = sources.get(span.file)
    if source is None:
        return {"file": span.file, "start": None, "end": None}
    (line, column), (end_line, end_column) = source.position(span.start), source.position(max(span.start, span.end))
    return {
        "file": span.file,
        "start": {"line": line, "column": column},
        "end": {"line": end_line, "column": end_column},
    }


def _lines(span: Span, sources: Sources) -> int:
    source = sources.get(span.file)
    return 0 if source is None else source.position(span.start)[0]


def _place(
    span: Span, label: str, style: str, sources: Sources, gutter: int, paint: Callable[[str, str], str]
) -> list[str]:
    """Return the lines that show one place: where, the source line, the caret under the stretch of it."""
    pad = " " * gutter
    arrow = paint("gutter", "-->" if style != "related" else "...")
    source = sources.get(span.file)
    if source is None:
        return [f"{pad}{arrow} {span.file}{f': {label}' if label else ''}"]
    line, column = source.position(span.start)
    text = source.line(line)
    before, marked, after = _split(text, column - 1, span.end - span.start)
    shown, offset, width = _clip(before, marked, after, WIDTH - gutter - 3)
    mark = ("^" if style != "related" else "-") * width
    bar = paint("gutter", "|")
    return [
        f"{pad}{arrow} {span.file}:{line}:{column}",
        f"{pad} {bar}",
        f"{paint('gutter', str(line).rjust(gutter))} {bar} {shown}".rstrip(),
        f"{pad} {bar} {' ' * offset}{paint(style, f'{mark} {label}'.rstrip())}",
    ]


def _split(text: str, start: int, length: int) -> tuple[str, str, str]:
    """Return the line before, in and after the stretch, as they are shown; the stretch ends with the line."""
    end = min(start + length, len(text))
    return _visible(text[:start]), _visible(text[start:end]), _visible(text[end:])


def _visible(text: str) -> str:
    """Return the text with tabs as blanks and without anything that would move the cursor."""
    if text.isascii() and text.isprintable():
        return text
    spread = text.replace("\t", " " * _TAB)
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in spread)


def _clip(before: str, marked: str, after: str, room: int) -> tuple[str, int, int]:
    """Return what fits of the line around the stretch, the columns before the caret, and the columns of the caret."""
    if len(before) + len(marked) + len(after) <= room and _columns(before + marked + after) <= room:
        return before + marked + after, _columns(before), max(1, _columns(marked))
    marked = _head(marked, room // 2)
    before = _tail(before, room // 4)
    after = _head(after, room - _columns(before) - _columns(marked) - 1)
    return before + marked + after, _columns(before), max(1, _columns(marked))


def _head(text: str, room: int) -> str:
    if len(text) <= room and _columns(text) <= room:
        return text
    kept = text[: max(room - 1, 0)]
    while _columns(kept) > max(room - 1, 0):
        kept = kept[:-1]
    return kept + _ELLIPSIS


def _tail(text: str, room: int) -> str:
    reverse = _head(text[::-1][: room + 1], room) if len(text) > room else _head(text[::-1], room)
    return reverse[::-1]


def _columns(text: str) -> int:
    """Return how many columns of a terminal the text takes: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def _one_line(text: str) -> str:
    return _visible(text.replace("\n", " "))


def _plain(_style: str, text: str) -> str:
    return text


def _painted(style: str, text: str) -> str:
    return f"\x1b[{_COLOURS[style]}m{text}\x1b[0m"
