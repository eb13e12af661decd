import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilgrim_rules.diagnostics.suggestions import closest, did_you_mean


@pytest.mark.parametrize(
    ("name", "candidates", "expected"),
    [
        ("stoen", ["grain", "stone", "coin"], "stone"),
        ("Stone", ["stone"], "stone"),
        ("SHR-33", ["SHR-3", "SCO-33", "OVR-1"], "SHR-3"),
        ("piety", ["grain"], None),
        ("x", [], None),
        ("stone", ["stone"], None),
    ],
)
def test_the_closest_name_is_suggested_if_it_is_close(name, candidates, expected):
    assert expected == closest(name, candidates)


@given(st.permutations(["ab", "ba", "abb", "aab", "b"]))
def test_the_order_of_candidates_does_not_matter(candidates):
    assert closest("a", sorted(candidates)) == closest("a", candidates)


def test_a_name_of_a_million_letters_gets_no_suggestion():
    assert closest("x" * 1_000_000, ["x"]) is None


def test_the_help_line_is_a_question():
    assert "did you mean `stone`?" == did_you_mean("stoen", ["stone"])
    assert did_you_mean("stoen", []) is None
