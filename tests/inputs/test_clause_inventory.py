import pytest

from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.inputs.clauses.inventory import load_inventory

TEXT = """
[source]
game = "Sample"

[[clause]]
id = "SHR-1"
section = "Shrines"
page = "11"
kind = "cost"
text = "A shrine costs 1 stone."
subject = "shrine"
data = ["shrine_price"]

[[clause]]
id = "SHR-2"
section = "Shrines"
kind = "guard"
text = "No shrine stands next to the city."

[[example]]
id = "EX-SHR-1"
page = "12"
clauses = ["SHR-1"]
given = "3 stones"
when = "a shrine is built"
then = "2 stones are left"

[[unknown]]
id = "shrine_price"
what = "the price on the tile"

[[gap]]
id = "GAP-SHRINE-TWICE"
kind = "silence"
clauses = ["SHR-2"]
problem = "Nothing is said about two shrines."
options = ["yes", "no"]
ruling = "no"

[[invariant]]
id = "INV-STONE"
text = "Stones are conserved."
clauses = ["SHR-1"]

[[difference]]
id = "DE-SHRINE-PRICE"
section = "Shrines"
en = "1 stone"
de = "2 stones"
severity = "changes-play"
ruling = "English"

[[term]]
en = "shrine"
de = "Schrein"

[[waiver]]
clause = ["SHR-2"]
reason = "shown by the map"
"""


@pytest.fixture
def load(tmp_path):
    def load(*texts):
        paths = []
        for at, text in enumerate(texts):
            paths.append(tmp_path / f"clauses{at}.toml")
            paths[-1].write_text(text)
        bag = Bag()
        return load_inventory(paths, Span("game.rules", 0, 4), bag), bag

    return load


def test_every_kind_of_record_is_read(load):
    inventory, bag = load(TEXT)

    assert [] == list(bag)
    assert [2, 1, 1, 1, 1, 1, 1, 1] == [
        len(inventory.clauses),
        len(inventory.examples),
        len(inventory.unknowns),
        len(inventory.gaps),
        len(inventory.guarantees),
        len(inventory.differences),
        len(inventory.terms),
        len(inventory.waivers),
    ]


def test_everything_but_unknowns_and_terms_can_be_cited(load):
    inventory, _ = load(TEXT)

    assert ("SHR-1", "SHR-2", "EX-SHR-1", "GAP-SHRINE-TWICE", "INV-STONE", "DE-SHRINE-PRICE") == inventory.ids()
    assert "cost" == inventory.find("SHR-1").kind
    assert inventory.find("shrine_price") is None


@pytest.mark.parametrize(
    ("id_", "expected"),
    [
        ("SHR-1", "a shrine costs 1 stone (p. 11)"),
        ("SHR-2", "no shrine stands next to the city"),
        ("EX-SHR-1", "2 stones are left (p. 12)"),
        ("GAP-SHRINE-TWICE", "Nothing is said about two shrines"),
        ("INV-STONE", "Stones are conserved"),
        ("DE-SHRINE-PRICE", "1 stone"),
        ("SHR-9", None),
    ],
)
def test_an_id_is_described_in_half_a_sentence(load, id_, expected):
    inventory, _ = load(TEXT)

    assert expected == inventory.describe(id_)


def test_an_unknown_clause_is_reported_where_it_is_cited(load):
    inventory, bag = load(TEXT)

    assert inventory.check("SHR-1", Span("game.rules", 5, 9), bag)
    assert not inventory.check("SHR-11", Span("game.rules", 5, 9), bag)
    (found,) = bag
    assert ("PR601", Span("game.rules", 5, 9), "did you mean `SHR-1`?") == (found.code.id, found.span, found.help)


def test_waivers_give_their_reasons(load):
    inventory, _ = load(TEXT)

    assert {"SHR-2": "shown by the map"} == inventory.waived()


def test_ids_and_waivers_have_places(load):
    inventory, _ = load(TEXT)

    def shown(span):
        return TEXT[span.start : span.end]

    assert '"SHR-1"' == shown(inventory.span("SHR-1"))
    assert '"SHR-2"' == shown(inventory.waiver_span("SHR-2"))
    assert inventory.span("SHR-9") is None
    assert inventory.waiver_span("SHR-1") is None


def test_several_files_make_one_inventory(load):
    inventory, bag = load(TEXT, '[[waiver]]\nclause = "SHR-1"\nreason = "other file"')

    assert [] == list(bag)
    assert {"SHR-1", "SHR-2"} == inventory.waived().keys()


MISTAKES = {
    "an id given twice": (TEXT.replace('"SHR-2"\nsection', '"SHR-1"\nsection').replace("SHR-2", "SHR-1"), "PR602", "`SHR-1` is given twice"),
    "a badly formed id": (TEXT.replace('"INV-STONE"', '"stones"'), "PR603", "`stones` is no id"),
    "a badly formed unknown": (TEXT.replace('"shrine_price"', '"SHRINE"'), "PR603", "`SHRINE` is no id"),
    "a missing field": (TEXT.replace('kind = "cost"\n', ""), "PR604", "this clause has no `kind`"),
    "a field that is no text": (TEXT.replace('page = "11"', "page = 11"), "PR605", "`page` is not a string"),
    "a list that is none": (TEXT.replace('options = ["yes", "no"]', "options = 2"), "PR605", "`options` is not a list of strings"),
    "an unknown word": (TEXT.replace('"cost"', '"costs"'), "PR605", "`costs` is no kind of a clause"),
    "a reference to nothing": (TEXT.replace('clauses = ["SHR-2"]', 'clauses = ["SHR-22"]'), "PR606", "no clause `SHR-22`"),
    "data that nobody knows": (TEXT.replace('data = ["shrine_price"]', 'data = ["price"]'), "PR606", "no unknown `price`"),
    "a waiver of nothing": (TEXT.replace('clause = ["SHR-2"]', 'clause = "CMP-1"'), "PR606", "no clause `CMP-1`"),
    "a waiver without reason": (TEXT.replace("shown by the map", " "), "PR604", "gives no reason"),
    "a clause waived twice": (TEXT + '[[waiver]]\nclause = "SHR-2"\nreason = "x"', "PR607", "`SHR-2` is waived twice"),
    "an unknown table": (TEXT.replace("[[term]]", "[[terms]]"), "PR703", "unknown key `terms`"),
    "an unknown field": (TEXT.replace('page = "12"', 'pages = "12"'), "PR703", "unknown key `pages`"),
    "a table that is no list": (TEXT.replace("[[term]]", "[term]"), "PR705", "`term` is not a list of tables"),
    "no TOML": ("[[clause", "PR702", "is not TOML"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "code", "message"), MISTAKES.values(), ids=MISTAKES)
def test_one_mistake_in_an_inventory_gives_one_message(load, text, code, message):
    inventory, bag = load(text)
    (found,) = bag

    assert inventory is None
    assert code == found.code.id
    assert message in found.message
    assert found.span is not None
