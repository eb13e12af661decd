import io
import json
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilgrim_rules.diagnostics.bag import Bag, Diagnostic
from pilgrim_rules.diagnostics.codes import PR601, PR608
from pilgrim_rules.diagnostics.frames import WIDTH, _columns, frame, frames, to_json, wants_colour
from pilgrim_rules.diagnostics.source import SourceFile, Span

NAME = "spec/6-shrines.rules"
TEXT = "action build\n" * 11 + "  need stoen >= 1\n"


def sources(text=TEXT):
    return {NAME: SourceFile(NAME, text)}


def mistake(text, part, **more):
    start = text.index(part)
    return Diagnostic(PR601, "unknown name `stoen`", Span(NAME, start, start + len(part)), **more)


def shown(text):
    return dedent(text).strip("\n")


def test_a_frame_looks_like_the_golden_example():
    found = mistake(TEXT, "stoen", help="did you mean `stone`?", clause="SHR-3", says="a shrine costs 1 stone (p. 11)")

    expected = """
        error[PR601]: unknown name `stoen`
          --> spec/6-shrines.rules:12:8
           |
        12 |   need stoen >= 1
           |        ^^^^^
           = help: did you mean `stone`?
           = clause: SHR-3, a shrine costs 1 stone (p. 11)
    """
    assert shown(expected) == frame(found, sources())


def test_a_clause_that_nobody_knows_is_named_only():
    assert frame(mistake(TEXT, "stoen", clause="SHR-3"), sources()).endswith("   = clause: SHR-3")


def test_a_related_place_is_shown_with_its_words():
    found = mistake(TEXT, "stoen", related=((Span(NAME, 7, 12), "first given here"),))

    expected = """
        error[PR601]: unknown name `stoen`
          --> spec/6-shrines.rules:12:8
           |
        12 |   need stoen >= 1
           |        ^^^^^
          ... spec/6-shrines.rules:1:8
           |
         1 | action build
           |        ----- first given here
    """
    assert shown(expected) == frame(found, sources())


def test_tabs_are_shown_as_blanks_and_the_caret_stays_under_its_text():
    text = "\tneed\tstoen\n"
    line, caret = frame(mistake(text, "stoen"), sources(text)).splitlines()[3:5]

    assert "1 |     need    stoen" == line
    assert line.index("stoen") == caret.index("^")


def test_wide_characters_take_two_columns():
    text = "石 stoen\n"
    caret = frame(mistake(text, "stoen"), sources(text)).splitlines()[4]

    assert "  |    ^^^^^" == caret


def test_a_span_of_several_lines_is_clipped_to_the_first():
    text = "need stoen >= 1\nand more\n"
    caret = frame(Diagnostic(PR601, "x", Span(NAME, 5, len(text))), sources(text)).splitlines()[4]

    assert "  |      ^^^^^^^^^^" == caret


@pytest.mark.parametrize("text", ["", "x", "x\n"])
def test_the_end_of_a_file_has_a_caret(text):
    lines = frame(Diagnostic(PR601, "x", Span(NAME, len(text), len(text) + 1)), sources(text)).splitlines()

    assert lines[-1].endswith("^")


def test_a_long_line_is_clipped_around_the_caret():
    text = "x" * 500 + " stoen " + "y" * 500
    line, caret = frame(mistake(text, "stoen"), sources(text)).splitlines()[3:5]

    assert len(line) <= WIDTH
    assert line.startswith("1 | …")
    assert line.endswith("…")
    assert line.index("stoen") == caret.index("^")


def test_control_characters_never_reach_the_terminal():
    text = "need \x1b[31m stoen\r\x07\n"
    found = mistake(text, "stoen", help="bell \x07")

    assert all(char.isprintable() for line in frame(found, sources(text)).splitlines() for char in line)


def test_a_place_in_an_unknown_file_is_named_only():
    assert "error[PR601]: x\n --> gone.rules" == frame(Diagnostic(PR601, "x", Span("gone.rules", 0, 1)), {})


def test_a_mistake_without_place_is_one_line():
    assert "warning[PR608]: x" == frame(Diagnostic(PR608, "x", None), {})


def test_frames_are_parted_by_an_empty_line():
    bag = Bag()
    bag.add(PR601, "one", None)
    bag.add(PR601, "two", None)

    assert "error[PR601]: one\n\nerror[PR601]: two" == frames(bag, bag.sources)


def test_colour_adds_nothing_but_colour():
    found = mistake(TEXT, "stoen", help="h", clause="SHR-3")
    coloured = frame(found, sources(), colour=True)
    plain = coloured
    for code in ("1;31", "1;34", "1;36", "1", "0"):
        plain = plain.replace(f"\x1b[{code}m", "")

    assert "\x1b[1;31m" in coloured
    assert frame(found, sources()) == plain


def test_colour_is_for_terminals_without_no_color(monkeypatch):
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.delenv("NO_COLOR", raising=False)

    assert wants_colour(terminal)
    assert not wants_colour(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_colour(terminal)


def test_json_has_lines_and_columns_from_one():
    found = to_json(mistake(TEXT, "stoen", help="h", related=((Span(NAME, 0, 6), "r"),)), sources())

    assert json.loads(json.dumps(found)) == {
        "code": "PR601",
        "severity": "error",
        "title": "unknown clause",
        "message": "unknown name `stoen`",
        "file": NAME,
        "start": {"line": 12, "column": 8},
        "end": {"line": 12, "column": 13},
        "help": "h",
        "clause": None,
        "says": None,
        "related": [{"file": NAME, "start": {"line": 1, "column": 1}, "end": {"line": 1, "column": 7}, "message": "r"}],
    }


def test_json_of_a_mistake_without_place_has_no_lines():
    assert {"file": None, "start": None, "end": None}.items() <= to_json(Diagnostic(PR601, "x", None), {}).items()


@given(text=st.text(max_size=400), start=st.integers(-5, 500), length=st.integers(-5, 500))
def test_any_text_and_any_span_can_be_shown(text, start, length):
    found = Diagnostic(PR601, "x", Span(NAME, start, start + length), clause="SHR-3")
    _, _, _, line, caret, *_ = frame(found, sources(text)).split("\n")

    assert _columns(line) <= WIDTH
    assert _columns(caret) <= WIDTH + 1
    assert "^" in caret
    to_json(found, sources(text))
