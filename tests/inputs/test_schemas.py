"""The schemas of data files: they describe what the readers read."""

import json
import tomllib
from dataclasses import MISSING, fields
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.inputs import clauses
from pilgrim_rules.inputs.clauses.inventory import load_inventory
from pilgrim_rules.inputs.clauses.records import TABLES, WORDS
from pilgrim_rules.inputs.data import edition
from pilgrim_rules.inputs.data.edition import load_edition
from pilgrim_rules.inputs.graphs import hex_map, plain_map
from pilgrim_rules.inputs.graphs.hex_map import load_map

ROOT = Path(__file__).parents[2]
SCHEMAS = Path(clauses.__file__).parents[1] / "schemas"
FILES = sorted((ROOT / "spec").glob("*/data/*.toml"))


def schema(kind):
    return json.loads((SCHEMAS / f"{kind}.schema.json").read_text("utf-8"))


def kind_of(path):
    return path.stem.split("_")[0]


def accepted(kind, text, tmp_path):
    """Return whether the reader takes a file, and whether the schema does."""
    path = tmp_path / f"{kind}.toml"
    path.write_text(text)
    bag = Bag()
    read = {"clauses": lambda: load_inventory([path], None, bag), "edition": lambda: load_edition(path, None, bag)}
    found = read.get(kind, lambda: load_map(path, None, bag))()
    return found is not None and not bag.errors, Draft202012Validator(schema(kind)).is_valid(tomllib.loads(text))


@pytest.mark.parametrize("kind", ["clauses", "edition", "map"])
def test_a_schema_is_one(kind):
    Draft202012Validator.check_schema(schema(kind))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-3]}-{path.name}")
def test_every_shipped_file_fits_its_schema(path):
    found = Draft202012Validator(schema(kind_of(path))).iter_errors(tomllib.loads(path.read_text("utf-8")))
    assert [] == [error.message for error in found]


def test_the_schema_of_clauses_has_the_fields_that_are_read():
    tables = schema("clauses")["properties"]
    assert {*TABLES, "source"} == set(tables)
    for name, record in TABLES.items():
        items = tables[name]["items"]
        assert [field.name for field in fields(record)] == list(items["properties"])
        assert [field.name for field in fields(record) if field.default is MISSING] == items["required"]
    for (table, field), words in WORDS.items():
        assert list(words) == tables[table]["items"]["properties"][field]["enum"]


def test_the_schemas_of_editions_and_maps_have_the_keys_that_are_read():
    assert set(edition._KEYS) == set(schema("edition")["$defs"]["entry"]["properties"])
    assert list(edition.SOURCES) == schema("edition")["$defs"]["entry"]["properties"]["source"]["enum"]
    assert set(hex_map._KEYS) == set(schema("map")["$defs"]["hex"]["properties"])
    assert set(plain_map._KEYS) == set(schema("map")["$defs"]["graph"]["properties"])


CLAUSE = '[[clause]]\nid = "A-1"\nsection = "S"\nkind = "note"\ntext = "T"\n'
ENTRY = '[worth]\nsource = "stated"\nvalues = [1, 2]\n'
HEX = 'kind = "hex"\nradius = 1\n'
GRAPH = 'kind = "graph"\n[[node]]\nname = "a"\n[[node]]\nname = "b"\n[[link]]\nfrom = "a"\nto = "b"\n'


@pytest.mark.parametrize(
    ("kind", "text"),
    [("clauses", CLAUSE), ("edition", ENTRY), ("map", HEX), ("map", GRAPH)],
)
def test_reader_and_schema_accept_the_same(kind, text, tmp_path):
    assert (True, True) == accepted(kind, text, tmp_path)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("clauses", CLAUSE.replace("A-1", "a1")),
        ("clauses", CLAUSE.replace('"note"', '"remark"')),
        ("clauses", CLAUSE.replace('text = "T"\n', "")),
        ("clauses", CLAUSE + "extra = 1\n"),
        ("edition", ENTRY.replace("stated", "guessed")),
        ("edition", ENTRY.replace("values = [1, 2]\n", "")),
        ("edition", ENTRY.replace("[worth]", "[Worth]")),
        ("edition", ENTRY.replace("values = [1, 2]", "rows = []")),
        ("map", HEX.replace("hex", "square")),
        ("map", HEX.replace("radius = 1", "radius = -1")),
        ("map", GRAPH.replace('to = "b"\n', "")),
        ("map", GRAPH.replace('name = "a"', 'name = "A"')),
    ],
)
def test_reader_and_schema_refuse_the_same(kind, text, tmp_path):
    assert (False, False) == accepted(kind, text, tmp_path)
