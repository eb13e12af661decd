from textwrap import dedent

import pytest

from pilgrim_rules.core.ir import BOOL, Type
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.inputs.data.edition import code_of, load_edition

PLAYER = Type("Player", "enum", 0, 1, ("red", "blue"))
RANGE = Type("4..7", "int", 4, 7)
TWO = Type("1..2", "int", 1, 2)
PAIR = Type("Player * 1..2", "pair", 0, 3, parts=(PLAYER, TWO))
MAYBE = Type("Player?", "optional", 0, 2, parts=(PLAYER,))
ASKED = Span("game.rules", 0, 4)

TEXT = """
[value]
source = "assumed"
note = "printed on the tiles"
values = { red = 4, blue = 7 }

[grid]
source = "stated"
values = [[4, 5], [6, 7]]

[limit]
source = "derived"
values = 5

[buildings]
source = "stated"
assumed = ["price"]
rows = [
    { name = "mill", level = 1, price = 4, owner = "red", open = true, at = [5, 6] },
    { name = "well", level = 2, price = 9, at = { red = 4, blue = 4 } },
]
"""


@pytest.fixture
def load(tmp_path):
    def load(text=TEXT):
        path = tmp_path / "edition.toml"
        path.write_text(dedent(text))
        bag = Bag()
        return load_edition(path, ASKED, bag), bag

    return load


def found(bag):
    return [(one.code.id, one.message) for one in bag]


def test_values_come_flat_in_the_order_of_the_index(load):
    edition, bag = load()

    assert (4, 7) == edition.values("value", (PLAYER,), RANGE, ASKED, bag)
    assert (4, 5, 6, 7) == edition.values("grid", (PLAYER, TWO), RANGE, ASKED, bag)
    assert (5,) == edition.values("limit", (), RANGE, ASKED, bag)
    assert [] == found(bag)


def test_rows_have_names_and_columns(load):
    edition, bag = load()
    rows = edition.rows("buildings", ASKED, bag)

    assert ("mill", "well") == rows.names
    assert ["level", "price", "owner", "open", "at"] == list(rows.columns)
    assert (1, 2) == edition.column(rows, "level", (), TWO, ASKED, bag)
    assert (0, 2) == edition.column(rows, "owner", (), MAYBE, ASKED, bag)
    assert (1, 0) == edition.column(rows, "open", (), BOOL, ASKED, bag)
    assert (5, 6, 4, 4) == edition.column(rows, "at", (PLAYER,), RANGE, ASKED, bag)
    assert [] == found(bag)


def test_an_entry_or_a_column_may_be_assumed(load):
    edition, _ = load()

    assert [True, False, True, False] == [
        edition.assumed("value"),
        edition.assumed("grid"),
        edition.assumed("buildings", "price"),
        edition.assumed("buildings", "level"),
    ]


def test_the_digest_depends_on_the_data_only(load):
    edition, _ = load()
    same, _ = load("# a comment\n" + TEXT.replace("values = 5", "values    =    5"))
    other, _ = load(TEXT.replace("values = 5", "values = 6"))

    assert edition.digest == same.digest
    assert edition.digest != other.digest


@pytest.mark.parametrize(
    ("raw", "type_", "expected"),
    [
        ("blue", PLAYER, 1),
        (5, RANGE, 5),
        (True, BOOL, 1),
        (["blue", 2], PAIR, 3),
        ("none", MAYBE, 2),
        ("red", MAYBE, 0),
        (8, RANGE, "`8` is not in `4..7`"),
        (True, RANGE, "`true` is not a whole number"),
        (5.0, RANGE, "`5.0` is not a whole number"),
        ("green", PLAYER, '`"green"` is not a value of `Player`'),
        (1, BOOL, "`1` is neither `true` nor `false`"),
        ("none", PLAYER, '`"none"` is not a value of `Player`'),
        (["blue"], PAIR, "a list is not a list of two values"),
        (["blue", 3], PAIR, "`3` is not in `1..2`"),
        ({}, RANGE, "a table is not a whole number"),
    ],
)
def test_the_code_of_a_raw_value(raw, type_, expected):
    assert expected == code_of(raw, type_)


