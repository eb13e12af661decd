"""What a search reads, and that no id stands twice."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from docutils import nodes

from pilgrim_rules.sphinx_ext.lists.object_lists import declared_objects, definition_list
from pilgrim_rules.sphinx_ext.model import books
from pilgrim_rules.sphinx_ext.nodes.headings import drop_copied_ids


def searched(app: Any) -> dict[str, Any]:
    text = (app.outdir / "_static" / "rules_search.js").read_text("utf-8")
    found: dict[str, Any] = json.loads(text.removeprefix("PilgrimSearch(").removesuffix(");\n"))
    return found


def test_the_search_reads_rules_refusals_and_clauses_with_what_they_are_about(build) -> None:
    data = searched(build("whole"))
    kinds = [label for label, _, _ in data["kinds"]]
    titles = {(kinds[row[0]], row[2]) for row in data["objects"]}

    assert ("rule", "Build shrine") in titles
    assert ("reason to refuse", "Acolytes move clockwise") in titles
    assert ("clause", "SHR-5") in titles
    assert ["small"] == list(data["games"])
    refusal = next(row for row in data["objects"] if row[2] == "Acolytes move clockwise")
    assert "Drop" in refusal[3], "a refusal is found by the rules that give it"


def test_rules_count_more_than_clauses_and_authors_add_words(build) -> None:
    data = searched(build("whole", confoverrides={"rules_synonyms": ["acolyte monk"]}))
    weights = {label: weight for label, weight, _ in data["kinds"]}

    assert weights["rule"] > weights["reason to refuse"] > weights["clause"]
    assert ["acolyte", "monk"] in data["synonyms"]


def test_the_lower_layer_of_a_rule_is_not_searched_as_text(build) -> None:
    index = (build("chapters").outdir / "searchindex.js").read_text("utf-8")

    assert "sowing-drop" not in index


def test_what_a_theme_puts_around_a_table_has_no_id_of_the_table() -> None:
    table = nodes.table("", ids=["id1"])
    around = nodes.container("", table, ids=["id1"])

    drop_copied_ids(None, around, "page")  # type: ignore[arg-type]

    assert ([], ["id1"]) == (around["ids"], table["ids"])


@pytest.mark.parametrize("name", ["love_letter", "my_village"])
def test_a_term_is_listed_once_however_it_is_written(name: str, tmp_path: Path) -> None:
    none = tmp_path / "none.json"
    book = books._read(name, books.BookFiles(none, none, none), None)
    (listed,) = definition_list(book, "term", list(declared_objects(book, "term").values()))
    ids = Counter(id_ for term in listed.findall(nodes.term) for id_ in term["ids"])

    assert [id_ for id_, times in ids.items() if times > 1] == []
