from collections import Counter
from textwrap import dedent

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pilgrim_rules import specs
from pilgrim_rules.diagnostics.bag import Bag, RulesError
from pilgrim_rules.source import SourceFile
from pilgrim_rules.syntax.format import format_source
from pilgrim_rules.syntax.layout import lay_out
from pilgrim_rules.syntax.spacing import words

SPECS = sorted(specs.shipped().rglob("*.rules"))
SMALL = [path.read_text() for path in SPECS if path.stat().st_size < 4000]


def formatted(text):
    return format_source(dedent(text), "x.rules")


def comments(text):
    return Counter(comment.text for comment in lay_out(SourceFile("x.rules", text), Bag()).comments)


def mangled(text, random):
    """Return a text of the same words and lines with other blanks: indentation, between words, at ends, empty lines."""
    source = SourceFile("x.rules", text)
    layout = lay_out(source, Bag())
    notes = {comment.line: comment for comment in layout.comments}
    of_line = {}
    for declaration in words(source, layout):
        for word in declaration:
            of_line.setdefault(source.position(word.offset)[0], []).append(word)
    step = random.randint(1, 6)
    lines = []
    for number in range(1, len(source.starts) + 1):
        found, note = of_line.get(number, []), notes.get(number)
        if not found and note is None:
            lines += [" " * random.randint(0, 9) for _ in range(random.randint(1, 3))]
            continue
        depth = layout.lines[number].depth if found else note.depth
        line = " " * (step * depth)
        for at, word in enumerate(found):
            if (
                note is not None
                and note.line == number
                and not note.own_line
                and at
                and found[at - 1].offset < note.start < word.offset
            ):
                line += " " * random.randint(1, 9) + note.text + "  " + " " * random.randint(0, 9)
                note = None
            least = int(at > 0 and text[word.offset - 1] == " ")
            line += " " * (random.randint(least, 4) if at else 0) + word.text
        if note is not None:
            line += (" " * random.randint(1, 9) if found else "") + note.text
        lines.append(line + " " * random.randint(0, 3))
    return "\n".join(lines) + "\n" * random.randint(0, 3)


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_formatting_twice_changes_nothing_more_and_loses_no_comment(path):
    text = path.read_text()
    once = format_source(text, path.name)

    assert once == format_source(once, path.name)
    assert comments(text) == comments(once)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(SMALL), st.randoms(use_true_random=False))
def test_the_layout_does_not_depend_on_the_blanks_of_the_author(text, random):
    canonical = format_source(text, "x.rules")

    assert canonical == format_source(mangled(canonical, random), "x.rules")


def test_words_are_spaced_alike():
    text = (
        "def f( a:T,b :0..9=- 1 )->-1 .. 3?=g(a , c = 2) [ 1 ]- -x . y+count   of p in  Player*1..2 where p.1 in{a,b}\n"
    )

    expected = (
        "def f(a: T, b: 0..9 = -1) -> -1..3? = g(a, c=2)[1] - -x.y + count of p in Player * 1..2 where p.1 in {a, b}\n"
    )
    assert expected == formatted(text)


def test_tables_comments_and_clauses_are_aligned():
    text = """
        state
          mark[Square]:Player?=none ## who has marked it   cites SET-1
          turn :Player = cross      ## whose turn it is
          free: 0..9 = 9                   cites SET-2
    """

    expected = """\
        state
            mark[Square] : Player? = none  ## who has marked it         cites SET-1
            turn         : Player = cross  ## whose turn it is
            free         : 0..9 = 9                                     cites SET-2
    """
    assert dedent(expected) == formatted(text)


def test_a_long_line_leaves_the_clauses_of_its_neighbours_in_place():
    text = f"action a\n    require {'x' * 90} cites A-1\n    require y cites A-2\n"

    lines = formatted(text).splitlines()
    assert lines[1].endswith("x  cites A-1")
    assert 64 == lines[2].index("cites")


def test_declarations_are_separated_and_one_liners_may_stay_together():
    text = """

        enum A: a
        enum B: b
        # of the state
        state
            x : A
            # last
        enum C: c


        enum D: d
    """

    expected = """\
        enum A: a
        enum B: b

        # of the state
        state
            x : A
            # last

        enum C: c

        enum D: d
    """
    assert dedent(expected) == formatted(text)


def test_continued_lines_are_one_level_deeper():
    text = """
        enum Fruit: apple,
          pear
        law l: (a
                    or b)
          and c
             cites A-1
    """

    expected = """\
        enum Fruit: apple,
            pear
        law l: (a
            or b)
            and c
            cites A-1
    """
    assert dedent(expected) == formatted(text)


def test_line_ends_of_other_systems_become_plain():
    assert "enum A: a\n" == format_source("enum A:a\r\n", "x.rules")


def test_nothing_stays_nothing():
    assert "" == format_source("", "x.rules")
    assert "# only this\n" == format_source("\n\n# only this", "x.rules")


def test_what_cannot_be_parsed_is_refused_with_its_mistakes():
    with pytest.raises(RulesError) as refusal:
        formatted("enum A: a,,\nenum : b\n")

    assert ["PR110", "PR110"] == [found.code.id for found in refusal.value.diagnostics]