ASKING = {
    "an unknown entry": ("values", (), RANGE, "PR721", "has no entry `values`"),
    "rows where values are wanted": ("buildings", (), RANGE, "PR725", "has `rows`, not `values`"),
    "a value outside the type": ("value", (PLAYER,), TWO, "PR724", "`value.values.red`: `4` is not in `1..2`"),
    "too few values": ("grid", (TWO, RANGE), RANGE, "PR722", "`grid.values[0]`: 2 values where `4..7` has 4"),
    "too many values": ("grid", (TWO, Type("1..1", "int", 1, 1)), RANGE, "PR723", "2 values where `1..1` has 1"),
    "a scalar where a table is wanted": ("limit", (PLAYER,), RANGE, "PR724", "where a list or table over `Player`"),
    "a list where a scalar is wanted": (
        "grid",
        (TWO,),
        RANGE,
        "PR724",
        "`grid.values[0]`: a list is not a whole number",
    ),
}


@pytest.mark.parametrize(("key", "index", "type_", "code", "message"), ASKING.values(), ids=ASKING)
def test_a_mistake_in_the_values_is_reported_with_its_key_path(load, key, index, type_, code, message):
    edition, bag = load()

    assert edition.values(key, index, type_, ASKED, bag) is None
    found_code, found_message = found(bag)[0]
    assert code == found_code
    assert message in found_message


def test_a_missing_and_an_extra_label_are_two_mistakes(load):
    edition, bag = load(TEXT.replace("blue = 7", "bleu = 7"))
    edition.values("value", (PLAYER,), RANGE, ASKED, bag)

    assert ["PR722", "PR723"] == sorted(code for code, _ in found(bag))
    assert ["did you mean `blue`?"] == [one.help for one in bag if one.help]


def test_a_missing_column_is_reported_where_it_is_asked_for(load):
    edition, bag = load()
    rows = edition.rows("buildings", ASKED, bag)

    assert edition.column(rows, "levels", (), TWO, ASKED, bag) is None
    (one,) = bag
    assert ("PR722", ASKED, "did you mean `level`?") == (one.code.id, one.span, one.help)


def test_a_row_without_a_needed_column_is_shown_in_the_file(load):
    edition, bag = load()
    rows = edition.rows("buildings", ASKED, bag)

    assert edition.column(rows, "owner", (), PLAYER, ASKED, bag) is None
    (one,) = bag
    assert "row `well` has no `owner`" == one.message
    assert one.span.file.endswith("edition.toml")


FILES = {
    "an entry that is no table": ("x = 3", "PR705", "`x` is not a table"),
    "no source": ("[x]\nvalues = 3", "PR726", "`x` needs a `source`"),
    "an unknown source": ('[x]\nsource = "guessed"\nvalues = 3', "PR726", "`x` needs a `source`"),
    "no data": ('[x]\nsource = "stated"', "PR704", "neither `values` nor `rows`"),
    "both forms": ('[x]\nsource = "stated"\nvalues = 1\nrows = [{ name = "a" }]', "PR725", "both `values` and `rows`"),
    "an unknown key": ('[x]\nsource = "stated"\nvalue = 1\nvalues = 1', "PR703", "unknown key `value`"),
    "no rows": ('[x]\nsource = "stated"\nrows = []', "PR712", "has no rows"),
    "rows that are no tables": ('[x]\nsource = "stated"\nrows = [1]', "PR705", "not a list of tables"),
    "a row without name": ('[x]\nsource = "stated"\nrows = [{ a = 1 }]', "PR704", "no `name`"),
    "a name given twice": ('[x]\nsource = "stated"\nrows = [{ name = "a" }, { name = "a" }]', "PR707", "given twice"),
    "a bad name": ('[x]\nsource = "stated"\nrows = [{ name = "A" }]', "PR706", "cannot be a label"),
    "an assumed column that is not there": (
        '[x]\nsource = "stated"\nassumed = ["b"]\nrows = [{ name = "a" }]', "PR722", "no column `b`",
    ),
    "a list of assumed columns that is none": (
        '[x]\nsource = "stated"\nassumed = true\nrows = [{ name = "a" }]', "PR705", "not a list of columns",
    ),
    "too many rows": (
        '[x]\nsource = "stated"\nrows = [' + ",".join(f'{{name="r{i}"}}' for i in range(4097)) + "]", "PR711", "4097 rows",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "code", "message"), FILES.values(), ids=FILES)
def test_one_mistake_in_an_edition_gives_one_message(load, text, code, message):
    edition, bag = load(text)
    ((found_code, found_message),) = found(bag)

    assert edition is None
    assert code == found_code
    assert message in found_message
