import tomllib

import pytest

from pilgrim_rules.diagnostics.codes import all_codes
from pilgrim_rules.diagnostics.explanations import _entries, explain


def test_an_explanation_has_title_meaning_example_and_remedy():
    text = explain("pr706").text()

    assert text.startswith("PR706: badly formed label in a data file\n\nA name in a data file")
    assert '\n\nExample\n\n    [[cell]]\n    name = "B-4"\n\nHow to fix it\n\nUse a lower' in text


def test_a_warning_says_so():
    assert explain("PR608").text().startswith("PR608: waived clause is cited (warning)\n")


@pytest.mark.parametrize("code", ["PR999", "", "nonsense"])
def test_an_unknown_code_has_no_explanation(code):
    assert explain(code) is None


def test_every_entry_belongs_to_a_code_and_is_complete():
    assert _entries().keys() <= {code.id for code in all_codes()}
    for entry in _entries().values():
        assert {"means", "bad", "fix"} == entry.keys()
        assert all(isinstance(text, str) and text.strip() for text in entry.values())


def test_titles_are_short_lower_case_phrases():
    for code in all_codes():
        assert not code.title.endswith(".")
        assert len(code.title) <= 60
        assert code.title[0].islower() or code.title[0] == "`"


def test_examples_of_toml_mistakes_are_toml_except_where_that_is_the_mistake():
    for code, entry in _entries().items():
        if code.startswith("PR7") and "\n[" in entry["bad"] and "param" not in entry["bad"]:
            tomllib.loads(entry["bad"])
