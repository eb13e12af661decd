import json
from pathlib import Path

import pytest

from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.inputs.clauses.citations import Citation, check_waivers, citations, trace
from pilgrim_rules.inputs.clauses.clause_coverage import ClauseCoverage, coverage, to_json, to_text
from pilgrim_rules.inputs.clauses.inventory import Inventory
from pilgrim_rules.inputs.clauses.records import Clause, Gap, Waiver
from tests.support.sample_game import SAMPLE


def clause(id_, section="Moving"):
    return Clause(id_, section, "effect", f"The text of {id_}.")


INVENTORY = Inventory(
    clauses=(clause("MAP-1", "Map"), clause("MAP-2", "Map"), clause("MAP-3", "Map"), clause("MOV-1"), clause("MOV-9")),
    gaps=(Gap("GAP-LEG", "silence", (), "What of the last leg?", (), ""),),
    waivers=(Waiver(("MAP-3",), "a picture"), Waiver(("MOV-1",), "no longer true")),
)


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("OVR-1", {("rule", "game", "sample")}),
        (
            "MAP-1",
            {
                ("parameter", "graph", "Map.leads"),
                ("rule", "requirement", "move"),
                ("rule", "requirement", "trade"),
                ("rule", "network", "roads"),
                ("invariant", "symmetry", "there_and_back"),
            },
        ),
        ("MAP-2", {("parameter", "param", "toll")}),
        ("GAP-LEG", {("ruling", "ruling", "last_leg")}),
        ("TRN-1", {("rule", "stage", "moving")}),
        ("SET-1", {("rule", "variable", "coins")}),
        ("CON-1", {("rule", "def", "rich"), ("invariant", "invariant", "capped")}),
        ("CON-2", {("rule", "effect", "give"), ("rule", "assignment", "give"), ("rule", "assignment", "trade")}),
        ("MOV-1", {("rule", "action", "move"), ("rule", "requirement", "move"), ("example", "refusal", "first")}),
        ("MOV-3", {("rule", "assignment", "move")}),
        ("END-1", {("rule", "assignment", "close")}),
        ("END-2", {("invariant", "terminates", "fewer")}),
        ("SCO-1", {("rule", "score", "Coins")}),
        ("EX-1", {("example", "example", "first")}),
        ("DE-LEG", {("ruling", "preset", "strict")}),
        ("CMP-1", {("rule", "enum", "Colour")}),
    ],
)
def test_a_clause_leads_to_every_line_that_cites_it(clause, expected):
    assert expected == {(line.kind, line.part, line.item) for line in trace(SAMPLE)[clause]}


def test_a_citation_knows_its_place():
    (line,) = trace(SAMPLE)["MOV-3"]

    assert Span("sample.rules", 400, 404) == line.span


def test_a_line_is_listed_once():
    found = citations(SAMPLE)

    assert len(found) == len(set(found))


def test_every_clause_is_traced_waived_or_open():
    found = coverage(SAMPLE, INVENTORY)
    maps, moving = found.sections

    assert ("Map", 3, ("MAP-1", "MAP-2"), (("MAP-3", "a picture"),), ()) == (
        maps.name, maps.total, maps.traced, maps.waived, maps.open,
    )  # fmt: skip
    assert (("MOV-1",), (), ("MOV-9",)) == (moving.traced, moving.waived, moving.open)
    assert {"rule": 1, "parameter": 2, "invariant": 1, "example": 0, "ruling": 0} == maps.by_kind
    assert found.whole.total == len(found.whole.traced) + len(found.whole.waived) + len(found.whole.open)


def test_a_line_that_names_something_does_not_play_it():
    found = Citation("MAP-1", "rule", "stage", "opening"), Citation("MAP-1", "rule", "requirement", "step")

    assert [True, False] == [each.only_names for each in found]


def test_nothing_may_be_open_if_all_is_asked_for():
    found = coverage(SAMPLE, INVENTORY)

    assert not found.is_complete
    assert ClauseCoverage((), found.lists).is_complete == (not any(part.open for part in found.lists))


def test_gaps_are_a_list_of_their_own():
    (gaps,) = coverage(SAMPLE, INVENTORY).lists

    assert ("Gaps", ("GAP-LEG",), 1) == (gaps.name, gaps.traced, gaps.by_kind["ruling"])


def test_the_table_is_the_golden_file():
    text = to_text(coverage(SAMPLE, INVENTORY), INVENTORY)

    assert Path(__file__).with_name("coverage.expect").read_text() == text + "\n"


def test_the_data_can_be_written_as_json():
    data = json.loads(json.dumps(to_json(coverage(SAMPLE, INVENTORY), trace(SAMPLE))))

    assert ["MOV-9"] == data["all"]["open"]
    assert {"kind": "rule", "part": "assignment", "item": "move"} in data["citations"]["MOV-3"]


def test_a_waiver_of_a_cited_clause_gets_a_warning():
    bag = Bag()
    check_waivers(SAMPLE, INVENTORY, bag)
    (found,) = bag

    assert ("PR608", "`MOV-1` is waived, and cited") == (found.code.id, found.message)
    assert () == bag.errors
