import re
from collections import Counter
from textwrap import dedent

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pilgrim_rules.diagnostics.bag import Bag, RulesError
from pilgrim_rules.diagnostics.source import SourceFile
from pilgrim_rules.language import find_game
from pilgrim_rules.language.syntax.format import WIDTH, format_source
from pilgrim_rules.language.syntax.layout import lay_out
from pilgrim_rules.language.syntax.spacing import words

SPECS = sorted(find_game.shipped().rglob("*.rules"))
SMALL = [path.read_text() for path in SPECS if path.stat().st_size < 4000]
#: Every file of a small game, and of those of many files every eighth; the others take as long again, in long runs.
PARTS = [path for path in SPECS if path.parents[1] != find_game.shipped()]
SOME = [pytest.param(path, marks=() if path not in PARTS or path in PARTS[::8] else pytest.mark.slow) for path in SPECS]


def formatted(text):
    return format_source(dedent(text), "x.rules")


def comments(text):
    """Return the words of the comments, whatever lines they stand on."""
    found = lay_out(SourceFile("x.rules", text), Bag()).comments
    return Counter(word for comment in found for word in comment.text.lstrip("#").split())


def in_long_lines(text):
    """Return a text in which every line is as long as it can be: continued lines and comments joined."""
    source = SourceFile("x.rules", text)
    layout = lay_out(source, Bag())
    beside = {comment.line: comment.text for comment in layout.comments if not comment.own_line}
    made = {}
    for declaration in words(source, layout):
        for word in declaration:
            number = source.position(word.offset)[0]
            made.setdefault(layout.lines[number].first, []).append(word.text)
    depths = {number: layout.lines[number].depth for number in made}
    last = None
    for comment in layout.comments:
        follows = last is not None and (comment.line, comment.depth) == (last.line + 1, last.depth)
        if comment.own_line and follows and comment.text.startswith(last.text.split(" ")[0] + " "):
            made[at] += comment.text.lstrip("#").split()  # noqa: F821  (there is a last comment, so there is its place)
        elif comment.own_line:
            at = comment.line
            made[at], depths[at] = [comment.text], comment.depth
        last = comment if comment.own_line else None
    for number, note in beside.items():
        made[layout.lines[number].first].append(f" {note} ")
    return "".join(f"{'    ' * depths[number]}{' '.join(made[number])}\n" for number in sorted(made))


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


@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
def test_every_file_of_a_game_is_in_canonical_layout(path):
    """So formatting it once more changes nothing, and loses no comment; `make check` looks at all files."""
    text = path.read_text()

    assert text == format_source(text, path.name)


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_no_line_of_a_game_is_wider_than_a_review_tool_shows(path):
    assert [] == [line for line in path.read_text().splitlines() if len(line) > WIDTH]


@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
def test_long_lines_are_broken_and_broken_lines_stay_as_they_are(path):
    """That the tree stays the same is checked by the formatter itself."""
    text = in_long_lines(path.read_text())
    once = format_source(text, path.name)

    assert once == format_source(once, path.name)
    assert comments(text) == comments(once)
    wide = [line for line in once.splitlines() if len(line) > WIDTH]
    assert all(re.search(r'"[^"]{60,}|  ##', line) for line in wide), wide


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
    text = f"action a\n    require {'x' * 80} cites A-1\n    require y cites A-2\n"

    lines = formatted(text).splitlines()
    assert lines[1].endswith("x  cites A-1")
    assert 64 == lines[2].index("cites")


def test_clauses_that_do_not_fit_stand_below_their_line():
    clauses = ", ".join(f"CLAUSE-{number}" for number in range(1, 20))

    lines = formatted(f"action a cites {clauses}\n    require x cites A-1\n").splitlines()
    assert "action a" == lines[0]
    assert "    cites CLAUSE-1, CLAUSE-2, " == lines[1][:30]
    assert "    CLAUSE-11, " == lines[2][:15]
    assert "    require x" + " " * 51 + "cites A-1" == lines[3]


def test_clauses_move_behind_the_comment_before_they_move_below():
    text = f"state\n    x : 0..9 = 1 {'':40} cites A-1, A-2, A-3 ## {'y' * 40}\n    z : 0..9 cites A-1\n"

    assert f"    x : 0..9 = 1  ## {'y' * 40}   cites A-1, A-2, A-3" == formatted(text).splitlines()[1]


def test_a_long_line_is_broken_between_its_largest_parts():
    text = f"law l\n    {'a' * 30} and {'b' * 20} implies ({'c' * 20} or {'d' * 20}) and {'e' * 20} == 1\n"

    expected = f"""\
        law l
            {"a" * 30} and {"b" * 20}
                implies ({"c" * 20} or {"d" * 20}) and {"e" * 20} == 1
    """
    assert dedent(expected) == formatted(text)


def test_a_line_is_broken_in_a_bracket_only_if_there_is_no_other_place():
    text = f"law l\n    all p in Player: some(({'a' * 38} + {'b' * 38}) * {'c' * 30})\n"

    assert f"    all p in Player: some(({'a' * 38} + {'b' * 38})\n        * {'c' * 30})" in formatted(text)


def test_a_text_that_cannot_be_broken_stays_whole():
    line = f'    option a "{"x" * 120}" default\n'

    assert f"ruling r\n{line}" == formatted(f"ruling r\n{line}")


def test_a_long_comment_goes_on_in_the_one_below():
    text = f"# {'one ' * 27}end\n# of it\n\nenum A: a\n"

    assert f"# {'one ' * 26}one\n# end of it\n\nenum A: a\n" == formatted(text)


def test_a_long_comment_alone_is_cut_into_even_lines():
    assert f"# {'word ' * 11}word\n" * 2 == formatted(f"# {'word ' * 24}\n")


def test_a_comment_does_not_run_into_a_heading_or_a_list():
    long = f"# {'word ' * 24}".rstrip()

    assert formatted(f"{long}\n# ---- next\n").endswith("word\n# ---- next\n")
    assert formatted(f"{long}\n# - item\n").endswith("word\n# - item\n")


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
