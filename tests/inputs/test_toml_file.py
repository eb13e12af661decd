import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.source import SourceFile, Span
from pilgrim_rules.inputs.data.toml_file import MOST_BYTES, Document, read_toml
from pilgrim_rules.inputs.data.toml_places import places

TEXT = '''
title = "a \\" b"  # "
numbers = [1, [2, 3],  # two
    4]
"quoted key" = { one = 1, "two" = [10, 20] }
dotted.key = """
[not.a.header]
"""

[table]
when = 1979-05-27 07:32:00
[table.inner]
'x' = 'y'

[[list]]
a = 1
[[list]]
a = 2
[list.sub]
b = 3
[[list.deep]]
c = 4
'''


@pytest.fixture
def document():
    return Document(SourceFile("x.toml", TEXT), tomllib.loads(TEXT))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("title",), '"a \\" b"'),
        (("numbers", 1), "[2, 3]"),
        (("numbers", 1, 1), "3"),
        (("numbers", 2), "4"),
        (("quoted key", "two", 1), "20"),
        (("dotted", "key"), '"""\n[not.a.header]\n"""'),
        (("table", "when"), "1979-05-27 07:32:00"),
        (("table", "inner", "x"), "'y'"),
        (("list", 0, "a"), "1"),
        (("list", 1, "a"), "2"),
        (("list", 1), "[[list]]"),
        (("list", 1, "sub", "b"), "3"),
        (("list", 1, "deep", 0, "c"), "4"),
        (("list", 1, "missing"), "[[list]]"),
        (("missing",), ""),
    ],
)
def test_the_place_of_a_value_is_found(document, path, expected):
    span = document.span(*path)

    assert expected == TEXT[span.start : span.end]


def test_the_place_of_a_key_is_found(document):
    span = document.key("quoted key", "two")

    assert '"two"' == TEXT[span.start : span.end]


LEAF = st.integers(-9, 9) | st.booleans() | st.sampled_from(['"s"', "'#'", '"]"', "1.5", '"""\n"""', "'''}'''"])


def spell(value):
    if isinstance(value, list):
        return "[" + ", ".join(map(spell, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {spell(part)}" for key, part in value.items()) + "}"
    return str(value).lower() if isinstance(value, bool) else str(value)


@given(
    st.dictionaries(
        st.sampled_from("abcdef"),
        st.recursive(
            LEAF, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3)
        ),
    )
)
def test_every_place_holds_the_text_of_its_value(data):
    text = "\n".join(f"{key} = {spell(value)}  # {key}" for key, value in data.items())

    def walk(value, path):
        yield value, path
        parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, part in parts:
            yield from walk(part, (*path, key))

    known = places(text)
    for key, value in data.items():
        for part, path in walk(value, (key,)):
            assert spell(part) == text[known[path].start : known[path].end]


def read(path):
    bag = Bag()
    return read_toml(path, Span("game.rules", 3, 9), bag), list(bag)


def test_a_missing_file_is_reported_where_it_is_named(tmp_path):
    (tmp_path / "map.toml").touch()
    document, (found,) = read(tmp_path / "mpa.toml")

    assert document is None
    assert ("PR701", Span("game.rules", 3, 9), "did you mean `map.toml`?") == (found.code.id, found.span, found.help)


@pytest.mark.parametrize(
    ("content", "code", "says"),
    [
        (b"\xff\xfe\x00", "PR701", "not UTF-8"),
        (b"x = 1\n" * (MOST_BYTES // 6 + 2), "PR701", "larger than 8 MB"),
        (b"x = ", "PR702", "invalid value"),
        (b'x = "a\n', "PR702", "the line ends too early"),
        (b"x = 1\nx = 2", "PR702", "cannot overwrite a value"),
        (b"x = " + b"[" * 5000, "PR702", "nested too deeply"),
        (b"x = " + b"9" * 5000, "PR702", "a number in it is too long"),
    ],
    ids=["binary", "huge", "no value", "open string", "key twice", "nested", "long number"],
)
def test_what_is_no_toml_is_reported(tmp_path, content, code, says):
    path = tmp_path / "x.toml"
    path.write_bytes(content)
    document, (found,) = read(path)

    assert document is None
    assert code == found.code.id
    assert says in found.message


def test_a_mistake_in_the_file_is_shown_in_the_file(tmp_path):
    path = tmp_path / "x.toml"
    path.write_text("a = 1\nb = ?\n")
    bag = Bag()
    read_toml(path, None, bag)
    (found,) = bag

    assert (2, 5) == bag.sources[path.as_posix()].position(found.span.start)


def test_a_folder_is_no_file(tmp_path):
    _, (found,) = read(tmp_path)

    assert "is a directory" in found.message
